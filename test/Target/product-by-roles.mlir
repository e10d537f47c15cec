// A product as roles, written by hand in the form of the schedule stage: one thread fills a ring of four slots by
// tensor maps, two warpgroups multiply out of it and store from registers. ptxas has nothing to say about it.
// RUN: tw-opt %s --tile-allocate-shared --verify-schedule-form --target-stage > %t.mlir
// RUN: tw-assemble %t.mlir --arch=sm_90a --print=ptx,resources > %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=LOAD --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=MULTIPLY --input-file=%t.ptx
// REQUIRES: ptxas

// PTX: .param .align 64 .b8 matmul_param_3[128]
// PTX: .param .align 64 .b8 matmul_param_4[128]
// PTX: .reqntid 384
// PTX: .minnctapersm 1
// PTX-NOT: .local
// PTX: matmul sm_90a: cubin yes, registers 168, spill stores 0, spill loads 0, stack 0
// PTX-NOT: [C7

// Both operands' bytes are announced, then three boxes copied: B has two of 64 columns.
// LOAD: setmaxnreg.dec.sync.aligned.u32 40
// LOAD: elect.sync
// LOAD: mbarrier.try_wait.parity
// LOAD: mov.b32 [[BYTES:%r[0-9]+]], 32768
// LOAD: mbarrier.arrive.expect_tx.shared.b64 {{.*}}, [[BYTES]]
// LOAD-COUNT-3: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes

// K of 64 is four steps of 16; the slot before is released while these are in flight.
// MULTIPLY: setmaxnreg.inc.sync.aligned.u32 232
// MULTIPLY: mbarrier.try_wait.parity
// MULTIPLY: wgmma.fence.sync.aligned
// MULTIPLY-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// MULTIPLY-NOT: wgmma.mma_async
// MULTIPLY: wgmma.commit_group.sync.aligned
// MULTIPLY-NEXT: wgmma.wait_group.sync.aligned 1
// MULTIPLY: mbarrier.arrive.shared.b64
// MULTIPLY: wgmma.wait_group.sync.aligned 0
// MULTIPLY: st.global.v2
!a = !tile.view<bf16, "{offset=0, dims=[{extent=256, modes=[[256,512]]}, {extent=512, modes=[[512,1]]}]}">
!b = !tile.view<bf16, "{offset=0, dims=[{extent=512, modes=[[512,256]]}, {extent=256, modes=[[256,1]]}]}">
!c = !tile.view<f32, "{offset=0, dims=[{extent=256, modes=[[256,256]]}, {extent=256, modes=[[256,1]]}]}">
!ring_a = !tile.shared<4, bf16, "{shape=[128,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!ring_b = !tile.shared<4, bf16, "{shape=[64,128], order=[1,0], block=[64,64], inner=[64,1], outer=[0,4096], xor=[[6,7,3]]}">
!sum = tensor<128x128xf32, #tile.layout<"{shape=[128,128], register=[[0,1],[8,0],[0,8],[0,16],[0,32],[0,64]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0],[64,0]]}">>

tile.kernel @matmul grid = [2, 2, 1] warps = 12 (%a: !a, %b: !b, %c: !c) {
  %ra = tile.alloc : !ring_a
  %rb = tile.alloc : !ring_b
  %ring = tile.ring %ra, %rb readers = 2 : !ring_a, !ring_b -> !tile.ring<4>
  tile.role @load warps = 4 instances = 1 registers = 40 (%a, %b, %ra, %rb, %ring) : !a, !b, !ring_a, !ring_b, !tile.ring<4> {
  ^bb0(%instance: index, %va: !a, %vb: !b, %sa: !ring_a, %sb: !ring_b, %r: !tile.ring<4>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %x = tile.block_id 0
    %y = tile.block_id 1
    %row = arith.muli %x, %c128 : index
    %column = arith.muli %y, %c128 : index
    scf.for %step = %c0 to %c8 step %c1 {
      %k = arith.muli %step, %c64 : index
      tile.acquire %r[%step] : !tile.ring<4>
      %stage = tile.stage_of %r[%step] : !tile.ring<4>
      tile.copy_bulk %va[%row, %k], %sa[%stage] signals %r[%step] divisors = [128, 64] in_bounds = [true, true] : !a, !ring_a, !tile.ring<4>
      tile.copy_bulk %vb[%k, %column], %sb[%stage] signals %r[%step] divisors = [64, 128] in_bounds = [true, true] : !b, !ring_b, !tile.ring<4>
      tile.commit %r[%step] : !tile.ring<4>
    }
  }
  tile.role @compute warps = 8 instances = 1 registers = 232 (%c, %ra, %rb, %ring) : !c, !ring_a, !ring_b, !tile.ring<4> {
  ^bb0(%instance: index, %vc: !c, %sa: !ring_a, %sb: !ring_b, %r: !tile.ring<4>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %x = tile.block_id 0
    %y = tile.block_id 1
    %row = arith.muli %x, %c128 : index
    %column = arith.muli %y, %c128 : index
    %none = tile.begin_dot !tile.pending<!sum>
    %last = scf.for %step = %c0 to %c8 step %c1 iter_args(%acc = %none) -> (!tile.pending<!sum>) {
      tile.wait %r[%step] : !tile.ring<4>
      %stage = tile.stage_of %r[%step] : !tile.ring<4>
      %later = arith.cmpi ne, %step, %c0 : index
      %next = tile.dot_async %sa[%stage], %sb[%stage], %acc if %later tf32 = false : !ring_a, !ring_b to !tile.pending<!sum>
      tile.await_dots 1
      scf.if %later {
        %before = arith.subi %step, %c1 : index
        tile.release %r[%before] : !tile.ring<4>
      }
      scf.yield %next : !tile.pending<!sum>
    }
    %sum = tile.await %last : !tile.pending<!sum> to !sum
    tile.release %r[%c7] : !tile.ring<4>
    tile.store %sum, %vc[%row, %column] divisors = [128, 128] in_bounds = [true, true] : !sum, !c
  }
  tile.return
}
