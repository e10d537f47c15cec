// One value for each of a few rows is loaded and stored as threads hold it: no exchange, no barrier.
// RUN: tw-opt %s --convert-graph-to-tile --tile-assign-layouts | FileCheck %s

// CHECK: tile.kernel @rows
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(reduction) @rows(%x: tensor<1344x920xf32>, %b: tensor<1344xf32>) -> (tensor<1344xf32>, tensor<1344x920xf32>) {
  %0 = graph.broadcast %b dims = [0] : tensor<1344xf32> to tensor<1344x920xf32>
  %1 = arith.addf %x, %0 : tensor<1344x920xf32>
  %2 = graph.reduce max %1 dims = [1] : tensor<1344x920xf32> to tensor<1344xf32>
  graph.return %2, %1 : tensor<1344xf32>, tensor<1344x920xf32>
}
