// Tiles take all of the sectors that they touch: where tensors lie in three orders each gets a run, a tile is no longer than a short
// extent, and scanned columns are a power of two. What the rules do well stays.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s --check-prefix=RULES

// Pairs, rows of 244 and columns of 165: the rules see two of the three.
// RULES: tile.kernel @three_orders {{.*}}tile = [2, 1, 32, 32]
// CHECK: tile.kernel @three_orders {{.*}}tile = [2, {{8|16|32|64|128|256}}, 1, {{8|16|32|64|128|256}}]
graph.kernel anchor(transpose) @three_orders(%x: tensor<165x534x244x2xf32>, %y: tensor<2x534x244xf32>) -> (tensor<534x2x244x165xf32>, tensor<165x534x244x2xf32>, tensor<2x165x534x244xf32>) {
  %0 = math.absf %x : tensor<165x534x244x2xf32>
  %1 = graph.transpose %0 permutation = [1, 3, 2, 0] : tensor<165x534x244x2xf32> to tensor<534x2x244x165xf32>
  %2 = arith.negf %1 : tensor<534x2x244x165xf32>
  %3 = graph.transpose %x permutation = [3, 0, 1, 2] : tensor<165x534x244x2xf32> to tensor<2x165x534x244xf32>
  %4 = graph.broadcast %y dims = [0, 2, 3] : tensor<2x534x244xf32> to tensor<2x165x534x244xf32>
  %5 = arith.mulf %3, %4 : tensor<2x165x534x244xf32>
  graph.return %2, %0, %5 : tensor<534x2x244x165xf32>, tensor<165x534x244x2xf32>, tensor<2x165x534x244xf32>
}

// Blocks that store parts of the same sectors of the columns follow one another, six to a column; without a chip those that have a
// row do.
// RULES: tile.kernel @columns_first
// RULES: %[[BLOCK:.*]] = tile.block_id
// RULES: arith.remui %[[BLOCK]], %c8
// CHECK: tile.kernel @columns_first
// CHECK: %[[BLOCK:.*]] = tile.block_id
// CHECK: %[[COLUMN:.*]] = arith.remui %[[BLOCK]], %c6
// CHECK: %[[FIRST:.*]] = arith.muli %[[COLUMN]], %c32
// CHECK: tile.load %{{.*}}[%c0, %[[FIRST]], %{{.*}}, %{{.*}}]
graph.kernel anchor(transpose) @columns_first(%x: tensor<165x534x244x2xf32>, %y: tensor<2x534x244xf32>) -> (tensor<534x2x244x165xf32>, tensor<165x534x244x2xf32>, tensor<2x165x534x244xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [2, 32, 1, 32], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = math.absf %x : tensor<165x534x244x2xf32>
  %1 = graph.transpose %0 permutation = [1, 3, 2, 0] : tensor<165x534x244x2xf32> to tensor<534x2x244x165xf32>
  %2 = arith.negf %1 : tensor<534x2x244x165xf32>
  %3 = graph.transpose %x permutation = [3, 0, 1, 2] : tensor<165x534x244x2xf32> to tensor<2x165x534x244xf32>
  %4 = graph.broadcast %y dims = [0, 2, 3] : tensor<2x534x244xf32> to tensor<2x165x534x244xf32>
  %5 = arith.mulf %3, %4 : tensor<2x165x534x244xf32>
  graph.return %2, %0, %5 : tensor<534x2x244x165xf32>, tensor<165x534x244x2xf32>, tensor<2x165x534x244xf32>
}

// So they do where results are joined of parts: twenty blocks to a row of what is read, and of each part.
// CHECK: tile.kernel @joined_rows_first
// CHECK: %[[BLOCK:.*]] = tile.block_id
// CHECK: arith.remui %[[BLOCK]], %c20
graph.kernel anchor(elementwise) @joined_rows_first(%x: tensor<52633x77x8xbf16>) -> (tensor<105266x77x8xbf16>, tensor<8x77x52633xbf16>) attributes {
    tile.schedule = #tile.schedule<tile = [8, 4, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.negf %x : tensor<52633x77x8xbf16>
  %1 = graph.concat %0, %x dim = 0 : tensor<52633x77x8xbf16>, tensor<52633x77x8xbf16> to tensor<105266x77x8xbf16>
  %2 = graph.transpose %x permutation = [2, 1, 0] : tensor<52633x77x8xbf16> to tensor<8x77x52633xbf16>
  %3 = math.absf %2 : tensor<8x77x52633xbf16>
  graph.return %1, %3 : tensor<105266x77x8xbf16>, tensor<8x77x52633xbf16>
}

// A result that is three columns of all is no store of every tile.
// CHECK: tile.kernel @beside_a_window {{.*}}tile = [1, {{1024|2048}}]
graph.kernel anchor(elementwise) @beside_a_window(%x: tensor<9x5013907xf32>) -> (tensor<18x5013907xf32>, tensor<9x5013907xf32>, tensor<9x3xf32>) {
  %0 = math.tanh %x : tensor<9x5013907xf32>
  %1 = graph.concat %0, %x dim = 0 : tensor<9x5013907xf32>, tensor<9x5013907xf32> to tensor<18x5013907xf32>
  %2 = graph.slice %x offsets = [0, 5013904] strides = [1, 1] : tensor<9x5013907xf32> to tensor<9x3xf32>
  %3 = math.absf %2 : tensor<9x3xf32>
  graph.return %1, %0, %3 : tensor<18x5013907xf32>, tensor<9x5013907xf32>, tensor<9x3xf32>
}

// Four rows of 28 elements follow one another, and no more: eight would be half empty.
// RULES: tile.kernel @four_rows {{.*}}tile = [16, 1, 1, 8, 32]
// CHECK: tile.kernel @four_rows {{.*}}tile = [{{16|32|56|64}}, 1, {{1|2}}, {{2|4}}, {{28|32}}]
graph.kernel anchor(reduction) @four_rows(%x: tensor<55x16x288x4x28xf32>) -> (tensor<55x16x288x4xf32>, tensor<4x288x16x28x55xf32>) {
  %0 = graph.reduce max %x dims = [4] : tensor<55x16x288x4x28xf32> to tensor<55x16x288x4xf32>
  %1 = graph.transpose %x permutation = [3, 2, 1, 4, 0] : tensor<55x16x288x4x28xf32> to tensor<4x288x16x28x55xf32>
  %2 = math.tanh %1 : tensor<4x288x16x28x55xf32>
  graph.return %0, %2 : tensor<55x16x288x4xf32>, tensor<4x288x16x28x55xf32>
}

// Columns of 72 elements: 21 at a time no lanes would share.
// RULES: tile.kernel @scanned_columns {{.*}}tile = [{{[0-9]+}}, 1, {{[0-9]+}}, 21]
// CHECK: tile.kernel @scanned_columns {{.*}}tile = [{{[0-9]+}}, 1, {{72|80|96}}, {{8|16|24|32}}]
graph.kernel anchor(reduction) @scanned_columns(%x: tensor<7x624x72x72xf32>) -> (tensor<7x624x72x72xf32>, tensor<624x72x72x7xf32>) {
  %0 = graph.scan sum %x dim = 2 : tensor<7x624x72x72xf32>
  %1 = graph.transpose %0 permutation = [1, 2, 3, 0] : tensor<7x624x72x72xf32> to tensor<624x72x72x7xf32>
  %2 = math.tanh %1 : tensor<624x72x72x7xf32>
  graph.return %0, %2 : tensor<7x624x72x72xf32>, tensor<624x72x72x7xf32>
}

// RULES: tile.kernel @chain {{.*}}tile = [1024], reduce = 1, warps = 8
// CHECK: tile.kernel @chain {{.*}}tile = [1024], reduce = 1, warps = 8
graph.kernel anchor(elementwise) @chain(%x: tensor<67108864xf32>) -> tensor<67108864xf32> {
  %0 = math.absf %x : tensor<67108864xf32>
  graph.return %0 : tensor<67108864xf32>
}

// RULES: tile.kernel @rows {{.*}}tile = [2, 1024], reduce = 1, warps = 4
// CHECK: tile.kernel @rows {{.*}}tile = [2, 1024], reduce = 1, warps = 4
graph.kernel anchor(reduction) @rows(%x: tensor<32768x1024xbf16>) -> tensor<32768x1024xbf16> {
  %0 = graph.reduce max %x dims = [1] : tensor<32768x1024xbf16> to tensor<32768xbf16>
  %1 = graph.broadcast %0 dims = [0] : tensor<32768xbf16> to tensor<32768x1024xbf16>
  %2 = arith.subf %x, %1 : tensor<32768x1024xbf16>
  graph.return %2 : tensor<32768x1024xbf16>
}

// Parts that are joined are stored at their own places, beside a result in another order: tiles of 32 x 32 of 65 x 65 were half empty.
// RULES: tile.kernel @parts_and_another_order {{.*}}tile = [4, 1, 1, 32, 32]
// CHECK: tile.kernel @parts_and_another_order {{.*}}tile = [4, 1, 1, 32, 96]
graph.kernel anchor(reduction) @parts_and_another_order(%x: tensor<4x28x64x65x65xbf16>) -> (tensor<130x64x28x4x65xbf16>, tensor<28x64x4x65x65xbf16>) {
  %0 = arith.extf %x : tensor<4x28x64x65x65xbf16> to tensor<4x28x64x65x65xf32>
  %1 = graph.scan sum %0 dim = 0 : tensor<4x28x64x65x65xf32>
  %2 = graph.transpose %1 permutation = [3, 2, 1, 0, 4] : tensor<4x28x64x65x65xf32> to tensor<65x64x28x4x65xf32>
  %3 = arith.truncf %2 : tensor<65x64x28x4x65xf32> to tensor<65x64x28x4x65xbf16>
  %4 = graph.concat %3, %3 dim = 0 : tensor<65x64x28x4x65xbf16>, tensor<65x64x28x4x65xbf16> to tensor<130x64x28x4x65xbf16>
  %5 = graph.transpose %0 permutation = [1, 2, 0, 4, 3] : tensor<4x28x64x65x65xf32> to tensor<28x64x4x65x65xf32>
  %6 = arith.truncf %5 : tensor<28x64x4x65x65xf32> to tensor<28x64x4x65x65xbf16>
  graph.return %4, %6 : tensor<130x64x28x4x65xbf16>, tensor<28x64x4x65x65xbf16>
}

// Equal parts leave less empty than powers of two: rows of 153 in 160, not in 256.
// RULES: tile.kernel @odd_rows {{.*}}tile = [8, 256]
// CHECK: tile.kernel @odd_rows {{.*}}tile = [8, 160]
graph.kernel anchor(transpose) @odd_rows(%x: tensor<289975x153xf32>, %y: tensor<153xf32>) -> (tensor<289975x153xf32>, tensor<247534x153xf32>) {
  %0 = math.tanh %x : tensor<289975x153xf32>
  %1 = graph.broadcast %y dims = [1] : tensor<153xf32> to tensor<289975x153xf32>
  %2 = arith.subf %0, %1 : tensor<289975x153xf32>
  %3 = math.log %2 : tensor<289975x153xf32>
  %4 = math.tanh %3 : tensor<289975x153xf32>
  %5 = graph.slice %x offsets = [37431, 0] strides = [1, 1] {graph.materialize} : tensor<289975x153xf32> to tensor<247534x153xf32>
  graph.return %4, %5 : tensor<289975x153xf32>, tensor<247534x153xf32>
}
// Whole tiles of whole lines: the rules' tile, unless another one is much faster.
// RULES: tile.kernel @whole {{.*}}tile = [128, 128], reduce = 1, warps = 8
// CHECK: tile.kernel @whole {{.*}}tile = [128, 128], reduce = 1, warps = 8
graph.kernel anchor(transpose) @whole(%x: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = graph.transpose %x permutation = [1, 0] {graph.materialize} : tensor<8192x8192xbf16> to tensor<8192x8192xbf16>
  graph.return %0 : tensor<8192x8192xbf16>
}

// Columns beside which rows are stored that do not wait for their sums: blocks go over them in a loop, in long pieces of a few
// rows, which are runs of memory over the last three dimensions: what keeps these apart is small. The rules take whole columns, a
// short piece of each row.
// RULES: tile.kernel @beside_sums {{.*}}tile = [160,
// CHECK: tile.kernel @beside_sums {{.*}}tile = [{{16|32|64}}, 1, {{64|128|256}}]
graph.kernel anchor(reduction) @beside_sums(%x: tensor<160x14x158x71x2xf32>, %y: tensor<14x158xf32>) -> (tensor<160x14x158x71x2xf32>, tensor<160x14x158x71x2xf32>, tensor<158x71x14x2xf32>) {
  %0 = graph.broadcast %y dims = [1, 2] : tensor<14x158xf32> to tensor<160x14x158x71x2xf32>
  %1 = arith.mulf %x, %0 : tensor<160x14x158x71x2xf32>
  %2 = math.tanh %1 : tensor<160x14x158x71x2xf32>
  %3 = math.exp %2 : tensor<160x14x158x71x2xf32>
  %4 = graph.reduce sum %x dims = [0] : tensor<160x14x158x71x2xf32> to tensor<14x158x71x2xf32>
  %5 = graph.transpose %4 permutation = [1, 2, 0, 3] : tensor<14x158x71x2xf32> to tensor<158x71x14x2xf32>
  %6 = math.exp %5 : tensor<158x71x14x2xf32>
  graph.return %1, %3, %6 : tensor<160x14x158x71x2xf32>, tensor<160x14x158x71x2xf32>, tensor<158x71x14x2xf32>
}

// Pairs of a flat tensor that are stored across it are followed beyond the pair: 16 of them have two lines.
// CHECK: tile.kernel @pairs_across {{.*}}tile = [{{16|32|64}}, {{16|32|64}}, 2],
graph.kernel anchor(elementwise) @pairs_across(%x: tensor<42521096xf32>) -> (tensor<3643x5836x2xf32>, tensor<42521096xf32>) {
  %0 = math.absf %x : tensor<42521096xf32>
  %1 = graph.reshape %0 : tensor<42521096xf32> to tensor<5836x3643x2xf32>
  %2 = graph.transpose %1 permutation = [1, 0, 2] : tensor<5836x3643x2xf32> to tensor<3643x5836x2xf32>
  %3 = math.exp %2 : tensor<3643x5836x2xf32>
  %4 = math.tanh %0 : tensor<42521096xf32>
  graph.return %3, %4 : tensor<3643x5836x2xf32>, tensor<42521096xf32>
}

// Two orders, and rows that begin anywhere: what keeps them apart is a value of each row, and they are one run of memory.
// CHECK: tile.kernel @odd_rows_across {{.*}}tile = [128, 32]
graph.kernel anchor(transpose) @odd_rows_across(%x: tensor<64x1420x179xf32>, %r: tensor<64x1420xf32>) -> (tensor<64x1420x179xf32>, tensor<64x1420x179xf32>, tensor<1420x179x64xf32>) {
  %0 = math.absf %x : tensor<64x1420x179xf32>
  %b = graph.broadcast %r dims = [0, 1] : tensor<64x1420xf32> to tensor<64x1420x179xf32>
  %1 = arith.subf %b, %x : tensor<64x1420x179xf32>
  %2 = graph.transpose %0 permutation = [1, 2, 0] : tensor<64x1420x179xf32> to tensor<1420x179x64xf32>
  %3 = math.sqrt %2 : tensor<1420x179x64xf32>
  graph.return %0, %1, %3 : tensor<64x1420x179xf32>, tensor<64x1420x179xf32>, tensor<1420x179x64xf32>
}

// Four elements of each row are half a sector: fewer blocks than four for a multiprocessor have whole ones.
// RULES: tile.kernel @few_blocks {{.*}}tile = [640, 1, 1, 1, 4]
// CHECK: tile.kernel @few_blocks {{.*}}tile = [640, 1, 1, 4, 4]
graph.kernel anchor(reduction) @few_blocks(%x: tensor<624x4x4x48x4xf32>) -> (tensor<4x4x48x624x4xf32>, tensor<624x4x4x48x4xf32>) {
  %0 = graph.reduce min %x dims = [0] : tensor<624x4x4x48x4xf32> to tensor<4x4x48x4xf32>
  %1 = graph.broadcast %0 dims = [1, 2, 3, 4] : tensor<4x4x48x4xf32> to tensor<624x4x4x48x4xf32>
  %2 = arith.subf %x, %1 : tensor<624x4x4x48x4xf32>
  %3 = graph.transpose %2 permutation = [2, 1, 3, 0, 4] : tensor<624x4x4x48x4xf32> to tensor<4x4x48x624x4xf32>
  %4 = math.absf %3 : tensor<4x4x48x624x4xf32>
  %5 = math.tanh %x : tensor<624x4x4x48x4xf32>
  graph.return %4, %5 : tensor<4x4x48x624x4xf32>, tensor<624x4x4x48x4xf32>
}

// Of rows of 130 every third tile of 64 has two elements: all of them together are worth a tile that is mostly empty.
// RULES: tile.kernel @nearly_empty {{.*}}tile = [1, 1, 64, 64]
// CHECK: tile.kernel @nearly_empty {{.*}}tile = [1, 1, 64, 256]
graph.kernel anchor(transpose) @nearly_empty(%x: tensor<130x33x4x2476xbf16>, %m: tensor<130x33xf32>) -> (tensor<33x4x2476x130xf32>, tensor<2476x33x4x130xbf16>, tensor<33x4x2476x130xbf16>) {
  %0 = arith.extf %x : tensor<130x33x4x2476xbf16> to tensor<130x33x4x2476xf32>
  %1 = graph.broadcast %m dims = [0, 1] : tensor<130x33xf32> to tensor<130x33x4x2476xf32>
  %2 = arith.addf %0, %1 : tensor<130x33x4x2476xf32>
  %3 = graph.transpose %2 permutation = [1, 2, 3, 0] : tensor<130x33x4x2476xf32> to tensor<33x4x2476x130xf32>
  %4 = math.tanh %3 : tensor<33x4x2476x130xf32>
  %5 = graph.transpose %4 permutation = [2, 0, 1, 3] : tensor<33x4x2476x130xf32> to tensor<2476x33x4x130xf32>
  %6 = arith.truncf %5 : tensor<2476x33x4x130xf32> to tensor<2476x33x4x130xbf16>
  %7 = arith.truncf %4 : tensor<33x4x2476x130xf32> to tensor<33x4x2476x130xbf16>
  graph.return %4, %6, %7 : tensor<33x4x2476x130xf32>, tensor<2476x33x4x130xbf16>, tensor<33x4x2476x130xbf16>
}

// Rows across of a window that begins anywhere have a part of a sector at either end of each run: longer ones are worth a larger tile.
// RULES: tile.kernel @across_a_window {{.*}}tile = [16, 1, 256]
// CHECK: tile.kernel @across_a_window {{.*}}tile.beside = {{[1-9][0-9]*}} : i64{{.*}}tile = [32, 1, 256]
graph.kernel anchor(reduction) @across_a_window(%x: tensor<416x303x224xf32>) -> (tensor<416x303x224xf32>, tensor<224x303x632xf32>) {
  %0 = graph.reduce max %x dims = [2] : tensor<416x303x224xf32> to tensor<416x303xf32>
  %1 = graph.broadcast %0 dims = [0, 1] : tensor<416x303xf32> to tensor<416x303x224xf32>
  %2 = arith.subf %x, %1 : tensor<416x303x224xf32>
  %3 = graph.slice %x offsets = [78, 0, 0] strides = [1, 1, 1] : tensor<416x303x224xf32> to tensor<316x303x224xf32>
  %4 = graph.transpose %3 permutation = [2, 1, 0] : tensor<316x303x224xf32> to tensor<224x303x316xf32>
  %5 = graph.concat %4, %4 dim = 2 : tensor<224x303x316xf32>, tensor<224x303x316xf32> to tensor<224x303x632xf32>
  graph.return %2, %5 : tensor<416x303x224xf32>, tensor<224x303x632xf32>
}

// What is only moved leaves the rules' tile where that has empty places and all of a row lies side by side in another one.
// RULES: tile.kernel @moved_odd_rows {{.*}}tile = [4, 8, 1, 32]
// CHECK: tile.kernel @moved_odd_rows {{.*}}tile = [2, 8, 1, {{160|256}}]
graph.kernel anchor(elementwise) @moved_odd_rows(%x: tensor<131x96x241x8xf32>) -> tensor<241x16x96x131xf32> {
  %0 = graph.transpose %x permutation = [2, 3, 1, 0] : tensor<131x96x241x8xf32> to tensor<241x8x96x131xf32>
  %1 = graph.concat %0, %0 dim = 1 : tensor<241x8x96x131xf32>, tensor<241x8x96x131xf32> to tensor<241x16x96x131xf32>
  graph.return %1 : tensor<241x16x96x131xf32>
}
