// What a reduction leaves behind its loop is joined: each part is stored at its place, and the whole has no tile.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// CHECK: scf.for
// CHECK: tile.reduce
// CHECK-COUNT-2: tile.store
// CHECK-NOT: tile.store
graph.kernel anchor(reduction) @joined(%arg0: tensor<700x7x24x16xf32>) -> tensor<7x24x32xbf16> attributes {tile.schedule = #tile.schedule<tile = [512, 1, 16], reduce = 1, warps = 8, warp_grid = [8, 1, 1], stages = 1>} {
  %cst = arith.constant dense<2.000000e+00> : tensor<700x7x24x16xf32>
  %0 = arith.subf %arg0, %cst : tensor<700x7x24x16xf32>
  %1 = reduce sum %0 dims = [0] : tensor<700x7x24x16xf32> to tensor<7x24x16xf32>
  %cst_0 = arith.constant dense<5.296610e-04> : tensor<7x24x16xf32>
  %2 = arith.mulf %1, %cst_0 : tensor<7x24x16xf32>
  %3 = arith.truncf %2 : tensor<7x24x16xf32> to tensor<7x24x16xbf16>
  %4 = concat %3, %3 dim = 2 : tensor<7x24x16xbf16>, tensor<7x24x16xbf16> to tensor<7x24x32xbf16>
  return %4 : tensor<7x24x32xbf16>
}
