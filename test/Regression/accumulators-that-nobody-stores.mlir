// Products of 9 rows in tiles of 16: threads have accumulators of rows 9, 11, 13 and 15 that none of them stores. ptxas let the
// products wait for one another where a register of theirs has no reader (C7514).
// REQUIRES: ptxas
// RUN: tw-compile %s -o %t.tw --target=sm_90a --emulation=off --kernel-cache=off --remarks=%t.yaml 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: FileCheck %s < %t.yaml
// RUN: tw-compile %s --emit=ptx -o - --target=sm_90a | FileCheck %s --check-prefix=PTX
// QUIET-NOT: warning
// CHECK-NOT: ProductBackedOff
// CHECK: Name: Resources
// CHECK-NOT: ProductBackedOff
// PTX: wgmma.mma_async.sync.aligned.m64n16k16
// PTX: @p nanosleep
func.func @main(%x: tensor<9x2048xbf16>, %w: tensor<8192x2048xbf16>) -> tensor<9x8192xbf16> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<8192x2048xbf16> to tensor<2048x8192xbf16>
  %p = graph.matmul %x, %t : tensor<9x2048xbf16>, tensor<2048x8192xbf16> to tensor<9x8192xf32>
  %y = arith.truncf %p : tensor<9x8192xf32> to tensor<9x8192xbf16>
  return %y : tensor<9x8192xbf16>
}
