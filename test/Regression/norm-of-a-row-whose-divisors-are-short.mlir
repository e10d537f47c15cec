// A row of 23248784 = 208 * 111773 elements has equal pieces of 208 elements, too short for a block, and none that a block
// takes at once: it was not cut at all, and read once for its mean and again for its deviations.
// RUN: tw-opt %s --graph-decompose-named --fuse-split-reductions | FileCheck %s

// CHECK: %[[X:.*]] = graph.reshape %{{.*}} : tensor<{{[0-9]+}}xf32> to tensor<2384x9752xf32>
// CHECK: graph.reduce sum %[[X]] dims = [1]
// CHECK-NOT: tensor<23248784xf32> to tensor<f32>
func.func @norm(%x: tensor<23248784xf32>) -> tensor<23248784xf32> {
  %0 = graph.layer_norm %x dim = 0 epsilon = 1.0e-5 : tensor<23248784xf32> to tensor<23248784xf32>
  return %0 : tensor<23248784xf32>
}
