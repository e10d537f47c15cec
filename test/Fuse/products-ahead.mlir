// fuse-products-ahead: products of one row that read another product's result are products again where a ring fetches their weights
// ahead; the first one stays sums, and so does one behind a norm, of a small matrix, of a computed one, and for other chips.
// RUN: tw-opt %s --fuse-products-ahead --canonicalize | FileCheck %s
// RUN: tw-opt %s --fuse-products-ahead=target=sm_80 --canonicalize | FileCheck %s --check-prefix=OTHER
// RUN: tw-compile %S/Inputs/products-ahead.mlir --target=sm_90a --emit=fuse -o - --precision=bf16 | FileCheck %s --check-prefix=STAGE
// RUN: tw-check %S/Inputs/products-ahead.mlir --target=sm_90a --precision=bf16 | FileCheck %s --check-prefix=VALUES
// OTHER-NOT: graph.matmul
// VALUES: 1 programs right, 0 wrong
// STAGE: anchor(reduction)
// STAGE: anchor(matmul)
// STAGE: anchor(matmul)

// CHECK-LABEL: @chain
// CHECK: graph.reduce
// CHECK: math.tanh
// CHECK: %[[V:.*]] = graph.reshape %{{.*}} : tensor<1024xbf16> to tensor<1x1024xbf16>
// CHECK: %[[W:.*]] = graph.transpose %arg2 permutation = [1, 0]
// CHECK: graph.matmul %[[V]], %[[W]] : tensor<1x1024xbf16>, tensor<1024x2048xbf16> to tensor<1x2048xf32>
func.func @chain(%x: tensor<2048xbf16>, %u: tensor<1024x2048xbf16>, %w: tensor<2048x1024xbf16>) -> tensor<2048xbf16> {
  %v0 = arith.extf %x : tensor<2048xbf16> to tensor<2048xf32>
  %b0 = graph.broadcast %v0 dims = [1] : tensor<2048xf32> to tensor<1024x2048xf32>
  %m0 = arith.extf %u : tensor<1024x2048xbf16> to tensor<1024x2048xf32>
  %p0 = arith.mulf %b0, %m0 : tensor<1024x2048xf32>
  %s0 = graph.reduce sum %p0 dims = [1] : tensor<1024x2048xf32> to tensor<1024xf32>
  %t0 = arith.truncf %s0 : tensor<1024xf32> to tensor<1024xbf16>
  %e = arith.extf %t0 : tensor<1024xbf16> to tensor<1024xf32>
  %h = math.tanh %e : tensor<1024xf32>
  %g = arith.truncf %h : tensor<1024xf32> to tensor<1024xbf16>
  %v1 = arith.extf %g : tensor<1024xbf16> to tensor<1024xf32>
  %b1 = graph.broadcast %v1 dims = [1] : tensor<1024xf32> to tensor<2048x1024xf32>
  %m1 = arith.extf %w : tensor<2048x1024xbf16> to tensor<2048x1024xf32>
  %p1 = arith.mulf %b1, %m1 : tensor<2048x1024xf32>
  %s1 = graph.reduce sum %p1 dims = [1] : tensor<2048x1024xf32> to tensor<2048xf32>
  %t1 = arith.truncf %s1 : tensor<2048xf32> to tensor<2048xbf16>
  return %t1 : tensor<2048xbf16>
}

// CHECK-LABEL: @behind_a_norm
// CHECK-NOT: graph.matmul
func.func @behind_a_norm(%x: tensor<2048xbf16>, %u: tensor<1024x2048xbf16>, %w: tensor<2048x1024xbf16>) -> tensor<2048xbf16> {
  %v0 = arith.extf %x : tensor<2048xbf16> to tensor<2048xf32>
  %b0 = graph.broadcast %v0 dims = [1] : tensor<2048xf32> to tensor<1024x2048xf32>
  %m0 = arith.extf %u : tensor<1024x2048xbf16> to tensor<1024x2048xf32>
  %p0 = arith.mulf %b0, %m0 : tensor<1024x2048xf32>
  %s0 = graph.reduce sum %p0 dims = [1] : tensor<1024x2048xf32> to tensor<1024xf32>
  %t0 = arith.truncf %s0 : tensor<1024xf32> to tensor<1024xbf16>
  %e = arith.extf %t0 : tensor<1024xbf16> to tensor<1024xf32>
  %a = math.absf %e : tensor<1024xf32>
  %l = graph.reduce max %a dims = [0] : tensor<1024xf32> to tensor<f32>
  %lb = graph.broadcast %l dims = [] : tensor<f32> to tensor<1024xf32>
  %g = arith.truncf %lb : tensor<1024xf32> to tensor<1024xbf16>
  %v1 = arith.extf %g : tensor<1024xbf16> to tensor<1024xf32>
  %b1 = graph.broadcast %v1 dims = [1] : tensor<1024xf32> to tensor<2048x1024xf32>
  %m1 = arith.extf %w : tensor<2048x1024xbf16> to tensor<2048x1024xf32>
  %p1 = arith.mulf %b1, %m1 : tensor<2048x1024xf32>
  %s1 = graph.reduce sum %p1 dims = [1] : tensor<2048x1024xf32> to tensor<2048xf32>
  %t1 = arith.truncf %s1 : tensor<2048xf32> to tensor<2048xbf16>
  return %t1 : tensor<2048xbf16>
}

// CHECK-LABEL: @small
// CHECK-NOT: graph.matmul
func.func @small(%x: tensor<1024xbf16>, %u: tensor<1024x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<1024xbf16> {
  %v0 = arith.extf %x : tensor<1024xbf16> to tensor<1024xf32>
  %b0 = graph.broadcast %v0 dims = [1] : tensor<1024xf32> to tensor<1024x1024xf32>
  %m0 = arith.extf %u : tensor<1024x1024xbf16> to tensor<1024x1024xf32>
  %p0 = arith.mulf %b0, %m0 : tensor<1024x1024xf32>
  %s0 = graph.reduce sum %p0 dims = [1] : tensor<1024x1024xf32> to tensor<1024xf32>
  %t0 = arith.truncf %s0 : tensor<1024xf32> to tensor<1024xbf16>
  %v1 = arith.extf %t0 : tensor<1024xbf16> to tensor<1024xf32>
  %b1 = graph.broadcast %v1 dims = [1] : tensor<1024xf32> to tensor<1024x1024xf32>
  %m1 = arith.extf %w : tensor<1024x1024xbf16> to tensor<1024x1024xf32>
  %p1 = arith.mulf %b1, %m1 : tensor<1024x1024xf32>
  %s1 = graph.reduce sum %p1 dims = [1] : tensor<1024x1024xf32> to tensor<1024xf32>
  %t1 = arith.truncf %s1 : tensor<1024xf32> to tensor<1024xbf16>
  return %t1 : tensor<1024xbf16>
}

// CHECK-LABEL: @computed_matrix
// CHECK-NOT: graph.matmul
func.func @computed_matrix(%x: tensor<2048xbf16>, %u: tensor<1024x2048xbf16>, %w: tensor<2048x1024xbf16>) -> tensor<2048xbf16> {
  %v0 = arith.extf %x : tensor<2048xbf16> to tensor<2048xf32>
  %b0 = graph.broadcast %v0 dims = [1] : tensor<2048xf32> to tensor<1024x2048xf32>
  %m0 = arith.extf %u : tensor<1024x2048xbf16> to tensor<1024x2048xf32>
  %p0 = arith.mulf %b0, %m0 : tensor<1024x2048xf32>
  %s0 = graph.reduce sum %p0 dims = [1] : tensor<1024x2048xf32> to tensor<1024xf32>
  %t0 = arith.truncf %s0 : tensor<1024xf32> to tensor<1024xbf16>
  %n = arith.negf %w : tensor<2048x1024xbf16>
  %v1 = arith.extf %t0 : tensor<1024xbf16> to tensor<1024xf32>
  %b1 = graph.broadcast %v1 dims = [1] : tensor<1024xf32> to tensor<2048x1024xf32>
  %m1 = arith.extf %n : tensor<2048x1024xbf16> to tensor<2048x1024xf32>
  %p1 = arith.mulf %b1, %m1 : tensor<2048x1024xf32>
  %s1 = graph.reduce sum %p1 dims = [1] : tensor<2048x1024xf32> to tensor<2048xf32>
  %t1 = arith.truncf %s1 : tensor<2048xf32> to tensor<2048xbf16>
  return %t1 : tensor<2048xbf16>
}
