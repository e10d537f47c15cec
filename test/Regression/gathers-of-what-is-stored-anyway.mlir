// A gather of a result of the program was computed from what that is made of, which was stored for it alone.
// RUN: tw-check %s --quiet
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: plan.program @of_a_reduction(
// CHECK: %{{.*}}:2 = plan.launch @{{.*}} -> (tensor<5x19x16x12xf32>, tensor<19x5x16x12xf32>)
func.func @of_a_reduction(%x: tensor<2x5x19x16x12xf32>, %d: tensor<5x19xf32>, %i: tensor<1xi64> {check.data = "random:-7:7"}) -> (tensor<10x19x16x6xf32>, tensor<19x5x16x12xf32>, tensor<1x19x16x12xf32>) {
  %half = arith.constant dense<0.5> : tensor<5x19x16x12xf32>
  %one = arith.constant dense<1.0> : tensor<5x19x16x12xf32>
  %0 = graph.reduce sum %x dims = [0] : tensor<2x5x19x16x12xf32> to tensor<5x19x16x12xf32>
  %1 = arith.mulf %0, %half : tensor<5x19x16x12xf32>
  %2 = graph.broadcast %d dims = [0, 1] : tensor<5x19xf32> to tensor<5x19x16x12xf32>
  %3 = math.absf %2 : tensor<5x19x16x12xf32>
  %4 = arith.addf %3, %one : tensor<5x19x16x12xf32>
  %5 = arith.divf %1, %4 : tensor<5x19x16x12xf32>
  %6 = graph.transpose %1 permutation = [1, 0, 2, 3] : tensor<5x19x16x12xf32> to tensor<19x5x16x12xf32>
  %7 = graph.gather %5[%i] dim = 0 : tensor<5x19x16x12xf32>, tensor<1xi64> to tensor<1x19x16x12xf32>
  %8 = graph.reshape %1 : tensor<5x19x16x12xf32> to tensor<10x19x16x6xf32>
  return %8, %6, %7 : tensor<10x19x16x6xf32>, tensor<19x5x16x12xf32>, tensor<1x19x16x12xf32>
}
// What is computed of inputs, however they are moved, is still computed of these.
// CHECK-LABEL: plan.program @of_inputs(
// CHECK: plan.launch @{{.*}}(%{{arg[01]}}, %{{arg[01]}})
// CHECK-NOT: plan.launch @{{.*}}(%{{[0-9]}}
// CHECK: plan.return
func.func @of_inputs(%x: tensor<64x96xf32>, %i: tensor<40xi64> {check.data = "random:-64:63"}) -> (tensor<96x64xf32>, tensor<96x40xf32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<64x96xf32> to tensor<96x64xf32>
  %1 = math.exp %0 : tensor<96x64xf32>
  %2 = graph.gather %1[%i] dim = 1 : tensor<96x64xf32>, tensor<40xi64> to tensor<96x40xf32>
  return %1, %2 : tensor<96x64xf32>, tensor<96x40xf32>
}
