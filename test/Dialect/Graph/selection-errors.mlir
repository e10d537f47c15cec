// What arg-reductions, scans, sort, top-k and scatter refuse.
// RUN: tw-opt %s --split-input-file --verify-diagnostics -o /dev/null

func.func @arg_reduce_c1(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{has no index of a sum, only of max and min}}
  %0 = graph.arg_reduce sum %x dim = 0 : tensor<2x3xf32> to tensor<3xi64>
  return
}

// -----

func.func @arg_reduce_c2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.arg_reduce max %x dim = 2 : tensor<2x3xf32> to tensor<3xi64>
  return
}

// -----

func.func @arg_reduce_c3(%x: tensor<2x3xindex>) {
  // expected-error@+1 {{does not compare elements of type index}}
  %0 = graph.arg_reduce max %x dim = 0 : tensor<2x3xindex> to tensor<3xi64>
  return
}

// -----

func.func @arg_reduce_c4(%x: tensor<0x3xf32>) {
  // expected-error@+1 {{dimension 0 has 0 elements, expected 1 to 2147483647}}
  %0 = graph.arg_reduce max %x dim = 0 : tensor<0x3xf32> to tensor<3xi64>
  return
}

// -----

func.func @arg_reduce_c5(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result should be 'tensor<3xi64>', not 'tensor<2xi64>'}}
  %0 = graph.arg_reduce max %x dim = 0 : tensor<2x3xf32> to tensor<2xi64>
  return
}

// -----

func.func @scan_c1(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension -1 is outside a tensor of rank 2}}
  %0 = graph.scan sum %x dim = -1 : tensor<2x3xf32>
  return
}

// -----

func.func @scan_c2(%x: tensor<2x3xi1>) {
  // expected-error@+1 {{does not accumulate elements of type 'i1'}}
  %0 = graph.scan sum %x dim = 1 : tensor<2x3xi1>
  return
}

// -----

func.func @sort_c1(%k: tensor<2x3xi32>) {
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.sort %k by %k dim = 2 : tensor<2x3xi32>, tensor<2x3xi32>
  return
}

// -----

func.func @sort_c2(%d: tensor<2x3xi32>, %k: tensor<3x2xi32>) {
  // expected-error@+1 {{ids 'tensor<2x3xi32>' and keys 'tensor<3x2xi32>' differ in shape}}
  %0 = graph.sort %d by %k dim = 1 : tensor<2x3xi32>, tensor<3x2xi32>
  return
}

// -----

func.func @sort_c3(%k: tensor<2x5000xi32>) {
  // expected-error@+1 {{sorts 5000 elements, one kernel sorts up to 4096}}
  %0 = graph.sort %k by %k dim = 1 : tensor<2x5000xi32>, tensor<2x5000xi32>
  return
}

// -----

func.func @top_k_c1(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 2 is outside a tensor of rank 2}}
  %0 = graph.top_k %x dim = 2 : tensor<2x3xf32> to tensor<2x2xi64>
  return
}

// -----

func.func @top_k_c2(%x: tensor<2x3xindex>) {
  // expected-error@+1 {{does not compare elements of type index}}
  %0 = graph.top_k %x dim = 1 : tensor<2x3xindex> to tensor<2x2xi64>
  return
}

// -----

func.func @top_k_c3(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result 'tensor<1x2xi64>' differs from operand 'tensor<2x3xf32>' in other dimensions than 1}}
  %0 = graph.top_k %x dim = 1 : tensor<2x3xf32> to tensor<1x2xi64>
  return
}

// -----

func.func @top_k_c4(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{takes 4 of 3 elements}}
  %0 = graph.top_k %x dim = 1 : tensor<2x3xf32> to tensor<2x4xi64>
  return
}

// -----

func.func @scatter_c1(%x: tensor<9x4xf32>, %i: tensor<3xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{has 2 batch dimensions, expected 0 to 1}}
  %0 = graph.scatter set %u into %x[%i] batch = 2 : tensor<3x4xf32>, tensor<3xi64> into tensor<9x4xf32>
  return
}

// -----

func.func @scatter_c2(%x: tensor<9x4xf32>, %i: tensor<3xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{indices should have the 1 batch dimensions of 'tensor<9x4xf32>' and one more, got 'tensor<3xi64>'}}
  %0 = graph.scatter set %u into %x[%i] batch = 1 : tensor<3x4xf32>, tensor<3xi64> into tensor<9x4xf32>
  return
}

// -----

func.func @scatter_c3(%x: tensor<9x4xf32>, %i: tensor<3xi64>, %u: tensor<2x4xf32>) {
  // expected-error@+1 {{updates should be 'tensor<3x4xf32>', not 'tensor<2x4xf32>'}}
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<2x4xf32>, tensor<3xi64> into tensor<9x4xf32>
  return
}

// -----

func.func @scatter_c4(%x: tensor<9xi1>, %i: tensor<3xi64>, %u: tensor<3xi1>) {
  // expected-error@+1 {{has no add of elements of type 'i1'}}
  %0 = graph.scatter add %u into %x[%i] batch = 0 : tensor<3xi1>, tensor<3xi64> into tensor<9xi1>
  return
}
