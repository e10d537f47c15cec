// Softmax, layer norm and RMS norm on any dimension and length: masked rows, huge means, every float type.
// RUN: tw-check %s --rtol=1e-5 --atol=1e-5 --quiet --target=sm_90a

func.func @softmax_33x67_dim_1(%x: tensor<33x67xf32> {check.data = "random:-9:9"}) -> tensor<33x67xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<33x67xf32> to tensor<33x67xf32>
  return %0 : tensor<33x67xf32>
}
func.func @softmax_33x67_dim_0(%x: tensor<33x67xf32> {check.data = "random:-9:9"}) -> tensor<33x67xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<33x67xf32> to tensor<33x67xf32>
  return %0 : tensor<33x67xf32>
}
func.func @softmax_5x37x7_dim_1(%x: tensor<5x37x7xf32> {check.data = "random:-9:9"}) -> tensor<5x37x7xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<5x37x7xf32> to tensor<5x37x7xf32>
  return %0 : tensor<5x37x7xf32>
}
func.func @softmax_3x1x9_dim_1(%x: tensor<3x1x9xf32> {check.data = "random:-9:9"}) -> tensor<3x1x9xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x1x9xf32> to tensor<3x1x9xf32>
  return %0 : tensor<3x1x9xf32>
}
func.func @softmax_7_dim_0(%x: tensor<7xf32> {check.data = "random:-9:9"}) -> tensor<7xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<7xf32> to tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @softmax_2x3x4x5_dim_2(%x: tensor<2x3x4x5xf32> {check.data = "random:-9:9"}) -> tensor<2x3x4x5xf32> {
  %0 = graph.softmax %x dim = 2 : tensor<2x3x4x5xf32> to tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}
func.func @softmax_4x8x128_dim_2(%x: tensor<4x8x128xf32> {check.data = "random:-9:9"}) -> tensor<4x8x128xf32> {
  %0 = graph.softmax %x dim = 2 : tensor<4x8x128xf32> to tensor<4x8x128xf32>
  return %0 : tensor<4x8x128xf32>
}
func.func @softmax_2x2x16x16_dim_3(%x: tensor<2x2x16x16xf32> {check.data = "random:-9:9"}) -> tensor<2x2x16x16xf32> {
  %0 = graph.softmax %x dim = 3 : tensor<2x2x16x16xf32> to tensor<2x2x16x16xf32>
  return %0 : tensor<2x2x16x16xf32>
}
func.func @softmax_3x1000_dim_1(%x: tensor<3x1000xf32> {check.data = "random:-9:9"}) -> tensor<3x1000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x1000xf32> to tensor<3x1000xf32>
  return %0 : tensor<3x1000xf32>
}
func.func @softmax_3x4000_dim_1(%x: tensor<3x4000xf32> {check.data = "random:-9:9"}) -> tensor<3x4000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x4000xf32> to tensor<3x4000xf32>
  return %0 : tensor<3x4000xf32>
}
func.func @softmax_300x2_dim_1(%x: tensor<300x2xf32> {check.data = "random:-9:9"}) -> tensor<300x2xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<300x2xf32> to tensor<300x2xf32>
  return %0 : tensor<300x2xf32>
}
func.func @softmax_masked(%x: tensor<6x33xf32>, %m: tensor<6x33xi1>) -> tensor<6x33xf32> {
  %inf = arith.constant dense<0xFF800000> : tensor<6x33xf32>
  %0 = arith.select %m, %x, %inf : tensor<6x33xi1>, tensor<6x33xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<6x33xf32> to tensor<6x33xf32>
  return %1 : tensor<6x33xf32>
}
func.func @softmax_all_masked(%x: tensor<4x33xf32> {check.data = "splat:-inf"}) -> tensor<4x33xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<4x33xf32> to tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}
func.func @softmax_special(%x: tensor<9x7xf32> {check.data = "special"}) -> tensor<9x7xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<9x7xf32> to tensor<9x7xf32>
  return %0 : tensor<9x7xf32>
}
func.func @softmax_large(%x: tensor<9x70xf32> {check.data = "random:1000:3000"}) -> tensor<9x70xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<9x70xf32> to tensor<9x70xf32>
  return %0 : tensor<9x70xf32>
}
func.func @softmax_f16(%x: tensor<9x70xf16>) -> tensor<9x70xf16> attributes {check.rtol = 4.0e-3, check.atol = 1.0e-3} {
  %0 = graph.softmax %x dim = 1 : tensor<9x70xf16> to tensor<9x70xf16>
  return %0 : tensor<9x70xf16>
}
func.func @layer_norm_f16(%x: tensor<9x70xf16>, %g: tensor<70xf16>) -> tensor<9x70xf16> attributes {check.rtol = 4.0e-3, check.atol = 8.0e-3} {
  %0 = graph.layer_norm %x scale(%g : tensor<70xf16>) dim = 1 epsilon = 1.0e-3 : tensor<9x70xf16> to tensor<9x70xf16>
  return %0 : tensor<9x70xf16>
}
func.func @softmax_bf16(%x: tensor<9x70xbf16>) -> tensor<9x70xbf16> attributes {check.rtol = 1.6e-2, check.atol = 1.0e-3} {
  %0 = graph.softmax %x dim = 1 : tensor<9x70xbf16> to tensor<9x70xbf16>
  return %0 : tensor<9x70xbf16>
}
func.func @layer_norm_bf16(%x: tensor<9x70xbf16>, %g: tensor<70xbf16>) -> tensor<9x70xbf16> attributes {check.rtol = 1.6e-2, check.atol = 8.0e-3} {
  %0 = graph.layer_norm %x scale(%g : tensor<70xbf16>) dim = 1 epsilon = 1.0e-3 : tensor<9x70xbf16> to tensor<9x70xbf16>
  return %0 : tensor<9x70xbf16>
}
func.func @softmax_f64(%x: tensor<9x70xf64>) -> tensor<9x70xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-14} {
  %0 = graph.softmax %x dim = 1 : tensor<9x70xf64> to tensor<9x70xf64>
  return %0 : tensor<9x70xf64>
}
func.func @layer_norm_f64(%x: tensor<9x70xf64>, %g: tensor<70xf64>) -> tensor<9x70xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = graph.layer_norm %x scale(%g : tensor<70xf64>) dim = 1 epsilon = 1.0e-3 : tensor<9x70xf64> to tensor<9x70xf64>
  return %0 : tensor<9x70xf64>
}
func.func @layer_norm_33x67_dim_1(%x: tensor<33x67xf32>, %g: tensor<67xf32>, %b: tensor<67xf32>) -> tensor<33x67xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<67xf32>) bias(%b : tensor<67xf32>) dim = 1 epsilon = 1.0e-5 : tensor<33x67xf32> to tensor<33x67xf32>
  return %0 : tensor<33x67xf32>
}
func.func @rms_norm_33x67_dim_1(%x: tensor<33x67xf32>, %g: tensor<67xf32>) -> tensor<33x67xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<67xf32>) dim = 1 epsilon = 1.0e-5 : tensor<33x67xf32> to tensor<33x67xf32>
  return %0 : tensor<33x67xf32>
}
func.func @layer_norm_33x384_dim_1(%x: tensor<33x384xf32>, %g: tensor<384xf32>, %b: tensor<384xf32>) -> tensor<33x384xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<384xf32>) bias(%b : tensor<384xf32>) dim = 1 epsilon = 1.0e-5 : tensor<33x384xf32> to tensor<33x384xf32>
  return %0 : tensor<33x384xf32>
}
func.func @rms_norm_33x384_dim_1(%x: tensor<33x384xf32>, %g: tensor<384xf32>) -> tensor<33x384xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<384xf32>) dim = 1 epsilon = 1.0e-5 : tensor<33x384xf32> to tensor<33x384xf32>
  return %0 : tensor<33x384xf32>
}
func.func @layer_norm_5x37x7_dim_1(%x: tensor<5x37x7xf32>, %g: tensor<37x7xf32>, %b: tensor<37x7xf32>) -> tensor<5x37x7xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<37x7xf32>) bias(%b : tensor<37x7xf32>) dim = 1 epsilon = 1.0e-5 : tensor<5x37x7xf32> to tensor<5x37x7xf32>
  return %0 : tensor<5x37x7xf32>
}
func.func @rms_norm_5x37x7_dim_1(%x: tensor<5x37x7xf32>, %g: tensor<37x7xf32>) -> tensor<5x37x7xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<37x7xf32>) dim = 1 epsilon = 1.0e-5 : tensor<5x37x7xf32> to tensor<5x37x7xf32>
  return %0 : tensor<5x37x7xf32>
}
func.func @layer_norm_7_dim_0(%x: tensor<7xf32>, %g: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<7xf32>) bias(%b : tensor<7xf32>) dim = 0 epsilon = 1.0e-5 : tensor<7xf32> to tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @rms_norm_7_dim_0(%x: tensor<7xf32>, %g: tensor<7xf32>) -> tensor<7xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<7xf32>) dim = 0 epsilon = 1.0e-5 : tensor<7xf32> to tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @layer_norm_2x3x4x5_dim_2(%x: tensor<2x3x4x5xf32>, %g: tensor<4x5xf32>, %b: tensor<4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<4x5xf32>) bias(%b : tensor<4x5xf32>) dim = 2 epsilon = 1.0e-5 : tensor<2x3x4x5xf32> to tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}
func.func @rms_norm_2x3x4x5_dim_2(%x: tensor<2x3x4x5xf32>, %g: tensor<4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<4x5xf32>) dim = 2 epsilon = 1.0e-5 : tensor<2x3x4x5xf32> to tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}
func.func @layer_norm_3x3000_dim_1(%x: tensor<3x3000xf32>, %g: tensor<3000xf32>, %b: tensor<3000xf32>) -> tensor<3x3000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<3000xf32>) bias(%b : tensor<3000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x3000xf32> to tensor<3x3000xf32>
  return %0 : tensor<3x3000xf32>
}
func.func @rms_norm_3x3000_dim_1(%x: tensor<3x3000xf32>, %g: tensor<3000xf32>) -> tensor<3x3000xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<3000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x3000xf32> to tensor<3x3000xf32>
  return %0 : tensor<3x3000xf32>
}
func.func @layer_norm_300x2_dim_1(%x: tensor<300x2xf32>, %g: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<300x2xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<2xf32>) bias(%b : tensor<2xf32>) dim = 1 epsilon = 1.0e-5 : tensor<300x2xf32> to tensor<300x2xf32>
  return %0 : tensor<300x2xf32>
}
func.func @rms_norm_300x2_dim_1(%x: tensor<300x2xf32>, %g: tensor<2xf32>) -> tensor<300x2xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<2xf32>) dim = 1 epsilon = 1.0e-5 : tensor<300x2xf32> to tensor<300x2xf32>
  return %0 : tensor<300x2xf32>
}
func.func @layer_norm_5x1_dim_1(%x: tensor<5x1xf32>, %g: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<5x1xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<1xf32>) bias(%b : tensor<1xf32>) dim = 1 epsilon = 1.0e-5 : tensor<5x1xf32> to tensor<5x1xf32>
  return %0 : tensor<5x1xf32>
}
func.func @rms_norm_5x1_dim_1(%x: tensor<5x1xf32>, %g: tensor<1xf32>) -> tensor<5x1xf32> {
  %0 = graph.rms_norm %x scale(%g : tensor<1xf32>) dim = 1 epsilon = 1.0e-5 : tensor<5x1xf32> to tensor<5x1xf32>
  return %0 : tensor<5x1xf32>
}
func.func @layer_norm_huge_mean(%x: tensor<9x384xf32> {check.data = "random:9999:10001"}) -> tensor<9x384xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<9x384xf32> to tensor<9x384xf32>
  return %0 : tensor<9x384xf32>
}
func.func @rms_norm_huge(%x: tensor<9x384xf32> {check.data = "random:9999:10001"}) -> tensor<9x384xf32> {
  %0 = graph.rms_norm %x dim = 1 epsilon = 1.0e-5 : tensor<9x384xf32> to tensor<9x384xf32>
  return %0 : tensor<9x384xf32>
}
func.func @residual_and_norm(%x: tensor<9x384xf32>, %y: tensor<9x384xf32>, %g: tensor<384xf32>) -> (tensor<9x384xf32>, tensor<9x384xf32>) {
  %0 = arith.addf %x, %y : tensor<9x384xf32>
  %1 = graph.layer_norm %0 scale(%g : tensor<384xf32>) dim = 1 epsilon = 1.0e-5 : tensor<9x384xf32> to tensor<9x384xf32>
  return %0, %1 : tensor<9x384xf32>, tensor<9x384xf32>
}
func.func @norm_then_gelu(%x: tensor<9x384xf32>) -> (tensor<9x384xf32>, tensor<9x384xf32>) {
  %1 = graph.rms_norm %x dim = 1 epsilon = 1.0e-5 : tensor<9x384xf32> to tensor<9x384xf32>
  %2 = graph.gelu erf %1 : tensor<9x384xf32>
  %3 = graph.gelu tanh %1 : tensor<9x384xf32>
  return %2, %3 : tensor<9x384xf32>, tensor<9x384xf32>
}
func.func @attention(%q: tensor<2x3x17x24xf32>, %k: tensor<2x3x33x24xf32>, %v: tensor<2x3x33x16xf32>, %m: tensor<2x3x17x33xf32>) -> tensor<2x3x17x16xf32> {
  %0 = graph.attention %q, %k, %v mask(%m : tensor<2x3x17x33xf32>) scale = 0.2 : tensor<2x3x17x24xf32>, tensor<2x3x33x24xf32>, tensor<2x3x33x16xf32> to tensor<2x3x17x16xf32>
  return %0 : tensor<2x3x17x16xf32>
}
func.func @rows_of_one(%x: tensor<40x1xf32> {check.data = "special"}) -> (tensor<40x1xf32>, tensor<40x1xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<40x1xf32> to tensor<40x1xf32>
  %1 = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<40x1xf32> to tensor<40x1xf32>
  return %0, %1 : tensor<40x1xf32>, tensor<40x1xf32>
}
