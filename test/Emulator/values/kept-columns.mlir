// Columns that a block keeps in shared memory for the passes over them, as few side by side as it has room for.
// Several blocks of a cluster share longer ones: what these hold of a column is folded by one thread, for all
// others of its block.
// RUN: tw-check %s --target=sm_90a --quiet
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s

func.func @softmax(%x: tensor<1030x2210xf32>) -> tensor<1030x2210xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<1030x2210xf32> to tensor<1030x2210xf32>
  return %0 : tensor<1030x2210xf32>
}

// CHECK: tile.kernel @{{.*}}tile.cluster = 16 {{.*}}tile = [64, 32]
func.func @shared_columns(%x: tensor<7100x544xf32> {check.data = "random:-20:20"}) -> tensor<7100x544xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<7100x544xf32> to tensor<7100x544xf32>
  return %0 : tensor<7100x544xf32>
}
