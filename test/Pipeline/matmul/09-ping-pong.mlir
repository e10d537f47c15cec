// Ninth rung: roles = pingpong, two groups take tiles in turn: one multiplies while the other stores.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @direct(%a: tensor<320x320xbf16>, %b: tensor<320x64xbf16>) -> tensor<320x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2>} {
  %0 = graph.matmul %a, %b : tensor<320x320xbf16>, tensor<320x64xbf16> to tensor<320x64xf32>
  return %0 : tensor<320x64xf32>
}

func.func @even(%a: tensor<320x192xbf16>, %b: tensor<192x64xbf16>) -> tensor<320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<320x192xbf16>, tensor<192x64xbf16> to tensor<320x64xf32>
  %t = arith.truncf %0 : tensor<320x64xf32> to tensor<320x64xbf16>
  return %t : tensor<320x64xbf16>
}

func.func @two_row_groups(%a: tensor<500x200xbf16>, %b: tensor<200x72xbf16>) -> tensor<500x72xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<500x200xbf16>, tensor<200x72xbf16> to tensor<500x72xf32>
  %t = arith.truncf %0 : tensor<500x72xf32> to tensor<500x72xbf16>
  return %t : tensor<500x72xbf16>
}

func.func @one_tile(%a: tensor<64x192xbf16>, %b: tensor<192x64xbf16>) -> tensor<64x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<64x192xbf16>, tensor<192x64xbf16> to tensor<64x64xf32>
  %t = arith.truncf %0 : tensor<64x64xf32> to tensor<64x64xbf16>
  return %t : tensor<64x64xbf16>
}
