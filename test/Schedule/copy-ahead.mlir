// tile-copy-ahead: a loop under a schedule of several stages copies its tiles so many iterations ahead, each thread its
// own elements; not where the schedule has one stage, the loop is short, or the kernel writes what it loads.
// RUN: tw-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-copy-ahead))" | FileCheck %s

#row = #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">
#three = #tile.schedule<tile = [128], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 3>
#one = #tile.schedule<tile = [128], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>
!v = !tile.view<f32, "{offset=0, dims=[{extent=1024, modes=[[1024,1]]}]}">
!odd = !tile.view<f32, "{offset=0, dims=[{extent=1000, modes=[[1000,1]]}]}">

// CHECK-LABEL: tile.kernel @ahead
// CHECK: %[[C256:.*]] = arith.constant 256 : index
// CHECK: %[[RING:.*]] = tile.alloc : <3, f32,
// CHECK: scf.for %[[N:[a-z0-9]+]] =
// CHECK: %[[OFFSET:.*]] = arith.muli %[[N]]
// CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[OFFSET]]
// CHECK: scf.if
// CHECK: tile.copy_async %{{.*}}[%[[FIRST]]], %[[RING]]
// CHECK: tile.commit_async
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[C256]]
// CHECK: scf.if
// CHECK: arith.remui
// CHECK: tile.copy_async %{{.*}}[%[[NEXT]]], %[[RING]]
// CHECK: tile.commit_async
// CHECK-NEXT: tile.wait_async 2
// CHECK: tile.load_shared %[[RING]]{{.*}} {tile.own_elements}
// CHECK-NOT: tile.load %
tile.kernel @ahead grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) attributes {tile.schedule = #three} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %y[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// The tiles of persistent blocks, of which one may have fewer than the ring has stages; what all share is loaded again.
// CHECK-LABEL: tile.kernel @persistent
// CHECK: %[[BLOCK:.*]] = tile.block_id 0
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.copy_async
// CHECK: scf.for %{{.*}} = %[[BLOCK]]
// CHECK: scf.if
// CHECK: tile.copy_async
// CHECK: tile.wait_async 2
// CHECK: tile.load_shared
// CHECK: tile.load %
tile.kernel @persistent grid = [3, 1, 1] warps = 4 (%x: !v, %w: !v, %y: !v) attributes {tile.schedule = #three} {
  %b = tile.block_id 0
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %b to %c8 step %c3 {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %j = arith.muli %i, %c128 : index
    %a = tile.load %x[%j] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    %f = tile.load %w[%c0] divisors = [0] in_bounds = [true] : !v -> tensor<128xf32, #row>
    %n = arith.mulf %a, %f : tensor<128xf32, #row>
    tile.store %n, %y[%j] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// The step that reaches over the end is copied as the others are, and taken behind the loop; it alone is masked.
// CHECK-LABEL: tile.kernel @ragged
// CHECK: %[[RING:.*]] = tile.alloc : <3, f32,
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.copy_async {{.*}} in_bounds = [false]
// CHECK: tile.wait_async 2
// CHECK: %[[TILE:.*]] = tile.load_shared %[[RING]]
// CHECK-NOT: arith.select
// CHECK: arith.addf %{{.*}}, %[[TILE]]
// CHECK: scf.yield
// CHECK: tile.wait_async 0
// CHECK: %[[END:.*]] = tile.load_shared %[[RING]]
// CHECK: arith.select %{{.*}}, %[[END]]
// CHECK-NOT: tile.load %
tile.kernel @ragged grid = [1, 1, 1] warps = 4 (%x: !odd, %y: !v) attributes {tile.schedule = #three} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1000 = arith.constant 1000 : index
  %zero = arith.constant dense<0.0> : tensor<128xf32, #row>
  %end = arith.constant dense<1000> : tensor<128xi32, #row>
  %sum = scf.for %i = %c0 to %c1000 step %c128 iter_args(%sums = %zero) -> (tensor<128xf32, #row>) {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [false] : !odd -> tensor<128xf32, #row>
    %index = tile.iota dim = 0 from %i : tensor<128xi32, #row>
    %inside = arith.cmpi slt, %index, %end : tensor<128xi32, #row>
    %own = arith.select %inside, %a, %zero : tensor<128xi1, #row>, tensor<128xf32, #row>
    %more = arith.addf %sums, %own : tensor<128xf32, #row>
    scf.yield %more : tensor<128xf32, #row>
  }
  tile.store %sum, %y[%c0] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  tile.return
}

// CHECK-LABEL: tile.kernel @one_stage
// CHECK-NOT: tile.copy_async
tile.kernel @one_stage grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) attributes {tile.schedule = #one} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %y[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @two_iterations
// CHECK-NOT: tile.copy_async
tile.kernel @two_iterations grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) attributes {tile.schedule = #three} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c128 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %y[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @written
// CHECK-NOT: tile.copy_async
tile.kernel @written grid = [1, 1, 1] warps = 4 (%x: !v) attributes {tile.schedule = #three} {
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
