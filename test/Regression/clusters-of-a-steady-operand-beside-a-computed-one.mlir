// Blocks of a cluster beyond the last columns bring tiles that exist, by an index computed in front of each copy. Where a kernel
// before computes the other operand, copies of this one were moved in front of their index.
// RUN: tw-check %s --rtol=8e-3 --atol=1e-2 --quiet

func.func @main(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x96xbf16>) -> tensor<128x96xbf16> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [1, 2], pdl>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  %1 = arith.truncf %0 : tensor<128x64xf32> to tensor<128x64xbf16>
  %2 = graph.matmul %1, %c : tensor<128x64xbf16>, tensor<64x96xbf16> to tensor<128x96xf32>
  %3 = arith.truncf %2 : tensor<128x96xf32> to tensor<128x96xbf16>
  return %3 : tensor<128x96xbf16>
}
