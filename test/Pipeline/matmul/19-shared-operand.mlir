// Nineteenth rung: two products that share an operand in one loop over K. Its tile comes once a step, a thread has the sums
// of one element of both, and what joins them is done in registers.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

func.func @without_roles(%x: tensor<128x136xbf16>, %g: tensor<136x64xbf16>, %u: tensor<136x64xbf16>) -> tensor<128x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk>} {
  %g0 = graph.matmul %x, %g : tensor<128x136xbf16>, tensor<136x64xbf16> to tensor<128x64xf32>
  %u0 = graph.matmul %x, %u : tensor<128x136xbf16>, tensor<136x64xbf16> to tensor<128x64xf32>
  %e = arith.negf %g0 : tensor<128x64xf32>
  %f = math.exp %e : tensor<128x64xf32>
  %one = arith.constant dense<1.0> : tensor<128x64xf32>
  %h = arith.addf %f, %one : tensor<128x64xf32>
  %i = arith.divf %g0, %h : tensor<128x64xf32>
  %j = arith.mulf %i, %u0 : tensor<128x64xf32>
  return %j : tensor<128x64xf32>
}
func.func @copied_by_threads(%x: tensor<100x132xbf16>, %g: tensor<132x72xbf16>, %u: tensor<132x72xbf16>) -> tensor<100x72xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 72], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = plain>} {
  %g0 = graph.matmul %x, %g : tensor<100x132xbf16>, tensor<132x72xbf16> to tensor<100x72xf32>
  %u0 = graph.matmul %x, %u : tensor<100x132xbf16>, tensor<132x72xbf16> to tensor<100x72xf32>
  %e = arith.negf %g0 : tensor<100x72xf32>
  %f = math.exp %e : tensor<100x72xf32>
  %one = arith.constant dense<1.0> : tensor<100x72xf32>
  %h = arith.addf %f, %one : tensor<100x72xf32>
  %i = arith.divf %g0, %h : tensor<100x72xf32>
  %j = arith.mulf %i, %u0 : tensor<100x72xf32>
  return %j : tensor<100x72xf32>
}
func.func @cooperative(%x: tensor<256x136xbf16>, %g: tensor<136x72xbf16>, %u: tensor<136x72xbf16>, %c: tensor<72xf32>, %d: tensor<72xf32>) -> tensor<256x72xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2, check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>} {
  %g0 = graph.matmul %x, %g : tensor<256x136xbf16>, tensor<136x72xbf16> to tensor<256x72xf32>
  %gw = graph.broadcast %c dims = [1] : tensor<72xf32> to tensor<256x72xf32>
  %g1 = arith.addf %g0, %gw : tensor<256x72xf32>
  %u0 = graph.matmul %x, %u : tensor<256x136xbf16>, tensor<136x72xbf16> to tensor<256x72xf32>
  %uw = graph.broadcast %d dims = [1] : tensor<72xf32> to tensor<256x72xf32>
  %u1 = arith.addf %u0, %uw : tensor<256x72xf32>
  %e = arith.negf %g1 : tensor<256x72xf32>
  %f = math.exp %e : tensor<256x72xf32>
  %one = arith.constant dense<1.0> : tensor<256x72xf32>
  %h = arith.addf %f, %one : tensor<256x72xf32>
  %i = arith.divf %g1, %h : tensor<256x72xf32>
  %j = arith.mulf %i, %u1 : tensor<256x72xf32>
  %n = arith.truncf %j : tensor<256x72xf32> to tensor<256x72xbf16>
  return %n : tensor<256x72xbf16>
}
func.func @ping_pong(%x: tensor<320x200xbf16>, %g: tensor<136x200xbf16>, %u: tensor<136x200xbf16>) -> tensor<320x136xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2, check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk, pdl>} {
  %gt = graph.transpose %g permutation = [1, 0] : tensor<136x200xbf16> to tensor<200x136xbf16>
  %g0 = graph.matmul %x, %gt : tensor<320x200xbf16>, tensor<200x136xbf16> to tensor<320x136xf32>
  %ut = graph.transpose %u permutation = [1, 0] : tensor<136x200xbf16> to tensor<200x136xbf16>
  %u0 = graph.matmul %x, %ut : tensor<320x200xbf16>, tensor<200x136xbf16> to tensor<320x136xf32>
  %e = arith.negf %g0 : tensor<320x136xf32>
  %f = math.exp %e : tensor<320x136xf32>
  %one = arith.constant dense<1.0> : tensor<320x136xf32>
  %h = arith.addf %f, %one : tensor<320x136xf32>
  %i = arith.divf %g0, %h : tensor<320x136xf32>
  %j = arith.mulf %i, %u0 : tensor<320x136xf32>
  %n = arith.truncf %j : tensor<320x136xf32> to tensor<320x136xbf16>
  return %n : tensor<320x136xbf16>
}
// Both results are stored.
func.func @both_results(%x: tensor<128x136xbf16>, %g: tensor<136x72xbf16>, %u: tensor<136x72xbf16>) -> (tensor<128x72xf32>, tensor<128x72xbf16>)
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2, check.schedule = #tile.schedule<tile = [64, 72], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %g0 = graph.matmul %x, %g : tensor<128x136xbf16>, tensor<136x72xbf16> to tensor<128x72xf32>
  %u0 = graph.matmul %x, %u : tensor<128x136xbf16>, tensor<136x72xbf16> to tensor<128x72xf32>
  %t = math.absf %u0 : tensor<128x72xf32>
  %n = arith.truncf %t : tensor<128x72xf32> to tensor<128x72xbf16>
  return %g0, %n : tensor<128x72xf32>, tensor<128x72xbf16>
}
// Few rows: the shared operand becomes the right one of the instruction.
func.func @few_rows(%x: tensor<16x512xbf16>, %g: tensor<96x512xbf16>, %u: tensor<96x512xbf16>) -> tensor<16x96xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], swap_operands, pdl>} {
  %gt = graph.transpose %g permutation = [1, 0] : tensor<96x512xbf16> to tensor<512x96xbf16>
  %g0 = graph.matmul %x, %gt : tensor<16x512xbf16>, tensor<512x96xbf16> to tensor<16x96xf32>
  %ut = graph.transpose %u permutation = [1, 0] : tensor<96x512xbf16> to tensor<512x96xbf16>
  %u0 = graph.matmul %x, %ut : tensor<16x512xbf16>, tensor<512x96xbf16> to tensor<16x96xf32>
  %e = arith.negf %g0 : tensor<16x96xf32>
  %f = math.exp %e : tensor<16x96xf32>
  %one = arith.constant dense<1.0> : tensor<16x96xf32>
  %h = arith.addf %f, %one : tensor<16x96xf32>
  %i = arith.divf %g0, %h : tensor<16x96xf32>
  %j = arith.mulf %i, %u0 : tensor<16x96xf32>
  return %j : tensor<16x96xf32>
}
// Parts of K: the blocks of a cluster meet once for both sums.
func.func @parts_of_k(%x: tensor<16x512xbf16>, %g: tensor<96x512xbf16>, %u: tensor<96x512xbf16>) -> tensor<16x96xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 4, swap_operands>} {
  %gt = graph.transpose %g permutation = [1, 0] : tensor<96x512xbf16> to tensor<512x96xbf16>
  %g0 = graph.matmul %x, %gt : tensor<16x512xbf16>, tensor<512x96xbf16> to tensor<16x96xf32>
  %ut = graph.transpose %u permutation = [1, 0] : tensor<96x512xbf16> to tensor<512x96xbf16>
  %u0 = graph.matmul %x, %ut : tensor<16x512xbf16>, tensor<512x96xbf16> to tensor<16x96xf32>
  %e = arith.negf %g0 : tensor<16x96xf32>
  %f = math.exp %e : tensor<16x96xf32>
  %one = arith.constant dense<1.0> : tensor<16x96xf32>
  %h = arith.addf %f, %one : tensor<16x96xf32>
  %i = arith.divf %g0, %h : tensor<16x96xf32>
  %j = arith.mulf %i, %u0 : tensor<16x96xf32>
  return %j : tensor<16x96xf32>
}
func.func @parts_of_rows(%x: tensor<100x328xbf16>, %g: tensor<328x72xbf16>, %u: tensor<328x72xbf16>, %c: tensor<72xf32>, %d: tensor<72xf32>) -> tensor<100x72xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2, check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 4, store = bulk>} {
  %g0 = graph.matmul %x, %g : tensor<100x328xbf16>, tensor<328x72xbf16> to tensor<100x72xf32>
  %gw = graph.broadcast %c dims = [1] : tensor<72xf32> to tensor<100x72xf32>
  %g1 = arith.addf %g0, %gw : tensor<100x72xf32>
  %u0 = graph.matmul %x, %u : tensor<100x328xbf16>, tensor<328x72xbf16> to tensor<100x72xf32>
  %uw = graph.broadcast %d dims = [1] : tensor<72xf32> to tensor<100x72xf32>
  %u1 = arith.addf %u0, %uw : tensor<100x72xf32>
  %e = arith.negf %g1 : tensor<100x72xf32>
  %f = math.exp %e : tensor<100x72xf32>
  %one = arith.constant dense<1.0> : tensor<100x72xf32>
  %h = arith.addf %f, %one : tensor<100x72xf32>
  %i = arith.divf %g1, %h : tensor<100x72xf32>
  %j = arith.mulf %i, %u1 : tensor<100x72xf32>
  %n = arith.truncf %j : tensor<100x72xf32> to tensor<100x72xbf16>
  return %n : tensor<100x72xbf16>
}
func.func @clusters(%x: tensor<256x136xbf16>, %g: tensor<136x128xbf16>, %u: tensor<136x128xbf16>) -> tensor<256x128xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2, check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], cluster = [2, 1], store = bulk>} {
  %g0 = graph.matmul %x, %g : tensor<256x136xbf16>, tensor<136x128xbf16> to tensor<256x128xf32>
  %u0 = graph.matmul %x, %u : tensor<256x136xbf16>, tensor<136x128xbf16> to tensor<256x128xf32>
  %e = arith.negf %g0 : tensor<256x128xf32>
  %f = math.exp %e : tensor<256x128xf32>
  %one = arith.constant dense<1.0> : tensor<256x128xf32>
  %h = arith.addf %f, %one : tensor<256x128xf32>
  %i = arith.divf %g0, %h : tensor<256x128xf32>
  %j = arith.mulf %i, %u0 : tensor<256x128xf32>
  %n = arith.truncf %j : tensor<256x128xf32> to tensor<256x128xbf16>
  return %n : tensor<256x128xbf16>
}
func.func @batched(%x: tensor<3x80x64xbf16>, %g: tensor<3x64x64xbf16>, %u: tensor<3x64x64xbf16>) -> tensor<3x80x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, order = grouped<2>>} {
  %g0 = graph.matmul %x, %g : tensor<3x80x64xbf16>, tensor<3x64x64xbf16> to tensor<3x80x64xf32>
  %u0 = graph.matmul %x, %u : tensor<3x80x64xbf16>, tensor<3x64x64xbf16> to tensor<3x80x64xf32>
  %e = arith.negf %g0 : tensor<3x80x64xf32>
  %f = math.exp %e : tensor<3x80x64xf32>
  %one = arith.constant dense<1.0> : tensor<3x80x64xf32>
  %h = arith.addf %f, %one : tensor<3x80x64xf32>
  %i = arith.divf %g0, %h : tensor<3x80x64xf32>
  %j = arith.mulf %i, %u0 : tensor<3x80x64xf32>
  return %j : tensor<3x80x64xf32>
}
func.func @rotated(%x: tensor<128x256xf16>, %g: tensor<256x64xf16>, %u: tensor<256x64xf16>) -> tensor<128x64xf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2, check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, rotate_k>} {
  %g0 = graph.matmul %x, %g : tensor<128x256xf16>, tensor<256x64xf16> to tensor<128x64xf32>
  %u0 = graph.matmul %x, %u : tensor<128x256xf16>, tensor<256x64xf16> to tensor<128x64xf32>
  %e = arith.negf %g0 : tensor<128x64xf32>
  %f = math.exp %e : tensor<128x64xf32>
  %one = arith.constant dense<1.0> : tensor<128x64xf32>
  %h = arith.addf %f, %one : tensor<128x64xf32>
  %i = arith.divf %g0, %h : tensor<128x64xf32>
  %j = arith.mulf %i, %u0 : tensor<128x64xf32>
  %n = arith.truncf %j : tensor<128x64xf32> to tensor<128x64xf16>
  return %n : tensor<128x64xf16>
}
// Stream-K: both sums are handed over.
func.func @stream_k(%x: tensor<320x328xbf16>, %g: tensor<328x72xbf16>, %u: tensor<328x72xbf16>, %c: tensor<72xf32>, %d: tensor<72xf32>) -> tensor<320x72xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2, check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 3, stream_k = 2, store = bulk>} {
  %g0 = graph.matmul %x, %g : tensor<320x328xbf16>, tensor<328x72xbf16> to tensor<320x72xf32>
  %gw = graph.broadcast %c dims = [1] : tensor<72xf32> to tensor<320x72xf32>
  %g1 = arith.addf %g0, %gw : tensor<320x72xf32>
  %u0 = graph.matmul %x, %u : tensor<320x328xbf16>, tensor<328x72xbf16> to tensor<320x72xf32>
  %uw = graph.broadcast %d dims = [1] : tensor<72xf32> to tensor<320x72xf32>
  %u1 = arith.addf %u0, %uw : tensor<320x72xf32>
  %e = arith.negf %g1 : tensor<320x72xf32>
  %f = math.exp %e : tensor<320x72xf32>
  %one = arith.constant dense<1.0> : tensor<320x72xf32>
  %h = arith.addf %f, %one : tensor<320x72xf32>
  %i = arith.divf %g1, %h : tensor<320x72xf32>
  %j = arith.mulf %i, %u1 : tensor<320x72xf32>
  %n = arith.truncf %j : tensor<320x72xf32> to tensor<320x72xbf16>
  return %n : tensor<320x72xbf16>
}
// Sums of 8-bit floats leave the tensor cores after 64 of K; bytes whose K is not contiguous are turned by warps.
func.func @promoted(%x: tensor<64x192xf8E4M3FN>, %g: tensor<64x192xf8E4M3FN>, %u: tensor<64x192xf8E4M3FN>) -> tensor<64x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232]>} {
  %gt = graph.transpose %g permutation = [1, 0] : tensor<64x192xf8E4M3FN> to tensor<192x64xf8E4M3FN>
  %g0 = graph.matmul %x, %gt : tensor<64x192xf8E4M3FN>, tensor<192x64xf8E4M3FN> to tensor<64x64xf32>
  %ut = graph.transpose %u permutation = [1, 0] : tensor<64x192xf8E4M3FN> to tensor<192x64xf8E4M3FN>
  %u0 = graph.matmul %x, %ut : tensor<64x192xf8E4M3FN>, tensor<192x64xf8E4M3FN> to tensor<64x64xf32>
  %e = arith.negf %g0 : tensor<64x64xf32>
  %f = math.exp %e : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %h = arith.addf %f, %one : tensor<64x64xf32>
  %i = arith.divf %g0, %h : tensor<64x64xf32>
  %j = arith.mulf %i, %u0 : tensor<64x64xf32>
  return %j : tensor<64x64xf32>
}
func.func @turned(%x: tensor<64x192xf8E4M3FN>, %g: tensor<192x64xf8E4M3FN>, %u: tensor<192x64xf8E4M3FN>) -> tensor<64x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative>} {
  %g0 = graph.matmul %x, %g : tensor<64x192xf8E4M3FN>, tensor<192x64xf8E4M3FN> to tensor<64x64xf32>
  %u0 = graph.matmul %x, %u : tensor<64x192xf8E4M3FN>, tensor<192x64xf8E4M3FN> to tensor<64x64xf32>
  %e = arith.negf %g0 : tensor<64x64xf32>
  %f = math.exp %e : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %h = arith.addf %f, %one : tensor<64x64xf32>
  %i = arith.divf %g0, %h : tensor<64x64xf32>
  %j = arith.mulf %i, %u0 : tensor<64x64xf32>
  return %j : tensor<64x64xf32>
}
// The right operand is the one that is shared.
func.func @shared_right(%a: tensor<128x136xbf16>, %b: tensor<128x136xbf16>, %w: tensor<136x64xbf16>) -> tensor<128x64xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %w : tensor<128x136xbf16>, tensor<136x64xbf16> to tensor<128x64xf32>
  %1 = graph.matmul %b, %w : tensor<128x136xbf16>, tensor<136x64xbf16> to tensor<128x64xf32>
  %2 = math.tanh %0 : tensor<128x64xf32>
  %3 = arith.subf %2, %1 : tensor<128x64xf32>
  return %3 : tensor<128x64xf32>
}
func.func @three(%x: tensor<128x136xbf16>, %a: tensor<136x32xbf16>, %b: tensor<136x32xbf16>, %c: tensor<136x32xbf16>) -> tensor<128x32xf32> attributes {
    check.schedule = #tile.schedule<tile = [64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk>} {
  %0 = graph.matmul %x, %a : tensor<128x136xbf16>, tensor<136x32xbf16> to tensor<128x32xf32>
  %1 = graph.matmul %x, %b : tensor<128x136xbf16>, tensor<136x32xbf16> to tensor<128x32xf32>
  %2 = graph.matmul %x, %c : tensor<128x136xbf16>, tensor<136x32xbf16> to tensor<128x32xf32>
  %3 = arith.mulf %0, %1 : tensor<128x32xf32>
  %4 = arith.addf %3, %2 : tensor<128x32xf32>
  return %4 : tensor<128x32xf32>
}
