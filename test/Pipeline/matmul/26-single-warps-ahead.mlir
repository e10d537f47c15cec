// Twenty-sixth rung: single warps with rings that hold all of a short K: a warp a block and four of them, few columns and few
// rows, operands along K and across it, a K that ends within a step, one that needs more steps than the ring has, and one
// step alone.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @a_warp_of_few_columns(%a: tensor<200x464xbf16>, %b: tensor<464x16xbf16>) -> tensor<200x16xbf16>
    attributes {check.schedule = #tile.schedule<tile = [32, 16], reduce = 64, warps = 1, warp_grid = [1, 1], stages = 8>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<200x464xbf16>, tensor<464x16xbf16> to tensor<200x16xf32>
  %r = arith.truncf %0 : tensor<200x16xf32> to tensor<200x16xbf16>
  return %r : tensor<200x16xbf16>
}

func.func @across_k(%a: tensor<320x208xbf16>, %b: tensor<320x16xbf16>) -> tensor<208x16xbf16>
    attributes {check.schedule = #tile.schedule<tile = [32, 16], reduce = 64, warps = 2, warp_grid = [2, 1], stages = 6>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<320x208xbf16> to tensor<208x320xbf16>
  %0 = graph.matmul %at, %b : tensor<208x320xbf16>, tensor<320x16xbf16> to tensor<208x16xf32>
  %r = arith.truncf %0 : tensor<208x16xf32> to tensor<208x16xbf16>
  return %r : tensor<208x16xbf16>
}

func.func @few_rows(%a: tensor<16x352xbf16>, %b: tensor<152x352xbf16>) -> tensor<16x152xbf16>
    attributes {check.schedule = #tile.schedule<tile = [16, 32], reduce = 64, warps = 1, warp_grid = [1, 1], stages = 7>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<152x352xbf16> to tensor<352x152xbf16>
  %0 = graph.matmul %a, %bt : tensor<16x352xbf16>, tensor<352x152xbf16> to tensor<16x152xf32>
  %r = arith.truncf %0 : tensor<16x152xf32> to tensor<16x152xbf16>
  return %r : tensor<16x152xbf16>
}

func.func @four_warps_side_by_side(%a: tensor<232x16xbf16>, %b: tensor<200x232xbf16>) -> tensor<16x200xbf16>
    attributes {check.schedule = #tile.schedule<tile = [16, 64], reduce = 32, warps = 4, warp_grid = [1, 4], stages = 8>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<232x16xbf16> to tensor<16x232xbf16>
  %bt = graph.transpose %b permutation = [1, 0] : tensor<200x232xbf16> to tensor<232x200xbf16>
  %0 = graph.matmul %at, %bt : tensor<16x232xbf16>, tensor<232x200xbf16> to tensor<16x200xf32>
  %r = arith.truncf %0 : tensor<16x200xf32> to tensor<16x200xbf16>
  return %r : tensor<16x200xbf16>
}

func.func @more_steps_than_stages(%a: tensor<560x136xbf16>, %b: tensor<16x560xbf16>) -> tensor<136x16xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 8>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<560x136xbf16> to tensor<136x560xbf16>
  %bt = graph.transpose %b permutation = [1, 0] : tensor<16x560xbf16> to tensor<560x16xbf16>
  %0 = graph.matmul %at, %bt : tensor<136x560xbf16>, tensor<560x16xbf16> to tensor<136x16xf32>
  %g = graph.gelu tanh %0 : tensor<136x16xf32>
  %r = arith.truncf %g : tensor<136x16xf32> to tensor<136x16xbf16>
  return %r : tensor<136x16xbf16>
}

func.func @one_step(%a: tensor<136x16xbf16>, %b: tensor<200x16xbf16>) -> tensor<136x200xf32>
    attributes {check.schedule = #tile.schedule<tile = [32, 64], reduce = 16, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<200x16xbf16> to tensor<16x200xbf16>
  %0 = graph.matmul %a, %bt : tensor<136x16xbf16>, tensor<16x200xbf16> to tensor<136x200xf32>
  return %0 : tensor<136x200xf32>
}
