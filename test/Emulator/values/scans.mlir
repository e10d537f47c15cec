// Running sums, products, maxima and minima along every dimension, from either end: rows in one warp, over several
// warps, in several rounds and in a loop; elementwise neighbours, transposes and reductions beside them.
// RUN: tw-check %s --rtol=4e-6 --atol=2e-5 --quiet

func.func @short_rows(%x: tensor<33x7xf32>) -> (tensor<33x7xf32>, tensor<33x7xf32>, tensor<33x7xf32>, tensor<33x7xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<33x7xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<33x7xf32>
  %2 = graph.scan max %x dim = 1 : tensor<33x7xf32>
  %3 = graph.scan max %x dim = 1 reverse : tensor<33x7xf32>
  return %0, %1, %2, %3 : tensor<33x7xf32>, tensor<33x7xf32>, tensor<33x7xf32>, tensor<33x7xf32>
}
func.func @rows(%x: tensor<9x67xf32>) -> (tensor<9x67xf32>, tensor<9x67xf32>, tensor<9x67xf32>, tensor<9x67xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<9x67xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<9x67xf32>
  %2 = graph.scan max %x dim = 1 : tensor<9x67xf32>
  %3 = graph.scan max %x dim = 1 reverse : tensor<9x67xf32>
  return %0, %1, %2, %3 : tensor<9x67xf32>, tensor<9x67xf32>, tensor<9x67xf32>, tensor<9x67xf32>
}
func.func @rows_of_warps(%x: tensor<3x1000xf32>) -> (tensor<3x1000xf32>, tensor<3x1000xf32>, tensor<3x1000xf32>, tensor<3x1000xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<3x1000xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<3x1000xf32>
  %2 = graph.scan max %x dim = 1 : tensor<3x1000xf32>
  %3 = graph.scan max %x dim = 1 reverse : tensor<3x1000xf32>
  return %0, %1, %2, %3 : tensor<3x1000xf32>, tensor<3x1000xf32>, tensor<3x1000xf32>, tensor<3x1000xf32>
}
func.func @one_row(%x: tensor<5000xf32>) -> (tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<5000xf32>
  %1 = graph.scan sum %x dim = 0 reverse : tensor<5000xf32>
  %2 = graph.scan max %x dim = 0 : tensor<5000xf32>
  %3 = graph.scan max %x dim = 0 reverse : tensor<5000xf32>
  return %0, %1, %2, %3 : tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>
}
func.func @rows_in_rounds(%x: tensor<2x9216xf32>) -> (tensor<2x9216xf32>, tensor<2x9216xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<2x9216xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<2x9216xf32>
  return %0, %1 : tensor<2x9216xf32>, tensor<2x9216xf32>
}
func.func @rows_in_a_loop(%x: tensor<1x70000xf32>) -> (tensor<1x70000xf32>, tensor<1x70000xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<1x70000xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<1x70000xf32>
  return %0, %1 : tensor<1x70000xf32>, tensor<1x70000xf32>
}
func.func @columns(%x: tensor<67x33xf32>) -> (tensor<67x33xf32>, tensor<67x33xf32>, tensor<67x33xf32>, tensor<67x33xf32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<67x33xf32>
  %1 = graph.scan sum %x dim = 0 reverse : tensor<67x33xf32>
  %2 = graph.scan max %x dim = 0 : tensor<67x33xf32>
  %3 = graph.scan max %x dim = 0 reverse : tensor<67x33xf32>
  return %0, %1, %2, %3 : tensor<67x33xf32>, tensor<67x33xf32>, tensor<67x33xf32>, tensor<67x33xf32>
}
func.func @tall_columns(%x: tensor<3000x40xf32>) -> (tensor<3000x40xf32>, tensor<3000x40xf32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<3000x40xf32>
  %1 = graph.scan sum %x dim = 0 reverse : tensor<3000x40xf32>
  return %0, %1 : tensor<3000x40xf32>, tensor<3000x40xf32>
}
func.func @middle(%x: tensor<3x50x5xf32>) -> (tensor<3x50x5xf32>, tensor<3x50x5xf32>, tensor<3x50x5xf32>, tensor<3x50x5xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<3x50x5xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<3x50x5xf32>
  %2 = graph.scan max %x dim = 1 : tensor<3x50x5xf32>
  %3 = graph.scan max %x dim = 1 reverse : tensor<3x50x5xf32>
  return %0, %1, %2, %3 : tensor<3x50x5xf32>, tensor<3x50x5xf32>, tensor<3x50x5xf32>, tensor<3x50x5xf32>
}
func.func @size_1(%x: tensor<5x1x3xf32>) -> (tensor<5x1x3xf32>, tensor<5x1x3xf32>, tensor<5x1x3xf32>, tensor<5x1x3xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<5x1x3xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<5x1x3xf32>
  %2 = graph.scan max %x dim = 1 : tensor<5x1x3xf32>
  %3 = graph.scan max %x dim = 1 reverse : tensor<5x1x3xf32>
  return %0, %1, %2, %3 : tensor<5x1x3xf32>, tensor<5x1x3xf32>, tensor<5x1x3xf32>, tensor<5x1x3xf32>
}
func.func @scalar_row(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<1xf32>
  %1 = graph.scan sum %x dim = 0 reverse : tensor<1xf32>
  %2 = graph.scan max %x dim = 0 : tensor<1xf32>
  %3 = graph.scan max %x dim = 0 reverse : tensor<1xf32>
  return %0, %1, %2, %3 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
func.func @products(%x: tensor<6x40xf32> {check.data = "random:1:2"}) -> (tensor<6x40xf32>, tensor<6x40xf32>, tensor<6x40xf32>, tensor<6x40xf32>) {
  %0 = graph.scan prod %x dim = 1 : tensor<6x40xf32>
  %1 = graph.scan prod %x dim = 1 reverse : tensor<6x40xf32>
  %2 = graph.scan min %x dim = 1 : tensor<6x40xf32>
  %3 = graph.scan min %x dim = 1 reverse : tensor<6x40xf32>
  return %0, %1, %2, %3 : tensor<6x40xf32>, tensor<6x40xf32>, tensor<6x40xf32>, tensor<6x40xf32>
}
func.func @special(%x: tensor<8x90xf32> {check.data = "special"}) -> (tensor<8x90xf32>, tensor<8x90xf32>, tensor<8x90xf32>, tensor<8x90xf32>) {
  %0 = graph.scan max %x dim = 1 : tensor<8x90xf32>
  %1 = graph.scan max %x dim = 1 reverse : tensor<8x90xf32>
  %2 = graph.scan min %x dim = 1 : tensor<8x90xf32>
  %3 = graph.scan min %x dim = 1 reverse : tensor<8x90xf32>
  return %0, %1, %2, %3 : tensor<8x90xf32>, tensor<8x90xf32>, tensor<8x90xf32>, tensor<8x90xf32>
}
func.func @of_i64(%x: tensor<5x130xi64>) -> (tensor<5x130xi64>, tensor<5x130xi64>, tensor<5x130xi64>, tensor<5x130xi64>) {
  %0 = graph.scan sum %x dim = 1 : tensor<5x130xi64>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<5x130xi64>
  %2 = graph.scan max %x dim = 1 : tensor<5x130xi64>
  %3 = graph.scan max %x dim = 1 reverse : tensor<5x130xi64>
  return %0, %1, %2, %3 : tensor<5x130xi64>, tensor<5x130xi64>, tensor<5x130xi64>, tensor<5x130xi64>
}
func.func @of_i32(%x: tensor<5x130xi32>) -> (tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<5x130xi32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<5x130xi32>
  %2 = graph.scan prod %x dim = 1 : tensor<5x130xi32>
  %3 = graph.scan prod %x dim = 1 reverse : tensor<5x130xi32>
  %4 = graph.scan max %x dim = 1 : tensor<5x130xi32>
  %5 = graph.scan max %x dim = 1 reverse : tensor<5x130xi32>
  %6 = graph.scan min %x dim = 1 : tensor<5x130xi32>
  %7 = graph.scan min %x dim = 1 reverse : tensor<5x130xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>, tensor<5x130xi32>
}
func.func @of_i8(%x: tensor<5x130xi8>) -> (tensor<5x130xi8>, tensor<5x130xi8>, tensor<5x130xi8>, tensor<5x130xi8>) {
  %0 = graph.scan sum %x dim = 1 : tensor<5x130xi8>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<5x130xi8>
  %2 = graph.scan max %x dim = 1 : tensor<5x130xi8>
  %3 = graph.scan max %x dim = 1 reverse : tensor<5x130xi8>
  return %0, %1, %2, %3 : tensor<5x130xi8>, tensor<5x130xi8>, tensor<5x130xi8>, tensor<5x130xi8>
}
func.func @of_f64(%x: tensor<5x130xf64>) -> (tensor<5x130xf64>, tensor<5x130xf64>, tensor<5x130xf64>, tensor<5x130xf64>) {
  %0 = graph.scan sum %x dim = 1 : tensor<5x130xf64>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<5x130xf64>
  %2 = graph.scan max %x dim = 1 : tensor<5x130xf64>
  %3 = graph.scan max %x dim = 1 reverse : tensor<5x130xf64>
  return %0, %1, %2, %3 : tensor<5x130xf64>, tensor<5x130xf64>, tensor<5x130xf64>, tensor<5x130xf64>
}
func.func @of_f16(%x: tensor<5x130xf16>, %y: tensor<7x64xbf16>) -> (tensor<5x130xf16>, tensor<7x64xbf16>) {
  %0 = graph.scan sum %x dim = 1 : tensor<5x130xf16>
  %1 = graph.scan sum %y dim = 0 reverse : tensor<7x64xbf16>
  return %0, %1 : tensor<5x130xf16>, tensor<7x64xbf16>
}
func.func @between(%x: tensor<12x200xf32>, %y: tensor<200xf32>) -> tensor<12x200xf32> {
  %0 = math.absf %x : tensor<12x200xf32>
  %1 = graph.scan sum %0 dim = 1 : tensor<12x200xf32>
  %2 = graph.broadcast %y dims = [1] : tensor<200xf32> to tensor<12x200xf32>
  %3 = arith.mulf %1, %2 : tensor<12x200xf32>
  return %3 : tensor<12x200xf32>
}
func.func @beside_a_reduction(%x: tensor<12x200xf32>) -> (tensor<12x200xf32>, tensor<12xf32>) {
  %0 = graph.reduce max %x dims = [1] : tensor<12x200xf32> to tensor<12xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<12xf32> to tensor<12x200xf32>
  %2 = arith.subf %x, %1 : tensor<12x200xf32>
  %3 = graph.scan sum %2 dim = 1 : tensor<12x200xf32>
  %4 = graph.reduce min %3 dims = [1] : tensor<12x200xf32> to tensor<12xf32>
  return %3, %4 : tensor<12x200xf32>, tensor<12xf32>
}
func.func @beside_a_long_reduction(%x: tensor<1x50000xf32>) -> (tensor<1x50000xf32>, tensor<1xf32>) {
  %0 = graph.reduce max %x dims = [1] : tensor<1x50000xf32> to tensor<1xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<1xf32> to tensor<1x50000xf32>
  %2 = arith.subf %x, %1 : tensor<1x50000xf32>
  %3 = graph.scan max %2 dim = 1 reverse : tensor<1x50000xf32>
  %4 = graph.reduce min %3 dims = [1] : tensor<1x50000xf32> to tensor<1xf32>
  return %3, %4 : tensor<1x50000xf32>, tensor<1xf32>
}
func.func @transposed(%x: tensor<40x30xf32>) -> tensor<30x40xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<40x30xf32> to tensor<30x40xf32>
  %1 = graph.scan sum %0 dim = 1 : tensor<30x40xf32>
  return %1 : tensor<30x40xf32>
}
func.func @both_ways(%x: tensor<6x40xf32>) -> tensor<6x40xf32> {
  %0 = graph.scan max %x dim = 1 : tensor<6x40xf32>
  %1 = graph.scan min %0 dim = 1 reverse : tensor<6x40xf32>
  %2 = graph.scan max %1 dim = 0 : tensor<6x40xf32>
  return %2 : tensor<6x40xf32>
}
func.func @of_a_broadcast(%x: tensor<6x1xf32>) -> tensor<6x40xf32> {
  %0 = graph.broadcast %x dims = [0, 1] : tensor<6x1xf32> to tensor<6x40xf32>
  %1 = graph.scan sum %0 dim = 1 : tensor<6x40xf32>
  return %1 : tensor<6x40xf32>
}
func.func @merged_dims(%x: tensor<6x4x5x10xf32>) -> tensor<6x4x50xf32> {
  %0 = graph.reshape %x : tensor<6x4x5x10xf32> to tensor<6x4x50xf32>
  %1 = graph.scan sum %0 dim = 2 : tensor<6x4x50xf32>
  return %1 : tensor<6x4x50xf32>
}
