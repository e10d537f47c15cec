// What is stored across runs too short for vectors that begin within them was not exchanged among threads: each of its elements
// went to a sector of its own (a random program of 48 million elements on an H200, memory-516427: 977 us, now 324).
// RUN: tw-check %s --target=sm_90a --quiet
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s

// The transpose's rows begin one element behind the padding's.
// CHECK: tile.convert_layout %{{.*}} to tensor<80x2x64xf32, #tile.layout<"{{.*}}lane=[{{\[}}1,0,0],[2,0,0],[4,0,0],[8,0,0],
// CHECK-NEXT: tile.store
func.func @beside_a_reduction(%x: tensor<72x402x39xf32>) -> (tensor<74x402x39xf32>, tensor<39x402x72xf32>) {
  %0 = graph.pad %x low = [1, 0, 0] high = [1, 0, 0] value = 0.0 : f32 : tensor<72x402x39xf32> to tensor<74x402x39xf32>
  %1 = graph.reduce max %0 dims = [0] : tensor<74x402x39xf32> to tensor<402x39xf32>
  %2 = graph.broadcast %1 dims = [1, 2] : tensor<402x39xf32> to tensor<74x402x39xf32>
  %3 = arith.addf %0, %2 : tensor<74x402x39xf32>
  %4 = graph.transpose %x permutation = [2, 1, 0] : tensor<72x402x39xf32> to tensor<39x402x72xf32>
  return %3, %4 : tensor<74x402x39xf32>, tensor<39x402x72xf32>
}
