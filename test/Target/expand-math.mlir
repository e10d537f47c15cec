// target-expand-math: functions become arithmetic; 16-bit floats go through f32; what NVPTX selects stays.
// RUN: tw-opt %s --target-expand-math | FileCheck %s

// CHECK-LABEL: @rsqrt
// CHECK: %[[ROOT:.*]] = math.sqrt %{{.*}} : f32
// CHECK: arith.divf %{{.*}}, %[[ROOT]] : f32
func.func @rsqrt(%x: f32) -> f32 {
  %y = math.rsqrt %x : f32
  return %y : f32
}

// CHECK-LABEL: @exp_bf16
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK-NOT: math.exp
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @exp_bf16(%x: bf16) -> bf16 {
  %y = math.exp %x : bf16
  return %y : bf16
}

// CHECK-LABEL: @tanh_vector
// CHECK-NOT: math.tanh
// CHECK: math.fma %{{.*}} : vector<4xf32>
func.func @tanh_vector(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.tanh %x : vector<4xf32>
  return %y : vector<4xf32>
}

// CHECK-LABEL: @stays
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: math.fma
// CHECK-NEXT: math.floor
// CHECK-NEXT: arith.divf
func.func @stays(%x: f32) -> f32 {
  %a = math.sqrt %x : f32
  %b = math.fma %a, %x, %x : f32
  %c = math.floor %b : f32
  %d = arith.divf %c, %x : f32
  return %d : f32
}

// The remainder in f64 is 43 exact subtractions of multiples.
// CHECK-LABEL: @remainder_f64
// CHECK-NOT: arith.remf
// CHECK-COUNT-43: math.fma %{{.*}} : f64
// CHECK-NOT: math.fma
// CHECK: return
func.func @remainder_f64(%x: f64, %y: f64) -> f64 {
  %r = arith.remf %x, %y : f64
  return %r : f64
}

// Nothing of erf is left: 1 + erf(x) is erfc(-x), whose tail divides by 1 + 2a.
// CHECK-LABEL: @one_plus_erf
// CHECK: arith.negf
// CHECK-NOT: math.erf
// CHECK: return
func.func @one_plus_erf(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %e = math.erf %x : f32
  %y = arith.addf %e, %one : f32
  return %y : f32
}

// CHECK-LABEL: @fast
// CHECK: %[[SCALED:.*]] = arith.mulf
// CHECK: ptx.ex2 %[[SCALED]] ftz : f32
// CHECK: ptx.tanh %{{.*}} : f32
// CHECK: ptx.sqrt_approx
// CHECK: ptx.lg2
func.func @fast(%x: f32) -> f32 {
  %a = math.exp %x fastmath<afn> : f32
  %b = math.tanh %a fastmath<afn> : f32
  %c = math.sqrt %b fastmath<afn> : f32
  %d = math.log %c fastmath<afn> : f32
  return %d : f32
}

// CHECK-LABEL: @fast_vector
// CHECK-COUNT-2: ptx.ex2 %{{.*}} : f32
// CHECK: vector.from_elements
func.func @fast_vector(%x: vector<2xf32>) -> vector<2xf32> {
  %a = math.exp2 %x fastmath<afn> : vector<2xf32>
  return %a : vector<2xf32>
}

// CHECK-LABEL: @classes
// CHECK: arith.cmpf uno
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf olt
func.func @classes(%x: f32) -> (i1, i1, i1) {
  %a = math.isnan %x : f32
  %b = math.isinf %x : f32
  %c = math.isfinite %x : f32
  return %a, %b, %c : i1, i1, i1
}

// CHECK-LABEL: @sincos
// CHECK-NOT: math.sin
// CHECK: return
func.func @sincos(%x: f32) -> (f32, f32) {
  %s, %c = math.sincos %x : f32
  return %s, %c : f32, f32
}

// CHECK-LABEL: @remainder
// CHECK-COUNT-8: arith.remui %{{.*}} : i64
// CHECK-NOT: arith.remf
func.func @remainder(%x: f32, %y: f32) -> f32 {
  %r = arith.remf %x, %y : f32
  return %r : f32
}

// Bounds that are whole numbers may come before the rounding.
// CHECK-LABEL: @rounded_to_i8
// CHECK: %[[LOW:.*]] = arith.maximumf %arg0, %{{.*}} : f32
// CHECK: %[[SUM:.*]] = arith.addf %[[LOW]], %{{.*}} fastmath<contract> : f32
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
// CHECK: arith.trunci %[[BITS]] : i32 to i8
func.func @rounded_to_i8(%x: f32) -> i8 {
  %least = arith.constant -128.0 : f32
  %whole = math.roundeven %x : f32
  %low = arith.maximumf %whole, %least : f32
  %y = arith.fptosi %low : f32 to i8
  return %y : i8
}

// Not exact: a bound that is no whole number, an integer wider than the sum's exact range.
// CHECK-LABEL: @rounded_otherwise
// CHECK-COUNT-2: arith.fptosi
func.func @rounded_otherwise(%x: f32) -> (i8, i32) {
  %least = arith.constant -1.5 : f32
  %whole = math.roundeven %x : f32
  %low = arith.maximumf %whole, %least : f32
  %y = arith.fptosi %low : f32 to i8
  %z = arith.fptosi %whole : f32 to i32
  return %y, %z : i8, i32
}
