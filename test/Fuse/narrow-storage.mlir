// fuse-narrow-storage: the rounding of a product's operand moves up to the op that computes the value.
// RUN: tw-opt %s --fuse-narrow-storage | FileCheck %s
// RUN: tw-opt %s --fuse-narrow-storage=storage=fp16 | FileCheck %s --check-prefix=FP16

// Only roundings to the storage type move.
// FP16-LABEL: func.func @through_movement
// FP16: graph.reshape
// FP16-NEXT: arith.truncf

// Up through movement, which then moves 16-bit elements.
// CHECK-LABEL: func.func @through_movement
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: %[[N:.*]] = arith.truncf %[[E]] : tensor<4x2xf32> to tensor<4x2xbf16>
// CHECK-NEXT: %[[R:.*]] = graph.reshape %[[N]] : tensor<4x2xbf16> to tensor<8xbf16>
// CHECK-NEXT: return %[[R]]
func.func @through_movement(%x: tensor<4x2xf32>) -> tensor<8xbf16> {
  %0 = math.exp %x : tensor<4x2xf32>
  %1 = graph.reshape %0 : tensor<4x2xf32> to tensor<8xf32>
  %2 = arith.truncf %1 : tensor<8xf32> to tensor<8xbf16>
  return %2 : tensor<8xbf16>
}

// Other users take the rounded value, so that only one tensor is stored.
// CHECK-LABEL: func.func @other_users
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: %[[N:.*]] = arith.truncf %[[E]]
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[N]] : tensor<8xbf16> to tensor<8xf32>
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[W]], %[[W]]
// CHECK-NEXT: return %[[N]], %[[S]]
func.func @other_users(%x: tensor<8xf32>) -> (tensor<8xbf16>, tensor<8xf32>) {
  %0 = math.exp %x : tensor<8xf32>
  %1 = arith.truncf %0 : tensor<8xf32> to tensor<8xbf16>
  %2 = arith.addf %0, %0 : tensor<8xf32>
  return %1, %2 : tensor<8xbf16>, tensor<8xf32>
}

// Two roundings of one value are one.
// CHECK-LABEL: func.func @twice
// CHECK: arith.truncf
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @twice(%x: tensor<4x2xf32>) -> (tensor<8xbf16>, tensor<2x4xbf16>) {
  %0 = math.exp %x : tensor<4x2xf32>
  %1 = graph.reshape %0 : tensor<4x2xf32> to tensor<8xf32>
  %2 = arith.truncf %1 : tensor<8xf32> to tensor<8xbf16>
  %3 = graph.transpose %0 permutation = [1, 0] : tensor<4x2xf32> to tensor<2x4xf32>
  %4 = arith.truncf %3 : tensor<2x4xf32> to tensor<2x4xbf16>
  return %2, %4 : tensor<8xbf16>, tensor<2x4xbf16>
}

// Declined: an argument is stored as its owner stores it.
// CHECK-LABEL: func.func @argument(
// CHECK-NEXT: %[[R:.*]] = graph.reshape
// CHECK-NEXT: arith.truncf %[[R]]
func.func @argument(%x: tensor<4x2xf32>) -> tensor<8xbf16> {
  %0 = graph.reshape %x : tensor<4x2xf32> to tensor<8xf32>
  %1 = arith.truncf %0 : tensor<8xf32> to tensor<8xbf16>
  return %1 : tensor<8xbf16>
}
