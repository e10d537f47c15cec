// What two results of a step need is copied ahead once.
// RUN: tw-compile %s --target=sm_90a --emit=schedule -o - | FileCheck %s

// CHECK: tile.kernel @reduction_tanh
// CHECK: tile.copy_async
// CHECK-NOT: tile.copy_async
// CHECK: scf.for
// CHECK: tile.copy_async
// CHECK-NOT: tile.copy_async
// CHECK: tile.return
func.func @main(%x: tensor<280x65536xf32>) -> (tensor<280xf32>, tensor<280x65536xf32>, tensor<280x65536xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<280x65536xf32> to tensor<280xf32>
  %1 = math.exp %x : tensor<280x65536xf32>
  %2 = math.tanh %x : tensor<280x65536xf32>
  return %0, %1, %2 : tensor<280xf32>, tensor<280x65536xf32>, tensor<280x65536xf32>
}
