// convert-tile-to-llvm, roles: warpgroups by number, register budgets, barriers and shared memory for each instance.
// RUN: tw-opt %s --tile-allocate-shared --verify-schedule-form --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

!view = !tile.view<f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}">
!row = tensor<128xf32, #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
!one = tensor<1xf32, #tile.layout<"{shape=[1], register=[], lane=[[0],[0],[0],[0],[0]], warp=[[0],[0]]}">>

// Warps 0 to 3 have one role, 4 to 11 another with two instances; budgets move registers from the 168 that 384 threads
// start with. The number of the warpgroup is the same for all lanes, also in the eyes of ptxas.
// CHECK-LABEL: llvm.func @roles
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[NUMBER:.*]] = arith.shrui %[[TID]], %c7_i32
// CHECK: %[[GROUP:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[NUMBER]], %c0_i32
// CHECK: nvvm.barrier0
// CHECK: %[[IDLE:.*]] = arith.cmpi eq, %[[GROUP]], %c0_i32
// CHECK: scf.if %[[IDLE]] {
// CHECK-NEXT: nvvm.setmaxregister decrease 24
// CHECK-NEXT: } else {
// CHECK-NEXT: nvvm.setmaxregister increase 240
// CHECK: %[[INSTANCE:.*]] = arith.subi %[[GROUP]], %c1_i32
// Warps count from the first of the instance.
// CHECK: %[[WARP:.*]] = arith.shrui %[[TID]], %c5_i32
// CHECK: %[[FROM:.*]] = arith.subi %[[WARP]], %c4_i32
// CHECK: arith.remui %[[FROM]], %c4_i32
// Each instance has a barrier (2 and 3) and a place for partial sums of its own; barriers 4 and 5 are for turns.
// CHECK: %[[OWN:.*]] = arith.addi %[[GROUP]], %c1_i32
// CHECK: nvvm.barrier id = %[[OWN]] number_of_threads = %c128_i32
// CHECK: %[[PLACE:.*]] = arith.muli %[[INSTANCE]], %c16_i32
// CHECK: llvm.getelementptr %{{.*}}[%[[PLACE]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: nvvm.barrier id = %[[OWN]] number_of_threads = %c128_i32
// CHECK: %[[TURN:.*]] = arith.addi %{{.*}}, %c3_i32
// CHECK: nvvm.barrier id = %[[TURN]] number_of_threads = %c256_i32
// CHECK: llvm.store
// CHECK: %[[NEXT:.*]] = arith.remui %{{.*}}, %c2_i32
// CHECK: %[[PASSED:.*]] = arith.addi %[[NEXT]], %c4_i32
// CHECK: nvvm.barrier.arrive id = %[[PASSED]] number_of_threads = %c256_i32
tile.kernel @roles grid = [1, 1, 1] warps = 12 (%x: !view, %y: !view) {
  tile.role @idle warps = 4 instances = 1 registers = 24 () {
  ^bb0(%i: index):
  }
  tile.role @work warps = 4 instances = 2 registers = 240 (%x, %y) : !view, !view {
  ^bb0(%i: index, %vx: !view, %vy: !view):
    %c128 = arith.constant 128 : index
    %start = arith.muli %i, %c128 : index
    %row = tile.load %vx[%start] divisors = [128] in_bounds = [true] : !view -> !row
    tile.barrier
    %sum = tile.reduce %row dim = 0 {
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tile.yield %ab : f32
    } : !row to !one
    tile.take_turn %i
    tile.store %row, %vy[%start] divisors = [128] in_bounds = [true] : !row, !view
    tile.pass_turn %i
  }
  tile.return
}

