// Loads for later results pass the stores of earlier ones, once each; they stay where they would take too many registers,
// and behind loops. What a loop loads stays in its step, but for a few elements that all steps load from one place.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-load-early))' | FileCheck %s

// CHECK-LABEL: tile.kernel @once
// CHECK: %[[X:.*]] = tile.load %arg0
// CHECK-NEXT: %[[Y:.*]] = tile.load %arg1
// CHECK-NOT: tile.load
// CHECK: tile.return
graph.kernel anchor(elementwise) @once(%x: tensor<1024xf32>, %y: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
  %0 = math.exp %x : tensor<1024xf32>
  %1 = math.tanh %y : tensor<1024xf32>
  %2 = arith.negf %x : tensor<1024xf32>
  graph.return %0, %1, %2 : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}

// 64 elements a thread of each: the second ones wait.
// CHECK-LABEL: tile.kernel @large
// CHECK: tile.load %arg0
// CHECK: tile.store
// CHECK: tile.load %arg1
// CHECK: tile.store
graph.kernel anchor(elementwise) @large(%x: tensor<65536xf32>, %y: tensor<65536xf32>) -> (tensor<65536xf32>, tensor<65536xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [2048], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = math.exp %x : tensor<65536xf32>
  %1 = math.tanh %y : tensor<65536xf32>
  graph.return %0, %1 : tensor<65536xf32>, tensor<65536xf32>
}

// What is gathered waits for its indices: it comes behind what makes them, which stands behind their load.
// CHECK-LABEL: tile.kernel @gathered
// CHECK: %[[I:.*]] = tile.load
// CHECK: arith.divui %[[I]]
// CHECK: %[[AT:.*]] = arith.extsi
// CHECK-NEXT: tile.gather {{.*}}%[[AT]]
graph.kernel anchor(gather) @gathered(%t: tensor<1000x64xf32>, %i: tensor<32xi32>) -> tensor<32x64xf32> {
  %c = arith.constant dense<3> : tensor<32xi32>
  %d = arith.divui %i, %c : tensor<32xi32>
  %r = arith.remui %i, %c : tensor<32xi32>
  %s = arith.addi %d, %r : tensor<32xi32>
  %w = arith.extsi %s : tensor<32xi32> to tensor<32xi64>
  %0 = graph.gather %t[%w] dim = 0 : tensor<1000x64xf32>, tensor<32xi64> to tensor<32x64xf32>
  graph.return %0 : tensor<32x64xf32>
}

// A step of a loop loads once what its results need.
// CHECK-LABEL: tile.kernel @in_steps
// CHECK: scf.for
// CHECK: tile.load %arg0
// CHECK-NOT: tile.load
// CHECK: tile.store
// CHECK-NOT: tile.load
// CHECK: tile.store
// CHECK: scf.yield
graph.kernel anchor(reduction) @in_steps(%x: tensor<600x4000xf32>) -> (tensor<600xf32>, tensor<600x4000xf32>, tensor<600x4000xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<600x4000xf32> to tensor<600xf32>
  %1 = math.exp %x : tensor<600x4000xf32>
  %2 = math.tanh %x : tensor<600x4000xf32>
  graph.return %0, %1, %2 : tensor<600xf32>, tensor<600x4000xf32>, tensor<600x4000xf32>
}

// What each row is less is loaded in front of the loop over its tiles.
// CHECK-LABEL: tile.kernel @of_rows
// CHECK: %[[ROW:.*]] = tile.load {{.*}} -> tensor<1x1xf32>
// CHECK: scf.for
// CHECK-NOT: tensor<1x1xf32>
// CHECK: tile.broadcast %[[ROW]]
// CHECK: tile.store
// CHECK: scf.yield
graph.kernel anchor(reduction) @of_rows(%x: tensor<600x4000xf32>, %y: tensor<600xf32>) -> (tensor<600xf32>, tensor<600x4000xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = graph.broadcast %y dims = [0] : tensor<600xf32> to tensor<600x4000xf32>
  %1 = arith.subf %x, %0 : tensor<600x4000xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<600x4000xf32> to tensor<600xf32>
  %3 = math.exp %1 : tensor<600x4000xf32>
  graph.return %2, %3 : tensor<600xf32>, tensor<600x4000xf32>
}

// Many columns' would take registers in every step.
// CHECK-LABEL: tile.kernel @of_columns
// CHECK-NOT: tile.load
// CHECK: scf.for
// CHECK: tile.load
graph.kernel anchor(reduction) @of_columns(%x: tensor<4096x512xf32>, %y: tensor<512xf32>) -> (tensor<512xf32>, tensor<4096x512xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [32, 64], reduce = 1, warps = 8, warp_grid = [8, 1], stages = 1>} {
  %0 = graph.broadcast %y dims = [1] : tensor<512xf32> to tensor<4096x512xf32>
  %1 = arith.subf %x, %0 : tensor<4096x512xf32>
  %2 = graph.reduce sum %1 dims = [0] : tensor<4096x512xf32> to tensor<512xf32>
  %3 = math.exp %1 : tensor<4096x512xf32>
  graph.return %2, %3 : tensor<512xf32>, tensor<4096x512xf32>
}
