// Fifteenth rung: split_k = 4, the blocks of a cluster have a part of K each and add up through one another's shared
// memory.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @few_rows(%a: tensor<16x512xbf16>, %b: tensor<96x512xbf16>) -> tensor<16x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 4, swap_operands>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x512xbf16> to tensor<512x96xbf16>
  %0 = graph.matmul %a, %t : tensor<16x512xbf16>, tensor<512x96xbf16> to tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}

// Parts that share the steps of K unequally; what follows the product is done with the sum.
func.func @unequal_parts(%a: tensor<100x328xbf16>, %b: tensor<328x72xbf16>, %v: tensor<72xf32>) -> tensor<100x72xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 4, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<100x328xbf16>, tensor<328x72xbf16> to tensor<100x72xf32>
  %w = graph.broadcast %v dims = [1] : tensor<72xf32> to tensor<100x72xf32>
  %s = arith.addf %0, %w : tensor<100x72xf32>
  %z = arith.constant dense<0.0> : tensor<100x72xf32>
  %p = arith.maximumf %s, %z : tensor<100x72xf32>
  %n = arith.truncf %p : tensor<100x72xf32> to tensor<100x72xbf16>
  return %n : tensor<100x72xbf16>
}

func.func @one_step_a_part(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

func.func @without_roles(%a: tensor<64x512xbf16>, %b: tensor<512x48xbf16>) -> tensor<64x48xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 48], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, rotate_k, split_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<64x512xbf16>, tensor<512x48xbf16> to tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

func.func @batched(%a: tensor<3x16x256xbf16>, %b: tensor<3x256x80xbf16>) -> tensor<3x16x80xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 2, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<3x16x256xbf16>, tensor<3x256x80xbf16> to tensor<3x16x80xf32>
  return %0 : tensor<3x16x80xf32>
}

// A column tile of which a part is outside: 20 columns in tiles of 16.
func.func @ragged_columns(%a: tensor<20x256xbf16>, %b: tensor<72x256xbf16>) -> tensor<20x72xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 4, swap_operands>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<72x256xbf16> to tensor<256x72xbf16>
  %0 = graph.matmul %a, %t : tensor<20x256xbf16>, tensor<256x72xbf16> to tensor<20x72xf32>
  return %0 : tensor<20x72xf32>
}
