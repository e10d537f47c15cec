// Ops that tell true elements from padding print as they parse.
// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

// CHECK-LABEL: @main
func.func @main(%x: tensor<4x128xf32>) -> (tensor<4x128xi64>, tensor<4x128xf32>, tensor<4xf32>) {
  // CHECK: graph.true_length "seq" of 128 : tensor<4x128xi64>
  %0 = graph.true_length "seq" of 128 : tensor<4x128xi64>
  // CHECK: graph.mask %arg0 where [#graph.within<"seq", -2, [1, 1, 128, 1]>, #graph.within<"n", 0, [0, 2, 2, 1, 1, 64, 2, 3]>] else 1.000000e+00 : f32 : tensor<4x128xf32>
  %1 = graph.mask %x where [#graph.within<"seq", -2, [1, 1, 128, 1]>, #graph.within<"n", 0, [0, 2, 2, 1, 1, 64, 2, 3]>] else 1.0 : f32 : tensor<4x128xf32>
  // CHECK: graph.count %arg0 dims = [1] : tensor<4x128xf32> to tensor<4xf32>
  %2 = graph.count %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
  return %0, %1, %2 : tensor<4x128xi64>, tensor<4x128xf32>, tensor<4xf32>
}
