// Sixth rung: roles = cooperative, one warpgroup loads as far ahead as the ring reaches, two share each tile.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @even(%a: tensor<128x320xbf16>, %b: tensor<320x128xbf16>) -> tensor<128x128xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232]>} {
  %0 = graph.matmul %a, %b : tensor<128x320xbf16>, tensor<320x128xbf16> to tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

func.func @ragged(%a: tensor<150x200xbf16>, %b: tensor<200x40xbf16>) -> tensor<150x40xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232]>} {
  %0 = graph.matmul %a, %b : tensor<150x200xbf16>, tensor<200x40xbf16> to tensor<150x40xf32>
  return %0 : tensor<150x40xf32>
}

func.func @one_step(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232]>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

func.func @plain_copies(%a: tensor<130x101xbf16>, %b: tensor<101x43xbf16>) -> tensor<130x43xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 32], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = plain, roles = cooperative>} {
  %0 = graph.matmul %a, %b : tensor<130x101xbf16>, tensor<101x43xbf16> to tensor<130x43xf32>
  return %0 : tensor<130x43xf32>
}
