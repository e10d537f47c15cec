// What does not differ along a dimension is computed by the blocks that store it: of a load that others use too, of one of
// its own, and of what a reduction leaves.
// RUN: tw-check %s --target=sm_90a --rtol=1e-5
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s

// CHECK: scf.if
// CHECK: tile.load
// CHECK: math.erf
func.func @main(%x: tensor<80x4x16xbf16>, %y: tensor<80x4x150x16xbf16>, %z: tensor<4xf32>) -> (tensor<80x4x150x16xbf16>, tensor<80x4x16xbf16>) {
  %0 = arith.extf %x : tensor<80x4x16xbf16> to tensor<80x4x16xf32>
  %1 = arith.extf %y : tensor<80x4x150x16xbf16> to tensor<80x4x150x16xf32>
  %2 = graph.broadcast %0 dims = [0, 1, 3] : tensor<80x4x16xf32> to tensor<80x4x150x16xf32>
  %3 = arith.addf %1, %2 : tensor<80x4x150x16xf32>
  %4 = math.erf %0 : tensor<80x4x16xf32>
  %5 = math.tanh %4 : tensor<80x4x16xf32>
  %6 = graph.broadcast %z dims = [1] : tensor<4xf32> to tensor<80x4x16xf32>
  %7 = arith.maximumf %5, %6 : tensor<80x4x16xf32>
  %8 = arith.truncf %3 : tensor<80x4x150x16xf32> to tensor<80x4x150x16xbf16>
  %9 = arith.truncf %7 : tensor<80x4x16xf32> to tensor<80x4x16xbf16>
  return %8, %9 : tensor<80x4x150x16xbf16>, tensor<80x4x16xbf16>
}
