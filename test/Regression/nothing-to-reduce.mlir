// Reductions over no dimension, of tensors of rank 0 too, an assertion; they are their operand. And programs without
// any kernel, which the emulator refused to load. Found by tw-check --random=3 and 0.
// RUN: tw-check %s --rtol=0 --atol=0

func.func @no_dimension(%x: tensor<f32>, %y: tensor<3x4xf32>) -> (tensor<f32>, tensor<3x4xf32>) {
  %0 = graph.reduce sum %x dims = [] : tensor<f32> to tensor<f32>
  %1 = graph.reduce max %y dims = [] : tensor<3x4xf32> to tensor<3x4xf32>
  return %0, %1 : tensor<f32>, tensor<3x4xf32>
}
func.func @no_kernel(%x: tensor<3xf32>) -> tensor<2xi32> {
  %0 = arith.constant dense<[4, 5]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
