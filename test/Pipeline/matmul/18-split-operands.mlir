// Products of fp32 as three of tf32: a role of warps splits each operand into two tf32 numbers, of which two products are
// below what fp32 holds of the third; sums go into fp32 registers after each step. As exact as a chain of fused multiply-adds,
// on any strides; where no warpgroup multiplies it is that chain.
// RUN: tw-check %s --rtol=1e-6 --atol=4e-6 --quiet

func.func @along_k(%a: tensor<128x160xf32>, %b: tensor<96x160xf32>) -> tensor<128x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x160xf32> to tensor<160x96xf32>
  %0 = graph.matmul %a, %t : tensor<128x160xf32>, tensor<160x96xf32> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @along_n(%a: tensor<64x64xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [24, 152], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x64xf32>, tensor<64x32xf32> to tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
func.func @single_warps(%a: tensor<65x67xf32>, %b: tensor<67x33xf32>) -> tensor<65x33xf32> attributes {check.precision = "tf32x3"} {
  %0 = graph.matmul %a, %b : tensor<65x67xf32>, tensor<67x33xf32> to tensor<65x33xf32>
  return %0 : tensor<65x33xf32>
}
