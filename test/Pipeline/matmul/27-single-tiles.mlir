// Twenty-seventh rung: blocks of one tile whose columns are any groups of eight, in order and stored in bulk, with steps of 128
// of K, two warpgroups and one; and blocks that share a multiprocessor, whose registers are divided among two.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @few_columns(%a: tensor<200x464xbf16>, %b: tensor<16x464xbf16>) -> tensor<200x16xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<16x464xbf16> to tensor<464x16xbf16>
  %0 = graph.matmul %a, %bt : tensor<200x464xbf16>, tensor<464x16xbf16> to tensor<200x16xf32>
  %r = arith.truncf %0 : tensor<200x16xf32> to tensor<200x16xbf16>
  return %r : tensor<200x16xbf16>
}

func.func @eight_columns(%a: tensor<264x136xbf16>, %b: tensor<24x264xbf16>) -> tensor<136x24xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 24], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<8>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<264x136xbf16> to tensor<136x264xbf16>
  %bt = graph.transpose %b permutation = [1, 0] : tensor<24x264xbf16> to tensor<264x24xbf16>
  %0 = graph.matmul %at, %bt : tensor<136x264xbf16>, tensor<264x24xbf16> to tensor<136x24xf32>
  %r = arith.truncf %0 : tensor<136x24xf32> to tensor<136x24xbf16>
  return %r : tensor<136x24xbf16>
}

func.func @two_warpgroups(%a: tensor<256x192xbf16>, %b: tensor<216x192xbf16>) -> tensor<256x216xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 104], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<8>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<216x192xbf16> to tensor<192x216xbf16>
  %0 = graph.matmul %a, %bt : tensor<256x192xbf16>, tensor<192x216xbf16> to tensor<256x216xf32>
  %g = graph.gelu tanh %0 : tensor<256x216xf32>
  %r = arith.truncf %g : tensor<256x216xf32> to tensor<256x216xbf16>
  return %r : tensor<256x216xbf16>
}

func.func @across_k(%a: tensor<256x192xbf16>, %b: tensor<256x128xbf16>) -> tensor<192x128xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<8>, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<256x192xbf16> to tensor<192x256xbf16>
  %0 = graph.matmul %at, %b : tensor<192x256xbf16>, tensor<256x128xbf16> to tensor<192x128xf32>
  %r = arith.truncf %0 : tensor<192x128xf32> to tensor<192x128xbf16>
  return %r : tensor<192x128xbf16>
}

func.func @sharing_parts(%a: tensor<128x512xbf16>, %b: tensor<64x512xbf16>) -> tensor<128x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, registers = [40, 216], split_k = 2>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %bt = graph.transpose %b permutation = [1, 0] : tensor<64x512xbf16> to tensor<512x64xbf16>
  %0 = graph.matmul %a, %bt : tensor<128x512xbf16>, tensor<512x64xbf16> to tensor<128x64xf32>
  %r = arith.truncf %0 : tensor<128x64xf32> to tensor<128x64xbf16>
  return %r : tensor<128x64xbf16>
}

func.func @sharing_rows(%a: tensor<512x16xbf16>, %b: tensor<512x192xbf16>) -> tensor<16x192xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 216], split_k = 4, swap_operands>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %at = graph.transpose %a permutation = [1, 0] : tensor<512x16xbf16> to tensor<16x512xbf16>
  %0 = graph.matmul %at, %b : tensor<16x512xbf16>, tensor<512x192xbf16> to tensor<16x192xf32>
  %r = arith.truncf %0 : tensor<16x192xf32> to tensor<16x192xbf16>
  return %r : tensor<16x192xbf16>
}
