// Sixteenth rung: pdl, a product may start while the one before it runs: it fills its ring with what that does not write.
// RUN: tw-check %s --rtol=8e-3 --atol=1e-2 --quiet

func.func @chain(%x: tensor<64x320xbf16>, %v: tensor<320x320xbf16>, %w: tensor<320x320xbf16>) -> tensor<64x320xbf16> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], pdl>} {
  %0 = graph.matmul %x, %v : tensor<64x320xbf16>, tensor<320x320xbf16> to tensor<64x320xf32>
  %1 = arith.truncf %0 : tensor<64x320xf32> to tensor<64x320xbf16>
  %2 = graph.matmul %1, %w : tensor<64x320xbf16>, tensor<320x320xbf16> to tensor<64x320xf32>
  %3 = arith.truncf %2 : tensor<64x320xf32> to tensor<64x320xbf16>
  return %3 : tensor<64x320xbf16>
}

// More stages than steps, several tiles a block.
func.func @persistent(%x: tensor<192x128xbf16>, %v: tensor<128x128xbf16>, %w: tensor<128x128xbf16>) -> tensor<192x128xbf16> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk, pdl>} {
  %0 = graph.matmul %x, %v : tensor<192x128xbf16>, tensor<128x128xbf16> to tensor<192x128xf32>
  %1 = arith.truncf %0 : tensor<192x128xf32> to tensor<192x128xbf16>
  %2 = graph.matmul %1, %w : tensor<192x128xbf16>, tensor<128x128xbf16> to tensor<192x128xf32>
  %3 = arith.truncf %2 : tensor<192x128xf32> to tensor<192x128xbf16>
  return %3 : tensor<192x128xbf16>
}

func.func @parts(%x: tensor<16x512xbf16>, %v: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<16x512xbf16> attributes {
    check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 216], split_k = 2, swap_operands, pdl>} {
  %0 = graph.matmul %x, %v : tensor<16x512xbf16>, tensor<512x512xbf16> to tensor<16x512xf32>
  %1 = arith.truncf %0 : tensor<16x512xf32> to tensor<16x512xbf16>
  %2 = graph.matmul %1, %w : tensor<16x512xbf16>, tensor<512x512xbf16> to tensor<16x512xf32>
  %3 = arith.truncf %2 : tensor<16x512xf32> to tensor<16x512xbf16>
  return %3 : tensor<16x512xbf16>
}
