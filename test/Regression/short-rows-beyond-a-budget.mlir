// Rows so short that no equal part of what lies across them fits a block's budget: the choice of a tile went on for ever.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-5 --quiet
func.func @deviations(%x: tensor<2x3x4x5xf32>, %s: tensor<3xf32>, %m: tensor<3xf32>) -> (tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>) {
  %count = arith.constant dense<4.0e+01> : tensor<3xf32>
  %sum = graph.reduce sum %x dims = [0, 2, 3] : tensor<2x3x4x5xf32> to tensor<3xf32>
  %mean = arith.divf %sum, %count : tensor<3xf32>
  %means = graph.broadcast %mean dims = [1] : tensor<3xf32> to tensor<2x3x4x5xf32>
  %away = arith.subf %x, %means : tensor<2x3x4x5xf32>
  %square = arith.mulf %away, %away : tensor<2x3x4x5xf32>
  %squares = graph.reduce sum %square dims = [0, 2, 3] : tensor<2x3x4x5xf32> to tensor<3xf32>
  %variance = arith.divf %squares, %count : tensor<3xf32>
  %scale = arith.mulf %s, %variance : tensor<3xf32>
  %scales = graph.broadcast %scale dims = [1] : tensor<3xf32> to tensor<2x3x4x5xf32>
  %y = arith.mulf %x, %scales : tensor<2x3x4x5xf32>
  %new = arith.addf %m, %mean : tensor<3xf32>
  return %y, %new, %variance : tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>
}
