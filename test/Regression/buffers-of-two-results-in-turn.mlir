// Of two results that warpgroups store in turn through shared memory, the second one's buffers were counted as if the first one's
// were there once, not once for each of the two: the block had more shared memory than a multiprocessor has.
// RUN: tw-compile %s --start-from=tile --target=sm_90a --stop-after=schedule -o - | FileCheck %s

// CHECK: tile.kernel @k
// CHECK: tile.alloc {{.*}} : <2, f32, "{shape=[128,32],
// CHECK: tile.alloc {{.*}} : <4, f32, "{shape=[128,32],
graph.kernel anchor(matmul) @k(%x: tensor<16x192xbf16>, %w: tensor<192x96xbf16>) -> (tensor<16x96xf32>, tensor<16x96xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [128, 72], reduce = 128, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = pingpong, persistent = 132, store = bulk, pdl>} {
  %0 = graph.matmul %x, %w : tensor<16x192xbf16>, tensor<192x96xbf16> to tensor<16x96xf32>
  %1 = math.absf %0 : tensor<16x96xf32>
  graph.return %0, %1 : tensor<16x96xf32>, tensor<16x96xf32>
}
