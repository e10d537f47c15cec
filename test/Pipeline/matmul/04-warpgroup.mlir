// Fourth rung: product = wgmma on a ring that its own warps fill by loads and stores: operands of any strides.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @even(%a: tensor<128x192xbf16>, %b: tensor<192x64xbf16>) -> tensor<128x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = plain>} {
  %0 = graph.matmul %a, %b : tensor<128x192xbf16>, tensor<192x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

func.func @odd_strides(%a: tensor<70x101xbf16>, %b: tensor<101x43xbf16>) -> tensor<70x43xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<70x101xbf16>, tensor<101x43xbf16> to tensor<70x43xf32>
  return %0 : tensor<70x43xf32>
}

func.func @one_step(%a: tensor<64x40xbf16>, %b: tensor<40x32xbf16>) -> tensor<64x32xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = plain>} {
  %0 = graph.matmul %a, %b : tensor<64x40xbf16>, tensor<40x32xbf16> to tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
