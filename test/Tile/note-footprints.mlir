// What blocks touch, as sums of digits: rows in tiles, whole columns, another order of dimensions, a part of a tensor, and rows
// that indices select.
// RUN: tw-opt %s --split-input-file --convert-graph-to-tile --tile-note-footprints | FileCheck %s

// 64 rows of 96 elements: a block has 8 of them.
// CHECK-LABEL: tile.kernel @rows grid = [8, 1, 1]
// CHECK-SAME: {ptx.footprint = [array<i64: 0, 4, 0, 0, 24192, 2, 3072, 8, 1, 384, 8, 0, 0, 0, 380, 1, 4, 128, 0>]}
graph.kernel anchor(reduction) @rows(%x: tensor<64x96xf32>) -> tensor<64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [8, 128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x96xf32> to tensor<64xf32>
  graph.return %0 : tensor<64xf32>
}

// -----

// 64 rows of 96 elements: a block has 32 columns of all rows.
// CHECK-LABEL: tile.kernel @columns grid = [3, 1, 1]
// CHECK-SAME: {ptx.footprint = [array<i64: 0, 4, 0, 0, 24192, 1, 384, 64, 0, 0, 0, 380, 2, 128, 3, 1, 4, 32, 0>]}
// CHECK-SAME: {ptx.footprint = [array<i64: 0, 4, 0, 0, 380, 2, 128, 3, 1, 4, 32, 0>]}
graph.kernel anchor(reduction) @columns(%x: tensor<64x96xf32>) -> tensor<96xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.reduce sum %x dims = [0] : tensor<64x96xf32> to tensor<96xf32>
  graph.return %0 : tensor<96xf32>
}

// -----

// A part that begins 5 elements into the tensor.
// CHECK-LABEL: tile.kernel @part grid = [2, 1, 1]
// CHECK-SAME: {ptx.footprint = [array<i64: 20, 4, 0, 0, 1020, 2, 512, 2, 1, 4, 128, 0>]}
graph.kernel anchor(elementwise) @part(%x: tensor<261xf32>) -> tensor<256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = graph.slice %x offsets = [5] strides = [1] : tensor<261xf32> to tensor<256xf32>
  %1 = math.exp %0 : tensor<256xf32>
  graph.return %1 : tensor<256xf32>
}

// -----

// What is gathered may be anywhere in its rows.
// CHECK-LABEL: tile.kernel @selected
// CHECK-SAME: ptx.footprint = [array<i64: 0, 4, 0, 0, 252, 1, 4, 64, 0, 0, 0, 2304, 1, 256, 10, 0>]
graph.kernel anchor(gather) @selected(%x: tensor<10x64xf32>, %i: tensor<4xi64>) -> tensor<4x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.gather %x[%i] dim = 0 : tensor<10x64xf32>, tensor<4xi64> to tensor<4x64xf32>
  graph.return %0 : tensor<4x64xf32>
}
