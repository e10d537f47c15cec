// graph-raise-quantized-products: unsigned bytes and zero points. An unsigned byte is a signed one, its uppermost bit turned, and 128;
// what is the same along K goes behind the product, times the sums of the other side. A zero point for each element of K stays, and
// one that may be beyond those of bytes does where the result is no integer.
// RUN: tw-opt %s --graph-raise-quantized-products --canonicalize | FileCheck %s
// RUN: tw-check %s --target=sm_90a | FileCheck %s --check-prefix=VALUES
// VALUES: 5 programs right, 0 wrong

// CHECK-LABEL: @activations
// CHECK-DAG: %[[TOP:.*]] = arith.constant dense<-128> : tensor<65x96xi8>
// CHECK-DAG: %[[MORE:.*]] = arith.constant dense<128> : tensor<65x40xi32>
// CHECK: %[[A:.*]] = arith.xori %arg0, %[[TOP]]
// CHECK: %[[P:.*]] = graph.matmul %[[A]], %arg1 : tensor<65x96xi8>, tensor<96x40xi8> to tensor<65x40xi32>
// CHECK: %[[O:.*]] = arith.subi %[[MORE]], %{{.*}} : tensor<65x40xi32>
// CHECK: %[[W:.*]] = arith.extsi %arg1
// CHECK: graph.reduce sum %[[W]] dims = [0] : tensor<96x40xi32> to tensor<40xi32>
// CHECK: %[[T:.*]] = arith.muli %[[O]], %{{.*}} : tensor<65x40xi32>
// CHECK: arith.addi %[[P]], %[[T]]
// CHECK-LABEL: @both
// CHECK: graph.matmul {{.*}} : tensor<3x65x96xi8>, tensor<3x96x40xi8> to tensor<3x65x40xi32>
// CHECK-LABEL: @dequantized
// CHECK: graph.matmul {{.*}} : tensor<65x96xi8>, tensor<96x40xi8> to tensor<65x40xi32>
// CHECK-LABEL: @wide_zero_point
// CHECK: graph.matmul {{.*}} : tensor<65x96xf32>, tensor<96x40xf32>
// CHECK-LABEL: @along_k
// CHECK: graph.matmul {{.*}} : tensor<65x96xi32>, tensor<96x40xi32>
func.func @activations(%x: tensor<65x96xi8>, %w: tensor<96x40xi8>, %z: tensor<i8>) -> tensor<65x40xi32> {
  %0 = arith.extui %x : tensor<65x96xi8> to tensor<65x96xi32>
  %1 = arith.extui %z : tensor<i8> to tensor<i32>
  %2 = graph.broadcast %1 dims = [] : tensor<i32> to tensor<65x96xi32>
  %3 = arith.subi %0, %2 : tensor<65x96xi32>
  %4 = arith.extsi %w : tensor<96x40xi8> to tensor<96x40xi32>
  %5 = graph.matmul %3, %4 : tensor<65x96xi32>, tensor<96x40xi32> to tensor<65x40xi32>
  return %5 : tensor<65x40xi32>
}
func.func @both(%x: tensor<3x65x96xi8>, %w: tensor<3x40x96xi8>, %z: tensor<65xi8>, %y: tensor<3x40xi8>) -> tensor<3x65x40xi32> {
  %0 = arith.extui %x : tensor<3x65x96xi8> to tensor<3x65x96xi32>
  %1 = arith.extsi %z : tensor<65xi8> to tensor<65xi32>
  %2 = graph.broadcast %1 dims = [1] : tensor<65xi32> to tensor<3x65x96xi32>
  %3 = arith.subi %0, %2 : tensor<3x65x96xi32>
  %4 = arith.extui %w : tensor<3x40x96xi8> to tensor<3x40x96xi32>
  %5 = arith.extui %y : tensor<3x40xi8> to tensor<3x40xi32>
  %6 = graph.broadcast %5 dims = [0, 1] : tensor<3x40xi32> to tensor<3x40x96xi32>
  %7 = arith.subi %4, %6 : tensor<3x40x96xi32>
  %8 = graph.transpose %7 permutation = [0, 2, 1] : tensor<3x40x96xi32> to tensor<3x96x40xi32>
  %9 = graph.matmul %3, %8 : tensor<3x65x96xi32>, tensor<3x96x40xi32> to tensor<3x65x40xi32>
  return %9 : tensor<3x65x40xi32>
}
func.func @dequantized(%x: tensor<65x96xi8>, %w: tensor<96x40xi8>, %s: tensor<65xf32>, %t: tensor<40xf32>) -> tensor<65x40xf32> {
  %c = arith.constant dense<7> : tensor<65x96xi32>
  %0 = arith.extui %x : tensor<65x96xi8> to tensor<65x96xi32>
  %1 = arith.subi %0, %c : tensor<65x96xi32>
  %2 = arith.sitofp %1 : tensor<65x96xi32> to tensor<65x96xf32>
  %3 = graph.broadcast %s dims = [0] : tensor<65xf32> to tensor<65x96xf32>
  %4 = arith.mulf %2, %3 : tensor<65x96xf32>
  %5 = arith.uitofp %w : tensor<96x40xi8> to tensor<96x40xf32>
  %6 = graph.broadcast %t dims = [1] : tensor<40xf32> to tensor<96x40xf32>
  %7 = arith.mulf %5, %6 : tensor<96x40xf32>
  %8 = graph.matmul %4, %7 : tensor<65x96xf32>, tensor<96x40xf32> to tensor<65x40xf32>
  return %8 : tensor<65x40xf32>
}
func.func @wide_zero_point(%x: tensor<65x96xi8>, %w: tensor<96x40xi8>, %z: tensor<i32>) -> tensor<65x40xf32> {
  %0 = arith.extui %x : tensor<65x96xi8> to tensor<65x96xi32>
  %1 = graph.broadcast %z dims = [] : tensor<i32> to tensor<65x96xi32>
  %2 = arith.subi %0, %1 : tensor<65x96xi32>
  %3 = arith.sitofp %2 : tensor<65x96xi32> to tensor<65x96xf32>
  %4 = arith.sitofp %w : tensor<96x40xi8> to tensor<96x40xf32>
  %5 = graph.matmul %3, %4 : tensor<65x96xf32>, tensor<96x40xf32> to tensor<65x40xf32>
  return %5 : tensor<65x40xf32>
}
func.func @along_k(%x: tensor<65x96xi8>, %w: tensor<96x40xi8>, %z: tensor<96xi8>) -> tensor<65x40xi32> {
  %0 = arith.extui %x : tensor<65x96xi8> to tensor<65x96xi32>
  %1 = arith.extui %z : tensor<96xi8> to tensor<96xi32>
  %2 = graph.broadcast %1 dims = [1] : tensor<96xi32> to tensor<65x96xi32>
  %3 = arith.subi %0, %2 : tensor<65x96xi32>
  %4 = arith.extsi %w : tensor<96x40xi8> to tensor<96x40xi32>
  %5 = graph.matmul %3, %4 : tensor<65x96xi32>, tensor<96x40xi32> to tensor<65x40xi32>
  return %5 : tensor<65x40xi32>
}
