// Sums of squared deviations in one pass over pieces: rows, columns and mixed axes, with means that are huge beside the
// deviations. Two passes of fp32 sums would be no better.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-6 --quiet

func.func @mixed_axes(%x: tensor<40x3x4096xf32>) -> tensor<3xf32> {
  %n = arith.constant dense<6.103515625e-06> : tensor<3xf32>
  %m = graph.reduce sum %x dims = [0, 2] : tensor<40x3x4096xf32> to tensor<3xf32>
  %mean = arith.mulf %m, %n : tensor<3xf32>
  %mb = graph.broadcast %mean dims = [1] : tensor<3xf32> to tensor<40x3x4096xf32>
  %d = arith.subf %x, %mb : tensor<40x3x4096xf32>
  %q = arith.mulf %d, %d : tensor<40x3x4096xf32>
  %v = graph.reduce sum %q dims = [0, 2] : tensor<40x3x4096xf32> to tensor<3xf32>
  %y = arith.mulf %v, %n : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @huge_mean(%x: tensor<2x163840xf32>) -> tensor<2xf32> {
  %offset = arith.constant dense<4096.0> : tensor<2x163840xf32>
  %far = arith.addf %x, %offset : tensor<2x163840xf32>
  %n = arith.constant dense<6.103515625e-06> : tensor<2xf32>
  %m = graph.reduce sum %far dims = [1] : tensor<2x163840xf32> to tensor<2xf32>
  %mean = arith.mulf %m, %n : tensor<2xf32>
  %mb = graph.broadcast %mean dims = [0] : tensor<2xf32> to tensor<2x163840xf32>
  %d = arith.subf %far, %mb : tensor<2x163840xf32>
  %q = arith.mulf %d, %d : tensor<2x163840xf32>
  %v = graph.reduce sum %q dims = [1] : tensor<2x163840xf32> to tensor<2xf32>
  %y = arith.mulf %v, %n : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @columns(%x: tensor<2048x70xbf16>) -> (tensor<70xf32>, tensor<70xf32>) {
  %w = arith.extf %x : tensor<2048x70xbf16> to tensor<2048x70xf32>
  %n = arith.constant dense<4.8828125e-04> : tensor<70xf32>
  %m = graph.reduce sum %w dims = [0] : tensor<2048x70xf32> to tensor<70xf32>
  %mean = arith.mulf %m, %n : tensor<70xf32>
  %mb = graph.broadcast %mean dims = [1] : tensor<70xf32> to tensor<2048x70xf32>
  %d = arith.subf %w, %mb : tensor<2048x70xf32>
  %q = arith.mulf %d, %d : tensor<2048x70xf32>
  %v = graph.reduce sum %q dims = [0] : tensor<2048x70xf32> to tensor<70xf32>
  return %mean, %v : tensor<70xf32>, tensor<70xf32>
}
// A length without even pieces is read twice.
func.func @prime_length(%x: tensor<2x131101xf32>) -> tensor<2xf32> {
  %n = arith.constant dense<7.6277069e-06> : tensor<2xf32>
  %m = graph.reduce sum %x dims = [1] : tensor<2x131101xf32> to tensor<2xf32>
  %mean = arith.mulf %m, %n : tensor<2xf32>
  %mb = graph.broadcast %mean dims = [0] : tensor<2xf32> to tensor<2x131101xf32>
  %d = arith.subf %x, %mb : tensor<2x131101xf32>
  %q = arith.mulf %d, %d : tensor<2x131101xf32>
  %v = graph.reduce sum %q dims = [1] : tensor<2x131101xf32> to tensor<2xf32>
  return %v : tensor<2xf32>
}
