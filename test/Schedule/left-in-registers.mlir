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

// -----

// What is computed of a step is so in parts of K, each while the one before is multiplied; beside another warpgroup, which
// multiplies meanwhile, at once.
// CHECK-LABEL: tile.kernel @widened
// CHECK: %[[RAW:.*]] = tile.load_shared {{.*}} -> tensor<64x64xi8,
// CHECK: tile.slice %[[RAW]] at [0, 0] : {{.*}} to tensor<64x32xi8,
// CHECK-NEXT: %[[FIRST:.*]] = arith.sitofp
// CHECK-NEXT: %[[SUM:.*]] = tile.dot_async %[[FIRST]], %{{[^,]*}}, %{{.*}} if
// CHECK-NEXT: tile.slice %[[RAW]] at [0, 32]
// CHECK-NEXT: %[[SECOND:.*]] = arith.sitofp
// CHECK-NEXT: tile.dot_async %[[SECOND]], %{{[^,]*}} from 32, %[[SUM]] if
// CHECK-NEXT: tile.await_dots 0
graph.kernel anchor(matmul) @widened(%a: tensor<64x128xi8>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, left = registers>} {
  %w = arith.sitofp %a : tensor<64x128xi8> to tensor<64x128xbf16>
  %0 = matmul %w, %b : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: tile.kernel @widened_by_two
// CHECK: tile.load_shared {{.*}} -> tensor<128x64xi8,
// CHECK-NEXT: arith.sitofp
// CHECK-NEXT: tile.dot_async
// CHECK-NEXT: tile.await_dots 0
graph.kernel anchor(matmul) @widened_by_two(%a: tensor<128x128xi8>, %b: tensor<128x64xbf16>) -> tensor<128x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, left = registers>} {
  %w = arith.sitofp %a : tensor<128x128xi8> to tensor<128x128xbf16>
  %0 = matmul %w, %b : tensor<128x128xbf16>, tensor<128x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
