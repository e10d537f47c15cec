// The conversions of a loop's step had bytes of their own each, more than a block can have.
// RUN: tw-check %s --quiet --rtol=1e-5 --atol=1e-5
// RUN: tw-opt %s --graph-stage --fuse-stage --convert-graph-to-tile --tile-assign-layouts --schedule-stage \
// RUN:   | FileCheck %s

// CHECK-LABEL: tile.kernel @reduction_addf
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tile.alloc offset = 0
// CHECK: tile.alloc offset = 0
// CHECK: tile.alloc offset = 0
func.func @main(%x: tensor<17x2x8x78xf32>, %scale: tensor<78x2x17x8xf32>, %bias: tensor<78x2x17x8xf32>)
    -> tensor<78x2x17x8xf32> {
  %0 = graph.transpose %x permutation = [3, 1, 0, 2] : tensor<17x2x8x78xf32> to tensor<78x2x17x8xf32>
  %1 = graph.reduce max %0 dims = [0, 1] : tensor<78x2x17x8xf32> to tensor<17x8xf32>
  %2 = graph.broadcast %1 dims = [2, 3] : tensor<17x8xf32> to tensor<78x2x17x8xf32>
  %3 = arith.subf %0, %2 : tensor<78x2x17x8xf32>
  %4 = graph.layer_norm %3 scale(%scale : tensor<78x2x17x8xf32>) bias(%bias : tensor<78x2x17x8xf32>) dim = 0
      epsilon = 1.0e-2 : tensor<78x2x17x8xf32> to tensor<78x2x17x8xf32>
  return %4 : tensor<78x2x17x8xf32>
}
