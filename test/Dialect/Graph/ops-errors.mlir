// Each verifier of the graph dialect rejects with the numbers that disagree.
// RUN: tw-opt %s --split-input-file --verify-diagnostics

func.func @weight_steps() {
  // expected-error@+1 {{steps give 'tensor<32x64xf32>' but the result is 'tensor<64x32xf32>'}}
  %0 = graph.weight <"w", tensor<64x32xf32>, "", [array<i64: 1, 0>]> : tensor<64x32xf32>
  return
}

// -----

func.func @weight_reshape() {
  // expected-error@+1 {{a reshape step changes the number of elements}}
  %0 = graph.weight <"w", tensor<64x32xf32>, "", [#graph.reshape<[5]>]> : tensor<5xf32>
  return
}

// -----

func.func @iota_dim() {
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.iota dim = 2 : tensor<2x3xi64>
  return
}

// -----

func.func @broadcast_sizes(%x: tensor<3xf32>) {
  // expected-error@+1 {{operand dimension 0 of size 3 cannot become result dimension 1 of size 4}}
  %0 = graph.broadcast %x dims = [1] : tensor<3xf32> to tensor<2x4xf32>
  return
}

// -----

func.func @broadcast_order(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{dims must increase and stay below the result rank 2, got 0 after 1}}
  %0 = graph.broadcast %x dims = [1, 0] : tensor<2x4xf32> to tensor<4x2xf32>
  return
}

// -----

func.func @reshape_elems(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{operand has 6 elements, result 5}}
  %0 = graph.reshape %x : tensor<2x3xf32> to tensor<5xf32>
  return
}

// -----

func.func @transpose_permutation(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation entry 1 is 0, not a new dimension below 2}}
  %0 = graph.transpose %x permutation = [0, 0] : tensor<2x3xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @slice_range(%x: tensor<4xf32>) {
  // expected-error@+1 {{dimension 0 takes elements 1 to 5 of 4}}
  %0 = graph.slice %x offsets = [1] strides = [2] : tensor<4xf32> to tensor<3xf32>
  return
}

// -----

func.func @concat_total(%x: tensor<4xf32>) {
  // expected-error@+1 {{operands sum to 8 in dimension 0, the result has 9}}
  %0 = graph.concat %x, %x dim = 0 : tensor<4xf32>, tensor<4xf32> to tensor<9xf32>
  return
}

// -----

func.func @pad_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{dimension 0 pads 4 to 6, the result has 7}}
  %0 = graph.pad %x low = [1] high = [1] value = 0.0 : f32 : tensor<4xf32> to tensor<7xf32>
  return
}

// -----

func.func @gather_shape(%x: tensor<4x2xf32>, %i: tensor<3xi64>) {
  // expected-error@+1 {{result should be 'tensor<3x2xf32>', not 'tensor<2x3xf32>'}}
  %0 = graph.gather %x[%i] dim = 0 : tensor<4x2xf32>, tensor<3xi64> to tensor<2x3xf32>
  return
}

// -----

func.func @matmul_depth(%a: tensor<4x8xf32>, %b: tensor<7x2xf32>) {
  // expected-error@+1 {{K is 8 in the left operand and 7 in the right one}}
  %0 = graph.matmul %a, %b : tensor<4x8xf32>, tensor<7x2xf32> to tensor<4x2xf32>
  return
}

// -----

func.func @matmul_batch(%a: tensor<2x4x8xf32>, %b: tensor<3x8x2xf32>) {
  // expected-error@+1 {{batch dimension 0 has sizes 2, 3, 2}}
  %0 = graph.matmul %a, %b : tensor<2x4x8xf32>, tensor<3x8x2xf32> to tensor<2x4x2xf32>
  return
}

// -----

func.func @reduce_result(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{result should be 'tensor<4xf32>', not 'tensor<8xf32>'}}
  %0 = graph.reduce sum %x dims = [1] : tensor<4x8xf32> to tensor<8xf32>
  return
}

// -----

func.func @softmax_dim(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.softmax %x dim = 2 : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @norm_scale(%x: tensor<4x8xf32>, %g: tensor<4xf32>) {
  // expected-error@+1 {{scale is 'tensor<4xf32>', the normalized dimensions are 'tensor<8xf32>'}}
  %0 = graph.layer_norm %x scale(%g : tensor<4xf32>) dim = 1 epsilon = 0.5 : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @attention_mask(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %m: tensor<4x4xf32>) {
  // expected-error@+1 {{mask should end in 4x6, got 'tensor<4x4xf32>'}}
  %0 = graph.attention %q, %k, %k mask(%m : tensor<4x4xf32>) scale = 1.0 : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32> to tensor<4x8xf32>
  return
}

// -----

// expected-error@+1 {{unknown anchor 'convolution'}}
graph.kernel anchor(convolution) @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  graph.return %x : tensor<4xf32>
}

// -----

graph.kernel anchor(elementwise) @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{returns 0 values}}
  graph.return
}
