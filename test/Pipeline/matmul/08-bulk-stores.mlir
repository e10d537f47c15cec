// Eighth rung: store = bulk, results leave through shared memory in pieces while the next tile is computed.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @even(%a: tensor<384x192xbf16>, %b: tensor<192x64xbf16>) -> tensor<384x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<384x192xbf16>, tensor<192x64xbf16> to tensor<384x64xf32>
  %t = arith.truncf %0 : tensor<384x64xf32> to tensor<384x64xbf16>
  return %t : tensor<384x64xbf16>
}

func.func @several_pieces(%a: tensor<300x128xbf16>, %b: tensor<128x136xbf16>) -> tensor<300x136xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<300x128xbf16>, tensor<128x136xbf16> to tensor<300x136xf32>
  %t = arith.truncf %0 : tensor<300x136xf32> to tensor<300x136xbf16>
  return %t : tensor<300x136xbf16>
}

func.func @wide_results(%a: tensor<256x128xbf16>, %b: tensor<128x72xbf16>) -> tensor<256x72xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x72xbf16> to tensor<256x72xf32>
  return %0 : tensor<256x72xf32>
}

func.func @odd_rows_of_results(%a: tensor<200x128xbf16>, %b: tensor<128x40xbf16>) -> tensor<200x40xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %0 = graph.matmul %a, %b : tensor<200x128xbf16>, tensor<128x40xbf16> to tensor<200x40xf32>
  %t = arith.truncf %0 : tensor<200x40xf32> to tensor<200x40xbf16>
  return %t : tensor<200x40xbf16>
}

// A block of one tile stores it from the bytes of its ring, over the left operand's and the right one's.
func.func @one_tile_a_block(%a: tensor<256x320xbf16>, %b: tensor<320x384xbf16>) -> tensor<256x384xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 192], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 4, store = bulk>, check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %0 = graph.matmul %a, %b : tensor<256x320xbf16>, tensor<320x384xbf16> to tensor<256x384xf32>
  %t = arith.truncf %0 : tensor<256x384xf32> to tensor<256x384xbf16>
  return %t : tensor<256x384xbf16>
}

func.func @one_tile_in_turn(%a: tensor<128x192xbf16>, %b: tensor<192x256xbf16>) -> tensor<128x256xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 4, store = bulk>, check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %0 = graph.matmul %a, %b : tensor<128x192xbf16>, tensor<192x256xbf16> to tensor<128x256xf32>
  %t = arith.truncf %0 : tensor<128x256xf32> to tensor<128x256xbf16>
  return %t : tensor<128x256xbf16>
}
