// A sum of everything gives its result in whatever order it meets the elements; it meets them in that in which they are
// computed. The kernel that reads a bf16 value backwards was refused (found by random programs under --precision=bf16), and
// one that computes it was not made.
// RUN: tw-check %s --precision=bf16 --rtol=1e-2 --atol=1e-2
// RUN: tw-compile %s --emit=fuse -o - | FileCheck %s
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @main(%x: tensor<3x5xf32>) -> tensor<f32> {
  %0 = math.floor %x : tensor<3x5xf32>
  %1 = graph.slice %0 offsets = [0, 4] strides = [1, -1] : tensor<3x5xf32> to tensor<3x5xf32>
  %2 = graph.reduce sum %1 dims = [0, 1] : tensor<3x5xf32> to tensor<f32>
  return %2 : tensor<f32>
}
