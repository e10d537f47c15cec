// Tiles of kernels that only move and compute: few elements are shared among many threads, and short innermost extents
// are taken with what goes on where they end.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// An element a thread.
// CHECK: tile.kernel @few grid = [43, 1, 1] warps = 4 {{.*}}tile.schedule = #tile.schedule<tile = [128],
graph.kernel anchor(elementwise) @few(%x: tensor<5417xf32>) -> tensor<5417xf32> {
  %0 = math.tanh %x : tensor<5417xf32>
  graph.return %0 : tensor<5417xf32>
}

// As much as a block takes.
// CHECK: tile.kernel @many {{.*}}tile.schedule = #tile.schedule<tile = [2048],
graph.kernel anchor(elementwise) @many(%x: tensor<5417000xf32>) -> tensor<5417000xf32> {
  %0 = math.tanh %x : tensor<5417000xf32>
  graph.return %0 : tensor<5417000xf32>
}

// Rows of two elements side by side are one run of memory: 64 elements of the result, not two.
// CHECK: tile.kernel @short_rows {{.*}}tile.schedule = #tile.schedule<tile = [32, 32, 2],
graph.kernel anchor(transpose) @short_rows(%x: tensor<2x188x2531xf32>) -> tensor<2531x188x2xf32> {
  %0 = math.tanh %x : tensor<2x188x2531xf32>
  %1 = graph.transpose %0 permutation = [2, 1, 0] {graph.materialize} : tensor<2x188x2531xf32> to tensor<2531x188x2xf32>
  graph.return %1 : tensor<2531x188x2xf32>
}
