// What is computed of a concatenation is computed of its parts, which are joined last.
// RUN: tw-opt %s --fuse-distribute-concats --split-input-file | FileCheck %s

// Movement and elementwise ops, with another operand cut as well and one that is spread.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<4x6xf32>, %[[Y:.*]]: tensor<4x6xf32>, %[[Z:.*]]: tensor<6x8xf32>, %[[R:.*]]: tensor<6xf32>)
// CHECK-DAG: %[[TX:.*]] = graph.transpose %[[X]] permutation = [1, 0] : tensor<4x6xf32> to tensor<6x4xf32>
// CHECK-DAG: %[[Z0:.*]] = graph.slice %[[Z]] offsets = [0, 0] strides = [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
// CHECK-DAG: %[[Z1:.*]] = graph.slice %[[Z]] offsets = [0, 4] strides = [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
// CHECK-DAG: arith.addf %[[TX]], %[[Z0]] : tensor<6x4xf32>
// CHECK: %[[J:.*]] = graph.concat {{.*}} dim = 1 : tensor<6x4xf32>, tensor<6x4xf32> to tensor<6x8xf32>
// CHECK: return %[[J]]
func.func @chain(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %z: tensor<6x8xf32>, %r: tensor<6xf32>) -> tensor<6x8xf32> {
  %0 = graph.concat %x, %y dim = 0 : tensor<4x6xf32>, tensor<4x6xf32> to tensor<8x6xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<8x6xf32> to tensor<6x8xf32>
  %2 = arith.addf %1, %z : tensor<6x8xf32>
  %3 = graph.broadcast %r dims = [0] : tensor<6xf32> to tensor<6x8xf32>
  %4 = arith.mulf %2, %3 : tensor<6x8xf32>
  %5 = math.exp %4 : tensor<6x8xf32>
  return %5 : tensor<6x8xf32>
}

// -----

// A mean of rows of the whole is one of both parts, which the result takes off each of them.
// CHECK-LABEL: func.func @rows
// CHECK: %[[A:.*]] = graph.reduce sum %arg0 dims = [1] {graph.part} : tensor<4x6xf32> to tensor<4xf32>
// CHECK: %[[B:.*]] = graph.reduce sum %arg1 dims = [1] {graph.part} : tensor<4x6xf32> to tensor<4xf32>
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-COUNT-2: arith.subf {{.*}} : tensor<4x6xf32>
// CHECK: graph.concat {{.*}} dim = 1
func.func @rows(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x12xf32> {
  %0 = graph.concat %x, %y dim = 1 : tensor<4x6xf32>, tensor<4x6xf32> to tensor<4x12xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<4x12xf32> to tensor<4xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x12xf32>
  %3 = arith.subf %0, %2 : tensor<4x12xf32>
  return %3 : tensor<4x12xf32>
}

// -----

// A reshape that keeps the joined dimension together with what is behind it.
// CHECK-LABEL: func.func @reshaped
// CHECK-COUNT-2: graph.reshape {{.*}} : tensor<3x4x6xf32> to tensor<3x2x12xf32>
// CHECK: graph.concat {{.*}} dim = 1 : tensor<3x2x12xf32>, tensor<3x2x12xf32> to tensor<3x4x12xf32>
func.func @reshaped(%x: tensor<3x4x6xf32>, %y: tensor<3x4x6xf32>) -> tensor<3x4x12xf32> {
  %0 = graph.concat %x, %y dim = 1 : tensor<3x4x6xf32>, tensor<3x4x6xf32> to tensor<3x8x6xf32>
  %1 = math.exp %0 : tensor<3x8x6xf32>
  %2 = graph.reshape %1 : tensor<3x8x6xf32> to tensor<3x4x12xf32>
  return %2 : tensor<3x4x12xf32>
}

// -----

// Movement alone: the parts are stored where the whole would be.
// CHECK-LABEL: func.func @moved
// CHECK-COUNT-2: graph.transpose {{.*}} : tensor<4x6xf32> to tensor<6x4xf32>
// CHECK: graph.concat {{.*}} dim = 1
func.func @moved(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<6x8xf32> {
  %0 = graph.concat %x, %y dim = 0 : tensor<4x6xf32>, tensor<4x6xf32> to tensor<8x6xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<8x6xf32> to tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}

// -----

// A product reads the whole.
// CHECK-LABEL: func.func @product
// CHECK: math.exp {{.*}} : tensor<8x6xf32>
func.func @product(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %w: tensor<6x6xf32>) -> tensor<8x6xf32> {
  %0 = graph.concat %x, %y dim = 0 : tensor<4x6xf32>, tensor<4x6xf32> to tensor<8x6xf32>
  %1 = math.exp %0 : tensor<8x6xf32>
  %2 = graph.matmul %1, %w : tensor<8x6xf32>, tensor<6x6xf32> to tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}

// -----

// What else reads %z whole would read it twice.
// CHECK-LABEL: func.func @read_whole
// CHECK: arith.addf {{.*}} : tensor<8x6xf32>
func.func @read_whole(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %z: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = graph.concat %x, %y dim = 0 : tensor<4x6xf32>, tensor<4x6xf32> to tensor<8x6xf32>
  %1 = arith.addf %0, %z : tensor<8x6xf32>
  %2 = math.exp %z : tensor<8x6xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// A running sum over both parts; a gather; parts of different shapes.
// CHECK-LABEL: func.func @whole
// CHECK: math.exp {{.*}} : tensor<8x6xf32>
// CHECK: math.tanh {{.*}} : tensor<6x6xf32>
func.func @whole(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<3xi32>, %z: tensor<2x6xf32>)
    -> (tensor<8x6xf32>, tensor<3x6xf32>, tensor<6x6xf32>) {
  %0 = graph.concat %x, %y dim = 0 : tensor<4x6xf32>, tensor<4x6xf32> to tensor<8x6xf32>
  %1 = math.exp %0 : tensor<8x6xf32>
  %2 = graph.scan sum %1 dim = 0 : tensor<8x6xf32>
  %3 = graph.gather %1[%i] dim = 0 : tensor<8x6xf32>, tensor<3xi32> to tensor<3x6xf32>
  %4 = graph.concat %x, %z dim = 0 : tensor<4x6xf32>, tensor<2x6xf32> to tensor<6x6xf32>
  %5 = math.tanh %4 : tensor<6x6xf32>
  return %2, %3, %5 : tensor<8x6xf32>, tensor<3x6xf32>, tensor<6x6xf32>
}

// -----

// A sum over both parts would have the whole stored: then %z may be read twice.
// CHECK-LABEL: func.func @normalized
// CHECK: arith.mulf {{.*}} : tensor<4xf32>
// CHECK-NOT: tensor<8xf32>, tensor<8xf32>
// CHECK: graph.concat
func.func @normalized(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<6xf32>) {
  %0 = graph.concat %x, %y dim = 0 : tensor<4xf32>, tensor<4xf32> to tensor<8xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<8xf32> to tensor<f32>
  %2 = graph.broadcast %1 dims = [] : tensor<f32> to tensor<8xf32>
  %3 = arith.subf %0, %2 : tensor<8xf32>
  %4 = arith.mulf %3, %z : tensor<8xf32>
  %5 = graph.slice %z offsets = [1] strides = [1] : tensor<8xf32> to tensor<6xf32>
  return %4, %5 : tensor<8xf32>, tensor<6xf32>
}

// -----

// Indices along another dimension select of each part: in front of the joined one by as many dimensions as they have.
// CHECK-LABEL: func.func @gathered
// CHECK-NOT: graph.concat
// CHECK-COUNT-2: graph.gather {{.*}} dim = 2 : tensor<2x4x6xf32>, tensor<5xi32> to tensor<2x4x5xf32>
// CHECK-COUNT-2: graph.gather {{.*}} dim = 0 : tensor<2x4x6xf32>, tensor<3x2xi32> to tensor<3x2x4x6xf32>
// CHECK: graph.concat {{.*}} dim = 1 : tensor<2x4x5xf32>, tensor<2x4x5xf32> to tensor<2x8x5xf32>
// CHECK: graph.concat {{.*}} dim = 2 : tensor<3x2x4x6xf32>, tensor<3x2x4x6xf32> to tensor<3x2x8x6xf32>
func.func @gathered(%x: tensor<2x4x6xf32>, %y: tensor<2x4x6xf32>, %i: tensor<5xi32>, %j: tensor<3x2xi32>)
    -> (tensor<2x8x5xf32>, tensor<3x2x8x6xf32>) {
  %0 = graph.concat %x, %y dim = 1 : tensor<2x4x6xf32>, tensor<2x4x6xf32> to tensor<2x8x6xf32>
  %1 = graph.gather %0[%i] dim = 2 : tensor<2x8x6xf32>, tensor<5xi32> to tensor<2x8x5xf32>
  %2 = graph.gather %0[%j] dim = 0 : tensor<2x8x6xf32>, tensor<3x2xi32> to tensor<3x2x8x6xf32>
  return %1, %2 : tensor<2x8x5xf32>, tensor<3x2x8x6xf32>
}

// -----

// Of equal parts a tile holds the rows of one: those of 12000 elements would not fit twice.
// CHECK-LABEL: func.func @equal_parts
// CHECK: graph.reduce min %arg0 dims = [0, 2] {graph.part} : tensor<3000x6x4xf32> to tensor<6xf32>
// CHECK: arith.subf {{.*}} : tensor<3000x6x4xf32>
// CHECK: graph.concat {{.*}} dim = 2
func.func @equal_parts(%x: tensor<3000x6x4xf32>) -> tensor<3000x6x8xf32> {
  %0 = graph.concat %x, %x dim = 2 : tensor<3000x6x4xf32>, tensor<3000x6x4xf32> to tensor<3000x6x8xf32>
  %1 = graph.reduce min %0 dims = [0, 2] : tensor<3000x6x8xf32> to tensor<6xf32>
  %2 = graph.broadcast %1 dims = [1] : tensor<6xf32> to tensor<3000x6x8xf32>
  %3 = arith.subf %0, %2 : tensor<3000x6x8xf32>
  return %3 : tensor<3000x6x8xf32>
}

// -----

// CHECK-LABEL: func.func @different_parts
// CHECK-SAME: (%[[X:.*]]: tensor<3000x6x4xf32>, %[[Y:.*]]: tensor<3000x6x4xf32>)
// CHECK: %[[J:.*]] = graph.concat %[[X]], %[[Y]] dim = 2
// CHECK: graph.reduce min %[[J]]
func.func @different_parts(%x: tensor<3000x6x4xf32>, %y: tensor<3000x6x4xf32>) -> tensor<3000x6x8xf32> {
  %0 = graph.concat %x, %y dim = 2 : tensor<3000x6x4xf32>, tensor<3000x6x4xf32> to tensor<3000x6x8xf32>
  %1 = graph.reduce min %0 dims = [0, 2] : tensor<3000x6x8xf32> to tensor<6xf32>
  %2 = graph.broadcast %1 dims = [1] : tensor<6xf32> to tensor<3000x6x8xf32>
  %3 = arith.subf %0, %2 : tensor<3000x6x8xf32>
  return %3 : tensor<3000x6x8xf32>
}
