// Columns that no block's shared memory holds: those of a cluster have parts of them, the last one fewer tiles. Rows that
// begin anywhere in a sector are taken in longer runs, and tiles are square where another tensor lies across.
// RUN: tw-check %s --target=sm_90a --rtol=2e-5 --atol=1e-6 --quiet
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s

// CHECK: tile.kernel @{{.*}}tile.cluster = 2{{.*}}tile = [128, 32]
func.func @whole_sectors(%x: tensor<1000x4224xf32>) -> tensor<1000x4224xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<1000x4224xf32> to tensor<1000x4224xf32>
  return %0 : tensor<1000x4224xf32>
}

// CHECK: tile.kernel @{{.*}}tile.cluster = 4{{.*}}tile = [64, 64]
func.func @apart(%x: tensor<901x4230xf32> {check.data = "random:-20:20"}) -> tensor<901x4230xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<901x4230xf32> to tensor<901x4230xf32>
  return %0 : tensor<901x4230xf32>
}

// CHECK: tile.kernel @{{.*}}tile.cluster = 2{{.*}}tile = [128, 64], {{.*}}warps = 16
func.func @across(%x: tensor<1001x8450xbf16>) -> tensor<8450x1001xbf16> {
  %w = arith.extf %x : tensor<1001x8450xbf16> to tensor<1001x8450xf32>
  %0 = graph.reduce max %w dims = [0] : tensor<1001x8450xf32> to tensor<8450xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<8450xf32> to tensor<1001x8450xf32>
  %2 = arith.subf %w, %1 : tensor<1001x8450xf32>
  %3 = graph.transpose %2 permutation = [1, 0] : tensor<1001x8450xf32> to tensor<8450x1001xf32>
  %4 = arith.truncf %3 : tensor<8450x1001xf32> to tensor<8450x1001xbf16>
  return %4 : tensor<8450x1001xbf16>
}

// Long ones, which would be cut for the chip's sake: each cluster has columns of its own.
// CHECK: tile.kernel @{{.*}}tile.cluster = 16{{.*}}tile = [64, 32]
func.func @long(%x: tensor<7003x528xf32>) -> tensor<7003x528xf32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<7003x528xf32> to tensor<528xf32>
  %n = arith.constant dense<1.42795943e-04> : tensor<528xf32>
  %1 = arith.mulf %0, %n : tensor<528xf32>
  %2 = graph.broadcast %1 dims = [1] : tensor<528xf32> to tensor<7003x528xf32>
  %3 = arith.subf %x, %2 : tensor<7003x528xf32>
  return %3 : tensor<7003x528xf32>
}
