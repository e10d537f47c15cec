// Twenty-second rung: results whose rows begin at no whole 16 bytes go through shared memory, too, and warps store a run of
// a row at a time: odd elements, whole words and 8 bytes, with odd and even numbers of pieces, by one instance and by two.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @odd(%a: tensor<300x128xbf16>, %b: tensor<333x128xbf16>) -> tensor<300x333xbf16>
    attributes {check.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 3, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<333x128xbf16> to tensor<128x333xbf16>
  %0 = graph.matmul %a, %t : tensor<300x128xbf16>, tensor<128x333xbf16> to tensor<300x333xf32>
  %r = arith.truncf %0 : tensor<300x333xf32> to tensor<300x333xbf16>
  return %r : tensor<300x333xbf16>
}

// Three pieces a tile: each begins with the buffer that the last one ended with.
func.func @words(%a: tensor<300x128xbf16>, %b: tensor<386x128xbf16>) -> tensor<300x386xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 192], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<386x128xbf16> to tensor<128x386xbf16>
  %0 = graph.matmul %a, %t : tensor<300x128xbf16>, tensor<128x386xbf16> to tensor<300x386xf32>
  %r = arith.truncf %0 : tensor<300x386xf32> to tensor<300x386xbf16>
  return %r : tensor<300x386xbf16>
}

// One piece a tile, and one buffer.
func.func @quads(%a: tensor<300x128xbf16>, %b: tensor<100x128xbf16>) -> tensor<300x100xbf16>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<100x128xbf16> to tensor<128x100xbf16>
  %0 = graph.matmul %a, %t : tensor<300x128xbf16>, tensor<128x100xbf16> to tensor<300x100xf32>
  %r = arith.truncf %0 : tensor<300x100xf32> to tensor<300x100xbf16>
  return %r : tensor<300x100xbf16>
}

// Results of 32 bits, and two of them.
func.func @wide(%a: tensor<200x128xbf16>, %b: tensor<75x128xbf16>) -> (tensor<200x75xf32>, tensor<200x75xbf16>)
    attributes {check.schedule = #tile.schedule<tile = [64, 96], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>, check.rtol = 8.0e-3, check.atol = 1.0e-2} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<75x128xbf16> to tensor<128x75xbf16>
  %0 = graph.matmul %a, %t : tensor<200x128xbf16>, tensor<128x75xbf16> to tensor<200x75xf32>
  %r = arith.truncf %0 : tensor<200x75xf32> to tensor<200x75xbf16>
  return %0, %r : tensor<200x75xf32>, tensor<200x75xbf16>
}
