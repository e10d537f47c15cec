// Threads that sort have two elements where each multiprocessor has a block at most, else four.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK-LABEL: tile.kernel @few grid = [64, 1, 1] warps = 16
graph.kernel anchor(reduction) @few(%k: tensor<64x1000xi32>) -> tensor<64x1000xi32> {
  %0 = graph.iota dim = 1 : tensor<64x1000xi32>
  %1 = graph.sort %0 by %k dim = 1 : tensor<64x1000xi32>, tensor<64x1000xi32>
  graph.return %1 : tensor<64x1000xi32>
}

// CHECK-LABEL: tile.kernel @many grid = [640, 1, 1] warps = 8
graph.kernel anchor(reduction) @many(%k: tensor<640x1000xi32>) -> tensor<640x1000xi32> {
  %0 = graph.iota dim = 1 : tensor<640x1000xi32>
  %1 = graph.sort %0 by %k dim = 1 : tensor<640x1000xi32>, tensor<640x1000xi32>
  graph.return %1 : tensor<640x1000xi32>
}
