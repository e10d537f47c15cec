// convert-tile-to-llvm, rings: mbarriers, what fills a slot and who says so, tensor maps as parameters.
// RUN: tw-opt %s --tile-allocate-shared --verify-schedule-form --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

!buffer = !tile.shared<3, bf16, "{shape=[8,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!view = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
!tile = tensor<8x64xbf16, #tile.layout<"{shape=[8,64], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[0,16],[0,32],[1,0],[2,0]], warp=[[4,0],[0,0]]}">>

// The map covers the view's memory; rows of 64 elements are one span of the swizzle.
// CHECK-LABEL: llvm.func @bulk
// CHECK-SAME: %[[MAP:arg2]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [64, 64], strides = [128], box = [64, 8], swizzle = 128, l2 = 128>}
// CHECK: nvvm.prefetch tensormap, %[[MAP]]
// Six barriers behind the buffer: full ones take one arrival, empty ones those of two readers.
// CHECK: %[[FULL:.*]] = llvm.getelementptr %{{.*}}[3072]
// CHECK-COUNT-3: nvvm.mbarrier.init %{{.*}}, %c1_i32
// CHECK-COUNT-3: nvvm.mbarrier.init %{{.*}}, %c2_i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.barrier0
// One thread of the first warp does all of the filling: it waits for the flip before, so at first for none.
// CHECK: nvvm.elect.sync
// The loop counts the stages of its slots, three in turn, and the turns: neither is divided for.
// CHECK: scf.for %{{.*}} iter_args(%[[STAGE:.*]] = %c0_i32, %[[TURN:.*]] = %c0_i32) -> (i32, i32)
// CHECK: %[[BIT:.*]] = arith.andi %[[TURN]], %c1_i32
// CHECK: %[[BEFORE:.*]] = arith.xori %[[BIT]], %c1_i32
// CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %[[BEFORE]], %c10000000_i32
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[SLOT:.*]], %c1024_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %[[SLOT]], box[%c0_i32, %{{.*}}] {isCTAOnly = true}
// CHECK: %[[NEXT:.*]] = arith.addi %[[STAGE]], %c1_i32
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c3_i32
// CHECK: %[[FIRST:.*]] = arith.select %[[WRAPS]], %c0_i32, %[[NEXT]]
// CHECK: %[[MORE:.*]] = arith.extui %[[WRAPS]]
// CHECK: %[[TURNS:.*]] = arith.addi %[[TURN]], %[[MORE]]
// CHECK: scf.yield %[[FIRST]], %[[TURNS]]
// Readers by threads: all of the instance are done before one thread says so.
// CHECK: } else {
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: llvm.load {{.*}} -> vector<4xi32>
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %c128_i32
// CHECK: scf.if
// CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3>
tile.kernel @bulk grid = [1, 1, 1] warps = 12 (%x: !view, %y: !view) {
  %buffer = tile.alloc : !buffer
  %ring = tile.ring %buffer readers = 2 : !buffer -> !tile.ring<3>
  tile.role @fill warps = 4 instances = 1 (%x, %buffer, %ring) : !view, !buffer, !tile.ring<3> {
  ^bb0(%i: index, %v: !view, %b: !buffer, %r: !tile.ring<3>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %slot = %c0 to %c8 step %c1 {
      %row = arith.muli %slot, %c8 : index
      %stage = tile.stage_of %r[%slot] : !tile.ring<3>
      tile.acquire %r[%slot] : !tile.ring<3>
      tile.copy_bulk %v[%row, %c0], %b[%stage] signals %r[%slot] divisors = [8, 0] in_bounds = [true, true] : !view, !buffer, !tile.ring<3>
      tile.commit %r[%slot] : !tile.ring<3>
    }
  }
  tile.role @read warps = 4 instances = 2 (%y, %buffer, %ring) : !view, !buffer, !tile.ring<3> {
  ^bb0(%i: index, %v: !view, %b: !buffer, %r: !tile.ring<3>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %slot = %c0 to %c8 step %c1 {
      %row = arith.muli %slot, %c8 : index
      %stage = tile.stage_of %r[%slot] : !tile.ring<3>
      tile.wait %r[%slot] : !tile.ring<3>
      %t = tile.load_shared %b[%stage] : !buffer -> !tile
      tile.release %r[%slot] : !tile.ring<3>
      tile.store %t, %v[%row, %c0] divisors = [8, 0] in_bounds = [true, true] : !tile, !view
    }
  }
  tile.return
}

// Without tensor maps: threads store, their writes are made visible to products, then one of them arrives.
// CHECK-LABEL: llvm.func @stores
// CHECK: scf.if
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: expect_tx
// CHECK: ptx.store
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: nvvm.barrier id = %c1_i32 number_of_threads = %c128_i32
// CHECK: nvvm.mbarrier.arrive
tile.kernel @stores grid = [1, 1, 1] warps = 8 (%x: !view) {
  %buffer = tile.alloc : !buffer
  %ring = tile.ring %buffer : !buffer -> !tile.ring<3>
  tile.role @fill warps = 4 instances = 1 (%x, %buffer, %ring) : !view, !buffer, !tile.ring<3> {
  ^bb0(%i: index, %v: !view, %b: !buffer, %r: !tile.ring<3>):
    %c0 = arith.constant 0 : index
    tile.acquire %r[%c0] : !tile.ring<3>
    %t = tile.load %v[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !view -> !tile
    tile.store_shared %t, %b[%c0] : !tile, !buffer
    tile.commit %r[%c0] : !tile.ring<3>
  }
  tile.role @read warps = 4 instances = 1 (%buffer, %ring) : !buffer, !tile.ring<3> {
  ^bb0(%i: index, %b: !buffer, %r: !tile.ring<3>):
    %c0 = arith.constant 0 : index
    tile.wait %r[%c0] : !tile.ring<3>
    tile.release %r[%c0] : !tile.ring<3>
  }
  tile.return
}

