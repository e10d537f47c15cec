// Fourteenth rung: swap_operands, few rows take the place of the instruction's columns, so that no row is empty.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @sixteen_rows(%a: tensor<16x192xbf16>, %b: tensor<96x192xbf16>) -> tensor<16x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], swap_operands>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x192xbf16> to tensor<192x96xbf16>
  %0 = graph.matmul %a, %t : tensor<16x192xbf16>, tensor<192x96xbf16> to tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}

// The operand that becomes the left one is contiguous along N.
func.func @five_rows(%a: tensor<5x200xbf16>, %b: tensor<200x136xbf16>, %v: tensor<136xf32>) -> tensor<5x136xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 8], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], swap_operands, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<5x200xbf16>, tensor<200x136xbf16> to tensor<5x136xf32>
  %w = graph.broadcast %v dims = [1] : tensor<136xf32> to tensor<5x136xf32>
  %s = arith.addf %0, %w : tensor<5x136xf32>
  %n = arith.truncf %s : tensor<5x136xf32> to tensor<5x136xbf16>
  return %n : tensor<5x136xbf16>
}

func.func @batched(%a: tensor<3x16x64xbf16>, %b: tensor<3x64x80xbf16>) -> tensor<3x16x80xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<3x16x64xbf16>, tensor<3x64x80xbf16> to tensor<3x16x80xf32>
  return %0 : tensor<3x16x80xf32>
}

func.func @single_warps(%a: tensor<16x96xbf16>, %b: tensor<96x64xbf16>) -> tensor<16x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [32, 16], reduce = 32, warps = 2, warp_grid = [2, 1], stages = 2, product = mma_sync, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<16x96xbf16>, tensor<96x64xbf16> to tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// Results of the transposed product go through shared memory, where a row of them is a column of the tile: pieces are stored
// as they lie in memory. One tile a block, in clusters; in turns, while the next one is multiplied; in two instances.
func.func @through_shared_memory(%a: tensor<200x136xbf16>, %b: tensor<136x296xbf16>, %v: tensor<296xf32>) -> tensor<200x296xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 72], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], cluster = [2, 2], store = bulk, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<200x136xbf16>, tensor<136x296xbf16> to tensor<200x296xf32>
  %w = graph.broadcast %v dims = [1] : tensor<296xf32> to tensor<200x296xf32>
  %s = arith.addf %0, %w : tensor<200x296xf32>
  %n = arith.truncf %s : tensor<200x296xf32> to tensor<200x296xbf16>
  return %n : tensor<200x296xbf16>
}

func.func @deferred(%a: tensor<200x264xbf16>, %b: tensor<264x296xbf16>) -> tensor<200x296xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 72], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 3, order = grouped<2>, store = bulk, defer_stores, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<200x264xbf16>, tensor<264x296xbf16> to tensor<200x296xf32>
  %n = arith.truncf %0 : tensor<200x296xf32> to tensor<200x296xbf16>
  return %n : tensor<200x296xbf16>
}

func.func @in_turns(%a: tensor<3x100x136xbf16>, %b: tensor<3x136x200xbf16>) -> tensor<3x100x200xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [1, 128, 48], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 4, order = grouped<2>, store = bulk, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<3x100x136xbf16>, tensor<3x136x200xbf16> to tensor<3x100x200xf32>
  %n = arith.truncf %0 : tensor<3x100x200xf32> to tensor<3x100x200xbf16>
  return %n : tensor<3x100x200xbf16>
}

func.func @wider_results(%a: tensor<100x136xbf16>, %b: tensor<136x200xbf16>) -> tensor<100x200xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 40], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<100x136xbf16>, tensor<136x200xbf16> to tensor<100x200xf32>
  return %0 : tensor<100x200xf32>
}
