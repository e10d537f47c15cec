// Rows that begin anywhere in 16 bytes, gone over from the last multiple of 16 bytes before each: one pass and several, rows kept in
// shared memory, in registers and by a cluster, tensors that end within a vector and with one, results of other widths, operands
// that all rows share, views that begin within a row, and places of elements.
// RUN: tw-check %s --quiet
// RUN: tw-check %s --quiet --target=sm_80
// RUN: tw-check %s --quiet --target=sm_90a --emulator-seed=7

// Nine rows of 2047: the last vector reaches over the tensor's end.
func.func @sums_over_the_end(%x: tensor<9x2047xbf16>) -> tensor<9xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = arith.extf %x : tensor<9x2047xbf16> to tensor<9x2047xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<9x2047xf32> to tensor<9xf32>
  return %1 : tensor<9xf32>
}
func.func @maxima_of_bytes(%x: tensor<5x1001xi8>) -> tensor<5xi8> attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %1 = graph.reduce max %x dims = [1] : tensor<5x1001xi8> to tensor<5xi8>
  return %1 : tensor<5xi8>
}
func.func @sums_of_words(%x: tensor<7x517xf32>) -> tensor<7xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %1 = graph.reduce sum %x dims = [1] : tensor<7x517xf32> to tensor<7xf32>
  return %1 : tensor<7xf32>
}
// Eight rows end with a vector. What lies before a row is a part of the one before, which is larger.
func.func @largest_before(%x: tensor<8x515xf16> {check.data = "random:-9:-1"}) -> tensor<8xf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %1 = graph.reduce max %x dims = [1] : tensor<8x515xf16> to tensor<8xf16>
  return %1 : tensor<8xf16>
}
// Copied ahead to a ring.
func.func @ahead(%x: tensor<3x4099xf16>) -> tensor<3xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 3, align_rows>} {
  %0 = arith.extf %x : tensor<3x4099xf16> to tensor<3x4099xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<3x4099xf32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
// Rows stay in shared memory between passes; results begin at the same places.
func.func @softmax(%x: tensor<6x1003xbf16>) -> tensor<6x1003xbf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.softmax %x dim = 1 : tensor<6x1003xbf16> to tensor<6x1003xbf16>
  return %0 : tensor<6x1003xbf16>
}
// One tile holds the row with what lies before it.
func.func @held(%x: tensor<7x501xf16>) -> tensor<7x501xf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, align_rows>} {
  %0 = graph.softmax %x dim = 1 : tensor<7x501xf16> to tensor<7x501xf16>
  return %0 : tensor<7x501xf16>
}
// A tile that is as long as the row, and not as what lies before it with the row.
func.func @nearly_held(%x: tensor<7x509xf16>) -> tensor<7x509xf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, align_rows>} {
  %0 = graph.softmax %x dim = 1 : tensor<7x509xf16> to tensor<7x509xf16>
  return %0 : tensor<7x509xf16>
}
// Blocks of a cluster have parts of the row; each stores what the others need of it.
func.func @in_a_cluster(%x: tensor<3x1021xf16>) -> (tensor<3x1021xf16>, tensor<3xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, split_k = 4, align_rows>} {
  %0 = arith.extf %x : tensor<3x1021xf16> to tensor<3x1021xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<3x1021xf32> to tensor<3xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<3xf32> to tensor<3x1021xf32>
  %3 = arith.subf %0, %2 : tensor<3x1021xf32>
  %4 = arith.truncf %3 : tensor<3x1021xf32> to tensor<3x1021xf16>
  return %4, %1 : tensor<3x1021xf16>, tensor<3xf32>
}
// Persistent blocks take rows in turn.
func.func @in_turn(%x: tensor<9x777xf16>) -> tensor<9x777xf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, persistent = 2, align_rows>} {
  %0 = graph.softmax %x dim = 1 : tensor<9x777xf16> to tensor<9x777xf16>
  return %0 : tensor<9x777xf16>
}
// Weights that all rows share begin with a vector, the rows do not; bytes and words are stored beside halves.
func.func @widths(%x: tensor<5x331xf16>, %w: tensor<331xf16>) -> (tensor<5x331xi8>, tensor<5x331xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = arith.extf %x : tensor<5x331xf16> to tensor<5x331xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<5x331xf32> to tensor<5xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<5xf32> to tensor<5x331xf32>
  %3 = arith.subf %0, %2 : tensor<5x331xf32>
  %4 = arith.extf %w : tensor<331xf16> to tensor<331xf32>
  %5 = graph.broadcast %4 dims = [1] : tensor<331xf32> to tensor<5x331xf32>
  %6 = arith.mulf %3, %5 : tensor<5x331xf32>
  %7 = arith.fptosi %6 : tensor<5x331xf32> to tensor<5x331xi8>
  return %7, %6 : tensor<5x331xi8>, tensor<5x331xf32>
}
// Parts of rows, in pieces that begin elsewhere than the rows.
func.func @slices(%x: tensor<4x900xf16>) -> tensor<4x613xf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.slice %x offsets = [0, 107] strides = [1, 1] : tensor<4x900xf16> to tensor<4x613xf16>
  %1 = graph.softmax %0 dim = 1 : tensor<4x613xf16> to tensor<4x613xf16>
  return %1 : tensor<4x613xf16>
}
// Places are counted from the row's first element.
func.func @places(%x: tensor<6x701xf16>) -> tensor<6xi64> attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<6x701xf16> to tensor<6xi64>
  return %0 : tensor<6xi64>
}
// Several kept dimensions.
func.func @of_three(%x: tensor<3x5x263xbf16>) -> tensor<3x5x263xbf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.softmax %x dim = 2 : tensor<3x5x263xbf16> to tensor<3x5x263xbf16>
  return %0 : tensor<3x5x263xbf16>
}
// Chosen by the compiler: rows of more elements than a block holds.
func.func @chosen(%x: tensor<3x40001xf16>) -> tensor<3x40001xf16> {
  %0 = graph.softmax %x dim = 1 : tensor<3x40001xf16> to tensor<3x40001xf16>
  return %0 : tensor<3x40001xf16>
}
