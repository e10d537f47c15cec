// Products of transposed, batched, broadcast, sliced and constant operands, and of NaN and infinities.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-5 --quiet

func.func @f32_transposed_nn(%a: tensor<33x70xf32>, %b: tensor<70x50xf32>) -> tensor<33x50xf32> {
  %0 = graph.matmul %a, %b : tensor<33x70xf32>, tensor<70x50xf32> to tensor<33x50xf32>
  return %0 : tensor<33x50xf32>
}
func.func @f32_transposed_nt(%a: tensor<33x70xf32>, %b: tensor<50x70xf32>) -> tensor<33x50xf32> {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<50x70xf32> to tensor<70x50xf32>
  %0 = graph.matmul %a, %bt : tensor<33x70xf32>, tensor<70x50xf32> to tensor<33x50xf32>
  return %0 : tensor<33x50xf32>
}
func.func @f32_transposed_tn(%a: tensor<70x33xf32>, %b: tensor<70x50xf32>) -> tensor<33x50xf32> {
  %at = graph.transpose %a permutation = [1, 0] : tensor<70x33xf32> to tensor<33x70xf32>
  %0 = graph.matmul %at, %b : tensor<33x70xf32>, tensor<70x50xf32> to tensor<33x50xf32>
  return %0 : tensor<33x50xf32>
}
func.func @f32_transposed_tt(%a: tensor<70x33xf32>, %b: tensor<50x70xf32>) -> tensor<33x50xf32> {
  %at = graph.transpose %a permutation = [1, 0] : tensor<70x33xf32> to tensor<33x70xf32>
  %bt = graph.transpose %b permutation = [1, 0] : tensor<50x70xf32> to tensor<70x50xf32>
  %0 = graph.matmul %at, %bt : tensor<33x70xf32>, tensor<70x50xf32> to tensor<33x50xf32>
  return %0 : tensor<33x50xf32>
}
func.func @bf16_transposed_nn(%a: tensor<40x96xbf16>, %b: tensor<96x72xbf16>) -> tensor<40x72xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<40x96xbf16>, tensor<96x72xbf16> to tensor<40x72xf32>
  return %0 : tensor<40x72xf32>
}
func.func @bf16_transposed_nt(%a: tensor<40x96xbf16>, %b: tensor<72x96xbf16>) -> tensor<40x72xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<72x96xbf16> to tensor<96x72xbf16>
  %0 = graph.matmul %a, %bt : tensor<40x96xbf16>, tensor<96x72xbf16> to tensor<40x72xf32>
  return %0 : tensor<40x72xf32>
}
func.func @bf16_transposed_tn(%a: tensor<96x40xbf16>, %b: tensor<96x72xbf16>) -> tensor<40x72xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<96x40xbf16> to tensor<40x96xbf16>
  %0 = graph.matmul %at, %b : tensor<40x96xbf16>, tensor<96x72xbf16> to tensor<40x72xf32>
  return %0 : tensor<40x72xf32>
}
func.func @bf16_transposed_tt(%a: tensor<96x40xbf16>, %b: tensor<72x96xbf16>) -> tensor<40x72xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<96x40xbf16> to tensor<40x96xbf16>
  %bt = graph.transpose %b permutation = [1, 0] : tensor<72x96xbf16> to tensor<96x72xbf16>
  %0 = graph.matmul %at, %bt : tensor<40x96xbf16>, tensor<96x72xbf16> to tensor<40x72xf32>
  return %0 : tensor<40x72xf32>
}
func.func @batch_3(%a: tensor<3x17x20xf32>, %b: tensor<3x20x33xf32>) -> tensor<3x17x33xf32> {
  %0 = graph.matmul %a, %b : tensor<3x17x20xf32>, tensor<3x20x33xf32> to tensor<3x17x33xf32>
  return %0 : tensor<3x17x33xf32>
}
func.func @batch_3_bf16(%a: tensor<3x16x32xbf16>, %b: tensor<3x32x40xbf16>) -> tensor<3x16x40xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<3x16x32xbf16>, tensor<3x32x40xbf16> to tensor<3x16x40xf32>
  return %0 : tensor<3x16x40xf32>
}
func.func @batch_2x3(%a: tensor<2x3x17x20xf32>, %b: tensor<2x3x20x33xf32>) -> tensor<2x3x17x33xf32> {
  %0 = graph.matmul %a, %b : tensor<2x3x17x20xf32>, tensor<2x3x20x33xf32> to tensor<2x3x17x33xf32>
  return %0 : tensor<2x3x17x33xf32>
}
func.func @batch_2x3_bf16(%a: tensor<2x3x16x32xbf16>, %b: tensor<2x3x32x40xbf16>) -> tensor<2x3x16x40xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<2x3x16x32xbf16>, tensor<2x3x32x40xbf16> to tensor<2x3x16x40xf32>
  return %0 : tensor<2x3x16x40xf32>
}
func.func @batch_17(%a: tensor<17x17x20xf32>, %b: tensor<17x20x33xf32>) -> tensor<17x17x33xf32> {
  %0 = graph.matmul %a, %b : tensor<17x17x20xf32>, tensor<17x20x33xf32> to tensor<17x17x33xf32>
  return %0 : tensor<17x17x33xf32>
}
func.func @batch_17_bf16(%a: tensor<17x16x32xbf16>, %b: tensor<17x32x40xbf16>) -> tensor<17x16x40xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<17x16x32xbf16>, tensor<17x32x40xbf16> to tensor<17x16x40xf32>
  return %0 : tensor<17x16x40xf32>
}
func.func @batch_2x1x3(%a: tensor<2x1x3x17x20xf32>, %b: tensor<2x1x3x20x33xf32>) -> tensor<2x1x3x17x33xf32> {
  %0 = graph.matmul %a, %b : tensor<2x1x3x17x20xf32>, tensor<2x1x3x20x33xf32> to tensor<2x1x3x17x33xf32>
  return %0 : tensor<2x1x3x17x33xf32>
}
func.func @batch_2x1x3_bf16(%a: tensor<2x1x3x16x32xbf16>, %b: tensor<2x1x3x32x40xbf16>) -> tensor<2x1x3x16x40xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<2x1x3x16x32xbf16>, tensor<2x1x3x32x40xbf16> to tensor<2x1x3x16x40xf32>
  return %0 : tensor<2x1x3x16x40xf32>
}
func.func @batch_17_1x48x1(%a: tensor<17x1x1xf32>, %b: tensor<17x1x48xf32>) -> tensor<17x1x48xf32> {
  %0 = graph.matmul %a, %b : tensor<17x1x1xf32>, tensor<17x1x48xf32> to tensor<17x1x48xf32>
  return %0 : tensor<17x1x48xf32>
}
func.func @batch_17_1x1x7(%a: tensor<17x1x7xf32>, %b: tensor<17x7x1xf32>) -> tensor<17x1x1xf32> {
  %0 = graph.matmul %a, %b : tensor<17x1x7xf32>, tensor<17x7x1xf32> to tensor<17x1x1xf32>
  return %0 : tensor<17x1x1xf32>
}
func.func @batch_17_5x1x1(%a: tensor<17x5x1xf32>, %b: tensor<17x1x1xf32>) -> tensor<17x5x1xf32> {
  %0 = graph.matmul %a, %b : tensor<17x5x1xf32>, tensor<17x1x1xf32> to tensor<17x5x1xf32>
  return %0 : tensor<17x5x1xf32>
}
func.func @batch_17_1x8x16(%a: tensor<17x1x16xf32>, %b: tensor<17x16x8xf32>) -> tensor<17x1x8xf32> {
  %0 = graph.matmul %a, %b : tensor<17x1x16xf32>, tensor<17x16x8xf32> to tensor<17x1x8xf32>
  return %0 : tensor<17x1x8xf32>
}
func.func @batch_broadcast_rhs(%a: tensor<5x17x20xf32>, %b: tensor<20x33xf32>) -> tensor<5x17x33xf32> {
  %bb = graph.broadcast %b dims = [1, 2] : tensor<20x33xf32> to tensor<5x20x33xf32>
  %0 = graph.matmul %a, %bb : tensor<5x17x20xf32>, tensor<5x20x33xf32> to tensor<5x17x33xf32>
  return %0 : tensor<5x17x33xf32>
}
func.func @batch_broadcast_lhs(%a: tensor<17x20xf32>, %b: tensor<5x20x33xf32>) -> tensor<5x17x33xf32> {
  %aa = graph.broadcast %a dims = [1, 2] : tensor<17x20xf32> to tensor<5x17x20xf32>
  %0 = graph.matmul %aa, %b : tensor<5x17x20xf32>, tensor<5x20x33xf32> to tensor<5x17x33xf32>
  return %0 : tensor<5x17x33xf32>
}
func.func @heads(%x: tensor<2x16x96xf32>, %y: tensor<2x24x96xf32>) -> tensor<2x16x96xf32> {
  %0 = graph.reshape %x : tensor<2x16x96xf32> to tensor<2x16x4x24xf32>
  %1 = graph.transpose %0 permutation = [0, 2, 1, 3] : tensor<2x16x4x24xf32> to tensor<2x4x16x24xf32>
  %2 = graph.reshape %y : tensor<2x24x96xf32> to tensor<2x24x4x24xf32>
  %3 = graph.transpose %2 permutation = [0, 2, 3, 1] : tensor<2x24x4x24xf32> to tensor<2x4x24x24xf32>
  %4 = graph.matmul %1, %3 : tensor<2x4x16x24xf32>, tensor<2x4x24x24xf32> to tensor<2x4x16x24xf32>
  %5 = graph.transpose %4 permutation = [0, 2, 1, 3] : tensor<2x4x16x24xf32> to tensor<2x16x4x24xf32>
  %6 = graph.reshape %5 : tensor<2x16x4x24xf32> to tensor<2x16x96xf32>
  return %6 : tensor<2x16x96xf32>
}
func.func @nan_and_infinity(%a: tensor<17x20xf32> {check.data = "special"}, %b: tensor<20x33xf32>) -> tensor<17x33xf32> {
  %0 = graph.matmul %a, %b : tensor<17x20xf32>, tensor<20x33xf32> to tensor<17x33xf32>
  return %0 : tensor<17x33xf32>
}
func.func @nan_and_infinity_bf16(%a: tensor<17x24xbf16> {check.data = "special"}, %b: tensor<24x40xbf16>) -> tensor<17x40xf32> {
  %0 = graph.matmul %a, %b : tensor<17x24xbf16>, tensor<24x40xbf16> to tensor<17x40xf32>
  return %0 : tensor<17x40xf32>
}
func.func @constant_operand(%a: tensor<17x20xf32>) -> tensor<17x33xf32> {
  %b = arith.constant dense<0.5> : tensor<20x33xf32>
  %0 = graph.matmul %a, %b : tensor<17x20xf32>, tensor<20x33xf32> to tensor<17x33xf32>
  return %0 : tensor<17x33xf32>
}
func.func @same_operand_twice(%a: tensor<33x33xf32>) -> tensor<33x33xf32> {
  %0 = graph.matmul %a, %a : tensor<33x33xf32>, tensor<33x33xf32> to tensor<33x33xf32>
  return %0 : tensor<33x33xf32>
}
func.func @sliced_operands(%a: tensor<40x50xf32>, %b: tensor<60x70xf32>) -> tensor<17x33xf32> {
  %s = graph.slice %a offsets = [3, 1] strides = [2, 1] : tensor<40x50xf32> to tensor<17x30xf32>
  %t = graph.slice %b offsets = [59, 2] strides = [-2, 1] : tensor<60x70xf32> to tensor<30x33xf32>
  %0 = graph.matmul %s, %t : tensor<17x30xf32>, tensor<30x33xf32> to tensor<17x33xf32>
  return %0 : tensor<17x33xf32>
}
