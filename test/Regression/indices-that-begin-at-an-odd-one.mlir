// Indices of a gather that begin at no whole vector went through shared memory, and threads waited for all of a tile before they
// asked for what they select.
// RUN: tw-compile %s --stop-after=schedule --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: tile.kernel @gather
// CHECK-NOT: tile.copy_run
// CHECK: %[[I:.*]] = tile.load
// CHECK: tile.gather %{{.*}} plus %[[I]]
func.func @main(%table: tensor<3000000xf32>, %indices: tensor<2200001xi64>) -> tensor<2199998xf32> {
  %0 = graph.slice %indices offsets = [3] strides = [1] : tensor<2200001xi64> to tensor<2199998xi64>
  %1 = graph.gather %table[%0] dim = 0 : tensor<3000000xf32>, tensor<2199998xi64> to tensor<2199998xf32>
  return %1 : tensor<2199998xf32>
}
