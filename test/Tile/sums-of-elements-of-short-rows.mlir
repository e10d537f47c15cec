// Elements that indices choose of short rows are near one another: the lanes of a warp share a row, though all that lies side by side
// otherwise are the results, one for each row.
// RUN: tw-compile %s --start-from=tile --stop-after=tile --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: tile.kernel @sums
// CHECK-SAME: tile.schedule = #tile.schedule<tile = [{{1|2}}, 1152]
graph.kernel anchor(reduction) @sums(%x: tensor<38347x1136xf32>, %i: tensor<1136xi64>) -> (tensor<38347xf32>, tensor<38347xf32>) {
  %0 = graph.gather %x[%i] dim = 1 : tensor<38347x1136xf32>, tensor<1136xi64> to tensor<38347x1136xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<38347x1136xf32> to tensor<38347xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<38347xf32> to tensor<38347x1136xf32>
  %3 = arith.subf %0, %2 : tensor<38347x1136xf32>
  %4 = arith.mulf %3, %3 : tensor<38347x1136xf32>
  %5 = graph.reduce sum %4 dims = [1] : tensor<38347x1136xf32> to tensor<38347xf32>
  graph.return %1, %5 : tensor<38347xf32>, tensor<38347xf32>
}
