// tile-assign-layouts: coalesced layouts by the accesses, projections for broadcasts and reductions, fragments for
// products, conversions between them.
// RUN: tw-opt %s --convert-graph-to-tile --tile-assign-layouts --verify-tile-form | FileCheck %s

// 16 bytes a thread along the contiguous dimension, then lanes along it.
// CHECK-LABEL: tile.kernel @rows
// CHECK: tile.load {{.*}} -> tensor<8x128xf32, #tile.layout<"{shape=[8,128], register={{\[\[}}0,1],[0,2],{{.*}} lane={{\[\[}}0,4],[0,8],[0,16],[0,32],[0,64]],
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(elementwise) @rows(%x: tensor<64x256xf32>, %y: tensor<256xf32>) -> tensor<64x256xf32>
    attributes {tile.schedule = #tile.schedule<tile = [8, 128], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.broadcast %y dims = [1] : tensor<256xf32> to tensor<64x256xf32>
  %1 = arith.addf %x, %0 : tensor<64x256xf32>
  graph.return %1 : tensor<64x256xf32>
}

// What all columns of a step share, and rows of it have side by side, threads load as they hold it.
// CHECK-LABEL: tile.kernel @rows_of_steps
// CHECK: scf.for
// CHECK: tile.load {{.*}} -> tensor<64x1xbf16, #tile.layout<"{shape=[64,1], register={{\[\[}}1,0],[2,0],[4,0]], {{.*}} warp={{\[\[}}8,0],
// CHECK-NOT: tile.convert_layout
// CHECK: tile.load {{.*}} -> tensor<64x32xbf16, #tile.layout<"{shape=[64,32], register={{\[\[}}1,0],[2,0],[4,0]], lane={{\[\[}}0,1],
// CHECK-NOT: tile.convert_layout
// CHECK: tile.reduce
graph.kernel anchor(reduction) @rows_of_steps(%x: tensor<640xbf16>, %y: tensor<640x999xbf16>) -> tensor<999xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 32], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = arith.extf %x : tensor<640xbf16> to tensor<640xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<640xf32> to tensor<640x999xf32>
  %2 = arith.extf %y : tensor<640x999xbf16> to tensor<640x999xf32>
  %3 = arith.mulf %1, %2 : tensor<640x999xf32>
  %4 = graph.reduce sum %3 dims = [0] : tensor<640x999xf32> to tensor<999xf32>
  graph.return %4 : tensor<999xf32>
}

// A tensor of rows of 7 elements is read one element at a time, still along lanes.
// CHECK-LABEL: tile.kernel @odd
// CHECK: tile.load {{.*}} -> tensor<32x8xf32, #tile.layout<"{shape=[32,8], register={{.*}} lane={{\[\[}}0,1],
graph.kernel anchor(reduction) @odd(%x: tensor<32x7xf32>) -> tensor<32xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 8], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<32x7xf32> to tensor<32xf32>
  graph.return %0 : tensor<32xf32>
}

// A reduction and the broadcast of its result move nothing.
// CHECK-LABEL: tile.kernel @softmax
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(reduction) @softmax(%x: tensor<4x256xf32>) -> tensor<4x256xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.reduce max %x dims = [1] : tensor<4x256xf32> to tensor<4xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x256xf32>
  %2 = arith.subf %x, %1 : tensor<4x256xf32>
  graph.return %2 : tensor<4x256xf32>
}

// Operands become fragments, the accumulator is one, and the epilogue works in the layout of the store.
// CHECK-LABEL: tile.kernel @product
// CHECK: tile.convert_layout {{.*}} to tensor<16x16xbf16,
// CHECK: tile.convert_layout {{.*}} to tensor<16x16xbf16,
// CHECK: tile.dot
// CHECK: %[[C:.*]] = tile.convert_layout %{{.*}} : tensor<16x16xf32,
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[C]]
// CHECK: tile.store %[[T]]
graph.kernel anchor(matmul) @product(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>) -> tensor<16x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<16x32xbf16>, tensor<32x16xbf16> to tensor<16x16xf32>
  %1 = math.tanh %0 : tensor<16x16xf32>
  graph.return %1 : tensor<16x16xf32>
}

// A transpose is read along its own contiguous dimension and converted for the store.
// CHECK-LABEL: tile.kernel @transpose
// CHECK: tile.load
// CHECK: tile.convert_layout
// CHECK: tile.store
graph.kernel anchor(transpose) @transpose(%x: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [32, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.transpose %x permutation = [1, 0] {graph.materialize} : tensor<64x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
