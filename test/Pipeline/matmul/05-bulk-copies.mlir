// Fifth rung: copy = bulk, the tensor memory accelerator fills the ring and zeroes what lies outside.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @even(%a: tensor<128x192xbf16>, %b: tensor<192x64xbf16>) -> tensor<128x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x192xbf16>, tensor<192x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

func.func @two_warpgroups(%a: tensor<128x320xbf16>, %b: tensor<320x32xbf16>) -> tensor<128x32xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x320xbf16>, tensor<320x32xbf16> to tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}

func.func @ragged(%a: tensor<70x136xbf16>, %b: tensor<136x40xbf16>) -> tensor<70x40xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk>} {
  %0 = graph.matmul %a, %b : tensor<70x136xbf16>, tensor<136x40xbf16> to tensor<70x40xf32>
  return %0 : tensor<70x40xf32>
}

func.func @fp16(%a: tensor<64x128xf16>, %b: tensor<128x64xf16>) -> tensor<64x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x128xf16>, tensor<128x64xf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

func.func @one_step(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
