// Unsigned inputs and outputs stay so in buffers and in the package; floats cannot be unsigned.
// RUN: tw-opt %s --split-input-file --verify-diagnostics --plan-assign-buffers | FileCheck %s

graph.kernel anchor(elementwise) @f(%a: tensor<4xi8>) -> tensor<4xi8> {
  graph.return %a : tensor<4xi8>
}

// CHECK: plan.input "x" unsigned tensor<4xi8> as !plan.buffer<4>
// CHECK: plan.output "y" unsigned tensor<4xi8> as !plan.buffer<4>
plan.program @main(%x: tensor<4xi8> {plan.name = "x", plan.unsigned})
    -> (tensor<4xi8> {plan.name = "y", plan.unsigned}) {
  %0 = plan.launch @f(%x) : (tensor<4xi8>) -> tensor<4xi8>
  plan.return %0 : tensor<4xi8>
}

// -----

// expected-error@+1 {{argument 0: 'plan.unsigned' must be a unit attribute of integers, got unit of 'tensor<4xf32>'}}
plan.program @main(%x: tensor<4xf32> {plan.name = "x", plan.unsigned}) -> (tensor<4xf32> {plan.name = "y"}) {
  plan.return %x : tensor<4xf32>
}
