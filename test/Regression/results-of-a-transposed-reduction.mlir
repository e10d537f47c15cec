// Found by random programs: an elementwise op of the shape that a reduction reads through a transpose was given a row-major
// view over the transposed domain, and loaded beyond its operand.
// REQUIRES: emulator
// RUN: tw-check %s | FileCheck %s
// CHECK: 1 programs right, 0 wrong
func.func @sorted_columns(%x: tensor<2x4xf64>) -> (tensor<2x4xf64>, tensor<4xi32>) {
  %0 = graph.top_k %x dim = 0 : tensor<2x4xf64> to tensor<2x4xi32>
  %1 = arith.mulf %x, %x : tensor<2x4xf64>
  %2 = graph.reduce min %0 dims = [0] : tensor<2x4xi32> to tensor<4xi32>
  return %1, %2 : tensor<2x4xf64>, tensor<4xi32>
}
