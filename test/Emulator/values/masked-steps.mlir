// Steps of attention that a mask leaves out are not run: causal masks of several sizes, odd ones among them; diagonals that
// are offset (cached keys before the queries), that rows cross at another pace, from the other side; bands; rows of which
// nothing is left; masks that are added, of -inf and of finite numbers; two heads of queries for one of keys. On
// warpgroups, in one tile a block and in several taken in turn, and on single warps.
// RUN: tw-check %s --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet --precision=bf16 --early
// REQUIRES: emulator

func.func @square(%q: tensor<2x320x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>) -> tensor<2x320x64xbf16> {
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
// Keys of earlier queries come first.
func.func @long_rows(%q: tensor<6x192x64xbf16>, %k: tensor<6x640x64xbf16>, %v: tensor<6x640x64xbf16>) -> tensor<6x192x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<6x640x64xbf16> to tensor<6x64x640xbf16>
  %s = graph.matmul %q, %kt : tensor<6x192x64xbf16>, tensor<6x64x640xbf16> to tensor<6x192x640xf32>
  %i = graph.iota dim = 1 : tensor<6x192x640xi32>
  %j = graph.iota dim = 2 : tensor<6x192x640xi32>
  %h = arith.constant dense<448> : tensor<6x192x640xi32>
  %io = arith.addi %i, %h : tensor<6x192x640xi32>
  %c = arith.cmpi sle, %j, %io : tensor<6x192x640xi32>
  %n = arith.constant dense<0xFF800000> : tensor<6x192x640xf32>
  %x = arith.select %c, %s, %n : tensor<6x192x640xi1>, tensor<6x192x640xf32>
  %p = graph.softmax %x dim = 2 : tensor<6x192x640xf32> to tensor<6x192x640xf32>
  %t = arith.truncf %p : tensor<6x192x640xf32> to tensor<6x192x640xbf16>
  %0 = graph.matmul %t, %v : tensor<6x192x640xbf16>, tensor<6x640x64xbf16> to tensor<6x192x64xbf16>
  return %0 : tensor<6x192x64xbf16>
}
// No whole tiles, and keys that no tensor map describes.
func.func @odd(%q: tensor<2x269x64xbf16>, %k: tensor<2x333x64xbf16>, %v: tensor<2x333x64xbf16>) -> tensor<2x269x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x333x64xbf16> to tensor<2x64x333xbf16>
  %s = graph.matmul %q, %kt : tensor<2x269x64xbf16>, tensor<2x64x333xbf16> to tensor<2x269x333xf32>
  %i = graph.iota dim = 1 : tensor<2x269x333xi32>
  %j = graph.iota dim = 2 : tensor<2x269x333xi32>
  %h = arith.constant dense<64> : tensor<2x269x333xi32>
  %io = arith.addi %i, %h : tensor<2x269x333xi32>
  %c = arith.cmpi sle, %j, %io : tensor<2x269x333xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x269x333xf32>
  %x = arith.select %c, %s, %n : tensor<2x269x333xi1>, tensor<2x269x333xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x269x333xf32> to tensor<2x269x333xf32>
  %t = arith.truncf %p : tensor<2x269x333xf32> to tensor<2x269x333xbf16>
  %0 = graph.matmul %t, %v : tensor<2x269x333xbf16>, tensor<2x333x64xbf16> to tensor<2x269x64xbf16>
  return %0 : tensor<2x269x64xbf16>
}
func.func @ragged_rows(%q: tensor<3x200x64xbf16>, %k: tensor<3x328x64xbf16>, %v: tensor<3x328x64xbf16>) -> tensor<3x200x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<3x328x64xbf16> to tensor<3x64x328xbf16>
  %s = graph.matmul %q, %kt : tensor<3x200x64xbf16>, tensor<3x64x328xbf16> to tensor<3x200x328xf32>
  %i = graph.iota dim = 1 : tensor<3x200x328xi32>
  %j = graph.iota dim = 2 : tensor<3x200x328xi32>
  %h = arith.constant dense<128> : tensor<3x200x328xi32>
  %io = arith.addi %i, %h : tensor<3x200x328xi32>
  %c = arith.cmpi sle, %j, %io : tensor<3x200x328xi32>
  %n = arith.constant dense<0xFF800000> : tensor<3x200x328xf32>
  %x = arith.select %c, %s, %n : tensor<3x200x328xi1>, tensor<3x200x328xf32>
  %p = graph.softmax %x dim = 2 : tensor<3x200x328xf32> to tensor<3x200x328xf32>
  %t = arith.truncf %p : tensor<3x200x328xf32> to tensor<3x200x328xbf16>
  %0 = graph.matmul %t, %v : tensor<3x200x328xbf16>, tensor<3x328x64xbf16> to tensor<3x200x64xbf16>
  return %0 : tensor<3x200x64xbf16>
}
// Rows that keep nothing are no numbers.
func.func @first_rows_see_nothing(%q: tensor<1x320x64xbf16>, %k: tensor<1x320x64xbf16>, %v: tensor<1x320x64xbf16>) -> tensor<1x320x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<1x320x64xbf16> to tensor<1x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<1x320x64xbf16>, tensor<1x64x320xbf16> to tensor<1x320x320xf32>
  %i = graph.iota dim = 1 : tensor<1x320x320xi32>
  %j = graph.iota dim = 2 : tensor<1x320x320xi32>
  %h = arith.constant dense<-130> : tensor<1x320x320xi32>
  %io = arith.addi %i, %h : tensor<1x320x320xi32>
  %c = arith.cmpi slt, %j, %io : tensor<1x320x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<1x320x320xf32>
  %x = arith.select %c, %s, %n : tensor<1x320x320xi1>, tensor<1x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<1x320x320xf32> to tensor<1x320x320xf32>
  %t = arith.truncf %p : tensor<1x320x320xf32> to tensor<1x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<1x320x320xbf16>, tensor<1x320x64xbf16> to tensor<1x320x64xbf16>
  return %0 : tensor<1x320x64xbf16>
}
func.func @from_the_other_side(%q: tensor<2x256x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>) -> tensor<2x256x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x320x64xbf16> to tensor<2x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<2x256x64xbf16>, tensor<2x64x320xbf16> to tensor<2x256x320xf32>
  %i = graph.iota dim = 1 : tensor<2x256x320xi32>
  %j = graph.iota dim = 2 : tensor<2x256x320xi32>
  %h = arith.constant dense<20> : tensor<2x256x320xi32>
  %io = arith.addi %i, %h : tensor<2x256x320xi32>
  %c = arith.cmpi sge, %j, %io : tensor<2x256x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x256x320xf32>
  %x = arith.select %c, %s, %n : tensor<2x256x320xi1>, tensor<2x256x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x256x320xf32> to tensor<2x256x320xf32>
  %t = arith.truncf %p : tensor<2x256x320xf32> to tensor<2x256x320xbf16>
  %0 = graph.matmul %t, %v : tensor<2x256x320xbf16>, tensor<2x320x64xbf16> to tensor<2x256x64xbf16>
  return %0 : tensor<2x256x64xbf16>
}
func.func @last_rows_see_nothing(%q: tensor<1x384x64xbf16>, %k: tensor<1x256x64xbf16>, %v: tensor<1x256x64xbf16>) -> tensor<1x384x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<1x256x64xbf16> to tensor<1x64x256xbf16>
  %s = graph.matmul %q, %kt : tensor<1x384x64xbf16>, tensor<1x64x256xbf16> to tensor<1x384x256xf32>
  %i = graph.iota dim = 1 : tensor<1x384x256xi32>
  %j = graph.iota dim = 2 : tensor<1x384x256xi32>
  %c = arith.cmpi sgt, %j, %i : tensor<1x384x256xi32>
  %n = arith.constant dense<0xFF800000> : tensor<1x384x256xf32>
  %x = arith.select %c, %s, %n : tensor<1x384x256xi1>, tensor<1x384x256xf32>
  %p = graph.softmax %x dim = 2 : tensor<1x384x256xf32> to tensor<1x384x256xf32>
  %t = arith.truncf %p : tensor<1x384x256xf32> to tensor<1x384x256xbf16>
  %0 = graph.matmul %t, %v : tensor<1x384x256xbf16>, tensor<1x256x64xbf16> to tensor<1x384x64xbf16>
  return %0 : tensor<1x384x64xbf16>
}
func.func @band(%q: tensor<2x512x64xbf16>, %k: tensor<2x512x64xbf16>, %v: tensor<2x512x64xbf16>) -> tensor<2x512x64xbf16> {
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
// Rows that go on by two keys each.
func.func @two_keys_a_row(%q: tensor<1x128x64xbf16>, %k: tensor<1x320x64xbf16>, %v: tensor<1x320x64xbf16>) -> tensor<1x128x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<1x320x64xbf16> to tensor<1x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<1x128x64xbf16>, tensor<1x64x320xbf16> to tensor<1x128x320xf32>
  %i = graph.iota dim = 1 : tensor<1x128x320xi32>
  %j = graph.iota dim = 2 : tensor<1x128x320xi32>
  %w = arith.constant dense<2> : tensor<1x128x320xi32>
  %im = arith.muli %i, %w : tensor<1x128x320xi32>
  %h = arith.constant dense<3> : tensor<1x128x320xi32>
  %io = arith.addi %im, %h : tensor<1x128x320xi32>
  %c = arith.cmpi sle, %j, %io : tensor<1x128x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<1x128x320xf32>
  %x = arith.select %c, %s, %n : tensor<1x128x320xi1>, tensor<1x128x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<1x128x320xf32> to tensor<1x128x320xf32>
  %t = arith.truncf %p : tensor<1x128x320xf32> to tensor<1x128x320xbf16>
  %0 = graph.matmul %t, %v : tensor<1x128x320xbf16>, tensor<1x320x64xbf16> to tensor<1x128x64xbf16>
  return %0 : tensor<1x128x64xbf16>
}
func.func @not_beyond(%q: tensor<2x256x64xbf16>, %k: tensor<2x256x64xbf16>, %v: tensor<2x256x64xbf16>) -> tensor<2x256x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x256x64xbf16> to tensor<2x64x256xbf16>
  %s = graph.matmul %q, %kt : tensor<2x256x64xbf16>, tensor<2x64x256xbf16> to tensor<2x256x256xf32>
  %i = graph.iota dim = 1 : tensor<2x256x256xi64>
  %j = graph.iota dim = 2 : tensor<2x256x256xi64>
  %h = arith.constant dense<5> : tensor<2x256x256xi64>
  %io = arith.addi %i, %h : tensor<2x256x256xi64>
  %b = arith.cmpi sgt, %j, %io : tensor<2x256x256xi64>
  %true = arith.constant dense<true> : tensor<2x256x256xi1>
  %c = arith.xori %b, %true : tensor<2x256x256xi1>
  %n = arith.constant dense<0xFF800000> : tensor<2x256x256xf32>
  %x = arith.select %c, %s, %n : tensor<2x256x256xi1>, tensor<2x256x256xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x256x256xf32> to tensor<2x256x256xf32>
  %t = arith.truncf %p : tensor<2x256x256xf32> to tensor<2x256x256xbf16>
  %0 = graph.matmul %t, %v : tensor<2x256x256xbf16>, tensor<2x256x64xbf16> to tensor<2x256x64xbf16>
  return %0 : tensor<2x256x64xbf16>
}
func.func @added(%q: tensor<2x320x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>) -> tensor<2x320x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x320x64xbf16> to tensor<2x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<2x320x64xbf16>, tensor<2x64x320xbf16> to tensor<2x320x320xf32>
  %i = graph.iota dim = 1 : tensor<2x320x320xi32>
  %j = graph.iota dim = 2 : tensor<2x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<2x320x320xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x320x320xf32>
  %z = arith.constant dense<0.0> : tensor<2x320x320xf32>
  %a = arith.select %c, %z, %n : tensor<2x320x320xi1>, tensor<2x320x320xf32>
  %f = arith.constant dense<0.125> : tensor<2x320x320xf32>
  %g = arith.mulf %s, %f : tensor<2x320x320xf32>
  %x = arith.addf %g, %a : tensor<2x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x320x320xf32> to tensor<2x320x320xf32>
  %t = arith.truncf %p : tensor<2x320x320xf32> to tensor<2x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<2x320x320xbf16>, tensor<2x320x64xbf16> to tensor<2x320x64xbf16>
  return %0 : tensor<2x320x64xbf16>
}
// A finite mask outweighs every score; each row keeps some.
func.func @added_finite(%q: tensor<2x320x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>) -> tensor<2x320x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x320x64xbf16> to tensor<2x64x320xbf16>
  %s = graph.matmul %q, %kt : tensor<2x320x64xbf16>, tensor<2x64x320xbf16> to tensor<2x320x320xf32>
  %i = graph.iota dim = 1 : tensor<2x320x320xi32>
  %j = graph.iota dim = 2 : tensor<2x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<2x320x320xi32>
  %n = arith.constant dense<-3.4028234e38> : tensor<2x320x320xf32>
  %z = arith.constant dense<0.0> : tensor<2x320x320xf32>
  %a = arith.select %c, %z, %n : tensor<2x320x320xi1>, tensor<2x320x320xf32>
  %f = arith.constant dense<0.125> : tensor<2x320x320xf32>
  %g = arith.mulf %s, %f : tensor<2x320x320xf32>
  %x = arith.addf %g, %a : tensor<2x320x320xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x320x320xf32> to tensor<2x320x320xf32>
  %t = arith.truncf %p : tensor<2x320x320xf32> to tensor<2x320x320xbf16>
  %0 = graph.matmul %t, %v : tensor<2x320x320xbf16>, tensor<2x320x64xbf16> to tensor<2x320x64xbf16>
  return %0 : tensor<2x320x64xbf16>
}
// Two heads of queries for one of keys.
func.func @shared_keys(%q: tensor<4x192x32xbf16>, %k: tensor<2x192x32xbf16>, %v: tensor<2x192x32xbf16>) -> tensor<4x192x32xbf16> {
  %kb = graph.broadcast %k dims = [0, 2, 3] : tensor<2x192x32xbf16> to tensor<2x2x192x32xbf16>
  %vb = graph.broadcast %v dims = [0, 2, 3] : tensor<2x192x32xbf16> to tensor<2x2x192x32xbf16>
  %kr = graph.reshape %kb : tensor<2x2x192x32xbf16> to tensor<4x192x32xbf16>
  %vr = graph.reshape %vb : tensor<2x2x192x32xbf16> to tensor<4x192x32xbf16>
  %i = graph.iota dim = 0 : tensor<192x192xi64>
  %j = graph.iota dim = 1 : tensor<192x192xi64>
  %c = arith.cmpi sle, %j, %i : tensor<192x192xi64>
  %z = arith.constant dense<0.0> : tensor<192x192xbf16>
  %n = arith.constant dense<0xFF80> : tensor<192x192xbf16>
  %a = arith.select %c, %z, %n : tensor<192x192xi1>, tensor<192x192xbf16>
  %m = graph.broadcast %a dims = [1, 2] : tensor<192x192xbf16> to tensor<4x192x192xbf16>
  %0 = graph.attention %q, %kr, %vr mask (%m : tensor<4x192x192xbf16>) scale = 0.25 : tensor<4x192x32xbf16>, tensor<4x192x32xbf16>, tensor<4x192x32xbf16> to tensor<4x192x32xbf16>
  return %0 : tensor<4x192x32xbf16>
}
