// Products whose operands are computed where they are read: quantized, clamped, squared, of both matrices of a gate, of batches and of
// parts of matrices; by single warps, by a role of warps and in registers.
// RUN: tw-check %s --rtol=2e-5 --atol=2e-4 --quiet

func.func @quantized_by_warps(%a: tensor<48x96xf32>, %b: tensor<40x96xi8>) -> tensor<48x40xi32> {
  %s = arith.constant dense<20.0> : tensor<48x96xf32>
  %h = arith.constant dense<127.0> : tensor<48x96xf32>
  %l = arith.constant dense<-127.0> : tensor<48x96xf32>
  %0 = arith.mulf %a, %s : tensor<48x96xf32>
  %1 = math.roundeven %0 : tensor<48x96xf32>
  %2 = arith.maximumf %1, %l : tensor<48x96xf32>
  %3 = arith.minimumf %2, %h : tensor<48x96xf32>
  %4 = arith.fptosi %3 : tensor<48x96xf32> to tensor<48x96xi8>
  %t = graph.transpose %b permutation = [1, 0] : tensor<40x96xi8> to tensor<96x40xi8>
  %5 = graph.matmul %4, %t : tensor<48x96xi8>, tensor<96x40xi8> to tensor<48x40xi32>
  return %5 : tensor<48x40xi32>
}
func.func @quantized_by_a_role(%a: tensor<128x192xf32>, %b: tensor<64x192xi8>) -> tensor<128x64xi32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk>} {
  %s = arith.constant dense<20.0> : tensor<128x192xf32>
  %0 = arith.mulf %a, %s : tensor<128x192xf32>
  %1 = math.roundeven %0 : tensor<128x192xf32>
  %4 = arith.fptosi %1 : tensor<128x192xf32> to tensor<128x192xi8>
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x192xi8> to tensor<192x64xi8>
  %5 = graph.matmul %4, %t : tensor<128x192xi8>, tensor<192x64xi8> to tensor<128x64xi32>
  return %5 : tensor<128x64xi32>
}
func.func @relu(%a: tensor<48x96xbf16>, %b: tensor<96x40xbf16>) -> tensor<48x40xf32> {
  %z = arith.constant dense<0.0> : tensor<48x96xbf16>
  %0 = arith.maximumf %a, %z : tensor<48x96xbf16>
  %5 = graph.matmul %0, %b : tensor<48x96xbf16>, tensor<96x40xbf16> to tensor<48x40xf32>
  return %5 : tensor<48x40xf32>
}
func.func @squares_of_fp32(%a: tensor<70x90xf32>, %b: tensor<90x50xf32>) -> tensor<70x50xf32> {
  %0 = arith.mulf %a, %a : tensor<70x90xf32>
  %5 = graph.matmul %0, %b : tensor<70x90xf32>, tensor<90x50xf32> to tensor<70x50xf32>
  return %5 : tensor<70x50xf32>
}
func.func @squares_split(%a: tensor<128x96xf32>, %b: tensor<96x64xf32>) -> tensor<128x64xf32> attributes {check.precision = "tf32x3",
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [24, 152], persistent = 2, store = bulk, left = registers>} {
  %0 = arith.mulf %a, %a : tensor<128x96xf32>
  %5 = graph.matmul %0, %b : tensor<128x96xf32>, tensor<96x64xf32> to tensor<128x64xf32>
  return %5 : tensor<128x64xf32>
}
func.func @gated(%a: tensor<96x128xf32>, %g: tensor<64x128xbf16>, %u: tensor<64x128xbf16>) -> tensor<96x64xbf16> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], left = registers>} {
  %x = arith.truncf %a : tensor<96x128xf32> to tensor<96x128xbf16>
  %tg = graph.transpose %g permutation = [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
  %tu = graph.transpose %u permutation = [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
  %0 = graph.matmul %x, %tg : tensor<96x128xbf16>, tensor<128x64xbf16> to tensor<96x64xf32>
  %1 = graph.matmul %x, %tu : tensor<96x128xbf16>, tensor<128x64xbf16> to tensor<96x64xf32>
  %2 = math.tanh %0 : tensor<96x64xf32>
  %3 = arith.mulf %2, %1 : tensor<96x64xf32>
  %4 = arith.truncf %3 : tensor<96x64xf32> to tensor<96x64xbf16>
  return %4 : tensor<96x64xbf16>
}
func.func @batched(%a: tensor<3x40x64xf32>, %b: tensor<3x64x48xf16>) -> tensor<3x40x48xf32> {
  %x = arith.truncf %a : tensor<3x40x64xf32> to tensor<3x40x64xf16>
  %0 = graph.matmul %x, %b : tensor<3x40x64xf16>, tensor<3x64x48xf16> to tensor<3x40x48xf32>
  return %0 : tensor<3x40x48xf32>
}
func.func @sliced(%a: tensor<60x200xf32>, %b: tensor<96x48xf16>) -> tensor<40x48xf32> {
  %s = graph.slice %a offsets = [10, 50] strides = [1, 1] : tensor<60x200xf32> to tensor<40x96xf32>
  %x = arith.truncf %s : tensor<40x96xf32> to tensor<40x96xf16>
  %0 = graph.matmul %x, %b : tensor<40x96xf16>, tensor<96x48xf16> to tensor<40x48xf32>
  return %0 : tensor<40x48xf32>
}
