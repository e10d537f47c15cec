// Tensors without elements: no kernel runs for them, and what is computed from nothing is right.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @elementwise(%x: tensor<0xf32>) -> tensor<0xf32> {
  %0 = math.exp %x : tensor<0xf32>
  return %0 : tensor<0xf32>
}
func.func @one_of_two(%x: tensor<4x0xf32>, %y: tensor<3xf32>) -> (tensor<4x0xf32>, tensor<3xf32>) {
  %0 = math.exp %x : tensor<4x0xf32>
  %1 = math.absf %y : tensor<3xf32>
  return %0, %1 : tensor<4x0xf32>, tensor<3xf32>
}
func.func @reductions(%x: tensor<4x0xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<4x0xf32> to tensor<4xf32>
  %1 = graph.reduce prod %x dims = [1] : tensor<4x0xf32> to tensor<4xf32>
  %2 = graph.reduce max %x dims = [1] : tensor<4x0xf32> to tensor<4xf32>
  %3 = graph.reduce min %x dims = [1] : tensor<4x0xf32> to tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func @reduction_to_empty(%x: tensor<4x0xf32>) -> tensor<0xf32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<4x0xf32> to tensor<0xf32>
  return %0 : tensor<0xf32>
}
func.func @reduction_f16(%x: tensor<4x0xf16>) -> tensor<4xf16> {
  %0 = graph.reduce max %x dims = [1] : tensor<4x0xf16> to tensor<4xf16>
  return %0 : tensor<4xf16>
}
func.func @matmul_k_0(%a: tensor<4x0xf32>, %b: tensor<0x5xf32>, %v: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = graph.matmul %a, %b : tensor<4x0xf32>, tensor<0x5xf32> to tensor<4x5xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<5xf32> to tensor<4x5xf32>
  %2 = arith.addf %0, %1 : tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}
func.func @matmul_m_0(%a: tensor<0x4xf32>, %b: tensor<4x5xf32>) -> tensor<0x5xf32> {
  %0 = graph.matmul %a, %b : tensor<0x4xf32>, tensor<4x5xf32> to tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}
func.func @concat(%a: tensor<3x0xf32>, %b: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = graph.concat %a, %b, %a dim = 1 : tensor<3x0xf32>, tensor<3x5xf32>, tensor<3x0xf32> to tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
func.func @pad(%a: tensor<3x0xf32>) -> tensor<4x3xf32> {
  %0 = graph.pad %a low = [0, 1] high = [1, 2] value = 2.0 : f32 : tensor<3x0xf32> to tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func @gather_of_none(%t: tensor<5x3xf32>, %i: tensor<0xi64>) -> tensor<0x3xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<5x3xf32>, tensor<0xi64> to tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
func.func @softmax(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<0x3xf32> to tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
func.func @slice_to_none(%x: tensor<5x3xf32>) -> tensor<0x3xf32> {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<5x3xf32> to tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
func.func @reshape(%x: tensor<0x3xf32>) -> tensor<7x0x2xf32> {
  %0 = graph.reshape %x : tensor<0x3xf32> to tensor<7x0x2xf32>
  return %0 : tensor<7x0x2xf32>
}
func.func @input_returned(%x: tensor<0xf32>) -> tensor<0xf32> {

  return %x : tensor<0xf32>
}
