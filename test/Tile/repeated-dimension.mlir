// Of few indices for which nearly all that is loaded is the same tiles have all, so that it is loaded once: in steps over columns these are
// shorter then. Of more, and where each index has much of its own, tiles have one.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK: tile.kernel @columns {{.*}}tile = [3, 64, 32], reduce = 1, warps = 8
graph.kernel anchor(reduction) @columns(%x: tensor<3x387xf32>, %w: tensor<387x7082xbf16>) -> tensor<3x7082xf32> {
  %0 = graph.broadcast %x dims = [0, 1] : tensor<3x387xf32> to tensor<3x387x7082xf32>
  %1 = arith.extf %w : tensor<387x7082xbf16> to tensor<387x7082xf32>
  %2 = graph.broadcast %1 dims = [1, 2] : tensor<387x7082xf32> to tensor<3x387x7082xf32>
  %3 = arith.mulf %0, %2 : tensor<3x387x7082xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<3x387x7082xf32> to tensor<3x7082xf32>
  graph.return %4 : tensor<3x7082xf32>
}

// CHECK: tile.kernel @rows {{.*}}tile = [2, 2, 1152], reduce = 1, warps = 8
graph.kernel anchor(reduction) @rows(%x: tensor<2x1045xf32>, %w: tensor<4403x1045xbf16>) -> tensor<2x4403xf32> {
  %0 = graph.broadcast %x dims = [0, 2] : tensor<2x1045xf32> to tensor<2x4403x1045xf32>
  %1 = arith.extf %w : tensor<4403x1045xbf16> to tensor<4403x1045xf32>
  %2 = graph.broadcast %1 dims = [1, 2] : tensor<4403x1045xf32> to tensor<2x4403x1045xf32>
  %3 = arith.mulf %0, %2 : tensor<2x4403x1045xf32>
  %4 = graph.reduce sum %3 dims = [2] : tensor<2x4403x1045xf32> to tensor<2x4403xf32>
  graph.return %4 : tensor<2x4403xf32>
}

// CHECK: tile.kernel @many {{.*}}tile = [1,
graph.kernel anchor(reduction) @many(%x: tensor<16x1045xf32>, %w: tensor<4403x1045xbf16>) -> tensor<16x4403xf32> {
  %0 = graph.broadcast %x dims = [0, 2] : tensor<16x1045xf32> to tensor<16x4403x1045xf32>
  %1 = arith.extf %w : tensor<4403x1045xbf16> to tensor<4403x1045xf32>
  %2 = graph.broadcast %1 dims = [1, 2] : tensor<4403x1045xf32> to tensor<16x4403x1045xf32>
  %3 = arith.mulf %0, %2 : tensor<16x4403x1045xf32>
  %4 = graph.reduce sum %3 dims = [2] : tensor<16x4403x1045xf32> to tensor<16x4403xf32>
  graph.return %4 : tensor<16x4403xf32>
}

// CHECK: tile.kernel @each_its_own {{.*}}tile = [1,
graph.kernel anchor(reduction) @each_its_own(%x: tensor<2x4403x1045xbf16>, %w: tensor<4403x1045xbf16>) -> tensor<2x4403xf32> {
  %0 = arith.extf %x : tensor<2x4403x1045xbf16> to tensor<2x4403x1045xf32>
  %1 = arith.extf %w : tensor<4403x1045xbf16> to tensor<4403x1045xf32>
  %2 = graph.broadcast %1 dims = [1, 2] : tensor<4403x1045xf32> to tensor<2x4403x1045xf32>
  %3 = arith.mulf %0, %2 : tensor<2x4403x1045xf32>
  %4 = graph.reduce sum %3 dims = [2] : tensor<2x4403x1045xf32> to tensor<2x4403xf32>
  graph.return %4 : tensor<2x4403xf32>
}
