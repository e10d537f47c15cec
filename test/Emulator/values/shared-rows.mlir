// Few rows that the blocks of a cluster hold together, a tile each: lengths that no number of blocks divides, blocks with
// nothing of a row, results of one value a row, columns, two reduced dimensions, infinities, gathers and joined parts.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-6 --quiet --target=sm_90a
// RUN: tw-check %s --rtol=2e-5 --atol=1e-6 --quiet --target=sm_90a --emulator-seed=7

func.func @mean_removed(%x: tensor<12399xf32>) -> (tensor<12399xf32>, tensor<f32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<12399xf32> to tensor<f32>
  %n = arith.constant dense<8.06516653E-5> : tensor<f32>
  %1 = arith.mulf %0, %n : tensor<f32>
  %2 = graph.broadcast %1 dims = [] : tensor<f32> to tensor<12399xf32>
  %3 = arith.subf %x, %2 : tensor<12399xf32>
  return %3, %1 : tensor<12399xf32>, tensor<f32>
}
func.func @layer_norm(%x: tensor<3x17472xbf16>, %s: tensor<17472xf32>) -> tensor<3x17472xf32> {
  %w = arith.extf %x : tensor<3x17472xbf16> to tensor<3x17472xf32>
  %0 = graph.layer_norm %w scale(%s : tensor<17472xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x17472xf32> to tensor<3x17472xf32>
  return %0 : tensor<3x17472xf32>
}
func.func @softmax(%x: tensor<2x16001xf32> {check.data = "random:-20:20"}) -> (tensor<2x16001xf32>, tensor<2xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<2x16001xf32> to tensor<2x16001xf32>
  %1 = graph.reduce min %x dims = [1] : tensor<2x16001xf32> to tensor<2xf32>
  return %0, %1 : tensor<2x16001xf32>, tensor<2xf32>
}
func.func @masked(%x: tensor<1x9001xf32>, %m: tensor<1x9001xi1>) -> tensor<1x9001xf32> {
  %inf = arith.constant dense<0xFF800000> : tensor<1x9001xf32>
  %0 = arith.select %m, %x, %inf : tensor<1x9001xi1>, tensor<1x9001xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<1x9001xf32> to tensor<1x9001xf32>
  return %1 : tensor<1x9001xf32>
}
func.func @columns(%x: tensor<700x10xf32>) -> (tensor<700x10xf32>, tensor<10xf32>) {
  %0 = graph.reduce max %x dims = [0] : tensor<700x10xf32> to tensor<10xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<10xf32> to tensor<700x10xf32>
  %2 = arith.subf %x, %1 : tensor<700x10xf32>
  return %2, %0 : tensor<700x10xf32>, tensor<10xf32>
}
func.func @two_dimensions(%x: tensor<61x12x13xf32>) -> (tensor<61x13x12xf32>, tensor<12xf32>) {
  %t = graph.transpose %x permutation = [0, 2, 1] : tensor<61x12x13xf32> to tensor<61x13x12xf32>
  %0 = graph.reduce sum %t dims = [0, 1] : tensor<61x13x12xf32> to tensor<12xf32>
  %1 = graph.broadcast %0 dims = [2] : tensor<12xf32> to tensor<61x13x12xf32>
  %2 = arith.addf %t, %1 : tensor<61x13x12xf32>
  return %2, %0 : tensor<61x13x12xf32>, tensor<12xf32>
}
func.func @where_the_largest_is(%x: tensor<2x5003xf32>) -> (tensor<2xi64>, tensor<2x5003xf32>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<2x5003xf32> to tensor<2xi64>
  %1 = graph.reduce max %x dims = [1] : tensor<2x5003xf32> to tensor<2xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<2xf32> to tensor<2x5003xf32>
  %3 = arith.subf %x, %2 : tensor<2x5003xf32>
  return %0, %3 : tensor<2xi64>, tensor<2x5003xf32>
}
func.func @gathered(%x: tensor<300xf32>, %i: tensor<6001xi64> {check.data = "random:0:300"}) -> tensor<6001xf32> {
  %0 = graph.gather %x[%i] dim = 0 : tensor<300xf32>, tensor<6001xi64> to tensor<6001xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<6001xf32> to tensor<f32>
  %2 = graph.broadcast %1 dims = [] : tensor<f32> to tensor<6001xf32>
  %3 = arith.subf %0, %2 : tensor<6001xf32>
  return %3 : tensor<6001xf32>
}
func.func @joined(%x: tensor<4100xf32>) -> tensor<8200xf32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<4100xf32> to tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<4100xf32>
  %2 = arith.subf %x, %1 : tensor<4100xf32>
  %3 = graph.concat %x, %2 dim = 0 : tensor<4100xf32>, tensor<4100xf32> to tensor<8200xf32>
  return %3 : tensor<8200xf32>
}
