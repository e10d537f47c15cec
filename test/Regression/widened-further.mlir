// A value that a product reads in 16 bits, and others widen twice, to fp32 and on to fp64: the kernel of the second reader
// was written for a bf16 tensor and launched with an fp32 one. Found by random programs at --precision=bf16.
// RUN: tw-check %s --quiet --precision=bf16 --rtol=2e-2 --atol=2e-2
// RUN: tw-check %s --quiet
func.func @beside_a_product(%x: tensor<7x3x3xf32>, %w: tensor<7x3x2xf32>) -> (tensor<7x3x2xf32>, tensor<7x3x3xf64>) {
  %0 = graph.softmax %x dim = 2 : tensor<7x3x3xf32> to tensor<7x3x3xf32>
  %1 = arith.extf %0 : tensor<7x3x3xf32> to tensor<7x3x3xf64>
  %2 = graph.matmul %0, %w : tensor<7x3x3xf32>, tensor<7x3x2xf32> to tensor<7x3x2xf32>
  %3 = math.tanh %1 : tensor<7x3x3xf64>
  return %2, %3 : tensor<7x3x2xf32>, tensor<7x3x3xf64>
}
func.func @through_a_transpose(%x: tensor<6x4xf32>, %w: tensor<4x6xf32>) -> (tensor<6x6xf32>, tensor<4x6xf64>, tensor<6x4xf32>) {
  %0 = math.tanh %x : tensor<6x4xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<6x4xf32> to tensor<4x6xf32>
  %2 = arith.extf %1 : tensor<4x6xf32> to tensor<4x6xf64>
  %3 = graph.matmul %0, %w : tensor<6x4xf32>, tensor<4x6xf32> to tensor<6x6xf32>
  %4 = math.exp %2 : tensor<4x6xf64>
  %5 = arith.mulf %0, %0 : tensor<6x4xf32>
  return %3, %4, %5 : tensor<6x6xf32>, tensor<4x6xf64>, tensor<6x4xf32>
}
