// tile-divide-steps divides one loop of sums: another loop of products, or a carried value that is no sum, is refused.
// RUN: tw-opt %s --split-input-file --pass-pipeline='builtin.module(tile.kernel(tile-divide-steps))' --verify-diagnostics

!a = !tile.view<bf16, "{offset=0, dims=[{extent=192, modes=[[192,512]]}, {extent=512, modes=[[512,1]]}]}">
!b = !tile.view<bf16, "{offset=0, dims=[{extent=512, modes=[[512,64]]}, {extent=64, modes=[[64,1]]}]}">
!o = !tile.view<f32, "{offset=0, dims=[{extent=192, modes=[[192,64]]}, {extent=64, modes=[[64,1]]}]}">
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, stream_k = 2>

tile.kernel @largest grid = [3, 1, 1] warps = 4 (%a: !a, %b: !b, %o: !o) attributes {tile.schedule = #s} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %block = tile.block_id 0
  %row = arith.muli %block, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error@+1 {{carries what is no sum from zero on, and stream_k in the schedule divides it}}
  %most = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %l = tile.load %a[%row, %k] divisors = [64, 64] in_bounds = [true, true] : !a -> tensor<64x64xbf16>
    %r = tile.load %b[%k, %c0] divisors = [64, 0] in_bounds = [true, true] : !b -> tensor<64x64xbf16>
    %d = tile.dot %l, %r, %zero tf32 = false : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
    %m = arith.maximumf %acc, %d : tensor<64x64xf32>
    scf.yield %m : tensor<64x64xf32>
  }
  tile.store %most, %o[%row, %c0] divisors = [64, 0] in_bounds = [true, true] : tensor<64x64xf32>, !o
  tile.return
}

// -----

!a = !tile.view<bf16, "{offset=0, dims=[{extent=192, modes=[[192,512]]}, {extent=512, modes=[[512,1]]}]}">
!b = !tile.view<bf16, "{offset=0, dims=[{extent=512, modes=[[512,64]]}, {extent=64, modes=[[64,1]]}]}">
!o = !tile.view<f32, "{offset=0, dims=[{extent=192, modes=[[192,64]]}, {extent=64, modes=[[64,1]]}]}">
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, stream_k = 2>

// expected-error@+1 {{has stream_k in its schedule, which divides the steps of one loop of products, and more loops than that}}
tile.kernel @two_loops grid = [3, 1, 1] warps = 4 (%a: !a, %b: !b, %o: !o) attributes {tile.schedule = #s} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %block = tile.block_id 0
  %row = arith.muli %block, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %first = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %l = tile.load %a[%row, %k] divisors = [64, 64] in_bounds = [true, true] : !a -> tensor<64x64xbf16>
    %r = tile.load %b[%k, %c0] divisors = [64, 0] in_bounds = [true, true] : !b -> tensor<64x64xbf16>
    %d = tile.dot %l, %r, %acc tf32 = false : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %second = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %first) -> (tensor<64x64xf32>) {
    %l = tile.load %a[%row, %k] divisors = [64, 64] in_bounds = [true, true] : !a -> tensor<64x64xbf16>
    %r = tile.load %b[%k, %c0] divisors = [64, 0] in_bounds = [true, true] : !b -> tensor<64x64xbf16>
    %d = tile.dot %l, %r, %acc tf32 = false : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %second, %o[%row, %c0] divisors = [64, 0] in_bounds = [true, true] : tensor<64x64xf32>, !o
  tile.return
}
