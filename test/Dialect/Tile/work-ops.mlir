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
