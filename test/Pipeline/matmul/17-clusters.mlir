// Seventeenth rung: cluster = [2, 1], two blocks whose tiles lie below one another bring half of each tile of the right
// operand to both; cluster = [1, 2], beside one another, of the left one; cluster = [2, 2] of both operands.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @below(%a: tensor<256x256xbf16>, %b: tensor<64x256xbf16>) -> tensor<256x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [2, 1]>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x256xbf16> to tensor<256x64xbf16>
  %0 = graph.matmul %a, %t : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

// A row of tiles more than whole clusters have; N is contiguous, so that a part is a span of columns.
func.func @ragged(%a: tensor<300x136xbf16>, %b: tensor<136x200xbf16>) -> tensor<300x200xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 4, order = grouped<2>, cluster = [2, 1], store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<300x136xbf16>, tensor<136x200xbf16> to tensor<300x200xf32>
  %t = arith.truncf %0 : tensor<300x200xf32> to tensor<300x200xbf16>
  return %t : tensor<300x200xbf16>
}

func.func @beside(%a: tensor<256x192xbf16>, %b: tensor<192x160xbf16>) -> tensor<256x160xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 4, cluster = [1, 2], store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<256x192xbf16>, tensor<192x160xbf16> to tensor<256x160xf32>
  %t = arith.truncf %0 : tensor<256x160xf32> to tensor<256x160xbf16>
  return %t : tensor<256x160xbf16>
}

// Four blocks, and K in steps of two spans.
func.func @four(%a: tensor<256x256xbf16>, %b: tensor<64x256xbf16>) -> tensor<256x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [4, 1]>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x256xbf16> to tensor<256x64xbf16>
  %0 = graph.matmul %a, %t : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

// Nine groups of 8 columns among two blocks and among four: the last part begins earlier. 128 rows in
// clusters of eight.
func.func @uneven(%a: tensor<256x200xbf16>, %b: tensor<144x200xbf16>) -> tensor<256x144xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 72], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [2, 2]>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<144x200xbf16> to tensor<200x144xbf16>
  %0 = graph.matmul %a, %t : tensor<256x200xbf16>, tensor<200x144xbf16> to tensor<256x144xf32>
  return %0 : tensor<256x144xf32>
}

func.func @uneven_eight(%a: tensor<500x200xbf16>, %b: tensor<136x200xbf16>) -> tensor<500x136xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 72], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [4, 2], store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<136x200xbf16> to tensor<200x136xbf16>
  %0 = graph.matmul %a, %t : tensor<500x200xbf16>, tensor<200x136xbf16> to tensor<500x136xf32>
  %1 = arith.truncf %0 : tensor<500x136xf32> to tensor<500x136xbf16>
  return %1 : tensor<500x136xbf16>
}

func.func @early(%a: tensor<128x192xbf16>, %b: tensor<192x192xbf16>) -> tensor<128x192xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [2, 1], pdl>} {
  %0 = graph.matmul %a, %b : tensor<128x192xbf16>, tensor<192x192xbf16> to tensor<128x192xf32>
  %1 = arith.truncf %0 : tensor<128x192xf32> to tensor<128x192xbf16>
  %2 = graph.matmul %1, %b : tensor<128x192xbf16>, tensor<192x192xbf16> to tensor<128x192xf32>
  %3 = arith.truncf %2 : tensor<128x192xf32> to tensor<128x192xbf16>
  return %3 : tensor<128x192xbf16>
}

// Both operands are shared, and either dimension has a tile less than whole clusters.
func.func @both(%a: tensor<300x328xbf16>, %b: tensor<152x328xbf16>) -> tensor<300x152xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [2, 2]>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<152x328xbf16> to tensor<328x152xbf16>
  %0 = graph.matmul %a, %t : tensor<300x328xbf16>, tensor<328x152xbf16> to tensor<300x152xf32>
  return %0 : tensor<300x152xf32>
}

// Operands that lie across K, of several batches and tiles a block.
func.func @eight(%a: tensor<2x136x320xbf16>, %b: tensor<2x136x200xbf16>) -> tensor<2x320x200xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 8, order = grouped<4>, cluster = [2, 4], store = bulk>} {
  %t = graph.transpose %a permutation = [0, 2, 1] : tensor<2x136x320xbf16> to tensor<2x320x136xbf16>
  %0 = graph.matmul %t, %b : tensor<2x320x136xbf16>, tensor<2x136x200xbf16> to tensor<2x320x200xf32>
  %r = arith.truncf %0 : tensor<2x320x200xf32> to tensor<2x320x200xbf16>
  return %r : tensor<2x320x200xbf16>
}
