// plan-annotate-costs crashed on a program that is on buffers already.
// RUN: not tw-opt %s --plan-assign-buffers --plan-annotate-costs -o %t.mlir 2>&1 | FileCheck %s

graph.kernel anchor(elementwise) @exp(%x: tensor<1001xf32>) -> tensor<1001xf32> {
  %0 = math.exp %x : tensor<1001xf32>
  graph.return %0 : tensor<1001xf32>
}
plan.program @main(%x: tensor<1001xf32> {plan.name = "x"}) -> (tensor<1001xf32> {plan.name = "y"}) {
  // CHECK: error: 'plan.launch' op is on buffers: costs are counted of tensors, before plan-assign-buffers
  %0 = plan.launch @exp(%x) : (tensor<1001xf32>) -> tensor<1001xf32>
  plan.return %0 : tensor<1001xf32>
}
