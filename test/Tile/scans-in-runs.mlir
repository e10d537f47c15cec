// Long scans of rows that no vectors are loaded from: their elements are exchanged among threads, so that each has a run of them
// and totals cross warps once. Lanes side by side would take a round for each register. Vectors of aligned rows stay.
// RUN: tw-opt %s --convert-graph-to-tile --tile-assign-layouts | FileCheck %s

// CHECK: tile.kernel @odd_rows
// CHECK: %[[RUNS:.*]] = tile.convert_layout {{.*}} to {{.*}} register={{\[\[}}0,1],[0,2],[0,4]
// CHECK: %[[SCANNED:.*]]:2 = tile.scan %[[RUNS]]
// CHECK: tile.convert_layout %[[SCANNED]]#0 {{.*}} lane={{\[\[}}0,1],[0,2],[0,4],[0,8],[0,16]]
graph.kernel anchor(reduction) @odd_rows(%x: tensor<300x82627xf32>) -> tensor<300x82627xf32> {
  %0 = graph.scan sum %x dim = 1 : tensor<300x82627xf32>
  graph.return %0 : tensor<300x82627xf32>
}

// CHECK: tile.kernel @aligned_rows
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(reduction) @aligned_rows(%x: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %0 = graph.scan sum %x dim = 1 : tensor<8192x8192xf32>
  graph.return %0 : tensor<8192x8192xf32>
}
