// All permutations of four dimensions, every element size, and a matrix beside its transpose.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @rank_4_0123(%x: tensor<3x10x17x34xf32>) -> tensor<3x10x17x34xf32> {
  %0 = graph.transpose %x permutation = [0, 1, 2, 3] : tensor<3x10x17x34xf32> to tensor<3x10x17x34xf32>
  return %0 : tensor<3x10x17x34xf32>
}
func.func @rank_4_0132(%x: tensor<3x10x17x34xf32>) -> tensor<3x10x34x17xf32> {
  %0 = graph.transpose %x permutation = [0, 1, 3, 2] : tensor<3x10x17x34xf32> to tensor<3x10x34x17xf32>
  return %0 : tensor<3x10x34x17xf32>
}
func.func @rank_4_0213(%x: tensor<3x10x17x34xf32>) -> tensor<3x17x10x34xf32> {
  %0 = graph.transpose %x permutation = [0, 2, 1, 3] : tensor<3x10x17x34xf32> to tensor<3x17x10x34xf32>
  return %0 : tensor<3x17x10x34xf32>
}
func.func @rank_4_0231(%x: tensor<3x10x17x34xf32>) -> tensor<3x17x34x10xf32> {
  %0 = graph.transpose %x permutation = [0, 2, 3, 1] : tensor<3x10x17x34xf32> to tensor<3x17x34x10xf32>
  return %0 : tensor<3x17x34x10xf32>
}
func.func @rank_4_0312(%x: tensor<3x10x17x34xf32>) -> tensor<3x34x10x17xf32> {
  %0 = graph.transpose %x permutation = [0, 3, 1, 2] : tensor<3x10x17x34xf32> to tensor<3x34x10x17xf32>
  return %0 : tensor<3x34x10x17xf32>
}
func.func @rank_4_0321(%x: tensor<3x10x17x34xf32>) -> tensor<3x34x17x10xf32> {
  %0 = graph.transpose %x permutation = [0, 3, 2, 1] : tensor<3x10x17x34xf32> to tensor<3x34x17x10xf32>
  return %0 : tensor<3x34x17x10xf32>
}
func.func @rank_4_1023(%x: tensor<3x10x17x34xf32>) -> tensor<10x3x17x34xf32> {
  %0 = graph.transpose %x permutation = [1, 0, 2, 3] : tensor<3x10x17x34xf32> to tensor<10x3x17x34xf32>
  return %0 : tensor<10x3x17x34xf32>
}
func.func @rank_4_1032(%x: tensor<3x10x17x34xf32>) -> tensor<10x3x34x17xf32> {
  %0 = graph.transpose %x permutation = [1, 0, 3, 2] : tensor<3x10x17x34xf32> to tensor<10x3x34x17xf32>
  return %0 : tensor<10x3x34x17xf32>
}
func.func @rank_4_1203(%x: tensor<3x10x17x34xf32>) -> tensor<10x17x3x34xf32> {
  %0 = graph.transpose %x permutation = [1, 2, 0, 3] : tensor<3x10x17x34xf32> to tensor<10x17x3x34xf32>
  return %0 : tensor<10x17x3x34xf32>
}
func.func @rank_4_1230(%x: tensor<3x10x17x34xf32>) -> tensor<10x17x34x3xf32> {
  %0 = graph.transpose %x permutation = [1, 2, 3, 0] : tensor<3x10x17x34xf32> to tensor<10x17x34x3xf32>
  return %0 : tensor<10x17x34x3xf32>
}
func.func @rank_4_1302(%x: tensor<3x10x17x34xf32>) -> tensor<10x34x3x17xf32> {
  %0 = graph.transpose %x permutation = [1, 3, 0, 2] : tensor<3x10x17x34xf32> to tensor<10x34x3x17xf32>
  return %0 : tensor<10x34x3x17xf32>
}
func.func @rank_4_1320(%x: tensor<3x10x17x34xf32>) -> tensor<10x34x17x3xf32> {
  %0 = graph.transpose %x permutation = [1, 3, 2, 0] : tensor<3x10x17x34xf32> to tensor<10x34x17x3xf32>
  return %0 : tensor<10x34x17x3xf32>
}
func.func @rank_4_2013(%x: tensor<3x10x17x34xf32>) -> tensor<17x3x10x34xf32> {
  %0 = graph.transpose %x permutation = [2, 0, 1, 3] : tensor<3x10x17x34xf32> to tensor<17x3x10x34xf32>
  return %0 : tensor<17x3x10x34xf32>
}
func.func @rank_4_2031(%x: tensor<3x10x17x34xf32>) -> tensor<17x3x34x10xf32> {
  %0 = graph.transpose %x permutation = [2, 0, 3, 1] : tensor<3x10x17x34xf32> to tensor<17x3x34x10xf32>
  return %0 : tensor<17x3x34x10xf32>
}
func.func @rank_4_2103(%x: tensor<3x10x17x34xf32>) -> tensor<17x10x3x34xf32> {
  %0 = graph.transpose %x permutation = [2, 1, 0, 3] : tensor<3x10x17x34xf32> to tensor<17x10x3x34xf32>
  return %0 : tensor<17x10x3x34xf32>
}
func.func @rank_4_2130(%x: tensor<3x10x17x34xf32>) -> tensor<17x10x34x3xf32> {
  %0 = graph.transpose %x permutation = [2, 1, 3, 0] : tensor<3x10x17x34xf32> to tensor<17x10x34x3xf32>
  return %0 : tensor<17x10x34x3xf32>
}
func.func @rank_4_2301(%x: tensor<3x10x17x34xf32>) -> tensor<17x34x3x10xf32> {
  %0 = graph.transpose %x permutation = [2, 3, 0, 1] : tensor<3x10x17x34xf32> to tensor<17x34x3x10xf32>
  return %0 : tensor<17x34x3x10xf32>
}
func.func @rank_4_2310(%x: tensor<3x10x17x34xf32>) -> tensor<17x34x10x3xf32> {
  %0 = graph.transpose %x permutation = [2, 3, 1, 0] : tensor<3x10x17x34xf32> to tensor<17x34x10x3xf32>
  return %0 : tensor<17x34x10x3xf32>
}
func.func @rank_4_3012(%x: tensor<3x10x17x34xf32>) -> tensor<34x3x10x17xf32> {
  %0 = graph.transpose %x permutation = [3, 0, 1, 2] : tensor<3x10x17x34xf32> to tensor<34x3x10x17xf32>
  return %0 : tensor<34x3x10x17xf32>
}
func.func @rank_4_3021(%x: tensor<3x10x17x34xf32>) -> tensor<34x3x17x10xf32> {
  %0 = graph.transpose %x permutation = [3, 0, 2, 1] : tensor<3x10x17x34xf32> to tensor<34x3x17x10xf32>
  return %0 : tensor<34x3x17x10xf32>
}
func.func @rank_4_3102(%x: tensor<3x10x17x34xf32>) -> tensor<34x10x3x17xf32> {
  %0 = graph.transpose %x permutation = [3, 1, 0, 2] : tensor<3x10x17x34xf32> to tensor<34x10x3x17xf32>
  return %0 : tensor<34x10x3x17xf32>
}
func.func @rank_4_3120(%x: tensor<3x10x17x34xf32>) -> tensor<34x10x17x3xf32> {
  %0 = graph.transpose %x permutation = [3, 1, 2, 0] : tensor<3x10x17x34xf32> to tensor<34x10x17x3xf32>
  return %0 : tensor<34x10x17x3xf32>
}
func.func @rank_4_3201(%x: tensor<3x10x17x34xf32>) -> tensor<34x17x3x10xf32> {
  %0 = graph.transpose %x permutation = [3, 2, 0, 1] : tensor<3x10x17x34xf32> to tensor<34x17x3x10xf32>
  return %0 : tensor<34x17x3x10xf32>
}
func.func @rank_4_3210(%x: tensor<3x10x17x34xf32>) -> tensor<34x17x10x3xf32> {
  %0 = graph.transpose %x permutation = [3, 2, 1, 0] : tensor<3x10x17x34xf32> to tensor<34x17x10x3xf32>
  return %0 : tensor<34x17x10x3xf32>
}
func.func @matrix_i1(%x: tensor<65x130xi1>) -> tensor<130x65xi1> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<65x130xi1> to tensor<130x65xi1>
  return %0 : tensor<130x65xi1>
}
func.func @matrix_i8(%x: tensor<65x130xi8>) -> tensor<130x65xi8> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<65x130xi8> to tensor<130x65xi8>
  return %0 : tensor<130x65xi8>
}
func.func @matrix_f16(%x: tensor<65x130xf16>) -> tensor<130x65xf16> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<65x130xf16> to tensor<130x65xf16>
  return %0 : tensor<130x65xf16>
}
func.func @matrix_f64(%x: tensor<65x130xf64>) -> tensor<130x65xf64> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<65x130xf64> to tensor<130x65xf64>
  return %0 : tensor<130x65xf64>
}
func.func @matrix_i64(%x: tensor<65x130xi64>) -> tensor<130x65xi64> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<65x130xi64> to tensor<130x65xi64>
  return %0 : tensor<130x65xi64>
}
func.func @added_to_its_transpose(%x: tensor<70x70xf32>) -> tensor<70x70xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<70x70xf32> to tensor<70x70xf32>
  %1 = arith.subf %x, %0 : tensor<70x70xf32>
  return %1 : tensor<70x70xf32>
}
