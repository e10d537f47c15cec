// A reduction of columns reads what is gathered from rows: fused with the gather its blocks, of a few columns each, would come back
// to every row of the table.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK: graph.kernel anchor(gather)
// CHECK: = gather
// CHECK: graph.kernel anchor(reduction)
// CHECK-NOT: = gather
func.func @columns(%x: tensor<9000x2000xf32>, %i: tensor<2500xi64>) -> (tensor<9000x2500xf32>, tensor<2500xf32>) {
  %0 = graph.gather %x[%i] dim = 1 : tensor<9000x2000xf32>, tensor<2500xi64> to tensor<9000x2500xf32>
  %1 = math.tanh %0 : tensor<9000x2500xf32>
  %2 = graph.reduce max %1 dims = [0] : tensor<9000x2500xf32> to tensor<2500xf32>
  return %1, %2 : tensor<9000x2500xf32>, tensor<2500xf32>
}
