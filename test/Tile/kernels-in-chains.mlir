// Kernels of a program that need one another start early and wait where they read; one that needs none and is needed by
// none does not, nor one that comes with a schedule.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_80 | FileCheck %s --check-prefix=OLDER

// OLDER-NOT: pdl
plan.program @main(%a: tensor<256xf32> {plan.name = "a"}, %b: tensor<256xf32> {plan.name = "b"})
    -> (tensor<256xf32> {plan.name = "c"}, tensor<256xf32> {plan.name = "d"}, tensor<256xf32> {plan.name = "e"}) {
  %0 = plan.launch @first(%a) : (tensor<256xf32>) -> tensor<256xf32>
  %1 = plan.launch @second(%0) : (tensor<256xf32>) -> tensor<256xf32>
  %2 = plan.launch @alone(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %3 = plan.launch @by_hand(%1) : (tensor<256xf32>) -> tensor<256xf32>
  plan.return %1, %2, %3 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
// CHECK-LABEL: tile.kernel @first
// CHECK-SAME: stages = 1, pdl>
graph.kernel anchor(elementwise) @first(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = math.exp %x : tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}
// CHECK-LABEL: tile.kernel @second
// CHECK-SAME: stages = 1, pdl>
graph.kernel anchor(elementwise) @second(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = math.tanh %x : tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}
// CHECK-LABEL: tile.kernel @alone
// CHECK-SAME: stages = 1>
graph.kernel anchor(elementwise) @alone(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = math.sin %x : tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}
// CHECK-LABEL: tile.kernel @by_hand
// CHECK-SAME: stages = 1>
graph.kernel anchor(elementwise) @by_hand(%x: tensor<256xf32>) -> tensor<256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = math.cos %x : tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}
