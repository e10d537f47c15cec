// tile-async-products: rings, products in flight and awaited at once, what cannot be a bulk copy, and what is refused.
// RUN: split-file %s %t
// RUN: tw-opt %t/right.mlir --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-persistent,tile-async-products,canonicalize,cse))' | FileCheck %s
// RUN: tw-opt %t/wrong.mlir --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-async-products))' -o %t/unused

// Sums over the loop run on: one group stays in flight, and each slot is released an iteration later.
// CHECK-LABEL: tile.kernel @runs_on
// CHECK: %[[A:.*]] = tile.alloc : <3, bf16,
// CHECK: %[[B:.*]] = tile.alloc : <3, bf16,
// CHECK: %[[RING:.*]] = tile.ring %[[A]], %[[B]] readers = 2
// CHECK: %[[NONE:.*]] = tile.begin_dot <tensor<128x64xf32
// CHECK: %[[SUMS:.*]] = scf.for %[[K:.*]] = %c0 to %c256 step %c64 iter_args(%[[ACC:.*]] = %[[NONE]])
// CHECK: %[[SLOT:.*]] = arith.divui %[[K]], %c64
// CHECK: tile.acquire %[[RING]][%[[SLOT]]]
// CHECK-NEXT: tile.copy_bulk {{.*}}, %[[A]]
// CHECK-NEXT: tile.copy_bulk {{.*}}, %[[B]]
// CHECK-NEXT: tile.commit %[[RING]][%[[SLOT]]]
// CHECK-NEXT: tile.wait %[[RING]][%[[SLOT]]]
// CHECK: %[[LATER:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK: tile.dot_async {{.*}}, %[[ACC]] if %[[LATER]]
// CHECK-NEXT: tile.await_dots 1
// CHECK-NEXT: scf.if %[[LATER]]
// CHECK: tile.release %[[RING]]
// CHECK: %[[PRODUCT:.*]] = tile.await %[[SUMS]]
// CHECK: tile.release %[[RING]][%c3]
// CHECK: tile.store %[[PRODUCT]]

// Slots are counted through the tiles of a block.
// CHECK-LABEL: tile.kernel @through_tiles
// CHECK: scf.for %[[TILE:.*]] = %[[BLOCK:.*]] to
// CHECK: %[[DONE:.*]] = arith.subi %[[TILE]], %[[BLOCK]]
// CHECK: %[[NUMBER:.*]] = arith.divui %[[DONE]], %c2
// CHECK: %[[BASE:.*]] = arith.muli %[[NUMBER]], %c4
// CHECK: scf.for
// CHECK: %[[STEP:.*]] = arith.divui
// CHECK: %[[SLOT:.*]] = arith.addi %[[BASE]], %[[STEP]]
// CHECK: tile.acquire %{{.*}}[%[[SLOT]]]

// K of one step: nothing is in flight over a loop.
// CHECK-LABEL: tile.kernel @one_step
// CHECK-NOT: scf.for
// CHECK: tile.dot_async {{.*}} if %false
// CHECK-NEXT: tile.await
// CHECK-NEXT: tile.release

// An operand that is not contiguous along K, which the instruction asks of all but 16-bit types: a ring brings it as it lies
// in memory; in the slot of the products' ring it is rounded and turned.
// CHECK-LABEL: tile.kernel @turned
// CHECK: %[[RAW:.*]] = tile.ring %{{.*}} readers = 1 : !tile.shared<2, f32, "{shape=[32,64], order=[1,0]
// CHECK: tile.acquire %[[RAW]]
// CHECK-NEXT: tile.copy_bulk {{.*}} signals %[[RAW]]
// CHECK-NEXT: tile.commit %[[RAW]]
// CHECK-NEXT: tile.acquire %[[RING:[a-z0-9]+]]
// CHECK-NEXT: tile.copy_bulk {{.*}} signals %[[RING]]
// CHECK: tile.wait %[[RAW]]
// CHECK-NEXT: tile.load_shared
// CHECK-NEXT: tile.release %[[RAW]]
// CHECK: arith.truncf {{.*}} to tensor<32x64xtf32
// CHECK: tile.store_shared
// CHECK-NEXT: tile.commit %[[RING]]

// Strides of an odd number of elements: loads, stores to the slot, and a commit that stands for all threads.
// CHECK-LABEL: tile.kernel @odd
// CHECK: tile.acquire
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.commit

//--- right.mlir
graph.kernel anchor(matmul) @runs_on(%a: tensor<256x256xbf16>, %b: tensor<256x64xbf16>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}
graph.kernel anchor(matmul) @through_tiles(%a: tensor<256x256xbf16>, %b: tensor<256x64xbf16>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, persistent = 2>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}
graph.kernel anchor(matmul) @one_step(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
graph.kernel anchor(matmul) @turned(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative>} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
graph.kernel anchor(matmul) @odd(%a: tensor<64x67xbf16>, %b: tensor<67x61xbf16>) -> tensor<64x61xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<64x67xbf16>, tensor<67x61xbf16> to tensor<64x61xf32>
  graph.return %0 : tensor<64x61xf32>
}

//--- wrong.mlir
// expected-error@+1 {{the schedule has copy = bulk, and no tensor map describes an operand whose strides are not whole 16 bytes, one of them 1}}
graph.kernel anchor(matmul) @strides(%a: tensor<64x67xbf16>, %b: tensor<67x64xbf16>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x67xbf16>, tensor<67x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule takes 24 of K at a time, a warpgroup's product of 'bf16' multiples of 16}}
graph.kernel anchor(matmul) @step(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 24, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
