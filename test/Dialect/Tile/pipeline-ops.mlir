// Every asynchronous op of the tile dialect survives text, its generic form and bytecode.
// RUN: tw-opt %s | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

!view = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
!buffer = !tile.shared<2, bf16, "{shape=[64,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!fragment = tensor<64x64xbf16>
!sum = tensor<64x64xf32>
!half = tensor<64x32xf32>

// CHECK-LABEL: tile.kernel @roles
tile.kernel @roles grid = [1, 1, 1] warps = 12 (%x: !view, %y: !view) {
  %buffer = tile.alloc : !buffer
  // CHECK: tile.ring %{{.*}} offset = 16384 readers = 2 : !tile.shared<2, bf16, {{.*}}> -> <2>
  %ring = tile.ring %buffer offset = 16384 readers = 2 : !buffer -> !tile.ring<2>
  // CHECK: tile.await_grid
  tile.await_grid
  // CHECK: tile.launch_dependents
  tile.launch_dependents
  // CHECK: tile.role @load warps = 4 instances = 1 registers = 40(%{{.*}}, %{{.*}}, %{{.*}}) :
  tile.role @load warps = 4 instances = 1 registers = 40 (%x, %buffer, %ring) : !view, !buffer, !tile.ring<2> {
  ^bb0(%i: index, %v: !view, %b: !buffer, %r: !tile.ring<2>):
    %c0 = arith.constant 0 : index
    // CHECK: tile.acquire %{{.*}}[%{{.*}}] : <2>
    tile.acquire %r[%c0] : !tile.ring<2>
    // CHECK: tile.stage_of %{{.*}}[%{{.*}}] : <2>
    %stage = tile.stage_of %r[%c0] : !tile.ring<2>
    // CHECK: tile.copy_bulk %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}[%{{.*}}] signals %{{.*}}[%{{.*}}] divisors = [0, 0] in_bounds = [true, true] :
    tile.copy_bulk %v[%c0, %c0], %b[%stage] signals %r[%c0] divisors = [0, 0] in_bounds = [true, true] : !view, !buffer, !tile.ring<2>
    // CHECK: tile.commit %{{.*}}[%{{.*}}] : <2>
    tile.commit %r[%c0] : !tile.ring<2>
  }
  // CHECK: tile.role @multiply warps = 4 instances = 2(
  tile.role @multiply warps = 4 instances = 2 (%y, %buffer, %ring) : !view, !buffer, !tile.ring<2> {
  ^bb0(%i: index, %v: !view, %b: !buffer, %r: !tile.ring<2>):
    %c0 = arith.constant 0 : index
    %yes = arith.constant true
    %ones = arith.constant dense<1.0> : !sum
    %left = arith.constant dense<1.0> : !fragment
    // CHECK: tile.take_turn %{{.*}}
    tile.take_turn %i
    // CHECK: tile.wait %{{.*}}[%{{.*}}] : <2>
    tile.wait %r[%c0] : !tile.ring<2>
    // CHECK: tile.begin_dot <tensor<64x64xf32>>
    %none = tile.begin_dot !tile.pending<!sum>
    // CHECK: tile.begin_dot %{{.*}} : tensor<64x64xf32> to <tensor<64x64xf32>>
    %some = tile.begin_dot %ones : !sum to !tile.pending<!sum>
    // CHECK: tile.dot_async %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], %{{.*}} if %{{.*}} tf32 = false : !tile.shared<2, bf16
    %0 = tile.dot_async %b[%c0], %b[%c0], %some if %yes tf32 = false : !buffer, !buffer to !tile.pending<!sum>
    // CHECK: tile.dot_async %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} if %{{.*}} tf32 = false : tensor<64x64xbf16>, <2, bf16
    %1 = tile.dot_async %left, %b[%c0], %0 if %yes tf32 = false : !fragment, !buffer to !tile.pending<!sum>
    // CHECK: tile.dot_async %{{.*}}, %{{.*}}[%{{.*}}] from 32, %{{.*}} if %{{.*}} tf32 = false : tensor<64x32xbf16>, <2, bf16
    %some_left = arith.constant dense<1.0> : tensor<64x32xbf16>
    %more = tile.dot_async %some_left, %b[%c0] from 32, %1 if %yes tf32 = false : tensor<64x32xbf16>, !buffer to !tile.pending<!sum>
    // CHECK: tile.await_dots 1
    tile.await_dots 1
    // CHECK: tile.await %{{.*}} : <tensor<64x64xf32>> to tensor<64x64xf32>
    %2 = tile.await %1 : !tile.pending<!sum> to !sum
    // CHECK: tile.await %{{.*}} leaving 1 : <tensor<64x64xf32>> to tensor<64x64xf32>
    %own = tile.await %1 leaving 1 : !tile.pending<!sum> to !sum
    // CHECK: tile.await %{{.*}} after %{{.*}}, %{{.*}} : <tensor<64x64xf32>> to tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xbf16>
    %behind = tile.await %1 after %own, %left : !tile.pending<!sum> to !sum, !sum, !fragment
    // CHECK: tile.release %{{.*}}[%{{.*}}] : <2>
    tile.release %r[%c0] : !tile.ring<2>
    // CHECK: tile.pass_turn %{{.*}}
    tile.pass_turn %i
    // CHECK: tile.slice %{{.*}} at [0, 32] : tensor<64x64xf32> to tensor<64x32xf32>
    %part = tile.slice %2 at [0, 32] : !sum to !half
    // CHECK: tile.wait_stores 1
    tile.wait_stores 1
    // CHECK: tile.fence_async
    tile.fence_async
    // CHECK: tile.store_bulk %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}, %{{.*}}] divisors = [0, 0] in_bounds = [true, true] :
    tile.store_bulk %b[%c0], %v[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !buffer, !view
  }
  tile.return
}
