// Three results of short odd rows in two orders, of which shared memory has room for two at a time: the third one goes through
// it behind the others.
// RUN: tw-check %s --target=sm_90a --rtol=2e-2
// RUN: tw-compile %s --target=sm_90a --emit=schedule -o - | FileCheck %s

// CHECK: tile.store_run
// CHECK: tile.store_run
// CHECK: tile.send_run
// CHECK: tile.send_run
// CHECK: tile.barrier
// CHECK: tile.store_run
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.send_run
// CHECK-NOT: tile.store
func.func @main(%x: tensor<18x64x64x5x5xbf16>) -> (tensor<64x18x5x64x5xbf16>, tensor<18x64x64x5x5xbf16>, tensor<18x64x64x5x5xbf16>) {
  %0 = arith.extf %x : tensor<18x64x64x5x5xbf16> to tensor<18x64x64x5x5xf32>
  %s = graph.scan sum %0 dim = 4 : tensor<18x64x64x5x5xf32>
  %1 = graph.reduce max %s dims = [4] : tensor<18x64x64x5x5xf32> to tensor<18x64x64x5xf32>
  %2 = graph.broadcast %1 dims = [0, 1, 2, 3] : tensor<18x64x64x5xf32> to tensor<18x64x64x5x5xf32>
  %3 = arith.subf %0, %2 : tensor<18x64x64x5x5xf32>
  %4 = graph.transpose %3 permutation = [1, 0, 3, 2, 4] : tensor<18x64x64x5x5xf32> to tensor<64x18x5x64x5xf32>
  %5 = math.tanh %3 : tensor<18x64x64x5x5xf32>
  %6 = math.exp %3 : tensor<18x64x64x5x5xf32>
  %7 = arith.truncf %4 : tensor<64x18x5x64x5xf32> to tensor<64x18x5x64x5xbf16>
  %8 = arith.truncf %5 : tensor<18x64x64x5x5xf32> to tensor<18x64x64x5x5xbf16>
  %9 = arith.truncf %6 : tensor<18x64x64x5x5xf32> to tensor<18x64x64x5x5xbf16>
  return %7, %8, %9 : tensor<64x18x5x64x5xbf16>, tensor<18x64x64x5x5xbf16>, tensor<18x64x64x5x5xbf16>
}
