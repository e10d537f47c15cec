// Rows by groups of other types and of operands and results that lie otherwise: bytes and three tf32 products, whose operands a role
// of warps converts, rows that no tensor map describes, results and rows that lie across, padded results; on warpgroups and below.
// RUN: tw-check %s --target=sm_90a --rtol=1e-4 --atol=5e-3 --quiet
// RUN: tw-check %s --target=sm_80 --rtol=1e-4 --atol=5e-3 --quiet

func.func @fp8(%x: tensor<170x128xf8E4M3FN>, %w: tensor<3x128x128xf8E4M3FN>) -> tensor<170x128xf32> {
  %ends = arith.constant dense<[60, 140, 165]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<170x128xf8E4M3FN>, tensor<3x128x128xf8E4M3FN> to tensor<170x128xf32>
  return %0 : tensor<170x128xf32>
}
func.func @split(%x: tensor<170x128xf32>, %w: tensor<3x128x128xf32>) -> tensor<170x128xf32> {
  %ends = arith.constant dense<[60, 140, 165]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) precision = tf32x3 : tensor<170x128xf32>, tensor<3x128x128xf32> to tensor<170x128xf32>
  return %0 : tensor<170x128xf32>
}
func.func @odd(%x: tensor<170x122xbf16>, %w: tensor<3x122x127xbf16>) -> tensor<170x127xbf16> {
  %ends = arith.constant dense<[60, 140, 165]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<170x122xbf16>, tensor<3x122x127xbf16> to tensor<170x127xbf16>
  return %0 : tensor<170x127xbf16>
}
func.func @out_transposed(%x: tensor<170x128xbf16>, %w: tensor<3x128x128xbf16>, %r: tensor<128xf32>) -> tensor<128x170xf32> {
  %ends = arith.constant dense<[60, 140, 165]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<170x128xbf16>, tensor<3x128x128xbf16> to tensor<170x128xf32>
  %b = graph.broadcast %r dims = [1] : tensor<128xf32> to tensor<170x128xf32>
  %1 = arith.addf %0, %b : tensor<170x128xf32>
  %t = graph.transpose %1 permutation = [1, 0] : tensor<170x128xf32> to tensor<128x170xf32>
  return %t : tensor<128x170xf32>
}
func.func @x_transposed(%x: tensor<128x170xbf16>, %w: tensor<3x128x128xbf16>) -> tensor<170x128xf32> {
  %ends = arith.constant dense<[60, 140, 165]> : tensor<3xi32>
  %t = graph.transpose %x permutation = [1, 0] : tensor<128x170xbf16> to tensor<170x128xbf16>
  %0 = graph.matmul %t, %w groups(%ends : tensor<3xi32>) : tensor<170x128xbf16>, tensor<3x128x128xbf16> to tensor<170x128xf32>
  return %0 : tensor<170x128xf32>
}
func.func @padded_rows(%x: tensor<170x128xbf16>, %w: tensor<3x128x64xbf16>) -> tensor<190x64xf32> {
  %ends = arith.constant dense<[60, 140, 165]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<170x128xbf16>, tensor<3x128x64xbf16> to tensor<170x64xf32>
  %1 = graph.pad %0 low = [20, 0] high = [0, 0] value = 0.000000e+00 : f32 : tensor<170x64xf32> to tensor<190x64xf32>
  return %1 : tensor<190x64xf32>
}
