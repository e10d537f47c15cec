// Scans and sorts become steps between registers, shuffles between lanes and, across warps, shared memory.
// RUN: tw-opt %s --convert-tile-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

#row = #tile.layout<"{shape=[1,64], register=[[0,1]], lane=[[0,2],[0,4],[0,8],[0,16],[0,32]], warp=[]}">
#total = #tile.layout<"{shape=[1,1], register=[], lane=[[0,0],[0,0],[0,0],[0,0],[0,0]], warp=[]}">

// One step of registers, five of lanes, and the total from the last lane.
// CHECK-LABEL: llvm.func @scan
// CHECK-COUNT-6: nvvm.shfl.sync
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tile.kernel @scan grid = [1, 1, 1] warps = 1 (%y: !tile.view<f32, "{offset=0, dims=[{extent=1, modes=[[1,64]]}, {extent=64, modes=[[64,1]]}]}">) {
  %zero = arith.constant 0 : index
  %x = tile.iota dim = 1 from %zero : tensor<1x64xi32, #row>
  %f = arith.sitofp %x : tensor<1x64xi32, #row> to tensor<1x64xf32, #row>
  %s, %t = tile.scan %f dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<1x64xf32, #row> to tensor<1x64xf32, #row>, tensor<1x1xf32, #total>
  tile.store %s, %y[%zero, %zero] divisors = [0, 0] in_bounds = [true, true] : tensor<1x64xf32, #row>, !tile.view<f32, "{offset=0, dims=[{extent=1, modes=[[1,64]]}, {extent=64, modes=[[64,1]]}]}">
  tile.return
}

// -----

#row = #tile.layout<"{shape=[64], register=[[1]], lane=[[2],[4],[8],[16],[32]], warp=[]}">

// 21 stages: 6 within threads, 15 between lanes with two registers each.
// CHECK-LABEL: llvm.func @sort
// CHECK-COUNT-30: nvvm.shfl.sync
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.return
tile.kernel @sort grid = [1, 1, 1] warps = 1 (%y: !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">) {
  %zero = arith.constant 0 : index
  %x = tile.iota dim = 0 from %zero : tensor<64xi32, #row>
  %s = tile.sort %x dim = 0 {
  ^bb0(%a: i32, %b: i32):
    %less = arith.cmpi slt, %a, %b : i32
    tile.yield %less : i1
  } : tensor<64xi32, #row> to tensor<64xi32, #row>
  tile.store %s, %y[%zero] divisors = [0] in_bounds = [true] : tensor<64xi32, #row>, !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
  tile.return
}

// -----

#row = #tile.layout<"{shape=[64], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32]]}">

tile.kernel @without_a_place grid = [1, 1, 1] warps = 2 (%y: !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">) {
  %zero = arith.constant 0 : index
  %x = tile.iota dim = 0 from %zero : tensor<64xi32, #row>
  // expected-error@+2 {{goes across warps but has no place in shared memory; run tile-allocate-shared}}
  // expected-error@+1 {{failed to legalize}}
  %s = tile.sort %x dim = 0 {
  ^bb0(%a: i32, %b: i32):
    %less = arith.cmpi slt, %a, %b : i32
    tile.yield %less : i1
  } : tensor<64xi32, #row> to tensor<64xi32, #row>
  tile.store %s, %y[%zero] divisors = [0] in_bounds = [true] : tensor<64xi32, #row>, !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
  tile.return
}
