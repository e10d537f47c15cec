// Rows along two dimensions with another between them, more of which are at work than the L2 cache holds: they stay in
// shared memory between two passes (test/Tile/kept-slices.mlir).
// RUN: tw-check %s --target=sm_86 --rtol=1e-5 --quiet

func.func @main(%x: tensor<100x64x2x80xf32>) -> tensor<100x64x2x80xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 16, 1, 80], reduce = 1, warps = 4, warp_grid = [1, 4, 1, 1], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1, 3] : tensor<100x64x2x80xf32> to tensor<100x2xf32>
  %1 = graph.broadcast %0 dims = [0, 2] : tensor<100x2xf32> to tensor<100x64x2x80xf32>
  %2 = arith.subf %x, %1 : tensor<100x64x2x80xf32>
  return %2 : tensor<100x64x2x80xf32>
}
