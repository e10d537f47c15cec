// fuse-split-reductions: sums of squared deviations of long rows are taken around the means of pieces, in one pass; not
// where a row is short, or the value subtracted is no mean of it.
// RUN: tw-opt %s --fuse-split-reductions | FileCheck %s

// CHECK-LABEL: @mixed_axes
// CHECK: %[[SUMS:.*]] = graph.reduce sum %{{.*}} dims = [2] {graph.part} : tensor<64x256x8192xf32> to tensor<64x256xf32>
// CHECK: %[[WITHIN:.*]] = graph.reduce sum %{{.*}} dims = [2] {graph.part} : tensor<64x256x8192xf32> to tensor<64x256xf32>
// CHECK: graph.reduce sum %[[SUMS]] dims = [0] : tensor<64x256xf32> to tensor<256xf32>
// CHECK: %[[BOTH:.*]] = arith.addf %[[WITHIN]],
// CHECK: graph.reduce sum %[[BOTH]] dims = [0] : tensor<64x256xf32> to tensor<256xf32>
// CHECK-NOT: graph.reduce
// CHECK: return
func.func @mixed_axes(%x: tensor<64x256x8192xf32>) -> tensor<256xf32> {
  %n = arith.constant dense<1.9073486328125e-06> : tensor<256xf32>
  %m = graph.reduce sum %x dims = [0, 2] : tensor<64x256x8192xf32> to tensor<256xf32>
  %mean = arith.mulf %m, %n : tensor<256xf32>
  %mb = graph.broadcast %mean dims = [1] : tensor<256xf32> to tensor<64x256x8192xf32>
  %d = arith.subf %x, %mb : tensor<64x256x8192xf32>
  %q = arith.mulf %d, %d : tensor<64x256x8192xf32>
  %v = graph.reduce sum %q dims = [0, 2] : tensor<64x256x8192xf32> to tensor<256xf32>
  return %v : tensor<256xf32>
}

// CHECK-LABEL: @short
// CHECK-COUNT-2: graph.reduce sum %{{.*}} dims = [1] : tensor<4096x8192xf32> to tensor<4096xf32>
func.func @short(%x: tensor<4096x8192xf32>) -> tensor<4096xf32> {
  %n = arith.constant dense<1.220703125e-04> : tensor<4096xf32>
  %m = graph.reduce sum %x dims = [1] : tensor<4096x8192xf32> to tensor<4096xf32>
  %mean = arith.mulf %m, %n : tensor<4096xf32>
  %mb = graph.broadcast %mean dims = [0] : tensor<4096xf32> to tensor<4096x8192xf32>
  %d = arith.subf %x, %mb : tensor<4096x8192xf32>
  %q = arith.mulf %d, %d : tensor<4096x8192xf32>
  %v = graph.reduce sum %q dims = [1] : tensor<4096x8192xf32> to tensor<4096xf32>
  return %v : tensor<4096xf32>
}

// CHECK-LABEL: @of_another
// CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<512x262144xf32> to tensor<512xf32>
func.func @of_another(%x: tensor<512x262144xf32>, %mean: tensor<512xf32>) -> tensor<512xf32> {
  %mb = graph.broadcast %mean dims = [0] : tensor<512xf32> to tensor<512x262144xf32>
  %d = arith.subf %x, %mb : tensor<512x262144xf32>
  %q = arith.mulf %d, %d : tensor<512x262144xf32>
  %v = graph.reduce sum %q dims = [1] : tensor<512x262144xf32> to tensor<512xf32>
  return %v : tensor<512xf32>
}
