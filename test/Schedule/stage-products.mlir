// tile-stage-products: operands of products go through a ring of shared memory, or one buffer, or outer products.
// RUN: tw-opt %s --tile-stage --tile-stage-products --canonicalize --cse | FileCheck %s

// Three stages: two are filled before the loop; in it one wait, one barrier, and the copies two steps ahead.
// CHECK-LABEL: tile.kernel @ring
// CHECK-COUNT-2: tile.alloc {{.*}}: <3, bf16,
// CHECK-COUNT-2: tile.copy_async
// CHECK: tile.commit_async
// CHECK-COUNT-2: tile.copy_async
// CHECK: tile.commit_async
// CHECK: scf.for %[[K:.*]] = %c0 to %c128 step %c32
// CHECK-NEXT: tile.wait_async 1
// CHECK-NEXT: tile.barrier
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %c64
// CHECK: scf.if
// CHECK-COUNT-2: tile.copy_async {{.*}}%[[NEXT]]
// CHECK: tile.commit_async
// CHECK-COUNT-2: tile.load_shared
// CHECK: tile.dot
// CHECK-NOT: tile.barrier
// CHECK: scf.yield
graph.kernel anchor(matmul) @ring(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>} {
  %0 = graph.matmul %a, %b : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// One stage: a barrier before the buffer is written again, the copy, a barrier before it is read.
// CHECK-LABEL: tile.kernel @single
// CHECK-COUNT-2: tile.alloc {{.*}}: <1, bf16,
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-COUNT-2: tile.copy_async
// CHECK-NEXT: tile.commit_async
// CHECK-NEXT: tile.wait_async 0
// CHECK-NEXT: tile.barrier
// CHECK: tile.dot
graph.kernel anchor(matmul) @single(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// Declined: rows of 63 bf16 are no whole words, so they go through registers.
// CHECK-LABEL: tile.kernel @unaligned
// CHECK-NOT: tile.copy_async
// CHECK: tile.load
// CHECK: tile.store_shared
// CHECK: tile.dot
graph.kernel anchor(matmul) @unaligned(%a: tensor<64x63xbf16>, %b: tensor<63x63xbf16>) -> tensor<64x63xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>} {
  %0 = graph.matmul %a, %b : tensor<64x63xbf16>, tensor<63x63xbf16> to tensor<64x63xf32>
  graph.return %0 : tensor<64x63xf32>
}

// fp32 without tf32 has no matrix instruction: a loop over K of multiplied-out slices.
// CHECK-LABEL: tile.kernel @fp32
// CHECK-NOT: tile.dot
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tile.load_shared {{.*}} at[{{.*}} -> tensor<32x1xf32,
// CHECK: tile.load_shared {{.*}} at[{{.*}} -> tensor<1x32xf32,
// CHECK: math.fma
graph.kernel anchor(matmul) @fp32(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 16, warps = 4, warp_grid = [2, 2], stages = 2>} {
  %0 = graph.matmul %a, %b : tensor<64x128xf32>, tensor<128x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
