// Gathers from tensors with zeros around them read these tensors: one kernel, and nothing is stored with its padding for it.
// RUN: tw-opt %s --fuse-select-operands | FileCheck %s
// RUN: tw-opt %s --fuse-stage | FileCheck %s --check-prefix=KERNELS

// CHECK-LABEL: func.func @beside
// CHECK: %[[ROWS:.*]] = graph.gather %arg0[%arg1] dim = 0 : tensor<9x5x24xf32>, tensor<11xi64> to tensor<11x5x24xf32>
// CHECK: graph.pad %[[ROWS]] low = [0, 2, 0] high = [0, 1, 0] {{.*}} to tensor<11x8x24xf32>
// KERNELS: plan.program @beside
// KERNELS-COUNT-1: plan.launch
// KERNELS-NOT: plan.launch
// KERNELS: plan.return
func.func @beside(%x: tensor<9x5x24xf32>, %i: tensor<11xi64>) -> tensor<11x8x24xf32> {
  %0 = graph.pad %x low = [0, 2, 0] high = [0, 1, 0] value = 0.0 : f32 : tensor<9x5x24xf32> to tensor<9x8x24xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<9x8x24xf32>, tensor<11xi64> to tensor<11x8x24xf32>
  %2 = arith.addf %1, %1 : tensor<11x8x24xf32>
  return %2 : tensor<11x8x24xf32>
}

// Along the gathered dimension the padding is an index outside of the tensor.
// CHECK-LABEL: func.func @along
// CHECK-NOT: graph.pad
// CHECK: graph.gather %arg0[%{{.*}}] dim = 0 : tensor<9x24xf32>, tensor<37xi32> to tensor<37x24xf32>
// CHECK-NOT: graph.pad
// CHECK: return
func.func @along(%x: tensor<9x24xf32>, %i: tensor<37xi32>) -> tensor<37x24xf32> {
  %0 = graph.pad %x low = [3, 0] high = [2, 0] value = 0.0 : f32 : tensor<9x24xf32> to tensor<14x24xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<14x24xf32>, tensor<37xi32> to tensor<37x24xf32>
  return %1 : tensor<37x24xf32>
}

// What an index outside selects is zero, and no other padding.
// CHECK-LABEL: func.func @of_ones
// CHECK: %[[PADDED:.*]] = graph.pad %arg0
// CHECK: graph.gather %[[PADDED]]
func.func @of_ones(%x: tensor<9x24xf32>, %i: tensor<37xi32>) -> tensor<37x30xf32> {
  %0 = graph.pad %x low = [3, 5] high = [2, 1] value = 1.0 : f32 : tensor<9x24xf32> to tensor<14x30xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<14x30xf32>, tensor<37xi32> to tensor<37x30xf32>
  return %1 : tensor<37x30xf32>
}

// So are elements that are computed before they are surrounded, and afterwards: the pad, which others need as well, becomes a choice by
// place only when gathers have looked through it.
// CHECK-LABEL: func.func @of_computed
// CHECK: %[[ROWS:.*]] = graph.gather %arg0[%{{.*}}] dim = 0 : tensor<9000x2400xf32>, tensor<11000xi64> to tensor<11000x2400xf32>
// CHECK: math.tanh %[[ROWS]]
// KERNELS: plan.program @of_computed
// KERNELS-COUNT-2: plan.launch
// KERNELS-NOT: plan.launch
// KERNELS: plan.return
func.func @of_computed(%x: tensor<9000x2400xf32>, %i: tensor<11000xi64>) -> (tensor<9005x2400xf32>, tensor<11000x2400xf32>) {
  %0 = math.tanh %x : tensor<9000x2400xf32>
  %1 = graph.pad %0 low = [3, 0] high = [2, 0] value = 0.0 : f32 : tensor<9000x2400xf32> to tensor<9005x2400xf32>
  %2 = arith.addf %1, %1 : tensor<9005x2400xf32>
  %3 = graph.gather %2[%i] dim = 0 : tensor<9005x2400xf32>, tensor<11000xi64> to tensor<11000x2400xf32>
  return %1, %3 : tensor<9005x2400xf32>, tensor<11000x2400xf32>
}
