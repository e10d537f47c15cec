// As accumulators-that-nobody-stores.mlir, of results in fp64: what keeps the registers in use takes words of 32 bits.
// REQUIRES: ptxas
// RUN: tw-compile %s -o %t.tw --target=sm_90a --emulation=off 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: warning
// QUIET-NOT: error
func.func @main(%x: tensor<9x2048xbf16>, %w: tensor<8192x2048xbf16>) -> tensor<9x8192xf64> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<8192x2048xbf16> to tensor<2048x8192xbf16>
  %p = graph.matmul %x, %t : tensor<9x2048xbf16>, tensor<2048x8192xbf16> to tensor<9x8192xf64>
  return %p : tensor<9x8192xf64>
}
