// Gathers whose blocks keep the rows of their tables in shared memory: one row and several, all indices at once and in pieces, ragged
// ends of rows, of indices and of both, negative indices and indices outside of the table, which give zeros, from every type.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet
// RUN: tw-check %s --rtol=0 --atol=0 --quiet --target=sm_80
// RUN: tw-check %s --rtol=0 --atol=0 --quiet --target=sm_90a --emulator-seed=7

func.func @one_row(%t: tensor<5x64xf32>, %i: tensor<70xi64> {check.data = "random:-64:64"}) -> tensor<5x70xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<5x64xf32>, tensor<70xi64> to tensor<5x70xf32>
  return %0 : tensor<5x70xf32>
}
func.func @in_pieces(%t: tensor<5x300xf32>, %i: tensor<333xi64> {check.data = "random:-300:300"}) -> tensor<5x333xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<5x300xf32>, tensor<333xi64> to tensor<5x333xf32>
  return %0 : tensor<5x333xf32>
}
func.func @ragged_rows(%t: tensor<7x101xf32>, %i: tensor<97xi64> {check.data = "random:-101:101"}) -> tensor<7x97xf32> attributes {
    check.schedule = #tile.schedule<tile = [4, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<7x101xf32>, tensor<97xi64> to tensor<7x97xf32>
  return %0 : tensor<7x97xf32>
}
func.func @out_of_range(%t: tensor<6x5xf32>, %i: tensor<40xi64> {check.data = "random:-12:12"}) -> tensor<6x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x5xf32>, tensor<40xi64> to tensor<6x40xf32>
  return %0 : tensor<6x40xf32>
}
func.func @far_out_of_range(%t: tensor<6x50xf32>, %i: tensor<40xi64> {check.data = "random:-10000000000:10000000000"}) -> tensor<6x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x50xf32>, tensor<40xi64> to tensor<6x40xf32>
  return %0 : tensor<6x40xf32>
}
func.func @i32_indices(%t: tensor<9x60xf32>, %i: tensor<40xi32> {check.data = "random:-80:80"}) -> tensor<9x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [4, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<9x60xf32>, tensor<40xi32> to tensor<9x40xf32>
  return %0 : tensor<9x40xf32>
}

// Rows of whole words, and of 16 and 8 bits in odd numbers, which threads store themselves.
func.func @of_f16(%t: tensor<6x64xf16>, %i: tensor<40xi64> {check.data = "random:-64:64"}) -> tensor<6x40xf16> attributes {
    check.schedule = #tile.schedule<tile = [2, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x64xf16>, tensor<40xi64> to tensor<6x40xf16>
  return %0 : tensor<6x40xf16>
}
func.func @of_odd_bf16(%t: tensor<6x63xbf16>, %i: tensor<41xi64> {check.data = "random:-63:63"}) -> tensor<6x41xbf16> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x63xbf16>, tensor<41xi64> to tensor<6x41xbf16>
  return %0 : tensor<6x41xbf16>
}
func.func @of_i8(%t: tensor<6x77xi8>, %i: tensor<40xi64> {check.data = "random:-77:77"}) -> tensor<6x40xi8> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x77xi8>, tensor<40xi64> to tensor<6x40xi8>
  return %0 : tensor<6x40xi8>
}
func.func @of_i1(%t: tensor<6x77xi1>, %i: tensor<40xi64> {check.data = "random:-90:90"}) -> tensor<6x40xi1> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x77xi1>, tensor<40xi64> to tensor<6x40xi1>
  return %0 : tensor<6x40xi1>
}
func.func @of_f64(%t: tensor<6x30xf64>, %i: tensor<40xi64> {check.data = "random:-40:40"}) -> tensor<6x40xf64> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x30xf64>, tensor<40xi64> to tensor<6x40xf64>
  return %0 : tensor<6x40xf64>
}
func.func @of_i64(%t: tensor<6x31xi64>, %i: tensor<40xi64> {check.data = "random:-40:40"}) -> tensor<6x40xi64> attributes {
    check.schedule = #tile.schedule<tile = [1, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x31xi64>, tensor<40xi64> to tensor<6x40xi64>
  return %0 : tensor<6x40xi64>
}

// Indices of two dimensions, which other tensors tell apart; batches in front; and what lies behind the gathered dimension.
func.func @matrix_of_indices(%t: tensor<6x50xf32>, %i: tensor<3x7xi64> {check.data = "random:-60:60"}, %b: tensor<6x7xf32>) -> tensor<6x3x7xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 1, 8], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x50xf32>, tensor<3x7xi64> to tensor<6x3x7xf32>
  %1 = graph.broadcast %b dims = [0, 2] : tensor<6x7xf32> to tensor<6x3x7xf32>
  %2 = arith.addf %0, %1 : tensor<6x3x7xf32>
  return %2 : tensor<6x3x7xf32>
}
func.func @batches(%t: tensor<3x5x50xf32>, %i: tensor<45xi64> {check.data = "random:-60:60"}, %b: tensor<3x45xf32>) -> tensor<3x5x45xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 4, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 2 : tensor<3x5x50xf32>, tensor<45xi64> to tensor<3x5x45xf32>
  %1 = graph.broadcast %b dims = [0, 2] : tensor<3x45xf32> to tensor<3x5x45xf32>
  %2 = arith.addf %0, %1 : tensor<3x5x45xf32>
  return %2 : tensor<3x5x45xf32>
}
func.func @short_runs(%t: tensor<5x40x3xf32>, %i: tensor<33xi64> {check.data = "random:-45:45"}) -> tensor<5x33x3xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 16, 4], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<5x40x3xf32>, tensor<33xi64> to tensor<5x33x3xf32>
  return %0 : tensor<5x33x3xf32>
}
func.func @part_of_the_run(%t: tensor<5x40x6xf32>, %i: tensor<33xi64> {check.data = "random:-45:45"}) -> tensor<5x33x6xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 16, 4], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<5x40x6xf32>, tensor<33xi64> to tensor<5x33x6xf32>
  return %0 : tensor<5x33x6xf32>
}
func.func @columns_of_a_part(%t: tensor<9x64xf32>, %i: tensor<70xi64> {check.data = "random:-40:40"}) -> tensor<4x70xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.slice %t offsets = [1, 9] strides = [2, 1] : tensor<9x64xf32> to tensor<4x31xf32>
  %1 = graph.gather %0[%i] dim = 1 : tensor<4x31xf32>, tensor<70xi64> to tensor<4x70xf32>
  return %1 : tensor<4x70xf32>
}

// Two gathers from one table and one from another; indices that are computed; values that are joined, and turned around.
func.func @several(%t: tensor<6x50xf32>, %u: tensor<6x20xf32>, %i: tensor<40xi64> {check.data = "random:-60:60"}, %j: tensor<40xi64> {check.data = "random:-60:60"})
    -> tensor<6x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %c = arith.constant dense<3> : tensor<40xi64>
  %k = arith.addi %i, %c : tensor<40xi64>
  %0 = graph.gather %t[%k] dim = 1 : tensor<6x50xf32>, tensor<40xi64> to tensor<6x40xf32>
  %1 = graph.gather %t[%j] dim = 1 : tensor<6x50xf32>, tensor<40xi64> to tensor<6x40xf32>
  %2 = graph.gather %u[%i] dim = 1 : tensor<6x20xf32>, tensor<40xi64> to tensor<6x40xf32>
  %3 = arith.subf %0, %1 : tensor<6x40xf32>
  %4 = arith.addf %3, %2 : tensor<6x40xf32>
  return %4 : tensor<6x40xf32>
}
func.func @joined(%t: tensor<6x50xf32>, %i: tensor<40xi64> {check.data = "random:-60:60"}) -> (tensor<12x40xf32>, tensor<6x40xf32>) attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x50xf32>, tensor<40xi64> to tensor<6x40xf32>
  %1 = math.absf %0 : tensor<6x40xf32>
  %2 = graph.concat %0, %1 dim = 0 : tensor<6x40xf32>, tensor<6x40xf32> to tensor<12x40xf32>
  return %2, %1 : tensor<12x40xf32>, tensor<6x40xf32>
}
func.func @turned(%t: tensor<40x50xf32>, %i: tensor<70xi64> {check.data = "random:-60:60"}) -> tensor<70x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [32, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<40x50xf32>, tensor<70xi64> to tensor<40x70xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<40x70xf32> to tensor<70x40xf32>
  return %1 : tensor<70x40xf32>
}

// What none of the rows tells apart is stored once.
func.func @of_indices_alone(%t: tensor<6x50xf32>, %i: tensor<40xi64> {check.data = "random:-60:60"}) -> (tensor<6x40xf32>, tensor<40xi64>) attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %c = arith.constant dense<3> : tensor<40xi64>
  %k = arith.addi %i, %c : tensor<40xi64>
  %0 = graph.gather %t[%k] dim = 1 : tensor<6x50xf32>, tensor<40xi64> to tensor<6x40xf32>
  return %0, %k : tensor<6x40xf32>, tensor<40xi64>
}

// Rows of odd lengths, whole in a tile, which may go to memory as one run.
func.func @whole_odd_rows(%t: tensor<12x61xf32>, %i: tensor<53xi64> {check.data = "random:-61:61"}) -> (tensor<12x53xf32>, tensor<12x53xbf16>) attributes {
    check.schedule = #tile.schedule<tile = [4, 64], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<12x61xf32>, tensor<53xi64> to tensor<12x53xf32>
  %1 = arith.truncf %0 : tensor<12x53xf32> to tensor<12x53xbf16>
  return %0, %1 : tensor<12x53xf32>, tensor<12x53xbf16>
}

// Beside another reader of the table, slice by slice.
func.func @interleaved(%t: tensor<64x300xf32>, %i: tensor<290xi64> {check.data = "random:-300:300"}) -> (tensor<64x290xf32>, tensor<64xf32>) attributes {check.interleave,
    check.schedule = #tile.schedule<tile = [2, 128], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<64x300xf32>, tensor<290xi64> to tensor<64x290xf32>
  %1 = graph.reduce max %t dims = [1] : tensor<64x300xf32> to tensor<64xf32>
  return %0, %1 : tensor<64x290xf32>, tensor<64xf32>
}

// Blocks of as many warps as there may be.
func.func @many_warps(%t: tensor<3x1301xf32>, %i: tensor<2477xi64> {check.data = "random:-1301:1301"}) -> tensor<3x2477xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 32, warp_grid = [1, 32], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<3x1301xf32>, tensor<2477xi64> to tensor<3x2477xf32>
  return %0 : tensor<3x2477xf32>
}

// Reductions over what is taken: rows whole, in a loop, and gone over twice.
func.func @reduced(%t: tensor<6x50xf32>, %i: tensor<40xi64> {check.data = "random:-60:60"}) -> (tensor<6xf32>, tensor<6x40xf32>) attributes {
    check.schedule = #tile.schedule<tile = [2, 64], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x50xf32>, tensor<40xi64> to tensor<6x40xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<6x40xf32> to tensor<6xf32>
  return %1, %0 : tensor<6xf32>, tensor<6x40xf32>
}
func.func @reduced_in_a_loop(%t: tensor<6x50xf32>, %i: tensor<140xi64> {check.data = "random:-60:60"}) -> tensor<6xf32> attributes {
    check.schedule = #tile.schedule<tile = [2, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x50xf32>, tensor<140xi64> to tensor<6x140xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<6x140xf32> to tensor<6xf32>
  return %1 : tensor<6xf32>
}
func.func @gone_over_twice(%t: tensor<6x50xf32>, %i: tensor<140xi64> {check.data = "random:-60:60"}) -> tensor<6x140xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 32], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x50xf32>, tensor<140xi64> to tensor<6x140xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<6x140xf32> to tensor<6xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<6xf32> to tensor<6x140xf32>
  %3 = arith.subf %0, %2 : tensor<6x140xf32>
  return %3 : tensor<6x140xf32>
}

// What is reduced tells rows of the table apart.
func.func @reduced_rows(%t: tensor<6x50xf32>, %i: tensor<40xi64> {check.data = "random:-60:60"}) -> tensor<40xf32> attributes {
    check.refused = "whose rows no loop goes over",
    check.schedule = #tile.schedule<tile = [8, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x50xf32>, tensor<40xi64> to tensor<6x40xf32>
  %1 = graph.reduce max %0 dims = [0] : tensor<6x40xf32> to tensor<40xf32>
  return %1 : tensor<40xf32>
}
