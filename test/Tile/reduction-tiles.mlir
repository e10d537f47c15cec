// Blocks of reductions have enough to move for their start, whatever the extents divide by.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// An odd number of short rows: the last block's are fewer.
// CHECK: tile.kernel @odd_rows {{.*}}tile.schedule = #tile.schedule<tile = [8, 192], reduce = 1, warps = 4,
graph.kernel anchor(reduction) @odd_rows(%x: tensor<166079x176xf32>) -> tensor<166079x176xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<166079x176xf32> to tensor<166079xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<166079xf32> to tensor<166079x176xf32>
  %2 = arith.subf %x, %1 : tensor<166079x176xf32>
  graph.return %2 : tensor<166079x176xf32>
}

// Few rows: small blocks, so that every multiprocessor has one.
// CHECK: tile.kernel @few_rows {{.*}}tile.schedule = #tile.schedule<tile = [1, 192],
graph.kernel anchor(reduction) @few_rows(%x: tensor<200x176xf32>) -> tensor<200xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<200x176xf32> to tensor<200xf32>
  graph.return %0 : tensor<200xf32>
}

// What is stored with another dimension innermost: a block has whole sectors of that.
// CHECK: tile.kernel @across {{.*}}tile.schedule = #tile.schedule<tile = [32, 1, 64],
graph.kernel anchor(reduction) @across(%x: tensor<320x1237x64xf32>) -> (tensor<320x1237x64xf32>, tensor<1237x64x320xf32>) {
  %0 = graph.reduce sum %x dims = [2] : tensor<320x1237x64xf32> to tensor<320x1237xf32>
  %1 = graph.broadcast %0 dims = [0, 1] : tensor<320x1237xf32> to tensor<320x1237x64xf32>
  %2 = arith.subf %x, %1 : tensor<320x1237x64xf32>
  %3 = graph.transpose %2 permutation = [1, 2, 0] {graph.materialize} : tensor<320x1237x64xf32> to tensor<1237x64x320xf32>
  graph.return %2, %3 : tensor<320x1237x64xf32>, tensor<1237x64x320xf32>
}

// Rows of 24 columns side by side are 24 in the tile, too, not 32.
// CHECK: tile.kernel @column {{.*}}tile.schedule = #tile.schedule<tile = [24, 64], reduce = 1, warps = 4,
graph.kernel anchor(reduction) @column(%x: tensor<24x415059xf32>) -> tensor<24x415059xf32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<24x415059xf32> to tensor<415059xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<415059xf32> to tensor<24x415059xf32>
  %2 = arith.subf %x, %1 : tensor<24x415059xf32>
  graph.return %2 : tensor<24x415059xf32>
}

// A block that is alone has as many threads as there are.
// CHECK: tile.kernel @alone {{.*}}tile.schedule = #tile.schedule<tile = [1, 16384], reduce = 1, warps = 32,
graph.kernel anchor(reduction) @alone(%x: tensor<2x16384xf32>) -> tensor<2xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<2x16384xf32> to tensor<2xf32>
  graph.return %0 : tensor<2xf32>
}

// Rows that are gone over along the outermost dimension, too: 24 runs of memory, of half a kilobyte or more each.
// CHECK: tile.kernel @runs {{.*}}tile.schedule = #tile.schedule<tile = [24, {{.*}}4, 24],
graph.kernel anchor(reduction) @runs(%x: tensor<24x3664x16x23xf32>) -> tensor<24x3664x16x23xf32> {
  %0 = graph.reduce sum %x dims = [3] : tensor<24x3664x16x23xf32> to tensor<24x3664x16xf32>
  %1 = graph.broadcast %0 dims = [0, 1, 2] : tensor<24x3664x16xf32> to tensor<24x3664x16x23xf32>
  %2 = graph.reduce max %x dims = [0] : tensor<24x3664x16x23xf32> to tensor<3664x16x23xf32>
  %3 = graph.broadcast %2 dims = [1, 2, 3] : tensor<3664x16x23xf32> to tensor<24x3664x16x23xf32>
  %4 = arith.subf %1, %3 : tensor<24x3664x16x23xf32>
  graph.return %4 : tensor<24x3664x16x23xf32>
}
