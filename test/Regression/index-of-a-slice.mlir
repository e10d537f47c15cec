// Indices of extremes in slices, reversed and transposed tensors, loaded and computed: they count what is reduced, not what
// lies in memory. Random programs of parts crashed here, and a reversed row gave the index of its mirror image.
// RUN: tw-check %s --quiet
func.func @last_row(%x: tensor<2x8x50xf32>) -> tensor<2xi64> {
  %0 = graph.slice %x offsets = [0, 7, 0] strides = [1, 1, 1] : tensor<2x8x50xf32> to tensor<2x1x50xf32>
  %1 = graph.reshape %0 : tensor<2x1x50xf32> to tensor<2x50xf32>
  %2 = graph.arg_reduce max %1 dim = 1 : tensor<2x50xf32> to tensor<2xi64>
  return %2 : tensor<2xi64>
}
func.func @reversed(%x: tensor<8x50xf32>) -> tensor<8xi64> {
  %0 = graph.slice %x offsets = [0, 49] strides = [1, -1] : tensor<8x50xf32> to tensor<8x50xf32>
  %2 = graph.arg_reduce max %0 dim = 1 : tensor<8x50xf32> to tensor<8xi64>
  return %2 : tensor<8xi64>
}
func.func @rows(%x: tensor<8x50xf32>) -> tensor<5xi64> {
  %0 = graph.slice %x offsets = [2, 0] strides = [1, 1] : tensor<8x50xf32> to tensor<5x50xf32>
  %2 = graph.arg_reduce min %0 dim = 1 : tensor<5x50xf32> to tensor<5xi64>
  return %2 : tensor<5xi64>
}
func.func @of_rows(%x: tensor<8x50xf32>) -> tensor<50xi64> {
  %0 = graph.slice %x offsets = [2, 0] strides = [1, 1] : tensor<8x50xf32> to tensor<5x50xf32>
  %2 = graph.arg_reduce min %0 dim = 0 : tensor<5x50xf32> to tensor<50xi64>
  return %2 : tensor<50xi64>
}
func.func @half(%x: tensor<8x50xf32>) -> tensor<8xi64> {
  %0 = graph.slice %x offsets = [0, 25] strides = [1, 1] : tensor<8x50xf32> to tensor<8x25xf32>
  %2 = graph.arg_reduce min %0 dim = 1 : tensor<8x25xf32> to tensor<8xi64>
  return %2 : tensor<8xi64>
}
func.func @part(%x: tensor<8x50xf32>) -> tensor<8xi64> {
  %0 = graph.slice %x offsets = [0, 5] strides = [1, 1] : tensor<8x50xf32> to tensor<8x40xf32>
  %2 = graph.arg_reduce min %0 dim = 1 : tensor<8x40xf32> to tensor<8xi64>
  return %2 : tensor<8xi64>
}
func.func @transposed(%x: tensor<16x16xf32>) -> (tensor<16xi64>, tensor<16x16xf32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<16x16xf32> to tensor<16x16xf32>
  %2 = graph.arg_reduce min %0 dim = 1 : tensor<16x16xf32> to tensor<16xi64>
  return %2, %0 : tensor<16xi64>, tensor<16x16xf32>
}
func.func @transposed_computed(%x: tensor<16x16xf32>) -> (tensor<16xi64>, tensor<16x16xf32>) {
  %n = arith.negf %x : tensor<16x16xf32>
  %0 = graph.transpose %n permutation = [1, 0] : tensor<16x16xf32> to tensor<16x16xf32>
  %2 = graph.arg_reduce min %0 dim = 1 : tensor<16x16xf32> to tensor<16xi64>
  return %2, %n : tensor<16xi64>, tensor<16x16xf32>
}
func.func @reversed_computed(%x: tensor<16x16xf32>) -> (tensor<16xi64>, tensor<16x16xf32>) {
  %n = arith.negf %x : tensor<16x16xf32>
  %0 = graph.slice %n offsets = [0, 15] strides = [1, -1] : tensor<16x16xf32> to tensor<16x16xf32>
  %2 = graph.arg_reduce min %0 dim = 1 : tensor<16x16xf32> to tensor<16xi64>
  return %2, %n : tensor<16xi64>, tensor<16x16xf32>
}
