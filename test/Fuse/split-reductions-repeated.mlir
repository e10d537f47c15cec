// Blocks that have all indices of a dimension for which the matrix is the same are as few as its columns: they are cut as those of one
// index are.
// RUN: tw-opt %s --fuse-split-reductions | FileCheck %s

// CHECK-LABEL: @one_row
// CHECK: graph.reshape %{{.*}} to tensor<[[PIECES:[0-9]+]]x[[LENGTH:[0-9]+]]x348xf32>
func.func @one_row(%x: tensor<7332xf32>, %w: tensor<7332x348xf32>) -> tensor<348xf32> {
  %0 = graph.broadcast %x dims = [0] : tensor<7332xf32> to tensor<7332x348xf32>
  %1 = arith.mulf %0, %w : tensor<7332x348xf32>
  %2 = graph.reduce sum %1 dims = [0] : tensor<7332x348xf32> to tensor<348xf32>
  return %2 : tensor<348xf32>
}

// CHECK-LABEL: @two_rows
// CHECK: graph.reshape %{{.*}} to tensor<2x[[PIECES]]x[[LENGTH]]x348xf32>
func.func @two_rows(%x: tensor<2x7332xf32>, %w: tensor<7332x348xf32>) -> tensor<2x348xf32> {
  %0 = graph.broadcast %x dims = [0, 1] : tensor<2x7332xf32> to tensor<2x7332x348xf32>
  %1 = graph.broadcast %w dims = [1, 2] : tensor<7332x348xf32> to tensor<2x7332x348xf32>
  %2 = arith.mulf %0, %1 : tensor<2x7332x348xf32>
  %3 = graph.reduce sum %2 dims = [1] : tensor<2x7332x348xf32> to tensor<2x348xf32>
  return %3 : tensor<2x348xf32>
}

// Each index has a matrix of its own.
// CHECK-LABEL: @two_matrices
// CHECK-NOT: to tensor<2x[[PIECES]]x[[LENGTH]]x348xf32>
func.func @two_matrices(%w: tensor<2x7332x348xf32>) -> tensor<2x348xf32> {
  %0 = math.tanh %w : tensor<2x7332x348xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<2x7332x348xf32> to tensor<2x348xf32>
  return %1 : tensor<2x348xf32>
}
