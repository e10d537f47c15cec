// Reductions of one number become arithmetic of constants, which the kernel that had it folded: one that computes nothing.
// RUN: tw-check %s
func.func @least(%x: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf32>) {
  %half = arith.constant dense<0.5> : tensor<51x4xf16>
  %0 = graph.reduce min %half dims = [0] : tensor<51x4xf16> to tensor<4xf16>
  return %0, %x : tensor<4xf16>, tensor<4xf32>
}
func.func @of_products(%x: tensor<48x0xf16>, %y: tensor<0x17xf16>) -> tensor<17xf16> {
  %0 = graph.matmul %x, %y : tensor<48x0xf16>, tensor<0x17xf16> to tensor<48x17xf16>
  %1 = graph.reduce max %0 dims = [0] : tensor<48x17xf16> to tensor<17xf16>
  return %1 : tensor<17xf16>
}
func.func @sum(%x: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>) {
  %half = arith.constant dense<0.5> : tensor<51x4xbf16>
  %e = math.exp %half : tensor<51x4xbf16>
  %0 = graph.reduce sum %e dims = [0] : tensor<51x4xbf16> to tensor<4xbf16>
  %1 = arith.extf %0 : tensor<4xbf16> to tensor<4xf32>
  %2 = arith.addf %x, %1 : tensor<4xf32>
  return %0, %2 : tensor<4xbf16>, tensor<4xf32>
}
