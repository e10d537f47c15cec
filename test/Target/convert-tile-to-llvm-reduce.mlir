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
