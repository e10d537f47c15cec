// tile-prefetch-loads: a loop's loads run ahead, by several steps where few blocks have little on their way; what
// reaches over the end is a step of its own; not where the kernel writes what it reads, or the loop has a single
// iteration.
// RUN: tw-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-prefetch-loads))" | FileCheck %s

#row = #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">
!v = !tile.view<f32, "{offset=0, dims=[{extent=1024, modes=[[1024,1]]}]}">
!odd = !tile.view<f32, "{offset=0, dims=[{extent=300, modes=[[300,1]]}]}">

// Eight steps, of which four are on their way: one iteration, and the last four.
// CHECK-LABEL: tile.kernel @ahead
// CHECK-COUNT-4: tile.load
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T0:.*]] = {{.*}}, %[[T1:.*]] = {{.*}}, %[[T2:.*]] = {{.*}}, %[[T3:.*]] = {{.*}})
// CHECK: tile.store %[[T0]], %{{.*}}[%[[I]]]
// CHECK: %[[FIFTH:.*]] = arith.addi %[[I]], %c512{{.*}}
// CHECK: %[[N0:.*]] = tile.load %{{.*}}[%[[FIFTH]]]
// CHECK: %[[SECOND:.*]] = arith.addi %[[I]], %c128{{.*}}
// CHECK: tile.store %[[T1]], %{{.*}}[%[[SECOND]]]
// CHECK: %[[N1:.*]] = tile.load
// CHECK: tile.store %[[T2]]
// CHECK: %[[N2:.*]] = tile.load
// CHECK: tile.store %[[T3]]
// CHECK: %[[N3:.*]] = tile.load
// CHECK: scf.yield %[[N0]], %[[N1]], %[[N2]], %[[N3]]
// CHECK-COUNT-4: tile.store
// CHECK-NOT: tile.load
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

// Of two whole steps one is on its way. The last step has 44 of the 128 elements: it alone asks which, and what it loads
// comes while the last whole step is worked on.
// CHECK-LABEL: tile.kernel @ragged
// CHECK: %[[FIRST:.*]] = tile.load {{.*}} in_bounds = [true]
// CHECK: %[[SUM:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUMS:.*]] = {{.*}}, %[[TILE:.*]] = %[[FIRST]])
// CHECK: %[[J:.*]] = arith.addi %[[I]]
// CHECK-NEXT: %[[NEXT:.*]] = tile.load %{{.*}}[%[[J]]] {{.*}} in_bounds = [true]
// CHECK-NOT: arith.select
// CHECK: %[[ADDED:.*]] = arith.addf %[[SUMS]], %[[TILE]]
// CHECK-NEXT: scf.yield %[[ADDED]], %[[NEXT]]
// CHECK: %[[WHOLE:.*]] = arith.addf %[[SUM]]#0, %[[SUM]]#1
// CHECK: %[[END:.*]] = tile.load {{.*}} in_bounds = [false]
// CHECK: %[[INDEX:.*]] = tile.iota dim = 0 from %c256
// CHECK: %[[MASK:.*]] = arith.cmpi slt, %[[INDEX]]
// CHECK: %[[OWN:.*]] = arith.select %[[MASK]], %[[END]]
// CHECK: arith.addf %[[WHOLE]], %[[OWN]]
tile.kernel @ragged grid = [1, 1, 1] warps = 4 (%x: !odd, %y: !v) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c300 = arith.constant 300 : index
  %zero = arith.constant dense<0.0> : tensor<128xf32, #row>
  %end = arith.constant dense<300> : tensor<128xi32, #row>
  %sum = scf.for %i = %c0 to %c300 step %c128 iter_args(%sums = %zero) -> (tensor<128xf32, #row>) {
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
