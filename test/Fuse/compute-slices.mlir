// What is read in slices that meet again is computed slice by slice, of inputs; not where the slices go separate ways, something
// else reads the value, or what it is computed of is stored.
// RUN: tw-opt %s --split-input-file --fuse-compute-slices --cse | FileCheck %s

// CHECK-LABEL: func.func @gated
// CHECK-DAG: %[[G:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 2] : tensor<64x256xbf16> to tensor<64x128xbf16>
// CHECK-DAG: %[[WG:.*]] = arith.extf %[[G]]
// CHECK-DAG: %[[U:.*]] = graph.slice %arg0 offsets = [0, 1] strides = [1, 2]
// CHECK-DAG: %[[WU:.*]] = arith.extf %[[U]]
// CHECK: %[[T:.*]] = math.tanh %[[WG]]
// CHECK: arith.mulf %[[T]], %[[WU]]
func.func @gated(%x: tensor<64x256xbf16>) -> tensor<64x128xf32> {
  %0 = arith.extf %x : tensor<64x256xbf16> to tensor<64x256xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 2] : tensor<64x256xf32> to tensor<64x128xf32>
  %2 = graph.slice %0 offsets = [0, 1] strides = [1, 2] : tensor<64x256xf32> to tensor<64x128xf32>
  %3 = math.tanh %1 : tensor<64x128xf32>
  %4 = arith.mulf %3, %2 : tensor<64x128xf32>
  return %4 : tensor<64x128xf32>
}

// -----

// Neighbours; a bias along them is sliced where it is spread.
// CHECK-LABEL: func.func @neighbours
// CHECK: %[[B:.*]] = graph.broadcast %arg1
// CHECK-COUNT-2: math.exp
// CHECK-NOT: math.exp
// CHECK: arith.subf
func.func @neighbours(%x: tensor<64x256xf32>, %b: tensor<256xf32>) -> tensor<64x255xf32> {
  %0 = graph.broadcast %b dims = [1] : tensor<256xf32> to tensor<64x256xf32>
  %1 = arith.addf %x, %0 : tensor<64x256xf32>
  %2 = math.exp %1 : tensor<64x256xf32>
  %3 = graph.slice %2 offsets = [0, 1] strides = [1, 1] : tensor<64x256xf32> to tensor<64x255xf32>
  %4 = graph.slice %2 offsets = [0, 0] strides = [1, 1] : tensor<64x256xf32> to tensor<64x255xf32>
  %5 = arith.subf %3, %4 : tensor<64x255xf32>
  return %5 : tensor<64x255xf32>
}

// -----

// CHECK-LABEL: func.func @separate_ways
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
func.func @separate_ways(%x: tensor<64x256xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %0 = math.exp %x : tensor<64x256xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<64x256xf32> to tensor<64x128xf32>
  %2 = graph.slice %0 offsets = [0, 128] strides = [1, 1] : tensor<64x256xf32> to tensor<64x128xf32>
  %3 = math.absf %2 : tensor<64x128xf32>
  return %1, %3 : tensor<64x128xf32>, tensor<64x128xf32>
}

// -----

// CHECK-LABEL: func.func @read_whole
// CHECK: %[[E:.*]] = math.exp %arg0
// CHECK: graph.slice %[[E]]
func.func @read_whole(%x: tensor<64x256xf32>) -> (tensor<64x128xf32>, tensor<64x256xf32>) {
  %0 = math.exp %x : tensor<64x256xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 2] : tensor<64x256xf32> to tensor<64x128xf32>
  %2 = graph.slice %0 offsets = [0, 1] strides = [1, 2] : tensor<64x256xf32> to tensor<64x128xf32>
  %3 = arith.mulf %1, %2 : tensor<64x128xf32>
  return %3, %0 : tensor<64x128xf32>, tensor<64x256xf32>
}

// -----

// A sum of rows is stored by another kernel, whatever is done with it.
// CHECK-LABEL: func.func @of_what_is_stored
// CHECK: %[[E:.*]] = math.exp %{{.*}} : tensor<64x256xf32>
// CHECK: graph.slice %[[E]]
func.func @of_what_is_stored(%x: tensor<64x9x256xf32>) -> tensor<64x128xf32> {
  %s = graph.reduce sum %x dims = [1] : tensor<64x9x256xf32> to tensor<64x256xf32>
  %0 = math.exp %s : tensor<64x256xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 2] : tensor<64x256xf32> to tensor<64x128xf32>
  %2 = graph.slice %0 offsets = [0, 1] strides = [1, 2] : tensor<64x256xf32> to tensor<64x128xf32>
  %3 = arith.mulf %1, %2 : tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// -----

// A power of each element, for each of two slices that overlap, is more than it takes to store it.
// CHECK-LABEL: func.func @dear
// CHECK: math.powf %{{.*}} : tensor<64x256xf32>
// CHECK-NOT: math.powf {{.*}} tensor<64x255xf32>
func.func @dear(%x: tensor<64x256xf32>, %y: tensor<64x256xf32>) -> tensor<64x255xf32> {
  %2 = math.powf %x, %y : tensor<64x256xf32>
  %3 = graph.slice %2 offsets = [0, 1] strides = [1, 1] : tensor<64x256xf32> to tensor<64x255xf32>
  %4 = graph.slice %2 offsets = [0, 0] strides = [1, 1] : tensor<64x256xf32> to tensor<64x255xf32>
  %5 = arith.subf %3, %4 : tensor<64x255xf32>
  return %5 : tensor<64x255xf32>
}
