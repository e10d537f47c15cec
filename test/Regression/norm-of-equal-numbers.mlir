// The mean of what is all the same is that: a sum over a count is no product with the count's rounded inverse, which the root of a
// small epsilon made ten times as much of.
// RUN: tw-check --target=sm_90a %s
func.func @main(%x: tensor<3x11604xf32>, %g: tensor<11604xf32>, %b: tensor<11604xf32>) -> tensor<3x11604xf32> {
  %z = arith.subf %x, %x : tensor<3x11604xf32>
  %c = arith.constant dense<-2.0> : tensor<3x11604xf32>
  %y = arith.addf %z, %c : tensor<3x11604xf32>
  %0 = graph.layer_norm %y scale(%g : tensor<11604xf32>) bias(%b : tensor<11604xf32>) dim = 1 epsilon = 1.0e-2 : tensor<3x11604xf32> to tensor<3x11604xf32>
  return %0 : tensor<3x11604xf32>
}
