// Values of reductions that are cut: of transposed tensors, of columns, along dimensions that leave runs of memory, and of
// kernels that are taken apart.
// RUN: tw-check %s --target=sm_90a

func.func @transposed(%x: tensor<6x24x10x50xf32>) -> (tensor<10x6x50x24xf32>, tensor<f32>) {
  %0 = graph.transpose %x permutation = [2, 0, 3, 1] : tensor<6x24x10x50xf32> to tensor<10x6x50x24xf32>
  %1 = graph.reduce min %0 dims = [0, 1, 2, 3] : tensor<10x6x50x24xf32> to tensor<f32>
  %2 = graph.broadcast %1 dims = [] : tensor<f32> to tensor<10x6x50x24xf32>
  %3 = arith.addf %0, %2 : tensor<10x6x50x24xf32>
  return %3, %1 : tensor<10x6x50x24xf32>, tensor<f32>
}

func.func @transposed_and_kept(%x: tensor<3x4x12000x3xf32>) -> tensor<3x3x4xf32> {
  %0 = graph.transpose %x permutation = [3, 0, 2, 1] : tensor<3x4x12000x3xf32> to tensor<3x3x12000x4xf32>
  %1 = graph.reduce sum %0 dims = [2] : tensor<3x3x12000x4xf32> to tensor<3x3x4xf32>
  return %1 : tensor<3x3x4xf32>
}

func.func @short_runs(%x: tensor<3x5x8x480xf32>) -> tensor<f32> {
  %0 = graph.reduce max %x dims = [0, 1, 2, 3] : tensor<3x5x8x480xf32> to tensor<f32>
  return %0 : tensor<f32>
}

func.func @columns(%x: tensor<2x70x16x25x33xbf16>) -> tensor<70x33xf32> {
  %0 = arith.extf %x : tensor<2x70x16x25x33xbf16> to tensor<2x70x16x25x33xf32>
  %1 = graph.reduce sum %0 dims = [0, 2, 3] : tensor<2x70x16x25x33xf32> to tensor<70x33xf32>
  return %1 : tensor<70x33xf32>
}

func.func @taken_apart(%x: tensor<6x34000xf32>) -> (tensor<6xf32>, tensor<34000x6xf32>) {
  %half = arith.constant dense<0.5> : tensor<34000x6xf32>
  %0 = graph.transpose %x permutation = [1, 0] : tensor<6x34000xf32> to tensor<34000x6xf32>
  %1 = arith.mulf %0, %half : tensor<34000x6xf32>
  %2 = math.absf %1 : tensor<34000x6xf32>
  %3 = graph.transpose %2 permutation = [1, 0] : tensor<34000x6xf32> to tensor<6x34000xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<6x34000xf32> to tensor<6xf32>
  return %4, %1 : tensor<6xf32>, tensor<34000x6xf32>
}

func.func @parts_of_sectors(%x: tensor<60x3x16x5x4xbf16>) -> tensor<60x3x16x5x4xbf16> {
  %0 = arith.extf %x : tensor<60x3x16x5x4xbf16> to tensor<60x3x16x5x4xf32>
  %1 = graph.reduce min %0 dims = [0, 2, 4] : tensor<60x3x16x5x4xf32> to tensor<3x5xf32>
  %2 = graph.broadcast %1 dims = [1, 3] : tensor<3x5xf32> to tensor<60x3x16x5x4xf32>
  %3 = arith.addf %0, %2 : tensor<60x3x16x5x4xf32>
  %4 = arith.truncf %3 : tensor<60x3x16x5x4xf32> to tensor<60x3x16x5x4xbf16>
  return %4 : tensor<60x3x16x5x4xbf16>
}

// Tiles of few elements, of nothing side by side, and of joined parts beside another order.
func.func @small_tiles(%x: tensor<12x24x2xf32>, %y: tensor<5x3x4x13x11xbf16>)
    -> (tensor<24x12x2xf32>, tensor<12xf32>, tensor<26x4x3x5x11xbf16>, tensor<3x4x5x11x13xbf16>) {
  %0 = graph.transpose %x permutation = [1, 0, 2] : tensor<12x24x2xf32> to tensor<24x12x2xf32>
  %1 = math.tanh %0 : tensor<24x12x2xf32>
  %2 = graph.slice %x offsets = [0, 0, 1] strides = [1, 1, 1] : tensor<12x24x2xf32> to tensor<12x24x1xf32>
  %3 = graph.reduce sum %2 dims = [1, 2] : tensor<12x24x1xf32> to tensor<12xf32>
  %4 = arith.extf %y : tensor<5x3x4x13x11xbf16> to tensor<5x3x4x13x11xf32>
  %5 = graph.scan sum %4 dim = 0 : tensor<5x3x4x13x11xf32>
  %6 = graph.transpose %5 permutation = [3, 2, 1, 0, 4] : tensor<5x3x4x13x11xf32> to tensor<13x4x3x5x11xf32>
  %7 = arith.truncf %6 : tensor<13x4x3x5x11xf32> to tensor<13x4x3x5x11xbf16>
  %8 = graph.concat %7, %7 dim = 0 : tensor<13x4x3x5x11xbf16>, tensor<13x4x3x5x11xbf16> to tensor<26x4x3x5x11xbf16>
  %9 = graph.transpose %4 permutation = [1, 2, 0, 4, 3] : tensor<5x3x4x13x11xf32> to tensor<3x4x5x11x13xf32>
  %10 = arith.truncf %9 : tensor<3x4x5x11x13xf32> to tensor<3x4x5x11x13xbf16>
  return %1, %3, %8, %10 : tensor<24x12x2xf32>, tensor<12xf32>, tensor<26x4x3x5x11xbf16>, tensor<3x4x5x11x13xbf16>
}

// Of rows that begin at any element several as one, and what these leave.
func.func @columns_of_odd_rows(%x: tensor<8203x513xbf16>) -> tensor<513xbf16> {
  %w = arith.extf %x : tensor<8203x513xbf16> to tensor<8203x513xf32>
  %0 = graph.reduce sum %w dims = [0] : tensor<8203x513xf32> to tensor<513xf32>
  %1 = arith.truncf %0 : tensor<513xf32> to tensor<513xbf16>
  return %1 : tensor<513xbf16>
}
