// Values of parts of a few elements that are stored as one: pairs and fours of several types, rows that do not fill their tiles,
// parts in either order, four of them, beside others that stay apart.
// RUN: tw-check %s --target=sm_90a

func.func @pairs(%x: tensor<29x13x3x59x2xf32>, %y: tensor<3x59x2xf32>) -> (tensor<29x13x3x59x4xf32>, tensor<29x13x3x59x2xf32>) {
  %0 = math.absf %x : tensor<29x13x3x59x2xf32>
  %1 = graph.broadcast %y dims = [2, 3, 4] : tensor<3x59x2xf32> to tensor<29x13x3x59x2xf32>
  %2 = graph.concat %0, %1 dim = 4 : tensor<29x13x3x59x2xf32>, tensor<29x13x3x59x2xf32> to tensor<29x13x3x59x4xf32>
  %3 = math.exp %2 : tensor<29x13x3x59x4xf32>
  return %3, %0 : tensor<29x13x3x59x4xf32>, tensor<29x13x3x59x2xf32>
}

func.func @narrow(%x: tensor<1031x4xbf16>, %y: tensor<1031x4xbf16>) -> tensor<1031x8xbf16> {
  %0 = arith.extf %x : tensor<1031x4xbf16> to tensor<1031x4xf32>
  %1 = arith.extf %y : tensor<1031x4xbf16> to tensor<1031x4xf32>
  %2 = arith.mulf %0, %1 : tensor<1031x4xf32>
  %3 = arith.subf %0, %1 : tensor<1031x4xf32>
  %4 = arith.truncf %2 : tensor<1031x4xf32> to tensor<1031x4xbf16>
  %5 = arith.truncf %3 : tensor<1031x4xf32> to tensor<1031x4xbf16>
  %6 = graph.concat %5, %4 dim = 1 : tensor<1031x4xbf16>, tensor<1031x4xbf16> to tensor<1031x8xbf16>
  return %6 : tensor<1031x8xbf16>
}

func.func @four(%x: tensor<517x2xf16>) -> tensor<517x8xf16> {
  %0 = math.absf %x : tensor<517x2xf16>
  %1 = arith.negf %x : tensor<517x2xf16>
  %2 = arith.addf %x, %x : tensor<517x2xf16>
  %3 = graph.concat %0, %x, %1, %2 dim = 1 : tensor<517x2xf16>, tensor<517x2xf16>, tensor<517x2xf16>, tensor<517x2xf16> to tensor<517x8xf16>
  return %3 : tensor<517x8xf16>
}

func.func @bytes(%x: tensor<71x33x4xi8>, %y: tensor<71x33x4xi8>) -> (tensor<71x33x8xi8>, tensor<71x8x33xi8>) {
  %0 = arith.addi %x, %y : tensor<71x33x4xi8>
  %1 = graph.concat %x, %0 dim = 2 : tensor<71x33x4xi8>, tensor<71x33x4xi8> to tensor<71x33x8xi8>
  %2 = graph.transpose %1 permutation = [0, 2, 1] : tensor<71x33x8xi8> to tensor<71x8x33xi8>
  return %1, %2 : tensor<71x33x8xi8>, tensor<71x8x33xi8>
}

// The sum of rows of pairs, beside these.
func.func @reduced(%x: tensor<300x2xf32>) -> (tensor<300x4xf32>, tensor<300xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<300x2xf32> to tensor<300x2xf32>
  %1 = graph.concat %0, %x dim = 1 : tensor<300x2xf32>, tensor<300x2xf32> to tensor<300x4xf32>
  %2 = graph.reduce sum %x dims = [1] : tensor<300x2xf32> to tensor<300xf32>
  return %1, %2 : tensor<300x4xf32>, tensor<300xf32>
}

// Digits of columns that are summed, joined in pairs and in fours: rows that fill no tile, and kept columns beside what is stored.
func.func @columns(%x: tensor<1037x516xbf16>) -> (tensor<1037x129x8xbf16>, tensor<1037x258x8xbf16>, tensor<516xf32>, tensor<1037x516xbf16>) {
  %0 = arith.extf %x : tensor<1037x516xbf16> to tensor<1037x516xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<1037x516xf32> to tensor<516xf32>
  %2 = arith.negf %x : tensor<1037x516xbf16>
  %3 = math.absf %x : tensor<1037x516xbf16>
  %4 = graph.reshape %x : tensor<1037x516xbf16> to tensor<1037x129x4xbf16>
  %5 = graph.reshape %2 : tensor<1037x516xbf16> to tensor<1037x129x4xbf16>
  %6 = graph.concat %5, %4 dim = 2 : tensor<1037x129x4xbf16>, tensor<1037x129x4xbf16> to tensor<1037x129x8xbf16>
  %7 = graph.reshape %x : tensor<1037x516xbf16> to tensor<1037x258x2xbf16>
  %8 = graph.reshape %2 : tensor<1037x516xbf16> to tensor<1037x258x2xbf16>
  %9 = graph.reshape %3 : tensor<1037x516xbf16> to tensor<1037x258x2xbf16>
  %10 = graph.concat %7, %9, %8, %7 dim = 2 : tensor<1037x258x2xbf16>, tensor<1037x258x2xbf16>, tensor<1037x258x2xbf16>, tensor<1037x258x2xbf16> to tensor<1037x258x8xbf16>
  %11 = graph.broadcast %1 dims = [1] : tensor<516xf32> to tensor<1037x516xf32>
  %12 = arith.subf %0, %11 : tensor<1037x516xf32>
  %13 = arith.truncf %12 : tensor<1037x516xf32> to tensor<1037x516xbf16>
  return %6, %10, %1, %13 : tensor<1037x129x8xbf16>, tensor<1037x258x8xbf16>, tensor<516xf32>, tensor<1037x516xbf16>
}

// Halves of short groups that change places, and are summed.
func.func @turned(%x: tensor<700x256xbf16>) -> (tensor<700x64x4xbf16>, tensor<256xf32>) {
  %0 = graph.reshape %x : tensor<700x256xbf16> to tensor<700x64x4xbf16>
  %1 = graph.slice %0 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<700x64x4xbf16> to tensor<700x64x2xbf16>
  %2 = graph.slice %0 offsets = [0, 0, 2] strides = [1, 1, 1] : tensor<700x64x4xbf16> to tensor<700x64x2xbf16>
  %3 = arith.negf %2 : tensor<700x64x2xbf16>
  %4 = graph.concat %3, %1 dim = 2 : tensor<700x64x2xbf16>, tensor<700x64x2xbf16> to tensor<700x64x4xbf16>
  %5 = arith.extf %4 : tensor<700x64x4xbf16> to tensor<700x64x4xf32>
  %6 = graph.reshape %5 : tensor<700x64x4xf32> to tensor<700x256xf32>
  %7 = graph.reduce sum %6 dims = [0] : tensor<700x256xf32> to tensor<256xf32>
  return %4, %7 : tensor<700x64x4xbf16>, tensor<256xf32>
}
