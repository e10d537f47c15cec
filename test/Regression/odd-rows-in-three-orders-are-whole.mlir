// Rows of 93 elements of 16 bits, stored in their own order and in two others, were divided into tiles of 32 of them, which begin
// and end within sectors: 185 us on an H200, 104 with whole rows.
// RUN: tw-compile %s --stop-after=tile --target=sm_90a -o - | FileCheck %s
// CHECK: tile.schedule = #tile.schedule<tile = [1, 96, 2, 32]
func.func @main(%arg0: tensor<24x3152x5x93xbf16>, %arg1: tensor<3152x5xbf16>) -> (tensor<5x3152x93x24xbf16>, tensor<24x3152x5x93xbf16>, tensor<5x93x3152x24xbf16>) {
  %0 = arith.extf %arg0 : tensor<24x3152x5x93xbf16> to tensor<24x3152x5x93xf32>
  %1 = math.tanh %0 : tensor<24x3152x5x93xf32>
  %2 = arith.mulf %1, %0 : tensor<24x3152x5x93xf32>
  %3 = arith.extf %arg1 : tensor<3152x5xbf16> to tensor<3152x5xf32>
  %4 = graph.broadcast %3 dims = [1, 2] : tensor<3152x5xf32> to tensor<24x3152x5x93xf32>
  %5 = arith.maximumf %2, %4 : tensor<24x3152x5x93xf32>
  %6 = graph.transpose %2 permutation = [2, 1, 3, 0] : tensor<24x3152x5x93xf32> to tensor<5x3152x93x24xf32>
  %7 = graph.transpose %6 permutation = [0, 2, 1, 3] : tensor<5x3152x93x24xf32> to tensor<5x93x3152x24xf32>
  %8 = math.absf %5 : tensor<24x3152x5x93xf32>
  %cst = arith.constant dense<1.000000e+00> : tensor<24x3152x5x93xf32>
  %9 = arith.addf %8, %cst : tensor<24x3152x5x93xf32>
  %10 = arith.divf %2, %9 : tensor<24x3152x5x93xf32>
  %11 = arith.maximumf %6, %6 : tensor<5x3152x93x24xf32>
  %12 = math.absf %11 : tensor<5x3152x93x24xf32>
  %13 = arith.truncf %12 : tensor<5x3152x93x24xf32> to tensor<5x3152x93x24xbf16>
  %14 = arith.truncf %10 : tensor<24x3152x5x93xf32> to tensor<24x3152x5x93xbf16>
  %15 = arith.truncf %7 : tensor<5x93x3152x24xf32> to tensor<5x93x3152x24xbf16>
  return %13, %14, %15 : tensor<5x3152x93x24xbf16>, tensor<24x3152x5x93xbf16>, tensor<5x93x3152x24xbf16>
}
