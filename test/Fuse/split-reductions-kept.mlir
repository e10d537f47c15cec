// Rows that go into their own elements again are not cut where the blocks of clusters keep them: one kernel reads them once. Longer rows,
// rows of which nothing is needed again, too few for half of the chip, and chips without clusters cut them.
// RUN: tw-opt %s --graph-decompose-named --fuse-split-reductions=cluster-blocks=16 | FileCheck %s
// RUN: tw-opt %s --graph-decompose-named --fuse-split-reductions | FileCheck %s --check-prefix=ALONE

// CHECK-LABEL: @norm
// CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<64x65536xf32> to tensor<64xf32>
// CHECK-NOT: graph.reduce
// ALONE-LABEL: @norm
// ALONE: graph.reduce sum %{{.*}} dims = [2]
func.func @norm(%x: tensor<64x65536xf32>) -> tensor<64x65536xf32> {
  %0 = arith.mulf %x, %x : tensor<64x65536xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<64x65536xf32> to tensor<64xf32>
  %2 = math.rsqrt %1 : tensor<64xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<64xf32> to tensor<64x65536xf32>
  %4 = arith.mulf %x, %3 : tensor<64x65536xf32>
  return %4 : tensor<64x65536xf32>
}

// Rows of several dimensions, as of a norm of groups of channels.
// CHECK-LABEL: @groups
// CHECK: graph.reduce max %{{.*}} dims = [2, 3] : tensor<2x32x10x4096xf32> to tensor<2x32xf32>
// CHECK-NOT: graph.reduce
// ALONE-LABEL: @groups
// ALONE: graph.reshape
func.func @groups(%x: tensor<2x32x10x4096xf32>) -> tensor<2x32x10x4096xf32> {
  %0 = graph.reduce max %x dims = [2, 3] : tensor<2x32x10x4096xf32> to tensor<2x32xf32>
  %1 = graph.broadcast %0 dims = [0, 1] : tensor<2x32xf32> to tensor<2x32x10x4096xf32>
  %2 = arith.subf %x, %1 : tensor<2x32x10x4096xf32>
  return %2 : tensor<2x32x10x4096xf32>
}

// CHECK-LABEL: @sums_alone
// CHECK: graph.reduce sum %{{.*}} dims = [2]
func.func @sums_alone(%x: tensor<64x65536xf32>) -> tensor<64xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x65536xf32> to tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Twice as many bytes as the blocks of a cluster have room for.
// CHECK-LABEL: @longer
// CHECK: graph.reduce max %{{.*}} dims = [2]
func.func @longer(%x: tensor<64x880000xf32>) -> tensor<64x880000xf32> {
  %0 = graph.reduce max %x dims = [1] : tensor<64x880000xf32> to tensor<64xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<64xf32> to tensor<64x880000xf32>
  %2 = arith.subf %x, %1 : tensor<64x880000xf32>
  return %2 : tensor<64x880000xf32>
}

// Of 16 bits there are as many elements as fit.
// CHECK-LABEL: @longer_of_16_bits
// CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<64x880000xf32> to tensor<64xf32>
// CHECK-NOT: graph.reduce
func.func @longer_of_16_bits(%x: tensor<64x880000xbf16>) -> tensor<64x880000xf32> {
  %0 = arith.extf %x : tensor<64x880000xbf16> to tensor<64x880000xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<64x880000xf32> to tensor<64xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<64xf32> to tensor<64x880000xf32>
  %3 = arith.subf %0, %2 : tensor<64x880000xf32>
  return %3 : tensor<64x880000xf32>
}

// Deviations of rows that are kept are no pieces' either; those whose sum alone is needed are.
// CHECK-LABEL: @deviations
// CHECK-COUNT-2: graph.reduce sum %{{.*}} dims = [1] : tensor<64x200000xf32> to tensor<64xf32>
// CHECK-NOT: graph.reduce
func.func @deviations(%x: tensor<64x200000xf32>) -> tensor<64x200000xf32> {
  %0 = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<64x200000xf32> to tensor<64x200000xf32>
  return %0 : tensor<64x200000xf32>
}

// CHECK-LABEL: @variance_alone
// CHECK: graph.reduce sum %{{.*}} dims = [2]
func.func @variance_alone(%x: tensor<64x200000xf32>) -> tensor<64xf32> {
  %n = arith.constant dense<5.0e-06> : tensor<64xf32>
  %m = graph.reduce sum %x dims = [1] : tensor<64x200000xf32> to tensor<64xf32>
  %mean = arith.mulf %m, %n : tensor<64xf32>
  %mb = graph.broadcast %mean dims = [0] : tensor<64xf32> to tensor<64x200000xf32>
  %d = arith.subf %x, %mb : tensor<64x200000xf32>
  %q = arith.mulf %d, %d : tensor<64x200000xf32>
  %v = graph.reduce sum %q dims = [1] : tensor<64x200000xf32> to tensor<64xf32>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: @fewer
// CHECK: graph.reduce max %{{.*}} dims = [2]
func.func @fewer(%x: tensor<4x65536xf32>) -> tensor<4x65536xf32> {
  %0 = graph.reduce max %x dims = [1] : tensor<4x65536xf32> to tensor<4xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x65536xf32>
  %2 = arith.subf %x, %1 : tensor<4x65536xf32>
  return %2 : tensor<4x65536xf32>
}

// CHECK-LABEL: @columns
// CHECK: graph.reshape
func.func @columns(%x: tensor<65536x64xf32>) -> tensor<65536x64xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<65536x64xf32> to tensor<64xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<64xf32> to tensor<65536x64xf32>
  %2 = arith.subf %x, %1 : tensor<65536x64xf32>
  return %2 : tensor<65536x64xf32>
}

// Of fewer rows clusters keep the columns, where there are enough of them and each row begins at a whole sector.
// CHECK-LABEL: @kept_columns
// CHECK: graph.reduce max %{{.*}} dims = [0, 1] : tensor<100x96x32x64xf32> to tensor<32x64xf32>
// CHECK-NOT: graph.reduce
// ALONE-LABEL: @kept_columns
// ALONE: graph.reshape
func.func @kept_columns(%x: tensor<100x96x32x64xf32>) -> tensor<100x96x32x64xf32> {
  %0 = graph.reduce max %x dims = [0, 1] : tensor<100x96x32x64xf32> to tensor<32x64xf32>
  %1 = graph.broadcast %0 dims = [2, 3] : tensor<32x64xf32> to tensor<100x96x32x64xf32>
  %2 = arith.subf %x, %1 : tensor<100x96x32x64xf32>
  return %2 : tensor<100x96x32x64xf32>
}

// CHECK-LABEL: @columns_of_odd_rows
// CHECK: graph.reshape
func.func @columns_of_odd_rows(%x: tensor<9600x2046xf32>) -> tensor<9600x2046xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<9600x2046xf32> to tensor<2046xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<2046xf32> to tensor<9600x2046xf32>
  %2 = arith.subf %x, %1 : tensor<9600x2046xf32>
  return %2 : tensor<9600x2046xf32>
}

// Narrow ones stay, too.
// CHECK-LABEL: @columns_of_16_bits
// CHECK: graph.reduce max %{{.*}} dims = [0] : tensor<9600x2048xf32> to tensor<2048xf32>
// CHECK-NOT: graph.reduce
func.func @columns_of_16_bits(%x: tensor<9600x2048xbf16>) -> tensor<9600x2048xf32> {
  %w = arith.extf %x : tensor<9600x2048xbf16> to tensor<9600x2048xf32>
  %0 = graph.reduce max %w dims = [0] : tensor<9600x2048xf32> to tensor<2048xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<2048xf32> to tensor<9600x2048xf32>
  %2 = arith.subf %w, %1 : tensor<9600x2048xf32>
  return %2 : tensor<9600x2048xf32>
}

// But for those with much to compute behind them.
// CHECK-LABEL: @computed_columns_of_16_bits
// CHECK: graph.reshape
func.func @computed_columns_of_16_bits(%x: tensor<9600x2048xbf16>) -> tensor<9600x2048xf32> {
  %w = arith.extf %x : tensor<9600x2048xbf16> to tensor<9600x2048xf32>
  %0 = graph.reduce max %w dims = [0] : tensor<9600x2048xf32> to tensor<2048xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<2048xf32> to tensor<9600x2048xf32>
  %2 = arith.subf %w, %1 : tensor<9600x2048xf32>
  %3 = math.tanh %2 : tensor<9600x2048xf32>
  %4 = math.erf %3 : tensor<9600x2048xf32>
  return %4 : tensor<9600x2048xf32>
}

// CHECK-LABEL: @few_columns
// CHECK: graph.reshape
func.func @few_columns(%x: tensor<9600x512xf32>) -> tensor<9600x512xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<9600x512xf32> to tensor<512xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<512xf32> to tensor<9600x512xf32>
  %2 = arith.subf %x, %1 : tensor<9600x512xf32>
  return %2 : tensor<9600x512xf32>
}

// Of an odd number of 16 bits rows begin within words: they are cut.
// CHECK-LABEL: @begins_within_words
// CHECK: graph.reduce max %{{.*}} dims = [2]
func.func @begins_within_words(%x: tensor<64x200001xbf16>) -> tensor<64x200001xf32> {
  %0 = arith.extf %x : tensor<64x200001xbf16> to tensor<64x200001xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<64x200001xf32> to tensor<64xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<64xf32> to tensor<64x200001xf32>
  %3 = arith.subf %0, %2 : tensor<64x200001xf32>
  return %3 : tensor<64x200001xf32>
}

// Rows that are reduced over a part of their dimensions as well are cut, since one kernel of both keeps none.
// CHECK-LABEL: @reduced_otherwise
// CHECK: graph.reduce max %{{.*}} dims = [2{{.*}}]
func.func @reduced_otherwise(%x: tensor<64x500x400xf32>) -> (tensor<64x500x400xf32>, tensor<64x500xf32>) {
  %0 = graph.reduce max %x dims = [1, 2] : tensor<64x500x400xf32> to tensor<64xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<64xf32> to tensor<64x500x400xf32>
  %2 = arith.subf %x, %1 : tensor<64x500x400xf32>
  %3 = graph.reduce sum %x dims = [2] : tensor<64x500x400xf32> to tensor<64x500xf32>
  return %2, %3 : tensor<64x500x400xf32>, tensor<64x500xf32>
}
