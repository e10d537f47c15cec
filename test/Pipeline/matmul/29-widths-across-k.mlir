// Twenty-ninth rung: tiles of any number of columns where the right operand lies across K. Its columns come in whole lines of 128
// bytes, with those that lie beside the tile, and products read as many of the last line as the tile has.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

// Both operands across K; tiles begin within lines.
func.func @one_tile_a_block(%a: tensor<136x200xbf16>, %b: tensor<136x296xbf16>) -> tensor<200x296xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 112], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<136x200xbf16> to tensor<200x136xbf16>
  %0 = graph.matmul %t, %b : tensor<200x136xbf16>, tensor<136x296xbf16> to tensor<200x296xf32>
  %1 = arith.truncf %0 : tensor<200x296xf32> to tensor<200x296xbf16>
  return %1 : tensor<200x296xbf16>
}

// In turns and clusters, of which each block brings some of the lines, or steps of K.
func.func @in_turns(%a: tensor<400x200xf16>, %b: tensor<200x424xf16>) -> tensor<400x424xf16> attributes {check.rtol = 2.0e-3, check.atol = 2.0e-3,
    check.schedule = #tile.schedule<tile = [128, 144], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 4, order = grouped<4>, cluster = [2, 1], store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<400x200xf16>, tensor<200x424xf16> to tensor<400x424xf32>
  %1 = arith.truncf %0 : tensor<400x424xf32> to tensor<400x424xf16>
  return %1 : tensor<400x424xf16>
}

func.func @cluster_of_four(%a: tensor<136x520xbf16>, %b: tensor<136x424xbf16>) -> tensor<520x424xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 208], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<16>, cluster = [4, 1], store = bulk>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<136x520xbf16> to tensor<520x136xbf16>
  %0 = graph.matmul %t, %b : tensor<520x136xbf16>, tensor<136x424xbf16> to tensor<520x424xf32>
  %1 = arith.truncf %0 : tensor<520x424xf32> to tensor<520x424xbf16>
  return %1 : tensor<520x424xbf16>
}

// Of seven tiles beside one another a cluster has two: the last one's second block brings the last tile once more, of 144 columns though
// its slot has 192.
func.func @beside_one_another(%a: tensor<136x264xbf16>, %b: tensor<136x904xbf16>) -> tensor<264x904xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 144], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<8>, cluster = [2, 2], store = bulk>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<136x264xbf16> to tensor<264x136xbf16>
  %0 = graph.matmul %t, %b : tensor<264x136xbf16>, tensor<136x904xbf16> to tensor<264x904xf32>
  %1 = arith.truncf %0 : tensor<264x904xf32> to tensor<264x904xbf16>
  return %1 : tensor<264x904xbf16>
}

// More than one instruction takes, the first one's columns whole lines.
func.func @more_than_256_columns(%a: tensor<100x136xbf16>, %b: tensor<136x600xbf16>) -> tensor<100x600xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 304], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<100x136xbf16>, tensor<136x600xbf16> to tensor<100x600xf32>
  %1 = arith.truncf %0 : tensor<100x600xf32> to tensor<100x600xbf16>
  return %1 : tensor<100x600xbf16>
}

// Parts of K and the transposed product, whose right operand is the left one.
func.func @parts_of_the_transposed_product(%a: tensor<520x168xbf16>, %b: tensor<72x520xbf16>) -> tensor<168x72xbf16> attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2,
    check.schedule = #tile.schedule<tile = [64, 112], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 2, swap_operands>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<520x168xbf16> to tensor<168x520xbf16>
  %u = graph.transpose %b permutation = [1, 0] : tensor<72x520xbf16> to tensor<520x72xbf16>
  %0 = graph.matmul %t, %u : tensor<168x520xbf16>, tensor<520x72xbf16> to tensor<168x72xf32>
  %1 = arith.truncf %0 : tensor<168x72xf32> to tensor<168x72xbf16>
  return %1 : tensor<168x72xbf16>
}
