// tile-keep-rows: all tiles of a row are copied to shared memory before the first loop, which waits for one after the
// other, and later loops over the same places take them there; where a copy cannot fill what lies outside, the first
// loop stores them. Not where bytes are short, the kernel writes what it reads, or the loops differ.
// RUN: tw-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-keep-rows))" | FileCheck %s

#row = #tile.layout<"{shape=[128], register=[], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">
!v = !tile.view<f32, "{offset=0, dims=[{extent=1024, modes=[[1024,1]]}]}">

// CHECK-LABEL: tile.kernel @kept
// CHECK-NOT: tile.kept_bytes
// CHECK: %[[BUFFER:.*]] = tile.alloc : <8, f32,
// CHECK: scf.for %[[A:[a-z0-9]+]] =
// CHECK-NEXT: %[[AHEAD:.*]] = arith.divui %[[A]]
// CHECK-NEXT: tile.copy_async %{{.*}}[%[[A]]], %[[BUFFER]][%[[AHEAD]]]
// CHECK-NEXT: tile.commit_async
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK-NEXT: tile.commit_async
// CHECK-NEXT: tile.wait_async 8
// CHECK-NEXT: %[[STAGE:.*]] = arith.divui %[[I]]
// CHECK-NEXT: tile.load_shared %[[BUFFER]][%[[STAGE]]] {tile.own_elements}
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK-NOT: tile.load %
// CHECK: %[[AGAIN:.*]] = arith.divui %[[J]]
// CHECK: tile.load_shared %[[BUFFER]][%[[AGAIN]]] {tile.own_elements}
tile.kernel @kept grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) attributes {tile.kept_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<128xf32, #row>
  %sum = scf.for %i = %c0 to %c1024 step %c128 iter_args(%s = %zero) -> (tensor<128xf32, #row>) {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    %n = arith.addf %s, %a : tensor<128xf32, #row>
    scf.yield %n : tensor<128xf32, #row>
  }
  scf.for %j = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%j] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    %n = arith.mulf %sum, %a : tensor<128xf32, #row>
    tile.store %n, %y[%j] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @filled
// CHECK: %[[BUFFER:.*]] = tile.alloc : <8, f32,
// CHECK-NOT: tile.copy_async
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[X:.*]] = tile.load %
// CHECK-NEXT: %[[STAGE:.*]] = arith.divui %[[I]]
// CHECK-NEXT: tile.store_shared %[[X]], %[[BUFFER]][%[[STAGE]]]
// CHECK: scf.for
// CHECK-NOT: tile.load %
// CHECK: tile.load_shared %[[BUFFER]]
!short = !tile.view<f32, "{offset=0, dims=[{extent=1000, modes=[[1000,1]]}]}">
tile.kernel @filled grid = [1, 1, 1] warps = 4 (%x: !short, %y: !short) attributes {tile.kept_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1000 = arith.constant 1000 : index
  %zero = arith.constant dense<0.0> : tensor<128xf32, #row>
  %sum = scf.for %i = %c0 to %c1000 step %c128 iter_args(%s = %zero) -> (tensor<128xf32, #row>) {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [false] fill = 1.0 : f32 : !short -> tensor<128xf32, #row>
    %n = arith.addf %s, %a : tensor<128xf32, #row>
    scf.yield %n : tensor<128xf32, #row>
  }
  scf.for %j = %c0 to %c1000 step %c128 {
    %a = tile.load %x[%j] divisors = [128] in_bounds = [false] fill = 1.0 : f32 : !short -> tensor<128xf32, #row>
    %n = arith.mulf %sum, %a : tensor<128xf32, #row>
    tile.store %n, %y[%j] divisors = [128] in_bounds = [false] : tensor<128xf32, #row>, !short
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @too_large
// CHECK-NOT: tile.alloc
tile.kernel @too_large grid = [1, 1, 1] warps = 4 (%x: !v, %y: !v) attributes {tile.kept_bytes = 4095 : i64} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %y[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  scf.for %j = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%j] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %y[%j] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// What the kernel writes may differ the second time.
// CHECK-LABEL: tile.kernel @written
// CHECK-NOT: tile.alloc
tile.kernel @written grid = [1, 1, 1] warps = 4 (%x: !v) attributes {tile.kept_bytes = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    %n = arith.negf %a : tensor<128xf32, #row>
    tile.store %n, %x[%i] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  scf.for %j = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%j] divisors = [128] in_bounds = [true] : !v -> tensor<128xf32, #row>
    tile.store %a, %x[%j] divisors = [128] in_bounds = [true] : tensor<128xf32, #row>, !v
  }
  tile.return
}

// Persistent blocks: the first row is copied before the loop over rows, the next one's tiles by the last loop over a row,
// which closes a group of copies in each iteration, behind the last row an empty one.
// CHECK-LABEL: tile.kernel @in_turn
// CHECK: %[[FIRST:.*]] = tile.block_id 0
// CHECK: scf.for
// CHECK: tile.copy_async %{{.*}}[%[[FIRST]], %{{.*}}]
// CHECK-NEXT: tile.commit_async
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = %[[FIRST]] to
// CHECK-NOT: tile.copy_async
// CHECK: tile.wait_async 8
// CHECK: tile.load_shared
// CHECK: tile.load_shared
// CHECK: tile.store
// CHECK: %[[NEXT:.*]] = arith.addi %[[ROW]]
// CHECK-NEXT: %[[IS:.*]] = arith.cmpi ult, %[[NEXT]]
// CHECK: scf.if %[[IS]] {
// CHECK: tile.copy_async %{{.*}}[%[[NEXT]], %{{.*}}]
// CHECK: tile.commit_async
#one = #tile.layout<"{shape=[1,128], register=[], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[[0,32],[0,64]]}">
!rows = !tile.view<f32, "{offset=0, dims=[{extent=9, modes=[[9,1024]]}, {extent=1024, modes=[[1024,1]]}]}">
tile.kernel @in_turn grid = [2, 1, 1] warps = 4 (%x: !rows, %y: !rows) attributes {tile.kept_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<1x128xf32, #one>
  %first = tile.block_id 0
  scf.for %row = %first to %c9 step %c2 {
    %sum = scf.for %i = %c0 to %c1024 step %c128 iter_args(%s = %zero) -> (tensor<1x128xf32, #one>) {
      %a = tile.load %x[%row, %i] divisors = [1, 128] in_bounds = [true, true] : !rows -> tensor<1x128xf32, #one>
      %n = arith.addf %s, %a : tensor<1x128xf32, #one>
      scf.yield %n : tensor<1x128xf32, #one>
    }
    scf.for %j = %c0 to %c1024 step %c128 {
      %a = tile.load %x[%row, %j] divisors = [1, 128] in_bounds = [true, true] : !rows -> tensor<1x128xf32, #one>
      %n = arith.mulf %sum, %a : tensor<1x128xf32, #one>
      tile.store %n, %y[%row, %j] divisors = [1, 128] in_bounds = [true, true] : tensor<1x128xf32, #one>, !rows
    }
  }
  tile.return
}

// Lanes that lie across rows find their elements side by side: in the order of rows they would share one bank (H200, columns of
// 809x22989 fp32 stored across: 201 and 105 us).
// CHECK-LABEL: tile.kernel @across
// CHECK: tile.alloc : <8, f32, "{shape=[16,32], order=[0,1], inner=[1,16]}">
#columns = #tile.layout<"{shape=[16,32], register=[[0,8],[0,16]], lane=[[1,0],[2,0],[4,0],[8,0],[0,1]], warp=[[0,2],[0,4]]}">
!m = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,1]]}, {extent=256, modes=[[256,16]]}]}">
tile.kernel @across grid = [1, 1, 1] warps = 4 (%x: !m, %y: !m) attributes {tile.kept_bytes = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32, #columns>
  %sum = scf.for %i = %c0 to %c256 step %c32 iter_args(%s = %zero) -> (tensor<16x32xf32, #columns>) {
    %a = tile.load %x[%c0, %i] divisors = [0, 32] in_bounds = [true, true] : !m -> tensor<16x32xf32, #columns>
    %n = arith.addf %s, %a : tensor<16x32xf32, #columns>
    scf.yield %n : tensor<16x32xf32, #columns>
  }
  scf.for %j = %c0 to %c256 step %c32 {
    %a = tile.load %x[%c0, %j] divisors = [0, 32] in_bounds = [true, true] : !m -> tensor<16x32xf32, #columns>
    %n = arith.mulf %sum, %a : tensor<16x32xf32, #columns>
    tile.store %n, %y[%c0, %j] divisors = [0, 32] in_bounds = [true, true] : tensor<16x32xf32, #columns>, !m
  }
  tile.return
}
