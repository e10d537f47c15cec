// A batch of products with M = 1: batch and M were merged into the rows of one product, whose right operand was then
// that of the first batch. Found by tw-check --random=25.
// RUN: tw-check %s

func.func @main(%a: tensor<17x1x1xf32>, %b: tensor<17x1x48xf32>) -> tensor<17x1x48xf32> {
  %0 = graph.matmul %a, %b : tensor<17x1x1xf32>, tensor<17x1x48xf32> to tensor<17x1x48xf32>
  return %0 : tensor<17x1x48xf32>
}
func.func @same_right_operand(%a: tensor<17x1x8xf32>, %b: tensor<8x48xf32>) -> tensor<17x1x48xf32> {
  %0 = graph.broadcast %b dims = [1, 2] : tensor<8x48xf32> to tensor<17x8x48xf32>
  %1 = graph.matmul %a, %0 : tensor<17x1x8xf32>, tensor<17x8x48xf32> to tensor<17x1x48xf32>
  return %1 : tensor<17x1x48xf32>
}
