// Twenty-first rung: stream_k, the steps of all tiles' sums divided evenly among persistent blocks; blocks that share a tile
// hand their parts of its sum over through memory.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

// Three tiles on two blocks: 24 steps each of 48.
func.func @two_blocks(%a: tensor<192x1024xbf16>, %b: tensor<1024x64xbf16>) -> tensor<192x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<192x1024xbf16>, tensor<1024x64xbf16> to tensor<192x64xf32>
  return %0 : tensor<192x64xf32>
}

// One tile of many steps: the last block adds up what all others give.
func.func @one_tile(%a: tensor<60x2056xbf16>, %b: tensor<2056x40xbf16>) -> tensor<60x40xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 7, stream_k = 1>} {
  %0 = graph.matmul %a, %b : tensor<60x2056xbf16>, tensor<2056x40xbf16> to tensor<60x40xf32>
  return %0 : tensor<60x40xf32>
}

// A round of whole tiles before; two instances take a block's segments in turn; stores by bulk copies; an epilogue.
func.func @two_instances(%a: tensor<250x520xbf16>, %b: tensor<520x136xbf16>, %v: tensor<136xf32>) -> tensor<250x136xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 6, order = grouped<2>, stream_k = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<250x520xbf16>, tensor<520x136xbf16> to tensor<250x136xf32>
  %w = graph.broadcast %v dims = [1] : tensor<136xf32> to tensor<250x136xf32>
  %s = arith.addf %0, %w : tensor<250x136xf32>
  %z = arith.constant dense<0.0> : tensor<250x136xf32>
  %p = arith.maximumf %s, %z : tensor<250x136xf32>
  %n = arith.truncf %p : tensor<250x136xf32> to tensor<250x136xbf16>
  return %n : tensor<250x136xbf16>
}

// All rounds divided, along a Hilbert curve, two warpgroups a tile; a dependent launch.
func.func @all_rounds(%a: tensor<300x264xbf16>, %b: tensor<264x96xbf16>) -> tensor<300x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 4, order = hilbert, stream_k = 9, pdl>} {
  %0 = graph.matmul %a, %b : tensor<300x264xbf16>, tensor<264x96xbf16> to tensor<300x96xf32>
  return %0 : tensor<300x96xf32>
}

func.func @swapped_batches(%a: tensor<3x16x640xbf16>, %b: tensor<3x640x80xbf16>) -> tensor<3x16x80xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 4, stream_k = 2, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<3x16x640xbf16>, tensor<3x640x80xbf16> to tensor<3x16x80xf32>
  return %0 : tensor<3x16x80xf32>
}

func.func @without_roles(%a: tensor<64x512xbf16>, %b: tensor<512x144xbf16>) -> tensor<64x144xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 48], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<64x512xbf16>, tensor<512x144xbf16> to tensor<64x144xf32>
  return %0 : tensor<64x144xf32>
}

// Integers, of which a role of warps turns an operand.
func.func @integers(%a: tensor<128x768xi8>, %b: tensor<768x96xi8>) -> tensor<128x96xi32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [24, 152], persistent = 4, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<128x768xi8>, tensor<768x96xi8> to tensor<128x96xi32>
  return %0 : tensor<128x96xi32>
}

// Sums of each step go into registers, and those of a block's steps are handed over.
func.func @split_operands(%a: tensor<64x320xf32>, %b: tensor<320x96xf32>) -> tensor<64x96xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [24, 152], persistent = 2, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<64x320xf32>, tensor<320x96xf32> to tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}

// Whole rounds are all there is: blocks take tiles as without stream_k.
func.func @whole_rounds(%a: tensor<128x512xbf16>, %b: tensor<512x64xbf16>) -> tensor<128x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<128x512xbf16>, tensor<512x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// Two launches that share the workspace one after the other; the second may start early, and its first segment's slots are
// filled with what the first launch does not write.
func.func @chain(%x: tensor<192x512xbf16>, %v: tensor<512x320xbf16>, %w: tensor<320x64xbf16>) -> tensor<192x64xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, stream_k = 2, pdl>} {
  %0 = graph.matmul %x, %v : tensor<192x512xbf16>, tensor<512x320xbf16> to tensor<192x320xf32>
  %1 = arith.truncf %0 : tensor<192x320xf32> to tensor<192x320xbf16>
  %2 = graph.matmul %1, %w : tensor<192x320xbf16>, tensor<320x64xbf16> to tensor<192x64xf32>
  %3 = arith.truncf %2 : tensor<192x64xf32> to tensor<192x64xbf16>
  return %3 : tensor<192x64xbf16>
}
