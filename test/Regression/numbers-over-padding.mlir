// A number that is spread over rows with padding is loaded as one number: no tile of it, with bounds, is exchanged among threads.
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s
// RUN: tw-check %s --rtol=1e-4 --atol=1e-4 --quiet

// CHECK: tile.kernel
// CHECK: tile.load %{{.*}} -> tensor<1x1xf32
func.func @main(%x: tensor<352x2475xf32>, %s: tensor<f32>) -> (tensor<352x2479xf32>, tensor<352xf32>) {
  %0 = graph.broadcast %s dims = [] : tensor<f32> to tensor<352x2475xf32>
  %1 = arith.mulf %x, %0 : tensor<352x2475xf32>
  %2 = graph.pad %1 low = [0, 1] high = [0, 3] value = 0.0 : f32 : tensor<352x2475xf32> to tensor<352x2479xf32>
  %3 = graph.reduce sum %1 dims = [1] : tensor<352x2475xf32> to tensor<352xf32>
  return %2, %3 : tensor<352x2479xf32>, tensor<352xf32>
}
