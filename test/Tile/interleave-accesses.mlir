// tile-interleave-accesses: loads of every second or fourth element that have all of them together are one, and so are stores; what
// misses an element, begins anywhere, is too small for the threads, or is stored to in between stays apart.
// RUN: tw-opt %s --split-input-file --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,tile-interleave-accesses,canonicalize,tile-assign-layouts))' | FileCheck %s

// Each thread has four pairs side by side: 16 bytes of them.
// CHECK-LABEL: tile.kernel @pairs
// CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<2048xbf16, #tile.layout<"{shape={{\[2048\], register=\[\[1\],\[2\],\[4\]}}
// CHECK-NEXT: %[[EVEN:.*]], %[[ODD:.*]] = tile.deinterleave %[[X]] dim = 0 : {{.*}} to tensor<1024xbf16, #tile.layout<"{shape={{\[1024\], register=\[\[1\],\[2\]}}
// CHECK-NOT: tile.convert_layout
// CHECK: arith.negf %[[ODD]]
// CHECK: %[[TURNED:.*]] = tile.interleave %{{.*}}, %[[EVEN]] dim = 0
// CHECK: tile.store %[[TURNED]], %{{.*}}[%{{.*}}] divisors = [2048]
// CHECK-NOT: tile.store
graph.kernel anchor(elementwise) @pairs(%x: tensor<64x128xbf16>) -> tensor<64x64x2xbf16>
    attributes {tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 4, warp_grid = [4], stages = 1>} {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 2] : tensor<64x128xbf16> to tensor<64x64xbf16>
  %1 = graph.slice %x offsets = [0, 1] strides = [1, 2] : tensor<64x128xbf16> to tensor<64x64xbf16>
  %2 = arith.negf %1 : tensor<64x64xbf16>
  %3 = graph.reshape %2 : tensor<64x64xbf16> to tensor<64x64x1xbf16>
  %4 = graph.reshape %0 : tensor<64x64xbf16> to tensor<64x64x1xbf16>
  %5 = graph.concat %3, %4 dim = 2 : tensor<64x64x1xbf16>, tensor<64x64x1xbf16> to tensor<64x64x2xbf16>
  graph.return %5 : tensor<64x64x2xbf16>
}

// -----

// CHECK-LABEL: tile.kernel @four
// CHECK-COUNT-1: tile.load
// CHECK-COUNT-3: tile.deinterleave
// CHECK-NOT: tile.load
// CHECK: tile.store
graph.kernel anchor(elementwise) @four(%x: tensor<64x256xf32>) -> tensor<64x64xf32> {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %1 = graph.slice %x offsets = [0, 1] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %2 = graph.slice %x offsets = [0, 2] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %3 = graph.slice %x offsets = [0, 3] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %4 = arith.subf %0, %1 : tensor<64x64xf32>
  %5 = arith.subf %2, %3 : tensor<64x64xf32>
  %6 = arith.mulf %4, %5 : tensor<64x64xf32>
  graph.return %6 : tensor<64x64xf32>
}

// -----

// The third of four is missing.
// CHECK-LABEL: tile.kernel @three_of_four
// CHECK-NOT: tile.deinterleave
graph.kernel anchor(elementwise) @three_of_four(%x: tensor<64x256xf32>) -> tensor<64x64xf32> {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %1 = graph.slice %x offsets = [0, 1] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %3 = graph.slice %x offsets = [0, 3] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %4 = arith.subf %0, %1 : tensor<64x64xf32>
  %6 = arith.mulf %4, %3 : tensor<64x64xf32>
  graph.return %6 : tensor<64x64xf32>
}

// -----

// Rows of 127 elements begin anywhere.
// CHECK-LABEL: tile.kernel @anywhere
// CHECK-NOT: tile.deinterleave
graph.kernel anchor(elementwise) @anywhere(%x: tensor<64x127xf32>) -> tensor<64x63xf32> {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 2] : tensor<64x127xf32> to tensor<64x63xf32>
  %1 = graph.slice %x offsets = [0, 1] strides = [1, 2] : tensor<64x127xf32> to tensor<64x63xf32>
  %2 = arith.subf %0, %1 : tensor<64x63xf32>
  graph.return %2 : tensor<64x63xf32>
}

// -----

// A warp has more lanes than there are pairs.
// CHECK-LABEL: tile.kernel @few
// CHECK-NOT: tile.deinterleave
graph.kernel anchor(elementwise) @few(%x: tensor<16xf32>) -> tensor<8xf32>
    attributes {tile.schedule = #tile.schedule<tile = [8], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = graph.slice %x offsets = [0] strides = [2] : tensor<16xf32> to tensor<8xf32>
  %1 = graph.slice %x offsets = [1] strides = [2] : tensor<16xf32> to tensor<8xf32>
  %2 = arith.subf %0, %1 : tensor<8xf32>
  graph.return %2 : tensor<8xf32>
}

// -----

// CHECK-LABEL: tile.kernel @stored_between
// CHECK-NOT: tile.deinterleave
// CHECK: tile.return
tile.kernel @stored_between grid = [1, 1, 1] warps = 1 (%x: !tile.view<f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %even = tile.view %x : <f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}"> to <f32, "{offset=0, dims=[{extent=128, modes=[[128,2]]}]}">
  %odd = tile.view %x : <f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}"> to <f32, "{offset=1, dims=[{extent=128, modes=[[128,2]]}]}">
  %0 = tile.load %even[%c0] divisors = [0] in_bounds = [true] : <f32, "{offset=0, dims=[{extent=128, modes=[[128,2]]}]}"> -> tensor<128xf32>
  tile.store %0, %odd[%c0] divisors = [0] in_bounds = [true] : tensor<128xf32>, <f32, "{offset=1, dims=[{extent=128, modes=[[128,2]]}]}">
  %1 = tile.load %odd[%c0] divisors = [0] in_bounds = [true] : <f32, "{offset=1, dims=[{extent=128, modes=[[128,2]]}]}"> -> tensor<128xf32>
  tile.store %1, %even[%c0] divisors = [0] in_bounds = [true] : tensor<128xf32>, <f32, "{offset=0, dims=[{extent=128, modes=[[128,2]]}]}">
  tile.return
}

// -----

// Groups of four in turn: eight elements of 16 bits are stored at a time, not four of each by itself.
// CHECK-LABEL: tile.kernel @groups
// CHECK: %[[BOTH:.*]] = tile.interleave %[[A:.*]], %{{.*}} dim = 1 by = 4
// CHECK-SAME: to tensor<{{.*}}, #tile.layout<"{shape={{\[[0-9]+,[0-9]+\], register=\[\[0,1\],\[0,2\],\[0,4\]}}
// CHECK: tile.store %[[BOTH]]
// CHECK-NOT: tile.store %[[A]]
graph.kernel anchor(reduction) @groups(%x: tensor<512x256xbf16>) -> (tensor<512x64x8xbf16>, tensor<256xf32>) {
  %0 = arith.extf %x : tensor<512x256xbf16> to tensor<512x256xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<512x256xf32> to tensor<256xf32>
  %2 = arith.negf %x : tensor<512x256xbf16>
  %3 = graph.reshape %x : tensor<512x256xbf16> to tensor<512x64x4xbf16>
  %4 = graph.reshape %2 : tensor<512x256xbf16> to tensor<512x64x4xbf16>
  %5 = graph.concat %3, %4 dim = 2 : tensor<512x64x4xbf16>, tensor<512x64x4xbf16> to tensor<512x64x8xbf16>
  graph.return %5, %1 : tensor<512x64x8xbf16>, tensor<256xf32>
}

// -----

// Two groups of two that are read, and turned.
// CHECK-LABEL: tile.kernel @read
// CHECK: %[[X:.*]] = tile.load
// CHECK-NEXT: %[[EVEN:.*]], %[[ODD:.*]] = tile.deinterleave %[[X]] dim = 0 by = 2
// CHECK-NOT: tile.load
// CHECK: tile.store
tile.kernel @read grid = [1, 1, 1] warps = 1 (%x: !tile.view<f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}">, %y: !tile.view<f32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %even = tile.view %x : <f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}"> to <f32, "{offset=0, dims=[{extent=128, modes=[[64,4],[2,1]]}]}">
  %odd = tile.view %x : <f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}"> to <f32, "{offset=2, dims=[{extent=128, modes=[[64,4],[2,1]]}]}">
  %0 = tile.load %even[%c0] divisors = [0] in_bounds = [true] : <f32, "{offset=0, dims=[{extent=128, modes=[[64,4],[2,1]]}]}"> -> tensor<128xf32>
  %1 = tile.load %odd[%c0] divisors = [0] in_bounds = [true] : <f32, "{offset=2, dims=[{extent=128, modes=[[64,4],[2,1]]}]}"> -> tensor<128xf32>
  %2 = arith.subf %0, %1 : tensor<128xf32>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<128xf32>, <f32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}">
  tile.return
}
