// What convert-tile-to-llvm refuses, with the pass that was not run.
// RUN: tw-opt %s --split-input-file --convert-tile-to-llvm --verify-diagnostics -o /dev/null

#row = #tile.layout<"{shape=[64,64], register=[[0,1],[0,2],[0,4],[0,8],[0,16]], lane=[[0,32],[1,0],[2,0],[4,0],[8,0]], warp=[[16,0],[32,0]]}">
#column = #tile.layout<"{shape=[64,64], register=[[1,0],[2,0],[4,0],[8,0],[16,0]], lane=[[32,0],[0,1],[0,2],[0,4],[0,8]], warp=[[0,16],[0,32]]}">
tile.kernel @conversion grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x64xf32, #row>
  // expected-error@+2 {{goes through shared memory; run tile-expand-conversions}}
  // expected-error@+1 {{failed to legalize operation 'tile.convert_layout'}}
  %1 = tile.convert_layout %0 : tensor<64x64xf32, #row> to tensor<64x64xf32, #column>
  tile.return
}

// -----

tile.kernel @buffer grid = [1, 1, 1] warps = 1 () attributes {tile.shared_bytes = 512} {
  // expected-error@+2 {{has no offset; run tile-allocate-shared}}
  // expected-error@+1 {{failed to legalize operation 'tile.alloc'}}
  %0 = tile.alloc : <1, f32, "{shape=[128], order=[0], inner=[1]}">
  tile.return
}

// -----

#wide = #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">
#all = #tile.layout<"{shape=[1], register=[], lane=[[0],[0],[0],[0],[0]], warp=[[0],[0]]}">
tile.kernel @scratch grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<128xf32, #wide>
  // expected-error@+2 {{reduces across warps but has no place in shared memory; run tile-allocate-shared}}
  // expected-error@+1 {{failed to legalize operation 'tile.reduce'}}
  %1 = tile.reduce %0 dim = 0 {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.addf %a, %b : f32
    tile.yield %2 : f32
  } : tensor<128xf32, #wide> to tensor<1xf32, #all>
  tile.return
}

// -----

tile.kernel @product grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x16xf32, #tile.layout<"{shape=[16,16], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[1,0],[2,0],[4,0],[8,0]], warp=[]}">>
  // expected-error@+2 {{products of 'f32' have no matrix instruction; run tile-stage-products}}
  // expected-error@+1 {{failed to legalize operation 'tile.dot'}}
  %1 = tile.dot %0, %0, %0 tf32 = false : tensor<16x16xf32, #tile.layout<"{shape=[16,16], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[1,0],[2,0],[4,0],[8,0]], warp=[]}">>, tensor<16x16xf32, #tile.layout<"{shape=[16,16], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[1,0],[2,0],[4,0],[8,0]], warp=[]}">> to tensor<16x16xf32, #tile.layout<"{shape=[16,16], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[1,0],[2,0],[4,0],[8,0]], warp=[]}">>
  tile.return
}
