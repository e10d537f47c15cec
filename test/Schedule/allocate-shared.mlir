// tile-allocate-shared: places by lifetimes, barriers where bytes are used again, scratch for reductions across warps.
// RUN: tw-opt %s --tile-allocate-shared | FileCheck %s

#row = #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">
#one = #tile.layout<"{shape=[1], register=[], lane=[[0],[0],[0],[0],[0]], warp=[[0],[0]]}">
!b = !tile.shared<1, f32, "{shape=[128], order=[0], inner=[1]}">

// Both are alive at the load of the first: they lie side by side.
// CHECK-LABEL: tile.kernel @together
// CHECK-SAME: tile.shared_bytes = 1024
// CHECK: tile.alloc offset = 0
// CHECK: tile.alloc offset = 512
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @together grid = [1, 1, 1] warps = 4 () {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1.0> : tensor<128xf32, #row>
  %1 = tile.alloc : !b
  %2 = tile.alloc : !b
  tile.store_shared %0, %1[%c0] : tensor<128xf32, #row>, !b
  tile.store_shared %0, %2[%c0] : tensor<128xf32, #row>, !b
  %3 = tile.load_shared %1[%c0] : !b -> tensor<128xf32, #row>
  tile.return
}

// The second is written after the first was read: same bytes, and a barrier between.
// CHECK-LABEL: tile.kernel @one_after_the_other
// CHECK-SAME: tile.shared_bytes = 512
// CHECK: tile.alloc offset = 0
// CHECK: tile.alloc offset = 0
// CHECK: tile.load_shared
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store_shared
tile.kernel @one_after_the_other grid = [1, 1, 1] warps = 4 () {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1.0> : tensor<128xf32, #row>
  %1 = tile.alloc : !b
  %2 = tile.alloc : !b
  tile.store_shared %0, %1[%c0] : tensor<128xf32, #row>, !b
  tile.barrier
  %3 = tile.load_shared %1[%c0] : !b -> tensor<128xf32, #row>
  tile.store_shared %0, %2[%c0] : tensor<128xf32, #row>, !b
  tile.return
}

// Partial results of four warps: 4 floats.
// CHECK-LABEL: tile.kernel @across_warps
// CHECK-SAME: tile.shared_bytes = 16
// CHECK: tile.reduce %{{.*}} dim = 0 scratch = 0
tile.kernel @across_warps grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<128xf32, #row>
  %1 = tile.reduce %0 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #one>
  tile.return
}

// Declined: inside a warp shuffles do.
// CHECK-LABEL: tile.kernel @inside_warp
// CHECK-NOT: tile.shared_bytes
// CHECK-NOT: scratch
// CHECK: tile.return
#warp = #tile.layout<"{shape=[32], register=[], lane=[[1],[2],[4],[8],[16]], warp=[]}">
#done = #tile.layout<"{shape=[1], register=[], lane=[[0],[0],[0],[0],[0]], warp=[]}">
tile.kernel @inside_warp grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #warp>
  %1 = tile.reduce %0 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<32xf32, #warp> to tensor<1xf32, #done>
  tile.return
}

// Bytes of one reduction are few: the next one has its own, and no barrier stands between them.
// CHECK-LABEL: tile.kernel @two_reductions
// CHECK-SAME: tile.shared_bytes = 144
// CHECK: tile.reduce %{{.*}} dim = 0 scratch = 0
// CHECK-NOT: tile.barrier
// CHECK: tile.reduce %{{.*}} dim = 0 scratch = 128
tile.kernel @two_reductions grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<128xf32, #row>
  %1 = tile.reduce %0 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #one>
  %2 = tile.reduce %0 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %most = arith.maximumf %a, %b : f32
    tile.yield %most : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #one>
  tile.return
}
