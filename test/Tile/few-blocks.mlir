// Few elements are divided among many threads, and rows among many blocks: small tiles and small squares where a kernel has no more,
// as many threads for a tile that is fitted as for others, and rows of which nothing lies side by side in memory by themselves.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// 125 blocks of one warp had four elements a thread, one after the other.
// CHECK: tile.kernel @few_elements grid = [125, 1, 1] warps = 4
graph.kernel anchor(transpose) @few_elements(%x: tensor<8x25x5x6x2xf32>, %y: tensor<8x25x5x2xf32>) -> tensor<8x25x5x6x2xf32> {
  %0 = math.tanh %x : tensor<8x25x5x6x2xf32>
  %1 = graph.broadcast %y dims = [0, 1, 2, 4] : tensor<8x25x5x2xf32> to tensor<8x25x5x6x2xf32>
  %2 = arith.subf %0, %1 : tensor<8x25x5x6x2xf32>
  graph.return %2 : tensor<8x25x5x6x2xf32>
}

// 12 squares of 32 x 32 for 132 multiprocessors.
// CHECK: tile.kernel @few_squares grid = [48, 1, 1]
graph.kernel anchor(transpose) @few_squares(%x: tensor<96x128xf32>) -> tensor<128x96xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<96x128xf32> to tensor<128x96xf32>
  %1 = math.tanh %0 : tensor<128x96xf32>
  graph.return %1 : tensor<128x96xf32>
}

// CHECK: tile.kernel @many_squares grid = [600, 1, 1]
graph.kernel anchor(transpose) @many_squares(%x: tensor<960x1280xf32>) -> tensor<1280x960xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<960x1280xf32> to tensor<1280x960xf32>
  %1 = math.tanh %0 : tensor<1280x960xf32>
  graph.return %1 : tensor<1280x960xf32>
}

// Every second element: what is contiguous along the kept dimension are 300 results alone. They were taken for columns, eight side
// by side.
// CHECK: tile.kernel @nothing_side_by_side grid = [300, 1, 1]
graph.kernel anchor(reduction) @nothing_side_by_side(%x: tensor<300x20000x2xf32>) -> tensor<300x1xf32> {
  %0 = graph.slice %x offsets = [0, 0, 1] strides = [1, 1, 1] : tensor<300x20000x2xf32> to tensor<300x20000x1xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<300x20000x1xf32> to tensor<300x1xf32>
  graph.return %1 : tensor<300x1xf32>
}

// A lone block takes as long as its longest thread: more warps, of elements that each load less than a vector of, though a few are empty.
// CHECK-LABEL: tile.kernel @lone_block
// CHECK-SAME: tile = [80, 32], reduce = 1, warps = 16
graph.kernel anchor(reduction) @lone_block(%x: tensor<72x32xbf16>) -> tensor<72x32xbf16> {
  %0 = arith.extf %x : tensor<72x32xbf16> to tensor<72x32xf32>
  %1 = graph.reduce sum %0 dims = [0, 1] : tensor<72x32xf32> to tensor<f32>
  %2 = graph.broadcast %1 dims = [] : tensor<f32> to tensor<72x32xf32>
  %3 = arith.addf %0, %2 : tensor<72x32xf32>
  %4 = math.log %3 : tensor<72x32xf32>
  %5 = math.tanh %4 : tensor<72x32xf32>
  %6 = graph.reduce max %5 dims = [1] : tensor<72x32xf32> to tensor<72xf32>
  %7 = graph.broadcast %6 dims = [0] : tensor<72xf32> to tensor<72x32xf32>
  %8 = arith.subf %5, %7 : tensor<72x32xf32>
  %9 = arith.truncf %8 : tensor<72x32xf32> to tensor<72x32xbf16>
  graph.return %9 : tensor<72x32xbf16>
}
