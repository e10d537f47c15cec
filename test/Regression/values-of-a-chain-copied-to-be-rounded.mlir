// Queries, keys and values are slices of one product, rounded to 16 bits where it is stored: a chain's second product took
// its right operand's rounding for that of its terms, which stays where it is, and values were copied by a kernel of
// their own. Found by the launches of a decoder's block.
// RUN: tw-compile %s --precision=bf16 --target=sm_90a --emit=fuse | FileCheck %s

// CHECK: plan.program
// CHECK: plan.launch @{{.+}}(%arg0, %arg1)
// CHECK-NEXT: plan.launch @{{.+}}(%0)
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @main(%x: tensor<1024x256xbf16> {graph.name = "x"}, %w: tensor<256x768xbf16> {graph.name = "w"}) -> (tensor<4x1024x64xf32> {graph.name = "o"}) {
  %0 = graph.matmul %x, %w : tensor<1024x256xbf16>, tensor<256x768xbf16> to tensor<1024x768xf32>
  %q0 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<1024x768xf32> to tensor<1024x256xf32>
  %k0 = graph.slice %0 offsets = [0, 256] strides = [1, 1] : tensor<1024x768xf32> to tensor<1024x256xf32>
  %v0 = graph.slice %0 offsets = [0, 512] strides = [1, 1] : tensor<1024x768xf32> to tensor<1024x256xf32>
  %q1 = graph.reshape %q0 : tensor<1024x256xf32> to tensor<1024x4x64xf32>
  %k1 = graph.reshape %k0 : tensor<1024x256xf32> to tensor<1024x4x64xf32>
  %v1 = graph.reshape %v0 : tensor<1024x256xf32> to tensor<1024x4x64xf32>
  %q = graph.transpose %q1 permutation = [1, 0, 2] : tensor<1024x4x64xf32> to tensor<4x1024x64xf32>
  %k = graph.transpose %k1 permutation = [1, 0, 2] : tensor<1024x4x64xf32> to tensor<4x1024x64xf32>
  %v = graph.transpose %v1 permutation = [1, 0, 2] : tensor<1024x4x64xf32> to tensor<4x1024x64xf32>
  %o = graph.attention %q, %k, %v scale = 0.125 : tensor<4x1024x64xf32>, tensor<4x1024x64xf32>, tensor<4x1024x64xf32> to tensor<4x1024x64xf32>
  return %o : tensor<4x1024x64xf32>
}
