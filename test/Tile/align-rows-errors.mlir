// Rows are gone over from vectors on where the kernel has rows of memory, one in a tile.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a --split-input-file --verify-diagnostics

// expected-error@+1 {{align_rows, and the kernel does not reduce along rows of memory and along nothing else}}
graph.kernel anchor(elementwise) @no_rows(%x: tensor<64x63xf16>) -> tensor<64x63xf16> attributes {
    tile.schedule = #tile.schedule<tile = [64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = math.absf %x : tensor<64x63xf16>
  graph.return %0 : tensor<64x63xf16>
}

// -----

// expected-error@+1 {{align_rows, and the kernel does not reduce along rows of memory and along nothing else}}
graph.kernel anchor(reduction) @columns(%x: tensor<64x63xf16>) -> tensor<63xf16> attributes {
    tile.schedule = #tile.schedule<tile = [16, 16], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.reduce max %x dims = [0] : tensor<64x63xf16> to tensor<63xf16>
  graph.return %0 : tensor<63xf16>
}

// -----

// expected-error@+1 {{its tile has 2 elements along dimension 0: each row begins elsewhere}}
graph.kernel anchor(reduction) @two_rows(%x: tensor<64x63xf16>) -> tensor<64xf16> attributes {
    tile.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.reduce max %x dims = [1] : tensor<64x63xf16> to tensor<64xf16>
  graph.return %0 : tensor<64xf16>
}

// -----

// expected-error@+1 {{its tile has 36 elements of the row, no multiple of the 8 of a vector}}
graph.kernel anchor(reduction) @no_vectors(%x: tensor<64x63xf16>) -> tensor<64xf16> attributes {
    tile.schedule = #tile.schedule<tile = [1, 36], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.reduce max %x dims = [1] : tensor<64x63xf16> to tensor<64xf16>
  graph.return %0 : tensor<64xf16>
}

// -----

// expected-error@+2 {{align_rows is of reductions along rows: neither products of warpgroups nor look_back or keep_tables}}
graph.kernel anchor(reduction) @looks_back(%x: tensor<64x63xf16>) -> tensor<64xf16> attributes {
    tile.schedule = #tile.schedule<tile = [1, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back, align_rows>} {
  %0 = graph.reduce max %x dims = [1] : tensor<64x63xf16> to tensor<64xf16>
  graph.return %0 : tensor<64xf16>
}
