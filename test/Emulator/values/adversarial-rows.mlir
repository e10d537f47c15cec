// Softmax and norms where sums cancel or overflow, against fp64 and as exact as two passes: means far from the
// deviations, logits of either end of the range, infinities, masked rows, subnormal rows. In registers, several rows a
// block, in shared memory and in pieces.
// RUN: tw-check %s --quiet

func.func @softmax_far_logits(%x: tensor<4x1000xf32> {check.data = "random:-3.0e38:3.0e38"}) -> tensor<4x1000xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-7} {
  %0 = graph.softmax %x dim = 1 : tensor<4x1000xf32> to tensor<4x1000xf32>
  return %0 : tensor<4x1000xf32>
}
func.func @softmax_close_to_a_huge_value(%x: tensor<4x1000xf32> {check.data = "random:-4:4"}) -> tensor<4x1000xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-7} {
  %h = arith.constant dense<65536.0> : tensor<4x1000xf32>
  %s = arith.constant dense<0.125> : tensor<4x1000xf32>
  %w = math.roundeven %x : tensor<4x1000xf32>
  %q = arith.mulf %w, %s : tensor<4x1000xf32>
  %f = arith.addf %q, %h : tensor<4x1000xf32>
  %0 = graph.softmax %f dim = 1 : tensor<4x1000xf32> to tensor<4x1000xf32>
  return %0 : tensor<4x1000xf32>
}
func.func @softmax_subnormal(%x: tensor<4x300xf32> {check.data = "random:-1.0e-39:1.0e-39"}) -> tensor<4x300xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-7} {
  %0 = graph.softmax %x dim = 1 : tensor<4x300xf32> to tensor<4x300xf32>
  return %0 : tensor<4x300xf32>
}
func.func @softmax_with_infinities(%x: tensor<64x300xf32> {check.data = "special"}) -> tensor<64x300xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-7} {
  %0 = graph.softmax %x dim = 1 : tensor<64x300xf32> to tensor<64x300xf32>
  return %0 : tensor<64x300xf32>
}
func.func @softmax_rows_masked_but_one(%x: tensor<2x20480xf32>) -> tensor<2x20480xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-7} {
  %i = graph.iota dim = 1 : tensor<2x20480xi32>
  %last = arith.constant dense<20479> : tensor<2x20480xi32>
  %inf = arith.constant dense<0xFF800000> : tensor<2x20480xf32>
  %m = arith.cmpi eq, %i, %last : tensor<2x20480xi32>
  %v = arith.select %m, %x, %inf : tensor<2x20480xi1>, tensor<2x20480xf32>
  %0 = graph.softmax %v dim = 1 : tensor<2x20480xf32> to tensor<2x20480xf32>
  return %0 : tensor<2x20480xf32>
}
// A mean of 2^12 leaves fp32 inputs 2^-11 of the deviations' scale: they are whole multiples of it, so that only the
// sums round.
func.func @layer_norm_huge_mean(%x: tensor<6x1024xf32> {check.data = "random:-64:64"}) -> tensor<6x1024xf32> attributes {check.rtol = 2.0e-4, check.atol = 2.0e-4} {
  %h = arith.constant dense<65536.0> : tensor<6x1024xf32>
  %w = math.roundeven %x : tensor<6x1024xf32>
  %f = arith.addf %w, %h : tensor<6x1024xf32>
  %0 = graph.layer_norm %f dim = 1 epsilon = 1.0e-5 : tensor<6x1024xf32> to tensor<6x1024xf32>
  return %0 : tensor<6x1024xf32>
}
func.func @layer_norm_huge_mean_long(%x: tensor<2x20480xf32> {check.data = "random:-64:64"}) -> tensor<2x20480xf32> attributes {check.rtol = 2.0e-4, check.atol = 2.0e-4} {
  %h = arith.constant dense<65536.0> : tensor<2x20480xf32>
  %w = math.roundeven %x : tensor<2x20480xf32>
  %f = arith.addf %w, %h : tensor<2x20480xf32>
  %0 = graph.layer_norm %f dim = 1 epsilon = 1.0e-5 : tensor<2x20480xf32> to tensor<2x20480xf32>
  return %0 : tensor<2x20480xf32>
}
func.func @layer_norm_constant_rows(%x: tensor<6x1024xf32> {check.data = "splat:3.0"}) -> tensor<6x1024xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<6x1024xf32> to tensor<6x1024xf32>
  return %0 : tensor<6x1024xf32>
}
func.func @rms_norm_subnormal(%x: tensor<6x1024xf32> {check.data = "random:-1.0e-39:1.0e-39"}) -> tensor<6x1024xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-9} {
  %0 = graph.rms_norm %x dim = 1 epsilon = 1.0e-5 : tensor<6x1024xf32> to tensor<6x1024xf32>
  return %0 : tensor<6x1024xf32>
}
func.func @rms_norm_infinite(%x: tensor<16x64xf32> {check.data = "special"}) -> tensor<16x64xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.rms_norm %x dim = 1 epsilon = 1.0e-5 : tensor<16x64xf32> to tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
