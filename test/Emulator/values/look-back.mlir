// Scanned rows in pieces, one a block, which looks back at what the blocks before have published: groups of one level and
// of several, from either end, rows beside one another and across memory, ragged last pieces, states of 32 and 64 bits,
// 16-bit elements, and what is computed before and behind.
// RUN: tw-check %s --rtol=4e-6 --atol=2e-5 --quiet
// RUN: tw-check %s --rtol=4e-6 --atol=2e-5 --quiet --emulator-seed=7

func.func @one_group(%x: tensor<1x1000xf32>) -> tensor<1x1000xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<1x1000xf32>
  return %0 : tensor<1x1000xf32>
}
func.func @reversed(%x: tensor<1x1000xf32>) -> tensor<1x1000xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 reverse : tensor<1x1000xf32>
  return %0 : tensor<1x1000xf32>
}

// 104 pieces of three rows: groups of the second level.
func.func @two_levels(%x: tensor<3x3301xf32>) -> (tensor<3x3301xf32>, tensor<3x3301xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<3x3301xf32>
  %1 = graph.scan max %x dim = 1 : tensor<3x3301xf32>
  return %0, %1 : tensor<3x3301xf32>, tensor<3x3301xf32>
}

// 2500 pieces: a third level, whose groups are not the first.
func.func @three_levels(%x: tensor<20000xf32>) -> tensor<20000xf32> attributes {check.atol = 2.0e-4,
    check.schedule = #tile.schedule<tile = [8], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<20000xf32>
  return %0 : tensor<20000xf32>
}
func.func @three_levels_reversed(%x: tensor<20000xi32>) -> tensor<20000xi32> attributes {
    check.schedule = #tile.schedule<tile = [8], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 reverse : tensor<20000xi32>
  return %0 : tensor<20000xi32>
}

// As many pieces as a group has, one more, and two.
func.func @whole_group(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {
    check.schedule = #tile.schedule<tile = [32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
func.func @one_more(%x: tensor<1025xf32>) -> tensor<1025xf32> attributes {
    check.schedule = #tile.schedule<tile = [32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<1025xf32>
  return %0 : tensor<1025xf32>
}
func.func @two_pieces(%x: tensor<5x33xf32>) -> tensor<5x33xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<5x33xf32>
  return %0 : tensor<5x33xf32>
}

// Columns: a block publishes the totals of many, more than it has warps, as many, or fewer.
func.func @columns(%x: tensor<1500x40xf32>) -> tensor<1500x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [16, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<1500x40xf32>
  return %0 : tensor<1500x40xf32>
}
func.func @columns_reversed(%x: tensor<700x40xf32>) -> tensor<700x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [16, 8], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 reverse : tensor<700x40xf32>
  return %0 : tensor<700x40xf32>
}
func.func @few_columns(%x: tensor<700x3xf32>) -> tensor<700x3xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 3], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<700x3xf32>
  return %0 : tensor<700x3xf32>
}
func.func @many_columns(%x: tensor<300x300xf64>) -> tensor<300x300xf64> attributes {
    check.schedule = #tile.schedule<tile = [8, 128], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<300x300xf64>
  return %0 : tensor<300x300xf64>
}
func.func @middle(%x: tensor<3x500x5xf32>) -> tensor<3x500x5xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 16, 5], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<3x500x5xf32>
  return %0 : tensor<3x500x5xf32>
}

// Threads with long runs of a row, or of columns, which lanes bring up to date as wholes.
func.func @long_runs(%x: tensor<2x4001xf32>) -> (tensor<2x4001xf32>, tensor<2x4001xf32>) attributes {check.atol = 1.0e-4,
    check.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 reverse : tensor<2x4001xf32>
  %1 = graph.scan max %x dim = 1 reverse : tensor<2x4001xf32>
  return %0, %1 : tensor<2x4001xf32>, tensor<2x4001xf32>
}
func.func @long_runs_of_halves(%x: tensor<9000xf16>) -> tensor<9000xf16> attributes {check.rtol = 2.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [2048], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<9000xf16>
  return %0 : tensor<9000xf16>
}
func.func @long_runs_of_columns(%x: tensor<700x40xf32>) -> tensor<700x40xf32> attributes {check.atol = 1.0e-4,
    check.schedule = #tile.schedule<tile = [128, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<700x40xf32>
  return %0 : tensor<700x40xf32>
}

// States of other types and kinds.
func.func @integers(%x: tensor<2x2000xi64>) -> tensor<2x2000xi64> attributes {
    check.schedule = #tile.schedule<tile = [1, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<2x2000xi64>
  return %0 : tensor<2x2000xi64>
}
func.func @bytes(%x: tensor<2000xi8>) -> tensor<2000xi8> attributes {
    check.schedule = #tile.schedule<tile = [32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<2000xi8>
  return %0 : tensor<2000xi8>
}
func.func @doubles(%x: tensor<2000xf64>) -> tensor<2000xf64> attributes {
    check.schedule = #tile.schedule<tile = [32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<2000xf64>
  return %0 : tensor<2000xf64>
}
func.func @products(%x: tensor<2000xf32> {check.data = "random:0.97:1.03"}) -> tensor<2000xf32> attributes {check.rtol = 2.0e-4,
    check.schedule = #tile.schedule<tile = [32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan prod %x dim = 0 : tensor<2000xf32>
  return %0 : tensor<2000xf32>
}
func.func @least(%x: tensor<2000xf32>) -> tensor<2000xf32> attributes {
    check.schedule = #tile.schedule<tile = [32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan min %x dim = 0 reverse : tensor<2000xf32>
  return %0 : tensor<2000xf32>
}
func.func @halves(%x: tensor<2x2000xbf16>) -> tensor<2x2000xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<2x2000xbf16>
  return %0 : tensor<2x2000xbf16>
}

// Sums of what lies before an element, elementwise neighbours, and another tensor behind.
func.func @exclusive(%x: tensor<2x999xf32>, %y: tensor<2x999xf32>) -> (tensor<2x999xf32>, tensor<2x999xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, look_back>} {
  %e = math.exp %x : tensor<2x999xf32>
  %s = graph.slice %e offsets = [0, 0] strides = [1, 1] : tensor<2x999xf32> to tensor<2x998xf32>
  %p = graph.pad %s low = [0, 1] high = [0, 0] value = 0.0 : f32 : tensor<2x998xf32> to tensor<2x999xf32>
  %0 = graph.scan sum %p dim = 1 : tensor<2x999xf32>
  %1 = arith.mulf %0, %y : tensor<2x999xf32>
  return %0, %1 : tensor<2x999xf32>, tensor<2x999xf32>
}

// What the fuse stage leaves whole, in tiles of the tile stage's own: one row, few from the end, columns, and behind a scan a
// norm of its row, which is a kernel of its own.
func.func @chosen_row(%x: tensor<40003xf32>, %y: tensor<40003xf32>) -> tensor<40003xf32> attributes {check.look_back, check.atol = 4.0e-4} {
  %e = math.absf %x : tensor<40003xf32>
  %0 = graph.scan sum %e dim = 0 : tensor<40003xf32>
  %1 = arith.subf %0, %y : tensor<40003xf32>
  return %1 : tensor<40003xf32>
}
func.func @chosen_rows(%x: tensor<3x20000xbf16>) -> tensor<3x20000xbf16> attributes {check.look_back, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.scan sum %x dim = 1 reverse : tensor<3x20000xbf16>
  return %0 : tensor<3x20000xbf16>
}
func.func @chosen_columns(%x: tensor<5000x6xf32>) -> tensor<5000x6xf32> attributes {check.look_back, check.atol = 1.0e-4} {
  %0 = graph.scan sum %x dim = 0 : tensor<5000x6xf32>
  return %0 : tensor<5000x6xf32>
}
func.func @wide_columns(%x: tensor<2000x48xi32>) -> tensor<2000x48xi32> attributes {check.look_back} {
  %0 = graph.scan sum %x dim = 0 : tensor<2000x48xi32>
  return %0 : tensor<2000x48xi32>
}
func.func @chain(%x: tensor<40000xf32>, %y: tensor<40000xf32>) -> (tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>) attributes {check.look_back, check.atol = 4.0e-4} {
  %0 = graph.scan sum %x dim = 0 : tensor<40000xf32>
  %1 = graph.scan max %y dim = 0 : tensor<40000xf32>
  %m = graph.reduce max %0 dims = [0] : tensor<40000xf32> to tensor<f32>
  %w = graph.broadcast %m dims = [] : tensor<f32> to tensor<40000xf32>
  %d = arith.subf %1, %w : tensor<40000xf32>
  %2 = graph.scan min %d dim = 0 reverse : tensor<40000xf32>
  return %0, %1, %2 : tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>
}

// Refused: what has no pieces, and what needs whole rows.
func.func @whole_rows(%x: tensor<4x64xf32>) -> tensor<4x64xf32> attributes {check.refused = "the schedule has look_back: the tile holds whole rows",
    check.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
func.func @no_scan(%x: tensor<4x64xf32>) -> tensor<4xf32> attributes {check.refused = "the schedule has look_back: blocks take pieces of scanned rows, and the kernel scans none",
    check.schedule = #tile.schedule<tile = [1, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<4x64xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @both_ends(%x: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>) attributes {check.refused = "the schedule has look_back: scans in both directions need whole rows",
    check.schedule = #tile.schedule<tile = [1, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 1 : tensor<4x64xf32>
  %1 = graph.scan sum %x dim = 1 reverse : tensor<4x64xf32>
  return %0, %1 : tensor<4x64xf32>, tensor<4x64xf32>
}
func.func @words(%x: tensor<2048x8192xf32>) -> tensor<2048x8192xf32> attributes {check.refused = "the totals of 32768 pieces take 1081344 words, there are 523744",
    check.schedule = #tile.schedule<tile = [16, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<2048x8192xf32>
  return %0 : tensor<2048x8192xf32>
}

// A warp for each of three levels, of a total of one row and of two; groups that end with a group of the next level.
func.func @levels_by_warps(%x: tensor<73600xi32>) -> tensor<73600xi32> attributes {
    check.schedule = #tile.schedule<tile = [32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, look_back>} {
  %0 = graph.scan sum %x dim = 0 : tensor<73600xi32>
  return %0 : tensor<73600xi32>
}
func.func @columns_by_warps(%x: tensor<4200x2xf32>) -> (tensor<4200x2xf32>, tensor<4200x2xf32>) attributes {
    check.schedule = #tile.schedule<tile = [2, 2], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1, look_back>} {
  %0 = graph.scan max %x dim = 0 reverse : tensor<4200x2xf32>
  %1 = graph.scan min %x dim = 0 reverse : tensor<4200x2xf32>
  return %0, %1 : tensor<4200x2xf32>, tensor<4200x2xf32>
}
