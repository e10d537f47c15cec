// Reductions, norms and scans over different dimensions of one tensor in one kernel, whose tile holds all of
// them whole: odd sizes, results of reductions reduced again, transposed readers.
// RUN: tw-check %s --quiet
// RUN: tw-check %s --quiet --precision=bf16 --rtol=4e-2 --atol=4e-2
// RUN: tw-opt --fuse-stage %s | FileCheck %s

// Rows normalized, then columns.
// CHECK-LABEL: plan.program @rows_then_columns
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @rows_then_columns(%x: tensor<5x19x37xf32>) -> (tensor<5x19x37xf32>, tensor<5x37xf32>) {
  %0 = graph.softmax %x dim = 2 : tensor<5x19x37xf32> to tensor<5x19x37xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<5x19x37xf32> to tensor<5x37xf32>
  %2 = graph.broadcast %1 dims = [0, 2] : tensor<5x37xf32> to tensor<5x19x37xf32>
  %3 = arith.subf %0, %2 : tensor<5x19x37xf32>
  return %3, %1 : tensor<5x19x37xf32>, tensor<5x37xf32>
}

// The sum of all from the sums of the rows, and the largest of a column beside it.
// CHECK-LABEL: plan.program @sum_of_sums
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @sum_of_sums(%x: tensor<23x41xf32>) -> (tensor<23xf32>, tensor<f32>, tensor<41xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<23x41xf32> to tensor<23xf32>
  %1 = math.tanh %0 : tensor<23xf32>
  %2 = graph.reduce sum %1 dims = [0] : tensor<23xf32> to tensor<f32>
  %3 = graph.reduce max %x dims = [0] : tensor<23x41xf32> to tensor<41xf32>
  return %0, %2, %3 : tensor<23xf32>, tensor<f32>, tensor<41xf32>
}

// A scan along one dimension, norms along another one, read in another order.
// CHECK-LABEL: plan.program @scan_then_norm
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @scan_then_norm(%x: tensor<3x29x7xf32>, %g: tensor<7xf32>) -> (tensor<3x7x29xf32>, tensor<3x29x7xf32>) {
  %0 = graph.scan sum %x dim = 1 reverse : tensor<3x29x7xf32>
  %1 = graph.layer_norm %0 scale(%g : tensor<7xf32>) dim = 2 epsilon = 1.0e-2 : tensor<3x29x7xf32> to tensor<3x29x7xf32>
  %2 = graph.transpose %1 permutation = [0, 2, 1] : tensor<3x29x7xf32> to tensor<3x7x29xf32>
  %3 = graph.scan max %2 dim = 1 : tensor<3x7x29xf32>
  return %3, %0 : tensor<3x7x29xf32>, tensor<3x29x7xf32>
}

// Both dimensions of one and the inner of the other; the middle dimension belongs to none.
// CHECK-LABEL: plan.program @around_the_middle
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @around_the_middle(%x: tensor<6x11x13xf32>) -> (tensor<6x11x13xf32>, tensor<6x11xi64>) {
  %0 = graph.reduce sum %x dims = [0, 2] : tensor<6x11x13xf32> to tensor<11xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<11xf32> to tensor<6x11x13xf32>
  %2 = arith.subf %x, %1 : tensor<6x11x13xf32>
  %3 = graph.arg_reduce max %2 dim = 2 : tensor<6x11x13xf32> to tensor<6x11xi64>
  return %2, %3 : tensor<6x11x13xf32>, tensor<6x11xi64>
}

// Elementwise ops of another shape stand in front: that of the rows is the kernel's.
// CHECK-LABEL: plan.program @behind_another_shape
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @behind_another_shape(%x: tensor<8x7x5x6x3xf32>, %y: tensor<8x7x5x6xf32>) -> (tensor<7x2x12x30xf32>, tensor<7x2x12xf32>) {
  %0 = graph.broadcast %y dims = [0, 1, 2, 3] : tensor<8x7x5x6xf32> to tensor<8x7x5x6x3xf32>
  %1 = arith.mulf %x, %0 : tensor<8x7x5x6x3xf32>
  %2 = graph.reshape %1 : tensor<8x7x5x6x3xf32> to tensor<7x2x12x30xf32>
  %3 = graph.softmax %2 dim = 3 : tensor<7x2x12x30xf32> to tensor<7x2x12x30xf32>
  %4 = graph.scan sum %2 dim = 1 : tensor<7x2x12x30xf32>
  %5 = graph.reduce sum %4 dims = [3] : tensor<7x2x12x30xf32> to tensor<7x2x12xf32>
  return %3, %5 : tensor<7x2x12x30xf32>, tensor<7x2x12xf32>
}

// A scan and the largest over 24 times 40 elements of each column, in tiles of 16384.
// CHECK-LABEL: plan.program @large_tile
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @large_tile(%x: tensor<2x40x24x9xf32>) -> tensor<2x40x24x9xf32> {
  %0 = graph.scan sum %x dim = 2 : tensor<2x40x24x9xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<2x40x24x9xf32> to tensor<2x24x9xf32>
  %2 = graph.broadcast %1 dims = [0, 2, 3] : tensor<2x24x9xf32> to tensor<2x40x24x9xf32>
  %3 = arith.subf %0, %2 : tensor<2x40x24x9xf32>
  return %3 : tensor<2x40x24x9xf32>
}
