// Parts of a tensor are a kernel by the whole that another op of the group stored: without it they stay with that op.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK: plan.launch
func.func @main(%x: tensor<2760833xf32>) -> (tensor<2760833xf32>, tensor<2373450xf32>) {
  %0 = math.erf %x : tensor<2760833xf32>
  %1 = graph.slice %0 offsets = [268546] strides = [1] : tensor<2760833xf32> to tensor<2373450xf32>
  %2 = arith.constant dense<-1.000000e+00> : tensor<2760833xf32>
  %3 = arith.divf %2, %x : tensor<2760833xf32>
  %4 = arith.constant dense<1.000000e+00> : tensor<2373450xf32>
  %5 = arith.addf %1, %4 : tensor<2373450xf32>
  %6 = math.sqrt %5 : tensor<2373450xf32>
  %7 = arith.maximumf %6, %1 : tensor<2373450xf32>
  %8 = graph.reduce min %7 dims = [0] : tensor<2373450xf32> to tensor<f32>
  %9 = graph.broadcast %8 dims = [] : tensor<f32> to tensor<2373450xf32>
  %10 = arith.addf %7, %9 : tensor<2373450xf32>
  %11 = graph.softmax %10 dim = 0 : tensor<2373450xf32> to tensor<2373450xf32>
  return %3, %11 : tensor<2760833xf32>, tensor<2373450xf32>
}
