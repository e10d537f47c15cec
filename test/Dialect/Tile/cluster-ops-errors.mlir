// Ops of clusters refuse parts that are no parts, sums of other clusters, tiles of other types.
// RUN: tw-opt %s --split-input-file --verify-diagnostics

tile.kernel @dimension grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  // expected-error@+1 {{along dimension 2 of 'tensor<64x16xf32>' gives 'tensor<32x16xf32>'}}
  %sum = tile.sum_blocks %tile dim = 2 of 2 : tensor<64x16xf32> to tensor<32x16xf32>
  tile.return
}

// -----

tile.kernel @part grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  // expected-error@+1 {{each of 2 blocks has 16 of 64 elements in dimension 0}}
  %sum = tile.sum_blocks %tile dim = 0 of 2 : tensor<64x16xf32> to tensor<16x16xf32>
  tile.return
}

// -----

tile.kernel @other_cluster grid = [4, 1, 1] warps = 4 () attributes {tile.cluster = 4 : i64} {
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  // expected-error@+1 {{sums 2 blocks, clusters of the kernel have 4}}
  %sum = tile.sum_blocks %tile dim = 0 of 2 : tensor<64x16xf32> to tensor<32x16xf32>
  tile.return
}

// -----

// expected-error@+1 {{'tile.cluster' must be a number that divides the grid's blocks in x, got 3 : i64}}
tile.kernel @grid grid = [4, 1, 1] warps = 4 () attributes {tile.cluster = 3 : i64} {
  tile.return
}

// -----

tile.kernel @peer grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  // expected-error@+1 {{a buffer of rank 2 of 'f32' with a tile of 'tensor<64x16xf16>'}}
  %part = tile.load_peer %b[%c0] of %c0 : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}"> -> tensor<64x16xf16>
  tile.return
}

// -----

tile.kernel @offsets grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  // expected-error@+1 {{0 offsets for 'tensor<32x16xf32>' of a buffer of rank 2}}
  %part = tile.load_peer %b[%c0] of %c0 : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}"> -> tensor<32x16xf32>
  tile.return
}
