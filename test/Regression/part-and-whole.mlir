// One op reads a slice of what another returns whole: fused over the slice, the rest of the result was never written.
// Found by tw-check --random=374.
// RUN: tw-check %s
// RUN: tw-compile %s --emit=fuse | FileCheck %s

// CHECK: plan.launch
// CHECK: plan.launch
func.func @main(%x: tensor<257xf32>, %s: tensor<f32>) -> (tensor<257xf32>, tensor<2x167xf32>) {
  %0 = math.absf %x : tensor<257xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<257xf32> to tensor<2x257xf32>
  %2 = graph.slice %1 offsets = [1, 196] strides = [-1, -1] : tensor<2x257xf32> to tensor<2x167xf32>
  %3 = graph.broadcast %s dims = [] : tensor<f32> to tensor<2x167xf32>
  %4 = arith.minimumf %2, %3 : tensor<2x167xf32>
  return %0, %4 : tensor<257xf32>, tensor<2x167xf32>
}
