// A tile's accumulators are stored while the next tile's products are in flight, with the left operand in registers: every step
// waits for its own products, so that what hands the accumulators on is no wait. The emulator took those of the tile before for
// accumulators in flight. Found by a random schedule.
// REQUIRES: emulator
// RUN: tw-check %s --target=sm_90a --quiet

func.func @main(%a: tensor<200x64xbf16>, %b: tensor<16x64xbf16>) -> tensor<200x16xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 8], reduce = 16, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, persistent = 2, store = bulk, defer_stores, left = registers, pdl>, check.rtol = 1.0e-4, check.atol = 1.0e-4} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<16x64xbf16> to tensor<64x16xbf16>
  %0 = graph.matmul %a, %t : tensor<200x64xbf16>, tensor<64x16xbf16> to tensor<200x16xf32>
  return %0 : tensor<200x16xf32>
}
