// Products of one row or one column with matrices large enough to be sums along K, with what stands around them.
// RUN: tw-check %s --rtol=1e-4 --atol=1e-4

func.func @row(%a: tensor<1x600xbf16>, %b: tensor<600x500xbf16>, %c: tensor<500xf32>) -> tensor<1x500xf32> {
  %0 = graph.matmul %a, %b : tensor<1x600xbf16>, tensor<600x500xbf16> to tensor<1x500xf32>
  %1 = graph.broadcast %c dims = [1] : tensor<500xf32> to tensor<1x500xf32>
  %2 = arith.addf %0, %1 : tensor<1x500xf32>
  %3 = math.tanh %2 : tensor<1x500xf32>
  return %3 : tensor<1x500xf32>
}
func.func @row_of_a_transpose(%a: tensor<1x512xf32>, %b: tensor<520x512xf32>) -> tensor<1x520xf32> {
  %t = graph.transpose %b permutation = [1, 0] : tensor<520x512xf32> to tensor<512x520xf32>
  %0 = graph.matmul %a, %t : tensor<1x512xf32>, tensor<512x520xf32> to tensor<1x520xf32>
  return %0 : tensor<1x520xf32>
}
func.func @columns(%a: tensor<2x300x1000xf16>, %b: tensor<2x1000x1xf16>) -> tensor<2x300x1xf32> {
  %0 = graph.matmul %a, %b : tensor<2x300x1000xf16>, tensor<2x1000x1xf16> to tensor<2x300x1xf32>
  return %0 : tensor<2x300x1xf32>
}

// Results of 16 bits: the products are not rounded before they are added.
func.func @row_in_bf16(%a: tensor<1x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<1x64xbf16> attributes {check.rtol = 1.0e-2, check.atol = 4.0e-3} {
  %0 = graph.matmul %a, %b : tensor<1x64xbf16>, tensor<64x64xbf16> to tensor<1x64xbf16>
  return %0 : tensor<1x64xbf16>
}
