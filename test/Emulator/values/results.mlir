// What programs return: inputs, constants, the same value twice, reshapes of values, intermediate values.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-6 --quiet

func.func @input_returned(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {

  return %x : tensor<5x8xf32>
}
func.func @input_returned_twice(%x: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {

  return %x, %x : tensor<5x8xf32>, tensor<5x8xf32>
}
func.func @input_and_computed(%x: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %0 = arith.negf %x : tensor<5x8xf32>
  return %x, %0 : tensor<5x8xf32>, tensor<5x8xf32>
}
func.func @computed_twice(%x: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %0 = arith.negf %x : tensor<5x8xf32>
  return %0, %0 : tensor<5x8xf32>, tensor<5x8xf32>
}
func.func @reshape_of_input(%x: tensor<5x8xf32>) -> tensor<40xf32> {
  %0 = graph.reshape %x : tensor<5x8xf32> to tensor<40xf32>
  return %0 : tensor<40xf32>
}
func.func @transpose_of_input(%x: tensor<5x8xf32>) -> tensor<8x5xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<5x8xf32> to tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
func.func @broadcast_of_input(%x: tensor<8xf32>) -> tensor<5x8xf32> {
  %0 = graph.broadcast %x dims = [1] : tensor<8xf32> to tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}
func.func @slice_of_input(%x: tensor<5x8xf32>) -> tensor<3x8xf32> {
  %0 = graph.slice %x offsets = [1, 0] strides = [1, 1] : tensor<5x8xf32> to tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
func.func @constant_f32(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %0 = arith.constant dense<2.5> : tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}
func.func @constant_i64(%x: tensor<5x8xf32>) -> tensor<5x8xi64> {
  %0 = arith.constant dense<-7> : tensor<5x8xi64>
  return %0 : tensor<5x8xi64>
}
func.func @constant_i1(%x: tensor<5x8xf32>) -> tensor<5x8xi1> {
  %0 = arith.constant dense<true> : tensor<5x8xi1>
  return %0 : tensor<5x8xi1>
}
func.func @constant_f16(%x: tensor<5x8xf32>) -> tensor<5x8xf16> {
  %0 = arith.constant dense<1.5> : tensor<5x8xf16>
  return %0 : tensor<5x8xf16>
}
func.func @constant_i8(%x: tensor<5x8xf32>) -> tensor<5x8xi8> {
  %0 = arith.constant dense<-3> : tensor<5x8xi8>
  return %0 : tensor<5x8xi8>
}
func.func @constant_f64(%x: tensor<5x8xf32>) -> tensor<5x8xf64> {
  %0 = arith.constant dense<0.1> : tensor<5x8xf64>
  return %0 : tensor<5x8xf64>
}
func.func @constant_data() -> tensor<2x2xf32> {
  %0 = arith.constant dense<[[1.0, -2.0], [3.5, 0.25]]> : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @constant_data_used(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = arith.constant dense<[[1.0, -2.0], [3.5, 0.25]]> : tensor<2x2xf32>
  %0 = arith.mulf %x, %c : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @constant_bools(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>) {
  %c = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %z = arith.constant dense<0.0> : tensor<3xf32>
  %0 = arith.select %c, %x, %z : tensor<3xi1>, tensor<3xf32>
  return %0, %c : tensor<3xf32>, tensor<3xi1>
}
func.func @value_and_its_reshape(%x: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<40xf32>) {
  %0 = math.exp %x : tensor<5x8xf32>
  %1 = graph.reshape %0 : tensor<5x8xf32> to tensor<40xf32>
  return %0, %1 : tensor<5x8xf32>, tensor<40xf32>
}
func.func @value_and_its_transpose(%x: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<8x5xf32>) {
  %0 = math.exp %x : tensor<5x8xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<5x8xf32> to tensor<8x5xf32>
  return %0, %1 : tensor<5x8xf32>, tensor<8x5xf32>
}
func.func @intermediate_returned(%x: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %0 = math.exp %x : tensor<5x8xf32>
  %1 = arith.negf %0 : tensor<5x8xf32>
  %2 = math.absf %1 : tensor<5x8xf32>
  return %0, %2 : tensor<5x8xf32>, tensor<5x8xf32>
}
func.func @unused_inputs(%a: tensor<5x8xf32>, %x: tensor<5x8xf32>, %b: tensor<3xi64>) -> tensor<5x8xf32> {
  %0 = math.exp %x : tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}
func.func @scalars(%x: tensor<f32>, %i: tensor<i64>) -> (tensor<f32>, tensor<i64>, tensor<f32>) {
  %0 = math.exp %x : tensor<f32>
  %1 = arith.addi %i, %i : tensor<i64>
  return %0, %1, %x : tensor<f32>, tensor<i64>, tensor<f32>
}
