// Values of concatenations of what reductions leave, in a loop or not: they are stored in parts (Regression/joined-behind-a-loop.mlir).
// RUN: tw-check %s --target=sm_90a

func.func @columns(%x: tensor<100x7x6x16xf32>) -> tensor<7x6x32xbf16> {
  %0 = graph.reduce sum %x dims = [0] : tensor<100x7x6x16xf32> to tensor<7x6x16xf32>
  %1 = arith.truncf %0 : tensor<7x6x16xf32> to tensor<7x6x16xbf16>
  %2 = graph.concat %1, %1 dim = 2 : tensor<7x6x16xbf16>, tensor<7x6x16xbf16> to tensor<7x6x32xbf16>
  return %2 : tensor<7x6x32xbf16>
}

func.func @several(%x: tensor<6x5x9001xf32>) -> (tensor<6x10xf32>, tensor<6x5xf32>) {
  %0 = graph.reduce max %x dims = [2] : tensor<6x5x9001xf32> to tensor<6x5xf32>
  %1 = arith.negf %0 : tensor<6x5xf32>
  %2 = graph.concat %0, %1 dim = 1 : tensor<6x5xf32>, tensor<6x5xf32> to tensor<6x10xf32>
  return %2, %1 : tensor<6x10xf32>, tensor<6x5xf32>
}
