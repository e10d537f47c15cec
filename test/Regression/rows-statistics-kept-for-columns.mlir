// Columns that are kept in shared memory read what belongs to their rows as well, one number for 457 elements side by side where
// dimensions are collapsed. Such numbers were kept element by element, so that a cluster shared what a block has room for: 244 us
// of a program, for 75 modelled.
// RUN: tw-compile %s --target=sm_90a --emulation=off --precision=ieee --emit=schedule -o - | FileCheck %s

// CHECK: tile.kernel
// CHECK-COUNT-1: tile.copy_async
// CHECK-NOT: tile.copy_async
// CHECK-NOT: tile.blocks
func.func @columns(%x: tensor<457x96x457xf32>, %m: tensor<457x96xf32>, %s: tensor<457x96xf32>) -> tensor<457x96x457xf32> {
  %0 = graph.broadcast %m dims = [0, 1] : tensor<457x96xf32> to tensor<457x96x457xf32>
  %1 = graph.broadcast %s dims = [0, 1] : tensor<457x96xf32> to tensor<457x96x457xf32>
  %2 = arith.subf %x, %0 : tensor<457x96x457xf32>
  %3 = arith.mulf %2, %1 : tensor<457x96x457xf32>
  %4 = graph.reduce max %3 dims = [0] : tensor<457x96x457xf32> to tensor<96x457xf32>
  %5 = graph.broadcast %4 dims = [1, 2] : tensor<96x457xf32> to tensor<457x96x457xf32>
  %6 = arith.subf %3, %5 : tensor<457x96x457xf32>
  return %6 : tensor<457x96x457xf32>
}
