// The first product of a step runs beside the second one of the step before: the first step's terms come in front of the loop,
// the last step's product behind it, and terms are rounded where no product in flight reads their registers.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(tile-assign-layouts,tile-async-products,canonicalize,tile-specialise-roles,canonicalize,tile-overlap-steps,canonicalize,cse))' | FileCheck %s
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(tile-assign-layouts,tile-async-products,canonicalize,tile-specialise-roles,canonicalize,tile-overlap-steps,canonicalize,cse))' | tw-opt | FileCheck %s
// RUN: sed 's/, overlap_steps//' %s | tw-opt --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(tile-assign-layouts,tile-async-products,canonicalize,tile-specialise-roles,canonicalize,tile-overlap-steps,canonicalize,cse))' | FileCheck %s --check-prefix=APART
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s --check-prefix=PRINTED

// PRINTED: roles = cooperative, overlap_steps>
// CHECK-LABEL: tile.kernel @chain
// CHECK: tile.role @multiply
// The first step's terms.
// CHECK: tile.wait
// CHECK: tile.wait %[[KEYS:.+]][%c0]
// CHECK: tile.dot_async
// CHECK: tile.await %{{[0-9]+}} :
// CHECK: tile.release %[[KEYS]][%c0]
// CHECK: math.tanh
// CHECK: %[[FIRST:.+]] = arith.truncf
// CHECK: %[[LOOP:.+]]:2 = scf.for %[[K:.+]] = %c64 to %c256 step %c64 iter_args(%[[SUMS:.+]] = %cst, %[[TERMS:.+]] = %[[FIRST]])
// CHECK: %[[NUMBER:.+]] = arith.divui %[[K]], %c64
// CHECK: tile.wait %[[KEYS]][%[[NUMBER]]]
// CHECK: %[[SCORES:.+]] = tile.dot_async
// CHECK: %[[LAST:.+]] = arith.subi %[[K]], %c64
// CHECK: %[[BEFORE:.+]] = arith.divui %[[LAST]], %c64
// CHECK: tile.wait %[[VALUES:.+]][%[[BEFORE]]]
// CHECK: %[[BEGUN:.+]] = tile.begin_dot %[[SUMS]]
// CHECK: %[[RUNNING:.+]] = tile.dot_async %[[TERMS]], %{{.+}}, %[[BEGUN]]
// CHECK: %[[OWN:.+]] = tile.await %[[SCORES]] leaving 1
// CHECK: tile.release %[[KEYS]][%[[NUMBER]]]
// CHECK: %[[MADE:.+]] = math.tanh %[[OWN]]
// CHECK: %[[SUM:.+]] = tile.await %[[RUNNING]] :
// CHECK: tile.release %[[VALUES]][%[[BEFORE]]]
// CHECK: %[[NEXT:.+]] = arith.truncf %[[MADE]]
// CHECK: scf.yield %[[SUM]], %[[NEXT]]
// CHECK: tile.wait %[[VALUES]][%c3]
// CHECK: tile.begin_dot %[[LOOP]]#0
// CHECK: %[[END:.+]] = tile.dot_async %[[LOOP]]#1
// CHECK: tile.await %[[END]] :
// CHECK: tile.release %[[VALUES]][%c3]
// CHECK: tile.store

// APART-LABEL: tile.kernel @chain
// APART: tile.role @multiply
// APART: scf.for %{{.+}} = %c0 to %c256
// APART-NOT: leaving
// APART: tile.role
graph.kernel anchor(matmul) @chain(%q: tensor<2x64x64xbf16>, %k: tensor<2x64x256xbf16>, %v: tensor<2x256x64xbf16>) -> tensor<2x64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, overlap_steps>} {
  %s = graph.matmul %q, %k : tensor<2x64x64xbf16>, tensor<2x64x256xbf16> to tensor<2x64x256xf32>
  %e = math.tanh %s : tensor<2x64x256xf32>
  %t = arith.truncf %e : tensor<2x64x256xf32> to tensor<2x64x256xbf16>
  %o = graph.matmul %t, %v : tensor<2x64x256xbf16>, tensor<2x256x64xbf16> to tensor<2x64x64xf32>
  graph.return %o : tensor<2x64x64xf32>
}

// A maximum, a sum and what scales both sums: carried, and made for the step itself. Sums are scaled behind the end of the product
// before. The first step scales what the loop begins with. Rows whose factor is one are not
// scaled, and the sum, which is made of all terms, is there before the wait.
// CHECK-LABEL: tile.kernel @rescaled
// CHECK: tile.role @multiply
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}, %[[SUMS:.+]] = %{{.+}}, %[[TERMS:.+]] = %{{.+}})
// CHECK: tile.begin_dot %[[SUMS]]
// CHECK: %[[RUNNING:.+]] = tile.dot_async %[[TERMS]]
// CHECK: tile.await %{{.+}} leaving 1
// CHECK: tile.reduce
// CHECK: %[[WHOLE:.+]] = arith.addf {{.*}} : tensor
// CHECK: %[[OTHER:.+]] = arith.cmpf une, %{{.+}} : tensor<1x64x1xf32
// CHECK: %[[SOME:.+]] = tile.any %[[OTHER]]
// CHECK: %[[SUM:.+]] = tile.await %[[RUNNING]] after %[[WHOLE]] :
// CHECK: %[[ROUNDED:.+]] = arith.truncf
// CHECK: %[[SCALED:.+]] = scf.if %[[SOME]]
// CHECK: arith.mulf %[[SUM]]
// CHECK: scf.yield %[[SUM]]
// CHECK: scf.yield %{{.+}}, %[[WHOLE]], %[[SCALED]], %[[ROUNDED]]
graph.kernel anchor(matmul) @rescaled(%q: tensor<3x192x32xbf16>, %kt: tensor<3x32x192xbf16>, %v: tensor<3x192x32xbf16>) -> tensor<3x192x32xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], overlap_steps>} {
  %s = graph.matmul %q, %kt : tensor<3x192x32xbf16>, tensor<3x32x192xbf16> to tensor<3x192x192xf32>
  %m = graph.reduce max %s dims = [2] : tensor<3x192x192xf32> to tensor<3x192xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x192xf32> to tensor<3x192x192xf32>
  %d = arith.subf %s, %mb : tensor<3x192x192xf32>
  %e = math.exp %d : tensor<3x192x192xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x192x192xf32> to tensor<3x192xf32>
  %t = arith.truncf %e : tensor<3x192x192xf32> to tensor<3x192x192xbf16>
  %x = graph.matmul %t, %v : tensor<3x192x192xbf16>, tensor<3x192x32xbf16> to tensor<3x192x32xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x192xf32> to tensor<3x192x32xf32>
  %o = arith.divf %x, %lb : tensor<3x192x32xf32>
  graph.return %o : tensor<3x192x32xf32>
}

// One step: nothing runs beside it.
// CHECK-LABEL: tile.kernel @one_step
// CHECK: tile.role @multiply
// CHECK-NOT: scf.for
// CHECK-NOT: leaving
// CHECK: tile.store
graph.kernel anchor(matmul) @one_step(%q: tensor<2x64x64xbf16>, %k: tensor<2x64x64xbf16>, %v: tensor<2x64x64xbf16>) -> tensor<2x64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, overlap_steps>} {
  %s = graph.matmul %q, %k : tensor<2x64x64xbf16>, tensor<2x64x64xbf16> to tensor<2x64x64xf32>
  %e = math.tanh %s : tensor<2x64x64xf32>
  %t = arith.truncf %e : tensor<2x64x64xf32> to tensor<2x64x64xbf16>
  %o = graph.matmul %t, %v : tensor<2x64x64xbf16>, tensor<2x64x64xbf16> to tensor<2x64x64xf32>
  graph.return %o : tensor<2x64x64xf32>
}

// A loop that may have no step does not run the first one.
// CHECK-LABEL: tile.kernel @maybe_none
// CHECK: tile.role @multiply
// CHECK: %[[TRIPS:.+]] = arith.divui
// CHECK: %[[HAS:.+]] = arith.cmpi
// CHECK: scf.if %[[HAS]]
// CHECK: tile.dot_async
// CHECK: scf.for
// CHECK: leaving 1
// CHECK: tile.dot_async
// CHECK: } else {
// CHECK-NEXT: scf.yield %cst
tile.kernel @maybe_none grid = [2, 1, 1] warps = 4 (%arg0: !tile.view<bf16, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">, %arg1: !tile.view<bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=64, modes=[[64,256]]}, {extent=256, modes=[[256,1]]}]}">, %arg2: !tile.view<bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=256, modes=[[256,64]]}, {extent=64, modes=[[64,1]]}]}">, %arg3: !tile.view<f32, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">) attributes {tile.chosen = {by = "program"}, tile.contract = #tile.contract<uses = wgmma>, tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, overlap_steps>} {
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %cst = arith.constant dense<0.000000e+00> : tensor<1x64x64xf32>
  %c0 = arith.constant 0 : index
  %0 = tile.block_id 0
  %n = arith.muli %0, %c64 : index
  %1 = tile.load %arg0[%0, %c0, %c0] divisors = [1, 0, 0] in_bounds = [true, true, true] : <bf16, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}"> -> tensor<1x64x64xbf16>
  %2 = scf.for %arg4 = %c0 to %n step %c64 iter_args(%arg5 = %cst) -> (tensor<1x64x64xf32>) {
    %3 = tile.load %arg1[%0, %c0, %arg4] divisors = [1, 0, 64] in_bounds = [true, true, true] : <bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=64, modes=[[64,256]]}, {extent=256, modes=[[256,1]]}]}"> -> tensor<1x64x64xbf16>
    %4 = tile.dot %1, %3, %cst tf32 = false : tensor<1x64x64xbf16>, tensor<1x64x64xbf16> to tensor<1x64x64xf32>
    %5 = math.tanh %4 : tensor<1x64x64xf32>
    %6 = arith.truncf %5 : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
    %7 = tile.load %arg2[%0, %arg4, %c0] divisors = [1, 64, 0] in_bounds = [true, true, true] : <bf16, "{offset=0, dims=[{extent=2, modes=[[2,16384]]}, {extent=256, modes=[[256,64]]}, {extent=64, modes=[[64,1]]}]}"> -> tensor<1x64x64xbf16>
    %8 = tile.dot %6, %7, %arg5 tf32 = false : tensor<1x64x64xbf16>, tensor<1x64x64xbf16> to tensor<1x64x64xf32>
    scf.yield %8 : tensor<1x64x64xf32>
  }
  tile.store %2, %arg3[%0, %c0, %c0] divisors = [1, 0, 0] in_bounds = [true, true, true] : tensor<1x64x64xf32>, <f32, "{offset=0, dims=[{extent=2, modes=[[2,4096]]}, {extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
  tile.return
}
