// Short rows lie in one thread each where that saves exchanges between lanes, places that no row has, and computing a row's result
// in all lanes that have a part of it.
// RUN: tw-opt %s --convert-graph-to-tile --tile-assign-layouts | FileCheck %s

// Eight places for five elements: registers have the row, and the three that it lacks are those of no thread.
// CHECK: tile.kernel @means_of_five
// CHECK: tile.load {{.*}} -> tensor<512x8xbf16, #tile.layout<"{shape=[512,8], register=[{{\[}}0,1],[0,2],[0,4],[256,0]], lane=[{{\[}}1,0],
graph.kernel anchor(reduction) @means_of_five(%x: tensor<4113504x5xbf16>) -> tensor<4113504xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [512, 8], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = arith.extf %x : tensor<4113504x5xbf16> to tensor<4113504x5xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<4113504x5xf32> to tensor<4113504xf32>
  %2 = math.tanh %1 : tensor<4113504xf32>
  %3 = arith.mulf %1, %2 : tensor<4113504xf32>
  %4 = arith.truncf %3 : tensor<4113504xf32> to tensor<4113504xbf16>
  graph.return %4 : tensor<4113504xbf16>
}

// Rows of whole vectors that are stored again stay with lanes side by side.
// CHECK: tile.kernel @of_vectors
// CHECK: tile.load {{.*}} -> tensor<128x32xf32, #tile.layout<"{shape=[128,32], register=[{{.*}}lane=[{{\[}}0,4],
graph.kernel anchor(reduction) @of_vectors(%x: tensor<131072x32xf32>) -> tensor<131072x32xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<131072x32xf32> to tensor<131072xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<131072xf32> to tensor<131072x32xf32>
  %2 = arith.subf %x, %1 : tensor<131072x32xf32>
  graph.return %2 : tensor<131072x32xf32>
}

// A running sum along such a row needs no other lane.
// CHECK: tile.kernel @running_sums_of_five
// CHECK: tile.load {{.*}} -> tensor<128x8xf32, #tile.layout<"{shape=[128,8], register=[{{\[}}0,1],[0,2],[0,4]], lane=[{{\[}}1,0],
// CHECK-NEXT: tile.scan
graph.kernel anchor(reduction) @running_sums_of_five(%x: tensor<131072x5xf32>) -> tensor<131072x5xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 8], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.scan sum %x dim = 1 : tensor<131072x5xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<131072x5xf32> to tensor<131072xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<131072xf32> to tensor<131072x5xf32>
  %3 = arith.subf %0, %2 : tensor<131072x5xf32>
  graph.return %3 : tensor<131072x5xf32>
}
