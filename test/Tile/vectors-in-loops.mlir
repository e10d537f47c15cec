// What rows of a loop's tile are multiplied by each lane loads for its rows: exchanged among threads it would cost every step
// two barriers.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a --tile-assign-layouts | FileCheck %s

// CHECK-LABEL: tile.kernel @weighted_rows
// CHECK: scf.for
// CHECK: %[[WEIGHTS:.*]] = tile.load {{.*}} -> tensor<256x1xbf16
// CHECK-NOT: tile.convert_layout
// CHECK: scf.yield
graph.kernel anchor(reduction) @weighted_rows(%w: tensor<2613xbf16>, %x: tensor<2613x5724xbf16>) -> tensor<5724xf32> {
  %0 = arith.extf %w : tensor<2613xbf16> to tensor<2613xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<2613xf32> to tensor<2613x5724xf32>
  %2 = arith.extf %x : tensor<2613x5724xbf16> to tensor<2613x5724xf32>
  %3 = arith.mulf %1, %2 : tensor<2613x5724xf32>
  %4 = graph.reduce sum %3 dims = [0] : tensor<2613x5724xf32> to tensor<5724xf32>
  graph.return %4 : tensor<5724xf32>
}
