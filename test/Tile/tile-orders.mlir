// Orders that are lists: order = hilbert and order = list look a tile's number up; a list has as many as the result.
// RUN: tw-opt %s --split-input-file --convert-graph-to-tile --verify-diagnostics | FileCheck %s

// CHECK-LABEL: tile.kernel @curve grid = [16, 1, 1]
// CHECK: %[[BLOCK:.*]] = tile.block_id 0
// CHECK: %[[NUMBER:.*]] = arith.remui %[[BLOCK]], %{{.*}}
// CHECK: %[[TILE:.*]] = tile.lookup %[[NUMBER]] of [0, 1, 5, 4, 8, 12, 13, 9, 10, 14, 15, 11, 7, 6, 2, 3]
// CHECK: %[[ROW:.*]] = arith.divui %[[TILE]], %c4
// CHECK: %[[COLUMN:.*]] = arith.remui %[[TILE]], %c4
// CHECK: arith.muli %[[ROW]]
// CHECK: arith.muli %[[COLUMN]]
graph.kernel anchor(matmul) @curve(%a: tensor<256x64xbf16>, %b: tensor<64x256xbf16>) -> tensor<256x256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [2, 2], stages = 2, order = hilbert>} {
  %0 = graph.matmul %a, %b : tensor<256x64xbf16>, tensor<64x256xbf16> to tensor<256x256xf32>
  graph.return %0 : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: tile.kernel @list
// CHECK: tile.lookup %{{.*}} of [1, 0]
graph.kernel anchor(matmul) @list(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [2, 2], stages = 2, order = list<[1, 0]>>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  graph.return %0 : tensor<128x64xf32>
}

// -----

// expected-error@+1 {{the schedule's list has 3 tiles, the kernel's result 2x1}}
graph.kernel anchor(matmul) @too_many(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [2, 2], stages = 2, order = list<[1, 0, 2]>>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  graph.return %0 : tensor<128x64xf32>
}

// -----

// expected-error@+1 {{order = list has 3 tiles, whose numbers are 0 to that in some order; 1 is none of them or there twice}}
#twice = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [2, 2], stages = 2, order = list<[1, 0, 1]>>

// -----

// expected-error@+1 {{'spiral' is none of rows, grouped, hilbert, list}}
#spiral = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [2, 2], stages = 2, order = spiral>
