// tile-prefetch-loads: a loop's loads run an iteration ahead; not where the kernel writes what it reads, or the loop
// has a single iteration.
// RUN: tw-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-prefetch-loads))" | FileCheck %s

#row = #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">
!v = !tile.view<f32, "{offset=0, dims=[{extent=1024, modes=[[1024,1]]}]}">

// CHECK-LABEL: tile.kernel @ahead
// CHECK: %[[FIRST:.*]] = tile.load %{{.*}}[%c0
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[TILE:.*]] = %[[FIRST]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[NEXT]]
// CHECK: %[[LOADED:.*]] = scf.if %[[INSIDE]]
// CHECK: tile.load %{{.*}}[%[[NEXT]]]
// CHECK: tile.store %[[TILE]]
// CHECK: scf.yield %[[LOADED]]
tile.kernel @ahead grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %y[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @in_place
// CHECK-NOT: iter_args
// CHECK: tile.return
tile.kernel @in_place grid = [1, 1, 1] warps = 4 (%x: !v) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    %n = arith.negf %a : tensor<128xf32, #row>
    tile.store %n, %x[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @once
// CHECK-NOT: iter_args
// CHECK: tile.return
tile.kernel @once grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1024 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %y[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}
