// Each rule of the tile stage's contract rejects a kernel that breaks it.
// RUN: tw-opt %s --split-input-file --verify-tile-form --verify-diagnostics -o /dev/null

// The rules hold: no diagnostic.
#row = #tile.layout<"{shape=[128], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[]}">
tile.kernel @good grid = [1, 1, 1] warps = 1 (%x: !tile.view<f32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !tile.view<f32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}"> -> tensor<128xf32, #row>
  %1 = math.exp %0 : tensor<128xf32, #row>
  tile.store %1, %x[%c0] divisors = [0] in_bounds = [true] : tensor<128xf32, #row>, !tile.view<f32, "{offset=0, dims=[{extent=128, modes=[[128,1]]}]}">
  tile.return
}

// -----

// tile_form_1
// expected-error@+1 {{'graph.kernel' op has no place beside tile kernels and programs}}
graph.kernel anchor(elementwise) @k(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}

// -----

// tile_form_2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{'graph.iota' op has no place in a kernel: only arith, math, scf.for, scf.if and tile ops do}}
  %0 = graph.iota dim = 0 : tensor<8xi32>
  tile.return
}

// -----

// tile_form_2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{'tile.barrier' op has no place in the tile form: shared memory comes with the schedule stage}}
  tile.barrier
  tile.return
}

// -----

// tile_form_3
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{result #0 of type 'tensor<128xf32>' has no layout}}
  %0 = arith.constant dense<0.0> : tensor<128xf32>
  tile.return
}

// -----

// tile_form_3
#row = #tile.layout<"{shape=[128], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 4 () {
  // expected-error@+1 {{result #0 lies on 1 warps of 32 lanes, the kernel has 4 warps of 32}}
  %0 = arith.constant dense<0.0> : tensor<128xf32, #row>
  tile.return
}

// -----

// tile_form_4
#row = #tile.layout<"{shape=[2], register=[], lane=[[1],[0],[0],[0],[0]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{holds 2 values, a constant tile has one}}
  %0 = arith.constant dense<[1, 2]> : tensor<2xi32, #row>
  tile.return
}

// -----

// tile_form_5
#row = #tile.layout<"{shape=[64], register=[[1]], lane=[[2],[4],[8],[16],[32]], warp=[]}">
#other = #tile.layout<"{shape=[64], register=[[32]], lane=[[1],[2],[4],[8],[16]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<64xf32, #row>
  %1 = arith.constant dense<2> : tensor<64xi32, #other>
  // expected-error@+1 {{operand #1 has another layout than the result}}
  %2 = math.fpowi %0, %1 : tensor<64xf32, #row>, tensor<64xi32, #other>
  tile.return
}

// -----

// tile_form_6
#tile = #tile.layout<"{shape=[2,32], register=[[1,0]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[]}">
#other = #tile.layout<"{shape=[2,1], register=[], lane=[[1,0],[0,0],[0,0],[0,0],[0,0]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x32xf32, #tile>
  // expected-error@+1 {{result #0 does not lie in the projection of the operand's layout along dimension 1}}
  %1 = tile.reduce %0 dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<2x32xf32, #tile> to tensor<2x1xf32, #other>
  tile.return
}

// -----

// tile_form_6
#tile = #tile.layout<"{shape=[2,32], register=[[1,0]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[]}">
#other = #tile.layout<"{shape=[2,1], register=[], lane=[[1,0],[0,0],[0,0],[0,0],[0,0]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x1xf32, #other>
  // expected-error@+1 {{the operand lies in no projection of the result's layout}}
  %1 = tile.broadcast %0 : tensor<2x1xf32, #other> to tensor<2x32xf32, #tile>
  tile.return
}

// -----

// tile_form_6
#tile = #tile.layout<"{shape=[2,32], register=[[1,0]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[]}">
#other = #tile.layout<"{shape=[2,1], register=[], lane=[[1,0],[0,0],[0,0],[0,0],[0,0]], warp=[]}">
!table = !tile.view<f32, "{offset=0, dims=[{extent=2, modes=[[2,0]]}, {extent=32, modes=[[32,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%t: !table) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1> : tensor<2x1xi32, #other>
  // expected-error@+1 {{the offsets lie in no projection of the result's layout}}
  %1 = tile.gather %t[%c0, %c0] plus %0 times 32 of 10 divisors = [0, 0] in_bounds = [true, true] : !table, tensor<2x1xi32, #other> -> tensor<2x32xf32, #tile>
  tile.return
}

// -----

// tile_form_7
#a = #tile.layout<"{shape=[16,16], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[1,0],[2,0],[4,0],[8,0]], warp=[]}">
#c = #tile.layout<"{shape=[16,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}">
#b = #tile.layout<"{shape=[16,8], register=[[1,0],[8,0]], lane=[[2,0],[4,0],[0,1],[0,2],[0,4]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x16xbf16, #a>
  %1 = arith.constant dense<1.0> : tensor<16x8xbf16, #b>
  %2 = arith.constant dense<1.0> : tensor<16x8xf32, #c>
  // expected-error@+1 {{operands and accumulator are no fragments of one arrangement of 1 warps}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<16x16xbf16, #a>, tensor<16x8xbf16, #b> to tensor<16x8xf32, #c>
  tile.return
}

// -----

// tile_form_8
#half = #tile.layout<"{shape=[64], register=[], lane=[[1],[2],[4],[8],[16]], warp=[]}">
#row = #tile.layout<"{shape=[64], register=[[32]], lane=[[1],[2],[4],[8],[16]], warp=[]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<64xf32, #half>
  // expected-error@+1 {{has no conversion plan from {shape=[64], register=[], lane=[[1],[2],[4],[8],[16]], warp=[]}}}
  %1 = tile.convert_layout %0 : tensor<64xf32, #half> to tensor<64xf32, #row>
  tile.return
}
