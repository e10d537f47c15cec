// Tiles that are fitted to what they touch, and stores from odd places that are exchanged among threads first, store the right
// values: extents that no tile divides, three orders, short rows, scanned columns, slices.
// RUN: tw-check %s --target=sm_90a --quiet
// RUN: tw-check %s --quiet

func.func @three_orders(%x: tensor<37x54x44x2xf32>, %y: tensor<2x54x44xf32>) -> (tensor<54x2x44x37xf32>, tensor<37x54x44x2xf32>, tensor<2x37x54x44xf32>) {
  %0 = math.absf %x : tensor<37x54x44x2xf32>
  %1 = graph.transpose %0 permutation = [1, 3, 2, 0] : tensor<37x54x44x2xf32> to tensor<54x2x44x37xf32>
  %2 = arith.negf %1 : tensor<54x2x44x37xf32>
  %3 = graph.transpose %x permutation = [3, 0, 1, 2] : tensor<37x54x44x2xf32> to tensor<2x37x54x44xf32>
  %4 = graph.broadcast %y dims = [0, 2, 3] : tensor<2x54x44xf32> to tensor<2x37x54x44xf32>
  %5 = arith.mulf %3, %4 : tensor<2x37x54x44xf32>
  return %2, %0, %5 : tensor<54x2x44x37xf32>, tensor<37x54x44x2xf32>, tensor<2x37x54x44xf32>
}

func.func @four_rows(%x: tensor<19x6x21x4x28xf32>) -> (tensor<19x6x21x4xf32>, tensor<4x21x6x28x19xf32>) {
  %0 = graph.reduce max %x dims = [4] : tensor<19x6x21x4x28xf32> to tensor<19x6x21x4xf32>
  %1 = graph.transpose %x permutation = [3, 2, 1, 4, 0] : tensor<19x6x21x4x28xf32> to tensor<4x21x6x28x19xf32>
  %2 = math.tanh %1 : tensor<4x21x6x28x19xf32>
  return %0, %2 : tensor<19x6x21x4xf32>, tensor<4x21x6x28x19xf32>
}

func.func @scanned_columns(%x: tensor<7x24x36x72xf32>) -> (tensor<7x24x36x72xf32>, tensor<24x36x72x7xf32>) {
  %0 = graph.scan sum %x dim = 2 : tensor<7x24x36x72xf32>
  %1 = graph.transpose %0 permutation = [1, 2, 3, 0] : tensor<7x24x36x72xf32> to tensor<24x36x72x7xf32>
  %2 = math.tanh %1 : tensor<24x36x72x7xf32>
  return %0, %2 : tensor<7x24x36x72xf32>, tensor<24x36x72x7xf32>
}

func.func @from_an_odd_place(%x: tensor<70001xbf16>) -> (tensor<70001xbf16>, tensor<60000xbf16>) {
  %0 = arith.extf %x : tensor<70001xbf16> to tensor<70001xf32>
  %1 = math.tanh %0 : tensor<70001xf32>
  %2 = graph.slice %0 offsets = [5003] strides = [1] : tensor<70001xf32> to tensor<60000xf32>
  %3 = math.absf %2 : tensor<60000xf32>
  %4 = arith.truncf %1 : tensor<70001xf32> to tensor<70001xbf16>
  %5 = arith.truncf %3 : tensor<60000xf32> to tensor<60000xbf16>
  return %4, %5 : tensor<70001xbf16>, tensor<60000xbf16>
}

func.func @odd_rows(%x: tensor<301x5xf32>, %y: tensor<301x17xbf16>) -> (tensor<301x5xf32>, tensor<17x301xbf16>) {
  %0 = graph.scan sum %x dim = 1 : tensor<301x5xf32>
  %1 = graph.transpose %y permutation = [1, 0] : tensor<301x17xbf16> to tensor<17x301xbf16>
  %2 = arith.negf %1 : tensor<17x301xbf16>
  return %0, %2 : tensor<301x5xf32>, tensor<17x301xbf16>
}

func.func @long_odd_rows(%x: tensor<3x33001xf32>, %y: tensor<2x20007xbf16>) -> (tensor<3x33001xf32>, tensor<3x33001xf32>, tensor<2x20007xf32>) {
  %0 = graph.scan max %x dim = 1 : tensor<3x33001xf32>
  %1 = graph.scan max %x dim = 1 reverse : tensor<3x33001xf32>
  %2 = arith.extf %y : tensor<2x20007xbf16> to tensor<2x20007xf32>
  %3 = graph.scan max %2 dim = 1 : tensor<2x20007xf32>
  return %0, %1, %3 : tensor<3x33001xf32>, tensor<3x33001xf32>, tensor<2x20007xf32>
}

func.func @pairs_across(%x: tensor<42420xf32>, %y: tensor<42420xbf16>) -> (tensor<101x210x2xf32>, tensor<42420xf32>, tensor<70x101x6xbf16>) {
  %0 = math.absf %x : tensor<42420xf32>
  %1 = graph.reshape %0 : tensor<42420xf32> to tensor<210x101x2xf32>
  %2 = graph.transpose %1 permutation = [1, 0, 2] : tensor<210x101x2xf32> to tensor<101x210x2xf32>
  %3 = arith.negf %y : tensor<42420xbf16>
  %4 = graph.reshape %3 : tensor<42420xbf16> to tensor<101x70x6xbf16>
  %5 = graph.transpose %4 permutation = [1, 0, 2] : tensor<101x70x6xbf16> to tensor<70x101x6xbf16>
  return %2, %0, %5 : tensor<101x210x2xf32>, tensor<42420xf32>, tensor<70x101x6xbf16>
}
