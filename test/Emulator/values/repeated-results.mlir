// A value that the function returns several times, moved or not, is stored so often by the kernel that computes it.
// RUN: tw-check %s --quiet
// RUN: tw-check %s --quiet --precision=bf16 --rtol=2e-2 --atol=2e-2
// RUN: tw-opt --fuse-stage %s | FileCheck %s

// CHECK-LABEL: plan.program @thrice
// CHECK: %[[R:.*]]:4 = plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @thrice(%x: tensor<7x30xf32>) -> (tensor<7x30xf32>, tensor<210xf32>, tensor<30xf32>, tensor<7x30xf32>) {
  %0 = math.tanh %x : tensor<7x30xf32>
  %1 = graph.reshape %0 : tensor<7x30xf32> to tensor<210xf32>
  %2 = graph.reduce sum %0 dims = [0] : tensor<7x30xf32> to tensor<30xf32>
  return %0, %1, %2, %0 : tensor<7x30xf32>, tensor<210xf32>, tensor<30xf32>, tensor<7x30xf32>
}

// Products return what they compute twice, too.
// CHECK-LABEL: plan.program @product
// CHECK: %[[P:.*]]:2 = plan.launch
func.func @product(%a: tensor<16x24xf32>, %b: tensor<24x40xf32>) -> (tensor<16x40xf32>, tensor<16x40xf32>) {
  %0 = graph.matmul %a, %b : tensor<16x24xf32>, tensor<24x40xf32> to tensor<16x40xf32>
  return %0, %0 : tensor<16x40xf32>, tensor<16x40xf32>
}
