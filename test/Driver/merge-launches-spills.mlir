// Threads of a merged kernel share out the registers of its largest block: where ptxas spills what a part held on its own,
// the parts are launched on their own again, and no warning is left of the attempt.
// REQUIRES: ptxas
// RUN: tw-compile %s --start-from=tile --kernel-cache=off -o %t.tw --report=text --remarks=%t.yaml 2> %t.err | FileCheck %s
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK
// RUN: count 0 < %t.err
// CHECK-NOT: merged from
// CHECK: wide {{.*}} 32 {{ *}}0 {{ *}}{{1[3-9][0-9]|2[0-9][0-9]}} {{ *}}0
// CHECK-NOT: merged from
// CHECK: main: 2 launches
// REMARK: Name: MergeUndone
// REMARK: kernel: {{ *}}wide_and_many
// REMARK: bytes: {{ *}}'{{[0-9]+}}'
graph.kernel anchor(reduction) @wide(%x: tensor<4x5120xf32>) -> tensor<4x5120xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 5120], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<4x5120xf32> to tensor<4xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x5120xf32>
  %2 = arith.mulf %x, %1 : tensor<4x5120xf32>
  graph.return %2 : tensor<4x5120xf32>
}
graph.kernel anchor(elementwise) @many(%x: tensor<4096xf32>) -> tensor<4096xf32>
    attributes {tile.schedule = #tile.schedule<tile = [2048], reduce = 1, warps = 16, warp_grid = [16], stages = 1>} {
  %0 = math.absf %x : tensor<4096xf32>
  graph.return %0 : tensor<4096xf32>
}
plan.program @main(%x: tensor<4x5120xf32> {plan.name = "x"}, %y: tensor<4096xf32> {plan.name = "y"})
    -> (tensor<4x5120xf32> {plan.name = "a"}, tensor<4096xf32> {plan.name = "b"}) {
  %0 = plan.launch @wide(%x) {plan.sources = [], plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 40960, read = 81920, written = 81920>}
      : (tensor<4x5120xf32>) -> tensor<4x5120xf32>
  %1 = plan.launch @many(%y) {plan.sources = [], plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 4096, read = 16384, written = 16384>}
      : (tensor<4096xf32>) -> tensor<4096xf32>
  plan.return %0, %1 : tensor<4x5120xf32>, tensor<4096xf32>
}
