// Rows of odd lengths that are stored beside the results of their columns, which they do not wait for: in long pieces of a
// few rows. Pieces of a row that are gone over in parts by as many blocks as a chip holds at a time.
// RUN: tw-check %s --rtol=1e-3 --atol=1e-3 --quiet --target=sm_90a
// RUN: tw-check %s --rtol=1e-3 --atol=1e-3 --quiet --target=sm_80

func.func @padded(%x: tensor<37x68001xf32>) -> (tensor<38x68001xf32>, tensor<68001xf32>) {
  %0 = graph.pad %x low = [1, 0] high = [0, 0] value = 0.0 : f32 : tensor<37x68001xf32> to tensor<38x68001xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<37x68001xf32> to tensor<68001xf32>
  return %0, %1 : tensor<38x68001xf32>, tensor<68001xf32>
}
func.func @doubled(%x: tensor<29x71003xbf16>) -> (tensor<29x71003xbf16>, tensor<71003xf32>) {
  %0 = arith.addf %x, %x : tensor<29x71003xbf16>
  %1 = arith.extf %x : tensor<29x71003xbf16> to tensor<29x71003xf32>
  %2 = graph.reduce sum %1 dims = [0] : tensor<29x71003xf32> to tensor<71003xf32>
  return %0, %2 : tensor<29x71003xbf16>, tensor<71003xf32>
}
func.func @pieces(%x: tensor<270x9001xbf16>) -> (tensor<270x9001xbf16>, tensor<270xf32>) {
  %0 = arith.extf %x : tensor<270x9001xbf16> to tensor<270x9001xf32>
  %1 = math.tanh %0 : tensor<270x9001xf32>
  %e = math.erf %0 : tensor<270x9001xf32>
  %l = math.exp %e : tensor<270x9001xf32>
  %n = math.erf %l : tensor<270x9001xf32>
  %2 = arith.mulf %1, %n : tensor<270x9001xf32>
  %3 = graph.reduce sum %2 dims = [1] : tensor<270x9001xf32> to tensor<270xf32>
  %4 = arith.truncf %1 : tensor<270x9001xf32> to tensor<270x9001xbf16>
  return %4, %3 : tensor<270x9001xbf16>, tensor<270xf32>
}
func.func @columns_of_planes(%x: tensor<40x7x40x71x2xf32>, %y: tensor<7x40xf32>) -> (tensor<40x7x40x71x2xf32>, tensor<40x7x40x71x2xf32>, tensor<40x71x7x2xf32>) {
  %0 = graph.broadcast %y dims = [1, 2] : tensor<7x40xf32> to tensor<40x7x40x71x2xf32>
  %1 = arith.mulf %x, %0 : tensor<40x7x40x71x2xf32>
  %2 = math.tanh %1 : tensor<40x7x40x71x2xf32>
  %3 = math.exp %2 : tensor<40x7x40x71x2xf32>
  %4 = graph.reduce sum %x dims = [0] : tensor<40x7x40x71x2xf32> to tensor<7x40x71x2xf32>
  %5 = graph.transpose %4 permutation = [1, 2, 0, 3] : tensor<7x40x71x2xf32> to tensor<40x71x7x2xf32>
  %6 = math.exp %5 : tensor<40x71x7x2xf32>
  return %1, %3, %6 : tensor<40x7x40x71x2xf32>, tensor<40x7x40x71x2xf32>, tensor<40x71x7x2xf32>
}
