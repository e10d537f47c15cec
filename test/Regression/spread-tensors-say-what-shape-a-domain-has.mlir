// The first and the last of the largest ops have one shape, and a tensor is spread along another one of as many elements in between:
// the domain had the shape of either end, over which nothing is spread so, and the program was two kernels with what one computed
// stored for the other (cache-238201 of the random programs, 17 us on an H200 with 11 MB of fp32 between them).
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --quiet

// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @main(%x: tensor<6x54x84xf32>, %s: tensor<216xf32>) -> (tensor<216x126xf32>, tensor<6x54x84xf32>) {
  %0 = math.exp %x : tensor<6x54x84xf32>
  %1 = graph.reshape %0 : tensor<6x54x84xf32> to tensor<216x126xf32>
  %2 = graph.broadcast %s dims = [0] : tensor<216xf32> to tensor<216x126xf32>
  %3 = arith.mulf %1, %2 : tensor<216x126xf32>
  %4 = math.tanh %0 : tensor<6x54x84xf32>
  return %3, %4 : tensor<216x126xf32>, tensor<6x54x84xf32>
}
