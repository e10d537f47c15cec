// A kernel that keeps columns of 130 elements was not charged for the other result, of which its blocks store single elements: the
// sectors of these are stored in parts, as those of kernels that keep nothing. The kernel enters at the tile stage.
// RUN: tw-compile %s --target=sm_90a --start-from=tile --stop-after=tile -o - | FileCheck %s

// CHECK: tile.kernel @k{{.*}}tile.beside = 73{{[0-9]+}} : i64{{.*}}tile.kept_bytes
graph.kernel anchor(reduction) @k(%x: tensor<6x6x130x2x1848xf32>) -> (tensor<130x1848x2x6x6xf32>, tensor<1848x2x6x6x130xf32>) {
  %0 = graph.reduce min %x dims = [2] : tensor<6x6x130x2x1848xf32> to tensor<6x6x2x1848xf32>
  %3 = graph.transpose %x permutation = [4, 3, 1, 0, 2] : tensor<6x6x130x2x1848xf32> to tensor<1848x2x6x6x130xf32>
  %1 = graph.broadcast %0 dims = [0, 1, 3, 4] : tensor<6x6x2x1848xf32> to tensor<6x6x130x2x1848xf32>
  %2 = graph.transpose %1 permutation = [4, 3, 1, 0, 2] : tensor<6x6x130x2x1848xf32> to tensor<1848x2x6x6x130xf32>
  %6 = arith.subf %3, %2 : tensor<1848x2x6x6x130xf32>
  %4 = graph.transpose %x permutation = [2, 4, 3, 1, 0] : tensor<6x6x130x2x1848xf32> to tensor<130x1848x2x6x6xf32>
  %5 = math.absf %4 : tensor<130x1848x2x6x6xf32>
  graph.return %5, %6 : tensor<130x1848x2x6x6xf32>, tensor<1848x2x6x6x130xf32>
}
plan.program @main(%x: tensor<6x6x130x2x1848xf32> {plan.name = "x"})
    -> (tensor<130x1848x2x6x6xf32> {plan.name = "a"}, tensor<1848x2x6x6x130xf32> {plan.name = "b"}) {
  %0:2 = plan.launch @k(%x) : (tensor<6x6x130x2x1848xf32>) -> (tensor<130x1848x2x6x6xf32>, tensor<1848x2x6x6x130xf32>)
  plan.return %0#0, %0#1 : tensor<130x1848x2x6x6xf32>, tensor<1848x2x6x6x130xf32>
}
