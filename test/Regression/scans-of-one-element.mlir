// A scan along a dimension of one element was a kernel of its own: 2.6 us on an H200 for what takes 1.5.
// RUN: tw-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// FOLD-NOT: graph.scan
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a -o - | FileCheck %s
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
// RUN: tw-check %s
func.func @main(%arg0: tensor<524xf32>, %arg1: tensor<1xi64>) -> (tensor<524x1xf32>, tensor<1x524xf32>, tensor<524x1xf32>) {
  %0 = graph.reshape %arg0 : tensor<524xf32> to tensor<524x1xf32>
  %1 = math.absf %0 : tensor<524x1xf32>
  %cst = arith.constant dense<1.000000e+00> : tensor<524x1xf32>
  %2 = arith.addf %1, %cst : tensor<524x1xf32>
  %3 = math.log %2 : tensor<524x1xf32>
  %4 = graph.scan max %3 dim = 1 : tensor<524x1xf32>
  %5 = arith.maximumf %4, %4 : tensor<524x1xf32>
  %6 = graph.reduce min %3 dims = [1] : tensor<524x1xf32> to tensor<524xf32>
  %7 = graph.broadcast %6 dims = [0] : tensor<524xf32> to tensor<524x1xf32>
  %8 = arith.addf %3, %7 : tensor<524x1xf32>
  %9 = graph.gather %5[%arg1] dim = 1 : tensor<524x1xf32>, tensor<1xi64> to tensor<524x1xf32>
  %10 = graph.transpose %9 permutation = [1, 0] : tensor<524x1xf32> to tensor<1x524xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<524x1xf32>
  %11 = arith.mulf %9, %cst_0 : tensor<524x1xf32>
  %12 = graph.scan sum %11 dim = 1 : tensor<524x1xf32>
  return %12, %10, %8 : tensor<524x1xf32>, tensor<1x524xf32>, tensor<524x1xf32>
}
