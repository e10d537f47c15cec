// Of products in a chain, whose kernels start early, one that has more of its weights in its ring before the kernel before has ended
// takes less: parts of K in more blocks. Alone the same product is whole.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
plan.program @chain(%x: tensor<8x4096xbf16> {plan.name = "x"}, %w: tensor<4096x4096xbf16> {plan.name = "w"})
    -> (tensor<8x4096xbf16> {plan.name = "y"}, tensor<8x4096xbf16> {plan.name = "z"}) {
  %0 = plan.launch @first(%x) : (tensor<8x4096xbf16>) -> tensor<8x4096xbf16>
  %1 = plan.launch @chained(%0, %w) : (tensor<8x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<8x4096xbf16>
  %2 = plan.launch @alone(%x, %w) : (tensor<8x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<8x4096xbf16>
  plan.return %1, %2 : tensor<8x4096xbf16>, tensor<8x4096xbf16>
}
graph.kernel anchor(elementwise) @first(%x: tensor<8x4096xbf16>) -> tensor<8x4096xbf16> {
  %0 = arith.addf %x, %x : tensor<8x4096xbf16>
  graph.return %0 : tensor<8x4096xbf16>
}
// CHECK-LABEL: tile.kernel @chained
// CHECK-SAME: stages = 12, product = wgmma
// CHECK-SAME: split_k = 2, swap_operands, pdl>
graph.kernel anchor(matmul) @chained(%x: tensor<8x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<8x4096xbf16> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<4096x4096xbf16> to tensor<4096x4096xbf16>
  %p = graph.matmul %x, %t : tensor<8x4096xbf16>, tensor<4096x4096xbf16> to tensor<8x4096xf32>
  %y = arith.truncf %p : tensor<8x4096xf32> to tensor<8x4096xbf16>
  graph.return %y : tensor<8x4096xbf16>
}
// CHECK-LABEL: tile.kernel @alone
// CHECK-SAME: stages = 16, product = wgmma
// CHECK-SAME: store = bulk, swap_operands, pdl>
graph.kernel anchor(matmul) @alone(%x: tensor<8x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<8x4096xbf16> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<4096x4096xbf16> to tensor<4096x4096xbf16>
  %p = graph.matmul %x, %t : tensor<8x4096xbf16>, tensor<4096x4096xbf16> to tensor<8x4096xf32>
  %y = arith.truncf %p : tensor<8x4096xf32> to tensor<8x4096xbf16>
  graph.return %y : tensor<8x4096xbf16>
}
