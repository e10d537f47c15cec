// fp32 products of every size from 1 to 130 in every place: sizes that fill no tile, one tile, and several.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-5 --quiet

func.func @f32_1x2x3(%a: tensor<1x3xf32>, %b: tensor<3x2xf32>) -> tensor<1x2xf32> {
  %0 = graph.matmul %a, %b : tensor<1x3xf32>, tensor<3x2xf32> to tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
func.func @f32_7x1x16(%a: tensor<7x16xf32>, %b: tensor<16x1xf32>) -> tensor<7x1xf32> {
  %0 = graph.matmul %a, %b : tensor<7x16xf32>, tensor<16x1xf32> to tensor<7x1xf32>
  return %0 : tensor<7x1xf32>
}
func.func @f32_33x8x1(%a: tensor<33x1xf32>, %b: tensor<1x8xf32>) -> tensor<33x8xf32> {
  %0 = graph.matmul %a, %b : tensor<33x1xf32>, tensor<1x8xf32> to tensor<33x8xf32>
  return %0 : tensor<33x8xf32>
}
func.func @f32_2x8x33(%a: tensor<2x33xf32>, %b: tensor<33x8xf32>) -> tensor<2x8xf32> {
  %0 = graph.matmul %a, %b : tensor<2x33xf32>, tensor<33x8xf32> to tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
func.func @f32_33x2x2(%a: tensor<33x2xf32>, %b: tensor<2x2xf32>) -> tensor<33x2xf32> {
  %0 = graph.matmul %a, %b : tensor<33x2xf32>, tensor<2x2xf32> to tensor<33x2xf32>
  return %0 : tensor<33x2xf32>
}
func.func @f32_100x130x2(%a: tensor<100x2xf32>, %b: tensor<2x130xf32>) -> tensor<100x130xf32> {
  %0 = graph.matmul %a, %b : tensor<100x2xf32>, tensor<2x130xf32> to tensor<100x130xf32>
  return %0 : tensor<100x130xf32>
}
func.func @f32_3x33x2(%a: tensor<3x2xf32>, %b: tensor<2x33xf32>) -> tensor<3x33xf32> {
  %0 = graph.matmul %a, %b : tensor<3x2xf32>, tensor<2x33xf32> to tensor<3x33xf32>
  return %0 : tensor<3x33xf32>
}
func.func @f32_1x3x64(%a: tensor<1x64xf32>, %b: tensor<64x3xf32>) -> tensor<1x3xf32> {
  %0 = graph.matmul %a, %b : tensor<1x64xf32>, tensor<64x3xf32> to tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func @f32_1x16x3(%a: tensor<1x3xf32>, %b: tensor<3x16xf32>) -> tensor<1x16xf32> {
  %0 = graph.matmul %a, %b : tensor<1x3xf32>, tensor<3x16xf32> to tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
func.func @f32_7x130x17(%a: tensor<7x17xf32>, %b: tensor<17x130xf32>) -> tensor<7x130xf32> {
  %0 = graph.matmul %a, %b : tensor<7x17xf32>, tensor<17x130xf32> to tensor<7x130xf32>
  return %0 : tensor<7x130xf32>
}
func.func @f32_8x7x8(%a: tensor<8x8xf32>, %b: tensor<8x7xf32>) -> tensor<8x7xf32> {
  %0 = graph.matmul %a, %b : tensor<8x8xf32>, tensor<8x7xf32> to tensor<8x7xf32>
  return %0 : tensor<8x7xf32>
}
func.func @f32_3x1x7(%a: tensor<3x7xf32>, %b: tensor<7x1xf32>) -> tensor<3x1xf32> {
  %0 = graph.matmul %a, %b : tensor<3x7xf32>, tensor<7x1xf32> to tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}
func.func @f32_8x3x1(%a: tensor<8x1xf32>, %b: tensor<1x3xf32>) -> tensor<8x3xf32> {
  %0 = graph.matmul %a, %b : tensor<8x1xf32>, tensor<1x3xf32> to tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
func.func @f32_64x8x1(%a: tensor<64x1xf32>, %b: tensor<1x8xf32>) -> tensor<64x8xf32> {
  %0 = graph.matmul %a, %b : tensor<64x1xf32>, tensor<1x8xf32> to tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
func.func @f32_8x17x8(%a: tensor<8x8xf32>, %b: tensor<8x17xf32>) -> tensor<8x17xf32> {
  %0 = graph.matmul %a, %b : tensor<8x8xf32>, tensor<8x17xf32> to tensor<8x17xf32>
  return %0 : tensor<8x17xf32>
}
func.func @f32_16x16x16(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = graph.matmul %a, %b : tensor<16x16xf32>, tensor<16x16xf32> to tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @f32_2x16x33(%a: tensor<2x33xf32>, %b: tensor<33x16xf32>) -> tensor<2x16xf32> {
  %0 = graph.matmul %a, %b : tensor<2x33xf32>, tensor<33x16xf32> to tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
func.func @f32_17x2x16(%a: tensor<17x16xf32>, %b: tensor<16x2xf32>) -> tensor<17x2xf32> {
  %0 = graph.matmul %a, %b : tensor<17x16xf32>, tensor<16x2xf32> to tensor<17x2xf32>
  return %0 : tensor<17x2xf32>
}
func.func @f32_17x64x130(%a: tensor<17x130xf32>, %b: tensor<130x64xf32>) -> tensor<17x64xf32> {
  %0 = graph.matmul %a, %b : tensor<17x130xf32>, tensor<130x64xf32> to tensor<17x64xf32>
  return %0 : tensor<17x64xf32>
}
func.func @f32_16x17x7(%a: tensor<16x7xf32>, %b: tensor<7x17xf32>) -> tensor<16x17xf32> {
  %0 = graph.matmul %a, %b : tensor<16x7xf32>, tensor<7x17xf32> to tensor<16x17xf32>
  return %0 : tensor<16x17xf32>
}
func.func @f32_64x33x17(%a: tensor<64x17xf32>, %b: tensor<17x33xf32>) -> tensor<64x33xf32> {
  %0 = graph.matmul %a, %b : tensor<64x17xf32>, tensor<17x33xf32> to tensor<64x33xf32>
  return %0 : tensor<64x33xf32>
}
func.func @f32_33x1x8(%a: tensor<33x8xf32>, %b: tensor<8x1xf32>) -> tensor<33x1xf32> {
  %0 = graph.matmul %a, %b : tensor<33x8xf32>, tensor<8x1xf32> to tensor<33x1xf32>
  return %0 : tensor<33x1xf32>
}
func.func @f32_100x33x130(%a: tensor<100x130xf32>, %b: tensor<130x33xf32>) -> tensor<100x33xf32> {
  %0 = graph.matmul %a, %b : tensor<100x130xf32>, tensor<130x33xf32> to tensor<100x33xf32>
  return %0 : tensor<100x33xf32>
}
func.func @f32_130x3x33(%a: tensor<130x33xf32>, %b: tensor<33x3xf32>) -> tensor<130x3xf32> {
  %0 = graph.matmul %a, %b : tensor<130x33xf32>, tensor<33x3xf32> to tensor<130x3xf32>
  return %0 : tensor<130x3xf32>
}
func.func @f32_64x7x100(%a: tensor<64x100xf32>, %b: tensor<100x7xf32>) -> tensor<64x7xf32> {
  %0 = graph.matmul %a, %b : tensor<64x100xf32>, tensor<100x7xf32> to tensor<64x7xf32>
  return %0 : tensor<64x7xf32>
}
func.func @f32_3x64x17(%a: tensor<3x17xf32>, %b: tensor<17x64xf32>) -> tensor<3x64xf32> {
  %0 = graph.matmul %a, %b : tensor<3x17xf32>, tensor<17x64xf32> to tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
}
func.func @f32_2x64x64(%a: tensor<2x64xf32>, %b: tensor<64x64xf32>) -> tensor<2x64xf32> {
  %0 = graph.matmul %a, %b : tensor<2x64xf32>, tensor<64x64xf32> to tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}
func.func @f32_100x17x7(%a: tensor<100x7xf32>, %b: tensor<7x17xf32>) -> tensor<100x17xf32> {
  %0 = graph.matmul %a, %b : tensor<100x7xf32>, tensor<7x17xf32> to tensor<100x17xf32>
  return %0 : tensor<100x17xf32>
}
func.func @f32_17x100x3(%a: tensor<17x3xf32>, %b: tensor<3x100xf32>) -> tensor<17x100xf32> {
  %0 = graph.matmul %a, %b : tensor<17x3xf32>, tensor<3x100xf32> to tensor<17x100xf32>
  return %0 : tensor<17x100xf32>
}
func.func @f32_7x7x100(%a: tensor<7x100xf32>, %b: tensor<100x7xf32>) -> tensor<7x7xf32> {
  %0 = graph.matmul %a, %b : tensor<7x100xf32>, tensor<100x7xf32> to tensor<7x7xf32>
  return %0 : tensor<7x7xf32>
}
func.func @f32_130x100x64(%a: tensor<130x64xf32>, %b: tensor<64x100xf32>) -> tensor<130x100xf32> {
  %0 = graph.matmul %a, %b : tensor<130x64xf32>, tensor<64x100xf32> to tensor<130x100xf32>
  return %0 : tensor<130x100xf32>
}
func.func @f32_130x130x100(%a: tensor<130x100xf32>, %b: tensor<100x130xf32>) -> tensor<130x130xf32> {
  %0 = graph.matmul %a, %b : tensor<130x100xf32>, tensor<100x130xf32> to tensor<130x130xf32>
  return %0 : tensor<130x130xf32>
}
func.func @f32_16x100x130(%a: tensor<16x130xf32>, %b: tensor<130x100xf32>) -> tensor<16x100xf32> {
  %0 = graph.matmul %a, %b : tensor<16x130xf32>, tensor<130x100xf32> to tensor<16x100xf32>
  return %0 : tensor<16x100xf32>
}
