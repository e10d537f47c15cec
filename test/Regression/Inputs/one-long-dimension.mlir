func.func @main(%x: tensor<3000000000xi8>) -> tensor<3000000000xi8> {
  %0 = arith.addi %x, %x : tensor<3000000000xi8>
  return %0 : tensor<3000000000xi8>
}
