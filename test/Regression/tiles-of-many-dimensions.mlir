// A tile is looked for among sizes of every dimension, of which there were as many tiles as there are products of sizes: a
// program of 14 dimensions took five seconds, one of more for ever.
// RUN: tw-compile %s --emit=tile -o - | FileCheck %s
// CHECK: tile.kernel
func.func @main(%x: tensor<3x3x3x3x3x3x3x3x3x3x3x3x3x3xf32>, %z: tensor<3x3x3x3x3x3x3x3x3x3x3x3x3x3xf32>) -> tensor<3x3x3x3x3x3x3x3x3x3x3x3x3x3xf32> {
  %0 = graph.transpose %x permutation = [9, 6, 2, 12, 7, 11, 3, 13, 8, 4, 0, 5, 10, 1] : tensor<3x3x3x3x3x3x3x3x3x3x3x3x3x3xf32> to tensor<3x3x3x3x3x3x3x3x3x3x3x3x3x3xf32>
  %1 = arith.addf %0, %z : tensor<3x3x3x3x3x3x3x3x3x3x3x3x3x3xf32>
  return %1 : tensor<3x3x3x3x3x3x3x3x3x3x3x3x3x3xf32>
}
