// Prologues: what computes an operand of a product from what lies in memory is carried out behind its load. Single warps
// convert what they read from shared memory, a role of warps what warpgroups read from there, and warpgroups what they
// read from registers. The rings bring elements as wide as memory has them.
// RUN: tw-check %s --rtol=2e-5 --atol=2e-4 --quiet

func.func @single_warps(%a: tensor<64x160xbf16>, %b: tensor<160x64xi8>) -> tensor<64x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [32, 32], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3, product = mma_sync>} {
  %w = arith.sitofp %b : tensor<160x64xi8> to tensor<160x64xbf16>
  %0 = graph.matmul %a, %w : tensor<64x160xbf16>, tensor<160x64xbf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
// The zeros beyond K become a number, which the other operand's zeros multiply.
func.func @beyond_the_end(%a: tensor<50x200xbf16>, %b: tensor<200x40xi8>) -> tensor<50x40xf32>
    attributes {check.schedule = #tile.schedule<tile = [32, 32], reduce = 64, warps = 4, warp_grid = [2, 2], stages = 3, product = mma_sync>} {
  %c = arith.constant dense<7.0> : tensor<200x40xbf16>
  %f = arith.sitofp %b : tensor<200x40xi8> to tensor<200x40xbf16>
  %w = arith.subf %f, %c : tensor<200x40xbf16>
  %0 = graph.matmul %a, %w : tensor<50x200xbf16>, tensor<200x40xbf16> to tensor<50x40xf32>
  return %0 : tensor<50x40xf32>
}
// Both operands, the right one transposed behind its conversion.
func.func @both(%a: tensor<48x96xf32>, %b: tensor<40x96xf32>) -> tensor<48x40xf32>
    attributes {check.schedule = #tile.schedule<tile = [16, 32], reduce = 32, warps = 2, warp_grid = [1, 2], stages = 3, product = mma_sync>} {
  %x = arith.truncf %a : tensor<48x96xf32> to tensor<48x96xf16>
  %y = arith.truncf %b : tensor<40x96xf32> to tensor<40x96xf16>
  %t = graph.transpose %y permutation = [1, 0] : tensor<40x96xf16> to tensor<96x40xf16>
  %0 = graph.matmul %x, %t : tensor<48x96xf16>, tensor<96x40xf16> to tensor<48x40xf32>
  return %0 : tensor<48x40xf32>
}
func.func @without_an_instruction(%a: tensor<40x70xf32>, %b: tensor<70x36xbf16>) -> tensor<40x36xf32> attributes {check.precision = "ieee",
    check.schedule = #tile.schedule<tile = [32, 32], reduce = 16, warps = 4, warp_grid = [2, 2], stages = 2, product = fma>} {
  %h = arith.constant dense<0.5> : tensor<70x36xf32>
  %f = arith.extf %b : tensor<70x36xbf16> to tensor<70x36xf32>
  %w = arith.mulf %f, %h : tensor<70x36xf32>
  %0 = graph.matmul %a, %w : tensor<40x70xf32>, tensor<70x36xf32> to tensor<40x36xf32>
  return %0 : tensor<40x36xf32>
}
// A role of warps converts the right operand, the left one, both.
func.func @by_a_role(%a: tensor<128x192xbf16>, %b: tensor<192x64xi8>) -> tensor<128x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk>} {
  %w = arith.sitofp %b : tensor<192x64xi8> to tensor<192x64xbf16>
  %0 = graph.matmul %a, %w : tensor<128x192xbf16>, tensor<192x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
func.func @of_the_left(%a: tensor<128x192xf32>, %b: tensor<192x64xbf16>) -> tensor<128x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk>} {
  %x = arith.truncf %a : tensor<128x192xf32> to tensor<128x192xbf16>
  %0 = graph.matmul %x, %b : tensor<128x192xbf16>, tensor<192x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
func.func @of_both(%a: tensor<126x200xf32>, %b: tensor<60x200xf32>) -> tensor<126x60xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk>} {
  %x = arith.truncf %a : tensor<126x200xf32> to tensor<126x200xbf16>
  %y = arith.truncf %b : tensor<60x200xf32> to tensor<60x200xbf16>
  %t = graph.transpose %y permutation = [1, 0] : tensor<60x200xbf16> to tensor<200x60xbf16>
  %0 = graph.matmul %x, %t : tensor<126x200xbf16>, tensor<200x60xbf16> to tensor<126x60xf32>
  return %0 : tensor<126x60xf32>
}
// Warpgroups convert the left operand in registers: of few rows the weights, in parts of K.
func.func @in_registers(%a: tensor<128x192xi8>, %b: tensor<192x64xbf16>) -> tensor<128x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], left = registers>} {
  %x = arith.sitofp %a : tensor<128x192xi8> to tensor<128x192xbf16>
  %0 = graph.matmul %x, %b : tensor<128x192xbf16>, tensor<192x64xbf16> to tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
func.func @few_rows(%a: tensor<12x512xbf16>, %b: tensor<128x512xi8>) -> tensor<12x128xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], left = registers, swap_operands, split_k = 2>} {
  %w = arith.sitofp %b : tensor<128x512xi8> to tensor<128x512xbf16>
  %t = graph.transpose %w permutation = [1, 0] : tensor<128x512xbf16> to tensor<512x128xbf16>
  %0 = graph.matmul %a, %t : tensor<12x512xbf16>, tensor<512x128xbf16> to tensor<12x128xf32>
  return %0 : tensor<12x128xf32>
}
func.func @few_rows_across_k(%a: tensor<12x512xf16>, %b: tensor<512x128xf8E4M3FN>) -> tensor<12x128xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], left = registers, swap_operands>} {
  %w = arith.extf %b : tensor<512x128xf8E4M3FN> to tensor<512x128xf16>
  %0 = graph.matmul %a, %w : tensor<12x512xf16>, tensor<512x128xf16> to tensor<12x128xf32>
  return %0 : tensor<12x128xf32>
}
