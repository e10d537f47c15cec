// Loops that copy several tiles ahead, along rows and across them, and persistent blocks that copy rows ahead: lengths that
// no tile divides, fewer tiles than stages, weights that all rows share.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @column_sum(%x: tensor<1000x96xf32>) -> tensor<96xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 4>} {
  %0 = graph.reduce sum %x dims = [0] : tensor<1000x96xf32> to tensor<96xf32>
  return %0 : tensor<96xf32>
}
func.func @row_read_twice(%x: tensor<5x4096xbf16> {check.data = "random:-20:20"}) -> tensor<5x4096xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 3>} {
  %w = arith.extf %x : tensor<5x4096xbf16> to tensor<5x4096xf32>
  %0 = graph.softmax %w dim = 1 : tensor<5x4096xf32> to tensor<5x4096xf32>
  return %0 : tensor<5x4096xf32>
}
func.func @odd_rows(%x: tensor<5x3001xf32> {check.data = "random:1:9"}) -> tensor<5xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 3>} {
  %0 = math.log %x : tensor<5x3001xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<5x3001xf32> to tensor<5xf32>
  return %1 : tensor<5xf32>
}
func.func @odd_rows_of_pairs(%x: tensor<5x3001xbf16>, %y: tensor<5x3001xbf16>) -> tensor<5xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 3>} {
  %w = arith.extf %x : tensor<5x3001xbf16> to tensor<5x3001xf32>
  %v = arith.extf %y : tensor<5x3001xbf16> to tensor<5x3001xf32>
  %0 = arith.mulf %w, %v : tensor<5x3001xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<5x3001xf32> to tensor<5xf32>
  return %1 : tensor<5xf32>
}
func.func @column_scan(%x: tensor<256x64xf32>) -> tensor<256x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [32, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 3>} {
  %0 = graph.scan sum %x dim = 0 : tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}
func.func @persistent_norm(%x: tensor<13x512xbf16>, %s: tensor<512xf32>, %b: tensor<512xf32>) -> tensor<13x512xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 3, persistent = 3>} {
  %w = arith.extf %x : tensor<13x512xbf16> to tensor<13x512xf32>
  %0 = graph.layer_norm %w scale(%s : tensor<512xf32>) bias(%b : tensor<512xf32>) dim = 1 epsilon = 1.0e-5 : tensor<13x512xf32> to tensor<13x512xf32>
  return %0 : tensor<13x512xf32>
}
func.func @persistent_in_registers(%x: tensor<13x512xf32>, %r: tensor<13x512xf32>) -> tensor<13xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, persistent = 4>} {
  %h = arith.addf %x, %r : tensor<13x512xf32>
  %0 = graph.reduce max %h dims = [1] : tensor<13x512xf32> to tensor<13xf32>
  return %0 : tensor<13xf32>
}
func.func @persistent_exp(%x: tensor<5000xf32>) -> tensor<5000xf32>
    attributes {check.schedule = #tile.schedule<tile = [512], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 4, persistent = 4>} {
  %0 = math.exp %x : tensor<5000xf32>
  return %0 : tensor<5000xf32>
}
