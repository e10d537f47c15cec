// Each part of what is joined is stored through slices of its own: the schedule's shared memory holds them all.
// RUN: tw-check %s --target=sm_90a

func.func @main(%lhs: tensor<33x128xf32>, %rhs: tensor<33x128xf32>, %scale: tensor<f32>, %row: tensor<33xf32>) -> tensor<99x33xf32> {
  %0 = graph.transpose %rhs permutation = [1, 0] : tensor<33x128xf32> to tensor<128x33xf32>
  %1 = graph.matmul %lhs, %0 : tensor<33x128xf32>, tensor<128x33xf32> to tensor<33x33xf32>
  %2 = math.absf %1 : tensor<33x33xf32>
  %3 = graph.broadcast %scale dims = [] : tensor<f32> to tensor<33x33xf32>
  %4 = graph.broadcast %row dims = [0] : tensor<33xf32> to tensor<33x33xf32>
  %5 = graph.concat %4, %3, %2 dim = 0 : tensor<33x33xf32>, tensor<33x33xf32>, tensor<33x33xf32> to tensor<99x33xf32>
  return %5 : tensor<99x33xf32>
}
