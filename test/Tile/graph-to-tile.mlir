// convert-graph-to-tile: grids, tiles, views, bounds and loops follow from the domain and the schedule.
// RUN: tw-opt %s --convert-graph-to-tile --canonicalize --cse | FileCheck %s

// One block per tile, the last dimension fastest; a broadcast operand is a view of stride 0 and a tile of one row.
// CHECK-LABEL: tile.kernel @straight grid = [16, 1, 1] warps = 4
// CHECK-DAG: %[[B:.*]] = tile.view %arg1 : <f32, "{offset=0, dims=[{extent=256, modes={{\[\[}}256,1]]}]}"> to <f32, "{offset=0, dims=[{extent=64, modes={{\[\[}}64,0]]}, {extent=256, modes={{\[\[}}256,1]]}]}">
// CHECK-DAG: %[[ID:.*]] = tile.block_id 0
// CHECK: %[[J:.*]] = arith.remui %[[ID]], %c2
// CHECK: %[[I:.*]] = arith.divui %[[ID]], %c2
// CHECK: %[[COL:.*]] = arith.muli %[[J]], %c128
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c8
// CHECK: tile.load %arg0[%[[ROW]], %[[COL]]] divisors = [8, 128] in_bounds = [true, true] {{.*}} -> tensor<8x128xf32>
// CHECK: %[[T:.*]] = tile.load %[[B]][%c0, %[[COL]]] divisors = [0, 128] in_bounds = [true, true] {{.*}} -> tensor<1x128xf32>
// CHECK: tile.broadcast %[[T]] : tensor<1x128xf32> to tensor<8x128xf32>
// CHECK: tile.store %{{.*}}, %arg2[%[[ROW]], %[[COL]]] divisors = [8, 128] in_bounds = [true, true]
graph.kernel anchor(elementwise) @straight(%x: tensor<64x256xf32>, %y: tensor<256xf32>) -> tensor<64x256xf32>
    attributes {tile.schedule = #tile.schedule<tile = [8, 128], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.broadcast %y dims = [1] : tensor<256xf32> to tensor<64x256xf32>
  %1 = arith.addf %x, %0 : tensor<64x256xf32>
  graph.return %1 : tensor<64x256xf32>
}

// Equal dimensions collapse into one; the last tile reaches beyond 1000 elements.
// CHECK-LABEL: tile.kernel @ragged grid = [8, 1, 1] warps = 1
// CHECK: tile.view %arg0 : {{.*}} to <f32, "{offset=0, dims=[{extent=1000, modes={{\[\[}}1000,1]]}]}">
// CHECK: tile.load %{{.*}}[%{{.*}}] divisors = [128] in_bounds = [false] {{.*}} -> tensor<128xf32>
// CHECK: tile.store {{.*}} divisors = [128] in_bounds = [false]
graph.kernel anchor(elementwise) @ragged(%x: tensor<10x100xf32>) -> tensor<10x100xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = math.exp %x : tensor<10x100xf32>
  graph.return %0 : tensor<10x100xf32>
}

// A row that fits a tile is reduced at once: no loop, no mask.
// CHECK-LABEL: tile.kernel @row
// CHECK-NOT: scf.for
// CHECK: tile.reduce %{{.*}} dim = 1
// CHECK: } : tensor<2x64xf32> to tensor<2x1xf32>
graph.kernel anchor(reduction) @row(%x: tensor<16x64xf32>) -> tensor<16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [2, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<16x64xf32> to tensor<16xf32>
  graph.return %0 : tensor<16xf32>
}

// A longer one in a loop that carries partial results; elements beyond the row count as the identity.
// CHECK-LABEL: tile.kernel @looped
// CHECK: %[[LOW:.*]] = arith.constant dense<0xFF800000> : tensor<1x64xf32>
// CHECK: %[[S:.*]] = scf.for %[[K:.*]] = %c0 to %c100 step %c64 iter_args(%[[ACC:.*]] = %[[LOW]])
// CHECK: %[[L:.*]] = tile.load %arg0[%{{.*}}, %[[K]]] divisors = [1, 64] in_bounds = [true, false]
// CHECK: %[[INDEX:.*]] = tile.iota dim = 1 from %[[K]]
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[INDEX]],
// CHECK: %[[M:.*]] = arith.select %[[IN]], %[[L]], %[[LOW]]
// CHECK: arith.maximumf %[[ACC]], %[[M]]
// CHECK: tile.reduce %[[S]] dim = 1
graph.kernel anchor(reduction) @looped(%x: tensor<16x100xf32>) -> tensor<16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.reduce max %x dims = [1] : tensor<16x100xf32> to tensor<16xf32>
  graph.return %0 : tensor<16xf32>
}

// A product loops over K; its epilogue is outside.
// CHECK-LABEL: tile.kernel @product grid = [4, 1, 1] warps = 4
// CHECK: %[[ACC:.*]] = scf.for %[[K:.*]] = %c0 to %c128 step %c32
// CHECK: %[[A:.*]] = tile.load %arg0[%[[M:.*]], %[[K]]] divisors = [32, 32] in_bounds = [true, true] {{.*}} -> tensor<32x32xbf16>
// CHECK: %[[B:.*]] = tile.load %arg1[%[[K]], %[[N:.*]]] divisors = [32, 32] in_bounds = [true, true] {{.*}} -> tensor<32x32xbf16>
// CHECK: tile.dot %[[A]], %[[B]], %{{.*}} tf32 = false
// CHECK: }
// CHECK: math.tanh %[[ACC]]
// CHECK: tile.store %{{.*}}, %arg2[%[[M]], %[[N]]]
graph.kernel anchor(matmul) @product(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>} {
  %0 = graph.matmul %a, %b : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %1 = math.tanh %0 : tensor<64x64xf32>
  graph.return %1 : tensor<64x64xf32>
}
