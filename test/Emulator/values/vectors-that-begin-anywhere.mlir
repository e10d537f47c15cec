// Tensors of one kernel that begin at different places in a vector: what threads hold of two vectors is loaded with both, and
// stored as one that neighbours put together. Rows and runs, padded, cut and joined, of all widths, with ends in vectors too.
// RUN: tw-check %s --quiet
// RUN: tw-check %s --target=sm_90a --quiet

func.func @padded_row_of_f32(%x: tensor<9x2048xf32>) -> (tensor<9x2052xf32>, tensor<9x2048xf32>, tensor<9x2048xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.pad %x low = [0, 1] high = [0, 3] value = 0.5 : f32 : tensor<9x2048xf32> to tensor<9x2052xf32>
  %1 = math.absf %x : tensor<9x2048xf32>
  %2 = graph.reduce sum %x dims = [1] : tensor<9x2048xf32> to tensor<9xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<9xf32> to tensor<9x2048xf32>
  %4 = arith.subf %x, %3 : tensor<9x2048xf32>
  return %0, %1, %4 : tensor<9x2052xf32>, tensor<9x2048xf32>, tensor<9x2048xf32>
}

func.func @softmax_beside_its_padding(%x: tensor<5x1536xf32>) -> (tensor<5x1540xf32>, tensor<5x1536xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 2048], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.softmax %x dim = 1 : tensor<5x1536xf32> to tensor<5x1536xf32>
  %1 = graph.pad %0 low = [0, 3] high = [0, 1] value = -1.0 : f32 : tensor<5x1536xf32> to tensor<5x1540xf32>
  return %1, %0 : tensor<5x1540xf32>, tensor<5x1536xf32>
}

func.func @padded_run(%x: tensor<6007xf32>) -> (tensor<6013xf32>, tensor<6007xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = math.exp %x : tensor<6007xf32>
  %1 = graph.pad %0 low = [2] high = [4] value = 0.5 : f32 : tensor<6007xf32> to tensor<6013xf32>
  %2 = math.tanh %x : tensor<6007xf32>
  return %1, %2 : tensor<6013xf32>, tensor<6007xf32>
}

func.func @neighbours(%x: tensor<8195xf32>) -> (tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>) attributes {
    check.schedule = #tile.schedule<tile = [512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = graph.slice %x offsets = [0] strides = [1] : tensor<8195xf32> to tensor<8192xf32>
  %1 = graph.slice %x offsets = [1] strides = [1] : tensor<8195xf32> to tensor<8192xf32>
  %2 = graph.slice %x offsets = [3] strides = [1] : tensor<8195xf32> to tensor<8192xf32>
  %3 = arith.subf %1, %0 : tensor<8192xf32>
  %4 = arith.addf %3, %2 : tensor<8192xf32>
  %5 = arith.mulf %2, %1 : tensor<8192xf32>
  return %3, %4, %5 : tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>
}

func.func @part_of_halves(%x: tensor<8192xbf16>, %y: tensor<8192xbf16>) -> (tensor<8192xbf16>, tensor<5001xbf16>) attributes {
    check.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.addf %x, %y : tensor<8192xbf16>
  %1 = graph.slice %0 offsets = [2003] strides = [1] : tensor<8192xbf16> to tensor<5001xbf16>
  %2 = arith.negf %1 : tensor<5001xbf16>
  return %0, %2 : tensor<8192xbf16>, tensor<5001xbf16>
}

func.func @halves_in_rows(%x: tensor<6x4096xbf16>) -> (tensor<6x4104xbf16>, tensor<6x4104xbf16>, tensor<6x4096xbf16>, tensor<6x4096xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = math.absf %x : tensor<6x4096xbf16>
  %1 = graph.pad %0 low = [0, 5] high = [0, 3] value = 0.5 : bf16 : tensor<6x4096xbf16> to tensor<6x4104xbf16>
  %2 = graph.pad %x low = [0, 2] high = [0, 6] value = 1.5 : bf16 : tensor<6x4096xbf16> to tensor<6x4104xbf16>
  %3 = arith.extf %x : tensor<6x4096xbf16> to tensor<6x4096xf32>
  return %1, %2, %0, %3 : tensor<6x4104xbf16>, tensor<6x4104xbf16>, tensor<6x4096xbf16>, tensor<6x4096xf32>
}

func.func @bytes(%x: tensor<4x4096xi8>) -> (tensor<4x4112xi8>, tensor<4x4096xi8>) attributes {
    check.schedule = #tile.schedule<tile = [1, 2048], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.addi %x, %x : tensor<4x4096xi8>
  %1 = graph.pad %0 low = [0, 7] high = [0, 9] value = 3 : i8 : tensor<4x4096xi8> to tensor<4x4112xi8>
  return %1, %0 : tensor<4x4112xi8>, tensor<4x4096xi8>
}

func.func @joined(%x: tensor<7x1000xf32>, %y: tensor<7x1000xf32>) -> (tensor<7x2000xf32>, tensor<7x1001xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = math.exp %x : tensor<7x1000xf32>
  %1 = math.tanh %y : tensor<7x1000xf32>
  %2 = graph.concat %0, %1 dim = 1 : tensor<7x1000xf32>, tensor<7x1000xf32> to tensor<7x2000xf32>
  %3 = graph.pad %0 low = [0, 1] high = [0, 0] value = 0.5 : f32 : tensor<7x1000xf32> to tensor<7x1001xf32>
  return %2, %3 : tensor<7x2000xf32>, tensor<7x1001xf32>
}

func.func @largest_of_a_part(%x: tensor<3x2051xf32>) -> (tensor<3xf32>, tensor<3xi64>, tensor<3x2048xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = graph.slice %x offsets = [0, 3] strides = [1, 1] : tensor<3x2051xf32> to tensor<3x2048xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<3x2048xf32> to tensor<3xf32>
  %2 = graph.arg_reduce max %0 dim = 1 : tensor<3x2048xf32> to tensor<3xi64>
  %3 = math.absf %0 : tensor<3x2048xf32>
  return %1, %2, %3 : tensor<3xf32>, tensor<3xi64>, tensor<3x2048xf32>
}

func.func @transposed_beside_its_padding(%x: tensor<700x640xf32>) -> (tensor<640x704xf32>, tensor<700x644xf32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<700x640xf32> to tensor<640x700xf32>
  %1 = graph.pad %0 low = [0, 3] high = [0, 1] value = 0.5 : f32 : tensor<640x700xf32> to tensor<640x704xf32>
  %2 = graph.pad %x low = [0, 1] high = [0, 3] value = 1.5 : f32 : tensor<700x640xf32> to tensor<700x644xf32>
  %3 = math.absf %2 : tensor<700x644xf32>
  return %1, %3 : tensor<640x704xf32>, tensor<700x644xf32>
}
func.func @flags(%x: tensor<4x4096xf32>, %y: tensor<4x4096xf32>) -> (tensor<4x4112xi1>, tensor<4x4096xi1>) attributes {
    check.schedule = #tile.schedule<tile = [1, 2048], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.cmpf olt, %x, %y : tensor<4x4096xf32>
  %1 = graph.pad %0 low = [0, 7] high = [0, 9] value = true : tensor<4x4096xi1> to tensor<4x4112xi1>
  return %1, %0 : tensor<4x4112xi1>, tensor<4x4096xi1>
}
func.func @flags_in(%x: tensor<4x4112xi1>, %y: tensor<4x4096xf32>) -> (tensor<4x4096xf32>, tensor<4x4096xi1>) attributes {
    check.schedule = #tile.schedule<tile = [1, 2048], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.slice %x offsets = [0, 7] strides = [1, 1] : tensor<4x4112xi1> to tensor<4x4096xi1>
  %z = arith.negf %y : tensor<4x4096xf32>
  %1 = arith.select %0, %y, %z : tensor<4x4096xi1>, tensor<4x4096xf32>
  return %1, %0 : tensor<4x4096xf32>, tensor<4x4096xi1>
}
func.func @doubles(%x: tensor<4x4096xf64>) -> (tensor<4x4098xf64>, tensor<4x4096xf64>) attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.addf %x, %x : tensor<4x4096xf64>
  %1 = graph.pad %0 low = [0, 1] high = [0, 1] value = 1.0 : f64 : tensor<4x4096xf64> to tensor<4x4098xf64>
  return %1, %0 : tensor<4x4098xf64>, tensor<4x4096xf64>
}
func.func @wide_integers(%x: tensor<4x4096xi64>) -> (tensor<4x4098xi64>, tensor<4x4096xi64>) attributes {
    check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.addi %x, %x : tensor<4x4096xi64>
  %1 = graph.pad %0 low = [0, 1] high = [0, 1] value = 5 : i64 : tensor<4x4096xi64> to tensor<4x4098xi64>
  return %1, %0 : tensor<4x4098xi64>, tensor<4x4096xi64>
}
func.func @eighths(%x: tensor<4x4096xf32>) -> (tensor<4x4112xf8E4M3FN>, tensor<4x4096xf8E4M3FN>) attributes {
    check.schedule = #tile.schedule<tile = [1, 2048], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.truncf %x : tensor<4x4096xf32> to tensor<4x4096xf8E4M3FN>
  %1 = graph.pad %0 low = [0, 5] high = [0, 11] value = 1.0 : f8E4M3FN : tensor<4x4096xf8E4M3FN> to tensor<4x4112xf8E4M3FN>
  return %1, %0 : tensor<4x4112xf8E4M3FN>, tensor<4x4096xf8E4M3FN>
}
func.func @halves_of_f16(%x: tensor<4x4096xf16>) -> (tensor<4x4104xf16>, tensor<4x4096xf16>) attributes {
    check.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = arith.addf %x, %x : tensor<4x4096xf16>
  %1 = graph.pad %0 low = [0, 6] high = [0, 2] value = 1.0 : f16 : tensor<4x4096xf16> to tensor<4x4104xf16>
  return %1, %0 : tensor<4x4104xf16>, tensor<4x4096xf16>
}
