// Tiles follow what a kernel moves: short rows are rounded to few elements, results that lie across rows get whole sectors, a
// transpose under a reshape has a tile of two dimensions, and what needs no reduction is stored in its pass.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// Three of four lanes have an element, not three of sixteen.
// CHECK: tile.kernel @rows_of_three {{.*}}tile.schedule = #tile.schedule<tile = [{{[0-9]+}}, 4],
graph.kernel anchor(reduction) @rows_of_three(%x: tensor<654000x3xbf16>) -> tensor<654000x3xbf16> {
  %0 = graph.reduce max %x dims = [1] : tensor<654000x3xbf16> to tensor<654000xbf16>
  %1 = graph.broadcast %0 dims = [0] : tensor<654000xbf16> to tensor<654000x3xbf16>
  %2 = arith.subf %x, %1 : tensor<654000x3xbf16>
  graph.return %2 : tensor<654000x3xbf16>
}

// An operand that three ops read is loaded once: the results, contiguous along the last dimension, are more.
// CHECK: tile.kernel @read_thrice {{.*}}tile.schedule = #tile.schedule<tile = [4, 512],
graph.kernel anchor(elementwise) @read_thrice(%x: tensor<45632x118x3xf32>) -> (tensor<3x45632x118xf32>, tensor<3x45632x118xf32>) {
  %0 = graph.transpose %x permutation = [2, 0, 1] : tensor<45632x118x3xf32> to tensor<3x45632x118xf32>
  %1 = math.absf %0 : tensor<3x45632x118xf32>
  %2 = arith.mulf %0, %1 : tensor<3x45632x118xf32>
  %3 = arith.negf %0 : tensor<3x45632x118xf32>
  graph.return %2, %3 : tensor<3x45632x118xf32>, tensor<3x45632x118xf32>
}

// The transpose lies under a reshape: a square of both, not 2048 elements of which each goes to another row.
// CHECK: tile.kernel @flattened {{.*}}tile.schedule = #tile.schedule<tile = [{{32|64|128}}, {{32|64|128}}],
graph.kernel anchor(elementwise) @flattened(%x: tensor<2097152xf32>) -> (tensor<2097152xf32>, tensor<512x4096xf32>) {
  %0 = math.absf %x : tensor<2097152xf32>
  %1 = graph.reshape %0 : tensor<2097152xf32> to tensor<4096x512xf32>
  %2 = graph.transpose %1 permutation = [1, 0] : tensor<4096x512xf32> to tensor<512x4096xf32>
  %3 = arith.negf %2 : tensor<512x4096xf32>
  graph.return %0, %3 : tensor<2097152xf32>, tensor<512x4096xf32>
}

// Of a row of 2123 the second tile of 2048 would have 75.
// CHECK: tile.kernel @odd_rows {{.*}}tile.schedule = #tile.schedule<tile = [{{[0-9]+}}, {{[0-9]+}}, 256],
graph.kernel anchor(elementwise) @odd_rows(%x: tensor<1448x8x2123xf32>) -> tensor<1448x10x2123xf32> {
  %0 = graph.pad %x low = [0, 1, 0] high = [0, 1, 0] value = 0.0 : f32 : tensor<1448x8x2123xf32> to tensor<1448x10x2123xf32>
  %1 = math.absf %0 : tensor<1448x10x2123xf32>
  graph.return %1 : tensor<1448x10x2123xf32>
}

// Each warp would have one row, and store two bytes of every column.
// CHECK: tile.kernel @columns_of_rows {{.*}}tile.schedule = #tile.schedule<tile = [16, {{[0-9]+}}],
graph.kernel anchor(reduction) @columns_of_rows(%x: tensor<5296x712xbf16>) -> (tensor<5296x712xbf16>, tensor<712x5296xbf16>) {
  %0 = arith.extf %x : tensor<5296x712xbf16> to tensor<5296x712xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<5296x712xf32> to tensor<5296xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<5296xf32> to tensor<5296x712xf32>
  %3 = arith.subf %0, %2 : tensor<5296x712xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<5296x712xf32> to tensor<5296xf32>
  %5 = graph.broadcast %4 dims = [0] : tensor<5296xf32> to tensor<5296x712xf32>
  %6 = arith.divf %3, %5 : tensor<5296x712xf32>
  %7 = graph.reduce max %6 dims = [1] : tensor<5296x712xf32> to tensor<5296xf32>
  %8 = graph.broadcast %7 dims = [0] : tensor<5296xf32> to tensor<5296x712xf32>
  %9 = arith.subf %6, %8 : tensor<5296x712xf32>
  %10 = arith.truncf %9 : tensor<5296x712xf32> to tensor<5296x712xbf16>
  %11 = graph.transpose %0 permutation = [1, 0] : tensor<5296x712xf32> to tensor<712x5296xf32>
  %12 = arith.truncf %11 : tensor<712x5296xf32> to tensor<712x5296xbf16>
  graph.return %10, %12 : tensor<5296x712xbf16>, tensor<712x5296xbf16>
}

// One pass reads the operand: the absolute values need no maximum.
// CHECK: tile.kernel @stored_in_its_pass
// CHECK: scf.for
// CHECK: tile.store
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: tile.return
graph.kernel anchor(reduction) @stored_in_its_pass(%x: tensor<11460x1767xf32>) -> (tensor<1767xf32>, tensor<11460x1767xf32>) {
  %0 = graph.reduce max %x dims = [0] : tensor<11460x1767xf32> to tensor<1767xf32>
  %1 = math.absf %x : tensor<11460x1767xf32>
  graph.return %0, %1 : tensor<1767xf32>, tensor<11460x1767xf32>
}

// Blocks that read two bytes of each element take twice as many: their starts would take longer than memory.
// CHECK: tile.kernel @little_of_each {{.*}}tile.schedule = #tile.schedule<tile = [8, 384],
graph.kernel anchor(reduction) @little_of_each(%x: tensor<85680x368xbf16>) -> tensor<85680xf32> {
  %0 = arith.extf %x : tensor<85680x368xbf16> to tensor<85680x368xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<85680x368xf32> to tensor<85680xf32>
  graph.return %1 : tensor<85680xf32>
}
