// Rows kept by the blocks of a cluster: a sum relative to the row's maximum is formed relative to the block's, and both
// are exchanged at once; reductions that need the row's own result are exchanged one by one.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK-LABEL: tile.kernel @softmax grid = [266, 1, 1]
// CHECK: %[[MAX:.*]] = tile.reduce %{{[^,]*}} dim = 1 {
// CHECK: scf.for
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: %[[OWN:.*]] = tile.reduce %{{[^,]*}} dim = 1 {
// CHECK: %[[SUM:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OWN]]
// CHECK: %[[BOTH:.*]]:2 = tile.reduce %[[MAX]], %[[SUM]] dim = 1 attributes {tile.blocks = 2 : i64} {
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: tile.broadcast %[[BOTH]]#0
graph.kernel anchor(reduction) @softmax(%x: tensor<133x32768xf32>) -> tensor<133x32768xf32> {
  %0 = graph.reduce max %x dims = [1] : tensor<133x32768xf32> to tensor<133xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<133xf32> to tensor<133x32768xf32>
  %2 = arith.subf %x, %1 : tensor<133x32768xf32>
  %3 = math.exp %2 : tensor<133x32768xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<133x32768xf32> to tensor<133xf32>
  %5 = graph.broadcast %4 dims = [0] : tensor<133xf32> to tensor<133x32768xf32>
  %6 = arith.divf %3, %5 : tensor<133x32768xf32>
  graph.return %6 : tensor<133x32768xf32>
}

// CHECK-LABEL: tile.kernel @largest_deviation
// CHECK: tile.reduce %{{[^,]*}} dim = 1 attributes {tile.blocks = 2 : i64} {
// CHECK: tile.reduce %{{[^,]*}} dim = 1 attributes {tile.blocks = 2 : i64} {
graph.kernel anchor(reduction) @largest_deviation(%x: tensor<133x32768xf32>) -> tensor<133xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<133x32768xf32> to tensor<133xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<133xf32> to tensor<133x32768xf32>
  %2 = arith.subf %x, %1 : tensor<133x32768xf32>
  %3 = graph.reduce max %2 dims = [1] : tensor<133x32768xf32> to tensor<133xf32>
  graph.return %3 : tensor<133xf32>
}
