// An access whose instructions would touch several times the sectors of its own layout has its tile exchanged among threads; one
// that touches as few in the layout of another access takes the tile as it lies.
// RUN: tw-opt %s --convert-graph-to-tile --tile-assign-layouts | FileCheck %s

// Threads have eight neighbours each, which the slice's rows could store one at a time only, since each begins elsewhere in a vector:
// 16 sectors for 64 bytes.
// CHECK: tile.kernel @rows_from_odd_places
// CHECK: tile.load {{.*}} lane={{\[\[}}0,8],[0,16],[0,32],[0,64],[0,128]]
// CHECK: tile.convert_layout {{.*}} to {{.*}} lane={{\[\[}}0,1],[0,2],[0,4],[0,8],[0,16]]
// CHECK-NEXT: tile.store
graph.kernel anchor(elementwise) @rows_from_odd_places(%x: tensor<1024x1024xbf16>, %y: tensor<1024x1024xbf16>, %z: tensor<1024x1024xbf16>) -> (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x701xbf16>) attributes {
    tile.schedule = #tile.schedule<tile = [2, 1024], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.addf %x, %y : tensor<1024x1024xbf16>
  %1 = arith.mulf %0, %z : tensor<1024x1024xbf16>
  %2 = graph.slice %0 offsets = [0, 3] strides = [1, 1] : tensor<1024x1024xbf16> to tensor<1024x701xbf16>
  %3 = arith.negf %2 : tensor<1024x701xbf16>
  graph.return %0, %1, %3 : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x701xbf16>
}

// The same of one run is stored as it lies: lanes next to one another put its vectors together.
// CHECK: tile.kernel @from_an_odd_place
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(elementwise) @from_an_odd_place(%x: tensor<1048576xbf16>, %y: tensor<1048576xbf16>, %z: tensor<1048576xbf16>) -> (tensor<1048576xbf16>, tensor<1048576xbf16>, tensor<700000xbf16>) {
  %0 = arith.addf %x, %y : tensor<1048576xbf16>
  %1 = arith.mulf %0, %z : tensor<1048576xbf16>
  %2 = graph.slice %0 offsets = [5003] strides = [1] : tensor<1048576xbf16> to tensor<700000xbf16>
  %3 = arith.negf %2 : tensor<700000xbf16>
  graph.return %0, %1, %3 : tensor<1048576xbf16>, tensor<1048576xbf16>, tensor<700000xbf16>
}

// The same from a whole sector on is stored as it lies.
// CHECK: tile.kernel @from_a_sector
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(elementwise) @from_a_sector(%x: tensor<1048576xbf16>) -> (tensor<1048576xbf16>, tensor<700000xbf16>) {
  %0 = math.absf %x : tensor<1048576xbf16>
  %1 = graph.slice %x offsets = [4992] strides = [1] : tensor<1048576xbf16> to tensor<700000xbf16>
  %2 = arith.negf %1 : tensor<700000xbf16>
  graph.return %0, %2 : tensor<1048576xbf16>, tensor<700000xbf16>
}

// Two lanes have the pair of an element, the next two its neighbour: sixteen lanes fill the sectors of either part.
// CHECK: tile.kernel @pairs
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
graph.kernel anchor(transpose) @pairs(%x: tensor<4096x512x2xf32>) -> (tensor<4096x512x2xf32>, tensor<2x4096x512xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [2, 1024], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = math.absf %x : tensor<4096x512x2xf32>
  %1 = graph.transpose %x permutation = [2, 0, 1] : tensor<4096x512x2xf32> to tensor<2x4096x512xf32>
  %2 = arith.negf %1 : tensor<2x4096x512xf32>
  graph.return %0, %2 : tensor<4096x512x2xf32>, tensor<2x4096x512xf32>
}
