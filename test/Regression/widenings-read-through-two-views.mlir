// Under bf16 two slices of one stored value are widened apart; joining the equal widenings in the kernel left a value
// that one kernel would need in two orders, and the fuse stage refused it. Found by a value test of the precision policies.
// RUN: tw-check %s --precision=bf16 --rtol=4e-2 --atol=6e-2

func.func @main(%x: tensor<48x64xf32>, %w: tensor<64x64xf32>) -> (tensor<48x32xf32>, tensor<48x64xf32>) {
  %0 = math.tanh %x : tensor<48x64xf32>
  %1 = graph.slice %0 offsets = [0, 8] strides = [1, 1] : tensor<48x64xf32> to tensor<48x32xf32>
  %2 = graph.slice %0 offsets = [0, 32] strides = [1, 1] : tensor<48x64xf32> to tensor<48x32xf32>
  %3 = arith.mulf %1, %2 : tensor<48x32xf32>
  %4 = graph.matmul %0, %w : tensor<48x64xf32>, tensor<64x64xf32> to tensor<48x64xf32>
  return %3, %4 : tensor<48x32xf32>, tensor<48x64xf32>
}
