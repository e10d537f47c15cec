// tile-stage-runs crashed on loads of tiles without layouts.
// RUN: not tw-opt %s --convert-graph-to-tile --tile-stage-runs -o %t.mlir 2>&1 | FileCheck %s

// CHECK: error: 'tile.load' op has a tile of type 'tensor<{{.*}}xf32>' without a layout; run tile-assign-layouts
graph.kernel anchor(elementwise) @exp(%x: tensor<1001xf32>) -> tensor<1001xf32> {
  %0 = math.exp %x : tensor<1001xf32>
  graph.return %0 : tensor<1001xf32>
}
