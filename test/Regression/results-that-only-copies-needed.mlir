// The same maximum twice, once of the transposed tensor: in the kernel that joins both the second one's pieces are found to be the
// first one's. What computed them had no reader any more and was a kernel without results ("computes nothing").
// RUN: tw-check %s --target=sm_90a | FileCheck %s
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s --check-prefix=FUSE
// CHECK: 1 programs right, 0 wrong
// FUSE-NOT: graph.kernel {{.*}})) {
func.func @main(%arg0: tensor<2x32777xf32>, %arg1: tensor<2x32777xf32>, %arg2: tensor<2xf32>, %arg3: tensor<2x32777xf32>) -> (tensor<2x32777xf32>, tensor<2x32777xf32>, tensor<4xf32>, tensor<2x32777xf32>) {
  %0 = graph.broadcast %arg2 dims = [0] : tensor<2xf32> to tensor<2x32777xf32>
  %1 = arith.minimumf %arg0, %0 : tensor<2x32777xf32>
  %2 = graph.reduce max %1 dims = [1] : tensor<2x32777xf32> to tensor<2xf32>
  %3 = graph.transpose %1 permutation = [1, 0] : tensor<2x32777xf32> to tensor<32777x2xf32>
  %4 = graph.reduce max %3 dims = [0] : tensor<32777x2xf32> to tensor<2xf32>
  %5 = graph.concat %4, %2 dim = 0 : tensor<2xf32>, tensor<2xf32> to tensor<4xf32>
  return %0, %arg3, %5, %arg1 : tensor<2x32777xf32>, tensor<2x32777xf32>, tensor<4xf32>, tensor<2x32777xf32>
}
