// Twenty-fifth rung: tiles whose columns no wide piece divides are stored in wide pieces all the same, the last of which
// begins earlier: tiles of 112, 72 and 200 columns, two warpgroups of a tile and two instances, results of 32 bits, results
// that end within a piece, and a tensor that the result is combined with.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @two_warpgroups(%a: tensor<256x128xbf16>, %b: tensor<224x128xbf16>) -> tensor<256x224xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 112], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<224x128xbf16> to tensor<128x224xbf16>
  %0 = graph.matmul %a, %t : tensor<256x128xbf16>, tensor<128x224xbf16> to tensor<256x224xf32>
  %r = arith.truncf %0 : tensor<256x224xf32> to tensor<256x224xbf16>
  return %r : tensor<256x224xbf16>
}

func.func @in_turn(%a: tensor<200x128xbf16>, %b: tensor<136x128xbf16>) -> tensor<200x136xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 72], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<136x128xbf16> to tensor<128x136xbf16>
  %0 = graph.matmul %a, %t : tensor<200x128xbf16>, tensor<128x136xbf16> to tensor<200x136xf32>
  %r = arith.truncf %0 : tensor<200x136xf32> to tensor<200x136xbf16>
  return %r : tensor<200x136xbf16>
}

func.func @wide_results(%a: tensor<128x128xbf16>, %b: tensor<200x128xbf16>) -> tensor<128x200xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 200], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 1, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<200x128xbf16> to tensor<128x200xbf16>
  %0 = graph.matmul %a, %t : tensor<128x128xbf16>, tensor<128x200xbf16> to tensor<128x200xf32>
  return %0 : tensor<128x200xf32>
}

func.func @residual(%a: tensor<256x128xbf16>, %b: tensor<224x128xbf16>, %c: tensor<256x224xbf16>) -> tensor<256x224xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 112], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<224x128xbf16> to tensor<128x224xbf16>
  %0 = graph.matmul %a, %t : tensor<256x128xbf16>, tensor<128x224xbf16> to tensor<256x224xf32>
  %w = arith.extf %c : tensor<256x224xbf16> to tensor<256x224xf32>
  %s = arith.addf %0, %w : tensor<256x224xf32>
  %r = arith.truncf %s : tensor<256x224xf32> to tensor<256x224xbf16>
  return %r : tensor<256x224xbf16>
}
