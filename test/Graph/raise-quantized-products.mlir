// graph-raise-quantized-products: products of dequantized values become products of the 8-bit ones, with scales of tensors,
// rows and columns behind them; one side alone is multiplied as floats that hold its bytes, its scale behind; what it declines:
// scales along K, one side without a scale. Zero points: unsigned-quantized-products.mlir.
// RUN: tw-opt %s --graph-raise-quantized-products --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @float8
// CHECK: %[[T:.*]] = graph.transpose %arg1 permutation = [1, 0] : tensor<16x32xf8E4M3FN>
// CHECK: %[[P:.*]] = graph.matmul %arg0, %[[T]] : tensor<8x32xf8E4M3FN>, tensor<32x16xf8E4M3FN> to tensor<8x16xf32>
// CHECK: arith.mulf %[[P]]
// CHECK: arith.mulf
// CHECK: arith.truncf %{{.*}} : tensor<8x16xf32> to tensor<8x16xbf16>
func.func @float8(%a: tensor<8x32xf8E4M3FN>, %b: tensor<16x32xf8E4M3FN>, %s: tensor<f32>, %r: tensor<16xf32>) -> tensor<8x16xbf16> {
  %0 = arith.extf %a : tensor<8x32xf8E4M3FN> to tensor<8x32xf32>
  %1 = graph.broadcast %s dims = [] : tensor<f32> to tensor<8x32xf32>
  %2 = arith.mulf %0, %1 : tensor<8x32xf32>
  %3 = arith.extf %b : tensor<16x32xf8E4M3FN> to tensor<16x32xf32>
  %4 = graph.broadcast %r dims = [0] : tensor<16xf32> to tensor<16x32xf32>
  %5 = arith.mulf %4, %3 : tensor<16x32xf32>
  %6 = graph.transpose %5 permutation = [1, 0] : tensor<16x32xf32> to tensor<32x16xf32>
  %7 = arith.truncf %2 : tensor<8x32xf32> to tensor<8x32xbf16>
  %8 = arith.truncf %6 : tensor<32x16xf32> to tensor<32x16xbf16>
  %9 = graph.matmul %7, %8 : tensor<8x32xbf16>, tensor<32x16xbf16> to tensor<8x16xbf16>
  return %9 : tensor<8x16xbf16>
}

// Widened bytes are multiplied as they are.
// CHECK-LABEL: func.func @bytes
// CHECK: graph.matmul %arg0, %arg1 : tensor<8x32xi8>, tensor<32x16xi8> to tensor<8x16xi32>
func.func @bytes(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>) -> tensor<8x16xi32> {
  %0 = arith.extsi %a : tensor<8x32xi8> to tensor<8x32xi32>
  %1 = arith.extsi %b : tensor<32x16xi8> to tensor<32x16xi32>
  %2 = graph.matmul %0, %1 : tensor<8x32xi32>, tensor<32x16xi32> to tensor<8x16xi32>
  return %2 : tensor<8x16xi32>
}

// CHECK-LABEL: func.func @scales_along_k
// CHECK: graph.matmul %{{.*}} : tensor<8x32xf32>
func.func @scales_along_k(%a: tensor<8x32xf8E4M3FN>, %b: tensor<32x16xf8E4M3FN>, %s: tensor<32xf32>) -> tensor<8x16xf32> {
  %0 = arith.extf %a : tensor<8x32xf8E4M3FN> to tensor<8x32xf32>
  %1 = graph.broadcast %s dims = [1] : tensor<32xf32> to tensor<8x32xf32>
  %2 = arith.mulf %0, %1 : tensor<8x32xf32>
  %3 = arith.extf %b : tensor<32x16xf8E4M3FN> to tensor<32x16xf32>
  %4 = graph.matmul %2, %3 : tensor<8x32xf32>, tensor<32x16xf32> to tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @weights_alone
// CHECK: graph.matmul %{{.*}} : tensor<8x32xf32>
func.func @weights_alone(%a: tensor<8x32xf32>, %b: tensor<32x16xf8E4M3FN>) -> tensor<8x16xf32> {
  %0 = arith.extf %b : tensor<32x16xf8E4M3FN> to tensor<32x16xf32>
  %1 = graph.matmul %a, %0 : tensor<8x32xf32>, tensor<32x16xf32> to tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @unsigned_and_zero_points
// CHECK: graph.matmul %{{.*}} : tensor<8x32xi8>
// CHECK: graph.matmul %{{.*}} : tensor<8x32xi8>
func.func @unsigned_and_zero_points(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>) -> (tensor<8x16xi32>, tensor<8x16xi32>) {
  %one = arith.constant dense<1> : tensor<8x32xi32>
  %0 = arith.extui %a : tensor<8x32xi8> to tensor<8x32xi32>
  %1 = arith.extsi %b : tensor<32x16xi8> to tensor<32x16xi32>
  %2 = arith.extsi %a : tensor<8x32xi8> to tensor<8x32xi32>
  %3 = arith.subi %2, %one : tensor<8x32xi32>
  %4 = graph.matmul %0, %1 : tensor<8x32xi32>, tensor<32x16xi32> to tensor<8x16xi32>
  %5 = graph.matmul %3, %1 : tensor<8x32xi32>, tensor<32x16xi32> to tensor<8x16xi32>
  return %4, %5 : tensor<8x16xi32>, tensor<8x16xi32>
}

// One side alone: its bytes as floats of the other side's type, which the product's kernel makes of them.
// CHECK-LABEL: func.func @scaled_weights_alone
// CHECK: %[[T:.*]] = graph.transpose %arg1 permutation = [1, 0] : tensor<16x32xi8>
// CHECK: %[[W:.*]] = arith.sitofp %[[T]] : tensor<32x16xi8> to tensor<32x16xbf16>
// CHECK: %[[P:.*]] = graph.matmul %arg0, %[[W]] : tensor<8x32xbf16>, tensor<32x16xbf16> to tensor<8x16xf32>
// CHECK: %[[S:.*]] = arith.mulf %[[P]], %{{.*}} : tensor<8x16xf32>
// CHECK: arith.truncf %[[S]] : tensor<8x16xf32> to tensor<8x16xbf16>
func.func @scaled_weights_alone(%a: tensor<8x32xbf16>, %b: tensor<16x32xi8>, %s: tensor<16xbf16>) -> tensor<8x16xbf16> {
  %0 = arith.sitofp %b : tensor<16x32xi8> to tensor<16x32xbf16>
  %1 = graph.broadcast %s dims = [0] : tensor<16xbf16> to tensor<16x32xbf16>
  %2 = arith.mulf %0, %1 : tensor<16x32xbf16>
  %3 = graph.transpose %2 permutation = [1, 0] : tensor<16x32xbf16> to tensor<32x16xbf16>
  %4 = graph.matmul %a, %3 : tensor<8x32xbf16>, tensor<32x16xbf16> to tensor<8x16xbf16>
  return %4 : tensor<8x16xbf16>
}

// Less a zero point of all: a difference that 16 bits hold. Of unsigned bytes, on the left.
// CHECK-LABEL: func.func @centred_rows_alone
// CHECK: %[[F:.*]] = arith.uitofp %arg0 : tensor<8x32xi8> to tensor<8x32xf16>
// CHECK: %[[C:.*]] = arith.subf %[[F]], %{{.*}} : tensor<8x32xf16>
// CHECK: graph.matmul %[[C]], %arg1 : tensor<8x32xf16>, tensor<32x16xf16> to tensor<8x16xf32>
func.func @centred_rows_alone(%a: tensor<8x32xi8>, %b: tensor<32x16xf16>, %s: tensor<8xf32>) -> tensor<8x16xf32> {
  %z = arith.constant dense<128> : tensor<8x32xi32>
  %0 = arith.extui %a : tensor<8x32xi8> to tensor<8x32xi32>
  %1 = arith.subi %0, %z : tensor<8x32xi32>
  %2 = arith.sitofp %1 : tensor<8x32xi32> to tensor<8x32xf32>
  %3 = graph.broadcast %s dims = [0] : tensor<8xf32> to tensor<8x32xf32>
  %4 = arith.mulf %2, %3 : tensor<8x32xf32>
  %5 = arith.truncf %4 : tensor<8x32xf32> to tensor<8x32xf16>
  %6 = graph.matmul %5, %b : tensor<8x32xf16>, tensor<32x16xf16> to tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}

// A zero point beyond the bytes' own sign leaves differences that 16 bits may not hold.
// CHECK-LABEL: func.func @another_sign
// CHECK: arith.mulf
// CHECK: graph.matmul
// CHECK-NOT: arith.mulf
func.func @another_sign(%a: tensor<8x32xbf16>, %b: tensor<32x16xi8>, %s: tensor<16xf32>) -> tensor<8x16xf32> {
  %z = arith.constant dense<200> : tensor<32x16xi32>
  %0 = arith.extsi %b : tensor<32x16xi8> to tensor<32x16xi32>
  %1 = arith.subi %0, %z : tensor<32x16xi32>
  %2 = arith.sitofp %1 : tensor<32x16xi32> to tensor<32x16xf32>
  %3 = graph.broadcast %s dims = [1] : tensor<16xf32> to tensor<32x16xf32>
  %4 = arith.mulf %2, %3 : tensor<32x16xf32>
  %5 = arith.truncf %4 : tensor<32x16xf32> to tensor<32x16xbf16>
  %6 = graph.matmul %a, %5 : tensor<8x32xbf16>, tensor<32x16xbf16> to tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}
