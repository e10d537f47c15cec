// convert-tile-to-llvm, gathers: an offset per element, vectors where elements share one, indices checked.
// RUN: tw-opt %s --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

#rows = #tile.layout<"{shape=[4,32], register=[[0,1],[0,2]], lane=[[0,4],[0,8],[0,16],[1,0],[2,0]], warp=[]}">
#index = #tile.layout<"{shape=[4,1], register=[], lane=[[0,0],[0,0],[0,0],[1,0],[2,0]], warp=[]}">
#flat = #tile.layout<"{shape=[64], register=[[1]], lane=[[2],[4],[8],[16],[32]], warp=[]}">
!table = !tile.view<f32, "{offset=0, dims=[{extent=4, modes=[[4,0]]}, {extent=32, modes=[[32,1]]}]}">
!ids = !tile.view<i64, "{offset=0, dims=[{extent=4, modes=[[4,1]]}, {extent=32, modes=[[32,0]]}]}">
!out = !tile.view<f32, "{offset=0, dims=[{extent=4, modes=[[4,32]]}, {extent=32, modes=[[32,1]]}]}">

// A row of 32 floats per index: negative ones count from the end, others outside read nothing; 128 bits at a time.
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[I:.*]] = {{.*}}llvm.load {{.*}} -> i64
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[I]], %c0_i64
// CHECK: %[[FROM_END:.*]] = arith.addi %[[I]], %c100_i64
// CHECK: %[[INDEX:.*]] = arith.select %[[NEGATIVE]], %[[FROM_END]], %[[I]]
// CHECK: %[[VALID:.*]] = arith.cmpi ult, %[[INDEX]], %c100_i64
// CHECK: arith.muli %[[INDEX]], %c32_i64
// CHECK: ptx.load %{{.*}}, %[[VALID]], %{{.*}} : !llvm.ptr<1>, vector<4xf32>
// CHECK-NOT: ptx.load
tile.kernel @rows grid = [1, 1, 1] warps = 1 (%t: !table, %i: !ids, %y: !out) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %i[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !ids -> tensor<4x1xi64, #index>
  %1 = tile.gather %t[%c0, %c0] plus %0 times 32 of 100 divisors = [0, 0] in_bounds = [true, true] : !table, tensor<4x1xi64, #index> -> tensor<4x32xf32, #rows>
  tile.store %1, %y[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<4x32xf32, #rows>, !out
  tile.return
}

// Declined: an index per element reads elements.
// CHECK-LABEL: llvm.func @elements
// CHECK-COUNT-2: ptx.load %{{.*}} : !llvm.ptr<1>, f32
tile.kernel @elements grid = [1, 1, 1] warps = 1 (%t: !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,0]]}]}">, %i: !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">, %y: !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %i[%c0] divisors = [0] in_bounds = [true] : !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}"> -> tensor<64xi32, #flat>
  %1 = tile.gather %t[%c0] plus %0 times 1 of 100 divisors = [0] in_bounds = [true] : !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,0]]}]}">, tensor<64xi32, #flat> -> tensor<64xf32, #flat>
  tile.store %1, %y[%c0] divisors = [0] in_bounds = [true] : tensor<64xf32, #flat>, !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
  tile.return
}
