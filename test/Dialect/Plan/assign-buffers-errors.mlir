// What cannot be planned is refused where it is.
// RUN: tw-opt %s --plan-assign-buffers --split-input-file --verify-diagnostics

plan.program @main(%x: tensor<2x4xf32> {plan.name = "x"}) -> (tensor<4x2xf32> {plan.name = "y"}) {
  // expected-error@+1 {{has no place in a program: only launches, weights, constants and reshapes do}}
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2x4xf32> to tensor<4x2xf32>
  plan.return %0 : tensor<4x2xf32>
}

// -----

plan.program @main() {
  // expected-error@+1 {{gives 'f32', which has no storage}}
  %0 = arith.constant 1.0 : f32
  plan.return
}
