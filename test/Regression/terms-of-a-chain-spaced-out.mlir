// Attention over an odd number of keys became three kernels again: the rows of its terms, which lie in no memory, were spaced
// out for a product that would have read them there. Found by attention over 333 keys under --precision=bf16.
// RUN: tw-opt %s --pass-pipeline='builtin.module(graph-decompose-named,fuse-chain-products{target=sm_90a always},fuse-align-operands{always})' | FileCheck %s

// CHECK: %[[T:.+]] = arith.truncf
// CHECK-NOT: graph.pad
// CHECK: graph.matmul %[[T]], %arg2 {graph.chain}
func.func @main(%q: tensor<2x269x64xbf16>, %kt: tensor<2x64x333xbf16>, %v: tensor<2x333x64xbf16>) -> tensor<2x269x64xf32> {
  %s = graph.matmul %q, %kt : tensor<2x269x64xbf16>, tensor<2x64x333xbf16> to tensor<2x269x333xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x269x333xf32> to tensor<2x269x333xf32>
  %t = arith.truncf %p : tensor<2x269x333xf32> to tensor<2x269x333xbf16>
  %0 = graph.matmul %t, %v : tensor<2x269x333xbf16>, tensor<2x333x64xbf16> to tensor<2x269x64xf32>
  return %0 : tensor<2x269x64xf32>
}
