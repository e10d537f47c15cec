// Integer products accumulate in i32.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @i32_17x33x9(%a: tensor<17x9xi32> {check.data = "random:-9:10"}, %b: tensor<9x33xi32> {check.data = "random:-9:10"}) -> tensor<17x33xi32> {
  %0 = graph.matmul %a, %b : tensor<17x9xi32>, tensor<9x33xi32> to tensor<17x33xi32>
  return %0 : tensor<17x33xi32>
}
func.func @i32_64x64x64(%a: tensor<64x64xi32> {check.data = "random:-9:10"}, %b: tensor<64x64xi32> {check.data = "random:-9:10"}) -> tensor<64x64xi32> {
  %0 = graph.matmul %a, %b : tensor<64x64xi32>, tensor<64x64xi32> to tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}
func.func @i32_1x1x1(%a: tensor<1x1xi32> {check.data = "random:-9:10"}, %b: tensor<1x1xi32> {check.data = "random:-9:10"}) -> tensor<1x1xi32> {
  %0 = graph.matmul %a, %b : tensor<1x1xi32>, tensor<1x1xi32> to tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
func.func @i32_3x130x17(%a: tensor<3x17xi32> {check.data = "random:-9:10"}, %b: tensor<17x130xi32> {check.data = "random:-9:10"}) -> tensor<3x130xi32> {
  %0 = graph.matmul %a, %b : tensor<3x17xi32>, tensor<17x130xi32> to tensor<3x130xi32>
  return %0 : tensor<3x130xi32>
}
func.func @i8_17x33x9(%a: tensor<17x9xi8> {check.data = "random:-3:4"}, %b: tensor<9x33xi8> {check.data = "random:-3:4"}) -> tensor<17x33xi32> {
  %0 = graph.matmul %a, %b : tensor<17x9xi8>, tensor<9x33xi8> to tensor<17x33xi32>
  return %0 : tensor<17x33xi32>
}
func.func @i8_64x64x64(%a: tensor<64x64xi8> {check.data = "random:-3:4"}, %b: tensor<64x64xi8> {check.data = "random:-3:4"}) -> tensor<64x64xi32> {
  %0 = graph.matmul %a, %b : tensor<64x64xi8>, tensor<64x64xi8> to tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}
func.func @i8_1x1x1(%a: tensor<1x1xi8> {check.data = "random:-3:4"}, %b: tensor<1x1xi8> {check.data = "random:-3:4"}) -> tensor<1x1xi32> {
  %0 = graph.matmul %a, %b : tensor<1x1xi8>, tensor<1x1xi8> to tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
func.func @i8_3x130x17(%a: tensor<3x17xi8> {check.data = "random:-3:4"}, %b: tensor<17x130xi8> {check.data = "random:-3:4"}) -> tensor<3x130xi32> {
  %0 = graph.matmul %a, %b : tensor<3x17xi8>, tensor<17x130xi8> to tensor<3x130xi32>
  return %0 : tensor<3x130xi32>
}
