// Results that are stored in one other order than what they are made of was loaded in: what was loaded is exchanged among
// the threads, once, and the results are computed behind that. Where there are as many operands as results, or something
// is reduced, results are exchanged.
// RUN: tw-opt %s --tile-stage | FileCheck %s

// CHECK-LABEL: tile.kernel @two
// CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<32x256xf32
// CHECK: %[[T:.*]] = tile.convert_layout %[[X]]
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(transpose) @two(%x: tensor<2620x147xf32>, %y: tensor<2620xf32>) -> (tensor<147x2620xf32>, tensor<147x2620xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [32, 256], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2620x147xf32> to tensor<147x2620xf32>
  %1 = graph.broadcast %y dims = [1] : tensor<2620xf32> to tensor<147x2620xf32>
  %2 = arith.minimumf %0, %1 : tensor<147x2620xf32>
  %3 = math.exp %0 : tensor<147x2620xf32>
  graph.return %2, %3 : tensor<147x2620xf32>, tensor<147x2620xf32>
}

// CHECK-LABEL: tile.kernel @as_many
// CHECK: arith.minimumf
// CHECK: tile.convert_layout
// CHECK: math.exp
// CHECK: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(transpose) @as_many(%x: tensor<2620x147xf32>, %y: tensor<2620x147xf32>) -> (tensor<147x2620xf32>, tensor<147x2620xf32>)
    attributes {tile.schedule = #tile.schedule<tile = [32, 256], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2620x147xf32> to tensor<147x2620xf32>
  %1 = graph.transpose %y permutation = [1, 0] : tensor<2620x147xf32> to tensor<147x2620xf32>
  %2 = arith.minimumf %0, %1 : tensor<147x2620xf32>
  %3 = math.exp %2 : tensor<147x2620xf32>
  graph.return %2, %3 : tensor<147x2620xf32>, tensor<147x2620xf32>
}
