// A reshape between two others was hoisted through an op, sunk again, and so on without end: the graph stage failed
// without a message. Found by tw-check --random=62.
// RUN: tw-check %s

func.func @main(%x: tensor<1x3x3xf32>, %y: tensor<1x3x3xf32>) -> tensor<9xf32> {
  %0 = arith.maximumf %x, %y : tensor<1x3x3xf32>
  %1 = graph.reshape %0 : tensor<1x3x3xf32> to tensor<3x3xf32>
  %2 = arith.subf %1, %1 : tensor<3x3xf32>
  %3 = graph.reshape %2 : tensor<3x3xf32> to tensor<9xf32>
  return %3 : tensor<9xf32>
}
