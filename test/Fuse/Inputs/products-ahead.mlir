// Three products of one row, each of which reads the last one's result.
func.func @main(%x: tensor<1x2048xbf16>, %u: tensor<1024x2048xbf16>, %v: tensor<2048x1024xbf16>, %w: tensor<1024x2048xbf16>) -> tensor<1x1024xbf16> {
  %ut = graph.transpose %u permutation = [1, 0] : tensor<1024x2048xbf16> to tensor<2048x1024xbf16>
  %0 = graph.matmul %x, %ut : tensor<1x2048xbf16>, tensor<2048x1024xbf16> to tensor<1x1024xf32>
  %1 = arith.truncf %0 : tensor<1x1024xf32> to tensor<1x1024xbf16>
  %vt = graph.transpose %v permutation = [1, 0] : tensor<2048x1024xbf16> to tensor<1024x2048xbf16>
  %2 = graph.matmul %1, %vt : tensor<1x1024xbf16>, tensor<1024x2048xbf16> to tensor<1x2048xf32>
  %3 = arith.truncf %2 : tensor<1x2048xf32> to tensor<1x2048xbf16>
  %wt = graph.transpose %w permutation = [1, 0] : tensor<1024x2048xbf16> to tensor<2048x1024xbf16>
  %4 = graph.matmul %3, %wt : tensor<1x2048xbf16>, tensor<2048x1024xbf16> to tensor<1x1024xf32>
  %5 = arith.truncf %4 : tensor<1x1024xf32> to tensor<1x1024xbf16>
  return %5 : tensor<1x1024xbf16>
}
