// Kernels that need one another, or read the same, as one launch whose blocks go through the tensors slice by slice: waits for
// slices before and behind, slices by rows, columns and the middle dimension, blocks of several sizes that share one, parts
// whose last slice is smaller. Each program runs twice: counters go on from launch to launch.
// REQUIRES: emulator
// RUN: tw-check %s --interleave
// RUN: tw-check %s --interleave --emulator-seed=3
// RUN: tw-check %s --interleave --emulator-seed=12 --early

// Statistics of rows, then of the columns of each matrix: slices are matrices.
func.func @rows_then_columns(%x: tensor<6x160x200xf32>) -> (tensor<6x160x200xf32>, tensor<6x160x200xf32>) {
  %0 = graph.softmax %x dim = 2 : tensor<6x160x200xf32> to tensor<6x160x200xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<6x160x200xf32> to tensor<6x160x200xf32>
  return %0, %1 : tensor<6x160x200xf32>, tensor<6x160x200xf32>
}

// The first kernel goes along the outermost dimension, the second along the innermost: slices are parts of the middle one.
func.func @outermost_then_innermost(%x: tensor<70x16x2x240xf32>)
    -> (tensor<70x16x2x240xf32>, tensor<70x16x2x240xf32>) attributes {check.rtol = 1.0e-4} {
  %0 = graph.scan sum %x dim = 0 : tensor<70x16x2x240xf32>
  %1 = graph.softmax %0 dim = 3 : tensor<70x16x2x240xf32> to tensor<70x16x2x240xf32>
  return %0, %1 : tensor<70x16x2x240xf32>, tensor<70x16x2x240xf32>
}

// Long rows scanned, which another kernel normalises along the middle; then sums of rows.
func.func @scan_then_columns_then_rows(%x: tensor<20x8x700xf32>)
    -> (tensor<20x8x700xf32>, tensor<20x8xf32>) attributes {check.rtol = 1.0e-3} {
  %0 = graph.scan sum %x dim = 2 : tensor<20x8x700xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<20x8x700xf32> to tensor<20x8x700xf32>
  %2 = math.sqrt %1 : tensor<20x8x700xf32>
  %3 = graph.reduce sum %2 dims = [2] : tensor<20x8x700xf32> to tensor<20x8xf32>
  return %1, %3 : tensor<20x8x700xf32>, tensor<20x8xf32>
}

// A neighbour's rows: slices of the second kernel need two of the first.
func.func @shifted(%x: tensor<1000x96xf32>) -> (tensor<999x96xf32>, tensor<999x96xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<1000x96xf32> to tensor<1000x96xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<1000x96xf32> to tensor<999x96xf32>
  %2 = graph.slice %0 offsets = [1, 0] strides = [1, 1] : tensor<1000x96xf32> to tensor<999x96xf32>
  %3 = graph.scan sum %1 dim = 0 : tensor<999x96xf32>
  %4 = arith.addf %2, %3 : tensor<999x96xf32>
  return %2, %4 : tensor<999x96xf32>, tensor<999x96xf32>
}

// Two kernels that read the same and do not need one another.
func.func @same_input(%x: tensor<12x160x200xf32>) -> (tensor<12x160x200xf32>, tensor<12x160x200xf32>)
    attributes {check.rtol = 1.0e-4} {
  %0 = graph.softmax %x dim = 2 : tensor<12x160x200xf32> to tensor<12x160x200xf32>
  %1 = graph.scan sum %x dim = 1 : tensor<12x160x200xf32>
  return %0, %1 : tensor<12x160x200xf32>, tensor<12x160x200xf32>
}

// Whole columns are needed before the next rows: every slice waits for all.
func.func @all_of_it(%x: tensor<60x200xbf16>) -> tensor<60x200xbf16> {
  %0 = graph.softmax %x dim = 0 : tensor<60x200xbf16> to tensor<60x200xbf16>
  %1 = graph.softmax %0 dim = 1 : tensor<60x200xbf16> to tensor<60x200xbf16>
  return %1 : tensor<60x200xbf16>
}

// Rows that indices select of what another kernel wrote.
func.func @gathered(%x: tensor<40x6x64xf32>, %i: tensor<6xi64> {check.data = "random:0:5"})
    -> (tensor<40x6x64xf32>, tensor<40x6xf32>) {
  %0 = graph.softmax %x dim = 2 : tensor<40x6x64xf32> to tensor<40x6x64xf32>
  %1 = graph.gather %0[%i] dim = 1 : tensor<40x6x64xf32>, tensor<6xi64> to tensor<40x6x64xf32>
  %2 = graph.reduce sum %1 dims = [2] : tensor<40x6x64xf32> to tensor<40x6xf32>
  return %1, %2 : tensor<40x6x64xf32>, tensor<40x6xf32>
}
