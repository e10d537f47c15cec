// Shapes and types that computing ops and kernels refuse, beside those in ops-errors.mlir.
// RUN: tw-opt %s --split-input-file --verify-diagnostics -o /dev/null

func.func @f(%x: tensor<2x3xf32>, %y: tensor<1x3x2xf32>) {
  // expected-error@+1 {{operands and result have ranks 2, 3, 2; all must be equal and at least 2}}
  %0 = graph.matmul %x, %y : tensor<2x3xf32>, tensor<1x3x2xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @matmul_c8(%x: tensor<2x4x3xf32>, %y: tensor<5x3x2xf32>, %ends: tensor<5xi32>) {
  // expected-error@+1 {{rows by groups have ranks 2 and 3, one matrix for each group, got 3 and 3}}
  %0 = graph.matmul %x, %y groups(%ends : tensor<5xi32>) : tensor<2x4x3xf32>, tensor<5x3x2xf32> to tensor<2x4x2xf32>
  return
}

// -----

func.func @matmul_c9(%x: tensor<4x3xf32>, %y: tensor<5x3x2xf32>, %ends: tensor<4xi32>) {
  // expected-error@+1 {{5 groups end at as many numbers of i32, got 'tensor<4xi32>'}}
  %0 = graph.matmul %x, %y groups(%ends : tensor<4xi32>) : tensor<4x3xf32>, tensor<5x3x2xf32> to tensor<4x2xf32>
  return
}

// -----

func.func @k_of_groups(%x: tensor<4x3xf32>, %y: tensor<5x6x2xf32>, %ends: tensor<5xi32>) {
  // expected-error@+1 {{K is 3 in the left operand and 6 in the right one}}
  %0 = graph.matmul %x, %y groups(%ends : tensor<5xi32>) : tensor<4x3xf32>, tensor<5x6x2xf32> to tensor<4x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{the product is 2x4, the result 2x5}}
  %0 = graph.matmul %x, %y : tensor<2x3xf32>, tensor<3x4xf32> to tensor<2x5xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %y: tensor<3x4xi8>) {
  // expected-error@+1 {{products of 'i8' are not summed in 'f32'}}
  %0 = graph.matmul %x, %y : tensor<2x3xi8>, tensor<3x4xi8> to tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xbf16>) {
  // expected-error@+1 {{operands have element types 'f32' and 'bf16'}}
  %0 = graph.matmul %x, %y : tensor<2x3xf32>, tensor<3x4xbf16> to tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dims must increase and stay below the operand's rank 2, got 2 after 0}}
  %0 = graph.reduce sum %x dims = [0, 2] : tensor<2x3xf32> to tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension -1 is outside a tensor of rank 2}}
  %0 = graph.softmax %x dim = -1 : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{operand 'tensor<2x3xf32>' and result 'tensor<3x2xf32>' differ in shape}}
  %0 = graph.rms_norm %x dim = 1 epsilon = 0.5 : tensor<2x3xf32> to tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.layer_norm %x dim = 2 epsilon = 0.5 : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%q: tensor<2x4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<2x6x8xf32>) {
  // expected-error@+1 {{query, key, value and result have ranks 3, 2, 3, 3}}
  %0 = graph.attention %q, %k, %v scale = 0.5 : tensor<2x4x8xf32>, tensor<6x8xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%q: tensor<2x4x8xf32>, %k: tensor<3x6x8xf32>, %v: tensor<2x6x8xf32>) {
  // expected-error@+1 {{batch dimensions of query, key, value and result differ}}
  %0 = graph.attention %q, %k, %v scale = 0.5 : tensor<2x4x8xf32>, tensor<3x6x8xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%q: tensor<2x4x8xf32>, %k: tensor<2x6x7xf32>, %v: tensor<2x6x8xf32>) {
  // expected-error@+1 {{query has 8 features, key 7}}
  %0 = graph.attention %q, %k, %v scale = 0.5 : tensor<2x4x8xf32>, tensor<2x6x7xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x5x8xf32>) {
  // expected-error@+1 {{key has 6 positions, value 5}}
  %0 = graph.attention %q, %k, %v scale = 0.5 : tensor<2x4x8xf32>, tensor<2x6x8xf32>, tensor<2x5x8xf32> to tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) {
  // expected-error@+1 {{result should end in 4x8}}
  %0 = graph.attention %q, %k, %v scale = 0.5 : tensor<2x4x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32> to tensor<2x4x7xf32>
  return
}

// -----

// expected-error@+1 {{arguments and results are tensors of static shape, got 'tensor<?xf32>'}}
graph.kernel anchor(elementwise) @k(%x: tensor<?xf32>) {
  graph.return
}
