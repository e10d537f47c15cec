// Rows longer than a tile: several passes over them, in loops.
// RUN: tw-check %s --rtol=1e-5 --atol=1e-4 --quiet

func.func @row_of_100000(%x: tensor<1x100000xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<1x100000xf32> to tensor<1xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<1x100000xf32> to tensor<1xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<1x100000xf32> to tensor<1xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
func.func @rows_of_40000(%x: tensor<3x40000xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<3x40000xf32> to tensor<3xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<3x40000xf32> to tensor<3xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<3x40000xf32> to tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @rows_of_33000(%x: tensor<2x33001xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<2x33001xf32> to tensor<2xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<2x33001xf32> to tensor<2xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<2x33001xf32> to tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @columns_of_20000(%x: tensor<20000x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<20000x3xf32> to tensor<3xf32>
  %1 = graph.reduce max %x dims = [0] : tensor<20000x3xf32> to tensor<3xf32>
  %2 = graph.reduce min %x dims = [0] : tensor<20000x3xf32> to tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @all_of_3d(%x: tensor<40x50x60xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = graph.reduce sum %x dims = [0, 1, 2] : tensor<40x50x60xf32> to tensor<f32>
  %1 = graph.reduce max %x dims = [0, 1, 2] : tensor<40x50x60xf32> to tensor<f32>
  %2 = graph.reduce min %x dims = [0, 1, 2] : tensor<40x50x60xf32> to tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @special_long(%x: tensor<2x50000xf32> {check.data = "special"}) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<2x50000xf32> to tensor<2xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<2x50000xf32> to tensor<2xf32>
  %2 = graph.reduce min %x dims = [1] : tensor<2x50000xf32> to tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @f64_long(%x: tensor<2x50000xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<2x50000xf64> to tensor<2xf64>
  %1 = graph.reduce max %x dims = [1] : tensor<2x50000xf64> to tensor<2xf64>
  %2 = graph.reduce min %x dims = [1] : tensor<2x50000xf64> to tensor<2xf64>
  return %0, %1, %2 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
func.func @i32_long(%x: tensor<2x50000xi32> {check.data = "random:-50:50"}) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<2x50000xi32> to tensor<2xi32>
  %1 = graph.reduce max %x dims = [1] : tensor<2x50000xi32> to tensor<2xi32>
  %2 = graph.reduce min %x dims = [1] : tensor<2x50000xi32> to tensor<2xi32>
  return %0, %1, %2 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
func.func @softmax_of_50000(%x: tensor<2x50001xf32> {check.data = "random:-9:9"}) -> tensor<2x50001xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<2x50001xf32> to tensor<2x50001xf32>
  return %0 : tensor<2x50001xf32>
}
func.func @layer_norm_of_40000(%x: tensor<2x40000xf32>, %g: tensor<40000xf32>, %b: tensor<40000xf32>) -> tensor<2x40000xf32> {
  %0 = graph.layer_norm %x scale(%g : tensor<40000xf32>) bias(%b : tensor<40000xf32>) dim = 1 epsilon = 1.0e-5 : tensor<2x40000xf32> to tensor<2x40000xf32>
  return %0 : tensor<2x40000xf32>
}
