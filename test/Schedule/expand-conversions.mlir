// tile-expand-conversions: only conversions that need shared memory become store, barrier, load.
// RUN: tw-opt %s --tile-expand-conversions | FileCheck %s

#row = #tile.layout<"{shape=[64,64], register=[[0,1],[0,2],[0,4],[0,8],[0,16]], lane=[[0,32],[1,0],[2,0],[4,0],[8,0]], warp=[[16,0],[32,0]]}">
#column = #tile.layout<"{shape=[64,64], register=[[1,0],[2,0],[4,0],[8,0],[16,0]], lane=[[32,0],[0,1],[0,2],[0,4],[0,8]], warp=[[0,16],[0,32]]}">
#renamed = #tile.layout<"{shape=[64,64], register=[[0,2],[0,1],[0,4],[0,8],[0,16]], lane=[[0,32],[1,0],[2,0],[4,0],[8,0]], warp=[[16,0],[32,0]]}">
#lanes = #tile.layout<"{shape=[64,64], register=[[0,1],[0,2],[0,4],[0,8],[0,16]], lane=[[1,0],[0,32],[2,0],[4,0],[8,0]], warp=[[16,0],[32,0]]}">

// CHECK-LABEL: tile.kernel @across_warps
// CHECK: %[[B:.*]] = tile.alloc : <1, f32,
// CHECK: tile.store_shared %{{.*}}, %[[B]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load_shared %[[B]]
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
tile.kernel @across_warps grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x64xf32, #row>
  %1 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #column>
  tile.return
}

// What several ops take in another layout is converted once.
// CHECK-LABEL: tile.kernel @taken_twice
// CHECK-COUNT-1: tile.store_shared
// CHECK: %[[T:.*]] = tile.load_shared
// CHECK-NOT: tile.store_shared
// CHECK: arith.addf %[[T]], %[[T]]
tile.kernel @taken_twice grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x64xf32, #row>
  %1 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #column>
  %2 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #column>
  %3 = arith.addf %1, %2 : tensor<64x64xf32, #column>
  tile.return
}

// In a loop another barrier keeps the store behind the loads of the iteration before.
// CHECK-LABEL: tile.kernel @in_loop
// CHECK: scf.for
// CHECK: tile.barrier
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load_shared
tile.kernel @in_loop grid = [1, 1, 1] warps = 4 () {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = arith.constant dense<1.0> : tensor<64x64xf32, #row>
  scf.for %i = %c0 to %c8 step %c1 {
    %1 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #column>
  }
  tile.return
}

// Declined: registers of one thread, lanes of one warp.
// CHECK-LABEL: tile.kernel @inside_warps
// CHECK-NOT: tile.alloc
// CHECK-COUNT-2: tile.convert_layout
tile.kernel @inside_warps grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x64xf32, #row>
  %1 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #renamed>
  %2 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #lanes>
  tile.return
}
