// Rows along two dimensions with another between them stay in shared memory between two passes where more of them are at work
// than the L2 cache holds: of one block, or of a cluster.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile{target=sm_86},tile.kernel(canonicalize,cse,tile-assign-layouts,tile-keep-rows))' | FileCheck %s --check-prefix=KEPT

// Slices of 285 KiB.
// CHECK-LABEL: tile.kernel @long grid = [2280, 1, 1]
// CHECK-SAME: tile.cluster = 4
// KEPT-LABEL: tile.kernel @long grid = [570, 1, 1]
graph.kernel anchor(reduction) @long(%x: tensor<57x270x10x270xf32>) -> tensor<57x270x10x270xf32> {
  %0 = graph.reduce sum %x dims = [1, 3] : tensor<57x270x10x270xf32> to tensor<57x10xf32>
  %1 = graph.broadcast %0 dims = [0, 2] : tensor<57x10xf32> to tensor<57x270x10x270xf32>
  %2 = arith.subf %x, %1 : tensor<57x270x10x270xf32>
  graph.return %2 : tensor<57x270x10x270xf32>
}

// Two hundred of 20 KiB, which one cache holds and the other does not.
// CHECK-LABEL: tile.kernel @short
// CHECK-NOT: tile.cluster
// KEPT-LABEL: tile.kernel @short
// KEPT: tile.alloc
// KEPT: scf.for
// KEPT: tile.copy_async
// KEPT-NOT: tile.load %
// KEPT: tile.return
graph.kernel anchor(reduction) @short(%x: tensor<100x64x2x80xf32>) -> tensor<100x64x2x80xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 16, 1, 80], reduce = 1, warps = 4, warp_grid = [1, 4, 1, 1], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1, 3] : tensor<100x64x2x80xf32> to tensor<100x2xf32>
  %1 = graph.broadcast %0 dims = [0, 2] : tensor<100x2xf32> to tensor<100x64x2x80xf32>
  %2 = arith.subf %x, %1 : tensor<100x64x2x80xf32>
  graph.return %2 : tensor<100x64x2x80xf32>
}

// One slice, which the cache holds: the blocks of a cluster go through it together.
// CHECK-LABEL: tile.kernel @alone grid = [8, 1, 1]
// CHECK-SAME: tile.cluster = 8
graph.kernel anchor(reduction) @alone(%x: tensor<192x3x51xf32>, %y: tensor<192x3x51xf32>) -> (tensor<192x3x51xf32>, tensor<192x7x51xf32>) {
  %0 = graph.reduce sum %x dims = [0, 1, 2] : tensor<192x3x51xf32> to tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<192x3x51xf32>
  %2 = arith.subf %x, %1 : tensor<192x3x51xf32>
  %3 = arith.mulf %2, %2 : tensor<192x3x51xf32>
  %4 = graph.reduce sum %3 dims = [0, 1, 2] : tensor<192x3x51xf32> to tensor<f32>
  %5 = graph.broadcast %4 dims = [] : tensor<f32> to tensor<192x3x51xf32>
  %6 = arith.mulf %2, %5 : tensor<192x3x51xf32>
  %7 = arith.addf %6, %y : tensor<192x3x51xf32>
  %8 = graph.pad %7 low = [0, 2, 0] high = [0, 2, 0] value = 0.0 : f32 : tensor<192x3x51xf32> to tensor<192x7x51xf32>
  graph.return %7, %8 : tensor<192x3x51xf32>, tensor<192x7x51xf32>
}
