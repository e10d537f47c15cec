// Every rule of verify-fuse-form rejects a program that breaks it.
// RUN: tw-opt %s --verify-fuse-form --split-input-file --verify-diagnostics

plan.program @main() {
  plan.return
}
// fuse_form_1
// expected-error@+1 {{has no place beside kernels and programs}}
func.func private @other()

// -----

// fuse_form_1
// expected-error@+1 {{has no plan.program}}
module {
}

// -----

plan.program @main(%x: tensor<2x4xf32> {plan.name = "x"}) {
  // fuse_form_2
  // expected-error@+1 {{has no place in a program}}
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2x4xf32> to tensor<4x2xf32>
  plan.return
}

// -----

plan.program @main() {
  plan.return
}
// fuse_form_3
// expected-error@+1 {{@k is launched by no program}}
graph.kernel anchor(elementwise) @k(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}

// -----

graph.kernel anchor(elementwise) @k(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) {
  // fuse_form_4
  // expected-error@+1 {{of @k has no 'plan.cost'}}
  %0 = plan.launch @k(%x) : (tensor<8xf32>) -> tensor<8xf32>
  plan.return
}

// -----

graph.kernel anchor(elementwise) @k() -> tensor<8xf32> {
  // fuse_form_5
  // expected-error@+1 {{has no place in kernel @k}}
  %w = graph.weight <"w", tensor<8xf32>, "", []> : tensor<8xf32>
  graph.return %w : tensor<8xf32>
}
plan.program @main() {
  plan.return
}

// -----

graph.kernel anchor(reduction) @k(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // fuse_form_6
  // expected-error@+1 {{is a named op in kernel @k; run graph-decompose-attention and graph-decompose-named}}
  %0 = graph.softmax %x dim = 1 : tensor<4x8xf32> to tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}
plan.program @main() {
  plan.return
}

// -----

// fuse_form_7
// expected-error@+1 {{@k is no single kernel: graph.matmul: reads what the same kernel computes}}
graph.kernel anchor(matmul) @k(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = arith.addf %x, %y : tensor<8x8xf32>
  %1 = graph.matmul %0, %x : tensor<8x8xf32>, tensor<8x8xf32> to tensor<8x8xf32>
  graph.return %1 : tensor<8x8xf32>
}
plan.program @main() {
  plan.return
}

// -----

// fuse_form_7
// expected-error@+1 {{@k is no single kernel: computes nothing}}
graph.kernel anchor(elementwise) @k(%x: tensor<8xf32>) -> tensor<8xf32> {
  graph.return %x : tensor<8xf32>
}
plan.program @main() {
  plan.return
}
