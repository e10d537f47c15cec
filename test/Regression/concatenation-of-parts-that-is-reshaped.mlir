// A concatenation whose parts are computed, and which nobody reads but a reshape that is the result, was computed whole, element by
// element, and everything beside it over twice the rows: a program of 752x47112 took 661 us, torch.compile 403. Its parts are stored
// at their places, as without the reshape.
// RUN: tw-opt %s --fuse-select-operands | FileCheck %s
// RUN: tw-check %s --target=sm_90a --rtol=1e-5 --atol=1e-5 --quiet

// CHECK-LABEL: func.func @halves
// CHECK-NOT: arith.select
// CHECK: %[[WHOLE:.*]] = graph.concat
// CHECK-NEXT: graph.reshape %[[WHOLE]]
func.func @halves(%x: tensor<6x160xf32>) -> (tensor<1920xf32>, tensor<6x160xf32>) {
  %0 = arith.addf %x, %x : tensor<6x160xf32>
  %1 = math.tanh %0 : tensor<6x160xf32>
  %2 = graph.layer_norm %0 dim = 1 epsilon = 1.0e-2 : tensor<6x160xf32> to tensor<6x160xf32>
  %3 = graph.concat %0, %1 dim = 0 : tensor<6x160xf32>, tensor<6x160xf32> to tensor<12x160xf32>
  %4 = graph.reshape %3 : tensor<12x160xf32> to tensor<1920xf32>
  return %4, %2 : tensor<1920xf32>, tensor<6x160xf32>
}
