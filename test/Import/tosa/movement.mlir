// tosa's data movement, reductions and products.
// RUN: tw-opt %s --convert-upstream-to-graph | FileCheck %s

// CHECK-LABEL: @moves
// CHECK: graph.transpose %arg0 permutation = [1, 0]
// CHECK: graph.reshape %arg0 : tensor<2x3xf32> to tensor<6xf32>
// CHECK: graph.slice %arg0 offsets = [0, 2] strides = [1, -1] : tensor<2x3xf32> to tensor<2x3xf32>
// CHECK: graph.slice %arg0 offsets = [0, 1] strides = [1, 1] : tensor<2x3xf32> to tensor<2x2xf32>
// Repetitions are a dimension before the one that is repeated.
// CHECK: graph.broadcast %{{.*}} dims = [0, 1, 2, 3] : tensor<1x2x1x3xf32> to tensor<2x2x1x3xf32>
// CHECK: graph.pad %arg0 low = [1, 0] high = [0, 2] value = 1.500000e+00 : f32
func.func @moves(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<6xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<4x3xf32>, tensor<3x5xf32>) {
  %shape = tosa.const_shape {values = dense<[6]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %start = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %times = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %around = tosa.const_shape {values = dense<[1, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %value = "tosa.const"() <{values = dense<1.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = tosa.reshape %x, %shape : (tensor<2x3xf32>, !tosa.shape<1>) -> tensor<6xf32>
  %2 = tosa.reverse %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = tosa.slice %x, %start, %size : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
  %4 = tosa.tile %x, %times : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
  %5 = tosa.pad %x, %around, %value : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3x2xf32>, tensor<6xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<4x3xf32>, tensor<3x5xf32>
}

// The tables of all batches are one table.
// CHECK-LABEL: @rows
// CHECK: %[[B:.*]] = graph.iota dim = 0 : tensor<2x4xi32>
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %arg1
// CHECK: %[[T:.*]] = graph.reshape %arg0 : tensor<2x9x5xf32> to tensor<18x5xf32>
// CHECK: graph.gather %[[T]][%[[I]]] dim = 0
// CHECK: graph.scatter set %arg2 into %arg0[%arg1] batch = 1
func.func @rows(%x: tensor<2x9x5xf32>, %i: tensor<2x4xi32>, %u: tensor<2x4x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x9x5xf32>) {
  %0 = tosa.gather %x, %i : (tensor<2x9x5xf32>, tensor<2x4xi32>) -> tensor<2x4x5xf32>
  %1 = tosa.scatter %x, %i, %u : (tensor<2x9x5xf32>, tensor<2x4xi32>, tensor<2x4x5xf32>) -> tensor<2x9x5xf32>
  return %0, %1 : tensor<2x4x5xf32>, tensor<2x9x5xf32>
}

// CHECK-LABEL: @reductions
// CHECK: %[[S:.*]] = graph.reduce sum %arg0 dims = [1] : tensor<4x8xf32> to tensor<4xf32>
// CHECK: graph.reshape %[[S]] : tensor<4xf32> to tensor<4x1xf32>
// CHECK: graph.arg_reduce max %arg0 dim = 0 : tensor<4x8xf32> to tensor<8xi32>
// CHECK: graph.matmul %arg1, %arg2 : tensor<1x3x4xi8>, tensor<1x4x2xi8> to tensor<1x3x2xi32>
// With zero points, operands are widened and centred first.
// CHECK: %[[A:.*]] = arith.subi
// CHECK: %[[B:.*]] = arith.extsi %arg2
// CHECK: graph.matmul %[[A]], %[[B]] : tensor<1x3x4xi32>, tensor<1x4x2xi32> to tensor<1x3x2xi32>
func.func @reductions(%x: tensor<4x8xf32>, %a: tensor<1x3x4xi8>, %b: tensor<1x4x2xi8>) -> (tensor<4x1xf32>, tensor<8xi32>, tensor<1x3x2xi32>, tensor<1x3x2xi32>) {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %za = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = tosa.argmax %x {axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<8xi32>
  %2 = tosa.matmul %a, %b, %zero, %zero : (tensor<1x3x4xi8>, tensor<1x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x2xi32>
  %3 = tosa.matmul %a, %b, %za, %zero : (tensor<1x3x4xi8>, tensor<1x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x2xi32>
  return %0, %1, %2, %3 : tensor<4x1xf32>, tensor<8xi32>, tensor<1x3x2xi32>, tensor<1x3x2xi32>
}
