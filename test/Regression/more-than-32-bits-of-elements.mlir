// 2.6 billion elements: dimensions are merged only as far as 32-bit indices reach, and addresses have 64 bits.
// Written for the limit; a single dimension beyond it is refused.
// RUN: tw-compile %s --emit=ptx | FileCheck %s
// RUN: not tw-compile %S/Inputs/one-long-dimension.mlir --emit=target -o %t 2>&1 | FileCheck %s --check-prefix=LONG

// CHECK: .entry exp(
// CHECK: mul.wide.u32
// LONG: error: a dimension of 3000000000 elements is more than the 2147418112 that kernels index
func.func @main(%x: tensor<65536x40000xf32>) -> tensor<65536x40000xf32> {
  %0 = math.exp %x : tensor<65536x40000xf32>
  return %0 : tensor<65536x40000xf32>
}
