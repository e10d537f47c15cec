// Few long rows divided among blocks: with and without a rest, several reduced dimensions, columns, arg-reductions and
// scans from either end, 16-bit sums.
// RUN: tw-check %s --rtol=4e-6 --atol=4e-4 --quiet
// RUN: tw-check %s --rtol=4e-6 --atol=4e-4 --quiet --target=sm_90a

func.func @rows(%x: tensor<2x262144xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<2x262144xf32> to tensor<2xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<2x262144xf32> to tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func @with_a_rest(%x: tensor<131101xf32>) -> tensor<f32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<131101xf32> to tensor<f32>
  return %0 : tensor<f32>
}
func.func @two_dims(%x: tensor<3x2x70000xf32>) -> tensor<2xf32> {
  %0 = graph.reduce min %x dims = [0, 2] : tensor<3x2x70000xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @columns(%x: tensor<20000x8xf32>) -> tensor<8xf32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<20000x8xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @of_bf16(%x: tensor<1x131072xbf16> {check.data = "splat:1"}) -> tensor<1xbf16> {
  %0 = graph.reduce sum %x dims = [1] : tensor<1x131072xbf16> to tensor<1xbf16>
  return %0 : tensor<1xbf16>
}
func.func @huge_mean(%x: tensor<1x131072xf32> {check.data = "random:1000000:1000001"}) -> tensor<1xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<1x131072xf32> to tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @arg(%x: tensor<1x131101xf32>, %y: tensor<2x131072xf32> {check.data = "random:0:3"}) -> (tensor<1xi64>, tensor<2xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<1x131101xf32> to tensor<1xi64>
  %c = arith.constant dense<1.5> : tensor<2x131072xf32>
  %m = arith.minimumf %y, %c : tensor<2x131072xf32>
  %1 = graph.arg_reduce max %m dim = 1 last : tensor<2x131072xf32> to tensor<2xi64>
  return %0, %1 : tensor<1xi64>, tensor<2xi64>
}
func.func @scans(%x: tensor<2x131072xf32>) -> (tensor<2x131072xf32>, tensor<2x131072xf32>) {
  %0 = graph.scan max %x dim = 1 : tensor<2x131072xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<2x131072xf32>
  return %0, %1 : tensor<2x131072xf32>, tensor<2x131072xf32>
}
func.func @scan_of_columns(%x: tensor<20000x8xi32>) -> tensor<20000x8xi32> {
  %0 = graph.scan sum %x dim = 0 : tensor<20000x8xi32>
  return %0 : tensor<20000x8xi32>
}
func.func @scan_without_divisor(%x: tensor<1x131101xf32>) -> tensor<1x131101xf32> {
  %0 = graph.scan sum %x dim = 1 : tensor<1x131101xf32>
  return %0 : tensor<1x131101xf32>
}
func.func @softmax_of_a_long_row(%x: tensor<1x131072xf32>) -> tensor<1x131072xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<1x131072xf32> to tensor<1x131072xf32>
  return %0 : tensor<1x131072xf32>
}

// Few pieces, and elements behind them: what the sum is read for merges them.
func.func @few_pieces(%x: tensor<40963xf32>) -> (tensor<40963xf32>, tensor<f32>) {
  %e = math.tanh %x : tensor<40963xf32>
  %0 = graph.reduce max %e dims = [0] : tensor<40963xf32> to tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<40963xf32>
  %2 = arith.subf %e, %1 : tensor<40963xf32>
  return %2, %0 : tensor<40963xf32>, tensor<f32>
}
func.func @side_by_side(%x: tensor<23x31x11x17xf32>) -> (tensor<f32>, tensor<31xf32>) {
  %0 = math.absf %x : tensor<23x31x11x17xf32>
  %1 = graph.reduce max %0 dims = [0, 1, 2, 3] : tensor<23x31x11x17xf32> to tensor<f32>
  %2 = graph.reduce sum %x dims = [0, 2, 3] : tensor<23x31x11x17xf32> to tensor<31xf32>
  return %1, %2 : tensor<f32>, tensor<31xf32>
}
func.func @around_a_kept_one(%x: tensor<5x14x3x19x37xf32>) -> tensor<3xf32> {
  %0 = graph.transpose %x permutation = [1, 0, 2, 4, 3] : tensor<5x14x3x19x37xf32> to tensor<14x5x3x37x19xf32>
  %1 = graph.reduce sum %0 dims = [0, 1, 3, 4] : tensor<14x5x3x37x19xf32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
