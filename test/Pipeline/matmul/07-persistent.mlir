// Seventh rung: persistent = 2, two blocks take the tiles in turn; slots are counted through all tiles of a block.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @even(%a: tensor<256x320xbf16>, %b: tensor<320x64xbf16>) -> tensor<256x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2>} {
  %0 = graph.matmul %a, %b : tensor<256x320xbf16>, tensor<320x64xbf16> to tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

func.func @more_steps_than_stages(%a: tensor<300x200xbf16>, %b: tensor<200x72xbf16>) -> tensor<300x72xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2>} {
  %0 = graph.matmul %a, %b : tensor<300x200xbf16>, tensor<200x72xbf16> to tensor<300x72xf32>
  return %0 : tensor<300x72xf32>
}
