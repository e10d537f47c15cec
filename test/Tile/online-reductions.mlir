// A sum relative to a maximum runs in the loop of the maximum and is rescaled there; what needs more of the maximum
// than the difference has a loop of its own.
// RUN: tw-opt %s --convert-graph-to-tile --split-input-file | FileCheck %s

// CHECK-LABEL: tile.kernel @beside
// CHECK: scf.for {{.*}} iter_args(%[[MAX:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = arith.maximumf %[[MAX]],
// CHECK: %[[FACTOR:.*]] = arith.subf %[[MAX]], %[[NEXT]]
// CHECK: arith.mulf %[[SUM]],
// CHECK-NOT: scf.for
graph.kernel anchor(reduction) @beside(%x: tensor<6000x40xf32>) -> tensor<40xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<6000x40xf32> to tensor<40xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<40xf32> to tensor<6000x40xf32>
  %2 = arith.subf %x, %1 : tensor<6000x40xf32>
  %3 = math.exp %2 : tensor<6000x40xf32>
  %4 = graph.reduce sum %3 dims = [0] : tensor<6000x40xf32> to tensor<40xf32>
  graph.return %4 : tensor<40xf32>
}

// -----

// CHECK-LABEL: tile.kernel @apart
// CHECK-COUNT-2: scf.for
graph.kernel anchor(reduction) @apart(%x: tensor<6000x40xf32>) -> tensor<40xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<6000x40xf32> to tensor<40xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<40xf32> to tensor<6000x40xf32>
  %y = arith.mulf %x, %1 : tensor<6000x40xf32>
  %2 = arith.subf %y, %1 : tensor<6000x40xf32>
  %3 = math.exp %2 : tensor<6000x40xf32>
  %4 = graph.reduce sum %3 dims = [0] : tensor<6000x40xf32> to tensor<40xf32>
  graph.return %4 : tensor<40xf32>
}
