// Ops of blocks that work together in a cluster, in their text form.
// RUN: tw-opt %s | tw-opt | FileCheck %s

!buffer = !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">

// CHECK-LABEL: tile.kernel @parts
// CHECK-SAME: tile.cluster = 2 : i64
tile.kernel @parts grid = [4, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  %b = tile.alloc : !buffer
  // CHECK: tile.sum_blocks %{{.*}} dim = 0 of 2 : tensor<64x16xf32> to tensor<32x16xf32>
  %sum = tile.sum_blocks %tile dim = 0 of 2 : tensor<64x16xf32> to tensor<32x16xf32>
  // CHECK: tile.arrive_cluster
  tile.arrive_cluster
  // CHECK: tile.await_cluster
  tile.await_cluster
  // CHECK: tile.load_peer %{{.*}}[%{{.*}}] of %{{.*}} at[%{{.*}}, %{{.*}}] : {{.*}} -> tensor<32x16xf32>
  %part = tile.load_peer %b[%c0] of %c1 at [%c0, %c0] : !buffer -> tensor<32x16xf32>
  // CHECK: tile.load_peer %{{.*}}[%{{.*}}] of %{{.*}} : {{.*}} -> tensor<64x16xf32>
  %all = tile.load_peer %b[%c0] of %c1 : !buffer -> tensor<64x16xf32>
  tile.return
}
