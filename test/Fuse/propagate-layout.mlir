// graph-propagate-layout: reductions of what elementwise ops compute of transposed tensors run over them as they lie, and what
// else reads that reads it transposed.
// RUN: tw-opt %s --graph-propagate-layout | FileCheck %s
// REQUIRES: emulator
// RUN: tw-check %s | FileCheck %s --check-prefix=RIGHT
// RIGHT: 8 programs right, 0 wrong

// Deviations from the mean of columns that the program has as rows: both sums, and the mean between them.
// CHECK-LABEL: func.func @deviations
// CHECK-SAME: %[[X:.*]]: tensor<65600x8xf32>
// CHECK: %[[E:.*]] = math.absf %[[X]] : tensor<65600x8xf32>
// CHECK: %[[S:.*]] = graph.reduce sum %[[E]] dims = [0] : tensor<65600x8xf32> to tensor<8xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[S]]
// CHECK: %[[B:.*]] = graph.broadcast %[[M]] dims = [1] : tensor<8xf32> to tensor<65600x8xf32>
// CHECK: %[[D:.*]] = arith.subf %[[E]], %[[B]] : tensor<65600x8xf32>
// CHECK: %[[Q:.*]] = arith.mulf %[[D]], %[[D]] : tensor<65600x8xf32>
// CHECK: graph.reduce sum %[[Q]] dims = [0] : tensor<65600x8xf32> to tensor<8xf32>
func.func @deviations(%x: tensor<65600x8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<1.524390e-05> : tensor<8xf32>
  %t = graph.transpose %x permutation = [1, 0] : tensor<65600x8xf32> to tensor<8x65600xf32>
  %e = math.absf %t : tensor<8x65600xf32>
  %s = graph.reduce sum %e dims = [1] : tensor<8x65600xf32> to tensor<8xf32>
  %m = arith.mulf %s, %c : tensor<8xf32>
  %b = graph.broadcast %m dims = [0] : tensor<8xf32> to tensor<8x65600xf32>
  %d = arith.subf %e, %b : tensor<8x65600xf32>
  %q = arith.mulf %d, %d : tensor<8x65600xf32>
  %r = graph.reduce sum %q dims = [1] : tensor<8x65600xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}

// The kept dimensions lie the other way around: what is left is turned, and so is what is spread.
// CHECK-LABEL: func.func @turned
// CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<64x256x33xf32> to tensor<64x33xf32>
// CHECK: graph.transpose %{{.*}} permutation = [1, 0] : tensor<33x64xf32> to tensor<64x33xf32>
// CHECK: graph.broadcast %{{.*}} dims = [0, 2] : tensor<64x33xf32> to tensor<64x256x33xf32>
// CHECK: %[[R:.*]] = graph.reduce min %{{.*}} dims = [1] : tensor<64x256x33xf32> to tensor<64x33xf32>
// CHECK: graph.transpose %[[R]] permutation = [1, 0] : tensor<64x33xf32> to tensor<33x64xf32>
func.func @turned(%x: tensor<64x256x33xf32>) -> tensor<33x64xf32> {
  %t = graph.transpose %x permutation = [2, 1, 0] : tensor<64x256x33xf32> to tensor<33x256x64xf32>
  %s = graph.reduce max %t dims = [1] : tensor<33x256x64xf32> to tensor<33x64xf32>
  %b = graph.broadcast %s dims = [0, 2] : tensor<33x64xf32> to tensor<33x256x64xf32>
  %d = arith.subf %t, %b : tensor<33x256x64xf32>
  %r = graph.reduce min %d dims = [1] : tensor<33x256x64xf32> to tensor<33x64xf32>
  return %r : tensor<33x64xf32>
}

// What the reduction does not read is computed as before, of the transposed values.
// CHECK-LABEL: func.func @beside
// CHECK: %[[E:.*]] = math.absf %{{.*}} : tensor<65600x8xf32>
// CHECK: %[[T:.*]] = graph.transpose %[[E]] permutation = [1, 0] : tensor<65600x8xf32> to tensor<8x65600xf32>
// CHECK: graph.reduce sum %[[E]] dims = [0]
// CHECK: arith.mulf %[[T]], %[[T]] : tensor<8x65600xf32>
func.func @beside(%x: tensor<65600x8xf32>) -> (tensor<8xf32>, tensor<8x65600xf32>) {
  %t = graph.transpose %x permutation = [1, 0] : tensor<65600x8xf32> to tensor<8x65600xf32>
  %e = math.absf %t : tensor<8x65600xf32>
  %s = graph.reduce sum %e dims = [1] : tensor<8x65600xf32> to tensor<8xf32>
  %q = arith.mulf %e, %e : tensor<8x65600xf32>
  return %s, %q : tensor<8xf32>, tensor<8x65600xf32>
}

// All elements: in whatever order, and of few ones too.
// CHECK-LABEL: func.func @whole
// CHECK: graph.reduce sum %{{.*}} dims = [0, 1] : tensor<4x8xf32> to tensor<f32>
func.func @whole(%x: tensor<4x8xf32>) -> tensor<f32> {
  %t = graph.transpose %x permutation = [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  %e = math.absf %t : tensor<8x4xf32>
  %s = graph.reduce sum %e dims = [0, 1] : tensor<8x4xf32> to tensor<f32>
  return %s : tensor<f32>
}

// Few elements: one kernel of few blocks.
// CHECK-LABEL: func.func @few
// CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<8x128xf32> to tensor<8xf32>
func.func @few(%x: tensor<128x8xf32>) -> tensor<8xf32> {
  %t = graph.transpose %x permutation = [1, 0] : tensor<128x8xf32> to tensor<8x128xf32>
  %s = graph.reduce sum %t dims = [1] : tensor<8x128xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

// A result, rounded and in another shape, is stored as the program says, and read so.
// CHECK-LABEL: func.func @stored
// CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<8x65600xf32> to tensor<8xf32>
func.func @stored(%x: tensor<65600x8xf32>) -> (tensor<8xf32>, tensor<524800xbf16>) {
  %t = graph.transpose %x permutation = [1, 0] : tensor<65600x8xf32> to tensor<8x65600xf32>
  %e = math.absf %t : tensor<8x65600xf32>
  %s = graph.reduce max %e dims = [1] : tensor<8x65600xf32> to tensor<8xf32>
  %h = arith.truncf %e : tensor<8x65600xf32> to tensor<8x65600xbf16>
  %f = graph.reshape %h : tensor<8x65600xbf16> to tensor<524800xbf16>
  return %s, %f : tensor<8xf32>, tensor<524800xbf16>
}

// Operands that lie differently.
// CHECK-LABEL: func.func @different
// CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<8x65600xf32> to tensor<8xf32>
func.func @different(%x: tensor<65600x8xf32>, %y: tensor<8x65600xf32>) -> tensor<8xf32> {
  %t = graph.transpose %x permutation = [1, 0] : tensor<65600x8xf32> to tensor<8x65600xf32>
  %e = arith.addf %t, %y : tensor<8x65600xf32>
  %s = graph.reduce max %e dims = [1] : tensor<8x65600xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

// Transposes one behind the other, with ops between them.
// CHECK-LABEL: func.func @again
// CHECK: %[[E:.*]] = math.absf %{{.*}} : tensor<128x82x50xf32>
// CHECK: graph.reduce max %[[E]] dims = [1] : tensor<128x82x50xf32> to tensor<128x50xf32>
func.func @again(%x: tensor<128x82x50xf32>) -> tensor<50x128xf32> {
  %t = graph.transpose %x permutation = [1, 0, 2] : tensor<128x82x50xf32> to tensor<82x128x50xf32>
  %e = math.absf %t : tensor<82x128x50xf32>
  %u = graph.transpose %e permutation = [2, 1, 0] : tensor<82x128x50xf32> to tensor<50x128x82xf32>
  %s = graph.reduce max %u dims = [2] : tensor<50x128x82xf32> to tensor<50x128xf32>
  return %s : tensor<50x128xf32>
}
