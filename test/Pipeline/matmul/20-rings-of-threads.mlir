// Rings that threads fill where no tensor map describes an operand: by cp.async in pieces of 4 and 8 bytes, by
// loads and stores of odd rows, one operand so and the other by the tensor memory accelerator; in one loading
// instance and in several, in all four transposes, with every edge ragged.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-4 --quiet

// Rows of 4 bytes' alignment: nt, both by cp.async, commits five slots later.
func.func @words_nt(%a: tensor<150x330xbf16>, %b: tensor<70x330xbf16>) -> tensor<150x70xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 8, product = wgmma, copy = cp_async, roles = cooperative, registers = [56, 208]>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<70x330xbf16> to tensor<330x70xbf16>
  %0 = graph.matmul %a, %t : tensor<150x330xbf16>, tensor<330x70xbf16> to tensor<150x70xf32>
  return %0 : tensor<150x70xf32>
}
// nn, persistent blocks: slots are counted through the tiles, commits outstanding from one tile to the next.
func.func @words_nn(%a: tensor<150x202xbf16>, %b: tensor<202x90xbf16>) -> tensor<150x90xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, copy = cp_async, roles = cooperative, persistent = 2>} {
  %0 = graph.matmul %a, %b : tensor<150x202xbf16>, tensor<202x90xbf16> to tensor<150x90xf32>
  return %0 : tensor<150x90xf32>
}
// tt and tn, two instances that multiply take tiles in turn; pieces of 8 bytes.
func.func @pieces_tt(%a: tensor<100x132xf16>, %b: tensor<76x100xf16>) -> tensor<132x76xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, roles = pingpong, persistent = 1>} {
  %s = graph.transpose %a permutation = [1, 0] : tensor<100x132xf16> to tensor<132x100xf16>
  %t = graph.transpose %b permutation = [1, 0] : tensor<76x100xf16> to tensor<100x76xf16>
  %0 = graph.matmul %s, %t : tensor<132x100xf16>, tensor<100x76xf16> to tensor<132x76xf32>
  return %0 : tensor<132x76xf32>
}
func.func @pieces_tn(%a: tensor<100x132xbf16>, %b: tensor<100x92xbf16>) -> tensor<132x92xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = pingpong, persistent = 2>} {
  %s = graph.transpose %a permutation = [1, 0] : tensor<100x132xbf16> to tensor<132x100xbf16>
  %0 = graph.matmul %s, %b : tensor<132x100xbf16>, tensor<100x92xbf16> to tensor<132x92xf32>
  return %0 : tensor<132x92xf32>
}
// One operand by the tensor memory accelerator, the other by cp.async.
func.func @mixed(%a: tensor<130x200xbf16>, %b: tensor<200x90xbf16>) -> tensor<130x90xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 4, product = wgmma, roles = cooperative, registers = [56, 208]>} {
  %0 = graph.matmul %a, %b : tensor<130x200xbf16>, tensor<200x90xbf16> to tensor<130x90xf32>
  return %0 : tensor<130x90xf32>
}
// Odd rows: loads and stores of words, two loading instances in turn.
func.func @odd_nt(%a: tensor<130x203xbf16>, %b: tensor<71x203xbf16>) -> tensor<130x71xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, loaders = 2, persistent = 2>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<71x203xbf16> to tensor<203x71xbf16>
  %0 = graph.matmul %a, %t : tensor<130x203xbf16>, tensor<203x71xbf16> to tensor<130x71xf32>
  return %0 : tensor<130x71xf32>
}
func.func @odd_tn(%a: tensor<101x131xbf16>, %b: tensor<101x77xbf16>) -> tensor<131x77xf32>
    attributes {check.schedule = #tile.schedule<tile = [128, 64], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 4, product = wgmma, roles = cooperative, loaders = 3, registers = [64, 144]>} {
  %s = graph.transpose %a permutation = [1, 0] : tensor<101x131xbf16> to tensor<131x101xbf16>
  %0 = graph.matmul %s, %b : tensor<131x101xbf16>, tensor<101x77xbf16> to tensor<131x77xf32>
  return %0 : tensor<131x77xf32>
}
// An odd operand beside one that the accelerator brings, and few rows in the columns' place.
func.func @odd_and_bulk(%a: tensor<16x256xbf16>, %b: tensor<256x75xbf16>) -> tensor<16x75xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, loaders = 2, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<16x256xbf16>, tensor<256x75xbf16> to tensor<16x75xf32>
  return %0 : tensor<16x75xf32>
}
// Words in one operand and odd rows in the other; parts of K.
func.func @words_and_odd(%a: tensor<16x518xbf16>, %b: tensor<518x75xbf16>) -> tensor<16x75xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, loaders = 2, split_k = 2, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<16x518xbf16>, tensor<518x75xbf16> to tensor<16x75xf32>
  return %0 : tensor<16x75xf32>
}
// The kernel starts before the one that it depends on has ended.
func.func @early(%a: tensor<64x130xbf16>, %b: tensor<130x64xbf16>) -> tensor<64x64xf32>
    attributes {check.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, roles = cooperative, pdl>} {
  %0 = graph.matmul %a, %b : tensor<64x130xbf16>, tensor<130x64xbf16> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
// tf32 numbers are rounded where threads bring them: not cut off by the instruction.
func.func @tf32(%a: tensor<64x67xf32>, %b: tensor<64x67xf32>) -> tensor<64x64xf32> attributes {check.precision = "tf32", check.rtol = 3.0e-3, check.atol = 3.0e-2,
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, loaders = 2>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<64x67xf32> to tensor<67x64xf32>
  %0 = graph.matmul %a, %t : tensor<64x67xf32>, tensor<67x64xf32> to tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func @bytes(%a: tensor<70x140xi8>, %b: tensor<50x140xi8>) -> tensor<70x50xi32> attributes {
    check.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma, copy = cp_async, roles = cooperative>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<50x140xi8> to tensor<140x50xi8>
  %0 = graph.matmul %a, %t : tensor<70x140xi8>, tensor<140x50xi8> to tensor<70x50xi32>
  return %0 : tensor<70x50xi32>
}
