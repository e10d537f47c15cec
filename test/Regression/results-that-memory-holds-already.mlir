// A value that is rounded to what its kernel reads was returned as the kernel's argument.
// RUN: tw-check %s --precision=bf16 --rtol=3e-2 --atol=1e-2
// RUN: tw-check %s --precision=bf16 --rtol=3e-2 --atol=1e-2 --target=sm_90a
func.func @parts(%x: tensor<24x2x33x2xf32>, %w: tensor<33x32xf32>) -> (tensor<24x6x32xf32>, tensor<24x6x33xf64>) {
  %0 = graph.reduce prod %x dims = [3] : tensor<24x2x33x2xf32> to tensor<24x2x33xf32>
  %1 = graph.concat %0, %0, %0 dim = 1 : tensor<24x2x33xf32>, tensor<24x2x33xf32>, tensor<24x2x33xf32> to tensor<24x6x33xf32>
  %2 = graph.softmax %1 dim = 1 : tensor<24x6x33xf32> to tensor<24x6x33xf32>
  %3 = arith.extf %2 : tensor<24x6x33xf32> to tensor<24x6x33xf64>
  %4 = graph.broadcast %w dims = [1, 2] : tensor<33x32xf32> to tensor<24x33x32xf32>
  %5 = graph.matmul %1, %4 : tensor<24x6x33xf32>, tensor<24x33x32xf32> to tensor<24x6x32xf32>
  return %5, %3 : tensor<24x6x32xf32>, tensor<24x6x33xf64>
}
// The same moved.
func.func @moved(%x: tensor<24x2x33x2xf32>, %w: tensor<33x32xf32>) -> (tensor<24x6x32xf32>, tensor<24x6x33xf64>) {
  %0 = graph.reduce prod %x dims = [3] : tensor<24x2x33x2xf32> to tensor<24x2x33xf32>
  %1 = graph.concat %0, %0, %0 dim = 1 : tensor<24x2x33xf32>, tensor<24x2x33xf32>, tensor<24x2x33xf32> to tensor<24x6x33xf32>
  %r = graph.slice %1 offsets = [23, 0, 0] strides = [-1, 1, 1] : tensor<24x6x33xf32> to tensor<24x6x33xf32>
  %2 = graph.softmax %r dim = 1 : tensor<24x6x33xf32> to tensor<24x6x33xf32>
  %3 = arith.extf %2 : tensor<24x6x33xf32> to tensor<24x6x33xf64>
  %4 = graph.broadcast %w dims = [1, 2] : tensor<33x32xf32> to tensor<24x33x32xf32>
  %5 = graph.matmul %r, %4 : tensor<24x6x33xf32>, tensor<24x33x32xf32> to tensor<24x6x32xf32>
  return %5, %3 : tensor<24x6x32xf32>, tensor<24x6x33xf64>
}
