// A result of the kernel that several heads read was stored by the blocks of all of them; found by cases of grouped
// attention when the emulator began to report races between blocks.
// RUN: tw-check %s --quiet
func.func @shared_keys(%p: tensor<2x3x12x8xf32>, %n: tensor<2x3x6x8xf32>, %q: tensor<2x9x4x8xf32>) -> (tensor<2x9x4x18xf32>, tensor<2x3x18x8xf32>) attributes {check.rtol = 1.0e-4} {
  %c = arith.constant dense<0.5> : tensor<2x9x8x18xf32>
  %0 = graph.concat %p, %n dim = 2 : tensor<2x3x12x8xf32>, tensor<2x3x6x8xf32> to tensor<2x3x18x8xf32>
  %1 = graph.broadcast %0 dims = [0, 1, 3, 4] : tensor<2x3x18x8xf32> to tensor<2x3x3x18x8xf32>
  %2 = graph.reshape %1 : tensor<2x3x3x18x8xf32> to tensor<2x9x18x8xf32>
  %3 = graph.transpose %2 permutation = [0, 1, 3, 2] : tensor<2x9x18x8xf32> to tensor<2x9x8x18xf32>
  %4 = arith.mulf %3, %c : tensor<2x9x8x18xf32>
  %5 = graph.matmul %q, %4 : tensor<2x9x4x8xf32>, tensor<2x9x8x18xf32> to tensor<2x9x4x18xf32>
  return %5, %0 : tensor<2x9x4x18xf32>, tensor<2x3x18x8xf32>
}
