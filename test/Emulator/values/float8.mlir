// 8-bit floats outside of products: read, written, moved, rounded to nearest even; beyond the largest number infinity or, in
// f8E4M3FN, not-a-number; clamped to it where the program says so.
// RUN: tw-check %s --quiet

func.func @widen(%x: tensor<301xf8E4M3FN>, %y: tensor<301xf8E5M2>) -> (tensor<301xf32>, tensor<301xbf16>) {
  %0 = arith.extf %x : tensor<301xf8E4M3FN> to tensor<301xf32>
  %1 = arith.extf %y : tensor<301xf8E5M2> to tensor<301xbf16>
  return %0, %1 : tensor<301xf32>, tensor<301xbf16>
}
func.func @narrow(%x: tensor<64x33xf32>) -> (tensor<64x33xf8E4M3FN>, tensor<64x33xf8E5M2>) {
  %big = arith.constant dense<100000.0> : tensor<64x33xf32>
  %cube = arith.mulf %x, %x : tensor<64x33xf32>
  %0 = arith.mulf %cube, %x : tensor<64x33xf32>
  %1 = arith.mulf %0, %big : tensor<64x33xf32>
  %2 = arith.truncf %1 : tensor<64x33xf32> to tensor<64x33xf8E4M3FN>
  %3 = arith.truncf %1 : tensor<64x33xf32> to tensor<64x33xf8E5M2>
  return %2, %3 : tensor<64x33xf8E4M3FN>, tensor<64x33xf8E5M2>
}
func.func @small(%x: tensor<1000xf32>) -> (tensor<1000xf8E4M3FN>, tensor<1000xf8E5M2>) {
  %c = arith.constant dense<0.01> : tensor<1000xf32>
  %0 = arith.mulf %x, %c : tensor<1000xf32>
  %1 = arith.mulf %0, %c : tensor<1000xf32>
  %2 = arith.truncf %0 : tensor<1000xf32> to tensor<1000xf8E4M3FN>
  %3 = arith.truncf %1 : tensor<1000xf32> to tensor<1000xf8E5M2>
  return %2, %3 : tensor<1000xf8E4M3FN>, tensor<1000xf8E5M2>
}
func.func @clamped(%x: tensor<1000xf32>) -> tensor<1000xf8E4M3FN> {
  %c = arith.constant dense<1000.0> : tensor<1000xf32>
  %high = arith.constant dense<448.0> : tensor<1000xf32>
  %low = arith.constant dense<-448.0> : tensor<1000xf32>
  %0 = arith.mulf %x, %c : tensor<1000xf32>
  %1 = arith.maximumf %0, %low : tensor<1000xf32>
  %2 = arith.minimumf %1, %high : tensor<1000xf32>
  %3 = arith.truncf %2 : tensor<1000xf32> to tensor<1000xf8E4M3FN>
  return %3 : tensor<1000xf8E4M3FN>
}
func.func @moved(%x: tensor<40x70xf8E5M2>, %m: tensor<70x40xi1>) -> tensor<70x40xf8E5M2> {
  %t = graph.transpose %x permutation = [1, 0] : tensor<40x70xf8E5M2> to tensor<70x40xf8E5M2>
  %one = arith.constant dense<1.0> : tensor<70x40xf8E5M2>
  %s = arith.select %m, %t, %one : tensor<70x40xi1>, tensor<70x40xf8E5M2>
  return %s : tensor<70x40xf8E5M2>
}
// A quantized linear layer: the program's products become products of the 8-bit values.
func.func @quantized(%x: tensor<32x64xf32>, %w: tensor<48x64xf8E4M3FN>, %rows: tensor<48xf32>) -> tensor<32x48xf32> attributes {check.rtol = 1.0e-4, check.atol = 1.0e-3} {
  %scale = arith.constant dense<0.01> : tensor<32x64xf32>
  %q = arith.divf %x, %scale : tensor<32x64xf32>
  %8 = arith.truncf %q : tensor<32x64xf32> to tensor<32x64xf8E4M3FN>
  %9 = arith.extf %8 : tensor<32x64xf8E4M3FN> to tensor<32x64xf32>
  %a = arith.mulf %9, %scale : tensor<32x64xf32>
  %e = arith.extf %w : tensor<48x64xf8E4M3FN> to tensor<48x64xf32>
  %s = graph.broadcast %rows dims = [0] : tensor<48xf32> to tensor<48x64xf32>
  %b = arith.mulf %e, %s : tensor<48x64xf32>
  %t = graph.transpose %b permutation = [1, 0] : tensor<48x64xf32> to tensor<64x48xf32>
  %0 = graph.matmul %a, %t : tensor<32x64xf32>, tensor<64x48xf32> to tensor<32x48xf32>
  return %0 : tensor<32x48xf32>
}
