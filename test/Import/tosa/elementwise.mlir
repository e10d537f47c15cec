// tosa's elementwise operators: broadcasts along dimensions of size 1, and the edges that TOSA defines.
// RUN: tw-opt %s --convert-upstream-to-graph | FileCheck %s

// CHECK-LABEL: @broadcasts
// CHECK-NEXT: %[[R:.*]] = graph.broadcast %arg1 dims = [0, 1] : tensor<1x3xf32> to tensor<2x3xf32>
// CHECK-NEXT: %[[S:.*]] = arith.addf %arg0, %[[R]] : tensor<2x3xf32>
// CHECK-NEXT: math.tanh %[[S]]
func.func @broadcasts(%x: tensor<2x3xf32>, %row: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %x, %row : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.tanh %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// A product with a shift has 64 bits, and is rounded.
// CHECK-LABEL: @shifted_product
// CHECK: %[[P:.*]] = arith.muli %{{.*}}, %{{.*}} : tensor<4xi64>
// CHECK: %[[R:.*]] = arith.addi %[[P]], %{{.*}} : tensor<4xi64>
// CHECK: %[[S:.*]] = arith.shrsi %[[R]], %{{.*}} : tensor<4xi64>
// CHECK: arith.trunci %[[S]] : tensor<4xi64> to tensor<4xi32>
func.func @shifted_product(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %shift = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %shift : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Floats become the nearest integer within its range.
// CHECK-LABEL: @casts
// CHECK: %[[N:.*]] = math.roundeven %arg0
// CHECK: arith.cmpf oge, %[[N]]
// CHECK: arith.fptosi %{{.*}} : tensor<4xf32> to tensor<4xi8>
func.func @casts(%x: tensor<4xf32>) -> tensor<4xi8> {
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// CHECK-LABEL: @clamps
// CHECK: arith.maximumf %arg0
// CHECK: arith.minimumf
// CHECK-NOT: arith.cmpf
// CHECK: arith.maximumf %arg0
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %arg0, %arg0
// CHECK: arith.select %[[NAN]]
func.func @clamps(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32, nan_mode = IGNORE} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @rescaled
// CHECK: arith.extsi %arg0 : tensor<4xi32> to tensor<4xi64>
// CHECK: arith.muli
// CHECK: arith.shrsi
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: arith.trunci %{{.*}} : tensor<4xi64> to tensor<4xi8>
func.func @rescaled(%x: tensor<4xi32>) -> tensor<4xi8> {
  %m = "tosa.const"() <{values = dense<1431655765> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %in = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %out = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %in, %out {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
