// A gather of what is joined along another dimension, of inputs, of a constant, with indices outside.
// RUN: tw-check %s
// RUN: tw-check --target=sm_90a %s
func.func @beside(%x: tensor<40x30xf32>, %i: tensor<7xi64> {check.data = "random:-45:45"}) -> (tensor<7x64xf32>, tensor<40x64xf32>) {
  %c = arith.constant dense<1.0> : tensor<40x4xf32>
  %0 = graph.concat %x, %c, %x dim = 1 : tensor<40x30xf32>, tensor<40x4xf32>, tensor<40x30xf32> to tensor<40x64xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<40x64xf32>, tensor<7xi64> to tensor<7x64xf32>
  return %1, %0 : tensor<7x64xf32>, tensor<40x64xf32>
}
func.func @turned(%x: tensor<24x5x3xbf16>, %i: tensor<4xi64>) -> (tensor<5x24x6xbf16>, tensor<4x24x6xbf16>) {
  %0 = graph.transpose %x permutation = [1, 0, 2] : tensor<24x5x3xbf16> to tensor<5x24x3xbf16>
  %z = arith.constant dense<0.0> : tensor<5x24x3xbf16>
  %1 = graph.concat %0, %z dim = 2 : tensor<5x24x3xbf16>, tensor<5x24x3xbf16> to tensor<5x24x6xbf16>
  %2 = graph.gather %1[%i] dim = 0 : tensor<5x24x6xbf16>, tensor<4xi64> to tensor<4x24x6xbf16>
  return %1, %2 : tensor<5x24x6xbf16>, tensor<4x24x6xbf16>
}
