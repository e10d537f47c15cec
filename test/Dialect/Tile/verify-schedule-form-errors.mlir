// Each rule of the schedule stage's contract rejects a kernel that breaks it.
// RUN: tw-opt %s --split-input-file --verify-schedule-form --verify-diagnostics -o /dev/null

// The rules hold: no diagnostic.
#row = #tile.layout<"{shape=[128], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[]}">
!buffer = !tile.shared<1, f32, "{shape=[128], order=[0], inner=[1]}">
tile.kernel @good grid = [1, 1, 1] warps = 1 () attributes {tile.shared_bytes = 512} {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1.0> : tensor<128xf32, #row>
  %1 = tile.alloc offset = 0 : !buffer
  tile.store_shared %0, %1[%c0] : tensor<128xf32, #row>, !buffer
  tile.return
}

// -----

// The rules of the tile form hold here too: tile_form_3.
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{result #0 of type 'tensor<128xf32>' has no layout}}
  %0 = arith.constant dense<0.0> : tensor<128xf32>
  tile.return
}

// -----

// schedule_form_1
#table = #tile.layout<"{shape=[64], register=[[32]], lane=[[1],[2],[4],[8],[16]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %t = arith.constant dense<1.0> : tensor<64xf32, #table>
  %i = arith.constant dense<1> : tensor<64xi32, #table>
  // expected-error@+1 {{takes elements that other threads hold; run tile-expand-takes}}
  %0 = tile.take %t at %i dim = 0 of 64 : tensor<64xf32, #table>, tensor<64xi32, #table> -> tensor<64xf32, #table>
  tile.return
}

// -----

// schedule_form_1
#row = #tile.layout<"{shape=[64,64], register=[[0,1],[0,2],[0,4],[0,8],[0,16]], lane=[[0,32],[1,0],[2,0],[4,0],[8,0]], warp=[[16,0],[32,0]]}">
#column = #tile.layout<"{shape=[64,64], register=[[1,0],[2,0],[4,0],[8,0],[16,0]], lane=[[32,0],[0,1],[0,2],[0,4],[0,8]], warp=[[0,16],[0,32]]}">
tile.kernel @k grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x64xf32, #row>
  // expected-error@+1 {{takes 16384 bytes of shared memory; run tile-expand-conversions}}
  %1 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #column>
  tile.return
}

// -----

// schedule_form_2
tile.kernel @k grid = [1, 1, 1] warps = 1 () attributes {tile.shared_bytes = 512} {
  // expected-error@+1 {{has no offset; run tile-allocate-shared}}
  %0 = tile.alloc : <1, f32, "{shape=[128], order=[0], inner=[1]}">
  tile.return
}

// -----

// schedule_form_2
tile.kernel @k grid = [1, 1, 1] warps = 1 () attributes {tile.shared_bytes = 1024} {
  // expected-error@+1 {{starts at byte 64, not at a multiple of 128}}
  %0 = tile.alloc offset = 64 : <1, f32, "{shape=[128], order=[0], inner=[1]}">
  tile.return
}

// -----

// schedule_form_2
tile.kernel @k grid = [1, 1, 1] warps = 1 () attributes {tile.shared_bytes = 1024} {
  // expected-error@+1 {{ends at byte 1152, the kernel has 1024 bytes of shared memory}}
  %0 = tile.alloc offset = 128 : <2, f32, "{shape=[128], order=[0], inner=[1]}">
  tile.return
}

// -----

// schedule_form_3
#tile = #tile.layout<"{shape=[2,64], register=[[1,0]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[[0,32]]}">
#line = #tile.layout<"{shape=[2,1], register=[[1,0]], lane=[[0,0],[0,0],[0,0],[0,0],[0,0]], warp=[[0,0]]}">
tile.kernel @k grid = [1, 1, 1] warps = 2 () {
  %0 = arith.constant dense<1.0> : tensor<2x64xf32, #tile>
  // expected-error@+1 {{needs 16 bytes of shared memory across warps and has no place; run tile-allocate-shared}}
  %1 = tile.reduce %0 dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<2x64xf32, #tile> to tensor<2x1xf32, #line>
  tile.return
}

// -----

// schedule_form_3
#tile = #tile.layout<"{shape=[2,64], register=[[1,0]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[[0,32]]}">
#line = #tile.layout<"{shape=[2,1], register=[[1,0]], lane=[[0,0],[0,0],[0,0],[0,0],[0,0]], warp=[[0,0]]}">
tile.kernel @k grid = [1, 1, 1] warps = 2 () attributes {tile.shared_bytes = 24} {
  %0 = arith.constant dense<1.0> : tensor<2x64xf32, #tile>
  // expected-error@+1 {{partial results in bytes [16, 32) lie outside the kernel's 24 bytes of shared memory}}
  %1 = tile.reduce %0 dim = 1 scratch = 16 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<2x64xf32, #tile> to tensor<2x1xf32, #line>
  tile.return
}

// -----

// schedule_form_4
// expected-error@+1 {{@k needs 262144 bytes of shared memory, a block can have 232448 (sm_90)}}
tile.kernel @k grid = [1, 1, 1] warps = 1 () attributes {tile.shared_bytes = 262144} {
  tile.return
}

// -----

// schedule_form_5
#c = #tile.layout<"{shape=[16,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}">
#a = #tile.layout<"{shape=[16,16], register=[[0,1],[8,0],[0,8]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}">
#b = #tile.layout<"{shape=[16,8], register=[[1,0],[8,0]], lane=[[2,0],[4,0],[0,1],[0,2],[0,4]], warp=[]}">
!view = !tile.view<bf16, "{offset=0, dims=[{extent=16, modes=[[16,16]]}, {extent=16, modes=[[16,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !view) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !view -> tensor<16x16xbf16, #a>
  %1 = arith.constant dense<1.0> : tensor<16x8xbf16, #b>
  %2 = arith.constant dense<1.0> : tensor<16x8xf32, #c>
  // expected-error@+1 {{operand #0 comes straight from global memory; run tile-stage-products}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<16x16xbf16, #a>, tensor<16x8xbf16, #b> to tensor<16x8xf32, #c>
  tile.return
}

// -----

// schedule_form_5
#c = #tile.layout<"{shape=[16,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}">
#a = #tile.layout<"{shape=[16,16], register=[[0,1],[8,0],[0,8]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x16xf32, #a>
  %1 = arith.constant dense<1.0> : tensor<16x8xf32, #c>
  // expected-error@+1 {{of 'f32' has no matrix instruction; run tile-stage-products}}
  %2 = tile.dot %0, %1, %1 tf32 = false : tensor<16x16xf32, #a>, tensor<16x8xf32, #c> to tensor<16x8xf32, #c>
  tile.return
}

// -----

// schedule_form_6
#row = #tile.layout<"{shape=[128], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[]}">
!view = !tile.view<f32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}">
!buffer = !tile.shared<1, f32, "{shape=[128], order=[0], inner=[1]}">
// expected-error@+1 {{@k starts asynchronous copies and never awaits them}}
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !view) attributes {tile.shared_bytes = 512} {
  %c0 = arith.constant 0 : index
  %0 = tile.alloc offset = 0 : !buffer
  tile.copy_async %x[%c0], %0[%c0] layout = #row divisors = [0] in_bounds = [true] : !view, !buffer
  tile.commit_async
  tile.return
}
