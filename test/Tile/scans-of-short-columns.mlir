// Scans in steps along columns of which few lie side by side: a block has several runs of them that follow one another in memory,
// whole sectors. Columns that a tile holds whole are as they were.
// RUN: tw-compile %s --start-from=tile --stop-after=tile --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: tile.kernel @sixes
// CHECK-SAME: tile.schedule = #tile.schedule<tile = [32, 8, 8]
graph.kernel anchor(reduction) @sixes(%x: tensor<3808x1600x6xbf16>, %s: tensor<1600xf32>)
    -> (tensor<3808x1600x6xf32>, tensor<1600xf32>) {
  %0 = arith.extf %x : tensor<3808x1600x6xbf16> to tensor<3808x1600x6xf32>
  %1 = math.absf %s : tensor<1600xf32>
  %2 = graph.broadcast %1 dims = [1] : tensor<1600xf32> to tensor<3808x1600x6xf32>
  %3 = arith.addf %0, %2 : tensor<3808x1600x6xf32>
  %4 = graph.scan sum %3 dim = 0 : tensor<3808x1600x6xf32>
  graph.return %4, %1 : tensor<3808x1600x6xf32>, tensor<1600xf32>
}
// CHECK-LABEL: tile.kernel @whole
// CHECK-SAME: tile.schedule = #tile.schedule<tile = [1, 60, 8, 4]
graph.kernel anchor(reduction) @whole(%x: tensor<320x57x56x3xf32>, %s: tensor<56xf32>)
    -> (tensor<320x57x56x3xf32>, tensor<56xf32>) {
  %0 = math.absf %s : tensor<56xf32>
  %1 = graph.broadcast %0 dims = [2] : tensor<56xf32> to tensor<320x57x56x3xf32>
  %2 = arith.addf %x, %1 : tensor<320x57x56x3xf32>
  %3 = graph.scan sum %2 dim = 1 : tensor<320x57x56x3xf32>
  graph.return %3, %0 : tensor<320x57x56x3xf32>, tensor<56xf32>
}
