// Identities that upstream's folders leave out.
// RUN: tw-opt %s --graph-simplify-arithmetic | FileCheck %s
// RUN: tw-reference %s --entry=all --default-arg=random:3:0.5:2 --compare-passes=graph-simplify-arithmetic

// CHECK-LABEL: @zero
func.func @zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  %1 = arith.addf %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @powers
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[S:.*]] = arith.mulf %arg0, %arg0
  // CHECK-DAG: arith.mulf %{{.*}}, %arg0
  // CHECK-DAG: math.sqrt %arg0
  // CHECK-DAG: math.rsqrt %arg0
  // CHECK-DAG: arith.divf %{{.*}}, %arg0
  // CHECK-NOT: math.powf
  %c2 = arith.constant dense<2.0> : tensor<4xf32>
  %c3 = arith.constant dense<3.0> : tensor<4xf32>
  %ch = arith.constant dense<0.5> : tensor<4xf32>
  %cr = arith.constant dense<-0.5> : tensor<4xf32>
  %ci = arith.constant dense<-1.0> : tensor<4xf32>
  %0 = math.powf %x, %c2 : tensor<4xf32>
  %1 = math.powf %x, %c3 : tensor<4xf32>
  %2 = math.powf %x, %ch : tensor<4xf32>
  %3 = math.powf %x, %cr : tensor<4xf32>
  %4 = math.powf %x, %ci : tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @other_powers
func.func @other_powers(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-COUNT-2: math.powf
  %c = arith.constant dense<2.5> : tensor<4xf32>
  %0 = math.powf %x, %c : tensor<4xf32>
  %1 = math.powf %x, %y : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @division
func.func @division(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[I:.*]] = arith.constant dense<1.250000e-01>
  // CHECK-DAG: arith.mulf %arg0, %[[I]]
  // CHECK-DAG: arith.divf %arg0
  %c8 = arith.constant dense<8.0> : tensor<4xf32>
  %c3 = arith.constant dense<3.0> : tensor<4xf32>
  %0 = arith.divf %x, %c8 : tensor<4xf32>
  %1 = arith.divf %x, %c3 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Bytes become wide floats at once: 16 bits hold them all. Of wider integers they would not.
// CHECK-LABEL: @bytes_at_once
func.func @bytes_at_once(%a: tensor<8xi8>, %b: tensor<8xi8>, %c: tensor<8xi16>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: arith.sitofp %{{.*}} : tensor<8xi8> to tensor<8xf32>
  // CHECK: arith.uitofp %{{.*}} : tensor<8xi8> to tensor<8xf32>
  // CHECK: arith.sitofp %{{.*}} : tensor<8xi16> to tensor<8xbf16>
  // CHECK-NEXT: arith.extf
  %0 = arith.sitofp %a : tensor<8xi8> to tensor<8xbf16>
  %1 = arith.extf %0 : tensor<8xbf16> to tensor<8xf32>
  %2 = arith.uitofp %b : tensor<8xi8> to tensor<8xf16>
  %3 = arith.extf %2 : tensor<8xf16> to tensor<8xf32>
  %4 = arith.sitofp %c : tensor<8xi16> to tensor<8xbf16>
  %5 = arith.extf %4 : tensor<8xbf16> to tensor<8xf32>
  return %1, %3, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
