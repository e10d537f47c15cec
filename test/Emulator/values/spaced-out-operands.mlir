// Products whose operands are parts of matrices that begin anywhere in 16 bytes, transposed or not, of one matrix and several, with
// copies of them (fuse-align-operands): no number changes, and kernels read the copies.
// RUN: tw-opt %s --fuse-align-operands=always -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tw-check %t.mlir --quiet
// RUN: tw-check %s --quiet

// CHECK-LABEL: func.func @along_k
// CHECK-COUNT-2: graph.pad
func.func @along_k(%a: tensor<40x90xbf16>, %b: tensor<80x35xbf16>) -> tensor<40x33xf32> {
  %0 = graph.slice %a offsets = [0, 3] strides = [1, 1] : tensor<40x90xbf16> to tensor<40x80xbf16>
  %1 = graph.slice %b offsets = [0, 1] strides = [1, 1] : tensor<80x35xbf16> to tensor<80x33xbf16>
  %2 = graph.matmul %0, %1 : tensor<40x80xbf16>, tensor<80x33xbf16> to tensor<40x33xf32>
  return %2 : tensor<40x33xf32>
}
// Rows from the third on begin at 16 bytes, as all rows do.
// CHECK-LABEL: func.func @later_rows
// CHECK-NOT: graph.pad
func.func @later_rows(%a: tensor<50x64xf16>, %b: tensor<64x32xf16>) -> tensor<40x32xf32> {
  %0 = graph.slice %a offsets = [3, 0] strides = [1, 1] : tensor<50x64xf16> to tensor<40x64xf16>
  %1 = graph.matmul %0, %b : tensor<40x64xf16>, tensor<64x32xf16> to tensor<40x32xf32>
  return %1 : tensor<40x32xf32>
}
// CHECK-LABEL: func.func @transposed
// CHECK: graph.pad
// CHECK: graph.transpose
// CHECK: graph.slice
func.func @transposed(%a: tensor<2x16x64xf16>, %b: tensor<2x40x70xf16>) -> tensor<2x16x40xf32> {
  %0 = graph.slice %b offsets = [0, 0, 5] strides = [1, 1, 1] : tensor<2x40x70xf16> to tensor<2x40x64xf16>
  %1 = graph.transpose %0 permutation = [0, 2, 1] : tensor<2x40x64xf16> to tensor<2x64x40xf16>
  %2 = graph.matmul %a, %1 : tensor<2x16x64xf16>, tensor<2x64x40xf16> to tensor<2x16x40xf32>
  return %2 : tensor<2x16x40xf32>
}
// A part of what is transposed; bytes.
// CHECK-LABEL: func.func @part_of_transposed
// CHECK: graph.pad
func.func @part_of_transposed(%a: tensor<96x40xi8>, %b: tensor<64x32xi8>) -> tensor<32x32xi32> {
  %0 = graph.transpose %a permutation = [1, 0] : tensor<96x40xi8> to tensor<40x96xi8>
  %1 = graph.slice %0 offsets = [7, 2] strides = [1, 1] : tensor<40x96xi8> to tensor<32x64xi8>
  %2 = graph.matmul %1, %b : tensor<32x64xi8>, tensor<64x32xi8> to tensor<32x32xi32>
  return %2 : tensor<32x32xi32>
}
// One row begins where it begins: its stride says nothing.
// CHECK-LABEL: func.func @one_row
// CHECK-NOT: graph.pad
func.func @one_row(%a: tensor<1x67xf16>, %b: tensor<67x32xf16>) -> tensor<1x32xf32> {
  %0 = graph.matmul %a, %b : tensor<1x67xf16>, tensor<67x32xf16> to tensor<1x32xf32>
  return %0 : tensor<1x32xf32>
}
