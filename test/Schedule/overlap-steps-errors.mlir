// Kernels that have no product to run beside that of the step before.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(tile-assign-layouts,tile-async-products,canonicalize,tile-specialise-roles,canonicalize,tile-overlap-steps))' --split-input-file --verify-diagnostics

// expected-error@+1 {{the schedule has overlap_steps, which lets one of a chain's products run beside the other one of the step before}}
graph.kernel anchor(matmul) @product(%a: tensor<64x256xbf16>, %b: tensor<256x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, overlap_steps>} {
  %0 = graph.matmul %a, %b : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{overlap_steps has a step's product run beside the one of the step before, for which a role loads: it needs product = wgmma and roles, and no defer_stores}}
#no_roles = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, overlap_steps>

// -----

// expected-error@+1 {{it needs product = wgmma and roles, and no defer_stores}}
#single_warps = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, overlap_steps>

// -----

// expected-error@+1 {{it needs product = wgmma and roles, and no defer_stores}}
#deferred = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, persistent = 2, store = bulk, defer_stores, overlap_steps>

// -----

!a = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,256]]}, {extent=256, modes=[[256,1]]}]}">
!b = !tile.view<bf16, "{offset=0, dims=[{extent=256, modes=[[256,64]]}, {extent=64, modes=[[64,1]]}]}">
!c = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
tile.kernel @product grid = [1, 1, 1] warps = 4 (%a: !a, %b: !b, %c: !c) attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, overlap_steps>} {
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has no product that could run beside the step before: it has not two products, each of which ends in its step}}
  %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sums = %cst) -> (tensor<64x64xf32>) {
    %1 = tile.load %a[%c0, %k] divisors = [0, 64] in_bounds = [true, true] : <bf16, "{offset=0, dims=[{extent=64, modes=[[64,256]]}, {extent=256, modes=[[256,1]]}]}"> -> tensor<64x64xbf16>
    %2 = tile.load %b[%k, %c0] divisors = [64, 0] in_bounds = [true, true] : <bf16, "{offset=0, dims=[{extent=256, modes=[[256,64]]}, {extent=64, modes=[[64,1]]}]}"> -> tensor<64x64xbf16>
    %3 = tile.dot %1, %2, %sums tf32 = false : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
    scf.yield %3 : tensor<64x64xf32>
  }
  tile.store %0, %c[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<64x64xf32>, <f32, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
  tile.return
}

// -----

// The sums are read in the step that they are computed in.
tile.kernel @chain grid = [2, 1, 1] warps = 4 (%arg0: !tile.view<bf16, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">, %arg1: !tile.view<bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=64, modes=[[64,256]]}, {extent=256, modes=[[256,1]]}]}">, %arg2: !tile.view<bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=256, modes=[[256,64]]}, {extent=64, modes=[[64,1]]}]}">, %arg3: !tile.view<f32, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">) attributes {tile.chosen = {by = "program"}, tile.contract = #tile.contract<uses = wgmma>, tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, overlap_steps>} {
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %cst = arith.constant dense<0.000000e+00> : tensor<1x64x64xf32>
  %c0 = arith.constant 0 : index
  %0 = tile.block_id 0
  %1 = tile.load %arg0[%0, %c0, %c0] divisors = [1, 0, 0] in_bounds = [true, true, true] : <bf16, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}"> -> tensor<1x64x64xbf16>
  // expected-error@+1 {{has no product that could run beside the step before: its second product adds up to nothing that the loop carries}}
  %2 = scf.for %arg4 = %c0 to %c256 step %c64 iter_args(%arg5 = %cst) -> (tensor<1x64x64xf32>) {
    %3 = tile.load %arg1[%0, %c0, %arg4] divisors = [1, 0, 64] in_bounds = [true, true, true] : <bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=64, modes=[[64,256]]}, {extent=256, modes=[[256,1]]}]}"> -> tensor<1x64x64xbf16>
    %4 = tile.dot %1, %3, %cst tf32 = false : tensor<1x64x64xbf16>, tensor<1x64x64xbf16> to tensor<1x64x64xf32>
    %5 = math.tanh %4 : tensor<1x64x64xf32>
    %6 = arith.truncf %5 : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
    %7 = tile.load %arg2[%0, %arg4, %c0] divisors = [1, 64, 0] in_bounds = [true, true, true] : <bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=256, modes=[[256,64]]}, {extent=64, modes=[[64,1]]}]}"> -> tensor<1x64x64xbf16>
    %8 = tile.dot %6, %7, %arg5 tf32 = false : tensor<1x64x64xbf16>, tensor<1x64x64xbf16> to tensor<1x64x64xf32>
    %9 = arith.addf %8, %arg5 : tensor<1x64x64xf32>
    scf.yield %9 : tensor<1x64x64xf32>
  }
  tile.store %2, %arg3[%0, %c0, %c0] divisors = [1, 0, 0] in_bounds = [true, true, true] : tensor<1x64x64xf32>, <f32, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
  tile.return
}
