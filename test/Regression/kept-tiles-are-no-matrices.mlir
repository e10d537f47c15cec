// Tiles of a row that later loops take from shared memory are read by the threads that wrote them, with no barrier
// between: as ldmatrix they would be rows of other lanes. Found by random schedules of a layer norm.
// REQUIRES: emulator
// RUN: tw-compile %s --start-from=tile -o %t.tw --kernel-cache=off
// RUN: tw-run %t.tw --device=emulator --input x=random:1 --input scale=random:2 --input bias=random:3
// RUN: tw-compile %s --start-from=tile --emit=target -o - | FileCheck %s
// CHECK: llvm.func @norm
// CHECK-NOT: nvvm.ldmatrix
plan.program @main(%x: tensor<33x7xf32> {plan.name = "x"}, %s: tensor<7xf32> {plan.name = "scale"},
                   %b: tensor<7xf32> {plan.name = "bias"}) -> (tensor<33x7xf32> {plan.name = "y"}) {
  %0 = plan.launch @norm(%x, %s, %b) : (tensor<33x7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<33x7xf32>
  plan.return %0 : tensor<33x7xf32>
}
graph.kernel anchor(reduction) @norm(%x: tensor<33x7xf32>, %s: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<33x7xf32>
    attributes {tile.schedule = #tile.schedule<tile = [96, 4], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %sum = graph.reduce sum %x dims = [1] : tensor<33x7xf32> to tensor<33xf32>
  %seven = arith.constant dense<7.0> : tensor<33xf32>
  %m = arith.divf %sum, %seven : tensor<33xf32>
  %mean = graph.broadcast %m dims = [0] : tensor<33xf32> to tensor<33x7xf32>
  %d = arith.subf %x, %mean : tensor<33x7xf32>
  %dd = arith.mulf %d, %d : tensor<33x7xf32>
  %v = graph.reduce sum %dd dims = [1] : tensor<33x7xf32> to tensor<33xf32>
  %r = math.rsqrt %v : tensor<33xf32>
  %w = graph.broadcast %r dims = [0] : tensor<33xf32> to tensor<33x7xf32>
  %n = arith.mulf %d, %w : tensor<33x7xf32>
  %sw = graph.broadcast %s dims = [1] : tensor<7xf32> to tensor<33x7xf32>
  %ns = arith.mulf %n, %sw : tensor<33x7xf32>
  %bw = graph.broadcast %b dims = [1] : tensor<7xf32> to tensor<33x7xf32>
  %y = arith.addf %ns, %bw : tensor<33x7xf32>
  graph.return %y : tensor<33x7xf32>
}
