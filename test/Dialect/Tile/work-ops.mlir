// Lists and flags print and parse; what breaks their rules is refused.
// RUN: tw-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: tile.kernel @hand_over
// CHECK: tile.lookup %{{.*}} of [0, 2, 1]
// CHECK: tile.raise_flag %{{.*}}[%{{.*}}] : <i32
// CHECK: tile.lower_flag %{{.*}}[%{{.*}}] : <i32
tile.kernel @hand_over grid = [3, 1, 1] warps = 4 (%flags: !tile.view<i32, "{offset=0, dims=[{extent=3, modes=[[3,1]]}]}">) {
  %block = tile.block_id 0
  %other = tile.lookup %block of [0, 2, 1]
  tile.raise_flag %flags[%block] : <i32, "{offset=0, dims=[{extent=3, modes=[[3,1]]}]}">
  tile.lower_flag %flags[%other] : <i32, "{offset=0, dims=[{extent=3, modes=[[3,1]]}]}">
  tile.return
}

// CHECK: tile.find_group %{{.*}}[%{{.*}}] rows = 64 of 100 : <i32
// CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] before %{{.*}} along 0 divisors = [1, 0] in_bounds = [true, true] :
!rows = !tile.view<f32, "{offset=0, dims=[{extent=100, modes=[[100,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @rows_of_a_group grid = [4, 1, 1] warps = 4 (%ends: !tile.view<i32, "{offset=0, dims=[{extent=3, modes=[[3,1]]}]}">, %y: !rows) {
  %block = tile.block_id 0
  %c0 = arith.constant 0 : index
  %group, %first, %end, %within = tile.find_group %ends[%block] rows = 64 of 100 : <i32, "{offset=0, dims=[{extent=3, modes=[[3,1]]}]}">
  %one = arith.constant dense<1.0> : tensor<64x8xf32>
  tile.store %one, %y[%first, %c0] before %end along 0 divisors = [1, 0] in_bounds = [true, true] : tensor<64x8xf32>, !rows
  tile.return
}

// -----

tile.kernel @find_group_c1 grid = [3, 1, 1] warps = 4 (%ends: !tile.view<i32, "{offset=0, dims=[{extent=3, modes=[[3,2]]}]}">) {
  %block = tile.block_id 0
  // expected-error@+1 {{takes a view of 32-bit integers side by side}}
  %group, %first, %end, %within = tile.find_group %ends[%block] rows = 64 of 100 : <i32, "{offset=0, dims=[{extent=3, modes=[[3,2]]}]}">
  tile.return
}

// -----

!v = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
tile.kernel @store_c2 grid = [1, 1, 1] warps = 4 (%y: !v) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  // expected-error@+1 {{an end along dimension 1 of a tile of rank 1}}
  tile.store %one, %y[%c0] before %c0 along 1 divisors = [0] in_bounds = [true] : tensor<64xf32>, !v
  tile.return
}

// -----

!v = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
tile.kernel @store_c1 grid = [1, 1, 1] warps = 4 (%y: !v) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  // expected-error@+1 {{an end and the dimension along which it is come together}}
  "tile.store"(%one, %y, %c0) <{divisors = array<i64: 0>, end_dim = 0 : i64, in_bounds = array<i1: true>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64xf32>, !v, index) -> ()
  tile.return
}

// -----

tile.kernel @no_list grid = [3, 1, 1] warps = 4 () {
  %block = tile.block_id 0
  // expected-error@+1 {{has an empty list}}
  %other = tile.lookup %block of []
  tile.return
}

// -----

tile.kernel @wide_flags grid = [3, 1, 1] warps = 4 (%flags: !tile.view<i64, "{offset=0, dims=[{extent=3, modes=[[3,1]]}]}">) {
  %block = tile.block_id 0
  // expected-error@+1 {{takes a view of 32-bit integers in one dimension}}
  tile.raise_flag %flags[%block] : <i64, "{offset=0, dims=[{extent=3, modes=[[3,1]]}]}">
  tile.return
}
