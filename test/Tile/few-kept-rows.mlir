// Rows that are fewer than multiprocessors: as many blocks share one as find a multiprocessor each, in tiles of which these have equal
// parts; and blocks that are alone on one and compute much have more warps.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// No sixteen blocks have parts of a row in tiles of 2048, and eight of each would leave half of the multiprocessors idle.
// CHECK: tile.kernel @seven grid = [112, 1, 1] {{.*}}tile.cluster = 16 {{.*}}tile = [1, 512]
graph.kernel anchor(reduction) @seven(%x: tensor<7x119809xf32>) -> tensor<7x119809xf32> {
  %m = graph.reduce max %x dims = [1] : tensor<7x119809xf32> to tensor<7xf32>
  %b = graph.broadcast %m dims = [0] : tensor<7xf32> to tensor<7x119809xf32>
  %d = arith.subf %x, %b : tensor<7x119809xf32>
  graph.return %d : tensor<7x119809xf32>
}

// CHECK: tile.kernel @computes_alone grid = [104, 1, 1] warps = 16 {{.*}}tile = [1, 2048]
graph.kernel anchor(reduction) @computes_alone(%x: tensor<104x21152xf32>) -> tensor<104x21152xf32> {
  %g = graph.gelu erf %x : tensor<104x21152xf32>
  %e = math.erf %g : tensor<104x21152xf32>
  %m = graph.reduce max %e dims = [1] : tensor<104x21152xf32> to tensor<104xf32>
  %b = graph.broadcast %m dims = [0] : tensor<104xf32> to tensor<104x21152xf32>
  %d = arith.subf %e, %b : tensor<104x21152xf32>
  graph.return %d : tensor<104x21152xf32>
}

// What computes little waits for memory.
// CHECK: tile.kernel @moves_alone grid = [104, 1, 1] warps = 8
graph.kernel anchor(reduction) @moves_alone(%x: tensor<104x21152xf32>) -> tensor<104x21152xf32> {
  %m = graph.reduce max %x dims = [1] : tensor<104x21152xf32> to tensor<104xf32>
  %b = graph.broadcast %m dims = [0] : tensor<104xf32> to tensor<104x21152xf32>
  %d = arith.subf %x, %b : tensor<104x21152xf32>
  graph.return %d : tensor<104x21152xf32>
}
