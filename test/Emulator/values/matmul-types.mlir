// Products in fp16, bf16, tf32 and fp64: tensor cores and fused multiply-adds, on sizes that fill no tile.
// RUN: tw-check %s --quiet

func.func @f16_f32_1x2x3(%a: tensor<1x3xf16>, %b: tensor<3x2xf16>) -> tensor<1x2xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<1x3xf16>, tensor<3x2xf16> to tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
func.func @f16_f32_100x130x2(%a: tensor<100x2xf16>, %b: tensor<2x130xf16>) -> tensor<100x130xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<100x2xf16>, tensor<2x130xf16> to tensor<100x130xf32>
  return %0 : tensor<100x130xf32>
}
func.func @f16_f32_8x7x8(%a: tensor<8x8xf16>, %b: tensor<8x7xf16>) -> tensor<8x7xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<8x8xf16>, tensor<8x7xf16> to tensor<8x7xf32>
  return %0 : tensor<8x7xf32>
}
func.func @f16_f32_16x16x16(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>) -> tensor<16x16xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<16x16xf16>, tensor<16x16xf16> to tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @f16_f32_64x33x17(%a: tensor<64x17xf16>, %b: tensor<17x33xf16>) -> tensor<64x33xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<64x17xf16>, tensor<17x33xf16> to tensor<64x33xf32>
  return %0 : tensor<64x33xf32>
}
func.func @f16_f32_3x64x17(%a: tensor<3x17xf16>, %b: tensor<17x64xf16>) -> tensor<3x64xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<3x17xf16>, tensor<17x64xf16> to tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
}
func.func @f16_f32_130x100x64(%a: tensor<130x64xf16>, %b: tensor<64x100xf16>) -> tensor<130x100xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<130x64xf16>, tensor<64x100xf16> to tensor<130x100xf32>
  return %0 : tensor<130x100xf32>
}
func.func @f16_f32_130x130x130(%a: tensor<130x130xf16>, %b: tensor<130x130xf16>) -> tensor<130x130xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<130x130xf16>, tensor<130x130xf16> to tensor<130x130xf32>
  return %0 : tensor<130x130xf32>
}
func.func @f16_f32_1x64x64(%a: tensor<1x64xf16>, %b: tensor<64x64xf16>) -> tensor<1x64xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<1x64xf16>, tensor<64x64xf16> to tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}
func.func @f16_f32_64x1x64(%a: tensor<64x64xf16>, %b: tensor<64x1xf16>) -> tensor<64x1xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<64x64xf16>, tensor<64x1xf16> to tensor<64x1xf32>
  return %0 : tensor<64x1xf32>
}
func.func @f16_f32_64x64x1(%a: tensor<64x1xf16>, %b: tensor<1x64xf16>) -> tensor<64x64xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<64x1xf16>, tensor<1x64xf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func @bf16_f32_7x1x16(%a: tensor<7x16xbf16>, %b: tensor<16x1xbf16>) -> tensor<7x1xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<7x16xbf16>, tensor<16x1xbf16> to tensor<7x1xf32>
  return %0 : tensor<7x1xf32>
}
func.func @bf16_f32_3x33x2(%a: tensor<3x2xbf16>, %b: tensor<2x33xbf16>) -> tensor<3x33xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<3x2xbf16>, tensor<2x33xbf16> to tensor<3x33xf32>
  return %0 : tensor<3x33xf32>
}
func.func @bf16_f32_3x1x7(%a: tensor<3x7xbf16>, %b: tensor<7x1xbf16>) -> tensor<3x1xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<3x7xbf16>, tensor<7x1xbf16> to tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}
func.func @bf16_f32_2x16x33(%a: tensor<2x33xbf16>, %b: tensor<33x16xbf16>) -> tensor<2x16xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<2x33xbf16>, tensor<33x16xbf16> to tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
func.func @bf16_f32_33x1x8(%a: tensor<33x8xbf16>, %b: tensor<8x1xbf16>) -> tensor<33x1xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<33x8xbf16>, tensor<8x1xbf16> to tensor<33x1xf32>
  return %0 : tensor<33x1xf32>
}
func.func @bf16_f32_2x64x64(%a: tensor<2x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<2x64xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<2x64xbf16>, tensor<64x64xbf16> to tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}
func.func @bf16_f32_130x130x100(%a: tensor<130x100xbf16>, %b: tensor<100x130xbf16>) -> tensor<130x130xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<130x100xbf16>, tensor<100x130xbf16> to tensor<130x130xf32>
  return %0 : tensor<130x130xf32>
}
func.func @bf16_f32_130x130x130(%a: tensor<130x130xbf16>, %b: tensor<130x130xbf16>) -> tensor<130x130xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<130x130xbf16>, tensor<130x130xbf16> to tensor<130x130xf32>
  return %0 : tensor<130x130xf32>
}
func.func @bf16_f32_1x64x64(%a: tensor<1x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<1x64xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<1x64xbf16>, tensor<64x64xbf16> to tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}
func.func @bf16_f32_64x1x64(%a: tensor<64x64xbf16>, %b: tensor<64x1xbf16>) -> tensor<64x1xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x1xbf16> to tensor<64x1xf32>
  return %0 : tensor<64x1xf32>
}
func.func @bf16_f32_64x64x1(%a: tensor<64x1xbf16>, %b: tensor<1x64xbf16>) -> tensor<64x64xf32> attributes {check.rtol = 1.0e-5, check.atol = 1.0e-5} {
  %0 = graph.matmul %a, %b : tensor<64x1xbf16>, tensor<1x64xbf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func @f16_f16_33x8x1(%a: tensor<33x1xf16>, %b: tensor<1x8xf16>) -> tensor<33x8xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<33x1xf16>, tensor<1x8xf16> to tensor<33x8xf16>
  return %0 : tensor<33x8xf16>
}
func.func @f16_f16_1x3x64(%a: tensor<1x64xf16>, %b: tensor<64x3xf16>) -> tensor<1x3xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<1x64xf16>, tensor<64x3xf16> to tensor<1x3xf16>
  return %0 : tensor<1x3xf16>
}
func.func @f16_f16_8x3x1(%a: tensor<8x1xf16>, %b: tensor<1x3xf16>) -> tensor<8x3xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<8x1xf16>, tensor<1x3xf16> to tensor<8x3xf16>
  return %0 : tensor<8x3xf16>
}
func.func @f16_f16_17x2x16(%a: tensor<17x16xf16>, %b: tensor<16x2xf16>) -> tensor<17x2xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<17x16xf16>, tensor<16x2xf16> to tensor<17x2xf16>
  return %0 : tensor<17x2xf16>
}
func.func @f16_f16_100x33x130(%a: tensor<100x130xf16>, %b: tensor<130x33xf16>) -> tensor<100x33xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<100x130xf16>, tensor<130x33xf16> to tensor<100x33xf16>
  return %0 : tensor<100x33xf16>
}
func.func @f16_f16_100x17x7(%a: tensor<100x7xf16>, %b: tensor<7x17xf16>) -> tensor<100x17xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<100x7xf16>, tensor<7x17xf16> to tensor<100x17xf16>
  return %0 : tensor<100x17xf16>
}
func.func @f16_f16_16x100x130(%a: tensor<16x130xf16>, %b: tensor<130x100xf16>) -> tensor<16x100xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<16x130xf16>, tensor<130x100xf16> to tensor<16x100xf16>
  return %0 : tensor<16x100xf16>
}
func.func @f16_f16_130x130x130(%a: tensor<130x130xf16>, %b: tensor<130x130xf16>) -> tensor<130x130xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<130x130xf16>, tensor<130x130xf16> to tensor<130x130xf16>
  return %0 : tensor<130x130xf16>
}
func.func @f16_f16_1x64x64(%a: tensor<1x64xf16>, %b: tensor<64x64xf16>) -> tensor<1x64xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<1x64xf16>, tensor<64x64xf16> to tensor<1x64xf16>
  return %0 : tensor<1x64xf16>
}
func.func @f16_f16_64x1x64(%a: tensor<64x64xf16>, %b: tensor<64x1xf16>) -> tensor<64x1xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<64x64xf16>, tensor<64x1xf16> to tensor<64x1xf16>
  return %0 : tensor<64x1xf16>
}
func.func @f16_f16_64x64x1(%a: tensor<64x1xf16>, %b: tensor<1x64xf16>) -> tensor<64x64xf16> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<64x1xf16>, tensor<1x64xf16> to tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}
func.func @bf16_bf16_2x8x33(%a: tensor<2x33xbf16>, %b: tensor<33x8xbf16>) -> tensor<2x8xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<2x33xbf16>, tensor<33x8xbf16> to tensor<2x8xbf16>
  return %0 : tensor<2x8xbf16>
}
func.func @bf16_bf16_1x16x3(%a: tensor<1x3xbf16>, %b: tensor<3x16xbf16>) -> tensor<1x16xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<1x3xbf16>, tensor<3x16xbf16> to tensor<1x16xbf16>
  return %0 : tensor<1x16xbf16>
}
func.func @bf16_bf16_64x8x1(%a: tensor<64x1xbf16>, %b: tensor<1x8xbf16>) -> tensor<64x8xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<64x1xbf16>, tensor<1x8xbf16> to tensor<64x8xbf16>
  return %0 : tensor<64x8xbf16>
}
func.func @bf16_bf16_17x64x130(%a: tensor<17x130xbf16>, %b: tensor<130x64xbf16>) -> tensor<17x64xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<17x130xbf16>, tensor<130x64xbf16> to tensor<17x64xbf16>
  return %0 : tensor<17x64xbf16>
}
func.func @bf16_bf16_130x3x33(%a: tensor<130x33xbf16>, %b: tensor<33x3xbf16>) -> tensor<130x3xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<130x33xbf16>, tensor<33x3xbf16> to tensor<130x3xbf16>
  return %0 : tensor<130x3xbf16>
}
func.func @bf16_bf16_17x100x3(%a: tensor<17x3xbf16>, %b: tensor<3x100xbf16>) -> tensor<17x100xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<17x3xbf16>, tensor<3x100xbf16> to tensor<17x100xbf16>
  return %0 : tensor<17x100xbf16>
}
func.func @bf16_bf16_130x130x130(%a: tensor<130x130xbf16>, %b: tensor<130x130xbf16>) -> tensor<130x130xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<130x130xbf16>, tensor<130x130xbf16> to tensor<130x130xbf16>
  return %0 : tensor<130x130xbf16>
}
func.func @bf16_bf16_1x64x64(%a: tensor<1x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<1x64xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<1x64xbf16>, tensor<64x64xbf16> to tensor<1x64xbf16>
  return %0 : tensor<1x64xbf16>
}
func.func @bf16_bf16_64x1x64(%a: tensor<64x64xbf16>, %b: tensor<64x1xbf16>) -> tensor<64x1xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x1xbf16> to tensor<64x1xbf16>
  return %0 : tensor<64x1xbf16>
}
func.func @bf16_bf16_64x64x1(%a: tensor<64x1xbf16>, %b: tensor<1x64xbf16>) -> tensor<64x64xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<64x1xbf16>, tensor<1x64xbf16> to tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}
func.func @f64_f64_33x2x2(%a: tensor<33x2xf64>, %b: tensor<2x2xf64>) -> tensor<33x2xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<33x2xf64>, tensor<2x2xf64> to tensor<33x2xf64>
  return %0 : tensor<33x2xf64>
}
func.func @f64_f64_7x130x17(%a: tensor<7x17xf64>, %b: tensor<17x130xf64>) -> tensor<7x130xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<7x17xf64>, tensor<17x130xf64> to tensor<7x130xf64>
  return %0 : tensor<7x130xf64>
}
func.func @f64_f64_8x17x8(%a: tensor<8x8xf64>, %b: tensor<8x17xf64>) -> tensor<8x17xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<8x8xf64>, tensor<8x17xf64> to tensor<8x17xf64>
  return %0 : tensor<8x17xf64>
}
func.func @f64_f64_16x17x7(%a: tensor<16x7xf64>, %b: tensor<7x17xf64>) -> tensor<16x17xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<16x7xf64>, tensor<7x17xf64> to tensor<16x17xf64>
  return %0 : tensor<16x17xf64>
}
func.func @f64_f64_64x7x100(%a: tensor<64x100xf64>, %b: tensor<100x7xf64>) -> tensor<64x7xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<64x100xf64>, tensor<100x7xf64> to tensor<64x7xf64>
  return %0 : tensor<64x7xf64>
}
func.func @f64_f64_7x7x100(%a: tensor<7x100xf64>, %b: tensor<100x7xf64>) -> tensor<7x7xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<7x100xf64>, tensor<100x7xf64> to tensor<7x7xf64>
  return %0 : tensor<7x7xf64>
}
func.func @f64_f64_130x130x130(%a: tensor<130x130xf64>, %b: tensor<130x130xf64>) -> tensor<130x130xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<130x130xf64>, tensor<130x130xf64> to tensor<130x130xf64>
  return %0 : tensor<130x130xf64>
}
func.func @f64_f64_1x64x64(%a: tensor<1x64xf64>, %b: tensor<64x64xf64>) -> tensor<1x64xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<1x64xf64>, tensor<64x64xf64> to tensor<1x64xf64>
  return %0 : tensor<1x64xf64>
}
func.func @f64_f64_64x1x64(%a: tensor<64x64xf64>, %b: tensor<64x1xf64>) -> tensor<64x1xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<64x64xf64>, tensor<64x1xf64> to tensor<64x1xf64>
  return %0 : tensor<64x1xf64>
}
func.func @f64_f64_64x64x1(%a: tensor<64x1xf64>, %b: tensor<1x64xf64>) -> tensor<64x64xf64> attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.matmul %a, %b : tensor<64x1xf64>, tensor<1x64xf64> to tensor<64x64xf64>
  return %0 : tensor<64x64xf64>
}
func.func @tf32_1x2x3(%a: tensor<1x3xf32>, %b: tensor<3x2xf32>) -> tensor<1x2xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<1x3xf32>, tensor<3x2xf32> to tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
func.func @tf32_33x2x2(%a: tensor<33x2xf32>, %b: tensor<2x2xf32>) -> tensor<33x2xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<33x2xf32>, tensor<2x2xf32> to tensor<33x2xf32>
  return %0 : tensor<33x2xf32>
}
func.func @tf32_1x16x3(%a: tensor<1x3xf32>, %b: tensor<3x16xf32>) -> tensor<1x16xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<1x3xf32>, tensor<3x16xf32> to tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
func.func @tf32_8x3x1(%a: tensor<8x1xf32>, %b: tensor<1x3xf32>) -> tensor<8x3xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<8x1xf32>, tensor<1x3xf32> to tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
func.func @tf32_2x16x33(%a: tensor<2x33xf32>, %b: tensor<33x16xf32>) -> tensor<2x16xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<2x33xf32>, tensor<33x16xf32> to tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
func.func @tf32_64x33x17(%a: tensor<64x17xf32>, %b: tensor<17x33xf32>) -> tensor<64x33xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<64x17xf32>, tensor<17x33xf32> to tensor<64x33xf32>
  return %0 : tensor<64x33xf32>
}
func.func @tf32_64x7x100(%a: tensor<64x100xf32>, %b: tensor<100x7xf32>) -> tensor<64x7xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<64x100xf32>, tensor<100x7xf32> to tensor<64x7xf32>
  return %0 : tensor<64x7xf32>
}
func.func @tf32_17x100x3(%a: tensor<17x3xf32>, %b: tensor<3x100xf32>) -> tensor<17x100xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<17x3xf32>, tensor<3x100xf32> to tensor<17x100xf32>
  return %0 : tensor<17x100xf32>
}
func.func @tf32_16x100x130(%a: tensor<16x130xf32>, %b: tensor<130x100xf32>) -> tensor<16x100xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<16x130xf32>, tensor<130x100xf32> to tensor<16x100xf32>
  return %0 : tensor<16x100xf32>
}
func.func @tf32_130x130x130(%a: tensor<130x130xf32>, %b: tensor<130x130xf32>) -> tensor<130x130xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<130x130xf32>, tensor<130x130xf32> to tensor<130x130xf32>
  return %0 : tensor<130x130xf32>
}
func.func @tf32_1x64x64(%a: tensor<1x64xf32>, %b: tensor<64x64xf32>) -> tensor<1x64xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<1x64xf32>, tensor<64x64xf32> to tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}
func.func @tf32_64x1x64(%a: tensor<64x64xf32>, %b: tensor<64x1xf32>) -> tensor<64x1xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<64x64xf32>, tensor<64x1xf32> to tensor<64x1xf32>
  return %0 : tensor<64x1xf32>
}
func.func @tf32_64x64x1(%a: tensor<64x1xf32>, %b: tensor<1x64xf32>) -> tensor<64x64xf32> attributes {check.rtol = 1.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<64x1xf32>, tensor<1x64xf32> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
