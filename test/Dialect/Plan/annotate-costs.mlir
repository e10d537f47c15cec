// Costs of a launch: arithmetic by op, arguments read once, only the rows that a gather takes, names of source nodes.
// RUN: tw-opt %s --plan-annotate-costs | FileCheck %s

graph.kernel anchor(matmul) @matmul(%a: tensor<8x16xbf16>, %b: tensor<16x4xbf16>) -> tensor<8x4xf32> {
  %0 = graph.matmul %a, %b : tensor<8x16xbf16>, tensor<16x4xbf16> to tensor<8x4xf32> loc("/dense/MatMul")
  %1 = math.exp %0 : tensor<8x4xf32> loc("/act/Exp")
  graph.return %1 : tensor<8x4xf32>
}
graph.kernel anchor(gather) @gather(%t: tensor<1000x8xf32>, %i: tensor<4xi64>) -> tensor<4x8xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<1000x8xf32>, tensor<4xi64> to tensor<4x8xf32> loc("/embed")
  graph.return %0 : tensor<4x8xf32>
}

// 2 * 8 * 16 * 4 flops of the product and 32 of the exponentials.
// CHECK: plan.launch @matmul
// CHECK-SAME: #plan.cost<anchor = "matmul", unit = "bf16", flops = 1056, read = 384, written = 128>
// CHECK-SAME: plan.sources = ["/dense/MatMul", "/act/Exp"]
// 4 rows of 32 bytes and 4 indices of 8, not the table's 32000 bytes.
// CHECK: plan.launch @gather
// CHECK-SAME: #plan.cost<anchor = "gather", unit = "fp32", flops = 0, read = 160, written = 128>
plan.program @main(%a: tensor<8x16xbf16> {plan.name = "a"}, %b: tensor<16x4xbf16> {plan.name = "b"},
                   %i: tensor<4xi64> {plan.name = "i"})
    -> (tensor<8x4xf32> {plan.name = "y"}, tensor<4x8xf32> {plan.name = "e"}) {
  %t = graph.weight <"t", tensor<1000x8xf32>, "", []> : tensor<1000x8xf32>
  %0 = plan.launch @matmul(%a, %b) : (tensor<8x16xbf16>, tensor<16x4xbf16>) -> tensor<8x4xf32>
  %1 = plan.launch @gather(%t, %i) : (tensor<1000x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  plan.return %0, %1 : tensor<8x4xf32>, tensor<4x8xf32>
}

// Launches of one kernel come from different nodes, when their locations say so.
// CHECK: plan.launch @shared
// CHECK-SAME: plan.sources = ["/first"]
// CHECK: plan.launch @shared
// CHECK-SAME: plan.sources = ["/second", "/third"]
graph.kernel anchor(elementwise) @shared(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %a : tensor<8xf32> loc("/first")
  graph.return %0 : tensor<8xf32>
}
plan.program @twice(%a: tensor<8xf32> {plan.name = "a"}) -> (tensor<8xf32> {plan.name = "y"}) {
  %0 = plan.launch @shared(%a) : (tensor<8xf32>) -> tensor<8xf32> loc("/first")
  %1 = plan.launch @shared(%0) : (tensor<8xf32>) -> tensor<8xf32> loc(fused["/second", "/third"])
  plan.return %1 : tensor<8xf32>
}
