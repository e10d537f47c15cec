// plan-reverse-kernels crashed on launches whose tensors have their buffers.
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a -o - | tw-opt --plan-assign-buffers --plan-reverse-kernels | FileCheck %s

// CHECK: plan.launch
func.func @main(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = math.exp %x : tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
