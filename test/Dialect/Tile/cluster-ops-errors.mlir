// Ops of clusters refuse parts that are no parts, sums of other clusters, tiles and rings of other types.
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

// expected-error@+1 {{'tile.cluster' must be a number up to 16 that divides the grid's blocks in x, got 3 : i64}}
tile.kernel @grid grid = [4, 1, 1] warps = 4 () attributes {tile.cluster = 3 : i64} {
  tile.return
}

// -----

tile.kernel @pushed_shape grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %tile = arith.constant dense<1.0> : tensor<32x16xf32>
  %b = tile.alloc : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  %r = tile.ring %b {tile.pushers = 2 : i64} : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}"> -> !tile.ring<1>
  // expected-error@+1 {{a tile of 'tensor<32x16xf32>' into a buffer of another shape or type}}
  tile.push_parts %tile, %b[%c0] of %c0 signals %r[%c0] dim = 0 of 2 : tensor<32x16xf32>, !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">, !tile.ring<1>
  tile.return
}

// -----

tile.kernel @pushed_type grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %tile = arith.constant dense<1.0> : tensor<64x16xf16>
  %b = tile.alloc : !tile.shared<1, f16, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  %r = tile.ring %b {tile.pushers = 2 : i64} : !tile.shared<1, f16, "{shape=[64,16], order=[1,0], inner=[24,1]}"> -> !tile.ring<1>
  // expected-error@+1 {{pushes elements of 'f16', of 32 bits alone it can}}
  tile.push_parts %tile, %b[%c0] of %c0 signals %r[%c0] dim = 0 of 2 : tensor<64x16xf16>, !tile.shared<1, f16, "{shape=[64,16], order=[1,0], inner=[24,1]}">, !tile.ring<1>
  tile.return
}

// -----

tile.kernel @pushed_parts grid = [3, 1, 1] warps = 4 () attributes {tile.cluster = 3 : i64} {
  %c0 = arith.constant 0 : index
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  %b = tile.alloc : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  %r = tile.ring %b {tile.pushers = 3 : i64} : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}"> -> !tile.ring<1>
  // expected-error@+1 {{pushes 3 equal parts along dimension 0 of 'tensor<64x16xf32>'}}
  tile.push_parts %tile, %b[%c0] of %c0 signals %r[%c0] dim = 0 of 3 : tensor<64x16xf32>, !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">, !tile.ring<1>
  tile.return
}

// -----

tile.kernel @no_pushers grid = [2, 1, 1] warps = 4 () attributes {tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  %b = tile.alloc : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  %r = tile.ring %b : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}"> -> !tile.ring<1>
  // expected-error@+1 {{from 2 blocks signals a ring of 1}}
  tile.push_parts %tile, %b[%c0] of %c0 signals %r[%c0] dim = 0 of 2 : tensor<64x16xf32>, !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">, !tile.ring<1>
  tile.return
}

// -----

tile.kernel @other_pushers grid = [4, 1, 1] warps = 4 () attributes {tile.cluster = 4 : i64} {
  %c0 = arith.constant 0 : index
  %tile = arith.constant dense<1.0> : tensor<64x16xf32>
  %b = tile.alloc : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  %r = tile.ring %b {tile.pushers = 2 : i64} : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}"> -> !tile.ring<1>
  // expected-error@+1 {{pushes to 2 blocks, clusters of the kernel have 4}}
  tile.push_parts %tile, %b[%c0] of %c0 signals %r[%c0] dim = 0 of 2 : tensor<64x16xf32>, !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">, !tile.ring<1>
  tile.return
}

// -----

// expected-error@+1 {{'tile.cluster' must be a number up to 16 that divides the grid's blocks in x, got 32 : i64}}
tile.kernel @large_cluster grid = [32, 1, 1] warps = 4 () attributes {tile.cluster = 32 : i64} {
  tile.return
}

// -----

tile.kernel @reduced_blocks grid = [4, 1, 1] warps = 4 () attributes {tile.cluster = 4 : i64} {
  %tile = arith.constant dense<1.0> : tensor<32x16xf32>
  // expected-error@+1 {{'tile.blocks' must be a number that divides the blocks of the kernel's clusters, got 2147483647 : i64}}
  %sum = tile.reduce %tile dim = 1 attributes {tile.blocks = 2147483647 : i64} {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tile.yield %0 : f32
  } : tensor<32x16xf32> to tensor<32x1xf32>
  tile.return
}
