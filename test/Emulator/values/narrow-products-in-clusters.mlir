// Values of narrow products whose right operand lies across K, in clusters of blocks that bring a part of it each: 80 columns of a
// tile of 96, the last rows of tiles empty, and a row of tiles more than whole clusters have.
// RUN: tw-check %s --target=sm_90a

func.func @four(%a: tensor<500x136xbf16>, %b: tensor<136x80xbf16>) -> tensor<500x80xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 96], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<16>, cluster = [4, 1], store = bulk, pdl>} {
  %0 = graph.matmul %a, %b : tensor<500x136xbf16>, tensor<136x80xbf16> to tensor<500x80xf32>
  %1 = arith.truncf %0 : tensor<500x80xf32> to tensor<500x80xbf16>
  return %1 : tensor<500x80xbf16>
}

func.func @rows_across(%a: tensor<136x328xbf16>, %b: tensor<136x80xbf16>) -> tensor<328x80xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<8>, cluster = [4, 1], store = bulk, pdl>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<136x328xbf16> to tensor<328x136xbf16>
  %0 = graph.matmul %t, %b : tensor<328x136xbf16>, tensor<136x80xbf16> to tensor<328x80xf32>
  %1 = arith.truncf %0 : tensor<328x80xf32> to tensor<328x80xbf16>
  return %1 : tensor<328x80xbf16>
}
