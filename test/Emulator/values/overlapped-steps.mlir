// A chain's loop whose first product of a step runs beside the second one of the step before: without and with masks, steps that
// these leave out, lengths that are no whole steps, one step and two, several tiles a block, two warpgroups that cooperate or
// take tiles in turn.
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet --precision=bf16 --early
// REQUIRES: emulator

func.func @all_terms(%q: tensor<3x192x64xbf16>, %k: tensor<3x320x64xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x192x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<3x320x64xbf16> to tensor<3x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<3x192x64xbf16>, tensor<3x64x320xbf16> to tensor<3x192x320xf32>
  %p = graph.softmax %s dim = 2 : tensor<3x192x320xf32> to tensor<3x192x320xf32>
  %t = arith.truncf %p : tensor<3x192x320xf32> to tensor<3x192x320xbf16>
  %0 = graph.matmul %t, %v : tensor<3x192x320xbf16>, tensor<3x320x64xbf16> to tensor<3x192x64xbf16>
  return %0 : tensor<3x192x64xbf16>
}
func.func @odd_lengths(%q: tensor<2x200x64xbf16>, %k: tensor<2x328x64xbf16>, %v: tensor<2x328x64xbf16>) -> tensor<2x200x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x328x64xbf16> to tensor<2x64x328xbf16>
  %s = graph.matmul %q, %kt : tensor<2x200x64xbf16>, tensor<2x64x328xbf16> to tensor<2x200x328xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x200x328xf32> to tensor<2x200x328xf32>
  %t = arith.truncf %p : tensor<2x200x328xf32> to tensor<2x200x328xbf16>
  %0 = graph.matmul %t, %v : tensor<2x200x328xbf16>, tensor<2x328x64xbf16> to tensor<2x200x64xbf16>
  return %0 : tensor<2x200x64xbf16>
}
func.func @one_step(%q: tensor<2x192x64xbf16>, %k: tensor<2x64x64xbf16>, %v: tensor<2x64x64xbf16>) -> tensor<2x192x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x64x64xbf16> to tensor<2x64x64xbf16>
  %s = graph.matmul %q, %kt : tensor<2x192x64xbf16>, tensor<2x64x64xbf16> to tensor<2x192x64xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x192x64xf32> to tensor<2x192x64xf32>
  %t = arith.truncf %p : tensor<2x192x64xf32> to tensor<2x192x64xbf16>
  %0 = graph.matmul %t, %v : tensor<2x192x64xbf16>, tensor<2x64x64xbf16> to tensor<2x192x64xbf16>
  return %0 : tensor<2x192x64xbf16>
}
func.func @part_of_a_step(%q: tensor<2x192x64xbf16>, %k: tensor<2x40x64xbf16>, %v: tensor<2x40x64xbf16>) -> tensor<2x192x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x40x64xbf16> to tensor<2x64x40xbf16>
  %s = graph.matmul %q, %kt : tensor<2x192x64xbf16>, tensor<2x64x40xbf16> to tensor<2x192x40xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x192x40xf32> to tensor<2x192x40xf32>
  %t = arith.truncf %p : tensor<2x192x40xf32> to tensor<2x192x40xbf16>
  %0 = graph.matmul %t, %v : tensor<2x192x40xbf16>, tensor<2x40x64xbf16> to tensor<2x192x64xbf16>
  return %0 : tensor<2x192x64xbf16>
}
func.func @two_steps(%q: tensor<2x192x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>) -> tensor<2x192x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x128x64xbf16> to tensor<2x64x128xbf16>
  %s = graph.matmul %q, %kt : tensor<2x192x64xbf16>, tensor<2x64x128xbf16> to tensor<2x192x128xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x192x128xf32> to tensor<2x192x128xf32>
  %t = arith.truncf %p : tensor<2x192x128xf32> to tensor<2x192x128xbf16>
  %0 = graph.matmul %t, %v : tensor<2x192x128xbf16>, tensor<2x128x64xbf16> to tensor<2x192x64xbf16>
  return %0 : tensor<2x192x64xbf16>
}
func.func @two_steps_and_a_part(%q: tensor<2x128x64xbf16>, %k: tensor<2x136x64xbf16>, %v: tensor<2x136x64xbf16>) -> tensor<2x128x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x136x64xbf16> to tensor<2x64x136xbf16>
  %s = graph.matmul %q, %kt : tensor<2x128x64xbf16>, tensor<2x64x136xbf16> to tensor<2x128x136xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x128x136xf32> to tensor<2x128x136xf32>
  %t = arith.truncf %p : tensor<2x128x136xf32> to tensor<2x128x136xbf16>
  %0 = graph.matmul %t, %v : tensor<2x128x136xbf16>, tensor<2x136x64xbf16> to tensor<2x128x64xbf16>
  return %0 : tensor<2x128x64xbf16>
}
func.func @block_of_one_tile(%q: tensor<2x128x64xbf16>, %k: tensor<2x256x64xbf16>, %v: tensor<2x256x64xbf16>) -> tensor<2x128x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x256x64xbf16> to tensor<2x64x256xbf16>
  %s = graph.matmul %q, %kt : tensor<2x128x64xbf16>, tensor<2x64x256xbf16> to tensor<2x128x256xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x128x256xf32> to tensor<2x128x256xf32>
  %t = arith.truncf %p : tensor<2x128x256xf32> to tensor<2x128x256xbf16>
  %0 = graph.matmul %t, %v : tensor<2x128x256xbf16>, tensor<2x256x64xbf16> to tensor<2x128x64xbf16>
  return %0 : tensor<2x128x64xbf16>
}
func.func @masked(%q: tensor<2x192x64xbf16>, %k: tensor<2x256x64xbf16>, %v: tensor<2x256x64xbf16>) -> tensor<2x192x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x256x64xbf16> to tensor<2x64x256xbf16>
  %s = graph.matmul %q, %kt : tensor<2x192x64xbf16>, tensor<2x64x256xbf16> to tensor<2x192x256xf32>
  %i = graph.iota dim = 1 : tensor<2x192x256xi32>
  %j = graph.iota dim = 2 : tensor<2x192x256xi32>
  %c = arith.cmpi ne, %j, %i : tensor<2x192x256xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x192x256xf32>
  %x = arith.select %c, %s, %n : tensor<2x192x256xi1>, tensor<2x192x256xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x192x256xf32> to tensor<2x192x256xf32>
  %t = arith.truncf %p : tensor<2x192x256xf32> to tensor<2x192x256xbf16>
  %0 = graph.matmul %t, %v : tensor<2x192x256xbf16>, tensor<2x256x64xbf16> to tensor<2x192x64xbf16>
  return %0 : tensor<2x192x64xbf16>
}
func.func @causal_all_steps(%q: tensor<2x320x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>) -> tensor<2x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x320x64xbf16> to tensor<2x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<2x320x64xbf16>, tensor<2x64x320xbf16> to tensor<2x320x320xf32>
  %i = graph.iota dim = 1 : tensor<2x320x320xi32>
  %j = graph.iota dim = 2 : tensor<2x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<2x320x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x320x320xf32>
  %x = arith.select %c, %s, %n : tensor<2x320x320xi1>, tensor<2x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x320x320xf32> to tensor<2x320x320xf32>
  %t = arith.truncf %p : tensor<2x320x320xf32> to tensor<2x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<2x320x320xbf16>, tensor<2x320x64xbf16> to tensor<2x320x64xbf16>
  return %0 : tensor<2x320x64xbf16>
}
func.func @causal(%q: tensor<3x320x64xbf16>, %k: tensor<3x320x64xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk, skip_steps, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<3x320x64xbf16> to tensor<3x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<3x320x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %x = arith.select %c, %s, %n : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<3x320x320xf32> to tensor<3x320x320xf32>
  %t = arith.truncf %p : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xbf16>
  return %0 : tensor<3x320x64xbf16>
}
func.func @band(%q: tensor<3x320x64xbf16>, %k: tensor<3x320x64xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 1, store = bulk, skip_steps, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<3x320x64xbf16> to tensor<3x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %h = arith.constant dense<100> : tensor<3x320x320xi32>
  %l = arith.subi %i, %h : tensor<3x320x320xi32>
  %c0 = arith.cmpi sge, %j, %l : tensor<3x320x320xi32>
  %c1 = arith.cmpi sle, %j, %i : tensor<3x320x320xi32>
  %c = arith.andi %c0, %c1 : tensor<3x320x320xi1>
  %n = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %x = arith.select %c, %s, %n : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<3x320x320xf32> to tensor<3x320x320xf32>
  %t = arith.truncf %p : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xbf16>
  return %0 : tensor<3x320x64xbf16>
}
func.func @tiles_that_keep_nothing(%q: tensor<3x320x64xbf16>, %k: tensor<3x320x64xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<1>, skip_steps, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<3x320x64xbf16> to tensor<3x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %h = arith.constant dense<-130> : tensor<3x320x320xi32>
  %l = arith.addi %i, %h : tensor<3x320x320xi32>
  %c = arith.cmpi slt, %j, %l : tensor<3x320x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %x = arith.select %c, %s, %n : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<3x320x320xf32> to tensor<3x320x320xf32>
  %t = arith.truncf %p : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xbf16>
  return %0 : tensor<3x320x64xbf16>
}
func.func @two_warpgroups(%q: tensor<2x512x32xbf16>, %k: tensor<2x256x32xbf16>, %v: tensor<2x256x32xbf16>) -> tensor<2x512x32xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 128, 32], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 3, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x256x32xbf16> to tensor<2x32x256xbf16>
  %s = graph.matmul %q, %kt : tensor<2x512x32xbf16>, tensor<2x32x256xbf16> to tensor<2x512x256xf32>
  %i = graph.iota dim = 1 : tensor<2x512x256xi32>
  %j = graph.iota dim = 2 : tensor<2x512x256xi32>
  %c = arith.cmpi sle, %j, %i : tensor<2x512x256xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x512x256xf32>
  %x = arith.select %c, %s, %n : tensor<2x512x256xi1>, tensor<2x512x256xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x512x256xf32> to tensor<2x512x256xf32>
  %t = arith.truncf %p : tensor<2x512x256xf32> to tensor<2x512x256xbf16>
  %0 = graph.matmul %t, %v : tensor<2x512x256xbf16>, tensor<2x256x32xbf16> to tensor<2x512x32xbf16>
  return %0 : tensor<2x512x32xbf16>
}
func.func @wide(%q: tensor<1x128x128xbf16>, %k: tensor<1x256x128xbf16>, %v: tensor<1x256x128xbf16>) -> tensor<1x128x128xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 128, 128], reduce = 128, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<1x256x128xbf16> to tensor<1x128x256xbf16>
  %s = graph.matmul %q, %kt : tensor<1x128x128xbf16>, tensor<1x128x256xbf16> to tensor<1x128x256xf32>
  %p = graph.softmax %s dim = 2 : tensor<1x128x256xf32> to tensor<1x128x256xf32>
  %t = arith.truncf %p : tensor<1x128x256xf32> to tensor<1x128x256xbf16>
  %0 = graph.matmul %t, %v : tensor<1x128x256xbf16>, tensor<1x256x128xbf16> to tensor<1x128x128xbf16>
  return %0 : tensor<1x128x128xbf16>
}
func.func @in_turn(%q: tensor<3x192x64xbf16>, %k: tensor<3x256x64xbf16>, %v: tensor<3x256x64xbf16>) -> tensor<3x192x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, store = bulk, overlap_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<3x256x64xbf16> to tensor<3x64x256xbf16>
  %s = graph.matmul %q, %kt : tensor<3x192x64xbf16>, tensor<3x64x256xbf16> to tensor<3x192x256xf32>
  %p = graph.softmax %s dim = 2 : tensor<3x192x256xf32> to tensor<3x192x256xf32>
  %t = arith.truncf %p : tensor<3x192x256xf32> to tensor<3x192x256xbf16>
  %0 = graph.matmul %t, %v : tensor<3x192x256xbf16>, tensor<3x256x64xbf16> to tensor<3x192x64xbf16>
  return %0 : tensor<3x192x64xbf16>
}
