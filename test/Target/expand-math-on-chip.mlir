// With on-chip, f32 functions take the chip's approximations; quotients that are rounded to integers do not, nor do f64.
// RUN: tw-opt %s --pass-pipeline='builtin.module(func.func(target-expand-math{on-chip}))' | FileCheck %s

// CHECK-LABEL: @tanh
// CHECK: ptx.ex2 {{.*}} ftz
// CHECK: ptx.rcp {{.*}} ftz
// CHECK-NOT: arith.divf
func.func @tanh(%x: f32) -> f32 {
  %y = math.tanh %x : f32
  return %y : f32
}

// CHECK-LABEL: @quotient
// CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32
// CHECK: ptx.div_full %[[X]], %[[Y]]
func.func @quotient(%x: f32, %y: f32) -> f32 {
  %q = arith.divf %x, %y : f32
  return %q : f32
}

// A constant divisor is a product with its reciprocal.
// CHECK-LABEL: @third
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: div
// CHECK: return
func.func @third(%x: f32) -> f32 {
  %c = arith.constant 3.0 : f32
  %q = arith.divf %x, %c : f32
  return %q : f32
}

// CHECK-LABEL: @rounded
// CHECK: arith.divf
func.func @rounded(%x: f32, %y: f32) -> f32 {
  %q = arith.divf %x, %y : f32
  %r = math.roundeven %q : f32
  return %r : f32
}

// CHECK-LABEL: @wide
// CHECK-NOT: ptx.
// CHECK: arith.divf
func.func @wide(%x: f64, %y: f64) -> f64 {
  %e = math.exp %x : f64
  %q = arith.divf %e, %y : f64
  return %q : f64
}

// Nothing subnormal, negative or zero is at hand: the root flushes, and the logarithm asks for infinity alone.
// CHECK-LABEL: @positive
// CHECK: ptx.sqrt_approx {{.*}} ftz
// CHECK: arith.cmpi uge
// CHECK-NOT: cmpf
func.func @positive(%x: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %a = math.absf %x : f32
  %s = arith.addf %a, %one : f32
  %r = math.sqrt %s : f32
  %l = math.log %s : f32
  return %r, %l : f32, f32
}
