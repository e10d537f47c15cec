// 1 + tanh(x) and 1 + erf(x) all of whose results are rounded to 16 bits may be formed in another way.
// RUN: tw-opt %s --pass-pipeline='builtin.module(fuse-approximate-math{storage=fp32})' | FileCheck %s
// RUN: tw-check %s --quiet --rtol=8e-3 --atol=1e-6

// GELU in both forms.
// CHECK-LABEL: @gelu_tanh
// CHECK: math.tanh %{{.*}} fastmath<reassoc>
func.func @gelu_tanh(%x: tensor<4x96xbf16>) -> tensor<4x96xbf16> {
  %w = arith.extf %x : tensor<4x96xbf16> to tensor<4x96xf32>
  %one = arith.constant dense<1.0> : tensor<4x96xf32>
  %half = arith.constant dense<0.5> : tensor<4x96xf32>
  %t = math.tanh %w : tensor<4x96xf32>
  %s = arith.addf %one, %t : tensor<4x96xf32>
  %h = arith.mulf %w, %half : tensor<4x96xf32>
  %g = arith.mulf %h, %s : tensor<4x96xf32>
  %n = arith.truncf %g : tensor<4x96xf32> to tensor<4x96xbf16>
  return %n : tensor<4x96xbf16>
}
// CHECK-LABEL: @gelu_erf
// CHECK: math.erf %{{.*}} fastmath<reassoc>
func.func @gelu_erf(%x: tensor<4x96xbf16>) -> tensor<4x96xbf16> {
  %w = arith.extf %x : tensor<4x96xbf16> to tensor<4x96xf32>
  %one = arith.constant dense<1.0> : tensor<4x96xf32>
  %e = math.erf %w : tensor<4x96xf32>
  %s = arith.addf %e, %one : tensor<4x96xf32>
  %g = arith.mulf %w, %s : tensor<4x96xf32>
  %n = arith.truncf %g : tensor<4x96xf32> to tensor<4x96xbf16>
  return %n : tensor<4x96xbf16>
}
// CHECK-LABEL: @less
// CHECK: math.tanh %{{.*}} fastmath<reassoc>
// CHECK: math.erf %{{.*}} fastmath<reassoc>
func.func @less(%x: tensor<96xf32>) -> (tensor<96xbf16>, tensor<96xbf16>) {
  %one = arith.constant dense<1.0> : tensor<96xf32>
  %t = math.tanh %x : tensor<96xf32>
  %a = arith.subf %one, %t : tensor<96xf32>
  %e = math.erf %x : tensor<96xf32>
  %b = arith.subf %one, %e : tensor<96xf32>
  %m = arith.truncf %a : tensor<96xf32> to tensor<96xbf16>
  %n = arith.truncf %b : tensor<96xf32> to tensor<96xbf16>
  return %m, %n : tensor<96xbf16>, tensor<96xbf16>
}

// The sum is a result in fp32, or tanh is rounded too, or it is no sum with 1.
// CHECK-LABEL: @other
// CHECK-NOT: reassoc
// CHECK: return
func.func @other(%x: tensor<96xf32>) -> (tensor<96xf32>, tensor<96xbf16>, tensor<96xbf16>, tensor<96xbf16>) {
  %one = arith.constant dense<1.0> : tensor<96xf32>
  %two = arith.constant dense<2.0> : tensor<96xf32>
  %t = math.tanh %x : tensor<96xf32>
  %a = arith.addf %one, %t : tensor<96xf32>
  %y = arith.negf %x : tensor<96xf32>
  %u = math.tanh %y : tensor<96xf32>
  %b = arith.addf %one, %u : tensor<96xf32>
  %m = arith.truncf %b : tensor<96xf32> to tensor<96xbf16>
  %n = arith.truncf %u : tensor<96xf32> to tensor<96xbf16>
  %z = arith.mulf %x, %two : tensor<96xf32>
  %e = math.erf %z : tensor<96xf32>
  %c = arith.addf %two, %e : tensor<96xf32>
  %o = arith.truncf %c : tensor<96xf32> to tensor<96xbf16>
  return %a, %m, %n, %o : tensor<96xf32>, tensor<96xbf16>, tensor<96xbf16>, tensor<96xbf16>
}
