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

// Few rows and columns of matrices whose rows begin anywhere, long and short, in each order in memory.
func.func @two_rows(%x: tensor<2x333xbf16>, %w: tensor<333x207xbf16>) -> tensor<2x207xbf16> {
  %r = graph.matmul %x, %w : tensor<2x333xbf16>, tensor<333x207xbf16> to tensor<2x207xbf16>
  return %r : tensor<2x207xbf16>
}
func.func @three_rows_of_a_transposed_matrix(%x: tensor<3x205xbf16>, %w: tensor<111x205xbf16>) -> tensor<3x111xf32> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<111x205xbf16> to tensor<205x111xbf16>
  %r = graph.matmul %x, %t : tensor<3x205xbf16>, tensor<205x111xbf16> to tensor<3x111xf32>
  return %r : tensor<3x111xf32>
}
func.func @two_columns_and_what_follows(%w: tensor<301x77xf32>, %x: tensor<77x2xf32>, %b: tensor<301x2xf32>) -> tensor<301x2xf32> {
  %r = graph.matmul %w, %x : tensor<301x77xf32>, tensor<77x2xf32> to tensor<301x2xf32>
  %s = arith.addf %r, %b : tensor<301x2xf32>
  %y = math.tanh %s : tensor<301x2xf32>
  return %y : tensor<301x2xf32>
}
func.func @both_transposed(%x: tensor<65x5xbf16>, %w: tensor<41x65xbf16>) -> tensor<5x41xbf16> {
  %a = graph.transpose %x permutation = [1, 0] : tensor<65x5xbf16> to tensor<5x65xbf16>
  %t = graph.transpose %w permutation = [1, 0] : tensor<41x65xbf16> to tensor<65x41xbf16>
  %r = graph.matmul %a, %t : tensor<5x65xbf16>, tensor<65x41xbf16> to tensor<5x41xbf16>
  return %r : tensor<5x41xbf16>
}
