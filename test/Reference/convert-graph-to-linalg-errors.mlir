// Ops that other passes must have taken away before.
// RUN: tw-opt %s --split-input-file --convert-graph-to-linalg --verify-diagnostics

func.func @weight() -> tensor<4xf32> {
  // expected-error@+1 {{failed to legalize operation 'graph.weight'}}
  %0 = graph.weight <"w", tensor<4xf32>, "", []> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @softmax(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{failed to legalize operation 'graph.softmax'}}
  %0 = graph.softmax %x dim = 0 : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
