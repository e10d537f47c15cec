// Ops of blocks that work together in a cluster, in their text form.
// RUN: tw-opt %s | tw-opt | FileCheck %s

!buffer = !tile.shared<1, f32, "{shape=[64,16], order=[1,0], block=[8,8], inner=[8,1], outer=[144,72]}">

// CHECK-LABEL: tile.kernel @parts
// CHECK-SAME: tile.cluster = 2 : i64
tile.kernel @parts grid = [4, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  %b = tile.alloc : !buffer
  // CHECK: tile.ring %{{.*}} {tile.pushers = 2 : i64} : {{.*}} -> <1>
  %r = tile.ring %b {tile.pushers = 2 : i64} : !buffer -> !tile.ring<1>
  // CHECK: tile.sum_blocks %{{.*}} dim = 0 of 2 : tensor<64x16xf32> to tensor<32x16xf32>
  %sum = tile.sum_blocks %tile dim = 0 of 2 : tensor<64x16xf32> to tensor<32x16xf32>
  // CHECK: tile.arrive_cluster
  tile.arrive_cluster
  // CHECK: tile.await_cluster
  tile.await_cluster
  // CHECK: tile.push_parts %{{.*}}, %{{.*}}[%{{.*}}] of %{{.*}} signals %{{.*}}[%{{.*}}] dim = 0 of 2 : tensor<64x16xf32>
  tile.push_parts %tile, %b[%c0] of %c1 signals %r[%c0] dim = 0 of 2 : tensor<64x16xf32>, !buffer, !tile.ring<1>
  tile.return
}
