// Rows of 16-bit results that begin in the middle of 16 bytes are gone over from the eight elements before: of what all rows share,
// wider elements of which a vector has fewer, whole vectors before its first element were loaded, outside of the tensor.
// RUN: tw-check %s --target=sm_90a --quiet --rtol=1e-2 --atol=1e-2

func.func @scaled_rows(%x: tensor<15x100xf32>, %s: tensor<100xf32>) -> tensor<15x100xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.rms_norm %x scale(%s : tensor<100xf32>) dim = 1 epsilon = 1.0e-5 : tensor<15x100xf32> to tensor<15x100xf32>
  %1 = arith.truncf %0 : tensor<15x100xf32> to tensor<15x100xbf16>
  return %1 : tensor<15x100xbf16>
}

func.func @scaled_rows_of_doubles(%x: tensor<15x100xf64>, %s: tensor<100xf64>) -> tensor<15x100xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = graph.rms_norm %x scale(%s : tensor<100xf64>) dim = 1 epsilon = 1.0e-5 : tensor<15x100xf64> to tensor<15x100xf64>
  %1 = arith.truncf %0 : tensor<15x100xf64> to tensor<15x100xbf16>
  return %1 : tensor<15x100xbf16>
}

// The same of tiles that are copied ahead.
func.func @scaled_before_their_sum(%x: tensor<5x20500xbf16>, %s: tensor<20500xf32>) -> tensor<5xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 2048], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 3, align_rows>} {
  %0 = arith.extf %x : tensor<5x20500xbf16> to tensor<5x20500xf32>
  %1 = graph.broadcast %s dims = [1] : tensor<20500xf32> to tensor<5x20500xf32>
  %2 = arith.mulf %0, %1 : tensor<5x20500xf32>
  %3 = graph.reduce max %2 dims = [1] : tensor<5x20500xf32> to tensor<5xf32>
  return %3 : tensor<5xf32>
}
