// A ring that leaves room for one buffer of each instance's results: such schedules are taken, and once were refused by a
// later stage, which made two (found by random schedules for sm_90a).
// RUN: tw-check %s --target=sm_90a --rtol=1e-4 --atol=1e-4
func.func @main(%a: tensor<320x20xbf16>, %b: tensor<20x136xbf16>) -> tensor<320x136xf32> attributes {check.schedule =
    #tile.schedule<tile = [128, 64], reduce = 128, warps = 8, warp_grid = [8, 1], stages = 4, product = wgmma, copy = cp_async, roles = pingpong, persistent = 1, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<320x20xbf16>, tensor<20x136xbf16> to tensor<320x136xf32>
  %1 = arith.addf %0, %0 : tensor<320x136xf32>
  return %1 : tensor<320x136xf32>
}
