// Steps that a mask leaves out, under schedules: blocks that take several tiles in turn, the longest first and every other
// round from the other end, so that slots of the rings follow from the tiles before; tiles of no step among them; two
// warpgroups that cooperate; without roles.
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet --precision=bf16 --early
// REQUIRES: emulator

func.func @square(%q: tensor<3x320x64xbf16>, %k: tensor<3x320x64xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk, skip_steps>} {
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
func.func @rows_after_rows(%q: tensor<2x384x64xbf16>, %k: tensor<2x384x64xbf16>, %v: tensor<2x384x64xbf16>) -> tensor<2x384x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 3, store = bulk, skip_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x384x64xbf16> to tensor<2x64x384xbf16>
  %s = graph.matmul %q, %kt : tensor<2x384x64xbf16>, tensor<2x64x384xbf16> to tensor<2x384x384xf32>
  %i = graph.iota dim = 1 : tensor<2x384x384xi32>
  %j = graph.iota dim = 2 : tensor<2x384x384xi32>
  %c = arith.cmpi sle, %j, %i : tensor<2x384x384xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x384x384xf32>
  %x = arith.select %c, %s, %n : tensor<2x384x384xi1>, tensor<2x384x384xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x384x384xf32> to tensor<2x384x384xf32>
  %t = arith.truncf %p : tensor<2x384x384xf32> to tensor<2x384x384xbf16>
  %0 = graph.matmul %t, %v : tensor<2x384x384xbf16>, tensor<2x384x64xbf16> to tensor<2x384x64xbf16>
  return %0 : tensor<2x384x64xbf16>
}
func.func @two_warpgroups(%q: tensor<2x512x64xbf16>, %k: tensor<2x512x64xbf16>, %v: tensor<2x512x64xbf16>) -> tensor<2x512x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 128, 64], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 1, order = grouped<2>, store = bulk, skip_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x512x64xbf16> to tensor<2x64x512xbf16>
  %s = graph.matmul %q, %kt : tensor<2x512x64xbf16>, tensor<2x64x512xbf16> to tensor<2x512x512xf32>
  %i = graph.iota dim = 1 : tensor<2x512x512xi32>
  %j = graph.iota dim = 2 : tensor<2x512x512xi32>
  %h = arith.constant dense<100> : tensor<2x512x512xi32>
  %l = arith.subi %i, %h : tensor<2x512x512xi32>
  %c0 = arith.cmpi sge, %j, %l : tensor<2x512x512xi32>
  %h1 = arith.constant dense<30> : tensor<2x512x512xi32>
  %r = arith.addi %i, %h1 : tensor<2x512x512xi32>
  %c1 = arith.cmpi sle, %j, %r : tensor<2x512x512xi32>
  %c = arith.andi %c0, %c1 : tensor<2x512x512xi1>
  %n = arith.constant dense<0xFF800000> : tensor<2x512x512xf32>
  %x = arith.select %c, %s, %n : tensor<2x512x512xi1>, tensor<2x512x512xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x512x512xf32> to tensor<2x512x512xf32>
  %t = arith.truncf %p : tensor<2x512x512xf32> to tensor<2x512x512xbf16>
  %0 = graph.matmul %t, %v : tensor<2x512x512xbf16>, tensor<2x512x64xbf16> to tensor<2x512x64xbf16>
  return %0 : tensor<2x512x64xbf16>
}
func.func @tiles_of_no_step(%q: tensor<3x320x64xbf16>, %k: tensor<3x320x64xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<1>, skip_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<3x320x64xbf16> to tensor<3x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %h = arith.constant dense<-130> : tensor<3x320x320xi32>
  %io = arith.addi %i, %h : tensor<3x320x320xi32>
  %c = arith.cmpi slt, %j, %io : tensor<3x320x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %x = arith.select %c, %s, %n : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<3x320x320xf32> to tensor<3x320x320xf32>
  %t = arith.truncf %p : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xbf16>
  return %0 : tensor<3x320x64xbf16>
}
func.func @all_steps(%q: tensor<2x320x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>) -> tensor<2x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>} {
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
func.func @no_roles(%q: tensor<2x320x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>) -> tensor<2x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, skip_steps>} {
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
func.func @single_warps(%q: tensor<2x320x64xbf16>, %k: tensor<2x328x64xbf16>, %v: tensor<2x328x64xbf16>) -> tensor<2x320x64xbf16>
    attributes {check.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 4, order = grouped<2>, skip_steps>} {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x328x64xbf16> to tensor<2x64x328xbf16>
  %s = graph.matmul %q, %kt : tensor<2x320x64xbf16>, tensor<2x64x328xbf16> to tensor<2x320x328xf32>
  %i = graph.iota dim = 1 : tensor<2x320x328xi32>
  %j = graph.iota dim = 2 : tensor<2x320x328xi32>
  %h = arith.constant dense<60> : tensor<2x320x328xi32>
  %l = arith.subi %i, %h : tensor<2x320x328xi32>
  %c0 = arith.cmpi sge, %j, %l : tensor<2x320x328xi32>
  %h1 = arith.constant dense<60> : tensor<2x320x328xi32>
  %r = arith.addi %i, %h1 : tensor<2x320x328xi32>
  %c1 = arith.cmpi sle, %j, %r : tensor<2x320x328xi32>
  %c = arith.andi %c0, %c1 : tensor<2x320x328xi1>
  %n = arith.constant dense<0xFF800000> : tensor<2x320x328xf32>
  %x = arith.select %c, %s, %n : tensor<2x320x328xi1>, tensor<2x320x328xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x320x328xf32> to tensor<2x320x328xf32>
  %t = arith.truncf %p : tensor<2x320x328xf32> to tensor<2x320x328xbf16>
  %0 = graph.matmul %t, %v : tensor<2x320x328xbf16>, tensor<2x328x64xbf16> to tensor<2x320x64xbf16>
  return %0 : tensor<2x320x64xbf16>
}
