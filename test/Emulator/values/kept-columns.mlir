// Columns that a block keeps in shared memory for the passes over them, as few side by side as it has room for.
// RUN: tw-check %s --target=sm_90a --quiet

func.func @softmax(%x: tensor<1030x2210xf32>) -> tensor<1030x2210xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<1030x2210xf32> to tensor<1030x2210xf32>
  return %0 : tensor<1030x2210xf32>
}
