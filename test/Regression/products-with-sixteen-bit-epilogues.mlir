// A product whose sums are rounded to 16 bits and then computed with in 16 bits: the pairs of a thread are rounded by one
// instruction each. Halves that were rounded one by one made ptxas let the products wait for one another (C7514): 42 us for 25
// on an H200.
// REQUIRES: ptxas
// RUN: tw-compile %s -o %t.tw --target=sm_90a --emulation=off --kernel-cache=off --remarks=%t.yaml 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: FileCheck %s < %t.yaml
// QUIET-NOT: warning
// CHECK-NOT: ProductBackedOff
// CHECK: Name: Resources
// CHECK-NOT: ProductBackedOff
func.func @main(%x: tensor<2048x1024xbf16>, %w: tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16> {
  %p = graph.matmul %x, %w : tensor<2048x1024xbf16>, tensor<1024x4096xbf16> to tensor<2048x4096xbf16>
  %zero = arith.constant dense<0.0> : tensor<2048x4096xbf16>
  %q = arith.maximumf %p, %zero : tensor<2048x4096xbf16>
  return %q : tensor<2048x4096xbf16>
}
