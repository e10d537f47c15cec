// A ring that leaves room for one buffer of each instance's results: such schedules are taken, and once were refused by a
// later stage, which made two (found by random schedules for sm_90a).
// RUN: tw-check %s --target=sm_90a --rtol=1e-4 --atol=1e-4
func.func @main(%a: tensor<320x20xbf16>, %b: tensor<20x136xbf16>) -> tensor<320x136xf32> attributes {check.schedule =
    #tile.schedule<tile = [128, 64], reduce = 128, warps = 8, warp_grid = [8, 1], stages = 4, product = wgmma, copy = cp_async, roles = pingpong, persistent = 1, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<320x20xbf16>, tensor<20x136xbf16> to tensor<320x136xf32>
  %1 = arith.addf %0, %0 : tensor<320x136xf32>
  return %1 : tensor<320x136xf32>
}

// Two buffers of the first result once left none for the second one.
func.func @of_each_result(%a: tensor<128x16xf16>, %b: tensor<16x72xf16>, %scale: tensor<72xf32>) -> (tensor<128x72xf32>, tensor<128x72xf32>) attributes {check.schedule =
    #tile.schedule<tile = [256, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 5, product = wgmma, persistent = 1, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x16xf16>, tensor<16x72xf16> to tensor<128x72xf32>
  %1 = arith.maximumf %0, %0 : tensor<128x72xf32>
  %2 = graph.broadcast %scale dims = [1] : tensor<72xf32> to tensor<128x72xf32>
  %3 = arith.mulf %2, %0 : tensor<128x72xf32>
  return %3, %1 : tensor<128x72xf32>, tensor<128x72xf32>
}
