// Rows of every length between one warp and a whole block of them: no register spills.
// REQUIRES: ptxas
// RUN: tw-check %s --rtol=1e-5 --atol=1e-5 --quiet --assemble=sm_80,sm_90a

func.func @softmax_40(%x: tensor<3x40xf32>) -> tensor<3x40xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x40xf32> to tensor<3x40xf32>
  return %0 : tensor<3x40xf32>
}
func.func @norm_40(%x: tensor<3x40xf32>, %g: tensor<40xf32>) -> tensor<3x40xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<40xf32>) bias(%g : tensor<40xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x40xf32> to tensor<3x40xf32>
  return %0 : tensor<3x40xf32>
}
func.func @softmax_130(%x: tensor<3x130xf32>) -> tensor<3x130xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x130xf32> to tensor<3x130xf32>
  return %0 : tensor<3x130xf32>
}
func.func @norm_130(%x: tensor<3x130xf32>, %g: tensor<130xf32>) -> tensor<3x130xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<130xf32>) bias(%g : tensor<130xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x130xf32> to tensor<3x130xf32>
  return %0 : tensor<3x130xf32>
}
func.func @softmax_300(%x: tensor<3x300xf32>) -> tensor<3x300xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x300xf32> to tensor<3x300xf32>
  return %0 : tensor<3x300xf32>
}
func.func @norm_300(%x: tensor<3x300xf32>, %g: tensor<300xf32>) -> tensor<3x300xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<300xf32>) bias(%g : tensor<300xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x300xf32> to tensor<3x300xf32>
  return %0 : tensor<3x300xf32>
}
func.func @softmax_384(%x: tensor<3x384xf32>) -> tensor<3x384xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x384xf32> to tensor<3x384xf32>
  return %0 : tensor<3x384xf32>
}
func.func @norm_384(%x: tensor<3x384xf32>, %g: tensor<384xf32>) -> tensor<3x384xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<384xf32>) bias(%g : tensor<384xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x384xf32> to tensor<3x384xf32>
  return %0 : tensor<3x384xf32>
}
func.func @softmax_500(%x: tensor<3x500xf32>) -> tensor<3x500xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x500xf32> to tensor<3x500xf32>
  return %0 : tensor<3x500xf32>
}
func.func @norm_500(%x: tensor<3x500xf32>, %g: tensor<500xf32>) -> tensor<3x500xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<500xf32>) bias(%g : tensor<500xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x500xf32> to tensor<3x500xf32>
  return %0 : tensor<3x500xf32>
}
func.func @softmax_768(%x: tensor<3x768xf32>) -> tensor<3x768xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x768xf32> to tensor<3x768xf32>
  return %0 : tensor<3x768xf32>
}
func.func @norm_768(%x: tensor<3x768xf32>, %g: tensor<768xf32>) -> tensor<3x768xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<768xf32>) bias(%g : tensor<768xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x768xf32> to tensor<3x768xf32>
  return %0 : tensor<3x768xf32>
}
func.func @softmax_1000(%x: tensor<3x1000xf32>) -> tensor<3x1000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x1000xf32> to tensor<3x1000xf32>
  return %0 : tensor<3x1000xf32>
}
func.func @norm_1000(%x: tensor<3x1000xf32>, %g: tensor<1000xf32>) -> tensor<3x1000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<1000xf32>) bias(%g : tensor<1000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x1000xf32> to tensor<3x1000xf32>
  return %0 : tensor<3x1000xf32>
}
func.func @softmax_1500(%x: tensor<3x1500xf32>) -> tensor<3x1500xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x1500xf32> to tensor<3x1500xf32>
  return %0 : tensor<3x1500xf32>
}
func.func @norm_1500(%x: tensor<3x1500xf32>, %g: tensor<1500xf32>) -> tensor<3x1500xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<1500xf32>) bias(%g : tensor<1500xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x1500xf32> to tensor<3x1500xf32>
  return %0 : tensor<3x1500xf32>
}
func.func @softmax_2080(%x: tensor<3x2080xf32>) -> tensor<3x2080xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x2080xf32> to tensor<3x2080xf32>
  return %0 : tensor<3x2080xf32>
}
func.func @norm_2080(%x: tensor<3x2080xf32>, %g: tensor<2080xf32>) -> tensor<3x2080xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<2080xf32>) bias(%g : tensor<2080xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x2080xf32> to tensor<3x2080xf32>
  return %0 : tensor<3x2080xf32>
}
func.func @softmax_3000(%x: tensor<3x3000xf32>) -> tensor<3x3000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x3000xf32> to tensor<3x3000xf32>
  return %0 : tensor<3x3000xf32>
}
func.func @norm_3000(%x: tensor<3x3000xf32>, %g: tensor<3000xf32>) -> tensor<3x3000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<3000xf32>) bias(%g : tensor<3000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x3000xf32> to tensor<3x3000xf32>
  return %0 : tensor<3x3000xf32>
}
func.func @softmax_4000(%x: tensor<3x4000xf32>) -> tensor<3x4000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x4000xf32> to tensor<3x4000xf32>
  return %0 : tensor<3x4000xf32>
}
func.func @norm_4000(%x: tensor<3x4000xf32>, %g: tensor<4000xf32>) -> tensor<3x4000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<4000xf32>) bias(%g : tensor<4000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x4000xf32> to tensor<3x4000xf32>
  return %0 : tensor<3x4000xf32>
}
func.func @softmax_5003(%x: tensor<3x5003xf32>) -> tensor<3x5003xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x5003xf32> to tensor<3x5003xf32>
  return %0 : tensor<3x5003xf32>
}
func.func @norm_5003(%x: tensor<3x5003xf32>, %g: tensor<5003xf32>) -> tensor<3x5003xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<5003xf32>) bias(%g : tensor<5003xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x5003xf32> to tensor<3x5003xf32>
  return %0 : tensor<3x5003xf32>
}
func.func @softmax_7000(%x: tensor<3x7000xf32>) -> tensor<3x7000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x7000xf32> to tensor<3x7000xf32>
  return %0 : tensor<3x7000xf32>
}
func.func @norm_7000(%x: tensor<3x7000xf32>, %g: tensor<7000xf32>) -> tensor<3x7000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<7000xf32>) bias(%g : tensor<7000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x7000xf32> to tensor<3x7000xf32>
  return %0 : tensor<3x7000xf32>
}
func.func @softmax_9000(%x: tensor<3x9000xf32>) -> tensor<3x9000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x9000xf32> to tensor<3x9000xf32>
  return %0 : tensor<3x9000xf32>
}
func.func @norm_9000(%x: tensor<3x9000xf32>, %g: tensor<9000xf32>) -> tensor<3x9000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<9000xf32>) bias(%g : tensor<9000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x9000xf32> to tensor<3x9000xf32>
  return %0 : tensor<3x9000xf32>
}
func.func @softmax_12000(%x: tensor<3x12000xf32>) -> tensor<3x12000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x12000xf32> to tensor<3x12000xf32>
  return %0 : tensor<3x12000xf32>
}
func.func @norm_12000(%x: tensor<3x12000xf32>, %g: tensor<12000xf32>) -> tensor<3x12000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<12000xf32>) bias(%g : tensor<12000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x12000xf32> to tensor<3x12000xf32>
  return %0 : tensor<3x12000xf32>
}
func.func @softmax_20000(%x: tensor<3x20000xf32>) -> tensor<3x20000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<3x20000xf32> to tensor<3x20000xf32>
  return %0 : tensor<3x20000xf32>
}
func.func @norm_20000(%x: tensor<3x20000xf32>, %g: tensor<20000xf32>) -> tensor<3x20000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<20000xf32>) bias(%g : tensor<20000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<3x20000xf32> to tensor<3x20000xf32>
  return %0 : tensor<3x20000xf32>
}
