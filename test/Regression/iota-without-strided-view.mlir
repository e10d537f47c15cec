// The index along a dimension that a later reshape takes apart is no strided view, an assertion; and in 8 bits the
// digits of a larger tensor's index ran over. Found by tw-check --random=238 and a value test.
// RUN: tw-check %s --rtol=0 --atol=0

func.func @reshaped(%x: tensor<4x3xi32>) -> tensor<4x34x3xi32> {
  %0 = graph.iota dim = 1 : tensor<17x24xi32>
  %1 = graph.reshape %0 : tensor<17x24xi32> to tensor<4x34x3xi32>
  %2 = graph.broadcast %x dims = [0, 2] : tensor<4x3xi32> to tensor<4x34x3xi32>
  %3 = arith.xori %1, %2 : tensor<4x34x3xi32>
  return %3 : tensor<4x34x3xi32>
}
func.func @narrow() -> tensor<5x7x9xi8> {
  %0 = graph.iota dim = 0 : tensor<5x7x9xi8>
  return %0 : tensor<5x7x9xi8>
}
