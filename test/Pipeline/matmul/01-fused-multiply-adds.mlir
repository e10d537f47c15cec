// First rung: products of bf16 as fused multiply-adds on slices of one buffer, whatever else the chip could do.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @even(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 1, product = fma>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

func.func @ragged(%a: tensor<50x70xbf16>, %b: tensor<70x40xbf16>) -> tensor<50x40xf32>
    attributes {check.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 1, product = fma>} {
  %0 = graph.matmul %a, %b : tensor<50x70xbf16>, tensor<70x40xbf16> to tensor<50x40xf32>
  return %0 : tensor<50x40xf32>
}
