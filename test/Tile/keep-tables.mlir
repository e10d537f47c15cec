// Gathers of single elements: blocks load the rows of their table whole and go over all indices into them, where the table's rows
// fit shared memory and there are enough indices; few indices, whole sectors and long rows go through the caches.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_80 | FileCheck %s

// CHECK-LABEL: tile.kernel @rows
// CHECK-SAME: keep_tables
// CHECK: %[[T:.*]] = tile.load %arg0{{.*}} -> tensor<[[R:[0-9]+]]x{{[0-9]+}}xf32>
// CHECK-NOT: scf.for
// CHECK: tile.take %[[T]] at %{{.*}} dim = 1 of 2000 : {{.*}} -> tensor<[[R]]x{{2[5-9][0-9]*}}xf32>
// CHECK-NOT: tile.gather
// CHECK: tile.return
graph.kernel anchor(gather) @rows(%t: tensor<9000x2000xf32>, %i: tensor<2500xi64>) -> tensor<9000x2500xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<9000x2000xf32>, tensor<2500xi64> to tensor<9000x2500xf32>
  graph.return %0 : tensor<9000x2500xf32>
}

// More indices than threads hold elements.
// CHECK-LABEL: tile.kernel @in_pieces
// CHECK-SAME: keep_tables
// CHECK: %[[T:.*]] = tile.load %arg0{{.*}} -> tensor<1x{{[0-9]+}}xf32>
// CHECK: scf.for
// CHECK: tile.take %[[T]] at %{{.*}} dim = 1 of 9000
graph.kernel anchor(gather) @in_pieces(%t: tensor<2000x9000xf32>, %i: tensor<18000xi64>) -> tensor<2000x18000xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<2000x9000xf32>, tensor<18000xi64> to tensor<2000x18000xf32>
  graph.return %0 : tensor<2000x18000xf32>
}

// Pairs side by side: a block has both.
// CHECK-LABEL: tile.kernel @pairs
// CHECK-SAME: keep_tables
// CHECK: tile.take %{{.*}} at %{{.*}} dim = 1 of 2000 : {{.*}} -> tensor<{{[0-9]+}}x{{[0-9]+}}x2xf32>
graph.kernel anchor(gather) @pairs(%t: tensor<9000x2000x2xf32>, %i: tensor<2500xi64>) -> tensor<9000x2500x2xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<9000x2000x2xf32>, tensor<2500xi64> to tensor<9000x2500x2xf32>
  graph.return %0 : tensor<9000x2500x2xf32>
}

// CHECK-LABEL: tile.kernel @few_indices
// CHECK-NOT: tile.take
// CHECK: tile.gather
graph.kernel anchor(gather) @few_indices(%t: tensor<9000x20000xf32>, %i: tensor<25xi64>) -> tensor<9000x25xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<9000x20000xf32>, tensor<25xi64> to tensor<9000x25xf32>
  graph.return %0 : tensor<9000x25xf32>
}

// CHECK-LABEL: tile.kernel @whole_sectors
// CHECK-NOT: tile.take
// CHECK: tile.gather
graph.kernel anchor(gather) @whole_sectors(%t: tensor<900x200x64xf32>, %i: tensor<250xi64>) -> tensor<900x250x64xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<900x200x64xf32>, tensor<250xi64> to tensor<900x250x64xf32>
  graph.return %0 : tensor<900x250x64xf32>
}

// CHECK-LABEL: tile.kernel @long_rows
// CHECK-NOT: tile.take
// CHECK: tile.gather
graph.kernel anchor(gather) @long_rows(%t: tensor<300x100000xf32>, %i: tensor<100000xi64>) -> tensor<300x100000xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<300x100000xf32>, tensor<100000xi64> to tensor<300x100000xf32>
  graph.return %0 : tensor<300x100000xf32>
}

// CHECK-LABEL: tile.kernel @few_rows
// CHECK-NOT: tile.take
// CHECK: tile.gather
graph.kernel anchor(gather) @few_rows(%t: tensor<4x2000xf32>, %i: tensor<300000xi64>) -> tensor<4x300000xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<4x2000xf32>, tensor<300000xi64> to tensor<4x300000xf32>
  graph.return %0 : tensor<4x300000xf32>
}

// Rows that are reduced are taken from the same way; columns that are reduced go over rows of the table in a loop.
// CHECK-LABEL: tile.kernel @reduced
// CHECK-SAME: keep_tables
// CHECK: tile.take
// CHECK: tile.reduce
graph.kernel anchor(reduction) @reduced(%t: tensor<9000x2000xf32>, %i: tensor<2500xi64>) -> (tensor<9000xf32>, tensor<9000x2500xf32>) {
  %0 = graph.gather %t[%i] dim = 1 : tensor<9000x2000xf32>, tensor<2500xi64> to tensor<9000x2500xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<9000x2500xf32> to tensor<9000xf32>
  graph.return %1, %0 : tensor<9000xf32>, tensor<9000x2500xf32>
}

// CHECK-LABEL: tile.kernel @reduced_rows
// CHECK-NOT: tile.take
// CHECK: tile.gather
graph.kernel anchor(reduction) @reduced_rows(%t: tensor<9000x2000xf32>, %i: tensor<2500xi64>) -> tensor<2500xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<9000x2000xf32>, tensor<2500xi64> to tensor<9000x2500xf32>
  %1 = graph.reduce max %0 dims = [0] : tensor<9000x2500xf32> to tensor<2500xf32>
  graph.return %1 : tensor<2500xf32>
}
