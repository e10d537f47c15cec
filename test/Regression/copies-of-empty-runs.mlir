// A run of memory that begins behind what its tensor has, here beside another part of a concatenation, was copied to shared memory
// without its elements but with those before it in the same 16 bytes: a read outside of the tensor (an illegal access in a random
// program of 33 million elements on an H200, memory-371048).
// RUN: tw-check %s --target=sm_90a --quiet
// RUN: tw-compile %s --target=sm_90a --emit=schedule -o - | FileCheck %s

// CHECK: tile.copy_run
func.func @beside_another_part(%x: tensor<579510xbf16>) -> tensor<555818xbf16> {
  %0 = graph.slice %x offsets = [43693] strides = [1] : tensor<579510xbf16> to tensor<535817xbf16>
  %1 = math.absf %0 : tensor<535817xbf16>
  %c = arith.constant dense<0.0> : tensor<20001xbf16>
  %2 = graph.concat %1, %c dim = 0 : tensor<535817xbf16>, tensor<20001xbf16> to tensor<555818xbf16>
  return %2 : tensor<555818xbf16>
}
