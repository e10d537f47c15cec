// tile-stage-runs: tiles of whole odd rows go through shared memory as one run, with one wait and one barrier for what is
// loaded and one barrier for what is stored; not rows of whole words, parts of rows, or what is loaded in a loop.
// RUN: tw-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-stage-runs))" | FileCheck %s

#t = #tile.layout<"{shape=[32,48], register=[[8,0],[16,0]], lane=[[0,1],[0,2],[0,4],[0,8],[1,0]], warp=[[2,0],[4,0]], repeat=[1,3]}">
#w = #tile.layout<"{shape=[1,48], register=[], lane=[[0,1],[0,2],[0,4],[0,8],[0,0]], warp=[[0,0],[0,0]], repeat=[1,3]}">
!odd = !tile.view<bf16, "{offset=0, dims=[{extent=12801, modes=[[12801,43]]}, {extent=43, modes=[[43,1]]}]}">
!row = !tile.view<bf16, "{offset=0, dims=[{extent=12801, modes=[[12801,0]]}, {extent=43, modes=[[43,1]]}]}">
!apart = !tile.view<bf16, "{offset=0, dims=[{extent=12801, modes=[[12801,45]]}, {extent=43, modes=[[43,1]]}]}">

// CHECK-LABEL: tile.kernel @rows
// CHECK-DAG: %[[A:.*]] = tile.alloc : <1, bf16, "{shape=[1384]
// CHECK-DAG: %[[B:.*]] = tile.alloc : <1, bf16, "{shape=[1384]
// CHECK-DAG: %[[S:.*]] = tile.alloc : <1, bf16, "{shape=[1384]
// CHECK: tile.copy_run %arg0[%[[I:.*]], %[[C0:.*]]] of [32, 48], %{{.*}} warps = 4
// CHECK: tile.copy_run %arg1[%[[I]], %[[C0]]] of [32, 48]
// CHECK-NEXT: tile.commit_async
// CHECK-NEXT: tile.load %arg2
// CHECK-NEXT: tile.wait_async 0
// CHECK-NEXT: tile.barrier
// CHECK: tile.load_run %{{.*}} as %arg0[%[[I]], %[[C0]]]
// CHECK: tile.load_run %{{.*}} as %arg1[%[[I]], %[[C0]]]
// CHECK: tile.store_run %{{.*}}, %{{.*}} as %arg3[%[[I]], %[[C0]]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.send_run %{{.*}}, %arg3[%[[I]], %[[C0]]] of [32, 48] warps = 4
tile.kernel @rows grid = [401, 1, 1] warps = 4 (%x: !odd, %y: !odd, %w: !row, %r: !odd) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %b = tile.block_id 0
  %i = arith.muli %b, %c32 : index
  %0 = tile.load %x[%i, %c0] divisors = [32, 0] in_bounds = [false, false] : !odd -> tensor<32x48xbf16, #t>
  %1 = arith.addf %0, %0 : tensor<32x48xbf16, #t>
  %2 = tile.load %y[%i, %c0] divisors = [32, 0] in_bounds = [false, false] : !odd -> tensor<32x48xbf16, #t>
  %3 = arith.addf %1, %2 : tensor<32x48xbf16, #t>
  %4 = tile.load %w[%c0, %c0] divisors = [0, 0] in_bounds = [true, false] : !row -> tensor<1x48xbf16, #w>
  %5 = tile.broadcast %4 : tensor<1x48xbf16, #w> to tensor<32x48xbf16, #t>
  %6 = arith.addf %3, %5 : tensor<32x48xbf16, #t>
  tile.store %6, %r[%i, %c0] divisors = [32, 0] in_bounds = [false, false] : tensor<32x48xbf16, #t>, !odd
  tile.return
}

// Rows with something between them; a tile in a loop.
// CHECK-LABEL: tile.kernel @others
// CHECK-NOT: _run
tile.kernel @others grid = [401, 1, 1] warps = 4 (%x: !apart, %y: !odd, %r: !apart) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %b = tile.block_id 0
  %i = arith.muli %b, %c32 : index
  %0 = tile.load %x[%i, %c0] divisors = [32, 0] in_bounds = [false, false] : !apart -> tensor<32x48xbf16, #t>
  %s = scf.for %j = %c0 to %c64 step %c32 iter_args(%a = %0) -> (tensor<32x48xbf16, #t>) {
    %1 = tile.load %y[%j, %c0] divisors = [32, 0] in_bounds = [false, false] : !odd -> tensor<32x48xbf16, #t>
    %2 = arith.addf %a, %1 : tensor<32x48xbf16, #t>
    scf.yield %2 : tensor<32x48xbf16, #t>
  }
  tile.store %s, %r[%i, %c0] divisors = [32, 0] in_bounds = [false, false] : tensor<32x48xbf16, #t>, !apart
  tile.return
}

// What a loop stores; behind the elements of each row there is padding.
!long = !tile.view<bf16, "{offset=0, dims=[{extent=301, modes=[[301,8001]]}, {extent=9001, modes=[[8001,1]]}]}">
#l = #tile.layout<"{shape=[1,1024], register=[[0,128],[0,256],[0,512]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[[0,32],[0,64]]}">
// CHECK-LABEL: tile.kernel @parts
// CHECK: scf.for %[[J:.*]] =
// CHECK-NEXT: tile.load
// CHECK: tile.barrier
// CHECK-NEXT: tile.store_run %{{.*}}, %[[B:.*]] as %arg1[%{{.*}}, %[[J]]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.send_run %[[B]], %arg1[%{{.*}}, %[[J]]] of [1, 1024] warps = 4
tile.kernel @parts grid = [301, 1, 1] warps = 4 (%x: !long, %r: !long) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c9001 = arith.constant 9001 : index
  %b = tile.block_id 0
  scf.for %j = %c0 to %c9001 step %c1024 {
    %0 = tile.load %x[%b, %j] divisors = [1, 1024] in_bounds = [true, false] : !long -> tensor<1x1024xbf16, #l>
    %1 = arith.addf %0, %0 : tensor<1x1024xbf16, #l>
    tile.store %1, %r[%b, %j] divisors = [1, 1024] in_bounds = [true, false] : tensor<1x1024xbf16, #l>, !long
  }
  tile.return
}

// Whole vectors of which every other row's lie across two sectors are sent as runs, too; they are loaded as they are.
#v = #tile.layout<"{shape=[32,48], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[1,0],[2,0],[4,0],[8,0]], warp=[[16,0]], repeat=[1,3]}">
!five = !tile.view<bf16, "{offset=0, dims=[{extent=32000, modes=[[32000,40]]}, {extent=40, modes=[[40,1]]}]}">

// CHECK-LABEL: tile.kernel @vectors
// CHECK: tile.load %arg0
// CHECK: tile.store_run %{{.*}}, %{{.*}} as %arg1
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.send_run %{{.*}}, %arg1
tile.kernel @vectors grid = [1000, 1, 1] warps = 2 (%x: !five, %r: !five) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %b = tile.block_id 0
  %i = arith.muli %b, %c32 : index
  %0 = tile.load %x[%i, %c0] divisors = [32, 0] in_bounds = [true, false] : !five -> tensor<32x48xbf16, #v>
  %1 = arith.addf %0, %0 : tensor<32x48xbf16, #v>
  tile.store %1, %r[%i, %c0] divisors = [32, 0] in_bounds = [true, false] : tensor<32x48xbf16, #v>, !five
  tile.return
}
