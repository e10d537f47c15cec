func.func @main(%x: tensor<37x900xf32>, %y: tensor<900x37xf32>, %z: tensor<3x100000xf32>) -> (tensor<37x900xf32>, tensor<900x37xf32>, tensor<37xf32>, tensor<3x100000xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<37x900xf32> to tensor<37x900xf32>
  %1 = graph.transpose %x permutation = [1, 0] : tensor<37x900xf32> to tensor<900x37xf32>
  %2 = arith.addf %1, %y : tensor<900x37xf32>
  %3 = math.exp %2 : tensor<900x37xf32>
  %4 = graph.reduce sum %3 dims = [0] : tensor<900x37xf32> to tensor<37xf32>
  %5 = graph.softmax %z dim = 1 : tensor<3x100000xf32> to tensor<3x100000xf32>
  return %0, %3, %4, %5 : tensor<37x900xf32>, tensor<900x37xf32>, tensor<37xf32>, tensor<3x100000xf32>
}
