// Top-k becomes sorts, of groups where rows are long, and of few elements reductions; scatter a gather. What a kernel cannot hold is refused.
// RUN: tw-opt %s --graph-decompose-selection --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @columns
// CHECK: graph.transpose
// CHECK: %[[IDS:.*]] = graph.iota dim = 1 : tensor<8x100xi32>
// CHECK: graph.sort %[[IDS]] by %{{.*}} dim = 1 : tensor<8x100xi32>, tensor<8x100xi32>
// CHECK-NEXT: graph.slice %{{.*}} : tensor<8x100xi32> to tensor<8x50xi32>
// CHECK: graph.transpose %{{.*}} : tensor<8x50xi64> to tensor<50x8xi64>
func.func @columns(%x: tensor<100x8xf32>) -> tensor<50x8xi64> {
  %0 = graph.top_k %x dim = 0 : tensor<100x8xf32> to tensor<50x8xi64>
  return %0 : tensor<50x8xi64>
}

// Keys and indices are one number: the next one is the least above the last.
// CHECK-LABEL: @few
// CHECK-NOT: graph.sort
// CHECK: %[[ALL:.*]] = arith.ori %{{.*}} : tensor<9x100xi64>
// CHECK: %[[FIRST:.*]] = graph.reduce min %[[ALL]] dims = [1] : tensor<9x100xi64> to tensor<9xi64>
// CHECK: %[[ABOVE:.*]] = graph.broadcast %[[FIRST]] dims = [0]
// CHECK: %[[LEFT:.*]] = arith.cmpi sgt, %[[ALL]], %[[ABOVE]]
// CHECK: arith.select %[[LEFT]], %[[ALL]]
// CHECK: graph.reduce min
// CHECK: graph.concat
func.func @few(%x: tensor<9x100xf32>) -> tensor<9x2xi64> {
  %0 = graph.top_k %x dim = 1 : tensor<9x100xf32> to tensor<9x2xi64>
  return %0 : tensor<9x2xi64>
}

// 2500 groups of 4, and all elements of 500 of them.
// CHECK-LABEL: @long_rows
// CHECK: graph.reshape %{{.*}} : tensor<2x10000xf32> to tensor<2x2500x4xf32>
// CHECK: graph.reduce min %{{.*}} dims = [2] : tensor<2x2500x4xi32> to tensor<2x2500xi32>
// CHECK: graph.sort %{{.*}} : tensor<2x2500xi32>, tensor<2x2500xi32>
// CHECK: graph.sort %{{.*}} : tensor<2x2000xi32>, tensor<2x2000xi32>
func.func @long_rows(%x: tensor<2x10000xf32>) -> tensor<2x500xi64> {
  %0 = graph.top_k %x dim = 1 : tensor<2x10000xf32> to tensor<2x500xi64>
  return %0 : tensor<2x500xi64>
}

// The last update that names a place.
// CHECK-LABEL: @scatter
// CHECK: graph.reduce max %{{.*}} dims = [2] : tensor<1x9x3xi32> to tensor<1x9xi32>
// CHECK: graph.gather
// CHECK: arith.select
func.func @scatter(%x: tensor<9x4xf32>, %i: tensor<3xi64>, %u: tensor<3x4xf32>) -> tensor<9x4xf32> {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<3x4xf32>, tensor<3xi64> into tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}

// -----

func.func @too_many(%x: tensor<2x10000xf32>) -> tensor<2x3000xi64> {
  // expected-error@+1 {{takes 3000 of 10000 elements, the limit is 2047 of more than 4096}}
  %0 = graph.top_k %x dim = 1 : tensor<2x10000xf32> to tensor<2x3000xi64>
  return %0 : tensor<2x3000xi64>
}
