// Reductions and scans of odd numbers of short rows, of rows whose results lie across them, and of columns that are no
// power of two, have the values of the reference: tiles reach beyond the rows, and repeat what is no power of two.
// RUN: tw-check %s --rtol=4e-6 --atol=2e-5 --quiet

func.func @odd_rows(%x: tensor<4099x37xf32>) -> (tensor<4099x37xf32>, tensor<4099xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<4099x37xf32> to tensor<4099xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<4099xf32> to tensor<4099x37xf32>
  %2 = arith.subf %x, %1 : tensor<4099x37xf32>
  return %2, %0 : tensor<4099x37xf32>, tensor<4099xf32>
}

func.func @rows_turned(%x: tensor<18x13x43x5x65xf32>) -> (tensor<18x13x43x5x65xf32>, tensor<43x13x5x65x18xf32>) {
  %0 = graph.reduce max %x dims = [4] : tensor<18x13x43x5x65xf32> to tensor<18x13x43x5xf32>
  %1 = graph.broadcast %0 dims = [0, 1, 2, 3] : tensor<18x13x43x5xf32> to tensor<18x13x43x5x65xf32>
  %2 = arith.subf %x, %1 : tensor<18x13x43x5x65xf32>
  %3 = graph.transpose %2 permutation = [2, 1, 3, 4, 0] : tensor<18x13x43x5x65xf32> to tensor<43x13x5x65x18xf32>
  return %2, %3 : tensor<18x13x43x5x65xf32>, tensor<43x13x5x65x18xf32>
}

func.func @short_columns(%x: tensor<24x5x1031xbf16>) -> (tensor<24x5x1031xbf16>, tensor<1031x5x24xbf16>) {
  %w = arith.extf %x : tensor<24x5x1031xbf16> to tensor<24x5x1031xf32>
  %0 = graph.reduce sum %w dims = [0] : tensor<24x5x1031xf32> to tensor<5x1031xf32>
  %1 = graph.broadcast %0 dims = [1, 2] : tensor<5x1031xf32> to tensor<24x5x1031xf32>
  %2 = arith.subf %w, %1 : tensor<24x5x1031xf32>
  %3 = graph.scan sum %2 dim = 1 : tensor<24x5x1031xf32>
  %4 = graph.transpose %3 permutation = [2, 1, 0] : tensor<24x5x1031xf32> to tensor<1031x5x24xf32>
  %5 = arith.truncf %2 : tensor<24x5x1031xf32> to tensor<24x5x1031xbf16>
  %6 = arith.truncf %4 : tensor<1031x5x24xf32> to tensor<1031x5x24xbf16>
  return %5, %6 : tensor<24x5x1031xbf16>, tensor<1031x5x24xbf16>
}

func.func @scan_turned(%x: tensor<16x31x3x100xf32>) -> (tensor<16x31x3x100xf32>, tensor<100x16x3x31xf32>) {
  %0 = graph.scan sum %x dim = 0 reverse : tensor<16x31x3x100xf32>
  %1 = graph.transpose %0 permutation = [3, 0, 2, 1] : tensor<16x31x3x100xf32> to tensor<100x16x3x31xf32>
  return %0, %1 : tensor<16x31x3x100xf32>, tensor<100x16x3x31xf32>
}

func.func @alone(%x: tensor<2x16501xf32>) -> tensor<2x16501xf32> {
  %0 = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<2x16501xf32> to tensor<2x16501xf32>
  return %0 : tensor<2x16501xf32>
}

func.func @narrow_columns(%x: tensor<574x104xf32>) -> tensor<574x104xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<574x104xf32> to tensor<104xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<104xf32> to tensor<574x104xf32>
  %2 = arith.subf %x, %1 : tensor<574x104xf32>
  return %2 : tensor<574x104xf32>
}

func.func @scan_of_pieces(%x: tensor<24001xf32>) -> tensor<24001xf32> {
  %0 = graph.scan sum %x dim = 0 : tensor<24001xf32>
  return %0 : tensor<24001xf32>
}
