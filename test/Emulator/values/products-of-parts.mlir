// Products whose columns or rows are read in parts that meet again: of one operand's halves, of every second column, with a bias
// and batches, of bytes that are widened, by single warps and by warpgroups.
// RUN: tw-check %s --rtol=2e-5 --atol=2e-4 --quiet

func.func @gated(%x: tensor<40x64xbf16>, %w: tensor<64x96xbf16>) -> tensor<40x48xf32> {
  %0 = graph.matmul %x, %w : tensor<40x64xbf16>, tensor<64x96xbf16> to tensor<40x96xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<40x96xf32> to tensor<40x48xf32>
  %2 = graph.slice %0 offsets = [0, 48] strides = [1, 1] : tensor<40x96xf32> to tensor<40x48xf32>
  %3 = math.tanh %1 : tensor<40x48xf32>
  %4 = arith.mulf %3, %2 : tensor<40x48xf32>
  return %4 : tensor<40x48xf32>
}
func.func @by_warpgroups(%x: tensor<128x128xbf16>, %w: tensor<128x128xbf16>) -> tensor<128x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2>} {
  %t = graph.transpose %w permutation = [1, 0] : tensor<128x128xbf16> to tensor<128x128xbf16>
  %0 = graph.matmul %x, %t : tensor<128x128xbf16>, tensor<128x128xbf16> to tensor<128x128xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<128x128xf32> to tensor<128x64xf32>
  %2 = graph.slice %0 offsets = [0, 64] strides = [1, 1] : tensor<128x128xf32> to tensor<128x64xf32>
  %3 = math.tanh %1 : tensor<128x64xf32>
  %4 = arith.mulf %3, %2 : tensor<128x64xf32>
  return %4 : tensor<128x64xf32>
}
func.func @in_turn(%x: tensor<24x72xbf16>, %w: tensor<72x80xbf16>, %b: tensor<80xf32>) -> tensor<3x8x40xf32> {
  %0 = graph.matmul %x, %w : tensor<24x72xbf16>, tensor<72x80xbf16> to tensor<24x80xf32>
  %s = graph.broadcast %b dims = [1] : tensor<80xf32> to tensor<24x80xf32>
  %a = arith.addf %0, %s : tensor<24x80xf32>
  %r = graph.reshape %a : tensor<24x80xf32> to tensor<3x8x80xf32>
  %1 = graph.slice %r offsets = [0, 0, 0] strides = [1, 1, 2] : tensor<3x8x80xf32> to tensor<3x8x40xf32>
  %2 = graph.slice %r offsets = [0, 0, 1] strides = [1, 1, 2] : tensor<3x8x80xf32> to tensor<3x8x40xf32>
  %3 = math.tanh %1 : tensor<3x8x40xf32>
  %4 = arith.mulf %3, %2 : tensor<3x8x40xf32>
  return %4 : tensor<3x8x40xf32>
}
func.func @in_turn_of_rows(%x: tensor<24x72xbf16>, %w: tensor<80x72xbf16>) -> tensor<24x40xf32> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<80x72xbf16> to tensor<72x80xbf16>
  %0 = graph.matmul %x, %t : tensor<24x72xbf16>, tensor<72x80xbf16> to tensor<24x80xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 2] : tensor<24x80xf32> to tensor<24x40xf32>
  %2 = graph.slice %0 offsets = [0, 1] strides = [1, 2] : tensor<24x80xf32> to tensor<24x40xf32>
  %3 = math.tanh %1 : tensor<24x40xf32>
  %4 = arith.mulf %3, %2 : tensor<24x40xf32>
  return %4 : tensor<24x40xf32>
}
func.func @rows_of_bytes(%w: tensor<96x64xi8>, %x: tensor<64x40xbf16>) -> tensor<32x40xf32> {
  %f = arith.sitofp %w : tensor<96x64xi8> to tensor<96x64xbf16>
  %0 = graph.matmul %f, %x : tensor<96x64xbf16>, tensor<64x40xbf16> to tensor<96x40xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<96x40xf32> to tensor<32x40xf32>
  %2 = graph.slice %0 offsets = [32, 0] strides = [1, 1] : tensor<96x40xf32> to tensor<32x40xf32>
  %3 = graph.slice %0 offsets = [64, 0] strides = [1, 1] : tensor<96x40xf32> to tensor<32x40xf32>
  %4 = arith.mulf %1, %2 : tensor<32x40xf32>
  %5 = arith.subf %4, %3 : tensor<32x40xf32>
  return %5 : tensor<32x40xf32>
}
func.func @odd(%x: tensor<7x33xf32>, %w: tensor<33x50xf32>) -> tensor<7x25xf32> attributes {check.precision = "ieee"} {
  %0 = graph.matmul %x, %w : tensor<7x33xf32>, tensor<33x50xf32> to tensor<7x50xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<7x50xf32> to tensor<7x25xf32>
  %2 = graph.slice %0 offsets = [0, 25] strides = [1, 1] : tensor<7x50xf32> to tensor<7x25xf32>
  %4 = arith.mulf %1, %2 : tensor<7x25xf32>
  return %4 : tensor<7x25xf32>
}
