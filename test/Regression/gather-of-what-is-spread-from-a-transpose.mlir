// A gather along the last dimension of what is computed of values that are spread from a transposed tensor of lower rank: the
// dimension was looked up in the transpose's permutation as one of the result, and the compiler aborted.
// RUN: tw-opt %s --fuse-select-operands | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: graph.gather
// CHECK: return
func.func @main(%x: tensor<6x5x7x9xf32>, %y: tensor<9x5x7xf32>, %i: tensor<4xi64>) -> tensor<6x5x7x4xf32> {
  %0 = graph.transpose %y permutation = [1, 2, 0] : tensor<9x5x7xf32> to tensor<5x7x9xf32>
  %1 = graph.broadcast %0 dims = [1, 2, 3] : tensor<5x7x9xf32> to tensor<6x5x7x9xf32>
  %2 = arith.subf %x, %1 : tensor<6x5x7x9xf32>
  %3 = graph.gather %2[%i] dim = 3 : tensor<6x5x7x9xf32>, tensor<4xi64> to tensor<6x5x7x4xf32>
  return %3 : tensor<6x5x7x4xf32>
}
