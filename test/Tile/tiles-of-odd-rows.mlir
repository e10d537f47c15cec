// Tiles where rows are short, narrow or gathered from: enough elements for a block, enough bytes on their way, whole rows.
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s

// Three of five elements of each row: a block has many rows.
// CHECK-LABEL: tile.kernel @minimumf
// CHECK-SAME: tile = [512, 4], {{.*}} warps = 8
func.func @parts_of_short_rows(%x: tensor<900000x5xf32>, %y: tensor<900000xf32>) -> tensor<900000x3xf32> {
  %0 = graph.slice %x offsets = [0, 1] strides = [1, 1] : tensor<900000x5xf32> to tensor<900000x3xf32>
  %1 = graph.broadcast %y dims = [0] : tensor<900000xf32> to tensor<900000x3xf32>
  %2 = arith.minimumf %0, %1 : tensor<900000x3xf32>
  return %2 : tensor<900000x3xf32>
}

// Narrow columns of few blocks: no smaller tiles, of which several would be on their way.
// CHECK-LABEL: tile.kernel @reduction_truncf
// CHECK-SAME: tile = [{{[0-9]+}}, 1, 24, 64], {{.*}} warps = 16, {{.*}} stages = 1
func.func @narrow_columns(%x: tensor<120x2x19x6272xbf16>) -> tensor<120x2x22x6272xbf16> {
  %0 = arith.extf %x : tensor<120x2x19x6272xbf16> to tensor<120x2x19x6272xf32>
  %1 = graph.pad %0 low = [0, 0, 2, 0] high = [0, 0, 1, 0] value = 0.0 : f32 : tensor<120x2x19x6272xf32> to tensor<120x2x22x6272xf32>
  %2 = graph.reduce min %1 dims = [0, 2] : tensor<120x2x22x6272xf32> to tensor<2x6272xf32>
  %3 = graph.broadcast %2 dims = [1, 3] : tensor<2x6272xf32> to tensor<120x2x22x6272xf32>
  %4 = arith.subf %1, %3 : tensor<120x2x22x6272xf32>
  %5 = arith.truncf %4 : tensor<120x2x22x6272xf32> to tensor<120x2x22x6272xbf16>
  return %5 : tensor<120x2x22x6272xbf16>
}

// Places anywhere in a row: a block has all of them, and of the table's row as well where that is short enough for shared memory.
// CHECK-LABEL: tile.kernel @gather
// CHECK-SAME: tile = [2, 1024], {{.*}} warps = 4
func.func @along_long_rows(%x: tensor<3000x60000xbf16>, %i: tensor<797xi64>) -> tensor<3000x797xbf16> {
  %0 = graph.gather %x[%i] dim = 1 : tensor<3000x60000xbf16>, tensor<797xi64> to tensor<3000x797xbf16>
  return %0 : tensor<3000x797xbf16>
}
// CHECK-LABEL: tile.kernel @gather
// CHECK-SAME: keep_tables
func.func @along_rows(%x: tensor<3000x6002xbf16>, %i: tensor<5997xi64>) -> tensor<3000x5997xbf16> {
  %0 = graph.gather %x[%i] dim = 1 : tensor<3000x6002xbf16>, tensor<5997xi64> to tensor<3000x5997xbf16>
  return %0 : tensor<3000x5997xbf16>
}

// So many rows of so few bytes that the chip would be busy starting blocks of a warp: blocks have several.
// CHECK-LABEL: tile.kernel @reduction_truncf
// CHECK-SAME: tile = [32, 64], {{.*}} warps = 4
func.func @blocks_of_little(%x: tensor<853760x40xbf16>) -> tensor<853760x40xbf16> {
  %0 = arith.extf %x : tensor<853760x40xbf16> to tensor<853760x40xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<853760x40xf32> to tensor<853760xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<853760xf32> to tensor<853760x40xf32>
  %3 = arith.subf %0, %2 : tensor<853760x40xf32>
  %4 = arith.truncf %3 : tensor<853760x40xf32> to tensor<853760x40xbf16>
  return %4 : tensor<853760x40xbf16>
}
