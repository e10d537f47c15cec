// Shapes and types that movement ops refuse, beside those in ops-errors.mlir.
// RUN: tw-opt %s --split-input-file --verify-diagnostics -o /dev/null

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result element type 'f64' differs from the operand's 'f32'}}
  %0 = graph.reshape %x : tensor<2x3xf32> to tensor<6xf64>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dims has 1 entries for an operand of rank 2}}
  %0 = graph.broadcast %x dims = [0] : tensor<2x3xf32> to tensor<2x3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation of 3 dimensions between ranks 2 and 2}}
  %0 = graph.transpose %x permutation = [0, 1, 2] : tensor<2x3xf32> to tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result dimension 0 has size 2, operand dimension 1 has 3}}
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{offsets, strides, operand and result have ranks 1, 2, 2, 2}}
  %0 = graph.slice %x offsets = [0] strides = [1, 1] : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 3 is outside a tensor of rank 2}}
  %0 = graph.concat %x, %x dim = 3 : tensor<2x3xf32>, tensor<2x3xf32> to tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{operand #1 has rank 1, the result 2}}
  %0 = graph.concat %x, %y dim = 0 : tensor<2x3xf32>, tensor<3xf32> to tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{operand #1 has size 4 in dimension 1, the result 3}}
  %0 = graph.concat %x, %y dim = 0 : tensor<2x3xf32>, tensor<2x4xf32> to tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{low, high, operand and result have ranks 1, 2, 2, 2}}
  %0 = graph.pad %x low = [0] high = [0, 0] value = 0.0 : f32 : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{pad value of type 'i32' in a tensor of 'f32'}}
  %0 = graph.pad %x low = [0, 0] high = [0, 0] value = 0 : i32 : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4xi64>) {
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.gather %x[%i] dim = 2 : tensor<2x3xf32>, tensor<4xi64> to tensor<2x3xf32>
  return
}
