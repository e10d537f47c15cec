// Twenty-fifth rung: defer_stores, a tile's results wait in registers, rounded, until the next tile's products run.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

// Six tiles of four blocks: two of them have one, whose pieces are stored behind the loop.
func.func @several_pieces(%a: tensor<256x256xbf16>, %b: tensor<256x320xbf16>) -> tensor<256x320xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 4, store = bulk, defer_stores>, check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x320xbf16> to tensor<256x320xf32>
  %t = arith.truncf %0 : tensor<256x320xf32> to tensor<256x320xbf16>
  return %t : tensor<256x320xbf16>
}

// An epilogue: what is kept are its results. Launched early, with an order of its own.
func.func @epilogue(%a: tensor<512x192xbf16>, %b: tensor<192x128xbf16>, %v: tensor<128xbf16>) -> tensor<512x128xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 3, order = grouped<2>, store = bulk, defer_stores, pdl>, check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %0 = graph.matmul %a, %b : tensor<512x192xbf16>, tensor<192x128xbf16> to tensor<512x128xf32>
  %w = graph.broadcast %v dims = [1] : tensor<128xbf16> to tensor<512x128xbf16>
  %e = arith.extf %w : tensor<512x128xbf16> to tensor<512x128xf32>
  %s = arith.addf %0, %e : tensor<512x128xf32>
  %t = arith.truncf %s : tensor<512x128xf32> to tensor<512x128xbf16>
  return %t : tensor<512x128xbf16>
}

// A residual comes through a ring, whose slots are given back before its pieces are stored.
func.func @residual(%a: tensor<384x192xbf16>, %b: tensor<192x128xbf16>, %r: tensor<384x128xbf16>) -> tensor<384x128xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, defer_stores>, check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %0 = graph.matmul %a, %b : tensor<384x192xbf16>, tensor<192x128xbf16> to tensor<384x128xf32>
  %e = arith.extf %r : tensor<384x128xbf16> to tensor<384x128xf32>
  %s = arith.addf %0, %e : tensor<384x128xf32>
  %t = arith.truncf %s : tensor<384x128xf32> to tensor<384x128xbf16>
  return %t : tensor<384x128xbf16>
}

// Two tiles a block, of two blocks that share the right operand.
func.func @clusters(%a: tensor<512x192xbf16>, %b: tensor<64x192xbf16>) -> tensor<512x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 4, cluster = [2, 1], store = bulk, defer_stores>, check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<64x192xbf16> to tensor<192x64xbf16>
  %0 = graph.matmul %a, %bt : tensor<512x192xbf16>, tensor<192x64xbf16> to tensor<512x64xf32>
  %t = arith.truncf %0 : tensor<512x64xf32> to tensor<512x64xbf16>
  return %t : tensor<512x64xbf16>
}
