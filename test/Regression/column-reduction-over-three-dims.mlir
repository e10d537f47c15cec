// A column reduction over several dimensions counted only one of them against the size of its tile, which then held
// 131072 elements: no layout conversion of it fits shared memory. Found by random programs under --verify-stages.
// RUN: tw-compile %s --precision=tf32 --emit=target --verify-stages -o %t.mlir
// RUN: tw-check %s --rtol=1e-6

func.func @main(%x: tensor<16x9x33x6xf32> {graph.name = "x"}) -> (tensor<33x9x16x6xf32> {graph.name = "y"}) {
  %0 = graph.transpose %x permutation = [2, 1, 0, 3] : tensor<16x9x33x6xf32> to tensor<33x9x16x6xf32> loc("n0")
  %1 = graph.reduce max %0 dims = [0, 1, 2] : tensor<33x9x16x6xf32> to tensor<6xf32> loc("n1")
  %2 = graph.broadcast %1 dims = [3] : tensor<6xf32> to tensor<33x9x16x6xf32> loc("n2")
  %3 = arith.subf %0, %2 : tensor<33x9x16x6xf32> loc("n3")
  return %3 : tensor<33x9x16x6xf32>
}
