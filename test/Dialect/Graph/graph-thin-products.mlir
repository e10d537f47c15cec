// graph-thin-products: one row, one column, batches, a transposed matrix, however small; integers of other widths stay.
// RUN: tw-opt %s --graph-thin-products --canonicalize | FileCheck %s

// CHECK-LABEL: @one_row
// CHECK: %[[V:.*]] = graph.reshape %arg0 : tensor<1x8xf32> to tensor<8xf32>
// CHECK: %[[B:.*]] = graph.broadcast %[[V]] dims = [0] : tensor<8xf32> to tensor<8x4xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[B]], %arg1
// CHECK: %[[S:.*]] = graph.reduce sum %[[P]] dims = [0]
// CHECK: graph.reshape %[[S]] : tensor<4xf32> to tensor<1x4xf32>
func.func @one_row(%x: tensor<1x8xf32>, %w: tensor<8x4xf32>) -> tensor<1x4xf32> {
  %r = graph.matmul %x, %w : tensor<1x8xf32>, tensor<8x4xf32> to tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// CHECK-LABEL: @one_column_of_batches
// CHECK: graph.reshape %arg1 : tensor<2x8x1xbf16> to tensor<2x8xbf16>
// CHECK: graph.broadcast %{{.*}} dims = [0, 2] : tensor<2x8xf32> to tensor<2x4x8xf32>
// CHECK: graph.reduce sum %{{.*}} dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
func.func @one_column_of_batches(%w: tensor<2x4x8xbf16>, %x: tensor<2x8x1xbf16>) -> tensor<2x4x1xf32> {
  %r = graph.matmul %w, %x : tensor<2x4x8xbf16>, tensor<2x8x1xbf16> to tensor<2x4x1xf32>
  return %r : tensor<2x4x1xf32>
}

// With K contiguous in memory rows are summed, not columns.
// CHECK-LABEL: @transposed
// CHECK-NOT: graph.transpose
// CHECK: graph.broadcast %arg0 dims = [0, 1] : tensor<1x8xf32> to tensor<4x8xf32>
// CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<4x8xf32> to tensor<4xf32>
func.func @transposed(%x: tensor<1x8xf32>, %w: tensor<4x8xf32>) -> tensor<1x4xf32> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  %r = graph.matmul %x, %t : tensor<1x8xf32>, tensor<8x4xf32> to tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// A matrix that lies across K is summed as it lies.
// CHECK-LABEL: @across
// CHECK-NOT: graph.transpose
// CHECK: graph.broadcast %{{.*}} dims = [0] : tensor<8xf32> to tensor<8x4xf32>
// CHECK: graph.reduce sum %{{.*}} dims = [0] : tensor<8x4xf32> to tensor<4xf32>
func.func @across(%w: tensor<8x4xbf16>, %x: tensor<8x1xbf16>) -> tensor<4x1xf32> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<8x4xbf16> to tensor<4x8xbf16>
  %r = graph.matmul %t, %x : tensor<4x8xbf16>, tensor<8x1xbf16> to tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// However few they are.
// CHECK-LABEL: @small
// CHECK-NOT: graph.matmul
// CHECK: graph.reduce sum
func.func @small(%x: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %r = graph.matmul %x, %w : tensor<1x4xf32>, tensor<4x4xf32> to tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// CHECK-LABEL: @bytes
// CHECK: arith.muli {{.*}} : tensor<8x4xi32>
// CHECK: graph.reduce sum {{.*}} dims = [0] : tensor<8x4xi32> to tensor<4xi32>
func.func @bytes(%x: tensor<1x8xi8>, %w: tensor<8x4xi8>) -> tensor<1x4xi32> {
  %r = graph.matmul %x, %w : tensor<1x8xi8>, tensor<8x4xi8> to tensor<1x4xi32>
  return %r : tensor<1x4xi32>
}

// CHECK-LABEL: @integers
// CHECK: graph.matmul
func.func @integers(%x: tensor<1x8xi16>, %w: tensor<8x4xi16>) -> tensor<1x4xi32> {
  %r = graph.matmul %x, %w : tensor<1x8xi16>, tensor<8x4xi16> to tensor<1x4xi32>
  return %r : tensor<1x4xi32>
}

// CHECK-LABEL: @two_rows
// CHECK: graph.matmul
func.func @two_rows(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>) -> tensor<2x4xf32> {
  %r = graph.matmul %x, %w : tensor<2x8xf32>, tensor<8x4xf32> to tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// Of a matrix whose rows begin at no multiples of 16 bytes two rows are one sum for which it is repeated; so are columns.
// CHECK-LABEL: @two_rows_that_begin_anywhere
// CHECK: %[[W:.*]] = arith.extf %arg1 : tensor<8x9xbf16> to tensor<8x9xf32>
// CHECK: %[[M:.*]] = graph.broadcast %[[W]] dims = [1, 2] : tensor<8x9xf32> to tensor<2x8x9xf32>
// CHECK: %[[X:.*]] = arith.extf %arg0 : tensor<2x8xbf16> to tensor<2x8xf32>
// CHECK: %[[V:.*]] = graph.broadcast %[[X]] dims = [0, 1] : tensor<2x8xf32> to tensor<2x8x9xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[V]], %[[M]]
// CHECK: %[[S:.*]] = graph.reduce sum %[[P]] dims = [1] : tensor<2x8x9xf32> to tensor<2x9xf32>
// CHECK: arith.truncf %[[S]]
func.func @two_rows_that_begin_anywhere(%x: tensor<2x8xbf16>, %w: tensor<8x9xbf16>) -> tensor<2x9xbf16> {
  %r = graph.matmul %x, %w : tensor<2x8xbf16>, tensor<8x9xbf16> to tensor<2x9xbf16>
  return %r : tensor<2x9xbf16>
}

// CHECK-LABEL: @three_columns
// CHECK: graph.transpose %{{.*}} permutation = [1, 0] : tensor<13x3xf32> to tensor<3x13xf32>
// CHECK: graph.reduce sum %{{.*}} dims = [2] : tensor<3x9x13xf32> to tensor<3x9xf32>
// CHECK: graph.transpose %{{.*}} permutation = [1, 0] : tensor<3x9xf32> to tensor<9x3xf32>
// CHECK: graph.reshape %{{.*}} : tensor<9x3xf32> to tensor<1x9x3xf32>
func.func @three_columns(%w: tensor<1x9x13xf32>, %x: tensor<1x13x3xf32>) -> tensor<1x9x3xf32> {
  %r = graph.matmul %w, %x : tensor<1x9x13xf32>, tensor<1x13x3xf32> to tensor<1x9x3xf32>
  return %r : tensor<1x9x3xf32>
}

// CHECK-LABEL: @two_rows_of_whole_vectors
// CHECK: graph.matmul
func.func @two_rows_of_whole_vectors(%x: tensor<2x8xbf16>, %w: tensor<8x16xbf16>) -> tensor<2x16xbf16> {
  %r = graph.matmul %x, %w : tensor<2x8xbf16>, tensor<8x16xbf16> to tensor<2x16xbf16>
  return %r : tensor<2x16xbf16>
}

// CHECK-LABEL: @two_rows_of_batches
// CHECK: graph.matmul
func.func @two_rows_of_batches(%x: tensor<4x2x8xbf16>, %w: tensor<4x8x9xbf16>) -> tensor<4x2x9xbf16> {
  %r = graph.matmul %x, %w : tensor<4x2x8xbf16>, tensor<4x8x9xbf16> to tensor<4x2x9xbf16>
  return %r : tensor<4x2x9xbf16>
}

// Many bytes of a matrix are multiplied with four columns.
// CHECK-LABEL: @four_columns_of_many_rows
// CHECK: graph.matmul
func.func @four_columns_of_many_rows(%w: tensor<2001x1001xbf16>, %x: tensor<1001x4xbf16>) -> tensor<2001x4xbf16> {
  %r = graph.matmul %w, %x : tensor<2001x1001xbf16>, tensor<1001x4xbf16> to tensor<2001x4xbf16>
  return %r : tensor<2001x4xbf16>
}

// A weight is laid in aligned rows.
// CHECK-LABEL: @two_rows_of_a_weight
// CHECK: graph.matmul
func.func @two_rows_of_a_weight(%x: tensor<2x3xf32>) -> tensor<2x13xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0],
                             [2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0],
                             [3.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0]]> : tensor<3x13xf32>
  %r = graph.matmul %x, %w : tensor<2x3xf32>, tensor<3x13xf32> to tensor<2x13xf32>
  return %r : tensor<2x13xf32>
}
