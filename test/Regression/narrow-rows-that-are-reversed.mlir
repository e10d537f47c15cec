// What is narrow in memory was widened in its own order, and then needed in another one.
// RUN: tw-check %s --precision=bf16 --rtol=2e-2
// RUN: tw-check %s --precision=fp16 --rtol=2e-3 --target=sm_90a
func.func @reversed(%x: tensor<3x16xf32>) -> tensor<16xf32> {
  %0 = graph.reduce prod %x dims = [0] : tensor<3x16xf32> to tensor<16xf32>
  %1 = graph.slice %0 offsets = [15] strides = [-1] : tensor<16xf32> to tensor<16xf32>
  %2 = graph.softmax %1 dim = 0 : tensor<16xf32> to tensor<16xf32>
  return %2 : tensor<16xf32>
}
