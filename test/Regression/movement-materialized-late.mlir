// A transpose that a later gather needs in memory, and that earlier ops had looked through: their groups no longer had
// an indexing when they were written, an assertion. Found by tw-check --random=202.
// RUN: tw-check %s

func.func @main(%x: tensor<33x33x1x1xf32>, %i: tensor<i64>) -> (tensor<1x33x33x1xf32>, tensor<33x33x1x1xf32>, tensor<1x33x1xf32>) {
  %0 = arith.mulf %x, %x : tensor<33x33x1x1xf32>
  %1 = graph.transpose %0 permutation = [2, 0, 1, 3] : tensor<33x33x1x1xf32> to tensor<1x33x33x1xf32>
  %2 = arith.mulf %1, %1 : tensor<1x33x33x1xf32>
  %3 = graph.softmax %0 dim = 1 : tensor<33x33x1x1xf32> to tensor<33x33x1x1xf32>
  %4 = graph.gather %1[%i] dim = 2 : tensor<1x33x33x1xf32>, tensor<i64> to tensor<1x33x1xf32>
  %5 = math.tanh %2 : tensor<1x33x33x1xf32>
  return %5, %3, %4 : tensor<1x33x33x1xf32>, tensor<33x33x1x1xf32>, tensor<1x33x1xf32>
}
