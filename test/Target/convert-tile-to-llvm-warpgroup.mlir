// convert-tile-to-llvm, products of warpgroups: descriptors, run-time accumulation, accumulators and left operands from
// registers, waits, stores by stmatrix.
// RUN: tw-opt %s --tile-allocate-shared --verify-schedule-form --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

!a = !tile.shared<2, bf16, "{shape=[128,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!b = !tile.shared<1, bf16, "{shape=[64,128], order=[1,0], block=[64,64], inner=[64,1], outer=[0,4096], xor=[[6,7,3]]}">
!sum = tensor<128x128xf32, #tile.layout<"{shape=[128,128], register=[[0,1],[8,0],[0,8],[0,16],[0,32],[0,64]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0],[64,0]]}">>

// A descriptor is the address without the block's rank in its cluster, the offsets and the swizzle; each of two
// warpgroups has 64 rows of A. One group of four steps; the first asks whether to accumulate.
// CHECK-LABEL: llvm.func @shared
// CHECK: %[[GROUP:.*]] = nvvm.shfl.sync idx
// CHECK: arith.andi %{{.*}}, %c262143_i32
// CHECK: %[[BASE:.*]] = arith.shrui %{{.*}}, %c4_i32
// B has N contiguous: 8192 bytes from one span to the next.
// CHECK: %[[B:.*]] = arith.ori %[[BASE]], %c33554432_i32
// CHECK: %[[A:.*]] = arith.ori %{{.*}}, %c65536_i32
// CHECK: arith.muli %[[GROUP]], %c512_i32
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: %[[FIRST:.*]] = ptx.wgmma bf16 %{{.*}}, bf16 %{{.*}} b_mn, %{{.*}} if %{{.*}} : i64
// CHECK: %[[SECOND:.*]] = ptx.wgmma bf16 %{{.*}}, bf16 %{{.*}} b_mn, %[[FIRST]] : i64
// CHECK: ptx.wgmma bf16 %{{.*}}, bf16 %{{.*}} b_mn, %[[SECOND]] : i64
// CHECK: %[[LAST:.*]] = ptx.wgmma bf16
// CHECK-NOT: ptx.wgmma bf16
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: ptx.wgmma_wait 0, %{{.*}} : <(f32
tile.kernel @shared grid = [1, 1, 1] warps = 8 () {
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %id = tile.block_id 0
  %stage = arith.remui %id, %id : index
  %some = arith.cmpi ne, %id, %c0 : index
  %none = tile.begin_dot !tile.pending<!sum>
  %p = tile.dot_async %a[%stage], %b[%c0], %none if %some tf32 = false : !a, !b to !tile.pending<!sum>
  tile.await_dots 1
  %sum = tile.await %p : !tile.pending<!sum> to !sum
  tile.return
}

!b8 = !tile.shared<1, f8E5M2, "{shape=[32,16], order=[0,1], inner=[1,32], xor=[[7,1,4]]}">
!a8 = tensor<64x32xf8E5M2, #tile.layout<"{shape=[64,32], register=[[0,1],[0,2],[8,0],[0,16]], lane=[[0,4],[0,8],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>
!sum8 = tensor<64x16xf32, #tile.layout<"{shape=[64,16], register=[[0,1],[8,0],[0,8]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>

// Accumulators and the left operand from registers are pinned before the fence; the latter live beyond the wait.
// CHECK-LABEL: llvm.func @registers
// CHECK: %[[SUMS:.*]] = ptx.pin %{{.*}} : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK: %[[FRAGMENT:.*]] = ptx.pin %{{.*}} : vector<4xi32>
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: ptx.wgmma e5m2 %[[FRAGMENT]], e5m2 %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: ptx.wgmma_wait 0, %{{.*}} keep %[[FRAGMENT]]
tile.kernel @registers grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b8
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  %left = arith.constant dense<1.0> : !a8
  %ones = arith.constant dense<1.0> : !sum8
  %begin = tile.begin_dot %ones : !sum8 to !tile.pending<!sum8>
  %p = tile.dot_async %left, %b[%c0], %begin if %yes tf32 = false : !a8, !b8 to !tile.pending<!sum8>
  %sum = tile.await %p : !tile.pending<!sum8> to !sum8
  tile.return
}

!at = !tile.shared<1, f32, "{shape=[64,32], order=[1,0], inner=[32,1], xor=[[5,7,2]]}">
!bt = !tile.shared<1, f32, "{shape=[32,320], order=[0,1], inner=[1,32], xor=[[5,7,2]]}">
!wide = tensor<64x320xf32, #tile.layout<"{shape=[64,320], register=[[0,1],[8,0],[0,8],[0,16],[0,32]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]], repeat=[1,5]}">>

// More than 256 columns are two instructions of equal width a step; the first overwrites.
// CHECK-LABEL: llvm.func @wide
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-2: ptx.wgmma tf32 %{{.*}}, tf32 %{{.*}}, %{{.*}} overwrite : i64
// CHECK-COUNT-6: ptx.wgmma tf32 %{{.*}}, tf32 %{{.*}}, %{{[0-9]+}} : i64
// CHECK-NOT: ptx.wgmma tf32
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
tile.kernel @wide grid = [1, 1, 1] warps = 4 () {
  %a = tile.alloc : !at
  %b = tile.alloc : !bt
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %none = tile.begin_dot !tile.pending<!wide>
  %p = tile.dot_async %a[%c0], %b[%c0], %none if %no tf32 = true : !at, !bt to !tile.pending<!wide>
  tile.await_dots 0
  tile.return
}

!c = !tile.shared<1, bf16, "{shape=[64,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!out = !tile.view<bf16, "{offset=0, dims=[{extent=128, modes=[[128,64]]}, {extent=64, modes=[[64,1]]}]}">
!whole = tensor<128x64xbf16, #tile.layout<"{shape=[128,64], register=[[0,1],[8,0],[0,8],[0,16],[0,32],[64,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>
!part = tensor<64x64xbf16, #tile.layout<"{shape=[64,64], register=[[0,1],[8,0],[0,8],[0,16],[0,32]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>

// Fragments of 16 bits go to shared memory by stmatrix, four matrices at a time, then out by one thread's bulk store.
// CHECK-LABEL: llvm.func @stores
// CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK: nvvm.barrier0
// CHECK-COUNT-4: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>
// CHECK-NOT: nvvm.stmatrix
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%c0_i32, %c64_i32]
// CHECK: nvvm.cp.async.bulk.commit.group
tile.kernel @stores grid = [1, 1, 1] warps = 4 (%x: !out, %y: !out) {
  %buffer = tile.alloc : !c
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %whole = tile.load %x[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !out -> !whole
  %part = tile.slice %whole at [64, 0] : !whole to !part
  tile.wait_stores 1
  tile.barrier
  tile.store_shared %part, %buffer[%c0] : !part, !c
  tile.fence_async
  tile.barrier
  tile.store_bulk %buffer[%c0], %y[%c64, %c0] divisors = [64, 0] in_bounds = [true, true] : !c, !out
  tile.return
}

// Two products in flight, of which the first one is awaited alone; what stands behind `after` is held before the wait.
// CHECK-LABEL: llvm.func @beside
// CHECK-COUNT-2: nvvm.wgmma.commit.group.sync.aligned
// CHECK: ptx.wgmma_wait 1, %{{.*}} :
// CHECK: %[[MADE:.*]] = arith.addf
// CHECK: ptx.hold %{{.*}} : f32, f32, f32, f32, f32, f32, f32, f32
// CHECK: ptx.wgmma_wait 0, %{{.*}} :
tile.kernel @beside grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b8
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  %left = arith.constant dense<1.0> : !a8
  %none = tile.begin_dot !tile.pending<!sum8>
  %p = tile.dot_async %left, %b[%c0], %none if %yes tf32 = false : !a8, !b8 to !tile.pending<!sum8>
  %ones = arith.constant dense<1.0> : !sum8
  %begin = tile.begin_dot %ones : !sum8 to !tile.pending<!sum8>
  %q = tile.dot_async %left, %b[%c0], %begin if %yes tf32 = false : !a8, !b8 to !tile.pending<!sum8>
  %own = tile.await %p leaving 1 : !tile.pending<!sum8> to !sum8
  %made = arith.addf %own, %ones : !sum8
  %sum = tile.await %q after %made : !tile.pending<!sum8> to !sum8, !sum8
  tile.return
}
