// Reductions of one row beside ops that have all rows, where another op reads the same memory elsewhere: the operand was read
// within bounds that the result did not have, so the wrong block stored it. Found by random programs of parts.
// RUN: tw-check %s --quiet
func.func @index(%x: tensor<3x64xf32>) -> (tensor<1xi32>, tensor<3x64xf32>) {
  %0 = graph.slice %x offsets = [2, 0] strides = [2, 1] : tensor<3x64xf32> to tensor<1x64xf32>
  %1 = graph.arg_reduce min %0 dim = 1 last : tensor<1x64xf32> to tensor<1xi32>
  %2 = graph.slice %x offsets = [1, 0] strides = [1, 1] : tensor<3x64xf32> to tensor<2x64xf32>
  %3 = arith.negf %2 : tensor<2x64xf32>
  %4 = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<3x64xf32> to tensor<1x64xf32>
  %5 = graph.concat %3, %4 dim = 0 : tensor<2x64xf32>, tensor<1x64xf32> to tensor<3x64xf32>
  %6 = arith.mulf %x, %5 : tensor<3x64xf32>
  return %1, %6 : tensor<1xi32>, tensor<3x64xf32>
}
func.func @largest(%x: tensor<8x4x9x17xf32>, %y: tensor<8x4x9x17xf32>) -> (tensor<8x4x9x17xf32>, tensor<8x4x1xf32>, tensor<8x4x9x17xf32>) {
  %0 = graph.slice %x offsets = [0, 0, 5, 0] strides = [1, 1, 2, 1] : tensor<8x4x9x17xf32> to tensor<8x4x1x17xf32>
  %1 = graph.pad %0 low = [0, 0, 0, 0] high = [0, 0, 8, 0] value = -2.0 : f32 : tensor<8x4x1x17xf32> to tensor<8x4x9x17xf32>
  %2 = arith.mulf %y, %1 : tensor<8x4x9x17xf32>
  %3 = graph.reduce max %0 dims = [3] : tensor<8x4x1x17xf32> to tensor<8x4x1xf32>
  %4 = arith.maximumf %x, %y : tensor<8x4x9x17xf32>
  return %2, %3, %4 : tensor<8x4x9x17xf32>, tensor<8x4x1xf32>, tensor<8x4x9x17xf32>
}
