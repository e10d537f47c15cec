// Reductions over different dimensions of which no tile holds both: a loop goes over the longest one, and each of its steps holds the
// others whole. What the first pass loads stays in shared memory for the second.
// RUN: tw-compile %s --target=sm_90a --stop-after=tile -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --quiet

// Means of short rows, and columns relative to their largest element: tiles hold rows of 16 whole.
// CHECK-LABEL: plan.program @columns
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
// CHECK: tile.kernel @{{.*}}tile.kept_bytes{{.*}}tile = [{{[0-9]+}}, {{[0-9]+}}, 16]
// CHECK: scf.for
// CHECK: tile.reduce {{.*}} dim = 2
// CHECK: scf.for
// CHECK: tile.reduce {{.*}} dim = 2
func.func @columns(%x: tensor<600x280x16xf32>) -> (tensor<600x280x16xf32>, tensor<600x280xf32>) {
  %a = graph.reduce sum %x dims = [2] : tensor<600x280x16xf32> to tensor<600x280xf32>
  %b = graph.broadcast %a dims = [0, 1] : tensor<600x280xf32> to tensor<600x280x16xf32>
  %c = arith.addf %x, %b : tensor<600x280x16xf32>
  %d = graph.reduce max %c dims = [0] : tensor<600x280x16xf32> to tensor<280x16xf32>
  %e = graph.broadcast %d dims = [1, 2] : tensor<280x16xf32> to tensor<600x280x16xf32>
  %f = arith.subf %c, %e : tensor<600x280x16xf32>
  return %f, %a : tensor<600x280x16xf32>, tensor<600x280xf32>
}
