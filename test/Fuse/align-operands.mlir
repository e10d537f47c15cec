// fuse-align-operands: operands of products with rows of no whole 16 bytes are copied to wider ones, which begin with a
// line of L2 where they are long, once for all products that read them; the products see no more columns than there
// were. So are those of small products of a long K; others stay as they are, for the copies cost more than they gain.
// RUN: tw-opt %s --fuse-align-operands | FileCheck %s

// CHECK-LABEL: func.func @large
// CHECK: %[[A:.*]] = graph.pad %arg0 low = [0, 0] high = [0, 61]
// CHECK: %[[B:.*]] = graph.pad %arg1 low = [0, 0] high = [0, 61] {{.*}} to tensor<4097x4160xbf16>
// CHECK: %[[T:.*]] = graph.transpose %[[B]] {{.*}} to tensor<4160x4097xbf16>
// CHECK: graph.matmul %[[A]], %[[T]] : {{.*}} to tensor<4095x4097xf32>
// CHECK: %[[C:.*]] = graph.pad %arg2 low = [0, 0] high = [61, 63]
// CHECK: %[[N:.*]] = graph.slice %[[C]] {{.*}} tensor<4160x4160xbf16> to tensor<4160x4097xbf16>
// CHECK: graph.matmul %[[A]], %[[N]] : {{.*}} to tensor<4095x4097xf32>
func.func @large(%a: tensor<4095x4099xbf16>, %b: tensor<4097x4099xbf16>, %c: tensor<4099x4097xbf16>)
    -> (tensor<4095x4097xf32>, tensor<4095x4097xf32>) {
  %t = graph.transpose %b permutation = [1, 0] : tensor<4097x4099xbf16> to tensor<4099x4097xbf16>
  %0 = graph.matmul %a, %t : tensor<4095x4099xbf16>, tensor<4099x4097xbf16> to tensor<4095x4097xf32>
  %1 = graph.matmul %a, %c : tensor<4095x4099xbf16>, tensor<4099x4097xbf16> to tensor<4095x4097xf32>
  return %0, %1 : tensor<4095x4097xf32>, tensor<4095x4097xf32>
}

// CHECK-LABEL: func.func @small
// CHECK-NOT: graph.pad
func.func @small(%a: tensor<95x99xbf16>, %b: tensor<99x97xbf16>) -> tensor<95x97xf32> {
  %0 = graph.matmul %a, %b : tensor<95x99xbf16>, tensor<99x97xbf16> to tensor<95x97xf32>
  return %0 : tensor<95x97xf32>
}

// CHECK-LABEL: func.func @long
// CHECK: graph.pad %arg0 low = [0, 0] high = [0, 37]
// CHECK: graph.pad %arg1 low = [0, 0] high = [37, 5]
func.func @long(%a: tensor<15x1499xbf16>, %b: tensor<1499x67xbf16>) -> tensor<15x67xf32> {
  %0 = graph.matmul %a, %b : tensor<15x1499xbf16>, tensor<1499x67xbf16> to tensor<15x67xf32>
  return %0 : tensor<15x67xf32>
}

// Rows of whole 16 bytes, and types that are no 16-bit ones, stay.
// CHECK-LABEL: func.func @aligned
// CHECK-NOT: graph.pad
func.func @aligned(%a: tensor<4095x4096xbf16>, %b: tensor<4096x4104xbf16>, %c: tensor<4095x4099xf32>, %d: tensor<4099x4097xf32>)
    -> (tensor<4095x4104xf32>, tensor<4095x4097xf32>) {
  %0 = graph.matmul %a, %b : tensor<4095x4096xbf16>, tensor<4096x4104xbf16> to tensor<4095x4104xf32>
  %1 = graph.matmul %c, %d : tensor<4095x4099xf32>, tensor<4099x4097xf32> to tensor<4095x4097xf32>
  return %0, %1 : tensor<4095x4104xf32>, tensor<4095x4097xf32>
}
