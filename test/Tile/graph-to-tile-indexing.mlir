// convert-graph-to-tile: gathers, pads, concatenations, coordinates and results of fewer dimensions.
// RUN: tw-opt %s --convert-graph-to-tile --canonicalize --cse | FileCheck %s

// The table's rows are 64 elements apart; indices are read once a row.
// CHECK-LABEL: tile.kernel @gather
// CHECK: %[[I:.*]] = tile.load {{.*}} -> tensor<8x1xi64>
// CHECK: tile.gather %{{.*}}[%{{.*}}, %c0] plus %[[I]] times 64 of 100 divisors = [{{[08]}}, 0] in_bounds = [true, true] {{.*}} -> tensor<8x64xf32>
graph.kernel anchor(gather) @gather(%t: tensor<100x64xf32>, %i: tensor<32xi64>) -> tensor<32x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [8, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.gather %t[%i] dim = 0 : tensor<100x64xf32>, tensor<32xi64> to tensor<32x64xf32>
  graph.return %0 : tensor<32x64xf32>
}

// Padding is a view that starts before its tensor, and the fill value of a load.
// CHECK-LABEL: tile.kernel @pad
// CHECK: %[[V:.*]] = tile.view %arg0 : <f32, {{.*}} to <f32, "{offset=0, dims=[{extent=8, start=-1, modes={{\[\[}}6,1]]}]}">
// CHECK: tile.load %[[V]][%c0] divisors = [0] in_bounds = [false] fill = 5.000000e-01 : f32
graph.kernel anchor(elementwise) @pad(%x: tensor<6xf32>) -> tensor<8xf32>
    attributes {tile.schedule = #tile.schedule<tile = [8], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = graph.pad %x low = [1] high = [1] value = 0.5 : f32 : tensor<6xf32> to tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}

// The parts of a concatenation are loaded where they lie and chosen by coordinate.
// CHECK-LABEL: tile.kernel @concat
// CHECK-DAG: %[[SECOND:.*]] = tile.view %arg1 : {{.*}} to <f32, "{offset=0, dims=[{extent=16, start=-4, modes={{\[\[}}12,1]]}]}">
// CHECK-DAG: %[[FIRST:.*]] = tile.view %arg0 : {{.*}} to <f32, "{offset=0, dims=[{extent=16, modes={{\[\[}}4,1]]}]}">
// CHECK: tile.iota dim = 0
// CHECK: %[[A:.*]] = tile.load %[[FIRST]]
// CHECK: %[[B:.*]] = tile.load %[[SECOND]]
// CHECK: arith.select %{{.*}}, %[[A]], %[[B]]
graph.kernel anchor(elementwise) @concat(%x: tensor<4xf32>, %y: tensor<12xf32>) -> tensor<16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [8], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = graph.concat %x, %y dim = 0 : tensor<4xf32>, tensor<12xf32> to tensor<16xf32>
  graph.return %0 : tensor<16xf32>
}

// Equal parts are gone over together, and stored at their places.
// CHECK-LABEL: tile.kernel @equal_parts grid = [1, 1, 1]
// CHECK: %[[A:.*]] = tile.load %arg0
// CHECK: tile.store %[[A]]
// CHECK: %[[B:.*]] = tile.load %arg1
// CHECK: tile.store %[[B]]
// CHECK: tile.store
// CHECK-NOT: select
graph.kernel anchor(elementwise) @equal_parts(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<24xf32>
    attributes {tile.schedule = #tile.schedule<tile = [8], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = graph.concat %x, %y, %x dim = 0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32> to tensor<24xf32>
  graph.return %0 : tensor<24xf32>
}

// An iota is a coordinate, converted where the element type asks for it.
// CHECK-LABEL: tile.kernel @iota
// CHECK: %[[I:.*]] = tile.iota dim = 0 from %{{.*}} : tensor<64xi32>
// CHECK: arith.sitofp %{{.*}} : tensor<64xi32> to tensor<64xf32>
graph.kernel anchor(elementwise) @iota(%x: tensor<256xf32>) -> tensor<256xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = graph.iota dim = 0 : tensor<256xf32>
  %1 = arith.mulf %x, %0 : tensor<256xf32>
  graph.return %1 : tensor<256xf32>
}

// A second result that does not move along a dimension is stored by the blocks at its origin.
// CHECK-LABEL: tile.kernel @smaller_result grid = [4, 1, 1]
// CHECK: %[[HERE:.*]] = arith.cmpi eq
// CHECK: scf.if %[[HERE]]
// CHECK: tile.store
graph.kernel anchor(elementwise) @smaller_result(%x: tensor<64xf32>, %y: tensor<256x64xf32>)
    -> (tensor<64xf32>, tensor<256x64xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 1, warps = 4, warp_grid = [4, 1], stages = 1>} {
  %0 = math.exp %x : tensor<64xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<64xf32> to tensor<256x64xf32>
  %2 = arith.addf %1, %y : tensor<256x64xf32>
  graph.return %0, %2 : tensor<64xf32>, tensor<256x64xf32>
}
