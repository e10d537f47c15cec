// What passes beside a table that is larger than the cache, and of which elements are taken in no order, leaves the cache first:
// not where the table fits, nor what the next kernel needs.
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a -o - | FileCheck %s
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a --cache-hints=off -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: plan.leaving

// CHECK-LABEL: plan.program @large
// CHECK-LABEL: graph.kernel anchor(gather) @{{.*}} attributes {plan.leaving = array<i64: {{[0-9]+}}, {{[0-9]+}}>} {
func.func @large(%table: tensor<22000000xf32>, %indices: tensor<8000000xi64>) -> tensor<8000000xf32> {
  %0 = graph.gather %table[%indices] dim = 0 : tensor<22000000xf32>, tensor<8000000xi64> to tensor<8000000xf32>
  %1 = math.tanh %0 : tensor<8000000xf32>
  return %1 : tensor<8000000xf32>
}
// CHECK-LABEL: plan.program @small
// CHECK-NOT: plan.leaving
func.func @small(%table: tensor<2000000xf32>, %indices: tensor<8000000xi64>) -> tensor<8000000xf32> {
  %0 = graph.gather %table[%indices] dim = 0 : tensor<2000000xf32>, tensor<8000000xi64> to tensor<8000000xf32>
  return %0 : tensor<8000000xf32>
}
// What the next kernel reads stays.
// CHECK-LABEL: plan.program @read_again
// CHECK-LABEL: graph.kernel anchor(reduction) @{{.*}} attributes {plan.leaving = array<i64: 1>} {
func.func @read_again(%table: tensor<22000000xf32>, %indices: tensor<8000000xi64>) -> (tensor<8000000xf32>, tensor<8000000xf32>) {
  %0 = graph.gather %table[%indices] dim = 0 : tensor<22000000xf32>, tensor<8000000xi64> to tensor<8000000xf32>
  %1 = graph.layer_norm %0 dim = 0 epsilon = 1.0e-5 : tensor<8000000xf32> to tensor<8000000xf32>
  return %0, %1 : tensor<8000000xf32>, tensor<8000000xf32>
}
