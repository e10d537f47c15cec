// What a gather selects of a row does not keep the row itself from staying in shared memory: the blocks of a
// cluster load it once for its sum, its variance and what is stored, and select from memory.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK-LABEL: tile.kernel @selected_of_kept
// CHECK-SAME: grid = [832, 1, 1] warps = 8 {{.*}}tile.cluster = 4 : i64, tile.kept_bytes
graph.kernel anchor(reduction) @selected_of_kept(%x: tensor<208x50000xf32>, %i: tensor<50000xi64>) -> tensor<208x50000xf32> {
  %s = graph.reduce sum %x dims = [1] : tensor<208x50000xf32> to tensor<208xf32>
  %b = graph.broadcast %s dims = [0] : tensor<208xf32> to tensor<208x50000xf32>
  %d = arith.subf %x, %b : tensor<208x50000xf32>
  %q = arith.mulf %d, %d : tensor<208x50000xf32>
  %v = graph.reduce sum %q dims = [1] : tensor<208x50000xf32> to tensor<208xf32>
  %w = graph.broadcast %v dims = [0] : tensor<208xf32> to tensor<208x50000xf32>
  %g = graph.gather %x[%i] dim = 1 : tensor<208x50000xf32>, tensor<50000xi64> to tensor<208x50000xf32>
  %y = arith.addf %d, %g : tensor<208x50000xf32>
  %z = arith.mulf %y, %w : tensor<208x50000xf32>
  graph.return %z : tensor<208x50000xf32>
}

// What is selected alone is read again in each pass, and nothing is kept.
// CHECK-LABEL: tile.kernel @selected_alone grid = [208, 1, 1] warps = 16
// CHECK-NOT: tile.kept_bytes
graph.kernel anchor(reduction) @selected_alone(%x: tensor<100x50000xf32>, %i: tensor<208xi64>) -> tensor<208x50000xf32> {
  %g = graph.gather %x[%i] dim = 0 : tensor<100x50000xf32>, tensor<208xi64> to tensor<208x50000xf32>
  %s = graph.reduce sum %g dims = [1] : tensor<208x50000xf32> to tensor<208xf32>
  %b = graph.broadcast %s dims = [0] : tensor<208xf32> to tensor<208x50000xf32>
  %d = arith.subf %g, %b : tensor<208x50000xf32>
  graph.return %d : tensor<208x50000xf32>
}
