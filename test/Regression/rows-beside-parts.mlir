// A row that every place reads, beside values in a part of the domain: its own result took the part's bounds along a
// dimension that it does not depend on, and blocks all over that dimension stored it at once.
// Found by tw-check --random=830015 --memory=launch.
// RUN: tw-check %s
func.func @main(%x: tensor<64x40x12xf32>, %row: tensor<12xf32>) -> (tensor<128x40x12xf32>, tensor<64x40x12xf32>, tensor<12xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x40x12xf32>
  %norm = graph.rms_norm %x scale(%row : tensor<12xf32>) dim = 2 epsilon = 1.000000e-02 : tensor<64x40x12xf32> to tensor<64x40x12xf32>
  %joined = graph.concat %x, %zero dim = 0 : tensor<64x40x12xf32>, tensor<64x40x12xf32> to tensor<128x40x12xf32>
  %twice = arith.addf %row, %row : tensor<12xf32>
  return %joined, %norm, %twice : tensor<128x40x12xf32>, tensor<64x40x12xf32>, tensor<12xf32>
}
