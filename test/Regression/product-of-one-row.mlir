// A product with M = 1 or N = 1: its result's view does not depend on that dimension, but its tile has 32 elements
// there, which could not be stored. Found by tw-check --random=10.
// RUN: tw-check %s

func.func @one_row(%a: tensor<1x31xf32>, %b: tensor<31x48xf32>) -> tensor<1x48xf32> {
  %0 = graph.matmul %a, %b : tensor<1x31xf32>, tensor<31x48xf32> to tensor<1x48xf32>
  %1 = math.tanh %0 : tensor<1x48xf32>
  return %1 : tensor<1x48xf32>
}
func.func @one_column(%a: tensor<31x20xf32>, %b: tensor<20x1xf32>) -> tensor<31x1xf32> {
  %0 = graph.matmul %a, %b : tensor<31x20xf32>, tensor<20x1xf32> to tensor<31x1xf32>
  return %0 : tensor<31x1xf32>
}
