// What follows a product: bias, activation, residual, scale, mask, narrowing, and stores in another order.
// RUN: tw-check %s --rtol=5e-6 --atol=1e-5 --quiet

func.func @f32_bias_row(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>, %v: tensor<50xf32>) -> tensor<37x50xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<50xf32> to tensor<37x50xf32>
  %2 = arith.addf %0, %1 : tensor<37x50xf32>
  return %2 : tensor<37x50xf32>
}
func.func @f32_bias_column(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>, %v: tensor<37xf32>) -> tensor<37x50xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.broadcast %v dims = [0] : tensor<37xf32> to tensor<37x50xf32>
  %2 = arith.addf %0, %1 : tensor<37x50xf32>
  return %2 : tensor<37x50xf32>
}
func.func @f32_gelu(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>, %v: tensor<50xf32>) -> tensor<37x50xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<50xf32> to tensor<37x50xf32>
  %2 = arith.addf %0, %1 : tensor<37x50xf32>
  %3 = graph.gelu erf %2 : tensor<37x50xf32>
  return %3 : tensor<37x50xf32>
}
func.func @f32_residual(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>, %r: tensor<37x50xf32>) -> tensor<37x50xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = arith.addf %0, %r : tensor<37x50xf32>
  return %1 : tensor<37x50xf32>
}
func.func @f32_scale_and_mask(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>, %k: tensor<37x50xi1>) -> tensor<37x50xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %s = arith.constant dense<0.125> : tensor<37x50xf32>
  %1 = arith.mulf %0, %s : tensor<37x50xf32>
  %i = arith.constant dense<-1.0e30> : tensor<37x50xf32>
  %2 = arith.select %k, %1, %i : tensor<37x50xi1>, tensor<37x50xf32>
  return %2 : tensor<37x50xf32>
}
func.func @f32_narrowed(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>) -> tensor<37x50xbf16> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = arith.truncf %0 : tensor<37x50xf32> to tensor<37x50xbf16>
  return %1 : tensor<37x50xbf16>
}
func.func @f32_transposed_store(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>) -> tensor<50x37xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<37x50xf32> to tensor<50x37xf32>
  %2 = arith.negf %1 : tensor<50x37xf32>
  return %2 : tensor<50x37xf32>
}
func.func @f32_reshaped_store(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>) -> tensor<925x2xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.reshape %0 : tensor<37x50xf32> to tensor<925x2xf32>
  %2 = math.absf %1 : tensor<925x2xf32>
  return %2 : tensor<925x2xf32>
}
func.func @f32_sliced_use(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>) -> tensor<10x9xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.slice %0 offsets = [1, 2] strides = [2, 3] : tensor<37x50xf32> to tensor<10x9xf32>
  %2 = math.absf %1 : tensor<10x9xf32>
  return %2 : tensor<10x9xf32>
}
func.func @f32_reduced(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>) -> tensor<37xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<37x50xf32> to tensor<37xf32>
  return %1 : tensor<37xf32>
}
func.func @f32_softmax(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>) -> tensor<37x50xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<37x50xf32> to tensor<37x50xf32>
  return %1 : tensor<37x50xf32>
}
func.func @f32_concat(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>, %r: tensor<37x50xf32>) -> tensor<37x100xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.concat %0, %r dim = 1 : tensor<37x50xf32>, tensor<37x50xf32> to tensor<37x100xf32>
  return %1 : tensor<37x100xf32>
}
func.func @f32_pad(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>) -> tensor<38x53xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = graph.pad %0 low = [1, 0] high = [0, 3] value = 1.0 : f32 : tensor<37x50xf32> to tensor<38x53xf32>
  return %1 : tensor<38x53xf32>
}
func.func @f32_chain(%a: tensor<37x24xf32>, %b: tensor<24x50xf32>, %c: tensor<50x20xf32>) -> tensor<37x20xf32> {
  %0 = graph.matmul %a, %b : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %1 = math.tanh %0 : tensor<37x50xf32>
  %2 = graph.matmul %1, %c : tensor<37x50xf32>, tensor<50x20xf32> to tensor<37x20xf32>
  return %2 : tensor<37x20xf32>
}
func.func @bf16_bias_row(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>, %v: tensor<96xf32>) -> tensor<72x96xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<96xf32> to tensor<72x96xf32>
  %2 = arith.addf %0, %1 : tensor<72x96xf32>
  return %2 : tensor<72x96xf32>
}
func.func @bf16_bias_column(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>, %v: tensor<72xf32>) -> tensor<72x96xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.broadcast %v dims = [0] : tensor<72xf32> to tensor<72x96xf32>
  %2 = arith.addf %0, %1 : tensor<72x96xf32>
  return %2 : tensor<72x96xf32>
}
func.func @bf16_gelu(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>, %v: tensor<96xf32>) -> tensor<72x96xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<96xf32> to tensor<72x96xf32>
  %2 = arith.addf %0, %1 : tensor<72x96xf32>
  %3 = graph.gelu erf %2 : tensor<72x96xf32>
  return %3 : tensor<72x96xf32>
}
func.func @bf16_residual(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>, %r: tensor<72x96xf32>) -> tensor<72x96xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = arith.addf %0, %r : tensor<72x96xf32>
  return %1 : tensor<72x96xf32>
}
func.func @bf16_scale_and_mask(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>, %k: tensor<72x96xi1>) -> tensor<72x96xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %s = arith.constant dense<0.125> : tensor<72x96xf32>
  %1 = arith.mulf %0, %s : tensor<72x96xf32>
  %i = arith.constant dense<-1.0e30> : tensor<72x96xf32>
  %2 = arith.select %k, %1, %i : tensor<72x96xi1>, tensor<72x96xf32>
  return %2 : tensor<72x96xf32>
}
func.func @bf16_narrowed(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>) -> tensor<72x96xbf16> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = arith.truncf %0 : tensor<72x96xf32> to tensor<72x96xbf16>
  return %1 : tensor<72x96xbf16>
}
func.func @bf16_transposed_store(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>) -> tensor<96x72xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<72x96xf32> to tensor<96x72xf32>
  %2 = arith.negf %1 : tensor<96x72xf32>
  return %2 : tensor<96x72xf32>
}
func.func @bf16_reshaped_store(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>) -> tensor<3456x2xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.reshape %0 : tensor<72x96xf32> to tensor<3456x2xf32>
  %2 = math.absf %1 : tensor<3456x2xf32>
  return %2 : tensor<3456x2xf32>
}
func.func @bf16_sliced_use(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>) -> tensor<10x9xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.slice %0 offsets = [1, 2] strides = [2, 3] : tensor<72x96xf32> to tensor<10x9xf32>
  %2 = math.absf %1 : tensor<10x9xf32>
  return %2 : tensor<10x9xf32>
}
func.func @bf16_reduced(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>) -> tensor<72xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<72x96xf32> to tensor<72xf32>
  return %1 : tensor<72xf32>
}
func.func @bf16_softmax(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>) -> tensor<72x96xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<72x96xf32> to tensor<72x96xf32>
  return %1 : tensor<72x96xf32>
}
func.func @bf16_concat(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>, %r: tensor<72x96xf32>) -> tensor<72x192xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.concat %0, %r dim = 1 : tensor<72x96xf32>, tensor<72x96xf32> to tensor<72x192xf32>
  return %1 : tensor<72x192xf32>
}
func.func @bf16_pad(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>) -> tensor<73x99xf32> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = graph.pad %0 low = [1, 0] high = [0, 3] value = 1.0 : f32 : tensor<72x96xf32> to tensor<73x99xf32>
  return %1 : tensor<73x99xf32>
}
func.func @bf16_chain(%a: tensor<72x64xbf16>, %b: tensor<64x96xbf16>, %c: tensor<96x20xbf16>) -> tensor<72x20xf32> attributes {check.rtol = 1.6e-2, check.atol = 2.0e-2} {
  %0 = graph.matmul %a, %b : tensor<72x64xbf16>, tensor<64x96xbf16> to tensor<72x96xf32>
  %1 = arith.truncf %0 : tensor<72x96xf32> to tensor<72x96xbf16>
  %2 = graph.matmul %1, %c : tensor<72x96xbf16>, tensor<96x20xbf16> to tensor<72x20xf32>
  return %2 : tensor<72x20xf32>
}
