// A product that is read in slices which meet again is a product of each part of one operand; not where the slices go
// separate ways, are no equal parts, overlap, or something else reads the product.
// RUN: tw-opt %s --split-input-file --fuse-compute-slices=target=none --cse | FileCheck %s
// The model says which are worth it: of few rows those whose results would be stored for a kernel that takes as long to start.
// RUN: tw-opt %s --split-input-file --fuse-compute-slices="storage=bf16 target=sm_90a" --cse | FileCheck %s --check-prefix=MODEL

// CHECK-LABEL: func.func @gated
// CHECK-DAG: %[[WG:.*]] = graph.slice %arg1 offsets = [0, 0] strides = [1, 1] : tensor<64x512xbf16> to tensor<64x256xbf16>
// CHECK-DAG: %[[G:.*]] = graph.matmul %arg0, %[[WG]]
// CHECK-DAG: %[[WU:.*]] = graph.slice %arg1 offsets = [0, 256] strides = [1, 1]
// CHECK-DAG: %[[U:.*]] = graph.matmul %arg0, %[[WU]]
// CHECK: %[[T:.*]] = math.tanh %[[G]]
// CHECK: arith.mulf %[[T]], %[[U]]
// MODEL-LABEL: func.func @gated
// MODEL-COUNT-2: graph.matmul
func.func @gated(%x: tensor<32x64xbf16>, %w: tensor<64x512xbf16>) -> tensor<32x256xf32> {
  %0 = graph.matmul %x, %w : tensor<32x64xbf16>, tensor<64x512xbf16> to tensor<32x512xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %2 = graph.slice %0 offsets = [0, 256] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %3 = math.tanh %1 : tensor<32x256xf32>
  %4 = arith.mulf %3, %2 : tensor<32x256xf32>
  return %4 : tensor<32x256xf32>
}

// -----

// With a bias, rounding, and batch and rows apart: all are done for each part, whose columns take turns.
// CHECK-LABEL: func.func @biased
// CHECK-DAG: graph.slice %arg1 offsets = [0, 0] strides = [1, 2] : tensor<64x512xbf16> to tensor<64x256xbf16>
// CHECK-DAG: graph.slice %arg1 offsets = [0, 1] strides = [1, 2]
// CHECK-DAG: graph.slice {{.*}} offsets = [0, 0, 1] strides = [1, 1, 2] : tensor<4x8x512xf32> to tensor<4x8x256xf32>
// CHECK-NOT: graph.matmul {{.*}} to tensor<32x512xf32>
func.func @biased(%x: tensor<32x64xbf16>, %w: tensor<64x512xbf16>, %b: tensor<512xf32>) -> tensor<4x8x256xf32> {
  %0 = graph.matmul %x, %w : tensor<32x64xbf16>, tensor<64x512xbf16> to tensor<32x512xf32>
  %s = graph.broadcast %b dims = [1] : tensor<512xf32> to tensor<32x512xf32>
  %a = arith.addf %0, %s : tensor<32x512xf32>
  %r = graph.reshape %a : tensor<32x512xf32> to tensor<4x8x512xf32>
  %1 = graph.slice %r offsets = [0, 0, 0] strides = [1, 1, 2] : tensor<4x8x512xf32> to tensor<4x8x256xf32>
  %2 = graph.slice %r offsets = [0, 0, 1] strides = [1, 1, 2] : tensor<4x8x512xf32> to tensor<4x8x256xf32>
  %3 = math.tanh %1 : tensor<4x8x256xf32>
  %4 = arith.mulf %3, %2 : tensor<4x8x256xf32>
  return %4 : tensor<4x8x256xf32>
}

// -----

// Rows of the left operand; the weight's bytes are widened part by part.
// CHECK-LABEL: func.func @rows
// CHECK: %[[S:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 1] : tensor<96x64xi8> to tensor<32x64xi8>
// CHECK: %[[F:.*]] = arith.sitofp %[[S]]
// CHECK: graph.matmul %[[F]], %arg1
// CHECK: graph.slice %arg0 offsets = [32, 0]
// CHECK: graph.slice %arg0 offsets = [64, 0]
// CHECK-NOT: tensor<96x64xbf16>
func.func @rows(%w: tensor<96x64xi8>, %x: tensor<64x128xbf16>) -> tensor<32x128xf32> {
  %f = arith.sitofp %w : tensor<96x64xi8> to tensor<96x64xbf16>
  %0 = graph.matmul %f, %x : tensor<96x64xbf16>, tensor<64x128xbf16> to tensor<96x128xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<96x128xf32> to tensor<32x128xf32>
  %2 = graph.slice %0 offsets = [32, 0] strides = [1, 1] : tensor<96x128xf32> to tensor<32x128xf32>
  %3 = graph.slice %0 offsets = [64, 0] strides = [1, 1] : tensor<96x128xf32> to tensor<32x128xf32>
  %4 = arith.mulf %1, %2 : tensor<32x128xf32>
  %5 = arith.addf %4, %3 : tensor<32x128xf32>
  return %5 : tensor<32x128xf32>
}

// -----

// CHECK-LABEL: func.func @separate_ways
// CHECK-COUNT-1: graph.matmul
// CHECK-NOT: graph.matmul
func.func @separate_ways(%x: tensor<32x64xbf16>, %w: tensor<64x512xbf16>) -> (tensor<32x256xf32>, tensor<32x256xf32>) {
  %0 = graph.matmul %x, %w : tensor<32x64xbf16>, tensor<64x512xbf16> to tensor<32x512xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %2 = graph.slice %0 offsets = [0, 256] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %3 = math.tanh %1 : tensor<32x256xf32>
  return %3, %2 : tensor<32x256xf32>, tensor<32x256xf32>
}

// -----

// CHECK-LABEL: func.func @overlapping
// CHECK-COUNT-1: graph.matmul
// CHECK-NOT: graph.matmul
func.func @overlapping(%x: tensor<32x64xbf16>, %w: tensor<64x512xbf16>) -> tensor<32x511xf32> {
  %0 = graph.matmul %x, %w : tensor<32x64xbf16>, tensor<64x512xbf16> to tensor<32x512xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<32x512xf32> to tensor<32x511xf32>
  %2 = graph.slice %0 offsets = [0, 1] strides = [1, 1] : tensor<32x512xf32> to tensor<32x511xf32>
  %3 = arith.subf %1, %2 : tensor<32x511xf32>
  return %3 : tensor<32x511xf32>
}

// -----

// CHECK-LABEL: func.func @read_whole
// CHECK-COUNT-1: graph.matmul
// CHECK-NOT: graph.matmul
func.func @read_whole(%x: tensor<32x64xbf16>, %w: tensor<64x512xbf16>) -> (tensor<32x512xf32>, tensor<32x256xf32>) {
  %0 = graph.matmul %x, %w : tensor<32x64xbf16>, tensor<64x512xbf16> to tensor<32x512xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %2 = graph.slice %0 offsets = [0, 256] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %3 = arith.mulf %1, %2 : tensor<32x256xf32>
  return %0, %3 : tensor<32x512xf32>, tensor<32x256xf32>
}

// -----

// Something else reads what the bias was added to.
// CHECK-LABEL: func.func @read_between
// CHECK-COUNT-1: graph.matmul
// CHECK-NOT: graph.matmul
func.func @read_between(%x: tensor<32x64xbf16>, %w: tensor<64x512xbf16>) -> (tensor<32x512xf32>, tensor<32x256xf32>) {
  %0 = graph.matmul %x, %w : tensor<32x64xbf16>, tensor<64x512xbf16> to tensor<32x512xf32>
  %e = math.absf %0 : tensor<32x512xf32>
  %f = math.sqrt %e : tensor<32x512xf32>
  %1 = graph.slice %f offsets = [0, 0] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %2 = graph.slice %f offsets = [0, 256] strides = [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
  %3 = arith.mulf %1, %2 : tensor<32x256xf32>
  return %e, %3 : tensor<32x512xf32>, tensor<32x256xf32>
}

// -----

// Two products of half as many columns would need a round of blocks more.
// CHECK-LABEL: func.func @rather_whole
// CHECK-COUNT-2: graph.matmul
// MODEL-LABEL: func.func @rather_whole
// MODEL-COUNT-1: graph.matmul
// MODEL-NOT: graph.matmul
func.func @rather_whole(%x: tensor<768x16384xbf16>, %w: tensor<16384x6144xbf16>) -> tensor<768x3072xf32> {
  %0 = graph.matmul %x, %w : tensor<768x16384xbf16>, tensor<16384x6144xbf16> to tensor<768x6144xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<768x6144xf32> to tensor<768x3072xf32>
  %2 = graph.slice %0 offsets = [0, 3072] strides = [1, 1] : tensor<768x6144xf32> to tensor<768x3072xf32>
  %3 = arith.mulf %1, %2 : tensor<768x3072xf32>
  return %3 : tensor<768x3072xf32>
}

// -----

// Every second column of a matrix whose columns lie side by side would be read an element at a time; rows of a transposed one not.
// MODEL-LABEL: func.func @in_turn
// MODEL: graph.matmul %arg0, %arg1
// MODEL: %[[T:.*]] = graph.transpose %arg2
// MODEL: graph.slice %[[T]] offsets = [0, 0] strides = [1, 2]
// MODEL: graph.slice %[[T]] offsets = [0, 1] strides = [1, 2]
func.func @in_turn(%x: tensor<64x1024xbf16>, %w: tensor<1024x2048xbf16>, %v: tensor<2048x1024xbf16>) -> (tensor<64x1024xf32>, tensor<64x1024xf32>) {
  %0 = graph.matmul %x, %w : tensor<64x1024xbf16>, tensor<1024x2048xbf16> to tensor<64x2048xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 2] : tensor<64x2048xf32> to tensor<64x1024xf32>
  %2 = graph.slice %0 offsets = [0, 1] strides = [1, 2] : tensor<64x2048xf32> to tensor<64x1024xf32>
  %3 = arith.mulf %1, %2 : tensor<64x1024xf32>
  %t = graph.transpose %v permutation = [1, 0] : tensor<2048x1024xbf16> to tensor<1024x2048xbf16>
  %4 = graph.matmul %x, %t : tensor<64x1024xbf16>, tensor<1024x2048xbf16> to tensor<64x2048xf32>
  %5 = graph.slice %4 offsets = [0, 0] strides = [1, 2] : tensor<64x2048xf32> to tensor<64x1024xf32>
  %6 = graph.slice %4 offsets = [0, 1] strides = [1, 2] : tensor<64x2048xf32> to tensor<64x1024xf32>
  %7 = arith.mulf %5, %6 : tensor<64x1024xf32>
  return %3, %7 : tensor<64x1024xf32>, tensor<64x1024xf32>
}
