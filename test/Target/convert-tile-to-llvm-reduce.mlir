// convert-tile-to-llvm, reductions: registers in order, lanes by butterflies, warps through shared memory.
// RUN: tw-opt %s --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

#row = #tile.layout<"{shape=[128], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[]}">
#sum = #tile.layout<"{shape=[1], register=[], lane=[[0],[0],[0],[0],[0]], warp=[]}">
#wide = #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">
#all = #tile.layout<"{shape=[1], register=[], lane=[[0],[0],[0],[0],[0]], warp=[[0],[0]]}">
!x = !tile.view<f32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}">
!y = !tile.view<f32, "{offset=0, dims=[{extent=1, modes=[[1,1]]}]}">

// Four registers are three additions; 32 lanes five butterflies with one each.
// CHECK-LABEL: llvm.func @inside_warp
// CHECK-COUNT-3: arith.addf
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.addf
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK: arith.addf
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tile.kernel @inside_warp grid = [1, 1, 1] warps = 1 (%x: !x, %y: !y) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<128xf32, #row>
  %1 = tile.reduce %0 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.addf %a, %b : f32
    tile.yield %2 : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #sum>
  tile.store %1, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #sum>, !y
  tile.return
}

// Four warps: one partial result each, a barrier, and every thread folds the four.
// CHECK-LABEL: gpu.module @across_warps
// CHECK: llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, {{.*}}16
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: ptx.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-3: arith.addf
// CHECK-NOT: arith.addf
tile.kernel @across_warps grid = [1, 1, 1] warps = 4 (%x: !x, %y: !y) attributes {tile.shared_bytes = 16} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<128xf32, #wide>
  %1 = tile.reduce %0 dim = 0 scratch = 0 {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.addf %a, %b : f32
    tile.yield %2 : f32
  } : tensor<128xf32, #wide> to tensor<1xf32, #all>
  tile.store %1, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #all>, !y
  tile.return
}

// A state of two values is shuffled and merged as one: maximum and its index.
// CHECK-LABEL: llvm.func @two_values
// CHECK-COUNT-10: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
#lane = #tile.layout<"{shape=[32], register=[], lane=[[1],[2],[4],[8],[16]], warp=[]}">
tile.kernel @two_values grid = [1, 1, 1] warps = 1 (%x: !x, %y: !y) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<32xf32, #lane>
  %1 = tile.iota dim = 0 from %c0 : tensor<32xi32, #lane>
  %2:2 = tile.reduce %0, %1 dim = 0 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %first = arith.cmpf oge, %a, %b : f32
    %3 = arith.select %first, %a, %b : f32
    %4 = arith.select %first, %i, %j : i32
    tile.yield %3, %4 : f32, i32
  } : tensor<32xf32, #lane>, tensor<32xi32, #lane> to tensor<1xf32, #sum>, tensor<1xi32, #sum>
  %5 = arith.sitofp %2#1 : tensor<1xi32, #sum> to tensor<1xf32, #sum>
  tile.store %5, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #sum>, !y
  tile.return
}

// Products are added by fused multiply-adds, but for the first one; masked ones where they count.
// CHECK-LABEL: llvm.func @of_squares
// CHECK: %[[FIRST:.*]] = arith.mulf
// CHECK: %[[SUM:.*]] = math.fma %{{.*}}, %{{.*}}, %[[FIRST]] : f32
// CHECK: math.fma %{{.*}}, %{{.*}}, %[[SUM]] : f32
// CHECK: math.fma
// CHECK: nvvm.shfl.sync
tile.kernel @of_squares grid = [1, 1, 1] warps = 1 (%x: !x, %y: !y) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<128xf32, #row>
  %1 = arith.mulf %0, %0 : tensor<128xf32, #row>
  %2 = tile.reduce %1 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %3 = arith.addf %a, %b : f32
    tile.yield %3 : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #sum>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #sum>, !y
  tile.return
}
// CHECK-LABEL: llvm.func @of_masked_squares
// CHECK: %[[FIRST:.*]] = arith.select
// CHECK: %[[SUM:.*]] = math.fma %{{.*}}, %{{.*}}, %[[FIRST]] : f32
// CHECK: arith.select %{{.*}}, %[[SUM]], %[[FIRST]] : f32
tile.kernel @of_masked_squares grid = [1, 1, 1] warps = 1 (%x: !x, %y: !y) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128xf32, #row>
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<128xf32, #row>
  %1 = arith.mulf %0, %0 : tensor<128xf32, #row>
  %counts = arith.cmpf ogt, %0, %zero : tensor<128xf32, #row>
  %masked = arith.select %counts, %1, %zero : tensor<128xi1, #row>, tensor<128xf32, #row>
  %2 = tile.reduce %masked dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %3 = arith.addf %a, %b : f32
    tile.yield %3 : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #sum>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #sum>, !y
  tile.return
}

// The largest magnitude of a warp by one instruction, as a signed integer, and so what is masked by negative infinity; the largest
// of numbers of any sign by butterflies; a sum of integers by one instruction.
// CHECK-LABEL: llvm.func @largest_magnitude
// CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
// CHECK: nvvm.redux.sync max %[[BITS]], %{{.*}} : i32 -> i32
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.kernel @largest_magnitude grid = [1, 1, 1] warps = 1 (%x: !x, %y: !y) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128xf32, #row>
  %least = arith.constant dense<0xFF800000> : tensor<128xf32, #row>
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<128xf32, #row>
  %1 = math.absf %0 : tensor<128xf32, #row>
  %counts = arith.cmpf ogt, %0, %zero : tensor<128xf32, #row>
  %masked = arith.select %counts, %1, %least : tensor<128xi1, #row>, tensor<128xf32, #row>
  %2 = tile.reduce %masked dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %3 = arith.maximumf %a, %b : f32
    tile.yield %3 : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #sum>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #sum>, !y
  tile.return
}
// CHECK-LABEL: llvm.func @largest
// CHECK-NOT: nvvm.redux
// CHECK-COUNT-5: nvvm.shfl.sync bfly
tile.kernel @largest grid = [1, 1, 1] warps = 1 (%x: !x, %y: !y) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<128xf32, #row>
  %1 = tile.reduce %0 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.maximumf %a, %b : f32
    tile.yield %2 : f32
  } : tensor<128xf32, #row> to tensor<1xf32, #sum>
  tile.store %1, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #sum>, !y
  tile.return
}
// CHECK-LABEL: llvm.func @sum_of_integers
// CHECK: nvvm.redux.sync add %{{.*}}, %{{.*}} : i32 -> i32
// CHECK-NOT: nvvm.shfl
!i = !tile.view<i32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}">
!j = !tile.view<i32, "{offset=0, dims=[{extent=1, modes=[[1,1]]}]}">
tile.kernel @sum_of_integers grid = [1, 1, 1] warps = 1 (%x: !i, %y: !j) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !i -> tensor<128xi32, #row>
  %1 = tile.reduce %0 dim = 0 {
  ^bb0(%a: i32, %b: i32):
    %2 = arith.addi %a, %b : i32
    tile.yield %2 : i32
  } : tensor<128xi32, #row> to tensor<1xi32, #sum>
  tile.store %1, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xi32, #sum>, !j
  tile.return
}
// Of a thread with one element the sign of abs of NaN may be any.
#lanes = #tile.layout<"{shape=[32], register=[], lane=[[1],[2],[4],[8],[16]], warp=[]}">
!l = !tile.view<f32, "{offset=0, dims=[{extent=32, modes=[[32,1]]}]}">
// CHECK-LABEL: llvm.func @largest_of_one_each
// CHECK-NOT: nvvm.redux
// CHECK-COUNT-5: nvvm.shfl.sync bfly
tile.kernel @largest_of_one_each grid = [1, 1, 1] warps = 1 (%x: !l, %y: !y) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !l -> tensor<32xf32, #lanes>
  %1 = math.absf %0 : tensor<32xf32, #lanes>
  %2 = tile.reduce %1 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %3 = arith.maximumf %a, %b : f32
    tile.yield %3 : f32
  } : tensor<32xf32, #lanes> to tensor<1xf32, #sum>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<1xf32, #sum>, !y
  tile.return
}
// Columns of sixteen blocks: one warp of the two has a column of each lane, folds what all blocks hold of it by pairs, and hands it
// to the others of its block.
#held = #tile.layout<"{shape=[8,32], register=[[0,1],[0,2]], lane=[[0,4],[0,8],[0,16],[1,0],[2,0]], warp=[[4,0]]}">
#columns = #tile.layout<"{shape=[1,32], register=[[0,1],[0,2]], lane=[[0,4],[0,8],[0,16],[0,0],[0,0]], warp=[[0,0]]}">
!h = !tile.view<f32, "{offset=0, dims=[{extent=8, modes=[[8,32]]}, {extent=32, modes=[[32,1]]}]}">
!c = !tile.view<f32, "{offset=0, dims=[{extent=1, modes=[[1,32]]}, {extent=32, modes=[[32,1]]}]}">
// CHECK-LABEL: llvm.func @columns_of_blocks
// CHECK: nvvm.cluster.wait
// CHECK: scf.if
// CHECK-COUNT-16: nvvm.mapa
// CHECK-COUNT-15: arith.addf
// CHECK-NOT: arith.addf
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} -> vector<4xf32>
tile.kernel @columns_of_blocks grid = [16, 1, 1] warps = 2 (%x: !h, %y: !c) attributes {tile.cluster = 16 : i64, tile.shared_bytes = 512 : i64} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !h -> tensor<8x32xf32, #held>
  %1 = tile.reduce %0 dim = 0 scratch = 0 attributes {tile.blocks = 16 : i64} {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.addf %a, %b : f32
    tile.yield %2 : f32
  } : tensor<8x32xf32, #held> to tensor<1x32xf32, #columns>
  tile.store %1, %y[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<1x32xf32, #columns>, !c
  tile.return
}
