// Where runs of memory are short in two orders and go on in the same long dimension, what is taken of it was a few
// elements: blocks of one warp had 64 elements each.
// RUN: tw-compile %s --emit=schedule -o - --target=sm_90a | FileCheck %s
// CHECK: tile.kernel @{{.*}} grid = [9894, 1, 1] warps = 8
// CHECK: tile = [128, 2, 4, 2], reduce = 1, warps = 8
func.func @main(%x: tensor<202x12538x8xf32>, %y: tensor<202x8xf32>)
    -> (tensor<1266338x2x8xf32>, tensor<202x12538x8xf32>, tensor<1201358x8x2xf32>, tensor<1266338x8x2xf32>) {
  %0 = graph.reshape %x : tensor<202x12538x8xf32> to tensor<1266338x8x2xf32>
  %1 = graph.broadcast %y dims = [0, 2] : tensor<202x8xf32> to tensor<202x12538x8xf32>
  %2 = arith.addf %x, %1 : tensor<202x12538x8xf32>
  %3 = graph.slice %0 offsets = [6493, 0, 0] strides = [1, 1, 1] : tensor<1266338x8x2xf32> to tensor<1201358x8x2xf32>
  %4 = graph.transpose %0 permutation = [0, 2, 1] : tensor<1266338x8x2xf32> to tensor<1266338x2x8xf32>
  return %4, %2, %3, %0 : tensor<1266338x2x8xf32>, tensor<202x12538x8xf32>, tensor<1201358x8x2xf32>, tensor<1266338x8x2xf32>
}
