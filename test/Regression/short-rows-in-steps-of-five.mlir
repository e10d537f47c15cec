// Short rows of 16 bits within steps of columns were held in tiles of five of them, padded to 32 elements, one to a lane: 319 us on an
// H200, 81 in fours of rows as long as they are.
// RUN: tw-compile %s --stop-after=tile --target=sm_90a -o - | FileCheck %s
// CHECK: tile.schedule = #tile.schedule<tile = [32, 4, 24], reduce = 1, warps = 8
func.func @main(%arg0: tensor<848x1868x24xbf16>, %arg1: tensor<24xbf16>) -> (tensor<848x1868x24xbf16>, tensor<848x1868x24xbf16>) {
  %0 = arith.extf %arg0 : tensor<848x1868x24xbf16> to tensor<848x1868x24xf32>
  %1 = arith.maximumf %0, %0 : tensor<848x1868x24xf32>
  %2 = graph.reduce sum %1 dims = [2] : tensor<848x1868x24xf32> to tensor<848x1868xf32>
  %cst = arith.constant dense<0.0416666679> : tensor<848x1868xf32>
  %3 = arith.mulf %2, %cst : tensor<848x1868xf32>
  %4 = graph.broadcast %3 dims = [0, 1] : tensor<848x1868xf32> to tensor<848x1868x24xf32>
  %5 = arith.subf %1, %4 : tensor<848x1868x24xf32>
  %6 = arith.extf %arg1 : tensor<24xbf16> to tensor<24xf32>
  %7 = graph.layer_norm %5 scale(%6 : tensor<24xf32>) dim = 2 epsilon = 1.000000e-02 : tensor<848x1868x24xf32> to tensor<848x1868x24xf32>
  %8 = graph.reduce sum %7 dims = [0] : tensor<848x1868x24xf32> to tensor<1868x24xf32>
  %cst_0 = arith.constant dense<0.0011792453> : tensor<1868x24xf32>
  %9 = arith.mulf %8, %cst_0 : tensor<1868x24xf32>
  %10 = graph.broadcast %9 dims = [1, 2] : tensor<1868x24xf32> to tensor<848x1868x24xf32>
  %11 = arith.subf %7, %10 : tensor<848x1868x24xf32>
  %cst_1 = arith.constant dense<0.000000e+00> : tensor<848x1868x24xf32>
  %12 = arith.maximumf %7, %cst_1 : tensor<848x1868x24xf32>
  %13 = arith.truncf %12 : tensor<848x1868x24xf32> to tensor<848x1868x24xbf16>
  %14 = arith.truncf %11 : tensor<848x1868x24xf32> to tensor<848x1868x24xbf16>
  return %13, %14 : tensor<848x1868x24xbf16>, tensor<848x1868x24xbf16>
}
