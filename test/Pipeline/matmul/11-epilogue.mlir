// Eleventh rung: bias and activation on the accumulators, in registers, while the other group multiplies.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @bias_gelu(%a: tensor<320x136xbf16>, %b: tensor<136x72xbf16>, %v: tensor<72xf32>) -> tensor<320x72xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<320x136xbf16>, tensor<136x72xbf16> to tensor<320x72xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<72xf32> to tensor<320x72xf32>
  %2 = arith.addf %0, %1 : tensor<320x72xf32>
  %3 = graph.gelu tanh %2 : tensor<320x72xf32>
  %t = arith.truncf %3 : tensor<320x72xf32> to tensor<320x72xbf16>
  return %t : tensor<320x72xbf16>
}

func.func @cooperative(%a: tensor<256x136xbf16>, %b: tensor<136x72xbf16>, %v: tensor<72xf32>) -> tensor<256x72xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<256x136xbf16>, tensor<136x72xbf16> to tensor<256x72xf32>
  %1 = graph.broadcast %v dims = [1] : tensor<72xf32> to tensor<256x72xf32>
  %2 = arith.addf %0, %1 : tensor<256x72xf32>
  %3 = graph.gelu tanh %2 : tensor<256x72xf32>
  %t = arith.truncf %3 : tensor<256x72xf32> to tensor<256x72xbf16>
  return %t : tensor<256x72xbf16>
}
