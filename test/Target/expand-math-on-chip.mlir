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

// By a constant: its reciprocal in two parts, or in one where that is exact.
// CHECK-LABEL: @third
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[LOW:.*]] = arith.constant 1.98682155E-8 : f32
// CHECK: %[[PART:.*]] = arith.mulf %[[X]], %[[LOW]] : f32
// CHECK: %[[HIGH:.*]] = arith.constant 0.333333313 : f32
// CHECK: math.fma %[[X]], %[[HIGH]], %[[PART]] : f32
// CHECK-NOT: div
// CHECK: return
func.func @third(%x: f32) -> f32 {
  %c = arith.constant 3.0 : f32
  %q = arith.divf %x, %c : f32
  return %q : f32
}

// CHECK-LABEL: @eighth
// CHECK: %[[C:.*]] = arith.constant 1.250000e-01 : f32
// CHECK: arith.mulf %{{.*}}, %[[C]] : f32
// CHECK-NOT: {{div|fma}}
// CHECK: return
func.func @eighth(%x: f32) -> f32 {
  %c = arith.constant 8.0 : f32
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

// Four quotients by one divisor, as one in a loop: its reciprocal is found once, where the divisor is at hand.
// CHECK-LABEL: @shared
// CHECK: ptx.rcp
// CHECK-NOT: div
// CHECK-COUNT-8: arith.mulf
// CHECK: return
func.func @shared(%a: f32, %b: f32, %c: f32, %d: f32, %y: f32) -> (f32, f32, f32, f32) {
  %0 = arith.divf %a, %y : f32
  %1 = arith.divf %b, %y : f32
  %2 = arith.divf %c, %y : f32
  %3 = arith.divf %d, %y : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-LABEL: @looped
// CHECK: ptx.rcp
// CHECK: scf.for
// CHECK-NOT: div
// CHECK: return
func.func @looped(%x: memref<64xf32>, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %q = arith.divf %v, %y : f32
    memref.store %q, %x[%i] : memref<64xf32>
  }
  return
}

// Rounded ones take the reciprocal in two parts.
// CHECK-LABEL: @shared_rounded
// CHECK-NOT: arith.divf
// CHECK: scf.for
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[K:.*]] : f32
// CHECK: %[[LOW:.*]] = arith.mulf %[[SCALED]], %{{.*}} : f32
// CHECK: math.fma %[[SCALED]], %{{.*}}, %[[LOW]] : f32
func.func @shared_rounded(%x: memref<64xf32>, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %q = arith.divf %v, %y : f32
    %r = math.roundeven %q : f32
    memref.store %r, %x[%i] : memref<64xf32>
  }
  return
}

// A scale, which is at least 1e-12 and, where it is finite, a part of the largest number, needs no power of two; what may have been
// of a wider type does.
// CHECK-LABEL: @scale_in_range
// CHECK: scf.for
// CHECK: %[[V:.*]] = memref.load
// CHECK: %[[LOW:.*]] = arith.mulf %[[V]], %{{.*}} : f32
// CHECK: math.fma %[[V]], %{{.*}}, %[[LOW]] : f32
func.func @scale_in_range(%x: memref<64xf32>, %y: f32) {
  %per = arith.constant 7.8740157480314960e-03 : f32
  %m = math.absf %y : f32
  %raw = arith.mulf %m, %per : f32
  %tiny = arith.constant 1.0e-12 : f32
  %s = arith.maximumf %raw, %tiny : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %q = arith.divf %v, %s : f32
    %r = math.roundeven %q : f32
    memref.store %r, %x[%i] : memref<64xf32>
  }
  return
}
// CHECK-LABEL: @scale_of_wider
// CHECK: scf.for
// CHECK: %[[V:.*]] = memref.load
// CHECK: %[[SCALED:.*]] = arith.mulf %[[V]], %{{.*}} : f32
// CHECK: math.fma %[[SCALED]], %{{.*}}, %{{.*}} : f32
func.func @scale_of_wider(%x: memref<64xf32>, %y: f64) {
  %per = arith.constant 7.8740157480314960e-03 : f64
  %m = math.absf %y : f64
  %raw = arith.mulf %m, %per : f64
  %narrow = arith.truncf %raw : f64 to f32
  %tiny = arith.constant 1.0e-12 : f32
  %s = arith.maximumf %narrow, %tiny : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %q = arith.divf %v, %s : f32
    %r = math.roundeven %q : f32
    memref.store %r, %x[%i] : memref<64xf32>
  }
  return
}

// Three are divided.
// CHECK-LABEL: @few
// CHECK-COUNT-3: ptx.div_full
func.func @few(%a: f32, %b: f32, %c: f32, %y: f32) -> (f32, f32, f32) {
  %0 = arith.divf %a, %y : f32
  %1 = arith.divf %b, %y : f32
  %2 = arith.divf %c, %y : f32
  return %0, %1, %2 : f32, f32, f32
}

// Where a result is rounded to 16 bits e^x is a power of two; its subnormal results are not flushed.
// CHECK-LABEL: @rounded_exponential
// CHECK: %[[P:.*]] = arith.mulf
// CHECK-NEXT: ptx.ex2 %[[P]] : f32
// CHECK-NEXT: return
func.func @rounded_exponential(%x: f32) -> f32 {
  %y = math.exp %x fastmath<reassoc> : f32
  return %y : f32
}

// What computes an operand bounds it: no power of two is reduced, nothing is clamped, no divisor is scaled.
// CHECK-LABEL: @bounded_exponential
// CHECK: %[[S:.*]] = arith.ori
// CHECK-NEXT: %[[T:.*]] = arith.bitcast %[[S]]
// CHECK: %[[P:.*]] = arith.mulf %[[T]]
// CHECK-NEXT: ptx.ex2 %[[P]] ftz
// CHECK-NEXT: return
func.func @bounded_exponential(%x: f32) -> f32 {
  %t = math.tanh %x : f32
  %e = math.exp %t : f32
  return %e : f32
}

// CHECK-LABEL: @finite_exponential
// CHECK-NOT: numf
// CHECK: ptx.ex2
// CHECK: return
func.func @finite_exponential(%x: f32) -> f32 {
  %lo = arith.constant -80.0 : f32
  %hi = arith.constant 80.0 : f32
  %m = arith.maximumf %x, %lo : f32
  %b = arith.minimumf %m, %hi : f32
  %e = math.exp %b : f32
  return %e : f32
}

// CHECK-LABEL: @bounded_divisor
// CHECK: arith.ori
// CHECK: %[[S:.*]] = arith.addf
// CHECK: %[[R:.*]] = ptx.rcp %[[S]] ftz
// CHECK-NEXT: arith.mulf %{{.*}}, %[[R]]
// CHECK-NEXT: return
func.func @bounded_divisor(%x: f32, %y: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %t = math.tanh %y : f32
  %a = math.absf %t : f32
  %s = arith.addf %a, %one : f32
  %q = arith.divf %x, %s : f32
  return %q : f32
}

// One of at least 1 may be infinite: a quarter of it is not too large for a reciprocal, or has none but zero.
// CHECK-LABEL: @divisor_from_one_on
// CHECK: %[[Q:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: ptx.rcp %{{.*}} ftz
// CHECK-NOT: ptx.div_full
// CHECK: return
func.func @divisor_from_one_on(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %n = arith.negf %x : f32
  %e = math.exp %n : f32
  %s = arith.addf %e, %one : f32
  %q = arith.divf %x, %s : f32
  return %q : f32
}

// Without a lower bound above zero, and of one that is a number of any sign, nothing is known.
// CHECK-LABEL: @divisor_of_any_size
// CHECK: ptx.div_full
// CHECK: ptx.div_full
func.func @divisor_of_any_size(%x: f32, %y: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %a = math.absf %y : f32
  %q = arith.divf %x, %a : f32
  %s = arith.addf %y, %one : f32
  %r = arith.divf %x, %s : f32
  return %q, %r : f32, f32
}

// CHECK-LABEL: @magnitude
// CHECK-NOT: {{copysign|arith.ori}}
// CHECK: return
func.func @magnitude(%x: f32) -> (f32, f32) {
  %a = math.absf %x : f32
  %t = math.tanh %a : f32
  %e = math.erf %a : f32
  return %t, %e : f32, f32
}

// Logarithms from one on are not negative, but the chip's own may be.
// CHECK-LABEL: @logarithm
// CHECK-NOT: {{copysign|arith.ori}}
// CHECK: return
func.func @logarithm(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %a = math.absf %x : f32
  %s = arith.addf %a, %one : f32
  %l = math.log %s : f32
  %t = math.tanh %l : f32
  return %t : f32
}
// CHECK-LABEL: @approximate_logarithm
// CHECK: arith.ori
// CHECK: return
func.func @approximate_logarithm(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %a = math.absf %x : f32
  %s = arith.addf %a, %one : f32
  %l = math.log %s fastmath<afn> : f32
  %t = math.tanh %l : f32
  return %t : f32
}

// A quotient that is rounded keeps no note.
// CHECK-LABEL: @rounded_bounded
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
func.func @rounded_bounded(%x: f32, %y: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %a = math.absf %y : f32
  %s = arith.addf %a, %one : f32
  %q = arith.divf %x, %s : f32
  %r = math.roundeven %q : f32
  return %r : f32
}

// Sums with 1 that end up rounded are formulas of their own: 2 / (1 + e^-2x), and the approximation of erfc.
// CHECK-LABEL: @one_and_tanh
// CHECK: arith.constant -2.885390e+00
// CHECK: %[[P:.*]] = ptx.ex2 %{{.*}} ftz
// CHECK: %[[D:.*]] = math.fma %[[P]]
// CHECK-NEXT: %[[R:.*]] = ptx.rcp %[[D]] ftz
// CHECK-NEXT: return %[[R]]
func.func @one_and_tanh(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %t = math.tanh %x fastmath<reassoc> : f32
  %y = arith.addf %t, %one : f32
  return %y : f32
}
// CHECK-LABEL: @one_less_erf
// CHECK: arith.minimumf
// CHECK-COUNT-8: math.fma
// CHECK-NOT: math.fma
// CHECK: ptx.ex2
// CHECK-NOT: ptx.rcp
// CHECK: return
func.func @one_less_erf(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %e = math.erf %x fastmath<reassoc> : f32
  %y = arith.subf %one, %e : f32
  return %y : f32
}

// The sign of a number is taken from what it was widened to, not from a half of a word.
// CHECK-LABEL: @sign_of_a_widened_number
// CHECK: %[[W:.*]] = arith.extf
// CHECK: %[[B:.*]] = arith.bitcast %[[W]]
// CHECK: %[[S:.*]] = arith.andi %[[B]]
// CHECK: arith.ori %[[S]]
// CHECK-NOT: copysign
// CHECK: return
func.func @sign_of_a_widened_number(%x: bf16) -> f32 {
  %w = arith.extf %x : bf16 to f32
  %t = math.tanh %w : f32
  return %t : f32
}
