// Tiles of kernels that only move and compute: few elements are shared among many threads, and short innermost extents
// are taken with what goes on where they end.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// An element a thread.
// CHECK: tile.kernel @few grid = [43, 1, 1] warps = 4 {{.*}}tile.schedule = #tile.schedule<tile = [128],
graph.kernel anchor(elementwise) @few(%x: tensor<5417xf32>) -> tensor<5417xf32> {
  %0 = math.tanh %x : tensor<5417xf32>
  graph.return %0 : tensor<5417xf32>
}

// A vector a thread.
// CHECK: tile.kernel @many {{.*}}tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 8,
graph.kernel anchor(elementwise) @many(%x: tensor<5417000xf32>) -> tensor<5417000xf32> {
  %0 = math.tanh %x : tensor<5417000xf32>
  graph.return %0 : tensor<5417000xf32>
}

// Where a multiprocessor has all of its blocks at once and they compute for a good part of the time: smaller ones, of which some
// load or store while others compute. The same of more blocks do anyway.
// CHECK: tile.kernel @computed {{.*}}tile.schedule = #tile.schedule<tile = [512], reduce = 1, warps = 2,
graph.kernel anchor(elementwise) @computed(%x: tensor<1337472xf32>) -> tensor<1337472xf32> {
  %0 = math.erf %x : tensor<1337472xf32>
  %1 = math.log %0 : tensor<1337472xf32>
  %2 = math.tanh %1 : tensor<1337472xf32>
  graph.return %2 : tensor<1337472xf32>
}

// CHECK: tile.kernel @many_computed {{.*}}tile.schedule = #tile.schedule<tile = [2048], reduce = 1, warps = 4,
graph.kernel anchor(elementwise) @many_computed(%x: tensor<13374720xf32>) -> tensor<13374720xf32> {
  %0 = math.erf %x : tensor<13374720xf32>
  %1 = math.log %0 : tensor<13374720xf32>
  %2 = math.tanh %1 : tensor<13374720xf32>
  graph.return %2 : tensor<13374720xf32>
}

// Rows of two elements side by side are one run of memory: 64 elements of the result, not two.
// CHECK: tile.kernel @short_rows {{.*}}tile.schedule = #tile.schedule<tile = [32, 32, 2],
graph.kernel anchor(transpose) @short_rows(%x: tensor<2x188x2531xf32>) -> tensor<2531x188x2xf32> {
  %0 = math.tanh %x : tensor<2x188x2531xf32>
  %1 = graph.transpose %0 permutation = [2, 1, 0] {graph.materialize} : tensor<2x188x2531xf32> to tensor<2531x188x2xf32>
  graph.return %1 : tensor<2531x188x2xf32>
}

// A filter reads each element at several places: threads with more elements load less of them again, and have more than a vector.
// CHECK: tile.kernel @filter {{.*}}tile.schedule = #tile.schedule<tile = [2048], reduce = 1, warps = 4,
graph.kernel anchor(elementwise) @filter(%x: tensor<4099x8192xf32>) -> tensor<4096x8192xf32> {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<4099x8192xf32> to tensor<4096x8192xf32>
  %1 = graph.slice %x offsets = [1, 0] strides = [1, 1] : tensor<4099x8192xf32> to tensor<4096x8192xf32>
  %2 = graph.slice %x offsets = [2, 0] strides = [1, 1] : tensor<4099x8192xf32> to tensor<4096x8192xf32>
  %3 = graph.slice %x offsets = [3, 0] strides = [1, 1] : tensor<4099x8192xf32> to tensor<4096x8192xf32>
  %4 = arith.addf %0, %1 : tensor<4096x8192xf32>
  %5 = arith.addf %2, %3 : tensor<4096x8192xf32>
  %6 = arith.addf %4, %5 : tensor<4096x8192xf32>
  graph.return %6 : tensor<4096x8192xf32>
}
