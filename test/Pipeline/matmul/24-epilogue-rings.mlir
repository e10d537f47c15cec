// A residual comes through a ring of its own: pieces by the loading role while products run, read where results are
// stored. Warpgroups that share a tile store their rows apart, instances that take turns have slots of their own, and
// what no tensor map describes stays a load of threads.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @cooperative(%a: tensor<320x136xbf16>, %b: tensor<136x200xbf16>, %r: tensor<320x200xbf16>) -> tensor<320x200xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 128], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<320x136xbf16>, tensor<136x200xbf16> to tensor<320x200xf32>
  %1 = arith.extf %r : tensor<320x200xbf16> to tensor<320x200xf32>
  %2 = arith.addf %0, %1 : tensor<320x200xf32>
  %t = arith.truncf %2 : tensor<320x200xf32> to tensor<320x200xbf16>
  return %t : tensor<320x200xbf16>
}

func.func @scaled(%a: tensor<256x136xbf16>, %b: tensor<136x256xbf16>, %r: tensor<256x256xf32>, %v: tensor<256xf32>) -> tensor<256x256xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 128], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 2.0e-3, check.atol = 2.0e-3} {
  %0 = graph.matmul %a, %b : tensor<256x136xbf16>, tensor<136x256xbf16> to tensor<256x256xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<256xf32> to tensor<256x256xf32>
  %2 = arith.addf %0, %1 : tensor<256x256xf32>
  %3 = arith.mulf %2, %r : tensor<256x256xf32>
  %4 = arith.addf %3, %2 : tensor<256x256xf32>
  return %4 : tensor<256x256xf32>
}

func.func @ping_pong(%a: tensor<320x136xbf16>, %b: tensor<136x200xbf16>, %r: tensor<320x200xbf16>) -> tensor<320x200xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<320x136xbf16>, tensor<136x200xbf16> to tensor<320x200xf32>
  %1 = arith.extf %r : tensor<320x200xbf16> to tensor<320x200xf32>
  %2 = arith.addf %0, %1 : tensor<320x200xf32>
  %t = arith.truncf %2 : tensor<320x200xf32> to tensor<320x200xbf16>
  return %t : tensor<320x200xbf16>
}

func.func @odd_rows(%a: tensor<128x136xbf16>, %b: tensor<136x72xbf16>, %r: tensor<72x128xbf16>) -> tensor<128x72xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<128x136xbf16>, tensor<136x72xbf16> to tensor<128x72xf32>
  %r0 = graph.transpose %r permutation = [1, 0] : tensor<72x128xbf16> to tensor<128x72xbf16>
  %1 = arith.extf %r0 : tensor<128x72xbf16> to tensor<128x72xf32>
  %2 = arith.addf %0, %1 : tensor<128x72xf32>
  %t = arith.truncf %2 : tensor<128x72xf32> to tensor<128x72xbf16>
  return %t : tensor<128x72xbf16>
}

// More pieces for two instances than a ring has slots: threads load.
func.func @many_pieces(%a: tensor<128x136xbf16>, %b: tensor<136x160xbf16>, %r: tensor<128x160xbf16>) -> tensor<128x160xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 80], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<128x136xbf16>, tensor<136x160xbf16> to tensor<128x160xf32>
  %1 = arith.extf %r : tensor<128x160xbf16> to tensor<128x160xf32>
  %2 = arith.addf %0, %1 : tensor<128x160xf32>
  %t = arith.truncf %2 : tensor<128x160xf32> to tensor<128x160xbf16>
  return %t : tensor<128x160xbf16>
}
