// A loop that sums columns along two dimensions had all of the inner one and two elements of the outer one at a time; what is
// stored with the outer one side by side was then written four bytes at a time (memory-785003, which has it, took 1.5 ms on an H200
// where 0.2 are modelled).
// RUN: tw-compile %s --emit=schedule -o - --target=sm_90a | FileCheck %s
// CHECK: tile = [128, 1, 1, 64]
func.func @main(%x: tensor<114x114x24x176xbf16>) -> (tensor<114x176xf32>, tensor<114x176x24x114xbf16>) {
  %0 = arith.extf %x : tensor<114x114x24x176xbf16> to tensor<114x114x24x176xf32>
  %1 = graph.reduce sum %0 dims = [0, 2] : tensor<114x114x24x176xf32> to tensor<114x176xf32>
  %2 = graph.transpose %x permutation = [1, 3, 2, 0] : tensor<114x114x24x176xbf16> to tensor<114x176x24x114xbf16>
  return %1, %2 : tensor<114x176xf32>, tensor<114x176x24x114xbf16>
}
