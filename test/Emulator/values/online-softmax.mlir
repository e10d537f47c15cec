// Softmax and log-sum-exp of rows that are taken in pieces: the sum runs beside the maximum and is rescaled when that
// moves. Rows that begin, end or consist of -inf, infinities and NaN, huge and rising values.
// RUN: tw-check %s --rtol=1e-5 --atol=1e-6 --quiet

func.func @plain(%x: tensor<600x40xf32>) -> tensor<600x40xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<600x40xf32> to tensor<600x40xf32>
  return %0 : tensor<600x40xf32>
}
func.func @special(%x: tensor<600x40xf32> {check.data = "special"}) -> tensor<600x40xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<600x40xf32> to tensor<600x40xf32>
  return %0 : tensor<600x40xf32>
}
func.func @huge(%x: tensor<600x40xf32> {check.data = "random:-3000:3000"}) -> tensor<600x40xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<600x40xf32> to tensor<600x40xf32>
  return %0 : tensor<600x40xf32>
}
func.func @masked(%x: tensor<600x40xf32> {check.data = "splat:-inf"}) -> tensor<600x40xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<600x40xf32> to tensor<600x40xf32>
  return %0 : tensor<600x40xf32>
}
// The maximum grows with every piece, and the first ones hold nothing.
func.func @rising_after_a_mask(%x: tensor<600x40xf32>) -> (tensor<600x40xf32>, tensor<40xf32>) {
  %i = graph.iota dim = 0 : tensor<600x40xi32>
  %c = arith.constant dense<300> : tensor<600x40xi32>
  %n = arith.constant dense<0xFF800000> : tensor<600x40xf32>
  %f = arith.sitofp %i : tensor<600x40xi32> to tensor<600x40xf32>
  %0 = arith.addf %f, %x : tensor<600x40xf32>
  %m = arith.cmpi slt, %i, %c : tensor<600x40xi32>
  %1 = arith.select %m, %n, %0 : tensor<600x40xi1>, tensor<600x40xf32>
  %2 = graph.softmax %1 dim = 0 : tensor<600x40xf32> to tensor<600x40xf32>
  %3 = graph.reduce max %1 dims = [0] : tensor<600x40xf32> to tensor<40xf32>
  return %2, %3 : tensor<600x40xf32>, tensor<40xf32>
}
func.func @mask_at_the_end(%x: tensor<600x40xf32>) -> tensor<600x40xf32> {
  %i = graph.iota dim = 0 : tensor<600x40xi32>
  %c = arith.constant dense<100> : tensor<600x40xi32>
  %n = arith.constant dense<0xFF800000> : tensor<600x40xf32>
  %m = arith.cmpi sgt, %i, %c : tensor<600x40xi32>
  %1 = arith.select %m, %n, %x : tensor<600x40xi1>, tensor<600x40xf32>
  %2 = graph.softmax %1 dim = 0 : tensor<600x40xf32> to tensor<600x40xf32>
  return %2 : tensor<600x40xf32>
}
func.func @log_sum_exp(%x: tensor<600x40xf32> {check.data = "random:-200:200"}) -> tensor<40xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<600x40xf32> to tensor<40xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<40xf32> to tensor<600x40xf32>
  %2 = arith.subf %x, %1 : tensor<600x40xf32>
  %3 = math.exp %2 : tensor<600x40xf32>
  %4 = graph.reduce sum %3 dims = [0] : tensor<600x40xf32> to tensor<40xf32>
  %5 = math.log %4 : tensor<40xf32>
  %6 = arith.addf %5, %0 : tensor<40xf32>
  return %6 : tensor<40xf32>
}
func.func @of_f64(%x: tensor<601x40xf64> {check.data = "random:-9:9"}) -> tensor<601x40xf64> {
  %0 = graph.softmax %x dim = 0 : tensor<601x40xf64> to tensor<601x40xf64>
  return %0 : tensor<601x40xf64>
}
