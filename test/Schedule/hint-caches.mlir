// tile-hint-caches: what the launch touches once takes no place in the caches; what blocks share, what a loop repeats
// and what other warps' accesses have a part of stays as it is.
// RUN: tw-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-hint-caches))" | FileCheck %s

#row = #tile.layout<"{shape=[512], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[[128],[256]]}">
#tile = #tile.layout<"{shape=[4,512], register=[[0,1],[0,2],[0,128],[0,256]], lane=[[0,4],[0,8],[0,16],[0,32],[0,64]], warp=[[1,0],[2,0]]}">
#shared = #tile.layout<"{shape=[1,512], register=[[0,1],[0,2],[0,128],[0,256]], lane=[[0,4],[0,8],[0,16],[0,32],[0,64]], warp=[[0,0],[0,0]]}">
#lane_a_row = #tile.layout<"{shape=[128,4], register=[[0,1],[0,2]], lane=[[1,0],[2,0],[4,0],[8,0],[16,0]], warp=[[32,0],[64,0]]}">
!v = !tile.view<f32, "{offset=0, dims=[{extent=8192, modes=[[8192,1]]}]}">
!rows = !tile.view<f32, "{offset=0, dims=[{extent=4096, modes=[[4096,512]]}, {extent=512, modes=[[512,1]]}]}">
!bias = !tile.view<f32, "{offset=0, dims=[{extent=4096, modes=[[4096,0]]}, {extent=512, modes=[[512,1]]}]}">
!columns = !tile.view<f32, "{offset=0, dims=[{extent=512, modes=[[512,512]]}, {extent=512, modes=[[512,1]]}]}">
!both = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,1024]]}, {extent=1024, modes=[[1024,1]]}]}">
!left = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,1024]]}, {extent=512, modes=[[512,1]]}]}">
!right = !tile.view<f32, "{offset=512, dims=[{extent=16, modes=[[16,1024]]}, {extent=512, modes=[[512,1]]}]}">

// Rows pass by and leave L2 first, as do results; the bias, which all blocks read, stays.
// CHECK-LABEL: tile.kernel @bias
// CHECK: tile.load %{{.*}} {tile.cache = #tile.cache<l1 = no_allocate, l2 = evict_first>}
// CHECK: tile.load %{{.*}} in_bounds = [true, true] :
// CHECK: tile.store %{{.*}} {tile.cache = #tile.cache<l2 = evict_first>}
tile.kernel @bias grid = [1024, 1, 1] warps = 4 (%x: !rows {tile.passing}, %b: !bias, %y: !rows {tile.passing}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %block = tile.block_id 0
  %i = arith.muli %block, %c4 : index
  %a = tile.load %x[%i, %c0] divisors = [4, 0] in_bounds = [true, true] : !rows -> tensor<4x512xf32, #tile>
  %s = tile.load %b[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !bias -> tensor<1x512xf32, #shared>
  %w = tile.broadcast %s : tensor<1x512xf32, #shared> to tensor<4x512xf32, #tile>
  %r = arith.addf %a, %w : tensor<4x512xf32, #tile>
  tile.store %r, %y[%i, %c0] divisors = [4, 0] in_bounds = [true, true] : tensor<4x512xf32, #tile>, !rows
  tile.return
}

// Rows of which a kernel reads all soon: they leave no place in L1 to anyone, and stay in L2.
// CHECK-LABEL: tile.kernel @digits
// CHECK: tile.load %{{.*}} {tile.cache = #tile.cache<l1 = no_allocate>}
// CHECK: tile.store %{{.*}} in_bounds = [true] :
tile.kernel @digits grid = [16, 1, 1] warps = 4 (%x: !v, %y: !v) {
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  %c2048 = arith.constant 2048 : index
  %block = tile.block_id 0
  %low = arith.remui %block, %c4 : index
  %high = arith.divui %block, %c4 : index
  %0 = arith.muli %low, %c512 : index
  %1 = arith.muli %high, %c2048 : index
  %i = arith.addi %0, %1 : index
  %a = tile.load %x[%i] divisors = [512] in_bounds = [true] : !v -> tensor<512xf32, #row>
  tile.store %a, %y[%i] divisors = [512] in_bounds = [true] : tensor<512xf32, #row>, !v
  tile.return
}

// Without the digit above four, blocks read the same tiles.
// CHECK-LABEL: tile.kernel @missing_digit
// CHECK-NOT: tile.cache
tile.kernel @missing_digit grid = [16, 1, 1] warps = 4 (%x: !v {tile.passing}, %y: !v) {
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  %block = tile.block_id 0
  %low = arith.remui %block, %c4 : index
  %i = arith.muli %low, %c512 : index
  %j = arith.muli %block, %c512 : index
  %a = tile.load %x[%i] divisors = [512] in_bounds = [true] : !v -> tensor<512xf32, #row>
  tile.store %a, %y[%j] divisors = [512] in_bounds = [true] : tensor<512xf32, #row>, !v
  tile.return
}

// Two passes over a row: the first one leaves it to the caches, the second one is done with it.
// CHECK-LABEL: tile.kernel @two_passes
// CHECK: scf.for
// CHECK-NEXT: tile.load %{{.*}} in_bounds = [true] :
// CHECK: scf.for
// CHECK-NEXT: tile.load %{{.*}} {tile.cache = #tile.cache<l1 = no_allocate, l2 = evict_first>}
tile.kernel @two_passes grid = [1, 1, 1] warps = 4 (%x: !v {tile.passing}, %y: !v) {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c8192 = arith.constant 8192 : index
  %zero = arith.constant dense<0.0> : tensor<512xf32, #row>
  %s = scf.for %i = %c0 to %c8192 step %c512 iter_args(%sum = %zero) -> tensor<512xf32, #row> {
    %a = tile.load %x[%i] divisors = [512] in_bounds = [true] : !v -> tensor<512xf32, #row>
    %next = arith.addf %sum, %a : tensor<512xf32, #row>
    scf.yield %next : tensor<512xf32, #row>
  }
  scf.for %i = %c0 to %c8192 step %c512 {
    %a = tile.load %x[%i] divisors = [512] in_bounds = [true] : !v -> tensor<512xf32, #row>
    %d = arith.subf %a, %s : tensor<512xf32, #row>
    tile.store %d, %y[%i] divisors = [512] in_bounds = [true] : tensor<512xf32, #row>, !v
  }
  tile.return
}

// A load that does not follow the loop is repeated by it.
// CHECK-LABEL: tile.kernel @repeated
// CHECK-NOT: tile.cache
tile.kernel @repeated grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c8192 = arith.constant 8192 : index
  scf.for %i = %c0 to %c8192 step %c512 {
    %a = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !v -> tensor<512xf32, #row>
    tile.store %a, %y[%i] divisors = [512] in_bounds = [true] : tensor<512xf32, #row>, !v
  }
  tile.return
}

// A lane has a row, and its sector's other half is another warp access's: nothing is said.
// CHECK-LABEL: tile.kernel @half_sectors
// CHECK-NOT: tile.cache
tile.kernel @half_sectors grid = [4, 128, 1] warps = 4 (%x: !columns, %y: !columns) {
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %a = tile.block_id 0
  %b = tile.block_id 1
  %i = arith.muli %a, %c128 : index
  %j = arith.muli %b, %c4 : index
  %t = tile.load %x[%i, %j] divisors = [128, 4] in_bounds = [true, true] : !columns -> tensor<128x4xf32, #lane_a_row>
  tile.store %t, %y[%i, %j] divisors = [128, 4] in_bounds = [true, true] : tensor<128x4xf32, #lane_a_row>, !columns
  tile.return
}

// Halves of one tensor's rows are read once each.
// CHECK-LABEL: tile.kernel @halves
// CHECK-COUNT-2: tile.load %{{.*}} {tile.cache = #tile.cache<l1 = no_allocate>}
tile.kernel @halves grid = [4, 1, 1] warps = 4 (%x: !both, %y: !left) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %left = tile.view %x : !both to !left
  %right = tile.view %x : !both to !right
  %block = tile.block_id 0
  %i = arith.muli %block, %c4 : index
  %a = tile.load %left[%i, %c0] divisors = [4, 0] in_bounds = [true, true] : !left -> tensor<4x512xf32, #tile>
  %b = tile.load %right[%i, %c0] divisors = [4, 0] in_bounds = [true, true] : !right -> tensor<4x512xf32, #tile>
  %r = arith.addf %a, %b : tensor<4x512xf32, #tile>
  tile.store %r, %y[%i, %c0] divisors = [4, 0] in_bounds = [true, true] : tensor<4x512xf32, #tile>, !left
  tile.return
}

// What a person wrote stays.
// CHECK-LABEL: tile.kernel @edited
// CHECK: tile.load %{{.*}} {tile.cache = #tile.cache<l2 = evict_last>}
tile.kernel @edited grid = [16, 1, 1] warps = 4 (%x: !v {tile.passing}, %y: !v) {
  %c512 = arith.constant 512 : index
  %block = tile.block_id 0
  %i = arith.muli %block, %c512 : index
  %a = tile.load %x[%i] divisors = [512] in_bounds = [true] {tile.cache = #tile.cache<l2 = evict_last>} : !v -> tensor<512xf32, #row>
  tile.store %a, %y[%i] divisors = [512] in_bounds = [true] : tensor<512xf32, #row>, !v
  tile.return
}
