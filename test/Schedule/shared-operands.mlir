// The schedule passes on products that share an operand: one ring brings its tile once for all of them.
// RUN: tw-opt %s --tile-stage --tile-stage-products --canonicalize --cse | FileCheck %s --check-prefix=WARPS
// RUN: tw-opt %s --convert-graph-to-tile | tw-opt --pass-pipeline='builtin.module(tile.kernel(canonicalize,cse,tile-assign-layouts,tile-async-products,tile-sum-blocks,canonicalize,cse))' | FileCheck %s --check-prefix=GROUPS

// Three tiles a stage; each is read from shared memory once a step.
// WARPS-LABEL: tile.kernel @warps
// WARPS-COUNT-3: tile.alloc {{.*}}: <3, bf16,
// WARPS-NOT: tile.alloc
// WARPS-COUNT-3: tile.copy_async
// WARPS-NOT: tile.copy_async
// WARPS: tile.commit_async
// WARPS: scf.for
// WARPS-COUNT-1: tile.wait_async 1
// WARPS-NEXT: tile.barrier
// WARPS: scf.if
// WARPS-COUNT-3: tile.copy_async
// WARPS: tile.commit_async
// WARPS-DAG: %[[X:.*]] = tile.load_shared {{.*}} -> tensor<32x32xbf16
// WARPS: tile.dot %[[X]],
// WARPS-NOT: tile.load_shared
// WARPS: tile.dot %[[X]],
// WARPS-NOT: tile.barrier
// WARPS: scf.yield
graph.kernel anchor(matmul) @warps(%x: tensor<64x128xbf16>, %g: tensor<128x64xbf16>, %u: tensor<128x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>} {
  %0 = graph.matmul %x, %g : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %x, %u : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %3 = arith.mulf %0, %1 : tensor<64x64xf32>
  graph.return %3 : tensor<64x64xf32>
}

// Without matrix instructions: one loop over slices for both.
// WARPS-LABEL: tile.kernel @slices
// WARPS-COUNT-3: tile.alloc
// WARPS: scf.for
// WARPS: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// WARPS-COUNT-3: tile.load_shared
// WARPS-COUNT-2: math.fma
// WARPS-NEXT: scf.yield
graph.kernel anchor(matmul) @slices(%x: tensor<64x128xf32>, %g: tensor<128x64xf32>, %u: tensor<128x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 16, warps = 4, warp_grid = [2, 2], stages = 2>} {
  %0 = graph.matmul %x, %g : tensor<64x128xf32>, tensor<128x64xf32> to tensor<64x64xf32>
  %1 = graph.matmul %x, %u : tensor<64x128xf32>, tensor<128x64xf32> to tensor<64x64xf32>
  %3 = arith.mulf %0, %1 : tensor<64x64xf32>
  graph.return %3 : tensor<64x64xf32>
}

// Two products in flight from one ring, and those of the step before done when its slot is released.
// GROUPS-LABEL: tile.kernel @groups
// GROUPS: %[[X:.*]] = tile.alloc : <3, bf16,
// GROUPS: %[[G:.*]] = tile.alloc : <3, bf16,
// GROUPS: %[[U:.*]] = tile.alloc : <3, bf16,
// GROUPS: %[[RING:.*]] = tile.ring %[[X]], %[[G]], %[[U]]
// GROUPS: tile.begin_dot
// GROUPS: %[[SUMS:.*]]:2 = scf.for
// GROUPS: tile.acquire %[[RING]]
// GROUPS-COUNT-3: tile.copy_bulk
// GROUPS-NEXT: tile.commit %[[RING]]
// GROUPS: tile.dot_async %[[X]][%{{.*}}], %[[G]]
// GROUPS-NEXT: tile.dot_async %[[X]][%{{.*}}], %[[U]]
// GROUPS-NEXT: tile.await_dots 2
// GROUPS: tile.release %[[RING]]
// GROUPS: tile.await %[[SUMS]]#0
// GROUPS: tile.await %[[SUMS]]#1
// GROUPS: tile.release %[[RING]]
graph.kernel anchor(matmul) @groups(%x: tensor<64x256xbf16>, %g: tensor<256x64xbf16>, %u: tensor<256x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>} {
  %0 = graph.matmul %x, %g : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %x, %u : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32>
  %3 = arith.mulf %0, %1 : tensor<64x64xf32>
  graph.return %3 : tensor<64x64xf32>
}

// Sums of parts of K: one slot is full when the parts of both have come.
// GROUPS-LABEL: tile.kernel @parts
// GROUPS: %[[FIRST:.*]] = tile.alloc : <1, f32,
// GROUPS-NEXT: %[[SECOND:.*]] = tile.alloc : <1, f32,
// GROUPS-NEXT: %[[PARTS:.*]] = tile.ring %[[FIRST]], %[[SECOND]] {tile.pushers = 2 : i64}
// GROUPS-COUNT-2: tile.await %
// GROUPS: tile.arrive_cluster own
// GROUPS-NEXT: tile.await_cluster
// GROUPS-NEXT: tile.push_parts {{.*}}, %[[FIRST]]
// GROUPS-NEXT: tile.push_parts {{.*}}, %[[SECOND]]
// GROUPS-NEXT: tile.barrier
// GROUPS-NEXT: tile.wait %[[PARTS]]
// GROUPS-COUNT-4: tile.load_shared
// GROUPS: tile.store
// GROUPS-NEXT: tile.return
graph.kernel anchor(matmul) @parts(%x: tensor<64x256xbf16>, %g: tensor<256x64xbf16>, %u: tensor<256x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, split_k = 2>} {
  %0 = graph.matmul %x, %g : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %x, %u : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32>
  %3 = arith.mulf %0, %1 : tensor<64x64xf32>
  graph.return %3 : tensor<64x64xf32>
}
