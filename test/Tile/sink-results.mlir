// What only blocks at the origin of a dimension store is computed in the branch that stores it, from a load of its own
// where there are many blocks, and lies among the threads as the result does; what others use, too, and reductions stay
// where they are.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile{target=sm_90a},tile.kernel(canonicalize,cse,tile-load-early,tile-sink-results))' | FileCheck %s
// RUN: tw-opt %s --tile-stage | FileCheck %s --check-prefix=LAYOUT

// CHECK-LABEL: tile.kernel @spread
// CHECK: tile.load
// CHECK-NOT: math
// CHECK: tile.store
// CHECK-NOT: math
// CHECK: scf.if
// CHECK: tile.load
// CHECK: math.exp
// CHECK-NEXT: math.tanh
// CHECK: tile.store
// LAYOUT-LABEL: tile.kernel @spread
// LAYOUT: scf.if
// LAYOUT-NOT: convert_layout
// LAYOUT: math.tanh {{.*}}register=[], lane
// LAYOUT: tile.return
graph.kernel anchor(elementwise) @spread(%x: tensor<4096x64xf32>, %y: tensor<4096x64x64xf32>) -> (tensor<4096x64x64xf32>, tensor<4096x64xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [1, 32, 64], reduce = 1, warps = 8, warp_grid = [1, 8, 1], stages = 1>} {
  %0 = graph.broadcast %x dims = [0, 2] : tensor<4096x64xf32> to tensor<4096x64x64xf32>
  %1 = arith.addf %y, %0 : tensor<4096x64x64xf32>
  %2 = math.exp %x : tensor<4096x64xf32>
  %3 = math.tanh %2 : tensor<4096x64xf32>
  graph.return %1, %3 : tensor<4096x64x64xf32>, tensor<4096x64xf32>
}

// Few blocks wait for memory once: nothing is loaded in the branch. The exponential has other users.
// CHECK-LABEL: tile.kernel @few
// CHECK: tile.load
// CHECK: math.exp
// CHECK: scf.if
// CHECK-NOT: tile.load
// CHECK: math.tanh
// CHECK: tile.store
// CHECK: tile.return
graph.kernel anchor(elementwise) @few(%x: tensor<64xf32>) -> (tensor<64x128xf32>, tensor<64xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [64, 32], reduce = 1, warps = 8, warp_grid = [8, 1], stages = 1>} {
  %2 = math.exp %x : tensor<64xf32>
  %0 = graph.broadcast %2 dims = [0] : tensor<64xf32> to tensor<64x128xf32>
  %1 = arith.addf %0, %0 : tensor<64x128xf32>
  %3 = math.tanh %2 : tensor<64xf32>
  graph.return %1, %3 : tensor<64x128xf32>, tensor<64xf32>
}
