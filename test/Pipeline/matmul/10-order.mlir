// Tenth rung: order = grouped<2>, tiles two rows at a time, column by column; the last group may be narrower.
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
