// A run of memory that begins behind what its tensor has, here beside another part of a concatenation, was copied to shared memory
// without its elements but with those before it in the same 16 bytes: a read outside of the tensor (an illegal access in a random
// program of 33 million elements on an H200, memory-371048).
// RUN: tw-check %s --target=sm_90a --quiet
// RUN: tw-compile %s --target=sm_90a --emit=schedule -o - | FileCheck %s

// CHECK: tile.copy_run
func.func @beside_another_part(%x: tensor<8707x67xbf16>) -> tensor<8400x67xbf16> attributes {check.rtol = 8.0e-3} {
  %0 = graph.slice %x offsets = [653, 0] strides = [1, 1] : tensor<8707x67xbf16> to tensor<8054x67xbf16>
  %w = arith.extf %0 : tensor<8054x67xbf16> to tensor<8054x67xf32>
  %1 = graph.softmax %w dim = 1 : tensor<8054x67xf32> to tensor<8054x67xf32>
  %n = arith.truncf %1 : tensor<8054x67xf32> to tensor<8054x67xbf16>
  %c = arith.constant dense<0.0> : tensor<346x67xbf16>
  %2 = graph.concat %n, %c dim = 0 : tensor<8054x67xbf16>, tensor<346x67xbf16> to tensor<8400x67xbf16>
  return %2 : tensor<8400x67xbf16>
}
