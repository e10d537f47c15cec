// Reductions over every choice of dimensions, few long and many short rows, every type, and NaN on its way through.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-5 --quiet

func.func @last(%x: tensor<33x67xf32>) -> (tensor<33xf32>, tensor<33xf32>, tensor<33xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<33x67xf32> to tensor<33xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<33x67xf32> to tensor<33xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<33x67xf32> to tensor<33xf32>
  return %0, %1, %2 : tensor<33xf32>, tensor<33xf32>, tensor<33xf32>
}
func.func @first(%x: tensor<67x33xf32>) -> (tensor<33xf32>, tensor<33xf32>, tensor<33xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<67x33xf32> to tensor<33xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<67x33xf32> to tensor<33xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<67x33xf32> to tensor<33xf32>
  return %0, %1, %2 : tensor<33xf32>, tensor<33xf32>, tensor<33xf32>
}
func.func @middle(%x: tensor<5x37x7xf32>) -> (tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<5x37x7xf32> to tensor<5x7xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<5x37x7xf32> to tensor<5x7xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<5x37x7xf32> to tensor<5x7xf32>
  return %0, %1, %2 : tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>
}
func.func @outer_and_inner(%x: tensor<5x37x7xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>) {
  %0 = graph.reduce sum %x dims = [0, 2] : tensor<5x37x7xf32> to tensor<37xf32>
  %1 = graph.reduce max %x dims = [0, 2] : tensor<5x37x7xf32> to tensor<37xf32>
  %2 = graph.reduce min %x dims = [0, 2] : tensor<5x37x7xf32> to tensor<37xf32>
  return %0, %1, %2 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>
}
func.func @last_two(%x: tensor<6x5x37xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %0 = graph.reduce sum %x dims = [1, 2] : tensor<6x5x37xf32> to tensor<6xf32>
  %1 = graph.reduce max %x dims = [1, 2] : tensor<6x5x37xf32> to tensor<6xf32>
  %2 = graph.reduce min %x dims = [1, 2] : tensor<6x5x37xf32> to tensor<6xf32>
  return %0, %1, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
func.func @first_two(%x: tensor<5x37x6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %0 = graph.reduce sum %x dims = [0, 1] : tensor<5x37x6xf32> to tensor<6xf32>
  %1 = graph.reduce max %x dims = [0, 1] : tensor<5x37x6xf32> to tensor<6xf32>
  %2 = graph.reduce min %x dims = [0, 1] : tensor<5x37x6xf32> to tensor<6xf32>
  return %0, %1, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
func.func @all(%x: tensor<7x9x11xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = graph.reduce sum %x dims = [0, 1, 2] : tensor<7x9x11xf32> to tensor<f32>
  %1 = graph.reduce max %x dims = [0, 1, 2] : tensor<7x9x11xf32> to tensor<f32>
  %2 = graph.reduce min %x dims = [0, 1, 2] : tensor<7x9x11xf32> to tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @of_rank_5(%x: tensor<2x3x4x5x6xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>) {
  %0 = graph.reduce sum %x dims = [1, 3] : tensor<2x3x4x5x6xf32> to tensor<2x4x6xf32>
  %1 = graph.reduce max %x dims = [1, 3] : tensor<2x3x4x5x6xf32> to tensor<2x4x6xf32>
  %2 = graph.reduce min %x dims = [1, 3] : tensor<2x3x4x5x6xf32> to tensor<2x4x6xf32>
  return %0, %1, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>
}
func.func @inner_of_rank_5(%x: tensor<2x3x4x5x6xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  %0 = graph.reduce sum %x dims = [2, 4] : tensor<2x3x4x5x6xf32> to tensor<2x3x5xf32>
  %1 = graph.reduce max %x dims = [2, 4] : tensor<2x3x4x5x6xf32> to tensor<2x3x5xf32>
  %2 = graph.reduce min %x dims = [2, 4] : tensor<2x3x4x5x6xf32> to tensor<2x3x5xf32>
  return %0, %1, %2 : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>
}
func.func @of_size_1(%x: tensor<33x1x7xf32>) -> (tensor<33x7xf32>, tensor<33x7xf32>, tensor<33x7xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<33x1x7xf32> to tensor<33x7xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<33x1x7xf32> to tensor<33x7xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<33x1x7xf32> to tensor<33x7xf32>
  return %0, %1, %2 : tensor<33x7xf32>, tensor<33x7xf32>, tensor<33x7xf32>
}
func.func @size_1_and_more(%x: tensor<33x1x7xf32>) -> (tensor<33xf32>, tensor<33xf32>, tensor<33xf32>) {
  %0 = graph.reduce sum %x dims = [1, 2] : tensor<33x1x7xf32> to tensor<33xf32>
  %1 = graph.reduce max %x dims = [1, 2] : tensor<33x1x7xf32> to tensor<33xf32>
  %2 = graph.reduce min %x dims = [1, 2] : tensor<33x1x7xf32> to tensor<33xf32>
  return %0, %1, %2 : tensor<33xf32>, tensor<33xf32>, tensor<33xf32>
}
func.func @one_element(%x: tensor<1xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<1xf32> to tensor<f32>
  %1 = graph.reduce max %x dims = [0] : tensor<1xf32> to tensor<f32>
  %2 = graph.reduce min %x dims = [0] : tensor<1xf32> to tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @one_row(%x: tensor<1x300xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<1x300xf32> to tensor<1xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<1x300xf32> to tensor<1xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<1x300xf32> to tensor<1xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
func.func @one_column(%x: tensor<300x1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<300x1xf32> to tensor<1xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<300x1xf32> to tensor<1xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<300x1xf32> to tensor<1xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
func.func @vector(%x: tensor<1000xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<1000xf32> to tensor<f32>
  %1 = graph.reduce max %x dims = [0] : tensor<1000xf32> to tensor<f32>
  %2 = graph.reduce min %x dims = [0] : tensor<1000xf32> to tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @row_of_33(%x: tensor<3x33xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<3x33xf32> to tensor<3xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<3x33xf32> to tensor<3xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<3x33xf32> to tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @row_of_31(%x: tensor<3x31xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<3x31xf32> to tensor<3xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<3x31xf32> to tensor<3xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<3x31xf32> to tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @row_of_4097(%x: tensor<3x4097xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<3x4097xf32> to tensor<3xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<3x4097xf32> to tensor<3xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<3x4097xf32> to tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @tiny_rows(%x: tensor<5000x3xf32>) -> (tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<5000x3xf32> to tensor<5000xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<5000x3xf32> to tensor<5000xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<5000x3xf32> to tensor<5000xf32>
  return %0, %1, %2 : tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>
}
func.func @tiny_rows_of_4(%x: tensor<4096x4xf32>) -> (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<4096x4xf32> to tensor<4096xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<4096x4xf32> to tensor<4096xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<4096x4xf32> to tensor<4096xf32>
  return %0, %1, %2 : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>
}
func.func @wide_columns(%x: tensor<3x2000xf32>) -> (tensor<2000xf32>, tensor<2000xf32>, tensor<2000xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<3x2000xf32> to tensor<2000xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<3x2000xf32> to tensor<2000xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<3x2000xf32> to tensor<2000xf32>
  return %0, %1, %2 : tensor<2000xf32>, tensor<2000xf32>, tensor<2000xf32>
}
func.func @tall_columns(%x: tensor<2000x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<2000x3xf32> to tensor<3xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<2000x3xf32> to tensor<3xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<2000x3xf32> to tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @tall_columns_of_64(%x: tensor<1000x64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<1000x64xf32> to tensor<64xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<1000x64xf32> to tensor<64xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<1000x64xf32> to tensor<64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
func.func @tall_columns_of_130(%x: tensor<513x130xf32>) -> (tensor<130xf32>, tensor<130xf32>, tensor<130xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<513x130xf32> to tensor<130xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<513x130xf32> to tensor<130xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<513x130xf32> to tensor<130xf32>
  return %0, %1, %2 : tensor<130xf32>, tensor<130xf32>, tensor<130xf32>
}
func.func @product(%x: tensor<33x9xf32> {check.data = "random:0.5:1.5"}) -> tensor<33xf32> {
  %0 = graph.reduce prod %x dims = [1] : tensor<33x9xf32> to tensor<33xf32>
  return %0 : tensor<33xf32>
}
func.func @product_columns(%x: tensor<9x33xf32> {check.data = "random:0.5:1.5"}) -> tensor<33xf32> {
  %0 = graph.reduce prod %x dims = [0] : tensor<9x33xf32> to tensor<33xf32>
  return %0 : tensor<33xf32>
}
func.func @i32_rows(%x: tensor<33x67xi32> {check.data = "random:-2:3"}) -> (tensor<33xi32>, tensor<33xi32>, tensor<33xi32>, tensor<33xi32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<33x67xi32> to tensor<33xi32>
  %1 = graph.reduce max %x dims = [1] : tensor<33x67xi32> to tensor<33xi32>
  %2 = graph.reduce min %x dims = [1] : tensor<33x67xi32> to tensor<33xi32>
  %3 = graph.reduce prod %x dims = [1] : tensor<33x67xi32> to tensor<33xi32>
  return %0, %1, %2, %3 : tensor<33xi32>, tensor<33xi32>, tensor<33xi32>, tensor<33xi32>
}
func.func @i64_all(%x: tensor<33x67xi64> {check.data = "random:-1000:1000"}) -> (tensor<i64>, tensor<i64>, tensor<i64>) {
  %0 = graph.reduce sum %x dims = [0, 1] : tensor<33x67xi64> to tensor<i64>
  %1 = graph.reduce max %x dims = [0, 1] : tensor<33x67xi64> to tensor<i64>
  %2 = graph.reduce min %x dims = [0, 1] : tensor<33x67xi64> to tensor<i64>
  return %0, %1, %2 : tensor<i64>, tensor<i64>, tensor<i64>
}
func.func @i8_rows(%x: tensor<33x67xi8> {check.data = "random:-100:100"}) -> (tensor<33xi8>, tensor<33xi8>, tensor<33xi8>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<33x67xi8> to tensor<33xi8>
  %1 = graph.reduce max %x dims = [1] : tensor<33x67xi8> to tensor<33xi8>
  %2 = graph.reduce min %x dims = [1] : tensor<33x67xi8> to tensor<33xi8>
  return %0, %1, %2 : tensor<33xi8>, tensor<33xi8>, tensor<33xi8>
}
func.func @i16_columns(%x: tensor<67x33xi16> {check.data = "random:-1000:1000"}) -> (tensor<33xi16>, tensor<33xi16>, tensor<33xi16>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<67x33xi16> to tensor<33xi16>
  %1 = graph.reduce max %x dims = [0] : tensor<67x33xi16> to tensor<33xi16>
  %2 = graph.reduce min %x dims = [0] : tensor<67x33xi16> to tensor<33xi16>
  return %0, %1, %2 : tensor<33xi16>, tensor<33xi16>, tensor<33xi16>
}
func.func @f64_rows(%x: tensor<33x67xf64>) -> (tensor<33xf64>, tensor<33xf64>, tensor<33xf64>) attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.reduce sum %x dims = [1] : tensor<33x67xf64> to tensor<33xf64>
  %1 = graph.reduce max %x dims = [1] : tensor<33x67xf64> to tensor<33xf64>
  %2 = graph.reduce min %x dims = [1] : tensor<33x67xf64> to tensor<33xf64>
  return %0, %1, %2 : tensor<33xf64>, tensor<33xf64>, tensor<33xf64>
}
func.func @f64_columns(%x: tensor<67x33xf64>) -> (tensor<33xf64>, tensor<33xf64>, tensor<33xf64>) attributes {check.rtol = 1.0e-13, check.atol = 1.0e-13} {
  %0 = graph.reduce sum %x dims = [0] : tensor<67x33xf64> to tensor<33xf64>
  %1 = graph.reduce max %x dims = [0] : tensor<67x33xf64> to tensor<33xf64>
  %2 = graph.reduce min %x dims = [0] : tensor<67x33xf64> to tensor<33xf64>
  return %0, %1, %2 : tensor<33xf64>, tensor<33xf64>, tensor<33xf64>
}
func.func @f16_rows(%x: tensor<33x267xf16>) -> (tensor<33xf16>, tensor<33xf16>, tensor<33xf16>) attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.reduce sum %x dims = [1] : tensor<33x267xf16> to tensor<33xf16>
  %1 = graph.reduce max %x dims = [1] : tensor<33x267xf16> to tensor<33xf16>
  %2 = graph.reduce min %x dims = [1] : tensor<33x267xf16> to tensor<33xf16>
  return %0, %1, %2 : tensor<33xf16>, tensor<33xf16>, tensor<33xf16>
}
func.func @bf16_rows(%x: tensor<33x267xbf16>) -> (tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>) attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.reduce sum %x dims = [1] : tensor<33x267xbf16> to tensor<33xbf16>
  %1 = graph.reduce max %x dims = [1] : tensor<33x267xbf16> to tensor<33xbf16>
  %2 = graph.reduce min %x dims = [1] : tensor<33x267xbf16> to tensor<33xbf16>
  return %0, %1, %2 : tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>
}
func.func @bf16_columns(%x: tensor<267x33xbf16>) -> (tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>) attributes {check.rtol = 8.0e-3, check.atol = 1.0e-3} {
  %0 = graph.reduce sum %x dims = [0] : tensor<267x33xbf16> to tensor<33xbf16>
  %1 = graph.reduce max %x dims = [0] : tensor<267x33xbf16> to tensor<33xbf16>
  %2 = graph.reduce min %x dims = [0] : tensor<267x33xbf16> to tensor<33xbf16>
  return %0, %1, %2 : tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>
}
func.func @special_rows(%x: tensor<17x67xf32> {check.data = "special"}) -> (tensor<17xf32>, tensor<17xf32>, tensor<17xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<17x67xf32> to tensor<17xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<17x67xf32> to tensor<17xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<17x67xf32> to tensor<17xf32>
  return %0, %1, %2 : tensor<17xf32>, tensor<17xf32>, tensor<17xf32>
}
func.func @special_columns(%x: tensor<67x17xf32> {check.data = "special"}) -> (tensor<17xf32>, tensor<17xf32>, tensor<17xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<67x17xf32> to tensor<17xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<67x17xf32> to tensor<17xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<67x17xf32> to tensor<17xf32>
  return %0, %1, %2 : tensor<17xf32>, tensor<17xf32>, tensor<17xf32>
}
func.func @special_all(%x: tensor<67x3xf32> {check.data = "special"}) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = graph.reduce sum %x dims = [0, 1] : tensor<67x3xf32> to tensor<f32>
  %1 = graph.reduce max %x dims = [0, 1] : tensor<67x3xf32> to tensor<f32>
  %2 = graph.reduce min %x dims = [0, 1] : tensor<67x3xf32> to tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @two_levels(%x: tensor<19x45xf32>) -> (tensor<19xf32>, tensor<19x45xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<19x45xf32> to tensor<19xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<19xf32> to tensor<19x45xf32>
  %2 = arith.subf %x, %1 : tensor<19x45xf32>
  %3 = graph.reduce max %2 dims = [1] : tensor<19x45xf32> to tensor<19xf32>
  return %3, %2 : tensor<19xf32>, tensor<19x45xf32>
}
func.func @rows_and_columns(%x: tensor<19x45xf32>) -> (tensor<19xf32>, tensor<45xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<19x45xf32> to tensor<19xf32>
  %1 = graph.reduce sum %x dims = [0] : tensor<19x45xf32> to tensor<45xf32>
  return %0, %1 : tensor<19xf32>, tensor<45xf32>
}
func.func @of_a_transpose(%x: tensor<19x45xf32>) -> tensor<45xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<19x45xf32> to tensor<45x19xf32>
  %1 = math.absf %0 : tensor<45x19xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<45x19xf32> to tensor<45xf32>
  return %2 : tensor<45xf32>
}
func.func @of_an_iota() -> tensor<7xi64> {
  %0 = graph.iota dim = 1 : tensor<7x100xi64>
  %1 = graph.reduce sum %0 dims = [1] : tensor<7x100xi64> to tensor<7xi64>
  return %1 : tensor<7xi64>
}
func.func @of_a_slice(%x: tensor<19x45xf32>) -> tensor<9xf32> {
  %0 = graph.slice %x offsets = [18, 3] strides = [-2, 3] : tensor<19x45xf32> to tensor<9x13xf32>
  %2 = graph.reduce sum %0 dims = [1] : tensor<9x13xf32> to tensor<9xf32>
  return %2 : tensor<9xf32>
}
func.func @of_a_pad(%x: tensor<19x45xf32>) -> tensor<20xf32> {
  %0 = graph.pad %x low = [1, 3] high = [0, 2] value = 2.5 : f32 : tensor<19x45xf32> to tensor<20x50xf32>
  %2 = graph.reduce min %0 dims = [1] : tensor<20x50xf32> to tensor<20xf32>
  return %2 : tensor<20xf32>
}
