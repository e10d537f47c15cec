// What padding of a shape bucket is masked, and what needs no mask.
// RUN: tw-opt %s --graph-mask-padding | FileCheck %s

// Sums of zeros need no mask; other reductions do.
// CHECK-LABEL: @reductions
func.func @reductions(%x: tensor<4x128xf32> {graph.symbols = ["", "seq"]})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<128xf32>, tensor<4xi64>) {
  // CHECK: graph.reduce sum %arg0
  %0 = graph.reduce sum %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
  // CHECK: %[[MAX:.*]] = graph.mask %arg0 where [#graph.within<"seq", 0, [1, 1, 128, 1]>] else 0xFF800000 : f32
  // CHECK: graph.reduce max %[[MAX]]
  %1 = graph.reduce max %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
  // CHECK: %[[ONES:.*]] = graph.mask %arg0 where [#graph.within<"seq", 0, [1, 1, 128, 1]>] else 1.000000e+00 : f32
  // CHECK: graph.reduce prod %[[ONES]]
  %2 = graph.reduce prod %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
  // Along what is not padded nothing is masked; the result takes the symbol.
  // CHECK: graph.reduce min %arg0 dims = [0]
  %3 = graph.reduce min %x dims = [0] : tensor<4x128xf32> to tensor<128xf32>
  // CHECK: %[[LEAST:.*]] = graph.mask %arg0 where [{{.*}}] else 0x7F800000 : f32
  // CHECK: graph.arg_reduce min %[[LEAST]]
  %4 = graph.arg_reduce min %x dim = 1 : tensor<4x128xf32> to tensor<4xi64>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<128xf32>, tensor<4xi64>
}

// CHECK-LABEL: @results
// CHECK-SAME: -> (tensor<128x4xf32> {graph.symbols = ["seq", ""]})
func.func @results(%x: tensor<4x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<128x4xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<4x128xf32> to tensor<128x4xf32>
  return %0 : tensor<128x4xf32>
}

// A product with zeros is zero as long as the other factor is a number, which a quotient may not be.
// CHECK-LABEL: @products_of_zeros
func.func @products_of_zeros(%x: tensor<4x128xf32> {graph.symbols = ["", "seq"]},
                             %m: tensor<4x128xi64> {graph.symbols = ["", "seq"]}) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<2.0> : tensor<4x128xf32>
  %f = arith.sitofp %m : tensor<4x128xi64> to tensor<4x128xf32>
  %shifted = arith.addf %x, %c : tensor<4x128xf32>
  %0 = arith.mulf %shifted, %f : tensor<4x128xf32>
  // CHECK-NOT: graph.mask
  // CHECK: graph.reduce sum
  %1 = graph.reduce sum %0 dims = [1] : tensor<4x128xf32> to tensor<4xf32>
  %q = arith.divf %c, %x : tensor<4x128xf32>
  // CHECK: %[[PRODUCT:.*]] = arith.mulf
  %2 = arith.mulf %q, %f : tensor<4x128xf32>
  // CHECK: graph.mask %[[PRODUCT]] where
  %3 = graph.reduce sum %2 dims = [1] : tensor<4x128xf32> to tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// Probabilities of padded keys are zero, so that the product with values that are numbers needs no mask.
// CHECK-LABEL: @attention_like
func.func @attention_like(%q: tensor<2x128x64xf32> {graph.symbols = ["batch", "seq", ""]},
                          %v: tensor<2x128x64xf32> {graph.symbols = ["batch", "seq", ""]}) -> tensor<2x128x64xf32> {
  %t = graph.transpose %v permutation = [0, 2, 1] : tensor<2x128x64xf32> to tensor<2x64x128xf32>
  // CHECK: %[[SCORES:.*]] = graph.matmul
  %0 = graph.matmul %q, %t : tensor<2x128x64xf32>, tensor<2x64x128xf32> to tensor<2x128x128xf32>
  // CHECK: %[[MASKED:.*]] = graph.mask %[[SCORES]] where [#graph.within<"seq", 0, [2, 1, 128, 1]>] else 0xFF800000 : f32
  // CHECK-NEXT: %[[P:.*]] = graph.softmax %[[MASKED]]
  // CHECK-NEXT: graph.matmul %[[P]], %arg1
  %1 = graph.softmax %0 dim = 2 : tensor<2x128x128xf32> to tensor<2x128x128xf32>
  %2 = graph.matmul %1, %v : tensor<2x128x128xf32>, tensor<2x128x64xf32> to tensor<2x128x64xf32>
  return %2 : tensor<2x128x64xf32>
}

// CHECK-LABEL: @attention
func.func @attention(%q: tensor<2x128x64xf32> {graph.symbols = ["batch", "seq", ""]}) -> tensor<2x128x64xf32> {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<2x128x128xf32>
  // CHECK: %[[MASK:.*]] = graph.mask %[[ZERO]] where [#graph.within<"seq", 0, [2, 1, 128, 1]>] else 0xFF800000 : f32
  // CHECK: graph.attention %arg0, %arg0, %arg0 mask(%[[MASK]]
  %0 = graph.attention %q, %q, %q scale = 1.0
      : tensor<2x128x64xf32>, tensor<2x128x64xf32>, tensor<2x128x64xf32> to tensor<2x128x64xf32>
  return %0 : tensor<2x128x64xf32>
}

// Over a padded K zeros meet numbers on neither side of the first product; the other operand of the second one may
// be infinite.
// CHECK-LABEL: @matmul
func.func @matmul(%a: tensor<8x128xf32> {graph.symbols = ["", "k"]}, %b: tensor<128x16xf32> {graph.symbols = ["k", ""]})
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  // CHECK: graph.matmul %arg0, %arg1
  %0 = graph.matmul %a, %b : tensor<8x128xf32>, tensor<128x16xf32> to tensor<8x16xf32>
  %e = math.cos %a : tensor<8x128xf32>
  %f = math.cos %b : tensor<128x16xf32>
  // CHECK: %[[LHS:.*]] = graph.mask %{{.*}} where [#graph.within<"k", 0, [1, 1, 128, 1]>] else 0.0
  // CHECK-NEXT: graph.matmul %[[LHS]], %{{.*}}
  %1 = graph.matmul %e, %f : tensor<8x128xf32>, tensor<128x16xf32> to tensor<8x16xf32>
  %l = math.log %b : tensor<128x16xf32>
  // CHECK: %[[RHS:.*]] = graph.mask %{{.*}} where [#graph.within<"k", 0, [0, 1, 128, 1]>] else 0.0
  // CHECK-NEXT: graph.matmul %arg0, %[[RHS]]
  %2 = graph.matmul %a, %l : tensor<8x128xf32>, tensor<128x16xf32> to tensor<8x16xf32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// Dimensions joined by a reshape are told apart again, divided ones are put together.
// CHECK-LABEL: @reshapes
func.func @reshapes(%x: tensor<8x128x4xf32> {graph.symbols = ["batch", "seq", ""]}) -> (tensor<4xf32>, tensor<8x8x4xf32>) {
  %0 = graph.reshape %x : tensor<8x128x4xf32> to tensor<1024x4xf32>
  // CHECK: graph.mask %{{.*}} where [#graph.within<"batch", 0, [0, 128, 8, 1]>, #graph.within<"seq", 0, [0, 1, 128, 1]>] else 0xFF800000
  %1 = graph.reduce max %0 dims = [0] : tensor<1024x4xf32> to tensor<4xf32>
  %2 = graph.reshape %x : tensor<8x128x4xf32> to tensor<8x8x16x4xf32>
  // CHECK: graph.mask %{{.*}} where [#graph.within<"seq", 0, [1, 1, 8, 16, 2, 1, 16, 1]>] else 0xFF800000
  %3 = graph.reduce max %2 dims = [1, 2] : tensor<8x8x16x4xf32> to tensor<8x4xf32>
  %4 = graph.broadcast %3 dims = [0, 2] : tensor<8x4xf32> to tensor<8x8x4xf32>
  return %1, %4 : tensor<4xf32>, tensor<8x8x4xf32>
}

// The first element is there at any length; what follows a fixed start is shorter by it.
// CHECK-LABEL: @slices
func.func @slices(%x: tensor<8x128xf32> {graph.symbols = ["", "seq"]}, %c: tensor<8x2xf32>)
    -> (tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<8x128xf32> to tensor<8x1xf32>
  %1 = graph.slice %x offsets = [0, 3] strides = [1, 1] : tensor<8x128xf32> to tensor<8x125xf32>
  // CHECK: graph.mask %{{.*}} where [#graph.within<"seq", 3, [1, 1, 125, 1]>] else 0xFF800000
  %2 = graph.reduce max %1 dims = [1] : tensor<8x125xf32> to tensor<8xf32>
  %3 = graph.concat %c, %x dim = 1 : tensor<8x2xf32>, tensor<8x128xf32> to tensor<8x130xf32>
  // CHECK: graph.mask %{{.*}} where [#graph.within<"seq", -2, [1, 1, 130, 1]>] else 0xFF800000
  %4 = graph.reduce max %3 dims = [1] : tensor<8x130xf32> to tensor<8xf32>
  return %0, %2, %4 : tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>
}

// A running sum meets true elements first, unless it runs backwards.
// CHECK-LABEL: @scans
func.func @scans(%x: tensor<8x128xf32> {graph.symbols = ["", "seq"]}) -> (tensor<8x128xf32>, tensor<8x128xf32>) {
  %e = math.exp %x : tensor<8x128xf32>
  // CHECK: graph.scan sum %0 dim = 1 : tensor
  %0 = graph.scan sum %e dim = 1 : tensor<8x128xf32>
  // CHECK: %[[TRUE:.*]] = graph.mask %0
  // CHECK: graph.scan sum %[[TRUE]] dim = 1 reverse
  %1 = graph.scan sum %e dim = 1 reverse : tensor<8x128xf32>
  return %0, %1 : tensor<8x128xf32>, tensor<8x128xf32>
}

// Functions without symbols are left alone.
// CHECK-LABEL: @fixed
func.func @fixed(%x: tensor<8x128xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: graph.reduce max %arg0
  %0 = graph.reduce max %x dims = [1] : tensor<8x128xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Rows that are padding are zero behind a product by groups, too.
// CHECK-LABEL: @rows_by_groups
// CHECK-SAME: -> (tensor<128x32xf32> {graph.symbols = ["seq", ""]}, tensor<32xf32>)
func.func @rows_by_groups(%x: tensor<128x64xf32> {graph.symbols = ["seq", ""]}, %w: tensor<2x64x32xf32>, %ends: tensor<2xi32>)
    -> (tensor<128x32xf32>, tensor<32xf32>) {
  // CHECK-NOT: graph.mask
  %0 = graph.matmul %x, %w groups(%ends : tensor<2xi32>) : tensor<128x64xf32>, tensor<2x64x32xf32> to tensor<128x32xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<128x32xf32> to tensor<32xf32>
  return %0, %1 : tensor<128x32xf32>, tensor<32xf32>
}
