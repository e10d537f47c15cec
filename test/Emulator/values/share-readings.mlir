// Reductions that share the reading of their tensor: rows and everything, columns and everything, deviations and the
// largest of a row; what is computed of both halves of a joined tensor, one input of which is read whole as well.
// RUN: tw-check %s --rtol=4e-6 --atol=4e-5 --quiet
// RUN: tw-check %s --rtol=4e-6 --atol=4e-5 --quiet --target=sm_90a

func.func @stage(%x: tensor<300x7x96xf32>) -> (tensor<300x7x96xf32>, tensor<f32>) {
  %s = graph.softmax %x dim = 2 : tensor<300x7x96xf32> to tensor<300x7x96xf32>
  %t = graph.reduce sum %s dims = [0, 1, 2] : tensor<300x7x96xf32> to tensor<f32>
  return %s, %t : tensor<300x7x96xf32>, tensor<f32>
}
func.func @columns(%x: tensor<700x200xbf16>) -> (tensor<200xf32>, tensor<f32>) {
  %w = arith.extf %x : tensor<700x200xbf16> to tensor<700x200xf32>
  %s = graph.reduce sum %w dims = [0] : tensor<700x200xf32> to tensor<200xf32>
  %a = math.absf %w : tensor<700x200xf32>
  %t = graph.reduce max %a dims = [0, 1] : tensor<700x200xf32> to tensor<f32>
  return %s, %t : tensor<200xf32>, tensor<f32>
}
func.func @rows(%x: tensor<3x160000xf32>) -> (tensor<3x160000xf32>, tensor<3xf32>) {
  %n = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<3x160000xf32> to tensor<3x160000xf32>
  %a = math.absf %x : tensor<3x160000xf32>
  %t = graph.reduce max %a dims = [1] : tensor<3x160000xf32> to tensor<3xf32>
  return %n, %t : tensor<3x160000xf32>, tensor<3xf32>
}
func.func @halves(%x: tensor<40000xf32>, %y: tensor<40000xf32>, %z: tensor<80000xf32>) -> (tensor<80000xf32>, tensor<79000xf32>) {
  %c = arith.constant dense<1.25e-05> : tensor<f32>
  %0 = graph.concat %x, %y dim = 0 : tensor<40000xf32>, tensor<40000xf32> to tensor<80000xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<80000xf32> to tensor<f32>
  %2 = arith.mulf %1, %c : tensor<f32>
  %3 = graph.broadcast %2 dims = [] : tensor<f32> to tensor<80000xf32>
  %4 = arith.subf %0, %3 : tensor<80000xf32>
  %5 = arith.mulf %4, %z : tensor<80000xf32>
  %6 = graph.slice %z offsets = [100] strides = [1] : tensor<80000xf32> to tensor<79000xf32>
  return %5, %6 : tensor<80000xf32>, tensor<79000xf32>
}
