// Pieces of a scan that looks back: of values that would leave a multiprocessor one block alone smaller ones, with fewer elements
// a thread.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// CHECK: tile.kernel @plain grid = [4303, 1, 1] warps = 8 {{.*}}tile = [8192], reduce = 1, warps = 8,
graph.kernel anchor(reduction) @plain(%x: tensor<35248120xf32>) -> tensor<35248120xf32> {
  %0 = graph.scan sum %x dim = 0 {graph.look_back} : tensor<35248120xf32>
  graph.return %0 : tensor<35248120xf32>
}

// CHECK: tile.kernel @many_values grid = [17211, 1, 1] warps = 4 {{.*}}tile = [2048], reduce = 1, warps = 4,
graph.kernel anchor(reduction) @many_values(%x: tensor<35248120xf32>) -> (tensor<35248120xf32>, tensor<35248120xf32>, tensor<35248120xf32>) {
  %0 = math.tanh %x : tensor<35248120xf32>
  %1 = graph.scan sum %0 dim = 0 {graph.look_back} : tensor<35248120xf32>
  %2 = arith.subf %x, %1 : tensor<35248120xf32>
  %3 = math.erf %2 : tensor<35248120xf32>
  %4 = arith.mulf %0, %3 : tensor<35248120xf32>
  %5 = math.log %1 : tensor<35248120xf32>
  graph.return %2, %4, %5 : tensor<35248120xf32>, tensor<35248120xf32>, tensor<35248120xf32>
}

// Of columns in the smallest pieces a warp looks back for two, and for as many as come where pieces are larger.
// CHECK: tile.kernel @few_columns grid = [65, 1, 1] warps = 16 {{.*}}tile = [32, 32], reduce = 1, warps = 16,
graph.kernel anchor(reduction) @few_columns(%x: tensor<2063x24xf32>) -> tensor<2063x24xf32> {
  %0 = graph.scan sum %x dim = 0 {graph.look_back} : tensor<2063x24xf32>
  graph.return %0 : tensor<2063x24xf32>
}
// CHECK: tile.kernel @columns {{.*}} warps = 4 {{.*}}tile = [128, 32], reduce = 1, warps = 4,
graph.kernel anchor(reduction) @columns(%x: tensor<3001x1000xf32>) -> tensor<3001x1000xf32> {
  %0 = graph.scan sum %x dim = 0 {graph.look_back} : tensor<3001x1000xf32>
  graph.return %0 : tensor<3001x1000xf32>
}
