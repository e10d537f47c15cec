// tile-share-copies: copies of the operand that a cluster's blocks share are marked, and their ring; the blocks meet before
// the first role and at the end of the last. A row of tiles that no whole cluster has is padded by empty ones.
// RUN: rm -rf %t && split-file %s %t
// RUN: tw-opt %t/shared.mlir --tile-stage --schedule-stage | FileCheck %t/shared.mlir
// RUN: tw-opt %t/shared.mlir --tile-stage --schedule-stage --convert-tile-to-llvm | FileCheck %t/shared.mlir --check-prefix=TARGET
// RUN: tw-opt %t/shared.mlir --tile-stage --schedule-stage -o %t/marked.mlir
// RUN: sed 's/shared_by = array<i64: 4, 2>/shared_by = array<i64: 4, 4>/' %t/marked.mlir > %t/sharers.mlir
// RUN: sed 's/peers = array<i64: 4, 2>/peers = array<i64: 2, 2>/' %t/marked.mlir > %t/peers.mlir
// RUN: not tw-opt %t/sharers.mlir --convert-tile-to-llvm 2>&1 | FileCheck %s --check-prefix=SHARERS
// RUN: not tw-opt %t/peers.mlir --convert-tile-to-llvm 2>&1 | FileCheck %s --check-prefix=PEERS
// RUN: tw-opt %t/wrong.mlir --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-share-copies))'

// A mark of more blocks than the cluster has would signal blocks that are not there.
// SHARERS: error: is shared by 4 blocks whose numbers are 4 apart, the kernel's clusters have 8
// PEERS: error: is filled by 2x2 blocks, the kernel's clusters have 8

//--- shared.mlir
// CHECK-LABEL: tile.kernel @below grid = [6, 1, 1]
// CHECK-SAME: tile.cluster = 2 : i64
// CHECK: tile.ring {{.*}} {tile.peers = array<i64: 2, 1>}
// CHECK: tile.arrive_cluster
// CHECK-NEXT: tile.await_cluster
// CHECK-NEXT: tile.role @load
// CHECK: tile.copy_bulk
// CHECK-NOT: tile.shared_by
// CHECK: tile.copy_bulk {{.*}} {tile.shared_by = array<i64: 2, 1>}
// CHECK-NEXT: tile.commit
// CHECK: tile.role @multiply
// CHECK: tile.arrive_cluster
// CHECK-NEXT: tile.await_cluster
// TARGET-LABEL: llvm.func @below
// TARGET: ptx.launch = #ptx.launch<grid = [6, 1, 1], block = 256, shared = {{[0-9]+}}, cluster = [2, 1, 1]>
// TARGET: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} {isCTAOnly = true}
// TARGET: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} multicast_mask
// TARGET: nvvm.mapa
// TARGET-NEXT: nvvm.mbarrier.arrive
graph.kernel anchor(matmul) @below(%a: tensor<320x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<320x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, cluster = [2, 1]>} {
  %0 = graph.matmul %a, %b : tensor<320x128xbf16>, tensor<128x64xbf16> to tensor<320x64xf32>
  graph.return %0 : tensor<320x64xf32>
}

// Both operands are shared, each by the blocks of a row or a column; of three columns of tiles the last one stands for the
// fourth, too. A block releases its slots in its row and in its column.
// CHECK-LABEL: tile.kernel @both grid = [16, 1, 1]
// CHECK-SAME: tile.cluster = 8 : i64
// CHECK: tile.ring {{.*}} {tile.peers = array<i64: 4, 2>}
// CHECK: tile.copy_bulk %{{.*}}[%[[ROW:[^,]*]], {{.*}} {tile.shared_by = array<i64: 2, 1>}
// CHECK: %[[COLUMN:.*]] = arith.minui %{{.*}}, %c128
// CHECK-NEXT: tile.copy_bulk %{{.*}}[{{.*}}, %[[COLUMN]]]{{.*}} {tile.shared_by = array<i64: 4, 2>}
// TARGET-LABEL: llvm.func @both
// TARGET: nvvm.mbarrier.arrive
graph.kernel anchor(matmul) @both(%a: tensor<256x128xbf16>, %b: tensor<128x160xbf16>) -> tensor<256x160xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, cluster = [4, 2]>} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x160xbf16> to tensor<256x160xf32>
  graph.return %0 : tensor<256x160xf32>
}

//--- wrong.mlir
// expected-error@+1 {{has clusters in its schedule and no roles; run tile-specialise-roles}}
tile.kernel @plain grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64,
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, cluster = [2, 1]>} {
  tile.return
}

// -----

// expected-error@+1 {{has clusters in its schedule, whose blocks share no operand that bulk copies bring}}
tile.kernel @nothing grid = [2, 1, 1] warps = 8 () attributes {tile.cluster = 2 : i64,
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, cluster = [2, 1]>} {
  tile.role @load warps = 4 instances = 1 () {
  ^bb0(%instance: index):
  }
  tile.return
}
