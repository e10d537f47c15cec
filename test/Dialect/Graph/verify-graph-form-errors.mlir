// Each rule of the graph stage's contract has a program that breaks it.
// RUN: tw-opt %s --split-input-file --verify-graph-form --verify-diagnostics
// RUN: %python -c "print('func.func @w() -> tensor<4097xi32> {\n%%0 = arith.constant dense<[' + ','.join(map(str, range(4097))) + ']> : tensor<4097xi32>\nreturn %%0 : tensor<4097xi32>\n}')" > %t.mlir
// RUN: not tw-opt %t.mlir --verify-graph-form 2>&1 | FileCheck %s

// form_c4
// CHECK: 'arith.constant' op holds 4097 elements in IR, more than 4096; weights are graph.weight references

// The rules hold: no diagnostic.
func.func @good(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %w = graph.weight <"w", tensor<4x8xf32>, "", []> : tensor<4x8xf32>
  %0 = arith.addf %x, %w : tensor<4x8xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// graph_c1
func.func @dead_weight(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'graph.weight' op result #0 is never used}}
  %w = graph.weight <"w", tensor<4x8xf32>, "", []> : tensor<4x8xf32>
  return %x : tensor<4xf32>
}

// -----

// graph_c2
func.func @cast_of_weight() -> tensor<4xbf16> {
  %w = graph.weight <"w", tensor<4xf32>, "", []> : tensor<4xf32>
  // expected-error@+1 {{'arith.truncf' op applies to a weight; it belongs to the weight's steps}}
  %0 = arith.truncf %w : tensor<4xf32> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// graph_c3
func.func @two_reshapes(%x: tensor<6xf32>) -> tensor<3x2xf32> {
  %0 = graph.reshape %x : tensor<6xf32> to tensor<2x3xf32>
  // expected-error@+1 {{'graph.reshape' op applies to another graph.reshape}}
  %1 = graph.reshape %0 : tensor<2x3xf32> to tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
