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

// Rows of 24 columns side by side are 24 in the tile, too, not 32; since these rows begin anywhere in a sector, and are stored, a
// kilobyte of them side by side.
// CHECK: tile.kernel @column {{.*}}tile.schedule = #tile.schedule<tile = [24, 256], reduce = 1, warps = 8,
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

// Rows that begin anywhere in a sector, stored beside the results of their columns: long pieces of a few rows, since a
// narrow tile's would be sectors that are stored in parts. Whole sectors are in a narrow one's.
// CHECK-LABEL: tile.kernel @beside_columns
// CHECK-SAME: tile = [8, 256], {{.*}} warps = 8
graph.kernel anchor(reduction) @beside_columns(%x: tensor<208x194103xf32>) -> (tensor<208x194103xf32>, tensor<194103xf32>) {
  %0 = arith.negf %x : tensor<208x194103xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<208x194103xf32> to tensor<194103xf32>
  graph.return %0, %1 : tensor<208x194103xf32>, tensor<194103xf32>
}
// CHECK-LABEL: tile.kernel @beside_even_columns
// CHECK-SAME: tile = [{{[0-9]+}}, 32]
graph.kernel anchor(reduction) @beside_even_columns(%x: tensor<208x194104xf32>) -> (tensor<208x194104xf32>, tensor<194104xf32>) {
  %0 = arith.negf %x : tensor<208x194104xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<208x194104xf32> to tensor<194104xf32>
  graph.return %0, %1 : tensor<208x194104xf32>, tensor<194104xf32>
}

// What pairs are reduced to is half as many elements: threads have fewer pairs where much is computed of them.
// CHECK-LABEL: tile.kernel @of_pairs
// CHECK-SAME: warps = 4
graph.kernel anchor(reduction) @of_pairs(%x: tensor<276x133x14x2xf32>) -> tensor<276x133x14xf32> {
  %0 = graph.reduce min %x dims = [3] : tensor<276x133x14x2xf32> to tensor<276x133x14xf32>
  %1 = math.erf %0 : tensor<276x133x14xf32>
  %2 = math.tanh %1 : tensor<276x133x14xf32>
  %3 = math.erf %2 : tensor<276x133x14xf32>
  %4 = math.log %3 : tensor<276x133x14xf32>
  %5 = graph.reduce sum %4 dims = [2] : tensor<276x133x14xf32> to tensor<276x133xf32>
  %6 = graph.broadcast %5 dims = [0, 1] : tensor<276x133xf32> to tensor<276x133x14xf32>
  %7 = arith.subf %4, %6 : tensor<276x133x14xf32>
  %8 = math.tanh %7 : tensor<276x133x14xf32>
  %9 = math.erf %8 : tensor<276x133x14xf32>
  %10 = graph.reduce max %9 dims = [2] : tensor<276x133x14xf32> to tensor<276x133xf32>
  %11 = graph.broadcast %10 dims = [0, 1] : tensor<276x133xf32> to tensor<276x133x14xf32>
  %12 = arith.subf %9, %11 : tensor<276x133x14xf32>
  graph.return %12 : tensor<276x133x14xf32>
}

// Blocks of 64 columns would be fewer than multiprocessors: of 32 they are 179. Rows that begin anywhere are loaded one by one, a
// register each: a step has half as many of them.
// CHECK: tile.kernel @columns_for_all grid = [179, 1, 1] {{.*}}tile = [256, 32]
graph.kernel anchor(reduction) @columns_for_all(%x: tensor<2613x5724xbf16>) -> tensor<5724xf32> {
  %0 = arith.extf %x : tensor<2613x5724xbf16> to tensor<2613x5724xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<2613x5724xf32> to tensor<5724xf32>
  graph.return %1 : tensor<5724xf32>
}
// CHECK: tile.kernel @one_by_one {{.*}}tile = [128, 32]
graph.kernel anchor(reduction) @one_by_one(%x: tensor<2613x5723xbf16>) -> tensor<5723xf32> {
  %0 = arith.extf %x : tensor<2613x5723xbf16> to tensor<2613x5723xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<2613x5723xf32> to tensor<5723xf32>
  graph.return %1 : tensor<5723xf32>
}

// Short columns that a factor of their number would leave to single warps have a block's work.
// CHECK: tile.kernel @pairs {{.*}}tile = [2, 1024]
graph.kernel anchor(reduction) @pairs(%x: tensor<2x8914752xf32>) -> (tensor<2x8914752xf32>, tensor<8914752xf32>) {
  %0 = math.absf %x : tensor<2x8914752xf32>
  %1 = graph.reduce max %0 dims = [0] : tensor<2x8914752xf32> to tensor<8914752xf32>
  graph.return %0, %1 : tensor<2x8914752xf32>, tensor<8914752xf32>
}

// Long rows of which elements are stored, too, are gone through in steps of as many bytes as a block of few warps has under way.
// CHECK: tile.kernel @stored_beside {{.*}}tile = [1, 2048], reduce = 1, warps = 8,
graph.kernel anchor(reduction) @stored_beside(%x: tensor<229x144641xf32>, %y: tensor<229x144641xf32>, %z: tensor<229x144641xf32>) -> (tensor<229xf32>, tensor<229x144641xf32>, tensor<229x144641xf32>) {
  %0 = graph.reduce sum %z dims = [1] : tensor<229x144641xf32> to tensor<229xf32>
  %1 = math.exp %x : tensor<229x144641xf32>
  %2 = arith.mulf %1, %y : tensor<229x144641xf32>
  %3 = arith.addf %2, %z : tensor<229x144641xf32>
  graph.return %0, %1, %3 : tensor<229xf32>, tensor<229x144641xf32>, tensor<229x144641xf32>
}

// Many blocks of a warp each are few warps: long chains of instructions are divided among more of them.
// CHECK: tile.kernel @few_warps {{.*}}tile = [32, 16], reduce = 1, warps = 2,
graph.kernel anchor(reduction) @few_warps(%x: tensor<29184x15xf32>) -> (tensor<29184x15xf32>, tensor<15x29184xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<29184x15xf32> to tensor<29184xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<29184xf32> to tensor<29184x15xf32>
  %2 = arith.subf %x, %1 : tensor<29184x15xf32>
  %3 = math.tanh %2 : tensor<29184x15xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<29184x15xf32> to tensor<29184xf32>
  %5 = graph.broadcast %4 dims = [0] : tensor<29184xf32> to tensor<29184x15xf32>
  %6 = arith.addf %3, %5 : tensor<29184x15xf32>
  %7 = graph.transpose %6 permutation = [1, 0] {graph.materialize} : tensor<29184x15xf32> to tensor<15x29184xf32>
  graph.return %6, %7 : tensor<29184x15xf32>, tensor<15x29184xf32>
}

// Columns that few blocks scan step by step: many warps, each of which is soon done with its part of a step.
// CHECK: tile.kernel @few_scans grid = [140, 1, 1] warps = 16 {{.*}}tile = [1, 64, 32], reduce = 1, warps = 16,
graph.kernel anchor(reduction) @few_scans(%x: tensor<5x4787x879xbf16>) -> tensor<5x4787x879xbf16> {
  %0 = arith.extf %x : tensor<5x4787x879xbf16> to tensor<5x4787x879xf32>
  %1 = graph.scan max %0 dim = 1 : tensor<5x4787x879xf32>
  %2 = arith.truncf %1 : tensor<5x4787x879xf32> to tensor<5x4787x879xbf16>
  graph.return %2 : tensor<5x4787x879xbf16>
}

// CHECK: tile.kernel @many_scans {{.*}}tile = [128, 16], reduce = 1, warps = 4,
graph.kernel anchor(reduction) @many_scans(%x: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %0 = graph.scan sum %x dim = 0 : tensor<8192x8192xf32>
  graph.return %0 : tensor<8192x8192xf32>
}
