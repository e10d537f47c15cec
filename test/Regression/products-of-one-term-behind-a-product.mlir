// Of a product that sums single terms its term, another product, was taken for something behind the sum.
// RUN: tw-check %s --precision=bf16 --rtol=3e-2
// RUN: tw-check %s --precision=bf16 --rtol=3e-2 --target=sm_90a
func.func @main(%x: tensor<32x33x4x1x1xf32>, %y: tensor<1x1xf32>, %z: tensor<32x33x4x1x1xf32>) -> tensor<32x33x4x1x1xf32> {
  %0 = graph.broadcast %y dims = [3, 4] : tensor<1x1xf32> to tensor<32x33x4x1x1xf32>
  %1 = graph.matmul %x, %0 : tensor<32x33x4x1x1xf32>, tensor<32x33x4x1x1xf32> to tensor<32x33x4x1x1xf32>
  %2 = graph.matmul %1, %z : tensor<32x33x4x1x1xf32>, tensor<32x33x4x1x1xf32> to tensor<32x33x4x1x1xf32>
  %3 = arith.mulf %2, %1 : tensor<32x33x4x1x1xf32>
  return %3 : tensor<32x33x4x1x1xf32>
}
func.func @columns(%x: tensor<64x48xbf16>, %y: tensor<48x1xbf16>, %z: tensor<1x40xbf16>) -> tensor<64x40xf32> {
  %0 = graph.matmul %x, %y : tensor<64x48xbf16>, tensor<48x1xbf16> to tensor<64x1xf32>
  %1 = arith.truncf %0 : tensor<64x1xf32> to tensor<64x1xbf16>
  %2 = graph.matmul %1, %z : tensor<64x1xbf16>, tensor<1x40xbf16> to tensor<64x40xf32>
  %3 = graph.broadcast %0 dims = [0, 1] : tensor<64x1xf32> to tensor<64x40xf32>
  %4 = arith.mulf %2, %3 : tensor<64x40xf32>
  return %4 : tensor<64x40xf32>
}
