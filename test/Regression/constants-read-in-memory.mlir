// Pads, gathers and products of a tensor of one number, which kernels else keep in registers: the kernel had no
// argument to read it from, and the compiler crashed. Found by tw-check --random=363 and 420, where x - x had folded.
// RUN: tw-check %s

func.func @pad(%x: tensor<48xi16>) -> tensor<50xi16> {
  %0 = arith.subi %x, %x : tensor<48xi16>
  %1 = graph.pad %0 low = [0] high = [2] value = 1 : i16 : tensor<48xi16> to tensor<50xi16>
  return %1 : tensor<50xi16>
}
func.func @gather(%i: tensor<3xi64>) -> tensor<7x3xi16> {
  %0 = arith.constant dense<5> : tensor<7x4xi16>
  %1 = graph.gather %0[%i] dim = 1 : tensor<7x4xi16>, tensor<3xi64> to tensor<7x3xi16>
  return %1 : tensor<7x3xi16>
}
func.func @product(%x: tensor<7x4xf32>) -> tensor<7x9xf32> {
  %0 = arith.constant dense<0.5> : tensor<4x9xf32>
  %1 = graph.matmul %x, %0 : tensor<7x4xf32>, tensor<4x9xf32> to tensor<7x9xf32>
  return %1 : tensor<7x9xf32>
}
