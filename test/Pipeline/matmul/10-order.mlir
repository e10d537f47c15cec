// Tenth rung: order = grouped<2>, tiles two rows at a time, column by column; the last group may be narrower. Then tiles
// along a Hilbert curve, and by a list.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @even(%a: tensor<256x128xbf16>, %b: tensor<128x96xbf16>) -> tensor<256x96xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x96xbf16> to tensor<256x96xf32>
  %t = arith.truncf %0 : tensor<256x96xf32> to tensor<256x96xbf16>
  return %t : tensor<256x96xbf16>
}

func.func @narrow_last_group(%a: tensor<300x128xbf16>, %b: tensor<128x80xbf16>) -> tensor<300x80xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<300x128xbf16>, tensor<128x80xbf16> to tensor<300x80xf32>
  %t = arith.truncf %0 : tensor<300x80xf32> to tensor<300x80xbf16>
  return %t : tensor<300x80xbf16>
}

// order = hilbert: 5x3 tiles along a curve, two matrices of them.
func.func @along_a_curve(%a: tensor<2x300x128xbf16>, %b: tensor<2x128x80xbf16>) -> tensor<2x300x80xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 4, order = hilbert, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<2x300x128xbf16>, tensor<2x128x80xbf16> to tensor<2x300x80xf32>
  %t = arith.truncf %0 : tensor<2x300x80xf32> to tensor<2x300x80xbf16>
  return %t : tensor<2x300x80xbf16>
}

// order = list<…>: a list by hand, of tiles or of clusters' tiles.
func.func @by_a_list(%a: tensor<128x128xbf16>, %b: tensor<128x96xbf16>) -> tensor<128x96xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, order = list<[5, 0, 3, 7, 1, 4, 2, 6]>, swap_operands>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<128x128xbf16>, tensor<128x96xbf16> to tensor<128x96xf32>
  %t = arith.truncf %0 : tensor<128x96xf32> to tensor<128x96xbf16>
  return %t : tensor<128x96xbf16>
}

func.func @clusters_by_a_list(%a: tensor<256x128xbf16>, %b: tensor<128x96xbf16>) -> tensor<256x96xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 4, order = list<[5, 0, 3, 1, 4, 2]>, cluster = [2, 1], store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x96xbf16> to tensor<256x96xf32>
  %t = arith.truncf %0 : tensor<256x96xf32> to tensor<256x96xbf16>
  return %t : tensor<256x96xbf16>
}
