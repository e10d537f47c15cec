// Passes that count on layouts crashed on tiles that have none.
// RUN: not tw-opt %s --convert-graph-to-tile --tile-stage-products -o %t.mlir 2>&1 | FileCheck %s
// RUN: not tw-opt %s --convert-graph-to-tile --tile-async-products -o %t.mlir 2>&1 | FileCheck %s
// RUN: not tw-opt %s --convert-graph-to-tile --convert-tile-to-llvm -o %t.mlir 2>&1 | FileCheck %s
// RUN: not tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile{target=sm_90a},tile.kernel(tile-stage-stores))' -o %t.mlir 2>&1 | FileCheck %s

// CHECK: error: {{.*}} without a layout; run tile-assign-layouts
graph.kernel anchor(matmul) @product(%a: tensor<256x128xbf16>, %b: tensor<128x256xbf16>) -> tensor<256x256xbf16>
    attributes {tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x256xbf16> to tensor<256x256xf32>
  %1 = arith.truncf %0 : tensor<256x256xf32> to tensor<256x256xbf16>
  graph.return %1 : tensor<256x256xbf16>
}
