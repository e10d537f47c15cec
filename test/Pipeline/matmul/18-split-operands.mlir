// Products of fp32 as three of tf32: a role of warps splits each operand into two tf32 numbers, of which two products are
// below what fp32 holds of the third; sums go into fp32 registers after each step. As exact as a chain of fused multiply-adds,
// on any strides; where no warpgroup multiplies it is that chain.
// RUN: tw-check %s --rtol=1e-6 --atol=4e-6 --quiet

func.func @along_k(%a: tensor<128x160xf32>, %b: tensor<96x160xf32>) -> tensor<128x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 152], persistent = 2, store = bulk>} {
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
// Infinite operands, those that tf32 has no number for, and products that overflow: what IEEE arithmetic says.
func.func @infinite(%x: tensor<128x160xf32>, %y: tensor<96x160xf32>) -> tensor<128x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 152], persistent = 2, store = bulk>} {
  %limit = arith.constant dense<3.2> : tensor<128x160xf32>
  %infinity = arith.constant dense<0x7F800000> : tensor<128x160xf32>
  %above = arith.cmpf ogt, %x, %limit : tensor<128x160xf32>
  %a = arith.select %above, %infinity, %x : tensor<128x160xi1>, tensor<128x160xf32>
  %low = arith.constant dense<-3.2> : tensor<96x160xf32>
  %negative = arith.constant dense<0xFF800000> : tensor<96x160xf32>
  %one = arith.constant dense<1.0> : tensor<96x160xf32>
  %below = arith.cmpf olt, %y, %low : tensor<96x160xf32>
  %b = arith.select %below, %negative, %one : tensor<96x160xi1>, tensor<96x160xf32>
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x160xf32> to tensor<160x96xf32>
  %0 = graph.matmul %a, %t : tensor<128x160xf32>, tensor<160x96xf32> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @overflow(%a: tensor<64x64xf32> {check.data = "random:200000000000000000000:300000000000000000000"}, %b: tensor<64x32xf32> {check.data = "random:-300000000000000000000:-200000000000000000000"}) -> tensor<64x32xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [24, 152], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x64xf32>, tensor<64x32xf32> to tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
func.func @largest(%x: tensor<64x32xf32>, %b: tensor<32x32xf32> {check.data = "random:0.0001:0.0002"}) -> tensor<64x32xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [24, 152], persistent = 2, store = bulk>} {
  %most = arith.constant dense<0x7F7FFFFF> : tensor<64x32xf32>
  %nothing = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.mulf %x, %nothing : tensor<64x32xf32>
  %a = arith.addf %zero, %most : tensor<64x32xf32>
  %0 = graph.matmul %a, %b : tensor<64x32xf32>, tensor<32x32xf32> to tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
// Single ones reach the results that they are in and no others.
func.func @infinities(%a: tensor<128x64xf32>, %b: tensor<96x64xf32>, %p: tensor<128x64xi32> {check.data = "iota"}, %q: tensor<96x64xi32> {check.data = "iota"}) -> tensor<128x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk>} {
  %inf = arith.constant dense<0x7F800000> : tensor<128x64xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<128x64xf32>
  %at = arith.constant dense<133> : tensor<128x64xi32>
  %there = arith.constant dense<4500> : tensor<128x64xi32>
  %i = arith.cmpi eq, %p, %at : tensor<128x64xi32>
  %n = arith.cmpi eq, %p, %there : tensor<128x64xi32>
  %x = arith.select %i, %inf, %a : tensor<128x64xi1>, tensor<128x64xf32>
  %y = arith.select %n, %nan, %x : tensor<128x64xi1>, tensor<128x64xf32>
  %low = arith.constant dense<0xFF800000> : tensor<96x64xf32>
  %place = arith.constant dense<650> : tensor<96x64xi32>
  %j = arith.cmpi eq, %q, %place : tensor<96x64xi32>
  %z = arith.select %j, %low, %b : tensor<96x64xi1>, tensor<96x64xf32>
  %t = graph.transpose %z permutation = [1, 0] : tensor<96x64xf32> to tensor<64x96xf32>
  %0 = graph.matmul %y, %t : tensor<128x64xf32>, tensor<64x96xf32> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
