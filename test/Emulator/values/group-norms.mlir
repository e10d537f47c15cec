// Norms of groups of channels: rows along several dimensions, a scale and a shift of each channel read at digits of the place in the
// row. In the shared memory of clusters of two and four blocks, and in tiles that hold whole rows.
// RUN: tw-check %s --rtol=2e-5 --atol=2e-6 --quiet
// RUN: tw-check %s --rtol=2e-5 --atol=2e-6 --quiet --target=sm_90a

func.func @kept(%x: tensor<2x3x5x7001xf32> {check.data = "random:-3:5"}, %s: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> tensor<2x3x5x7001xf32> {
  %n = arith.constant dense<2.85673475217826e-05> : tensor<2x3xf32>
  %0 = graph.reduce sum %x dims = [2, 3] : tensor<2x3x5x7001xf32> to tensor<2x3xf32>
  %1 = arith.mulf %0, %n : tensor<2x3xf32>
  %2 = graph.broadcast %1 dims = [0, 1] : tensor<2x3xf32> to tensor<2x3x5x7001xf32>
  %3 = arith.subf %x, %2 : tensor<2x3x5x7001xf32>
  %4 = arith.mulf %3, %3 : tensor<2x3x5x7001xf32>
  %5 = graph.reduce sum %4 dims = [2, 3] : tensor<2x3x5x7001xf32> to tensor<2x3xf32>
  %6 = arith.mulf %5, %n : tensor<2x3xf32>
  %7 = math.rsqrt %6 : tensor<2x3xf32>
  %8 = graph.broadcast %7 dims = [0, 1] : tensor<2x3xf32> to tensor<2x3x5x7001xf32>
  %9 = arith.mulf %3, %8 : tensor<2x3x5x7001xf32>
  %10 = graph.broadcast %s dims = [1, 2] : tensor<3x5xf32> to tensor<2x3x5x7001xf32>
  %11 = graph.broadcast %b dims = [1, 2] : tensor<3x5xf32> to tensor<2x3x5x7001xf32>
  %12 = arith.mulf %9, %10 : tensor<2x3x5x7001xf32>
  %13 = arith.addf %12, %11 : tensor<2x3x5x7001xf32>
  return %13 : tensor<2x3x5x7001xf32>
}
func.func @shared(%x: tensor<1x5x9x7777xf32> {check.data = "random:-3:5"}, %s: tensor<5x9xf32>, %b: tensor<5x9xf32>) -> tensor<1x5x9x7777xf32> {
  %n = arith.constant dense<1.4287143000014288e-05> : tensor<1x5xf32>
  %0 = graph.reduce sum %x dims = [2, 3] : tensor<1x5x9x7777xf32> to tensor<1x5xf32>
  %1 = arith.mulf %0, %n : tensor<1x5xf32>
  %2 = graph.broadcast %1 dims = [0, 1] : tensor<1x5xf32> to tensor<1x5x9x7777xf32>
  %3 = arith.subf %x, %2 : tensor<1x5x9x7777xf32>
  %4 = arith.mulf %3, %3 : tensor<1x5x9x7777xf32>
  %5 = graph.reduce sum %4 dims = [2, 3] : tensor<1x5x9x7777xf32> to tensor<1x5xf32>
  %6 = arith.mulf %5, %n : tensor<1x5xf32>
  %7 = math.rsqrt %6 : tensor<1x5xf32>
  %8 = graph.broadcast %7 dims = [0, 1] : tensor<1x5xf32> to tensor<1x5x9x7777xf32>
  %9 = arith.mulf %3, %8 : tensor<1x5x9x7777xf32>
  %10 = graph.broadcast %s dims = [1, 2] : tensor<5x9xf32> to tensor<1x5x9x7777xf32>
  %11 = graph.broadcast %b dims = [1, 2] : tensor<5x9xf32> to tensor<1x5x9x7777xf32>
  %12 = arith.mulf %9, %10 : tensor<1x5x9x7777xf32>
  %13 = arith.addf %12, %11 : tensor<1x5x9x7777xf32>
  return %13 : tensor<1x5x9x7777xf32>
}
func.func @held(%x: tensor<2x2x4x500xf32> {check.data = "random:-3:5"}, %s: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x2x4x500xf32> {
  %n = arith.constant dense<0.0005> : tensor<2x2xf32>
  %0 = graph.reduce sum %x dims = [2, 3] : tensor<2x2x4x500xf32> to tensor<2x2xf32>
  %1 = arith.mulf %0, %n : tensor<2x2xf32>
  %2 = graph.broadcast %1 dims = [0, 1] : tensor<2x2xf32> to tensor<2x2x4x500xf32>
  %3 = arith.subf %x, %2 : tensor<2x2x4x500xf32>
  %4 = arith.mulf %3, %3 : tensor<2x2x4x500xf32>
  %5 = graph.reduce sum %4 dims = [2, 3] : tensor<2x2x4x500xf32> to tensor<2x2xf32>
  %6 = arith.mulf %5, %n : tensor<2x2xf32>
  %7 = math.rsqrt %6 : tensor<2x2xf32>
  %8 = graph.broadcast %7 dims = [0, 1] : tensor<2x2xf32> to tensor<2x2x4x500xf32>
  %9 = arith.mulf %3, %8 : tensor<2x2x4x500xf32>
  %10 = graph.broadcast %s dims = [1, 2] : tensor<2x4xf32> to tensor<2x2x4x500xf32>
  %11 = graph.broadcast %b dims = [1, 2] : tensor<2x4xf32> to tensor<2x2x4x500xf32>
  %12 = arith.mulf %9, %10 : tensor<2x2x4x500xf32>
  %13 = arith.addf %12, %11 : tensor<2x2x4x500xf32>
  return %13 : tensor<2x2x4x500xf32>
}
