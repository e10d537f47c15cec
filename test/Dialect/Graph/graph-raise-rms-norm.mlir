// RMS norms as exporters decompose them.
// RUN: tw-opt %s --graph-raise-rms-norm | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-raise-rms-norm --rtol=1e-4 --atol=1e-6

// Pow, ReduceMean, Add, Sqrt, Reciprocal, Mul, Mul.
// CHECK-LABEL: @reciprocal
func.func @reciprocal(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>) -> tensor<2x4x8xf32> {
  // CHECK-NEXT: graph.rms_norm %arg0 scale(%arg1 : tensor<8xf32>) dim = 2 epsilon = 9.9999999747524271E-7
  // CHECK-NEXT: return
  %n = arith.constant dense<8.0> : tensor<2x4x1xf32>
  %one = arith.constant dense<1.0> : tensor<2x4x1xf32>
  %eps = arith.constant dense<1.0e-06> : tensor<2x4x1xf32>
  %two = arith.constant dense<2.0> : tensor<2x4x8xf32>
  %q = math.powf %x, %two : tensor<2x4x8xf32>
  %t = graph.reduce sum %q dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
  %tr = graph.reshape %t : tensor<2x4xf32> to tensor<2x4x1xf32>
  %v = arith.divf %tr, %n : tensor<2x4x1xf32>
  %ve = arith.addf %v, %eps : tensor<2x4x1xf32>
  %d = math.sqrt %ve : tensor<2x4x1xf32>
  %i = arith.divf %one, %d : tensor<2x4x1xf32>
  %ib = graph.broadcast %i dims = [0, 1, 2] : tensor<2x4x1xf32> to tensor<2x4x8xf32>
  %y = arith.mulf %x, %ib : tensor<2x4x8xf32>
  %gb = graph.broadcast %g dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
  %yg = arith.mulf %gb, %y : tensor<2x4x8xf32>
  return %yg : tensor<2x4x8xf32>
}

// x / sqrt(mean(x * x) + eps), with a constant scale.
// CHECK-LABEL: @quotient
func.func @quotient(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[G:.*]] = arith.constant dense<3.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: graph.rms_norm %arg0 scale(%[[G]] : tensor<8xf32>) dim = 1
  // CHECK-NEXT: return
  %n = arith.constant dense<0.125> : tensor<4xf32>
  %eps = arith.constant dense<0.5> : tensor<4xf32>
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %q = arith.mulf %x, %x : tensor<4x8xf32>
  %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %v = arith.mulf %n, %t : tensor<4xf32>
  %ve = arith.addf %eps, %v : tensor<4xf32>
  %d = math.sqrt %ve : tensor<4xf32>
  %db = graph.broadcast %d dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %y = arith.divf %x, %db : tensor<4x8xf32>
  %y3 = arith.mulf %y, %three : tensor<4x8xf32>
  return %y3 : tensor<4x8xf32>
}

// Declined: an L2 normalization has the sum, not the mean.
// CHECK-LABEL: @sum_of_squares
func.func @sum_of_squares(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: graph.rms_norm
  // CHECK: return
  %eps = arith.constant dense<0.5> : tensor<4xf32>
  %q = arith.mulf %x, %x : tensor<4x8xf32>
  %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %ve = arith.addf %t, %eps : tensor<4xf32>
  %d = math.rsqrt %ve : tensor<4xf32>
  %db = graph.broadcast %d dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %y = arith.mulf %x, %db : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Declined in part: a scale that differs from row to row stays a product.
// CHECK-LABEL: @scale_by_row
func.func @scale_by_row(%x: tensor<4x8xf32>, %g: tensor<4xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[N:.*]] = graph.rms_norm %arg0 dim = 1
  // CHECK: arith.mulf %[[N]]
  %n = arith.constant dense<0.125> : tensor<4xf32>
  %eps = arith.constant dense<0.5> : tensor<4xf32>
  %q = arith.mulf %x, %x : tensor<4x8xf32>
  %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %v = arith.mulf %n, %t : tensor<4xf32>
  %ve = arith.addf %eps, %v : tensor<4xf32>
  %d = math.rsqrt %ve : tensor<4xf32>
  %db = graph.broadcast %d dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %y = arith.mulf %x, %db : tensor<4x8xf32>
  %gb = graph.broadcast %g dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %yg = arith.mulf %y, %gb : tensor<4x8xf32>
  return %yg : tensor<4x8xf32>
}
