// Short rows of odd extents: lanes have whole sectors of a row, not pieces of one (a row of 40 bf16 is 3 * 16 in the tile,
// not 5 * 8, and one of 28 has all of 32).
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// CHECK: tile.kernel @forty {{.*}}tile.schedule = #tile.schedule<tile = [{{[0-9]+}}, 48],
graph.kernel anchor(reduction) @forty(%x: tensor<654000x40xbf16>) -> tensor<654000x40xbf16> {
  %0 = graph.reduce max %x dims = [1] : tensor<654000x40xbf16> to tensor<654000xbf16>
  %1 = graph.broadcast %0 dims = [0] : tensor<654000xbf16> to tensor<654000x40xbf16>
  %2 = arith.subf %x, %1 : tensor<654000x40xbf16>
  graph.return %2 : tensor<654000x40xbf16>
}

// CHECK: tile.kernel @twenty_eight {{.*}}tile.schedule = #tile.schedule<tile = [{{[0-9]+}}, 32],
graph.kernel anchor(reduction) @twenty_eight(%x: tensor<1264320x28xbf16>) -> tensor<1264320x28xbf16> {
  %0 = graph.reduce max %x dims = [1] : tensor<1264320x28xbf16> to tensor<1264320xbf16>
  %1 = graph.broadcast %0 dims = [0] : tensor<1264320xbf16> to tensor<1264320x28xbf16>
  %2 = arith.subf %x, %1 : tensor<1264320x28xbf16>
  graph.return %2 : tensor<1264320x28xbf16>
}
