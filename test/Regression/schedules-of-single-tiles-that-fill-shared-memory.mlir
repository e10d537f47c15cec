// The result of a block of one tile waits for its store where the ring was. The check of schedules counted room for it beside
// the ring, so that a schedule which the model had chosen was refused when somebody wrote it down.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK: tile.kernel @k
// CHECK-SAME: stages = 6
graph.kernel anchor(matmul) @k(%a: tensor<1008x792xbf16>, %b: tensor<792x2304xbf16>) -> tensor<1008x2304xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 168], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 6, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<16>, cluster = [4, 1], store = bulk, swap_operands, pdl>} {
  %0 = graph.matmul %a, %b : tensor<1008x792xbf16>, tensor<792x2304xbf16> to tensor<1008x2304xf32>
  %1 = arith.truncf %0 : tensor<1008x2304xf32> to tensor<1008x2304xbf16>
  graph.return %1 : tensor<1008x2304xbf16>
}
