// Rows by groups, each multiplied with a matrix of its own: groups without rows, of fewer rows than a tile, of several tiles, rows
// that no group has; ends from a sum and of any values; what is fused behind; by fused multiply-adds, warps and warpgroups.
// RUN: tw-check %s --rtol=2e-5 --atol=2e-4 --quiet

func.func @by_warps(%x: tensor<100x64xbf16>, %w: tensor<5x64x48xbf16>) -> tensor<100x48xf32> {
  %ends = arith.constant dense<[7, 7, 40, 41, 90]> : tensor<5xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<5xi32>) : tensor<100x64xbf16>, tensor<5x64x48xbf16> to tensor<100x48xf32>
  return %0 : tensor<100x48xf32>
}
func.func @of_sums(%x: tensor<70x40xf32>, %w: tensor<3x40x24xf32>, %counts: tensor<3xi32>) -> tensor<70x24xf32> {
  %mask = arith.constant dense<31> : tensor<3xi32>
  %some = arith.andi %counts, %mask : tensor<3xi32>
  %ends = graph.scan sum %some dim = 0 : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<70x40xf32>, tensor<3x40x24xf32> to tensor<70x24xf32>
  return %0 : tensor<70x24xf32>
}
func.func @of_any_ends(%x: tensor<33x32xf16>, %w: tensor<20x32x16xf16>, %ends: tensor<20xi32>) -> tensor<33x16xf16> {
  %0 = graph.matmul %x, %w groups(%ends : tensor<20xi32>) : tensor<33x32xf16>, tensor<20x32x16xf16> to tensor<33x16xf16>
  return %0 : tensor<33x16xf16>
}
func.func @of_many_groups(%x: tensor<90x32xf16>, %w: tensor<50x32x16xf16>, %counts: tensor<50xi32>) -> tensor<90x16xf16> {
  %mask = arith.constant dense<3> : tensor<50xi32>
  %some = arith.andi %counts, %mask : tensor<50xi32>
  %ends = graph.scan sum %some dim = 0 : tensor<50xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<50xi32>) : tensor<90x32xf16>, tensor<50x32x16xf16> to tensor<90x16xf16>
  return %0 : tensor<90x16xf16>
}
func.func @by_warpgroups(%x: tensor<200x128xbf16>, %w: tensor<3x128x64xbf16>) -> tensor<200x64xbf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232]>} {
  %ends = arith.constant dense<[70, 135, 190]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<200x128xbf16>, tensor<3x128x64xbf16> to tensor<200x64xf32>
  %1 = math.tanh %0 : tensor<200x64xf32>
  %2 = arith.truncf %1 : tensor<200x64xf32> to tensor<200x64xbf16>
  return %2 : tensor<200x64xbf16>
}
func.func @transposed(%x: tensor<40x128xbf16>, %w: tensor<18x96x128xbf16>) -> tensor<40x96xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], swap_operands>} {
  %ends = arith.constant dense<[1, 2, 2, 5, 9, 9, 9, 10, 13, 14, 20, 21, 22, 30, 31, 33, 34, 40]> : tensor<18xi32>
  %t = graph.transpose %w permutation = [0, 2, 1] : tensor<18x96x128xbf16> to tensor<18x128x96xbf16>
  %0 = graph.matmul %x, %t groups(%ends : tensor<18xi32>) : tensor<40x128xbf16>, tensor<18x128x96xbf16> to tensor<40x96xf32>
  return %0 : tensor<40x96xf32>
}
func.func @through_shared_memory(%x: tensor<200x128xbf16>, %w: tensor<3x128x160xbf16>, %r: tensor<200x160xf32>) -> tensor<200x160xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<2>, store = bulk>} {
  %ends = arith.constant dense<[70, 71, 190]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<200x128xbf16>, tensor<3x128x160xbf16> to tensor<200x160xf32>
  %1 = arith.addf %0, %r : tensor<200x160xf32>
  return %1 : tensor<200x160xf32>
}
func.func @transposed_through_shared_memory(%x: tensor<90x128xbf16>, %w: tensor<4x128x80xbf16>, %ends: tensor<4xi32>) -> tensor<90x80xbf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 128, 32], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<2>, store = bulk, swap_operands>} {
  %mask = arith.constant dense<31> : tensor<4xi32>
  %some = arith.andi %ends, %mask : tensor<4xi32>
  %sums = graph.scan sum %some dim = 0 : tensor<4xi32>
  %0 = graph.matmul %x, %w groups(%sums : tensor<4xi32>) : tensor<90x128xbf16>, tensor<4x128x80xbf16> to tensor<90x80xbf16>
  return %0 : tensor<90x80xbf16>
}
func.func @in_turn(%x: tensor<200x128xbf16>, %w: tensor<3x128x160xbf16>, %r: tensor<200x160xf32>) -> tensor<200x160xf32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 4, store = bulk>} {
  %ends = arith.constant dense<[70, 71, 140]> : tensor<3xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<200x128xbf16>, tensor<3x128x160xbf16> to tensor<200x160xf32>
  %1 = arith.addf %0, %r : tensor<200x160xf32>
  return %1 : tensor<200x160xf32>
}
func.func @by_two_in_turn(%x: tensor<200x192xbf16>, %w: tensor<5x160x192xbf16>, %counts: tensor<5xi32>) -> tensor<200x160xbf16> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 3, store = bulk>} {
  %mask = arith.constant dense<63> : tensor<5xi32>
  %some = arith.andi %counts, %mask : tensor<5xi32>
  %ends = graph.scan sum %some dim = 0 : tensor<5xi32>
  %t = graph.transpose %w permutation = [0, 2, 1] : tensor<5x160x192xbf16> to tensor<5x192x160xbf16>
  %0 = graph.matmul %x, %t groups(%ends : tensor<5xi32>) : tensor<200x192xbf16>, tensor<5x192x160xbf16> to tensor<200x160xbf16>
  return %0 : tensor<200x160xbf16>
}
func.func @gate(%x: tensor<60x64xbf16>, %w: tensor<4x64x32xbf16>, %v: tensor<4x64x32xbf16>, %r: tensor<60x32xf32>) -> tensor<60x32xf32> {
  %ends = arith.constant dense<[16, 20, 50, 60]> : tensor<4xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<4xi32>) : tensor<60x64xbf16>, tensor<4x64x32xbf16> to tensor<60x32xf32>
  %1 = graph.matmul %x, %v groups(%ends : tensor<4xi32>) : tensor<60x64xbf16>, tensor<4x64x32xbf16> to tensor<60x32xf32>
  %2 = math.tanh %0 : tensor<60x32xf32>
  %3 = arith.mulf %2, %1 : tensor<60x32xf32>
  %4 = arith.addf %3, %r : tensor<60x32xf32>
  return %4 : tensor<60x32xf32>
}
func.func @one_group(%x: tensor<20x32xbf16>, %w: tensor<1x32x16xbf16>) -> tensor<20x16xf32> {
  %ends = arith.constant dense<[13]> : tensor<1xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<1xi32>) : tensor<20x32xbf16>, tensor<1x32x16xbf16> to tensor<20x16xf32>
  return %0 : tensor<20x16xf32>
}
func.func @of_bytes(%x: tensor<50x64xi8>, %w: tensor<2x64x32xi8>) -> tensor<50x32xi32> {
  %ends = arith.constant dense<[20, 50]> : tensor<2xi32>
  %0 = graph.matmul %x, %w groups(%ends : tensor<2xi32>) : tensor<50x64xi8>, tensor<2x64x32xi8> to tensor<50x32xi32>
  return %0 : tensor<50x32xi32>
}
