// Forms of the ladder's kernels that no rung shows: N of any multiple of 16, batches, tf32, bytes, operands
// and results in other orders, several results, few rows, tiles that start at different places of K.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @n96(%a: tensor<128x192xbf16>, %b: tensor<192x96xbf16>) -> tensor<128x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 96], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x192xbf16>, tensor<192x96xbf16> to tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}
func.func @n176(%a: tensor<128x192xbf16>, %b: tensor<176x192xbf16>) -> tensor<128x176xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 176], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<176x192xbf16> to tensor<192x176xbf16>
  %0 = graph.matmul %a, %t : tensor<128x192xbf16>, tensor<192x176xbf16> to tensor<128x176xf32>
  %1 = arith.truncf %0 : tensor<128x176xf32> to tensor<128x176xbf16>
  return %1 : tensor<128x176xbf16>
}
func.func @n48(%a: tensor<128x192xbf16>, %b: tensor<48x192xbf16>) -> tensor<128x48xbf16> attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 48], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<48x192xbf16> to tensor<192x48xbf16>
  %0 = graph.matmul %a, %t : tensor<128x192xbf16>, tensor<192x48xbf16> to tensor<128x48xf32>
  %1 = arith.truncf %0 : tensor<128x48xf32> to tensor<128x48xbf16>
  return %1 : tensor<128x48xbf16>
}
func.func @batched(%a: tensor<3x70x64xbf16>, %b: tensor<3x64x48xbf16>) -> tensor<3x70x48xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<3x70x64xbf16>, tensor<3x64x48xbf16> to tensor<3x70x48xf32>
  return %0 : tensor<3x70x48xf32>
}
func.func @tf32(%a: tensor<128x96xf32>, %b: tensor<64x96xf32>) -> tensor<128x64xf32> attributes {check.precision = "tf32", check.rtol = 3.0e-3, check.atol = 3.0e-2,
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x96xf32> to tensor<96x64xf32>
  %0 = graph.matmul %a, %t : tensor<128x96xf32>, tensor<96x64xf32> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
func.func @transposed_result(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x128xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<128x64xf32> to tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
func.func @transposed_lhs(%a: tensor<64x128xbf16>, %b: tensor<64x64xbf16>, %r: tensor<128x64xbf16>) -> (tensor<128x64xf32>, tensor<128x64xbf16>) attributes {check.rtol = 8.0e-3, check.atol = 1.0e-2,
    check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>} {
  %t = graph.transpose %a permutation = [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
  %0 = graph.matmul %t, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  %e = arith.extf %r : tensor<128x64xbf16> to tensor<128x64xf32>
  %s = arith.addf %0, %e : tensor<128x64xf32>
  %n = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xbf16>
  return %s, %n : tensor<128x64xf32>, tensor<128x64xbf16>
}
func.func @two_rows(%a: tensor<2x256xbf16>, %b: tensor<96x256xbf16>) -> tensor<2x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, rotate_k, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x256xbf16> to tensor<256x96xbf16>
  %0 = graph.matmul %a, %t : tensor<2x256xbf16>, tensor<256x96xbf16> to tensor<2x96xf32>
  return %0 : tensor<2x96xf32>
}
func.func @rotated(%a: tensor<16x200xbf16>, %b: tensor<96x200xbf16>) -> tensor<16x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], rotate_k, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x200xbf16> to tensor<200x96xbf16>
  %0 = graph.matmul %a, %t : tensor<16x200xbf16>, tensor<200x96xbf16> to tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}
func.func @bytes(%a: tensor<128x192xi8>, %b: tensor<96x192xi8>) -> tensor<128x96xi32> attributes {
    check.schedule = #tile.schedule<tile = [64, 96], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<96x192xi8> to tensor<192x96xi8>
  %0 = graph.matmul %a, %t : tensor<128x192xi8>, tensor<192x96xi8> to tensor<128x96xi32>
  return %0 : tensor<128x96xi32>
}
