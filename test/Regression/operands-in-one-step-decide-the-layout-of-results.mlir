// A product whose K is one step loads its right operand, transposed, in tiles of its result's shape. That load decided how the
// result lies, and it went to memory by way of three layouts: 1056x3360x32 took 7.4 us on an H200, and 4.9 since. The layouts are
// in test/Tile/products-in-one-step.mlir.
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-2 --quiet

func.func @one_step(%a: tensor<32x96xbf16>, %b: tensor<200x32xbf16>) -> tensor<96x200xbf16> attributes {
    check.schedule = #tile.schedule<tile = [32, 64], reduce = 32, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %ta = graph.transpose %a permutation = [1, 0] : tensor<32x96xbf16> to tensor<96x32xbf16>
  %tb = graph.transpose %b permutation = [1, 0] : tensor<200x32xbf16> to tensor<32x200xbf16>
  %0 = graph.matmul %ta, %tb : tensor<96x32xbf16>, tensor<32x200xbf16> to tensor<96x200xf32>
  %1 = arith.truncf %0 : tensor<96x200xf32> to tensor<96x200xbf16>
  return %1 : tensor<96x200xbf16>
}
