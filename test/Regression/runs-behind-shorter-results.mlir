// Results that are shorter than another one of their kernel: a tile as long as they are lies wholly behind them where it is not the first,
// and was stored as a run all the same, over what other blocks store (a random program of 31 million elements on an H200,
// memory-297354).
// RUN: tw-check %s --target=sm_90a --quiet --rtol=1e-5 --atol=1e-6
// RUN: tw-compile %s --target=sm_90a --emit=schedule -o - | FileCheck %s

// CHECK: tile = [1, 1, 2048]
// CHECK: tile.send_run
func.func @beside_a_longer_result(%arg0: tensor<2x300x2025xf32>, %arg1: tensor<300xi64> {check.data = "random:0:300"}, %arg2: tensor<2xf32>) -> (tensor<2x300x4050xf32>, tensor<30x675x60xf32>, tensor<30x675x60xf32>) {
  %0 = graph.gather %arg0[%arg1] dim = 1 : tensor<2x300x2025xf32>, tensor<300xi64> to tensor<2x300x2025xf32>
  %1 = math.absf %0 : tensor<2x300x2025xf32>
  %2 = arith.maximumf %1, %0 : tensor<2x300x2025xf32>
  %3 = graph.broadcast %arg2 dims = [0] : tensor<2xf32> to tensor<2x300x2025xf32>
  %4 = graph.concat %2, %3 dim = 2 : tensor<2x300x2025xf32>, tensor<2x300x2025xf32> to tensor<2x300x4050xf32>
  %5 = graph.reshape %0 : tensor<2x300x2025xf32> to tensor<30x675x60xf32>
  %cst = arith.constant dense<0.000000e+00> : tensor<30x675x60xf32>
  %6 = arith.maximumf %5, %cst : tensor<30x675x60xf32>
  %7 = math.tanh %6 : tensor<30x675x60xf32>
  %8 = math.exp %7 : tensor<30x675x60xf32>
  %9 = math.absf %6 : tensor<30x675x60xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<30x675x60xf32>
  %10 = arith.addf %9, %cst_0 : tensor<30x675x60xf32>
  %11 = math.sqrt %10 : tensor<30x675x60xf32>
  return %4, %11, %8 : tensor<2x300x4050xf32>, tensor<30x675x60xf32>, tensor<30x675x60xf32>
}
