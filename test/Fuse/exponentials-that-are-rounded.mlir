// Exponentials all of whose results are rounded to 16 bits may be powers of two of products; others keep their digits.
// RUN: tw-opt %s --pass-pipeline='builtin.module(fuse-approximate-math{storage=fp32})' | FileCheck %s

// Softmax, rounded: of the quotient, of its divisor, and of the sum that it is.
// CHECK-LABEL: @softmax
// CHECK: math.exp %{{.*}} fastmath<reassoc>
func.func @softmax(%x: tensor<8x64xf32>) -> tensor<8x64xbf16> {
  %e = math.exp %x : tensor<8x64xf32>
  %t = graph.reduce sum %e dims = [1] : tensor<8x64xf32> to tensor<8xf32>
  %w = graph.broadcast %t dims = [0] : tensor<8xf32> to tensor<8x64xf32>
  %q = arith.divf %e, %w : tensor<8x64xf32>
  %n = arith.truncf %q : tensor<8x64xf32> to tensor<8x64xbf16>
  return %n : tensor<8x64xbf16>
}

// A sum of sums, each of values that are not negative; moved on the way.
// CHECK-LABEL: @pieces
// CHECK: math.exp %{{.*}} fastmath<reassoc>
func.func @pieces(%x: tensor<8x64xf32>) -> tensor<8xf16> {
  %e = math.exp %x : tensor<8x64xf32>
  %p = graph.reshape %e : tensor<8x64xf32> to tensor<8x4x16xf32>
  %s = graph.reduce sum %p dims = [2] : tensor<8x4x16xf32> to tensor<8x4xf32>
  %t = graph.reduce sum %s dims = [1] : tensor<8x4xf32> to tensor<8xf32>
  %n = arith.truncf %t : tensor<8xf32> to tensor<8xf16>
  return %n : tensor<8xf16>
}

// The sum is a result in fp32.
// CHECK-LABEL: @wide_sum
// CHECK-NOT: reassoc
// CHECK: return
func.func @wide_sum(%x: tensor<8x64xf32>) -> (tensor<8x64xbf16>, tensor<8xf32>) {
  %e = math.exp %x : tensor<8x64xf32>
  %t = graph.reduce sum %e dims = [1] : tensor<8x64xf32> to tensor<8xf32>
  %n = arith.truncf %e : tensor<8x64xf32> to tensor<8x64xbf16>
  return %n, %t : tensor<8x64xbf16>, tensor<8xf32>
}

// Differences may cancel, and so may sums of either sign.
// CHECK-LABEL: @differences
// CHECK-NOT: reassoc
// CHECK: return
func.func @differences(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<8x64xbf16>, tensor<8xbf16>) {
  %e = math.exp %x : tensor<8x64xf32>
  %one = arith.constant dense<1.0> : tensor<8x64xf32>
  %d = arith.subf %e, %one : tensor<8x64xf32>
  %n = arith.truncf %d : tensor<8x64xf32> to tensor<8x64xbf16>
  %f = math.exp %y : tensor<8x64xf32>
  %g = arith.mulf %f, %y : tensor<8x64xf32>
  %t = graph.reduce sum %g dims = [1] : tensor<8x64xf32> to tensor<8xf32>
  %m = arith.truncf %t : tensor<8xf32> to tensor<8xbf16>
  return %n, %m : tensor<8x64xbf16>, tensor<8xbf16>
}

// An exponent is no place for a relative error either.
// CHECK-LABEL: @towers
// CHECK: math.exp %arg0 :
// CHECK: math.exp %{{.*}} fastmath<reassoc>
func.func @towers(%x: tensor<8xf32>) -> tensor<8xbf16> {
  %e = math.exp %x : tensor<8xf32>
  %f = math.exp %e : tensor<8xf32>
  %n = arith.truncf %f : tensor<8xf32> to tensor<8xbf16>
  return %n : tensor<8xbf16>
}

// Sigmoid: 1 + e^-x is a sum of numbers that are not negative; what is negative of it may cancel.
// CHECK-LABEL: @sigmoid
// CHECK: math.exp %{{.*}} fastmath<reassoc>
func.func @sigmoid(%x: tensor<8xf32>) -> tensor<8xbf16> {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %m = arith.negf %x : tensor<8xf32>
  %e = math.exp %m : tensor<8xf32>
  %d = arith.addf %e, %one : tensor<8xf32>
  %q = arith.divf %x, %d : tensor<8xf32>
  %n = arith.truncf %q : tensor<8xf32> to tensor<8xbf16>
  return %n : tensor<8xbf16>
}
// CHECK-LABEL: @less_than_sigmoid
// CHECK-NOT: reassoc
// CHECK: return
func.func @less_than_sigmoid(%x: tensor<8xf32>) -> tensor<8xbf16> {
  %one = arith.constant dense<-1.0> : tensor<8xf32>
  %e = math.exp %x : tensor<8xf32>
  %d = arith.addf %e, %one : tensor<8xf32>
  %n = arith.truncf %d : tensor<8xf32> to tensor<8xbf16>
  return %n : tensor<8xbf16>
}

// The relative error of an operand is no larger in tanh and erf, and half of it in roots.
// CHECK-LABEL: @roots
// CHECK: math.exp %{{.*}} fastmath<reassoc>
func.func @roots(%x: tensor<8xf32>) -> tensor<8xbf16> {
  %e = math.exp %x : tensor<8xf32>
  %t = math.tanh %e : tensor<8xf32>
  %r = math.rsqrt %t : tensor<8xf32>
  %n = arith.truncf %r : tensor<8xf32> to tensor<8xbf16>
  return %n : tensor<8xbf16>
}
