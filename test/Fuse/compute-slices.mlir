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
// CHECK: graph.slice %arg0
// CHECK: graph.slice %arg1 {{.*}} : tensor<256xf32> to tensor<255xf32>
// CHECK: math.exp
// CHECK: graph.slice %arg0
// CHECK: graph.slice %arg1 {{.*}} : tensor<256xf32> to tensor<255xf32>
// CHECK: math.exp
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

// -----

// Heads of a packed product, whose halves a rotation mixes: what is widened is moved and sliced before.
// CHECK-LABEL: func.func @moved_between
// CHECK-NOT: arith.extf %arg0
// CHECK: graph.slice %arg0 offsets = [0, 0]
// CHECK: graph.reshape
// CHECK: graph.transpose %{{.*}} permutation = [1, 0, 2] : tensor<16x4x32xbf16> to tensor<4x16x32xbf16>
// CHECK: graph.slice %{{.*}} offsets = [0, 0, {{0|16}}] strides = [1, 1, 1] : tensor<4x16x32xbf16> to tensor<4x16x16xbf16>
// CHECK: arith.extf %{{.*}} : tensor<4x16x16xbf16> to tensor<4x16x16xf32>
func.func @moved_between(%x: tensor<16x384xbf16>) -> tensor<4x16x16xf32> {
  %0 = arith.extf %x : tensor<16x384xbf16> to tensor<16x384xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<16x384xf32> to tensor<16x128xf32>
  %2 = graph.reshape %1 : tensor<16x128xf32> to tensor<16x4x32xf32>
  %3 = graph.transpose %2 permutation = [1, 0, 2] : tensor<16x4x32xf32> to tensor<4x16x32xf32>
  %4 = graph.slice %3 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<4x16x32xf32> to tensor<4x16x16xf32>
  %5 = graph.slice %3 offsets = [0, 0, 16] strides = [1, 1, 1] : tensor<4x16x32xf32> to tensor<4x16x16xf32>
  %6 = arith.subf %4, %5 : tensor<4x16x16xf32>
  return %6 : tensor<4x16x16xf32>
}

// -----

// A rotation along two dimensions.
// CHECK-LABEL: func.func @rotated_twice
// CHECK-DAG: %[[LATE:.*]] = graph.slice %arg0 offsets = [3, 0] strides = [1, 1] : tensor<16x24xf32> to tensor<13x24xf32>
// CHECK-DAG: %[[EARLY:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 1] : tensor<16x24xf32> to tensor<3x24xf32>
// CHECK-DAG: %[[A:.*]] = graph.slice %[[LATE]] offsets = [0, 2] strides = [1, 1] : tensor<13x24xf32> to tensor<13x22xf32>
// CHECK-DAG: %[[B:.*]] = graph.slice %[[EARLY]] offsets = [0, 2] strides = [1, 1] : tensor<3x24xf32> to tensor<3x22xf32>
// CHECK-DAG: %[[AB:.*]] = graph.concat %[[A]], %[[B]] dim = 0
// CHECK-DAG: %[[CD:.*]] = graph.concat %{{.*}}, %{{.*}} dim = 0 : tensor<13x2xf32>, tensor<3x2xf32>
// CHECK: graph.concat %[[AB]], %[[CD]] dim = 1
func.func @rotated_twice(%x: tensor<16x24xf32>) -> tensor<16x24xf32> {
  %a = graph.slice %x offsets = [3, 0] strides = [1, 1] : tensor<16x24xf32> to tensor<13x24xf32>
  %b = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<16x24xf32> to tensor<3x24xf32>
  %c = graph.concat %a, %b dim = 0 : tensor<13x24xf32>, tensor<3x24xf32> to tensor<16x24xf32>
  %d = graph.slice %c offsets = [0, 2] strides = [1, 1] : tensor<16x24xf32> to tensor<16x22xf32>
  %e = graph.slice %c offsets = [0, 0] strides = [1, 1] : tensor<16x24xf32> to tensor<16x2xf32>
  %f = graph.concat %d, %e dim = 1 : tensor<16x22xf32>, tensor<16x2xf32> to tensor<16x24xf32>
  return %f : tensor<16x24xf32>
}

// -----

// Every third element of three parts: of each the elements that are its own.
// CHECK-LABEL: func.func @across_parts
// CHECK-DAG: graph.slice %arg0 offsets = [1] strides = [3] : tensor<8xf32> to tensor<3xf32>
// CHECK-DAG: graph.slice %arg1 offsets = [2] strides = [3] : tensor<5xf32> to tensor<1xf32>
// CHECK-DAG: graph.slice %arg2 offsets = [0] strides = [3] : tensor<9xf32> to tensor<2xf32>
// CHECK-NOT: tensor<22xf32>
func.func @across_parts(%x: tensor<8xf32>, %y: tensor<5xf32>, %z: tensor<9xf32>) -> tensor<6xf32> {
  %a = graph.concat %x, %y, %z dim = 0 : tensor<8xf32>, tensor<5xf32>, tensor<9xf32> to tensor<22xf32>
  %b = graph.slice %a offsets = [1] strides = [3] : tensor<22xf32> to tensor<6xf32>
  %c = graph.slice %a offsets = [0] strides = [1] : tensor<22xf32> to tensor<6xf32>
  %d = arith.subf %b, %c : tensor<6xf32>
  return %d : tensor<6xf32>
}

// -----

// Each slice has the padding that it reaches: three rows, one, none. The padding is a number of the narrow type.
// CHECK-LABEL: func.func @padded
// CHECK-DAG: %[[A:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 1] : tensor<16x24xbf16> to tensor<13x24xbf16>
// CHECK-DAG: %[[PA:.*]] = graph.pad %[[A]] low = [3, 0] high = [0, 0] value = 1.500000e+00 : bf16 : tensor<13x24xbf16> to tensor<16x24xbf16>
// CHECK-DAG: %[[B:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 1] : tensor<16x24xbf16> to tensor<15x24xbf16>
// CHECK-DAG: %[[PB:.*]] = graph.pad %[[B]] low = [1, 0] high = [0, 0] value = 1.500000e+00 : bf16
// CHECK-DAG: arith.extf %[[PA]]
// CHECK-DAG: arith.extf %[[PB]]
// CHECK-DAG: arith.extf %{{.*}} : tensor<16x24xbf16> to tensor<16x24xf32>
// CHECK-NOT: tensor<19x24
func.func @padded(%x: tensor<16x24xbf16>) -> tensor<16x24xf32> {
  %0 = arith.extf %x : tensor<16x24xbf16> to tensor<16x24xf32>
  %1 = graph.pad %0 low = [3, 0] high = [0, 0] value = 1.5 : f32 : tensor<16x24xf32> to tensor<19x24xf32>
  %2 = graph.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<19x24xf32> to tensor<16x24xf32>
  %3 = graph.slice %1 offsets = [2, 0] strides = [1, 1] : tensor<19x24xf32> to tensor<16x24xf32>
  %4 = graph.slice %1 offsets = [3, 0] strides = [1, 1] : tensor<19x24xf32> to tensor<16x24xf32>
  %5 = arith.addf %2, %3 : tensor<16x24xf32>
  %6 = arith.mulf %5, %4 : tensor<16x24xf32>
  return %6 : tensor<16x24xf32>
}

// -----

// 0.1 is no number of bf16, and a slice of padding alone is left.
// CHECK-LABEL: func.func @left_padded
// CHECK: graph.pad
// CHECK: graph.slice {{.*}} : tensor<19x24xf32> to tensor<16x24xf32>
func.func @left_padded(%x: tensor<16x24xbf16>) -> tensor<16x24xf32> {
  %0 = arith.extf %x : tensor<16x24xbf16> to tensor<16x24xf32>
  %1 = graph.pad %0 low = [3, 0] high = [0, 0] value = 0.1 : f32 : tensor<16x24xf32> to tensor<19x24xf32>
  %2 = graph.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<19x24xf32> to tensor<16x24xf32>
  %3 = graph.slice %1 offsets = [2, 0] strides = [1, 1] : tensor<19x24xf32> to tensor<16x24xf32>
  %4 = arith.addf %2, %3 : tensor<16x24xf32>
  return %4 : tensor<16x24xf32>
}

// -----

// A norm whose halves change places, beside it: the sums of rows are spread over both halves, the scale's halves over theirs.
// CHECK-LABEL: func.func @rotated_norm
// CHECK: %[[R:.*]] = math.rsqrt
// CHECK: %[[NORM:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<64x128xf32>
// CHECK-DAG: %[[A:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
// CHECK-DAG: %[[B:.*]] = graph.slice %arg0 offsets = [0, 64] strides = [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
// CHECK-DAG: graph.broadcast %[[R]] dims = [0] : tensor<64xf32> to tensor<64x64xf32>
// CHECK-DAG: arith.mulf %[[A]]
// CHECK-DAG: arith.mulf %[[B]]
// CHECK: graph.concat
// CHECK: arith.addf %[[NORM]]
func.func @rotated_norm(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = arith.mulf %x, %x : tensor<64x128xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<64x128xf32> to tensor<64xf32>
  %2 = math.rsqrt %1 : tensor<64xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<64xf32> to tensor<64x128xf32>
  %4 = arith.mulf %x, %3 : tensor<64x128xf32>
  %5 = graph.slice %4 offsets = [0, 0] strides = [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
  %6 = graph.slice %4 offsets = [0, 64] strides = [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
  %7 = arith.negf %6 : tensor<64x64xf32>
  %8 = graph.concat %7, %5 dim = 1 : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x128xf32>
  %9 = arith.addf %4, %8 : tensor<64x128xf32>
  return %9 : tensor<64x128xf32>
}

// -----

// What is widened is read in other parts as well: these keep it, and the halves are widened for themselves.
// CHECK-LABEL: func.func @part_of_a_packed_tensor
// CHECK: %[[ALL:.*]] = arith.extf %arg0
// CHECK-DAG: %[[Q:.*]] = graph.slice %arg0 offsets = [0, 0] strides = [1, 1] : tensor<16x384xbf16> to tensor<16x128xbf16>
// CHECK-DAG: graph.slice %[[Q]] offsets = [0, 0]
// CHECK-DAG: graph.slice %[[Q]] offsets = [0, 64]
// CHECK-DAG: graph.slice %[[ALL]] offsets = [0, 128]
func.func @part_of_a_packed_tensor(%x: tensor<16x384xbf16>) -> (tensor<16x64xf32>, tensor<16x256xf32>) {
  %0 = arith.extf %x : tensor<16x384xbf16> to tensor<16x384xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<16x384xf32> to tensor<16x128xf32>
  %2 = graph.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
  %3 = graph.slice %1 offsets = [0, 64] strides = [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
  %4 = arith.subf %2, %3 : tensor<16x64xf32>
  %5 = graph.slice %0 offsets = [0, 128] strides = [1, 1] : tensor<16x384xf32> to tensor<16x256xf32>
  return %4, %5 : tensor<16x64xf32>, tensor<16x256xf32>
}
