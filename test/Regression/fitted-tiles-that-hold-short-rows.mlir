// Reductions over different dimensions whose steps hold one of them whole, and whose tile has all of the other one, too: the model that
// fits tiles cut what the steps hold, and the kernel had no schedule (memory-319547 of the random programs).
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// CHECK: tile.kernel @held {{.*}}tile = [16, 1, {{[0-9]+}}, 192]
graph.kernel anchor(reduction) @held(%x: tensor<190x7x16x1806xf32>, %y: tensor<7x1806xf32>) -> (tensor<16x7x1806x190xf32>, tensor<1806x16x7x190xf32>) {
  %0 = graph.transpose %x permutation = [2, 1, 3, 0] : tensor<190x7x16x1806xf32> to tensor<16x7x1806x190xf32>
  %1 = graph.broadcast %y dims = [1, 2] : tensor<7x1806xf32> to tensor<16x7x1806x190xf32>
  %2 = arith.divf %1, %0 : tensor<16x7x1806x190xf32>
  %3 = graph.reduce max %2 dims = [3] : tensor<16x7x1806x190xf32> to tensor<16x7x1806xf32>
  %4 = graph.broadcast %3 dims = [0, 1, 2] : tensor<16x7x1806xf32> to tensor<16x7x1806x190xf32>
  %5 = arith.addf %2, %4 : tensor<16x7x1806x190xf32>
  %6 = graph.transpose %2 permutation = [2, 0, 1, 3] {graph.materialize} : tensor<16x7x1806x190xf32> to tensor<1806x16x7x190xf32>
  %7 = graph.reduce sum %5 dims = [0] : tensor<16x7x1806x190xf32> to tensor<7x1806x190xf32>
  %8 = graph.broadcast %7 dims = [1, 2, 3] : tensor<7x1806x190xf32> to tensor<16x7x1806x190xf32>
  %9 = arith.subf %5, %8 : tensor<16x7x1806x190xf32>
  graph.return %9, %6 : tensor<16x7x1806x190xf32>, tensor<1806x16x7x190xf32>
}
