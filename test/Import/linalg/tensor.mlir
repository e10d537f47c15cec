// The tensor dialect: views, pieces, padding, scalars; each op has its line and name as location.
// RUN: tw-opt %s --convert-upstream-to-graph | FileCheck %s
// RUN: tw-opt %s --convert-upstream-to-graph --verify-import-form -o /dev/null

// CHECK-LABEL: @reshapes
// CHECK: graph.reshape %arg0 : tensor<2x6xf32> to tensor<12xf32>
// CHECK: graph.reshape %arg0 : tensor<2x6xf32> to tensor<2x3x2xf32>
func.func @reshapes(%x: tensor<2x6xf32>) -> (tensor<12xf32>, tensor<2x3x2xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 3, 2] : tensor<2x6xf32> into tensor<2x3x2xf32>
  return %0, %1 : tensor<12xf32>, tensor<2x3x2xf32>
}

// CHECK-LABEL: @pieces
// CHECK: %[[S:.*]] = graph.slice %arg0 offsets = [1, 0] strides = [1, 2] : tensor<4x6xf32> to tensor<1x3xf32>
// CHECK: graph.reshape %[[S]] : tensor<1x3xf32> to tensor<3xf32>
// The part of the dimension before, the inserted part, the part after.
// CHECK: %[[ABOVE:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
// CHECK: %[[BELOW:.*]] = graph.slice %arg0 offsets = [3, 0] strides = [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
// CHECK: graph.concat %[[ABOVE]], %arg1, %[[BELOW]] dim = 0
// CHECK: graph.pad %arg0 low = [0, 1] high = [2, 0] value = 1.500000e+00 : f32
// CHECK: graph.concat %arg0, %arg0 dim = 1
func.func @pieces(%x: tensor<4x6xf32>, %y: tensor<2x6xf32>) -> (tensor<3xf32>, tensor<4x6xf32>, tensor<6x7xf32>, tensor<4x12xf32>) {
  %0 = tensor.extract_slice %x[1, 0] [1, 3] [1, 2] : tensor<4x6xf32> to tensor<3xf32>
  %1 = tensor.insert_slice %y into %x[1, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<4x6xf32>
  %value = arith.constant 1.5 : f32
  %2 = tensor.pad %x low[0, 1] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<4x6xf32> to tensor<6x7xf32>
  %3 = tensor.concat dim(1) %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<4x6xf32>, tensor<6x7xf32>, tensor<4x12xf32>
}

// Scalars are tensors of rank 0; an index is an i64.
// CHECK-LABEL: @scalars
// CHECK: %[[E:.*]] = graph.slice %arg0 offsets = [1, 2] strides = [1, 1] : tensor<4x6xf32> to tensor<1x1xf32>
// CHECK: %[[S:.*]] = graph.reshape %[[E]] : tensor<1x1xf32> to tensor<f32>
// CHECK: %[[T:.*]] = arith.addf %[[S]], %[[S]] : tensor<f32>
// CHECK: graph.broadcast %[[T]] dims = [] : tensor<f32> to tensor<3xf32>
// CHECK: graph.iota dim = 0 : tensor<5xi64>
func.func @scalars(%x: tensor<4x6xf32>) -> (tensor<3xf32>, tensor<5xi64>) {
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %s = tensor.extract %x[%i, %j] : tensor<4x6xf32>
  %t = arith.addf %s, %s : f32
  %0 = tensor.splat %t : tensor<3xf32>
  %1 = tensor.generate {
  ^bb0(%n: index):
    %2 = arith.index_cast %n : index to i64
    tensor.yield %2 : i64
  } : tensor<5xi64>
  return %0, %1 : tensor<3xf32>, tensor<5xi64>
}

// What is known of shapes is a constant; bits are read as they are.
// CHECK-LABEL: @shapes_and_bits
// CHECK: graph.reshape %arg0 : tensor<4x6xf32> to tensor<2x12xf32>
// CHECK: arith.bitcast %arg0 : tensor<4x6xf32> to tensor<4x6xi32>
// CHECK: arith.constant dense<6> : tensor<1xi64>
func.func @shapes_and_bits(%x: tensor<4x6xf32>) -> (tensor<2x12xf32>, tensor<4x6xi32>, tensor<1xi64>) {
  %shape = arith.constant dense<[2, 12]> : tensor<2xi64>
  %0 = tensor.reshape %x(%shape) : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<2x12xf32>
  %1 = tensor.bitcast %x : tensor<4x6xf32> to tensor<4x6xi32>
  %i = arith.constant 1 : index
  %d = tensor.dim %x, %i : tensor<4x6xf32>
  %n = arith.index_cast %d : index to i64
  %2 = tensor.from_elements %n : tensor<1xi64>
  return %0, %1, %2 : tensor<2x12xf32>, tensor<4x6xi32>, tensor<1xi64>
}

// RUN: tw-opt %s --convert-upstream-to-graph --mlir-print-debuginfo | FileCheck %s --check-prefix=NAME
// NAME: loc("tensor.collapse_shape:9"(
