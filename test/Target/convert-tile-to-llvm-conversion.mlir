// convert-tile-to-llvm, layout conversions that stay inside a warp: nothing, renamed registers, shuffles.
// RUN: tw-opt %s --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

#pairs = #tile.layout<"{shape=[4,32], register=[[0,1],[1,0]], lane=[[0,2],[0,4],[0,8],[0,16],[2,0]], warp=[]}">
#renamed = #tile.layout<"{shape=[4,32], register=[[1,0],[0,1]], lane=[[0,2],[0,4],[0,8],[0,16],[2,0]], warp=[]}">
#lanes = #tile.layout<"{shape=[4,32], register=[[0,1],[2,0]], lane=[[0,2],[0,4],[0,8],[0,16],[1,0]], warp=[]}">
!x = !tile.view<f32, "{offset=0, dims=[{extent=4, modes=[[4,32]]}, {extent=32, modes=[[32,1]]}]}">

// CHECK-LABEL: llvm.func @registers
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.return
tile.kernel @registers grid = [1, 1, 1] warps = 1 (%x: !x, %y: !x) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !x -> tensor<4x32xf32, #pairs>
  %1 = tile.convert_layout %0 : tensor<4x32xf32, #pairs> to tensor<4x32xf32, #renamed>
  tile.store %1, %y[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<4x32xf32, #renamed>, !x
  tile.return
}

// Rows 1 and 2 change places between lanes 0 to 15 and 16 to 31: two of four registers cross.
// CHECK-LABEL: llvm.func @shuffles
// CHECK: nvvm.shfl.sync
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tile.kernel @shuffles grid = [1, 1, 1] warps = 1 (%x: !x, %y: !x) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !x -> tensor<4x32xf32, #pairs>
  %1 = tile.convert_layout %0 : tensor<4x32xf32, #pairs> to tensor<4x32xf32, #lanes>
  tile.store %1, %y[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<4x32xf32, #lanes>, !x
  tile.return
}
