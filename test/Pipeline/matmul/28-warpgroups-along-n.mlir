// Twenty-eighth rung: warp_grid = [4, 2], warpgroups beside one another that take the columns of a tile 8 at a time in turn, so
// that a tile has any number of 64 rows, and tiles of more than 256 columns, by several instructions.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @three_times_64_rows(%a: tensor<200x136xbf16>, %b: tensor<112x136xbf16>) -> tensor<200x112xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [192, 48], reduce = 64, warps = 8, warp_grid = [4, 2], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<112x136xbf16> to tensor<136x112xbf16>
  %0 = graph.matmul %a, %t : tensor<200x136xbf16>, tensor<136x112xbf16> to tensor<200x112xf32>
  %1 = arith.truncf %0 : tensor<200x112xf32> to tensor<200x112xbf16>
  return %1 : tensor<200x112xbf16>
}

// In turns and clusters, of which each block brings a part of the columns.
func.func @in_turns(%a: tensor<400x200xbf16>, %b: tensor<176x200xbf16>, %r: tensor<400x176xbf16>) -> tensor<400x176xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 80], reduce = 64, warps = 8, warp_grid = [4, 2], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 4, order = grouped<4>, cluster = [2, 1], store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<176x200xbf16> to tensor<200x176xbf16>
  %0 = graph.matmul %a, %t : tensor<400x200xbf16>, tensor<200x176xbf16> to tensor<400x176xf32>
  %w = arith.extf %r : tensor<400x176xbf16> to tensor<400x176xf32>
  %s = arith.addf %0, %w : tensor<400x176xf32>
  %1 = arith.truncf %s : tensor<400x176xf32> to tensor<400x176xbf16>
  return %1 : tensor<400x176xbf16>
}

func.func @of_the_transposed_product(%a: tensor<176x200xbf16>, %b: tensor<200x400xbf16>, %v: tensor<400xf32>) -> tensor<176x400xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [192, 96], reduce = 64, warps = 8, warp_grid = [4, 2], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], cluster = [2, 2], store = bulk, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<176x200xbf16>, tensor<200x400xbf16> to tensor<176x400xf32>
  %w = graph.broadcast %v dims = [1] : tensor<400xf32> to tensor<176x400xf32>
  %s = arith.addf %0, %w : tensor<176x400xf32>
  %1 = arith.truncf %s : tensor<176x400xf32> to tensor<176x400xbf16>
  return %1 : tensor<176x400xbf16>
}

// Four warpgroups, two by two; results of 32 bits from registers.
func.func @two_by_two(%a: tensor<256x128xf16>, %b: tensor<96x128xf16>) -> tensor<256x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 16, warp_grid = [8, 2], stages = 2, product = wgmma, roles = cooperative, registers = [24, 112]>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x128xf16> to tensor<128x96xf16>
  %0 = graph.matmul %a, %t : tensor<256x128xf16>, tensor<128x96xf16> to tensor<256x96xf32>
  return %0 : tensor<256x96xf32>
}

func.func @more_than_256_columns(%a: tensor<100x136xbf16>, %b: tensor<600x136xbf16>) -> tensor<100x600xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 304], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<600x136xbf16> to tensor<136x600xbf16>
  %0 = graph.matmul %a, %t : tensor<100x136xbf16>, tensor<136x600xbf16> to tensor<100x600xf32>
  %1 = arith.truncf %0 : tensor<100x600xf32> to tensor<100x600xbf16>
  return %1 : tensor<100x600xbf16>
}
