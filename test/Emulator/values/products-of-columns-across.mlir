// Values of products with few columns or rows whose matrix lies across K, at odd sizes and in batches.
// RUN: tw-check %s --target=sm_90a

func.func @one(%a: tensor<209x409xbf16>, %x: tensor<209x1xbf16>) -> tensor<409x1xbf16> {
  %t = graph.transpose %a permutation = [1, 0] : tensor<209x409xbf16> to tensor<409x209xbf16>
  %p = graph.matmul %t, %x : tensor<409x209xbf16>, tensor<209x1xbf16> to tensor<409x1xf32>
  %r = arith.truncf %p : tensor<409x1xf32> to tensor<409x1xbf16>
  return %r : tensor<409x1xbf16>
}

func.func @batches(%a: tensor<3x70x41xf32>, %x: tensor<3x70x1xf32>) -> tensor<3x41x1xf32> {
  %t = graph.transpose %a permutation = [0, 2, 1] : tensor<3x70x41xf32> to tensor<3x41x70xf32>
  %r = graph.matmul %t, %x : tensor<3x41x70xf32>, tensor<3x70x1xf32> to tensor<3x41x1xf32>
  return %r : tensor<3x41x1xf32>
}

func.func @three_columns(%a: tensor<209x409xbf16>, %x: tensor<3x209xbf16>) -> tensor<409x3xbf16> {
  %t = graph.transpose %a permutation = [1, 0] : tensor<209x409xbf16> to tensor<409x209xbf16>
  %u = graph.transpose %x permutation = [1, 0] : tensor<3x209xbf16> to tensor<209x3xbf16>
  %p = graph.matmul %t, %u : tensor<409x209xbf16>, tensor<209x3xbf16> to tensor<409x3xf32>
  %r = arith.truncf %p : tensor<409x3xf32> to tensor<409x3xbf16>
  return %r : tensor<409x3xbf16>
}

func.func @rows_in_batches(%x: tensor<2x4x70xf16>, %a: tensor<2x70x141xf16>) -> tensor<2x4x141xf32> {
  %p = graph.matmul %x, %a : tensor<2x4x70xf16>, tensor<2x70x141xf16> to tensor<2x4x141xf32>
  return %p : tensor<2x4x141xf32>
}
