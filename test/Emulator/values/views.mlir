// Index tensors, and chains of reshapes and transposes that no strided view can follow.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-6 --quiet

func.func @iota_i32() -> (tensor<5x7x9xi32>, tensor<5x7x9xi32>, tensor<5x7x9xi32>) {
  %0 = graph.iota dim = 0 : tensor<5x7x9xi32>
  %1 = graph.iota dim = 1 : tensor<5x7x9xi32>
  %2 = graph.iota dim = 2 : tensor<5x7x9xi32>
  return %0, %1, %2 : tensor<5x7x9xi32>, tensor<5x7x9xi32>, tensor<5x7x9xi32>
}
func.func @iota_i64() -> (tensor<5x7x9xi64>, tensor<5x7x9xi64>, tensor<5x7x9xi64>) {
  %0 = graph.iota dim = 0 : tensor<5x7x9xi64>
  %1 = graph.iota dim = 1 : tensor<5x7x9xi64>
  %2 = graph.iota dim = 2 : tensor<5x7x9xi64>
  return %0, %1, %2 : tensor<5x7x9xi64>, tensor<5x7x9xi64>, tensor<5x7x9xi64>
}
func.func @iota_i8() -> (tensor<5x7x9xi8>, tensor<5x7x9xi8>, tensor<5x7x9xi8>) {
  %0 = graph.iota dim = 0 : tensor<5x7x9xi8>
  %1 = graph.iota dim = 1 : tensor<5x7x9xi8>
  %2 = graph.iota dim = 2 : tensor<5x7x9xi8>
  return %0, %1, %2 : tensor<5x7x9xi8>, tensor<5x7x9xi8>, tensor<5x7x9xi8>
}
func.func @iota_f32() -> tensor<5x70xf32> {
  %0 = graph.iota dim = 1 : tensor<5x70xf32>
  return %0 : tensor<5x70xf32>
}
func.func @causal_mask(%x: tensor<20x20xf32>) -> tensor<20x20xf32> {
  %i = graph.iota dim = 0 : tensor<20x20xi32>
  %j = graph.iota dim = 1 : tensor<20x20xi32>
  %m = arith.cmpi sge, %i, %j : tensor<20x20xi32>
  %c = arith.constant dense<0xFF800000> : tensor<20x20xf32>
  %0 = arith.select %m, %x, %c : tensor<20x20xi1>, tensor<20x20xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<20x20xf32> to tensor<20x20xf32>
  return %1 : tensor<20x20xf32>
}
func.func @iota_reshaped(%y: tensor<4x3xi32>) -> tensor<4x34x3xi32> {
  %0 = graph.iota dim = 1 : tensor<17x24xi32>
  %1 = graph.reshape %0 : tensor<17x24xi32> to tensor<4x34x3xi32>
  %2 = graph.broadcast %y dims = [0, 2] : tensor<4x3xi32> to tensor<4x34x3xi32>
  %3 = arith.xori %1, %2 : tensor<4x34x3xi32>
  return %3 : tensor<4x34x3xi32>
}
func.func @no_strided_view(%x: tensor<6x10xf32>) -> tensor<12x5xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<6x10xf32> to tensor<10x6xf32>
  %1 = graph.reshape %0 : tensor<10x6xf32> to tensor<4x15xf32>
  %2 = graph.transpose %1 permutation = [1, 0] : tensor<4x15xf32> to tensor<15x4xf32>
  %3 = graph.reshape %2 : tensor<15x4xf32> to tensor<12x5xf32>
  %4 = math.exp %3 : tensor<12x5xf32>
  return %4 : tensor<12x5xf32>
}
func.func @no_strided_view_of_computed(%x: tensor<6x10xf32>) -> (tensor<15xf32>, tensor<6x10xf32>) {
  %e = math.exp %x : tensor<6x10xf32>
  %0 = graph.transpose %e permutation = [1, 0] : tensor<6x10xf32> to tensor<10x6xf32>
  %1 = graph.reshape %0 : tensor<10x6xf32> to tensor<4x15xf32>
  %2 = graph.transpose %1 permutation = [1, 0] : tensor<4x15xf32> to tensor<15x4xf32>
  %3 = arith.negf %2 : tensor<15x4xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<15x4xf32> to tensor<15xf32>
  return %4, %e : tensor<15xf32>, tensor<6x10xf32>
}
func.func @to_rank_0_and_back(%x: tensor<1x1xf32>) -> tensor<1xf32> {
  %0 = graph.reshape %x : tensor<1x1xf32> to tensor<f32>
  %1 = math.exp %0 : tensor<f32>
  %2 = graph.reshape %1 : tensor<f32> to tensor<1xf32>
  return %2 : tensor<1xf32>
}
