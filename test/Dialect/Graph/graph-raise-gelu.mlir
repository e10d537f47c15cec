// GELU as exporters decompose it: erf and tanh forms, in every association, with exact and with rounded constants.
// RUN: tw-opt %s --graph-raise-gelu | FileCheck %s
// RUN: tw-reference %s --entry=all --default-arg=random:5:-4:4 --compare-passes=graph-raise-gelu --rtol=1e-5 --atol=2e-5

// TorchScript: x * (erf(x / sqrt2) + 1) * 0.5
// CHECK-LABEL: @divided_argument
func.func @divided_argument(%x: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NEXT: %[[G:.*]] = graph.gelu erf %arg0 : tensor<64xf32>
  // CHECK-NEXT: return %[[G]]
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %root = arith.constant dense<1.41421354> : tensor<64xf32>
  %0 = arith.divf %x, %root : tensor<64xf32>
  %1 = math.erf %0 : tensor<64xf32>
  %2 = arith.addf %1, %one : tensor<64xf32>
  %3 = arith.mulf %x, %2 : tensor<64xf32>
  %4 = arith.mulf %3, %half : tensor<64xf32>
  return %4 : tensor<64xf32>
}

// The dynamo exporter: (x * 0.5) * (erf(x * 0.7071) + 1), with a sum as x, which must not be multiplied out.
// CHECK-LABEL: @scaled_argument
func.func @scaled_argument(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NEXT: %[[X:.*]] = arith.addf %arg0, %arg1
  // CHECK-NEXT: graph.gelu erf %[[X]]
  // CHECK-NEXT: return
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %root = arith.constant dense<0.7071> : tensor<64xf32>
  %x = arith.addf %a, %b : tensor<64xf32>
  %0 = arith.mulf %x, %root : tensor<64xf32>
  %1 = math.erf %0 : tensor<64xf32>
  %2 = arith.addf %one, %1 : tensor<64xf32>
  %3 = arith.mulf %x, %half : tensor<64xf32>
  %4 = arith.mulf %3, %2 : tensor<64xf32>
  return %4 : tensor<64xf32>
}

// tf2onnx: 0.5 * (1 + erf(..)) first, broadcast from scalars; x a product itself.
// CHECK-LABEL: @cdf_first
func.func @cdf_first(%a: tensor<4x16xf32>, %b: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK: %[[X:.*]] = arith.mulf %arg0, %arg1
  // CHECK-NEXT: graph.gelu erf %[[X]]
  // CHECK-NEXT: return
  %half = arith.constant dense<0.5> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %root = arith.constant dense<0.707106769> : tensor<f32>
  %halves = graph.broadcast %half dims = [] : tensor<f32> to tensor<4x16xf32>
  %ones = graph.broadcast %one dims = [] : tensor<f32> to tensor<4x16xf32>
  %roots = graph.broadcast %root dims = [] : tensor<f32> to tensor<4x16xf32>
  %x = arith.mulf %a, %b : tensor<4x16xf32>
  %0 = arith.mulf %x, %roots : tensor<4x16xf32>
  %1 = math.erf %0 : tensor<4x16xf32>
  %2 = arith.addf %1, %ones : tensor<4x16xf32>
  %3 = arith.mulf %halves, %2 : tensor<4x16xf32>
  %4 = arith.mulf %x, %3 : tensor<4x16xf32>
  return %4 : tensor<4x16xf32>
}

// 0.5 * erf(..) + 0.5
// CHECK-LABEL: @affine_cdf
func.func @affine_cdf(%x: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NEXT: graph.gelu erf %arg0
  // CHECK-NEXT: return
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %root = arith.constant dense<0.707106769> : tensor<64xf32>
  %0 = arith.mulf %x, %root : tensor<64xf32>
  %1 = math.erf %0 : tensor<64xf32>
  %2 = arith.mulf %1, %half : tensor<64xf32>
  %3 = arith.addf %2, %half : tensor<64xf32>
  %4 = arith.mulf %3, %x : tensor<64xf32>
  return %4 : tensor<64xf32>
}

// The "new" GELU of GPT-2: tanh, with pow(x, 3).
// CHECK-LABEL: @tanh_with_power
func.func @tanh_with_power(%x: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NEXT: graph.gelu tanh %arg0
  // CHECK-NEXT: return
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %three = arith.constant dense<3.0> : tensor<64xf32>
  %cubic = arith.constant dense<0.044715> : tensor<64xf32>
  %outer = arith.constant dense<0.79788458> : tensor<64xf32>
  %0 = math.powf %x, %three : tensor<64xf32>
  %1 = arith.mulf %0, %cubic : tensor<64xf32>
  %2 = arith.addf %x, %1 : tensor<64xf32>
  %3 = arith.mulf %2, %outer : tensor<64xf32>
  %4 = math.tanh %3 : tensor<64xf32>
  %5 = arith.addf %4, %one : tensor<64xf32>
  %6 = arith.mulf %x, %half : tensor<64xf32>
  %7 = arith.mulf %6, %5 : tensor<64xf32>
  return %7 : tensor<64xf32>
}

// FastGELU: x * 0.79788 * (1 + 0.044715 * x * x) under the tanh.
// CHECK-LABEL: @tanh_with_products
func.func @tanh_with_products(%x: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NEXT: graph.gelu tanh %arg0
  // CHECK-NEXT: return
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %cubic = arith.constant dense<0.044715> : tensor<64xf32>
  %outer = arith.constant dense<0.79788458> : tensor<64xf32>
  %0 = arith.mulf %cubic, %x : tensor<64xf32>
  %1 = arith.mulf %0, %x : tensor<64xf32>
  %2 = arith.addf %one, %1 : tensor<64xf32>
  %3 = arith.mulf %x, %outer : tensor<64xf32>
  %4 = arith.mulf %3, %2 : tensor<64xf32>
  %5 = math.tanh %4 : tensor<64xf32>
  %6 = arith.addf %one, %5 : tensor<64xf32>
  %7 = arith.mulf %half, %6 : tensor<64xf32>
  %8 = arith.mulf %7, %x : tensor<64xf32>
  return %8 : tensor<64xf32>
}

// Declined: another constant under the erf is another function.
// CHECK-LABEL: @other_constant
func.func @other_constant(%x: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NOT: graph.gelu
  // CHECK: return
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %root = arith.constant dense<0.71> : tensor<64xf32>
  %0 = arith.mulf %x, %root : tensor<64xf32>
  %1 = math.erf %0 : tensor<64xf32>
  %2 = arith.addf %1, %one : tensor<64xf32>
  %3 = arith.mulf %x, %2 : tensor<64xf32>
  %4 = arith.mulf %3, %half : tensor<64xf32>
  return %4 : tensor<64xf32>
}

// Declined: the factor is not the erf's argument.
// CHECK-LABEL: @other_factor
func.func @other_factor(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NOT: graph.gelu
  // CHECK: return
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %root = arith.constant dense<0.707106769> : tensor<64xf32>
  %0 = arith.mulf %x, %root : tensor<64xf32>
  %1 = math.erf %0 : tensor<64xf32>
  %2 = arith.addf %1, %one : tensor<64xf32>
  %3 = arith.mulf %y, %2 : tensor<64xf32>
  %4 = arith.mulf %3, %half : tensor<64xf32>
  return %4 : tensor<64xf32>
}
