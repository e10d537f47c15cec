// Of a table larger than the cache, each row of which indices select from, what is selected was counted a sector for each element
// where the result has padding in front of these rows: the indices were taken to follow what is padded.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// Each row of 4096 bytes once, and the indices; the result with its padding.
// CHECK: plan.program @main
// CHECK-SAME: plan.traffic = array<i64: 67112{{[0-9]+}}, 67112960, 0, 134225920>
func.func @main(%x: tensor<16384x1024xf32>, %i: tensor<1024xi32>) -> tensor<16385x1024xf32> {
  %0 = graph.gather %x[%i] dim = 1 : tensor<16384x1024xf32>, tensor<1024xi32> to tensor<16384x1024xf32>
  %1 = math.tanh %0 : tensor<16384x1024xf32>
  %2 = graph.pad %1 low = [0, 0] high = [1, 0] value = 0.0 : f32 : tensor<16384x1024xf32> to tensor<16385x1024xf32>
  return %2 : tensor<16385x1024xf32>
}
