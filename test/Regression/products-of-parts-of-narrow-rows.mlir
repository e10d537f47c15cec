// A product of a part of what is narrow in memory read it widened by the same kernel.
// RUN: tw-check %s --precision=fp16 --rtol=2e-3 --atol=1e-3
// RUN: tw-check %s --precision=fp16 --rtol=2e-3 --atol=1e-3 --target=sm_90a
func.func @part(%x: tensor<31x128x1xf32>, %w: tensor<12x33xf32>, %v: tensor<12x2xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x33xf32>, tensor<128xf32>) {
  %0 = math.absf %x : tensor<31x128x1xf32>
  %1 = arith.mulf %0, %0 : tensor<31x128x1xf32>
  %2 = graph.transpose %1 permutation = [0, 2, 1] : tensor<31x128x1xf32> to tensor<31x1x128xf32>
  %3 = graph.slice %2 offsets = [17, 0, 55] strides = [2, 3, 3] : tensor<31x1x128xf32> to tensor<1x1x12xf32>
  %4 = graph.broadcast %w dims = [1, 2] : tensor<12x33xf32> to tensor<1x12x33xf32>
  %5 = graph.matmul %3, %4 : tensor<1x1x12xf32>, tensor<1x12x33xf32> to tensor<1x1x33xf32>
  %c = arith.constant dense<0.0> : tensor<1x1x12xf32>
  %6 = arith.maximumf %3, %c : tensor<1x1x12xf32>
  %7 = graph.broadcast %v dims = [1, 2] : tensor<12x2xf32> to tensor<1x12x2xf32>
  %8 = graph.matmul %6, %7 : tensor<1x1x12xf32>, tensor<1x12x2xf32> to tensor<1x1x2xf32>
  %9 = graph.reduce sum %1 dims = [0, 2] : tensor<31x128x1xf32> to tensor<128xf32>
  return %8, %5, %9 : tensor<1x1x2xf32>, tensor<1x1x33xf32>, tensor<128xf32>
}
