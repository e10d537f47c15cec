// What other blocks of a cluster read of a reduction is not written over before they have: a barrier of the block alone
// does not tell. The results' way through shared memory once took the same bytes.
// RUN: tw-compile %s --emit=schedule -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --quiet
// CHECK: tile.reduce {{.*}} scratch = 0 attributes {tile.blocks = 8 : i64}
// CHECK: tile.alloc offset = 128
func.func @main(%x: tensor<61x12x13xf32>) -> (tensor<61x13x12xf32>, tensor<12xf32>) {
  %t = graph.transpose %x permutation = [0, 2, 1] : tensor<61x12x13xf32> to tensor<61x13x12xf32>
  %0 = graph.reduce sum %t dims = [0, 1] : tensor<61x13x12xf32> to tensor<12xf32>
  %1 = graph.broadcast %0 dims = [2] : tensor<12xf32> to tensor<61x13x12xf32>
  %2 = arith.addf %t, %1 : tensor<61x13x12xf32>
  return %2, %0 : tensor<61x13x12xf32>, tensor<12xf32>
}
