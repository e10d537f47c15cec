// convert-graph-to-tile: products that share an operand go through one loop over K, which loads its tile once; schedules
// count the tiles and sums of all of them.
// RUN: split-file %s %t
// RUN: tw-opt %t/right.mlir --convert-graph-to-tile --canonicalize --cse | FileCheck %s
// RUN: tw-opt %t/chosen.mlir --convert-graph-to-tile=target=sm_90a | FileCheck %s --check-prefix=CHOSEN
// RUN: tw-opt %t/chosen.mlir --convert-graph-to-tile=target=sm_80 | FileCheck %s --check-prefix=WARPS
// RUN: tw-opt %t/wrong.mlir --split-input-file --verify-diagnostics --convert-graph-to-tile -o %t/unused

// CHECK-LABEL: tile.kernel @gated
// CHECK: %[[SUMS:.*]]:2 = scf.for %[[K:.*]] = %c0 to %c128 step %c32 iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK-DAG: %[[X:.*]] = tile.load %arg0[%{{.*}}, %[[K]]]
// CHECK-DAG: %[[G:.*]] = tile.load %arg1[%[[K]], %{{.*}}]
// CHECK-DAG: %[[U:.*]] = tile.load %arg2[%[[K]], %{{.*}}]
// CHECK: %[[GATE:.*]] = tile.dot %[[X]], %[[G]], %[[A]]
// CHECK-NEXT: %[[UP:.*]] = tile.dot %[[X]], %[[U]], %[[B]]
// CHECK-NEXT: scf.yield %[[GATE]], %[[UP]]
// CHECK: %[[T:.*]] = math.tanh %[[SUMS]]#0
// CHECK: arith.mulf %[[T]], %[[SUMS]]#1
// CHECK: tile.store

// Operands exchanged: the shared one is on the right then.
// CHECK-LABEL: tile.kernel @exchanged
// CHECK: scf.for
// CHECK-DAG: %[[G:.*]] = tile.load {{.*}} -> tensor<64x64xbf16>
// CHECK-DAG: %[[X:.*]] = tile.load {{.*}} -> tensor<64x16xbf16>
// CHECK: tile.dot %{{.*}}, %[[X]],
// CHECK-NEXT: tile.dot %{{.*}}, %[[X]],

// Parts of K are added up for both.
// CHECK-LABEL: tile.kernel @parts
// CHECK-COUNT-2: tile.sum_blocks {{.*}} : tensor<64x64xf32> to tensor<32x64xf32>

// Two tiles of the right operand and two sums: half as wide as the tile of one product.
// CHOSEN: tile.kernel @large
// CHOSEN-SAME: tile = [128, 128], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 4, product = wgmma, roles = cooperative
// CHOSEN: tile.kernel @few_rows
// CHOSEN-SAME: product = wgmma, {{.*}} swap_operands
// WARPS-NOT: wgmma
// WARPS: tile.kernel @large
// WARPS-SAME: tile = [128, 128], {{.*}} stages = 3

//--- right.mlir
graph.kernel anchor(matmul) @gated(%x: tensor<64x128xbf16>, %g: tensor<128x64xbf16>, %u: tensor<128x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>} {
  %0 = graph.matmul %x, %g : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %x, %u : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %2 = math.tanh %0 : tensor<64x64xf32>
  %3 = arith.mulf %2, %1 : tensor<64x64xf32>
  graph.return %3 : tensor<64x64xf32>
}
graph.kernel anchor(matmul) @exchanged(%x: tensor<16x128xbf16>, %g: tensor<128x64xbf16>, %u: tensor<128x64xbf16>) -> tensor<16x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, swap_operands>} {
  %0 = graph.matmul %x, %g : tensor<16x128xbf16>, tensor<128x64xbf16> to tensor<16x64xf32>
  %1 = graph.matmul %x, %u : tensor<16x128xbf16>, tensor<128x64xbf16> to tensor<16x64xf32>
  %3 = arith.mulf %0, %1 : tensor<16x64xf32>
  graph.return %3 : tensor<16x64xf32>
}
graph.kernel anchor(matmul) @parts(%x: tensor<64x256xbf16>, %g: tensor<256x64xbf16>, %u: tensor<256x64xbf16>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, split_k = 2>} {
  %0 = graph.matmul %x, %g : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %x, %u : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32>
  %3 = arith.mulf %0, %1 : tensor<64x64xf32>
  graph.return %3 : tensor<64x64xf32>
}

//--- chosen.mlir
graph.kernel anchor(matmul) @large(%x: tensor<4096x4096xbf16>, %g: tensor<4096x14336xbf16>, %u: tensor<4096x14336xbf16>) -> tensor<4096x14336xbf16> {
  %0 = graph.matmul %x, %g : tensor<4096x4096xbf16>, tensor<4096x14336xbf16> to tensor<4096x14336xf32>
  %1 = graph.matmul %x, %u : tensor<4096x4096xbf16>, tensor<4096x14336xbf16> to tensor<4096x14336xf32>
  %2 = math.tanh %0 : tensor<4096x14336xf32>
  %3 = arith.mulf %2, %1 : tensor<4096x14336xf32>
  %4 = arith.truncf %3 : tensor<4096x14336xf32> to tensor<4096x14336xbf16>
  graph.return %4 : tensor<4096x14336xbf16>
}
graph.kernel anchor(matmul) @few_rows(%x: tensor<16x4096xbf16>, %g: tensor<4096x14336xbf16>, %u: tensor<4096x14336xbf16>) -> tensor<16x14336xbf16> {
  %0 = graph.matmul %x, %g : tensor<16x4096xbf16>, tensor<4096x14336xbf16> to tensor<16x14336xf32>
  %1 = graph.matmul %x, %u : tensor<16x4096xbf16>, tensor<4096x14336xbf16> to tensor<16x14336xf32>
  %3 = arith.mulf %0, %1 : tensor<16x14336xf32>
  %4 = arith.truncf %3 : tensor<16x14336xf32> to tensor<16x14336xbf16>
  graph.return %4 : tensor<16x14336xbf16>
}

//--- wrong.mlir
// expected-error@+1 {{is no single kernel: graph.matmul: a second matmul, which shares no operand with the first}}
graph.kernel anchor(matmul) @apart(%x: tensor<64x64xbf16>, %y: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %0 = graph.matmul %x, %y : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %y, %x : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  %2 = arith.mulf %0, %1 : tensor<64x64xf32>
  graph.return %2 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{is no single kernel: graph.matmul: has another type, precision, K or groups of rows than the matmul before it}}
graph.kernel anchor(matmul) @types(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %z: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = graph.matmul %x, %y precision = tf32 : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32>
  %1 = graph.matmul %x, %z : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32>
  %2 = arith.mulf %0, %1 : tensor<64x64xf32>
  graph.return %2 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{is no single kernel: graph.matmul: has another shape than the matmul before it}}
graph.kernel anchor(matmul) @shapes(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %z: tensor<64x32xf32>) -> (tensor<64x64xf32>, tensor<64x32xf32>) {
  %0 = graph.matmul %x, %y : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32>
  %1 = graph.matmul %x, %z : tensor<64x64xf32>, tensor<64x32xf32> to tensor<64x32xf32>
  graph.return %0, %1 : tensor<64x64xf32>, tensor<64x32xf32>
}

// -----

// expected-error@+1 {{the schedule's tile gives a thread 256 accumulators of the kernel's 2 products and 24 other registers, but it has 232}}
graph.kernel anchor(matmul) @accumulators(%x: tensor<256x64xbf16>, %y: tensor<64x256xbf16>, %z: tensor<64x256xbf16>) -> tensor<256x256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 256], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232]>} {
  %0 = graph.matmul %x, %y : tensor<256x64xbf16>, tensor<64x256xbf16> to tensor<256x256xf32>
  %1 = graph.matmul %x, %z : tensor<256x64xbf16>, tensor<64x256xbf16> to tensor<256x256xf32>
  %2 = arith.mulf %0, %1 : tensor<256x256xf32>
  graph.return %2 : tensor<256x256xf32>
}

// -----

// expected-error@+1 {{the schedule's 4 stages need 245824 bytes of shared memory, a block can have 232448}}
graph.kernel anchor(matmul) @shared(%x: tensor<256x64xbf16>, %y: tensor<64x128xbf16>, %z: tensor<64x128xbf16>) -> tensor<256x128xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 80, warps = 8, warp_grid = [8, 1], stages = 4, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232]>} {
  %0 = graph.matmul %x, %y : tensor<256x64xbf16>, tensor<64x128xbf16> to tensor<256x128xf32>
  %1 = graph.matmul %x, %z : tensor<256x64xbf16>, tensor<64x128xbf16> to tensor<256x128xf32>
  %2 = arith.mulf %0, %1 : tensor<256x128xf32>
  graph.return %2 : tensor<256x128xf32>
}
