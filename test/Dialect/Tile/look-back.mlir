// Tickets and look-backs print and parse; what breaks their rules is refused.
// RUN: tw-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: tile.kernel @hand_over
// CHECK: %{{.*}}, %[[MARK:.*]] = tile.take_ticket %{{.*}} of 40 : <i64
// CHECK: tile.look_back(%{{.*}}) initial(%{{.*}}) words %{{.*}} mark %[[MARK]] at[%{{.*}}, %{{.*}}] of 40
tile.kernel @hand_over grid = [40, 1, 1] warps = 4 (%counter: !tile.view<i64, "{offset=0, dims=[{extent=1, modes=[]}]}">, %words: !tile.view<i64, "{offset=0, dims=[{extent=42, modes=[[42,1]]}]}">) {
  %line = arith.constant 0 : index
  %total = arith.constant dense<0.0> : tensor<1x1xf32>
  %ticket, %mark = tile.take_ticket %counter of 40 : <i64, "{offset=0, dims=[{extent=1, modes=[]}]}">
  %before = tile.look_back (%total) initial (%total) words %words mark %mark at [%line, %ticket] of 40 {
  ^bb0(%lhs: f32, %rhs: f32):
    %sum = arith.addf %lhs, %rhs : f32
    tile.yield %sum : f32
  } : (tensor<1x1xf32>), (tensor<1x1xf32>), <i64, "{offset=0, dims=[{extent=42, modes=[[42,1]]}]}"> to tensor<1x1xf32>
  tile.return
}

// -----

tile.kernel @narrow_counter grid = [3, 1, 1] warps = 4 (%counter: !tile.view<i32, "{offset=0, dims=[{extent=1, modes=[]}]}">) {
  // expected-error@+1 {{takes a view of 64-bit integers in one dimension}}
  %ticket, %mark = tile.take_ticket %counter of 3 : <i32, "{offset=0, dims=[{extent=1, modes=[]}]}">
  tile.return
}

// -----

tile.kernel @few_words grid = [40, 1, 1] warps = 4 (%counter: !tile.view<i64, "{offset=0, dims=[{extent=1, modes=[]}]}">, %words: !tile.view<i64, "{offset=0, dims=[{extent=41, modes=[[41,1]]}]}">) {
  %line = arith.constant 0 : index
  %total = arith.constant dense<0.0> : tensor<1x1xf32>
  %ticket, %mark = tile.take_ticket %counter of 40 : <i64, "{offset=0, dims=[{extent=1, modes=[]}]}">
  // expected-error@+1 {{needs 42 words, the view has 41}}
  %before = tile.look_back (%total) initial (%total) words %words mark %mark at [%line, %ticket] of 40 {
  ^bb0(%lhs: f32, %rhs: f32):
    %sum = arith.addf %lhs, %rhs : f32
    tile.yield %sum : f32
  } : (tensor<1x1xf32>), (tensor<1x1xf32>), <i64, "{offset=0, dims=[{extent=41, modes=[[41,1]]}]}"> to tensor<1x1xf32>
  tile.return
}

// -----

tile.kernel @other_shape grid = [40, 1, 1] warps = 4 (%words: !tile.view<i64, "{offset=0, dims=[{extent=42, modes=[[42,1]]}]}">, %counter: !tile.view<i64, "{offset=0, dims=[{extent=1, modes=[]}]}">) {
  %line = arith.constant 0 : index
  %total = arith.constant dense<0.0> : tensor<1x1xf32>
  %wide = arith.constant dense<0.0> : tensor<1x2xf32>
  %ticket, %mark = tile.take_ticket %counter of 40 : <i64, "{offset=0, dims=[{extent=1, modes=[]}]}">
  // expected-error@+1 {{state #0 has tiles of several shapes}}
  %before = tile.look_back (%total) initial (%wide) words %words mark %mark at [%line, %ticket] of 40 {
  ^bb0(%lhs: f32, %rhs: f32):
    %sum = arith.addf %lhs, %rhs : f32
    tile.yield %sum : f32
  } : (tensor<1x1xf32>), (tensor<1x2xf32>), <i64, "{offset=0, dims=[{extent=42, modes=[[42,1]]}]}"> to tensor<1x1xf32>
  tile.return
}
