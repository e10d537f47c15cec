// What the verifiers of masks, true lengths and counts reject.
// RUN: tw-opt %s --split-input-file --verify-diagnostics

// within_c1
// expected-error@+1 {{names no dimension of a bucket}}
func.func @f() attributes {test = #graph.within<"", 0, [1, 1, 128, 1]>} { return }

// -----

// within_c2
// expected-error@+1 {{parts have four numbers each, got 3 numbers}}
func.func @f() attributes {test = #graph.within<"seq", 0, [1, 1, 128]>} { return }

// -----

// within_c3
// expected-error@+1 {{part [1, 0, 128, 1] is not a dimension and three positive numbers}}
func.func @f() attributes {test = #graph.within<"seq", 0, [1, 0, 128, 1]>} { return }

// -----

func.func @f() -> tensor<4xi32> {
  // true_length_c1
  // expected-error@+1 {{is of "seq" of 0, not a named dimension of at least 1}}
  %0 = graph.true_length "seq" of 0 : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @f(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
  // mask_c1
  // expected-error@+1 {{puts a 'f64' into 'tensor<4x128xf32>'}}
  %0 = graph.mask %x where [#graph.within<"seq", 0, [1, 1, 128, 1]>] else 0.0 : f64 : tensor<4x128xf32>
  return %0 : tensor<4x128xf32>
}

// -----

func.func @f(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
  // mask_c2
  // expected-error@+1 {{part [1, 1, 100, 1] of "seq" does not divide a dimension of 'tensor<4x128xf32>'}}
  %0 = graph.mask %x where [#graph.within<"seq", 0, [1, 1, 100, 1]>] else 0.0 : f32 : tensor<4x128xf32>
  return %0 : tensor<4x128xf32>
}

// -----

func.func @f(%x: tensor<4x128xf32>) -> tensor<4xf32> {
  // count_c1
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.count %x dims = [2] : tensor<4x128xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
