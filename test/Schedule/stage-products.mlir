// tile-stage-products: operands of products run ahead in a ring of shared memory or in registers, or go through one
// buffer, or become outer products.
// RUN: tw-opt %s --tile-stage --tile-stage-products --canonicalize --cse | FileCheck %s

// Three stages: two are filled before the loop; in it one wait, one barrier, and the copies two steps ahead.
// CHECK-LABEL: tile.kernel @ring
// CHECK-COUNT-2: tile.alloc {{.*}}: <3, bf16,
// CHECK-COUNT-2: tile.copy_async
// CHECK: tile.commit_async
// CHECK-COUNT-2: tile.copy_async
// CHECK: tile.commit_async
// CHECK: scf.for %[[K:.*]] = %c0 to %c128 step %c32
// CHECK-NOT: tile.copy_async
// CHECK: tile.wait_async 1
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

// Rows of 63 bf16 are no whole words, so they go through registers: the next tile's loads are under way while one is
// multiplied, and the two buffers need one barrier an iteration.
// CHECK-LABEL: tile.kernel @unaligned
// CHECK-COUNT-2: tile.alloc {{.*}}: <2, bf16,
// CHECK-COUNT-2: tile.load
// CHECK: scf.for
// CHECK-NOT: tile.load
// CHECK: tile.store_shared
// CHECK: scf.if
// CHECK-NEXT: tile.load
// CHECK: tile.store_shared
// CHECK: scf.if
// CHECK-NEXT: tile.load
// CHECK: tile.barrier
// CHECK-COUNT-2: tile.load_shared
// CHECK: tile.dot
// CHECK-NOT: tile.barrier
// CHECK: scf.yield
graph.kernel anchor(matmul) @unaligned(%a: tensor<64x63xbf16>, %b: tensor<63x63xbf16>) -> tensor<64x63xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>} {
  %0 = graph.matmul %a, %b : tensor<64x63xbf16>, tensor<63x63xbf16> to tensor<64x63xf32>
  graph.return %0 : tensor<64x63xf32>
}

// One operand of either kind: a ring for the left one, registers for the right one.
// CHECK-LABEL: tile.kernel @half_aligned
// CHECK: tile.alloc {{.*}}: <3, bf16,
// CHECK: tile.alloc {{.*}}: <2, bf16,
// CHECK-COUNT-3: tile.load %{{.*}}divisors
// CHECK: tile.copy_async
// CHECK: tile.copy_async
// CHECK: scf.for
// CHECK: tile.store_shared
// CHECK: tile.load
// CHECK: tile.wait_async 1
// CHECK-NEXT: tile.barrier
// CHECK: tile.copy_async
// CHECK: tile.dot
graph.kernel anchor(matmul) @half_aligned(%a: tensor<64x160xbf16>, %b: tensor<160x63xbf16>) -> tensor<64x63xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>} {
  %0 = graph.matmul %a, %b : tensor<64x160xbf16>, tensor<160x63xbf16> to tensor<64x63xf32>
  graph.return %0 : tensor<64x63xf32>
}

// Declined: the tiles of one iteration are more than the registers that may wait.
// CHECK-LABEL: tile.kernel @too_large
// CHECK-COUNT-2: tile.alloc {{.*}}: <1, bf16,
// CHECK: scf.for
// CHECK: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.store_shared
// CHECK-NOT: tile.wait_async
// CHECK: tile.dot
graph.kernel anchor(matmul) @too_large(%a: tensor<64x127xbf16>, %b: tensor<127x63xbf16>) -> tensor<64x63xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 2, warp_grid = [2, 1], stages = 3>} {
  %0 = graph.matmul %a, %b : tensor<64x127xbf16>, tensor<127x63xbf16> to tensor<64x63xf32>
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
