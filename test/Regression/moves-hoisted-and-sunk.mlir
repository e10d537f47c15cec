// A reshape between two others was hoisted through an op, sunk again, and so on without end: the graph stage failed
// without a message. Found by tw-check --random=62.
// RUN: tw-check %s --rtol=1e-2

func.func @main(%x: tensor<1x3x3xf32>, %y: tensor<1x3x3xf32>) -> tensor<9xf32> {
  %0 = arith.maximumf %x, %y : tensor<1x3x3xf32>
  %1 = graph.reshape %0 : tensor<1x3x3xf32> to tensor<3x3xf32>
  %2 = arith.subf %1, %1 : tensor<3x3xf32>
  %3 = graph.reshape %2 : tensor<3x3xf32> to tensor<9xf32>
  return %3 : tensor<9xf32>
}
// The same where the reshape's source has another use that is about to go. Found by tw-check --random=1536.
func.func @dying_use(%x: tensor<1x1x1xbf16>, %y: tensor<1x1xbf16>) -> tensor<1x1xbf16> {
  %0 = graph.broadcast %y dims = [0, 2] : tensor<1x1xbf16> to tensor<1x1x1xbf16>
  %1 = arith.maximumf %0, %x : tensor<1x1x1xbf16>
  %2 = arith.mulf %1, %1 : tensor<1x1x1xbf16>
  %3 = graph.reshape %2 : tensor<1x1x1xbf16> to tensor<1x1xbf16>
  return %3 : tensor<1x1xbf16>
}
