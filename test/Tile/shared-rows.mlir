// Few rows are held by the blocks of a cluster, a tile each; more rows, short rows, scans and rows of one chip without
// clusters are not.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_80 | FileCheck %s --check-prefix=ALONE

// ALONE-NOT: split_k

// CHECK-LABEL: tile.kernel @one_row grid = [8, 1, 1]
// CHECK-SAME: tile.cluster = 8
// CHECK-SAME: split_k = 8
// CHECK: %[[PART:.*]] = arith.remui %{{.*}}, %c8
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]]
// CHECK: tile.load %{{.*}}[%[[FIRST]]]
// CHECK: tile.reduce {{.*}} dim = 0
// CHECK: blocks = 8
graph.kernel anchor(reduction) @one_row(%x: tensor<12400xf32>) -> tensor<12400xf32> {
  %t = math.tanh %x : tensor<12400xf32>
  %0 = graph.reduce sum %t dims = [0] : tensor<12400xf32> to tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<12400xf32>
  %2 = arith.subf %t, %1 : tensor<12400xf32>
  graph.return %2 : tensor<12400xf32>
}

// Blocks of eight warps, not of thirty-two, of which a cluster has two.
// CHECK-LABEL: tile.kernel @longer_row grid = [8, 1, 1] warps = 8
// CHECK-SAME: split_k = 8
graph.kernel anchor(reduction) @longer_row(%x: tensor<29952xf32>) -> tensor<29952xf32> {
  %t = math.tanh %x : tensor<29952xf32>
  %0 = graph.reduce sum %t dims = [0] : tensor<29952xf32> to tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<29952xf32>
  %2 = arith.subf %t, %1 : tensor<29952xf32>
  graph.return %2 : tensor<29952xf32>
}

// CHECK-LABEL: tile.kernel @many_rows grid = [400, 1, 1]
// CHECK-NOT: split_k
graph.kernel anchor(reduction) @many_rows(%x: tensor<400x12400xf32>) -> tensor<400x12400xf32> {
  %t = math.tanh %x : tensor<400x12400xf32>
  %0 = graph.reduce sum %t dims = [1] : tensor<400x12400xf32> to tensor<400xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<400xf32> to tensor<400x12400xf32>
  %2 = arith.subf %t, %1 : tensor<400x12400xf32>
  graph.return %2 : tensor<400x12400xf32>
}

// CHECK-LABEL: tile.kernel @short_row grid = [1, 1, 1]
// CHECK-NOT: split_k
graph.kernel anchor(reduction) @short_row(%x: tensor<2000xf32>) -> tensor<2000xf32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<2000xf32> to tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<2000xf32>
  %2 = arith.subf %x, %1 : tensor<2000xf32>
  graph.return %2 : tensor<2000xf32>
}

// CHECK-LABEL: tile.kernel @scanned
// CHECK-NOT: split_k
graph.kernel anchor(reduction) @scanned(%x: tensor<12288xf32>) -> tensor<12288xf32> {
  %t = math.tanh %x : tensor<12288xf32>
  %0 = graph.scan sum %t dim = 0 : tensor<12288xf32>
  graph.return %0 : tensor<12288xf32>
}

// Rows that shared memory keeps between passes: four blocks could keep each of these sixteen, eight fill the chip.
// CHECK-LABEL: tile.kernel @kept_rows grid = [128, 1, 1]
// CHECK-SAME: tile.cluster = 8
// CHECK-SAME: tile = [1, 2048]
graph.kernel anchor(reduction) @kept_rows(%x: tensor<16x131072xbf16>) -> tensor<16x131072xbf16> {
  %e = arith.extf %x : tensor<16x131072xbf16> to tensor<16x131072xf32>
  %0 = graph.reduce max %e dims = [1] : tensor<16x131072xf32> to tensor<16xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<16xf32> to tensor<16x131072xf32>
  %2 = arith.subf %e, %1 : tensor<16x131072xf32>
  %3 = arith.truncf %2 : tensor<16x131072xf32> to tensor<16x131072xbf16>
  graph.return %3 : tensor<16x131072xbf16>
}

// Tiles of a whole tensor that are empty in part, of 32 elements a thread whatever the cluster: eight blocks of them rather than two.
// CHECK-LABEL: tile.kernel @all_of_three grid = [8, 1, 1]
// CHECK-SAME: tile = [8, 16, 64], {{.*}} split_k = 8
graph.kernel anchor(reduction) @all_of_three(%x: tensor<56x16x56xbf16>) -> (tensor<56x16x56xbf16>, tensor<56x9x56xbf16>) {
  %e = arith.extf %x : tensor<56x16x56xbf16> to tensor<56x16x56xf32>
  %t = math.tanh %e : tensor<56x16x56xf32>
  %p = math.exp %t : tensor<56x16x56xf32>
  %s = graph.slice %e offsets = [0, 6, 0] strides = [1, 1, 1] : tensor<56x16x56xf32> to tensor<56x9x56xf32>
  %q = arith.mulf %s, %s : tensor<56x9x56xf32>
  %0 = graph.reduce sum %q dims = [0, 1, 2] : tensor<56x9x56xf32> to tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<56x9x56xf32>
  %2 = arith.mulf %s, %1 : tensor<56x9x56xf32>
  %3 = arith.truncf %p : tensor<56x16x56xf32> to tensor<56x16x56xbf16>
  %4 = arith.truncf %2 : tensor<56x9x56xf32> to tensor<56x9x56xbf16>
  graph.return %3, %4 : tensor<56x16x56xbf16>, tensor<56x9x56xbf16>
}
