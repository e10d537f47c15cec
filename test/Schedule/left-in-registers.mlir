// tile-async-products with `left = registers`: the warps that multiply read the left operand from the ring, put registers that
// lanes read in another order to spare banks in order again, compute what the products take, and end their products before
// they release the slot, each warpgroup for itself. What is split is loaded once, and its products are one group.
// RUN: tw-opt %s --split-input-file --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-async-products,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: tile.kernel @across_rows
// CHECK: tile.copy_bulk
// CHECK: tile.wait
// CHECK: tile.load_shared {{.*}} -> tensor<64x32xf32, {{.*}}lane=[{{\[}}0,5],[0,2],[1,0],
// CHECK-NEXT: tile.convert_layout {{.*}} to tensor<64x32xf32, {{.*}}lane=[{{\[}}0,1],[0,2],[1,0],
// CHECK: tile.dot_async {{.*}} tf32 = true : tensor<64x32xf32,
// CHECK-NEXT: tile.await_dots 0
// CHECK-NEXT: tile.release %{{[^{]*}} : <2>
graph.kernel anchor(matmul) @across_rows(%a: tensor<128x64xf32>, %b: tensor<32x128xf32>) -> tensor<64x32xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, left = registers>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<128x64xf32> to tensor<64x128xf32>
  %u = graph.transpose %b permutation = [1, 0] : tensor<32x128xf32> to tensor<128x32xf32>
  %0 = matmul %t, %u precision = tf32 : tensor<64x128xf32>, tensor<128x32xf32> to tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// -----

// Rows that are contiguous along K are the instruction's as they are.
// CHECK-LABEL: tile.kernel @split
// CHECK: tile.wait
// CHECK: %[[RAW:.*]] = tile.load_shared
// CHECK: tile.release
// CHECK: %[[LEFT:.*]] = tile.load_shared {{.*}} -> tensor<128x32xf32, {{.*}}lane=[{{\[}}0,1],[0,2],[1,0],
// CHECK-NOT: tile.convert_layout
// CHECK: tile.begin_dot
// CHECK-COUNT-3: tile.dot_async {{.*}} : tensor<128x32xf32,
// CHECK: tile.await
// CHECK-NEXT: tile.release {{.*}}tile.by_warpgroup = 2
graph.kernel anchor(matmul) @split(%a: tensor<128x64xf32>, %b: tensor<32x64xf32>) -> tensor<128x32xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 32], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, left = registers>} {
  %u = graph.transpose %b permutation = [1, 0] : tensor<32x64xf32> to tensor<64x32xf32>
  %0 = matmul %a, %u precision = tf32x3 : tensor<128x64xf32>, tensor<64x32xf32> to tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}
