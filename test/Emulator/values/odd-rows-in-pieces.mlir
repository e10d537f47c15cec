// Rows that no number of equal pieces has: deviations with a rest, other reductions of the same row, 16 bits, columns; rows
// that padding surrounds, reduced without it.
// RUN: tw-check %s --rtol=1e-5 --atol=4e-5 --quiet
// RUN: tw-check %s --rtol=1e-5 --atol=4e-5 --quiet --target=sm_90a

func.func @norm(%x: tensor<150001xf32>, %w: tensor<150001xf32>) -> (tensor<150001xf32>, tensor<f32>) {
  %c = arith.constant dense<1000.0> : tensor<150001xf32>
  %s = arith.addf %x, %c : tensor<150001xf32>
  %n = graph.layer_norm %s scale(%w : tensor<150001xf32>) dim = 0 epsilon = 1.0e-5 : tensor<150001xf32> to tensor<150001xf32>
  %a = math.absf %x : tensor<150001xf32>
  %t = graph.reduce max %a dims = [0] : tensor<150001xf32> to tensor<f32>
  return %n, %t : tensor<150001xf32>, tensor<f32>
}
func.func @norms(%x: tensor<3x140003xbf16>) -> tensor<3x140003xf32> {
  %w = arith.extf %x : tensor<3x140003xbf16> to tensor<3x140003xf32>
  %n = graph.layer_norm %w dim = 1 epsilon = 1.0e-5 : tensor<3x140003xf32> to tensor<3x140003xf32>
  return %n : tensor<3x140003xf32>
}
func.func @columns(%x: tensor<1409x40xf32>) -> tensor<40xf32> {
  %c = arith.constant dense<7.0972320794889989e-04> : tensor<40xf32>
  %s = graph.reduce sum %x dims = [0] : tensor<1409x40xf32> to tensor<40xf32>
  %m = arith.mulf %s, %c : tensor<40xf32>
  %b = graph.broadcast %m dims = [1] : tensor<40xf32> to tensor<1409x40xf32>
  %d = arith.subf %x, %b : tensor<1409x40xf32>
  %q = arith.mulf %d, %d : tensor<1409x40xf32>
  %v = graph.reduce sum %q dims = [0] : tensor<1409x40xf32> to tensor<40xf32>
  return %v : tensor<40xf32>
}
func.func @padded_norm(%x: tensor<140000xf32>) -> tensor<140005xf32> {
  %p = graph.pad %x low = [3] high = [2] value = 1.5 : f32 : tensor<140000xf32> to tensor<140005xf32>
  %n = graph.layer_norm %p dim = 0 epsilon = 1.0e-5 : tensor<140005xf32> to tensor<140005xf32>
  return %n : tensor<140005xf32>
}
func.func @padded_rows(%x: tensor<2x40000xf32>, %w: tensor<40001xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %p = graph.pad %x low = [0, 1] high = [0, 0] value = 2.5 : f32 : tensor<2x40000xf32> to tensor<2x40001xf32>
  %a = math.absf %p : tensor<2x40001xf32>
  %m = graph.reduce max %a dims = [1] : tensor<2x40001xf32> to tensor<2xf32>
  %b = graph.broadcast %m dims = [0] : tensor<2xf32> to tensor<2x40001xf32>
  %d = arith.subf %p, %b : tensor<2x40001xf32>
  %e = math.exp %d : tensor<2x40001xf32>
  %s = graph.reduce sum %e dims = [1] : tensor<2x40001xf32> to tensor<2xf32>
  %v = graph.broadcast %w dims = [1] : tensor<40001xf32> to tensor<2x40001xf32>
  %f = arith.mulf %p, %v : tensor<2x40001xf32>
  %t = graph.reduce sum %f dims = [1] : tensor<2x40001xf32> to tensor<2xf32>
  return %m, %s, %t : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @padded_planes(%x: tensor<250x3x190xf32>) -> tensor<3xf32> {
  %p = graph.pad %x low = [1, 0, 2] high = [2, 0, 1] value = -0.5 : f32 : tensor<250x3x190xf32> to tensor<253x3x193xf32>
  %q = arith.mulf %p, %p : tensor<253x3x193xf32>
  %s = graph.reduce sum %q dims = [0, 2] : tensor<253x3x193xf32> to tensor<3xf32>
  return %s : tensor<3xf32>
}
