// Kernels that convert-graph-to-tile refuses: schedules that do not fit, sets of ops that are no single kernel.
// RUN: tw-opt %s --split-input-file --convert-graph-to-tile --verify-diagnostics -o /dev/null

// expected-error@+1 {{the schedule has 2 tile sizes, the kernel's domain 1 dimensions}}
graph.kernel anchor(elementwise) @rank(%x: tensor<4x64xf32>) -> tensor<4x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [4, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = math.exp %x : tensor<4x64xf32>
  graph.return %0 : tensor<4x64xf32>
}

// -----

// expected-error@+1 {{the schedule's tile has size 2 in batch dimension 0 of a product; it must be 1}}
graph.kernel anchor(matmul) @batch(%a: tensor<4x16x32xbf16>, %b: tensor<4x32x16xbf16>) -> tensor<4x16x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [2, 16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<4x16x32xbf16>, tensor<4x32x16xbf16> to tensor<4x16x16xf32>
  graph.return %0 : tensor<4x16x16xf32>
}

// -----

// expected-error@+1 {{the schedule has split_k = 4: the tile holds whole rows}}
graph.kernel anchor(reduction) @whole(%x: tensor<8x512xf32>) -> tensor<8xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, split_k = 4>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<8x512xf32> to tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{the schedule has split_k = 2: a row of 512 elements is longer than as many tiles of 128}}
graph.kernel anchor(reduction) @long(%x: tensor<8x512xf32>) -> tensor<8xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, split_k = 2>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<8x512xf32> to tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{the schedule has split_k = 2: blocks share what a product or a reduction runs over, and the kernel has neither}}
graph.kernel anchor(elementwise) @neither(%x: tensor<512xf32>) -> tensor<512xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1, split_k = 2>} {
  %0 = math.exp %x : tensor<512xf32>
  graph.return %0 : tensor<512xf32>
}

// -----

// expected-error@+1 {{the schedule has split_k = 2: scans, sorts and reductions over different dimensions need whole rows in a block}}
graph.kernel anchor(reduction) @scan(%x: tensor<512xf32>) -> tensor<512xf32>
    attributes {tile.schedule = #tile.schedule<tile = [256], reduce = 1, warps = 1, warp_grid = [1], stages = 1, split_k = 2>} {
  %0 = graph.scan sum %x dim = 0 : tensor<512xf32>
  graph.return %0 : tensor<512xf32>
}

// -----

// expected-error@+1 {{the schedule has split_k = 2, which products take on warpgroups alone}}
graph.kernel anchor(matmul) @split(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>) -> tensor<16x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 1, split_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<16x32xbf16>, tensor<32x16xbf16> to tensor<16x16xf32>
  graph.return %0 : tensor<16x16xf32>
}

// -----

// expected-error@+1 {{computes nothing}}
graph.kernel anchor(elementwise) @empty(%x: tensor<4xf32>) -> tensor<4xf32> {
  graph.return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{is no single kernel: graph.matmul: follows another matmul, and operands are f32, one kernel takes 16-bit floats}}
graph.kernel anchor(matmul) @wide_chain(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %a, %a : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  %1 = graph.matmul %0, %a : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  graph.return %1 : tensor<4x4xf32>
}

// -----

// expected-error@+1 {{is no single kernel: graph.matmul: needs elements of arith.truncf in another order than they are computed}}
graph.kernel anchor(matmul) @two(%a: tensor<4x4xbf16>) -> tensor<4x4xf32> {
  %0 = graph.matmul %a, %a : tensor<4x4xbf16>, tensor<4x4xbf16> to tensor<4x4xf32>
  %1 = arith.truncf %0 : tensor<4x4xf32> to tensor<4x4xbf16>
  %2 = graph.matmul %a, %1 : tensor<4x4xbf16>, tensor<4x4xbf16> to tensor<4x4xf32>
  graph.return %2 : tensor<4x4xf32>
}

// -----

// expected-error@+1 {{is no single kernel: graph.reduce: needs what is known behind the loop over the terms of the second matmul alone}}
graph.kernel anchor(matmul) @two_passes(%a: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %0 = graph.matmul %a, %a : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<64x64xf32> to tensor<64xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<64xf32> to tensor<64x64xf32>
  %3 = arith.subf %0, %2 : tensor<64x64xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<64x64xf32> to tensor<64xf32>
  %5 = graph.broadcast %4 dims = [0] : tensor<64xf32> to tensor<64x64xf32>
  %6 = arith.mulf %0, %5 : tensor<64x64xf32>
  %7 = arith.truncf %6 : tensor<64x64xf32> to tensor<64x64xbf16>
  %8 = graph.matmul %7, %a : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  graph.return %8 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule's tile shape 16x4x32 is not a multiple of mma shape 16x8x16}}
graph.kernel anchor(matmul) @mma(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 4], reduce = 32, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<64x32xbf16>, tensor<32x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule's tile has size 48 in dimension 1 of a product without matrix instructions; it must be a power of two}}
graph.kernel anchor(matmul) @fma_tile(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 48], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<64x32xf32>, tensor<32x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule takes 24 of K at a time, without matrix instructions it must be a power of two}}
graph.kernel anchor(matmul) @fma_step(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 32], reduce = 24, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<64x32xf32>, tensor<32x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{product = mma_sync> says how a product is formed, and the kernel has none}}
graph.kernel anchor(elementwise) @unit(%x: tensor<64xf32>) -> tensor<64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64], reduce = 1, warps = 1, warp_grid = [1], stages = 1, product = mma_sync>} {
  %0 = math.exp %x : tensor<64xf32>
  graph.return %0 : tensor<64xf32>
}

// -----

// expected-error@+1 {{the schedule has product = wgmma, which multiplies 16-bit floats, tf32 and bytes; the kernel's operands are 'f32'}}
graph.kernel anchor(matmul) @floats(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule takes 24 of K at a time, a warpgroup's product of 'bf16' multiples of 16}}
graph.kernel anchor(matmul) @step(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 24, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule's tile has 24 columns, a warpgroup's product of bytes multiples of 16}}
graph.kernel anchor(matmul) @bytes(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 24], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<64x64xi8>, tensor<64x64xi8> to tensor<64x64xi32>
  graph.return %0 : tensor<64x64xi32>
}

// -----

// expected-error@+1 {{the schedule has copy = bulk, and no tensor map describes an operand}}
graph.kernel anchor(matmul) @unaligned(%a: tensor<64x60xbf16>, %b: tensor<60x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x60xbf16>, tensor<60x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule takes 24 of K at a time, which warps bring to registers from across the rows here: it must be a power of two}}
graph.kernel anchor(matmul) @across_rows(%a: tensor<96x128xf32>, %b: tensor<96x64xf32>) -> tensor<128x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128, 16], reduce = 24, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], left = registers>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<96x128xf32> to tensor<128x96xf32>
  %0 = graph.matmul %t, %b precision = tf32 : tensor<128x96xf32>, tensor<96x64xf32> to tensor<128x64xf32>
  graph.return %0 : tensor<128x64xf32>
}

// -----

// expected-error@+1 {{the schedule takes 48 of K at a time, which threads copy here: it must be a power of two}}
graph.kernel anchor(matmul) @copied(%a: tensor<64x96xbf16>, %b: tensor<96x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 48, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = plain>} {
  %0 = graph.matmul %a, %b : tensor<64x96xbf16>, tensor<96x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule takes 16 of K at a time of an operand that lies across K, which has no group of 8 for each of 4 blocks of a cluster to copy}}
graph.kernel anchor(matmul) @parts_of_steps(%a: tensor<512x96xbf16>, %b: tensor<96x32xbf16>) -> tensor<512x32xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128, 32], reduce = 16, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, cluster = [4, 1]>} {
  %0 = graph.matmul %a, %b : tensor<512x96xbf16>, tensor<96x32xbf16> to tensor<512x32xf32>
  graph.return %0 : tensor<512x32xf32>
}

// -----

// expected-error@+1 {{the schedule has warpgroups along N, which take 8 columns in turn of an operand that must lie along K}}
graph.kernel anchor(matmul) @columns_in_turn(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 8, warp_grid = [4, 2], stages = 2, product = wgmma, roles = cooperative>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  graph.return %0 : tensor<128x64xf32>
}

// -----

// expected-error@+1 {{the schedule's 8 stages need 262272 bytes of shared memory, a block can have 232448}}
graph.kernel anchor(matmul) @ring(%a: tensor<128x512xbf16>, %b: tensor<512x128xbf16>) -> tensor<128x128xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 8, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<128x512xbf16>, tensor<512x128xbf16> to tensor<128x128xf32>
  graph.return %0 : tensor<128x128xf32>
}

// -----

// expected-error@+1 {{the schedule has clusters, whose blocks share what bulk copies bring, and threads copy here}}
graph.kernel anchor(matmul) @cluster(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = plain, roles = cooperative, persistent = 2, cluster = [2, 1]>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  graph.return %0 : tensor<128x64xf32>
}

// -----

// expected-error@+1 {{the schedule's tile of 128x24 has no group of 8 for each block of a cluster of 4x1 to copy}}
graph.kernel anchor(matmul) @cluster_parts(%a: tensor<256x64xbf16>, %b: tensor<64x48xbf16>) -> tensor<256x48xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128, 24], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, roles = cooperative, persistent = 4, cluster = [4, 1]>} {
  %0 = graph.matmul %a, %b : tensor<256x64xbf16>, tensor<64x48xbf16> to tensor<256x48xf32>
  graph.return %0 : tensor<256x48xf32>
}

// -----

// expected-error@+1 {{the schedule has registers = [24, 240], which leaves too few to the warps that convert an operand here}}
graph.kernel anchor(matmul) @converter_registers(%a: tensor<256x64xi8>, %b: tensor<256x96xi8>) -> tensor<64x96xi32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = pingpong, registers = [24, 240], persistent = 1>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<256x64xi8> to tensor<64x256xi8>
  %0 = graph.matmul %t, %b : tensor<64x256xi8>, tensor<256x96xi8> to tensor<64x96xi32>
  graph.return %0 : tensor<64x96xi32>
}

// -----

// Loaders that share stages of this ring would take another use's phase for their own.
// expected-error@+1 {{the schedule's 3 loaders take slots in turn of the ring of an operand that warps convert here: raw_stages must be a multiple, got 4}}
graph.kernel anchor(matmul) @converter_ring(%a: tensor<256x64xi8>, %b: tensor<256x96xi8>) -> tensor<64x96xi32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, loaders = 3, raw_stages = 4, persistent = 1>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<256x64xi8> to tensor<64x256xi8>
  %0 = graph.matmul %t, %b : tensor<64x256xi8>, tensor<256x96xi8> to tensor<64x96xi32>
  graph.return %0 : tensor<64x96xi32>
}

// -----

// Results are what the kernel's ops compute: a view of an argument or of another result is none of them.
// expected-error@+1 {{does not compute its result #1: an argument, or a view without graph.materialize}}
graph.kernel anchor(reduction) @view(%x: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<32x64xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x32xf32> to tensor<64xf32>
  %1 = graph.transpose %x permutation = [1, 0] : tensor<64x32xf32> to tensor<32x64xf32>
  graph.return %0, %1 : tensor<64xf32>, tensor<32x64xf32>
}

// -----

// expected-error@+1 {{does not compute its result #0}}
graph.kernel anchor(reduction) @argument(%x: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x32xf32> to tensor<64xf32>
  graph.return %x, %0 : tensor<64x32xf32>, tensor<64xf32>
}

// -----

// Tiles of rows by groups are as many as the data say.
// expected-error@+1 {{rows by groups take blocks of one tile, or tiles row after row}}
graph.kernel anchor(matmul) @groups_in_turn(%x: tensor<256x64xbf16>, %w: tensor<2x64x64xbf16>, %ends: tensor<2xi32>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<4>>} {
  %0 = graph.matmul %x, %w groups(%ends : tensor<2xi32>) : tensor<256x64xbf16>, tensor<2x64x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}

// -----

// expected-error@+1 {{is no single kernel: graph.matmul: its groups' ends are not in memory as they are}}
graph.kernel anchor(matmul) @some_ends(%x: tensor<256x64xbf16>, %w: tensor<2x64x64xbf16>, %ends: tensor<4xi32>) -> tensor<256x64xf32> {
  %some = graph.slice %ends offsets = [0] strides = [2] : tensor<4xi32> to tensor<2xi32>
  %0 = graph.matmul %x, %w groups(%some : tensor<2xi32>) : tensor<256x64xbf16>, tensor<2x64x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}

// -----

// Steps of the columns hold rows of 16 whole.
// expected-error@+1 {{its rows do not fit the tile of the schedule, and reductions over different dimensions need a tile that holds both}}
graph.kernel anchor(reduction) @part_of_what_steps_hold(%x: tensor<300x3x16xf32>) -> (tensor<300x3xf32>, tensor<3x16xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [64, 1, 8], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %l = graph.reduce max %x dims = [2] : tensor<300x3x16xf32> to tensor<300x3xf32>
  %m = graph.reduce max %x dims = [0] : tensor<300x3x16xf32> to tensor<3x16xf32>
  graph.return %l, %m : tensor<300x3xf32>, tensor<3x16xf32>
}
