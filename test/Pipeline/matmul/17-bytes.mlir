// Products of 8-bit floats and bytes, from the graph: sums that go into fp32 after each step (promotion) or stay with the
// tensor cores, scales of rows, columns and tensors behind them, results of 8 bits; and operands that warps transpose for the
// instruction, which takes such types only along K. Single warps multiply bytes 32 at a time (mma.sync m16n8k32).
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @e4m3(%a: tensor<128x320xf8E4M3FN>, %b: tensor<96x320xf8E4M3FN>) -> tensor<128x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [128, 96], reduce = 128, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x320xf8E4M3FN> to tensor<320x96xf8E4M3FN>
  %0 = graph.matmul %a, %t : tensor<128x320xf8E4M3FN>, tensor<320x96xf8E4M3FN> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @fast(%a: tensor<128x320xf8E5M2>, %b: tensor<64x320xf8E5M2>) -> tensor<128x64xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x320xf8E5M2> to tensor<320x64xf8E5M2>
  %0 = graph.matmul %a, %t promotion = 0 : tensor<128x320xf8E5M2>, tensor<320x64xf8E5M2> to tensor<128x64xf32>
  %1 = arith.truncf %0 : tensor<128x64xf32> to tensor<128x64xbf16>
  return %1 : tensor<128x64xbf16>
}
func.func @scaled(%a: tensor<128x256xf8E4M3FN>, %b: tensor<64x256xf8E4M3FN>, %rows: tensor<128xf32>, %columns: tensor<64xf32>, %one: tensor<f32>) -> tensor<128x64xf8E4M3FN> attributes {check.rtol = 7.0e-2, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x256xf8E4M3FN> to tensor<256x64xf8E4M3FN>
  %0 = graph.matmul %a, %t : tensor<128x256xf8E4M3FN>, tensor<256x64xf8E4M3FN> to tensor<128x64xf32>
  %r = graph.broadcast %rows dims = [0] : tensor<128xf32> to tensor<128x64xf32>
  %c = graph.broadcast %columns dims = [1] : tensor<64xf32> to tensor<128x64xf32>
  %s = graph.broadcast %one dims = [] : tensor<f32> to tensor<128x64xf32>
  %1 = arith.mulf %0, %r : tensor<128x64xf32>
  %2 = arith.mulf %1, %c : tensor<128x64xf32>
  %3 = arith.divf %2, %s : tensor<128x64xf32>
  %4 = arith.truncf %3 : tensor<128x64xf32> to tensor<128x64xf8E4M3FN>
  return %4 : tensor<128x64xf8E4M3FN>
}
func.func @e4m3_rows_of_n(%a: tensor<128x320xf8E4M3FN>, %b: tensor<320x96xf8E4M3FN>) -> tensor<128x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [128, 96], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x320xf8E4M3FN>, tensor<320x96xf8E4M3FN> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @bytes_both_turned(%a: tensor<320x128xi8>, %b: tensor<320x64xi8>) -> tensor<128x64xi32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [24, 152], persistent = 2, store = bulk>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<320x128xi8> to tensor<128x320xi8>
  %0 = graph.matmul %t, %b : tensor<128x320xi8>, tensor<320x64xi8> to tensor<128x64xi32>
  return %0 : tensor<128x64xi32>
}
func.func @tf32_rows_of_n(%a: tensor<128x96xf32>, %b: tensor<96x64xf32>) -> tensor<128x64xf32> attributes {check.precision = "tf32", check.rtol = 3.0e-3, check.atol = 3.0e-2,
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [24, 152], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x96xf32>, tensor<96x64xf32> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
// Strides that no tensor map has: threads load what they transpose from memory themselves.
func.func @odd_pitch(%a: tensor<128x256xf8E4M3FN>, %b: tensor<256x67xf8E4M3FN>) -> tensor<128x67xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x256xf8E4M3FN>, tensor<256x67xf8E4M3FN> to tensor<128x67xf32>
  return %0 : tensor<128x67xf32>
}
// Without warpgroups they are multiplied as fp16.
func.func @single_warps(%a: tensor<100x130xf8E4M3FN>, %b: tensor<130x70xf8E4M3FN>) -> tensor<100x70xf32> {
  %0 = graph.matmul %a, %b : tensor<100x130xf8E4M3FN>, tensor<130x70xf8E4M3FN> to tensor<100x70xf32>
  return %0 : tensor<100x70xf32>
}
func.func @by_single_warps(%a: tensor<64x160xi8>, %b: tensor<48x160xi8>) -> tensor<64x48xi32> attributes {
    check.schedule = #tile.schedule<tile = [32, 32], reduce = 64, warps = 4, warp_grid = [2, 2], stages = 3, product = mma_sync>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<48x160xi8> to tensor<160x48xi8>
  %0 = graph.matmul %a, %t : tensor<64x160xi8>, tensor<160x48xi8> to tensor<64x48xi32>
  return %0 : tensor<64x48xi32>
}
func.func @by_single_warps_across_k(%a: tensor<160x61xi8>, %b: tensor<160x45xi8>) -> tensor<61x45xi32> attributes {
    check.schedule = #tile.schedule<tile = [32, 16], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 2, product = mma_sync>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<160x61xi8> to tensor<61x160xi8>
  %0 = graph.matmul %t, %b : tensor<61x160xi8>, tensor<160x45xi8> to tensor<61x45xi32>
  return %0 : tensor<61x45xi32>
}
