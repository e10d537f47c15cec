// Operands that are converted in registers: the warps that multiply bring the left one from the ring as it lies in memory,
// split it or take it across its rows, and the instruction reads it from there. No other role touches it; with
// `swap_operands` it is the right one. The warps of each warpgroup wait for their own alone before a slot is given back.
// RUN: tw-check %s --rtol=1e-6 --atol=6e-6 --quiet

func.func @split(%a: tensor<128x160xf32>, %b: tensor<96x160xf32>) -> tensor<128x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk, left = registers>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x160xf32> to tensor<160x96xf32>
  %0 = graph.matmul %a, %t : tensor<128x160xf32>, tensor<160x96xf32> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @split_two_warpgroups(%a: tensor<128x160xf32>, %b: tensor<160x96xf32>) -> tensor<128x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [128, 32], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 168], persistent = 2, store = bulk, left = registers>} {
  %0 = graph.matmul %a, %b : tensor<128x160xf32>, tensor<160x96xf32> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @split_across_rows(%a: tensor<160x128xf32>, %b: tensor<160x96xf32>) -> tensor<128x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [24, 152], persistent = 2, store = bulk, left = registers>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<160x128xf32> to tensor<128x160xf32>
  %0 = graph.matmul %t, %b : tensor<128x160xf32>, tensor<160x96xf32> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
// Sums that go on from step to step: a step's products end in it.
func.func @across_rows(%a: tensor<160x128xf32>, %b: tensor<96x160xf32>) -> tensor<128x96xf32> attributes {check.precision = "tf32", check.rtol = 4.0e-3, check.atol = 2.0e-2,
    check.schedule = #tile.schedule<tile = [128, 32], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, left = registers>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<160x128xf32> to tensor<128x160xf32>
  %u = graph.transpose %b permutation = [1, 0] : tensor<96x160xf32> to tensor<160x96xf32>
  %0 = graph.matmul %t, %u : tensor<128x160xf32>, tensor<160x96xf32> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @swapped(%a: tensor<96x160xf32>, %b: tensor<160x128xf32>) -> tensor<96x128xf32> attributes {check.precision = "tf32", check.rtol = 4.0e-3, check.atol = 2.0e-2,
    check.schedule = #tile.schedule<tile = [128, 32], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, left = registers, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<96x160xf32>, tensor<160x128xf32> to tensor<96x128xf32>
  return %0 : tensor<96x128xf32>
}
// 16-bit operands, which a product can read either way: from registers all the same.
func.func @bf16(%a: tensor<128x160xbf16>, %b: tensor<160x96xbf16>) -> tensor<128x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, left = registers>} {
  %0 = graph.matmul %a, %b : tensor<128x160xbf16>, tensor<160x96xbf16> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
// Rows that no tensor map describes: threads fill the ring.
func.func @rows_of_words(%a: tensor<126x161xf32>, %b: tensor<95x161xf32>) -> tensor<126x95xf32> attributes {check.precision = "tf32", check.rtol = 4.0e-3, check.atol = 2.0e-2,
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, left = registers>} {
  %u = graph.transpose %b permutation = [1, 0] : tensor<95x161xf32> to tensor<161x95xf32>
  %0 = graph.matmul %a, %u : tensor<126x161xf32>, tensor<161x95xf32> to tensor<126x95xf32>
  return %0 : tensor<126x95xf32>
}
func.func @split_rows_of_words(%a: tensor<126x161xf32>, %b: tensor<161x95xf32>) -> tensor<126x95xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, left = registers>} {
  %0 = graph.matmul %a, %b : tensor<126x161xf32>, tensor<161x95xf32> to tensor<126x95xf32>
  return %0 : tensor<126x95xf32>
}
func.func @bytes(%a: tensor<128x128xi8>, %b: tensor<64x128xi8>) -> tensor<128x64xi32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, persistent = 2, left = registers>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x128xi8> to tensor<128x64xi8>
  %0 = graph.matmul %a, %t : tensor<128x128xi8>, tensor<128x64xi8> to tensor<128x64xi32>
  return %0 : tensor<128x64xi32>
}
