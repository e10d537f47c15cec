// Costs of a launch: arithmetic by op, arguments read once, only the rows that a gather takes, names of source nodes; and
// what passes the memory behind the cache.
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

// Of a slice the part that is read counts; another part of the same tensor counts beside it. The second kernel finds
// what it reads in the cache, where the sum stays at the end.
// CHECK-LABEL: plan.program @parts
// CHECK-SAME: plan.traffic = array<i64: 131072, 98304, 65536, 229376>
// CHECK: plan.launch @part
// CHECK-SAME: read = 65536, written = 65536>
// CHECK-SAME: plan.traffic = array<i64: 65536, 0>
// CHECK: plan.launch @other_part
// CHECK-SAME: read = 131072, written = 98304>
// CHECK-SAME: plan.traffic = array<i64: 65536, 0>
graph.kernel anchor(elementwise) @part(%a: tensor<65536xf32>) -> tensor<16384xf32> {
  %0 = graph.slice %a offsets = [16] strides = [1] : tensor<65536xf32> to tensor<16384xf32>
  %1 = math.exp %0 : tensor<16384xf32>
  graph.return %1 : tensor<16384xf32>
}
graph.kernel anchor(elementwise) @other_part(%a: tensor<65536xf32>, %p: tensor<16384xf32>) -> (tensor<16384xf32>, tensor<8192xf32>) {
  %0 = graph.slice %a offsets = [32768] strides = [1] : tensor<65536xf32> to tensor<16384xf32>
  %1 = arith.addf %0, %p : tensor<16384xf32>
  %2 = graph.slice %1 offsets = [0] strides = [1] : tensor<16384xf32> to tensor<8192xf32>
  %3 = math.exp %2 : tensor<8192xf32>
  graph.return %1, %3 : tensor<16384xf32>, tensor<8192xf32>
}
plan.program @parts(%a: tensor<65536xf32> {plan.name = "a"}) -> (tensor<16384xf32> {plan.name = "y"}, tensor<8192xf32> {plan.name = "z"}) {
  %0 = plan.launch @part(%a) : (tensor<65536xf32>) -> tensor<16384xf32>
  %1:2 = plan.launch @other_part(%a, %0) : (tensor<65536xf32>, tensor<16384xf32>) -> (tensor<16384xf32>, tensor<8192xf32>)
  plan.return %1#0, %1#1 : tensor<16384xf32>, tensor<8192xf32>
}

// What is more than the cache holds is fetched again.
// CHECK-LABEL: plan.program @large
// CHECK-SAME: plan.traffic = array<i64: 268435456, 
// CHECK: plan.launch @whole
// CHECK-SAME: plan.traffic = array<i64: 134217728, 
// CHECK: plan.launch @whole
// CHECK-SAME: plan.traffic = array<i64: 134217728, 
graph.kernel anchor(elementwise) @whole(%a: tensor<33554432xf32>) -> tensor<33554432xf32> {
  %0 = math.exp %a : tensor<33554432xf32>
  graph.return %0 : tensor<33554432xf32>
}
plan.program @large(%a: tensor<33554432xf32> {plan.name = "a"}) -> (tensor<33554432xf32> {plan.name = "y"}) {
  %0 = plan.launch @whole(%a) : (tensor<33554432xf32>) -> tensor<33554432xf32>
  %1 = plan.launch @whole(%0) : (tensor<33554432xf32>) -> tensor<33554432xf32>
  plan.return %1 : tensor<33554432xf32>
}

// Of what is widened whole and read in part only that part is computed.
// CHECK: plan.launch @end
// CHECK-SAME: flops = 16,
graph.kernel anchor(elementwise) @end(%a: tensor<1000xbf16>) -> tensor<8xf32> {
  %0 = arith.extf %a : tensor<1000xbf16> to tensor<1000xf32>
  %1 = graph.slice %0 offsets = [992] strides = [1] : tensor<1000xf32> to tensor<8xf32>
  %2 = math.exp %1 : tensor<8xf32>
  graph.return %2 : tensor<8xf32>
}
plan.program @of_end(%a: tensor<1000xbf16> {plan.name = "a"}) -> (tensor<8xf32> {plan.name = "y"}) {
  %0 = plan.launch @end(%a) : (tensor<1000xbf16>) -> tensor<8xf32>
  plan.return %0 : tensor<8xf32>
}
