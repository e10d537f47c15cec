// tile-expand-takes: a loaded table is copied to shared memory and awaited where it is first read; one that is computed, or whose
// pieces are no whole words, is stored. Takes from one table share its buffer.
// RUN: tw-opt %s --tile-expand-takes | FileCheck %s

#row = #tile.layout<"{shape=[1,128], register=[[0,1],[0,2]], lane=[[0,4],[0,8],[0,16],[0,32],[0,64]], warp=[]}">
#line = #tile.layout<"{shape=[1,64], register=[[0,32]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[]}">

// CHECK-LABEL: tile.kernel @copied
// CHECK: %[[B:.*]] = tile.alloc : <1, f32, "{shape=[1,128], order=[1,0], inner=[128,1]}">
// CHECK: tile.copy_async %{{.*}}, %[[B]]
// CHECK-NEXT: tile.commit_async
// CHECK: tile.load
// CHECK: tile.wait_async 0
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.take_shared %[[B]][%{{.*}}] at %{{.*}} dim = 1 of 120
// CHECK-NOT: tile.barrier
// CHECK: tile.take_shared %[[B]][%{{.*}}] at %{{.*}} dim = 1 of 120
tile.kernel @copied grid = [1, 1, 1] warps = 1 (%t: !tile.view<f32, "{offset=0, dims=[{extent=1, modes=[]}, {extent=120, modes=[[120,1]]}]}">, %i: !tile.view<i32, "{offset=0, dims=[{extent=1, modes=[]}, {extent=64, modes=[[64,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %table = tile.load %t[%c0, %c0] divisors = [0, 0] in_bounds = [true, false] : <f32, "{offset=0, dims=[{extent=1, modes=[]}, {extent=120, modes=[[120,1]]}]}"> -> tensor<1x128xf32, #row>
  %at = tile.load %i[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : <i32, "{offset=0, dims=[{extent=1, modes=[]}, {extent=64, modes=[[64,1]]}]}"> -> tensor<1x64xi32, #line>
  %x = tile.take %table at %at dim = 1 of 120 : tensor<1x128xf32, #row>, tensor<1x64xi32, #line> -> tensor<1x64xf32, #line>
  %next = arith.addi %at, %at : tensor<1x64xi32, #line>
  %y = tile.take %table at %next dim = 1 of 120 : tensor<1x128xf32, #row>, tensor<1x64xi32, #line> -> tensor<1x64xf32, #line>
  tile.return
}

// A conversion of the table says nothing of where its elements are found.
// CHECK-LABEL: tile.kernel @in_loop
// CHECK: scf.for
// CHECK: %[[T:.*]] = math.absf
// CHECK: %[[B:.*]] = tile.alloc
// CHECK: tile.barrier
// CHECK-NEXT: tile.store_shared %[[T]], %[[B]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.take_shared %[[B]]
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
tile.kernel @in_loop grid = [1, 1, 1] warps = 1 (%t: !tile.view<f32, "{offset=0, dims=[{extent=9, modes=[[9,128]]}, {extent=128, modes=[[128,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %at = arith.constant dense<3> : tensor<1x64xi32, #line>
  scf.for %r = %c0 to %c9 step %c1 {
    %0 = tile.load %t[%r, %c0] divisors = [1, 0] in_bounds = [true, true] : <f32, "{offset=0, dims=[{extent=9, modes=[[9,128]]}, {extent=128, modes=[[128,1]]}]}"> -> tensor<1x128xf32, #row>
    %1 = math.absf %0 : tensor<1x128xf32, #row>
    %2 = tile.convert_layout %1 : tensor<1x128xf32, #row> to tensor<1x128xf32, #row>
    %x = tile.take %2 at %at dim = 1 of 120 : tensor<1x128xf32, #row>, tensor<1x64xi32, #line> -> tensor<1x64xf32, #line>
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @odd_bytes
// CHECK-NOT: tile.copy_async
// CHECK: tile.store_shared
tile.kernel @odd_bytes grid = [1, 1, 1] warps = 1 (%t: !tile.view<i8, "{offset=0, dims=[{extent=9, modes=[[9,113]]}, {extent=113, modes=[[113,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %at = arith.constant dense<3> : tensor<1x64xi32, #line>
  %table = tile.load %t[%c0, %c0] divisors = [1, 0] in_bounds = [true, false] : <i8, "{offset=0, dims=[{extent=9, modes=[[9,113]]}, {extent=113, modes=[[113,1]]}]}"> -> tensor<1x128xi8, #row>
  %x = tile.take %table at %at dim = 1 of 113 : tensor<1x128xi8, #row>, tensor<1x64xi32, #line> -> tensor<1x64xi8, #line>
  tile.return
}
