// Values of reductions of short rows, which threads hold whole: rows of odd numbers of elements, of two tensors, of which elements
// are stored beside what they are reduced to, and rows at the end that a tile has no others of.
// RUN: tw-check %s --target=sm_90a --rtol=2e-5 --quiet

func.func @means_of_five(%x: tensor<40001x5xbf16>) -> (tensor<40001xf32>, tensor<40001xf32>) {
  %0 = arith.extf %x : tensor<40001x5xbf16> to tensor<40001x5xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<40001x5xf32> to tensor<40001xf32>
  %2 = math.tanh %1 : tensor<40001xf32>
  %3 = arith.mulf %1, %2 : tensor<40001xf32>
  %4 = math.absf %1 : tensor<40001xf32>
  return %3, %4 : tensor<40001xf32>, tensor<40001xf32>
}
func.func @largest_of_three(%x: tensor<30007x3xf32>, %y: tensor<30007x3xf32>) -> tensor<30007xf32> {
  %0 = arith.mulf %x, %y : tensor<30007x3xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<30007x3xf32> to tensor<30007xf32>
  %2 = math.erf %1 : tensor<30007xf32>
  %3 = math.tanh %2 : tensor<30007xf32>
  return %3 : tensor<30007xf32>
}
func.func @softmax_of_seven(%x: tensor<9x2048x7xf32>) -> (tensor<9x2048x7xf32>, tensor<9x2048xf32>) {
  %0 = graph.softmax %x dim = 2 : tensor<9x2048x7xf32> to tensor<9x2048x7xf32>
  %1 = graph.reduce min %x dims = [2] : tensor<9x2048x7xf32> to tensor<9x2048xf32>
  %2 = math.erf %1 : tensor<9x2048xf32>
  return %0, %2 : tensor<9x2048x7xf32>, tensor<9x2048xf32>
}
func.func @least_of_thirteen(%x: tensor<4099x13xf32>) -> tensor<4099xf32> {
  %0 = graph.reduce min %x dims = [1] : tensor<4099x13xf32> to tensor<4099xf32>
  %1 = math.tanh %0 : tensor<4099xf32>
  %2 = math.erf %1 : tensor<4099xf32>
  return %2 : tensor<4099xf32>
}
