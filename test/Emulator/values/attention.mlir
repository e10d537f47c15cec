// Attention as one kernel: two products of which the second takes the first one's result, rescaled as each row's
// maximum grows. Ragged rows, keys and features; masks; rows of which nothing or infinite scores are left; rising and
// large scores; heads that share keys. On warpgroups and on single warps.
// RUN: tw-check %s --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet --precision=bf16 --early
// REQUIRES: emulator

func.func @ragged(%q: tensor<3x2x200x64xbf16>, %k: tensor<3x2x200x64xbf16>, %v: tensor<3x2x200x64xbf16>) -> tensor<3x2x200x64xbf16> {
  %0 = graph.attention %q, %k, %v scale = 0.125 : tensor<3x2x200x64xbf16>, tensor<3x2x200x64xbf16>, tensor<3x2x200x64xbf16> to tensor<3x2x200x64xbf16>
  return %0 : tensor<3x2x200x64xbf16>
}
func.func @wide_heads(%q: tensor<2x192x128xf16>, %k: tensor<2x320x128xf16>, %v: tensor<2x320x128xf16>) -> tensor<2x192x128xf16> {
  %0 = graph.attention %q, %k, %v scale = 0.1 : tensor<2x192x128xf16>, tensor<2x320x128xf16>, tensor<2x320x128xf16> to tensor<2x192x128xf16>
  return %0 : tensor<2x192x128xf16>
}
func.func @odd_features(%q: tensor<4x130x24xbf16>, %k: tensor<4x77x24xbf16>, %v: tensor<4x77x40xbf16>, %m: tensor<4x130x77xbf16>) -> tensor<4x130x40xbf16> {
  %0 = graph.attention %q, %k, %v mask (%m : tensor<4x130x77xbf16>) scale = 0.2 : tensor<4x130x24xbf16>, tensor<4x77x24xbf16>, tensor<4x77x40xbf16> to tensor<4x130x40xbf16>
  return %0 : tensor<4x130x40xbf16>
}
func.func @heads_in_rows(%q: tensor<2x128x4x64xbf16>, %k: tensor<2x128x4x64xbf16>, %v: tensor<2x128x4x64xbf16>) -> tensor<2x128x256xbf16> {
  %qt = graph.transpose %q permutation = [0, 2, 1, 3] : tensor<2x128x4x64xbf16> to tensor<2x4x128x64xbf16>
  %kt = graph.transpose %k permutation = [0, 2, 1, 3] : tensor<2x128x4x64xbf16> to tensor<2x4x128x64xbf16>
  %vt = graph.transpose %v permutation = [0, 2, 1, 3] : tensor<2x128x4x64xbf16> to tensor<2x4x128x64xbf16>
  %0 = graph.attention %qt, %kt, %vt scale = 0.125 : tensor<2x4x128x64xbf16>, tensor<2x4x128x64xbf16>, tensor<2x4x128x64xbf16> to tensor<2x4x128x64xbf16>
  %1 = graph.transpose %0 permutation = [0, 2, 1, 3] : tensor<2x4x128x64xbf16> to tensor<2x128x4x64xbf16>
  %2 = graph.reshape %1 : tensor<2x128x4x64xbf16> to tensor<2x128x256xbf16>
  return %2 : tensor<2x128x256xbf16>
}
// The next product reads heads side by side.
func.func @heads_for_a_product(%q: tensor<2x4x128x64xbf16>, %k: tensor<2x4x128x64xbf16>, %v: tensor<2x4x128x64xbf16>, %w: tensor<256x96xbf16> {check.data = "random:-0.25:0.25"}) -> tensor<2x128x96xbf16> {
  %0 = graph.attention %q, %k, %v scale = 0.125 : tensor<2x4x128x64xbf16>, tensor<2x4x128x64xbf16>, tensor<2x4x128x64xbf16> to tensor<2x4x128x64xbf16>
  %1 = graph.transpose %0 permutation = [0, 2, 1, 3] : tensor<2x4x128x64xbf16> to tensor<2x128x4x64xbf16>
  %2 = graph.reshape %1 : tensor<2x128x4x64xbf16> to tensor<256x256xbf16>
  %3 = graph.matmul %2, %w : tensor<256x256xbf16>, tensor<256x96xbf16> to tensor<256x96xf32>
  %4 = graph.reshape %3 : tensor<256x96xf32> to tensor<2x128x96xf32>
  %5 = arith.truncf %4 : tensor<2x128x96xf32> to tensor<2x128x96xbf16>
  return %5 : tensor<2x128x96xbf16>
}
// Two heads of queries for one of keys.
func.func @shared_keys(%q: tensor<4x150x32xbf16>, %k: tensor<2x150x32xbf16>, %v: tensor<2x150x32xbf16>) -> tensor<4x150x32xbf16> {
  %kb = graph.broadcast %k dims = [0, 2, 3] : tensor<2x150x32xbf16> to tensor<2x2x150x32xbf16>
  %vb = graph.broadcast %v dims = [0, 2, 3] : tensor<2x150x32xbf16> to tensor<2x2x150x32xbf16>
  %kr = graph.reshape %kb : tensor<2x2x150x32xbf16> to tensor<4x150x32xbf16>
  %vr = graph.reshape %vb : tensor<2x2x150x32xbf16> to tensor<4x150x32xbf16>
  %0 = graph.attention %q, %kr, %vr scale = 0.25 : tensor<4x150x32xbf16>, tensor<4x150x32xbf16>, tensor<4x150x32xbf16> to tensor<4x150x32xbf16>
  return %0 : tensor<4x150x32xbf16>
}
// Each row sees what is not behind it: blocks of keys at the end hold nothing for the first rows.
func.func @causal(%q: tensor<2x300x64xbf16>, %kt: tensor<2x64x300xbf16>, %v: tensor<2x300x64xbf16>) -> tensor<2x300x64xf32> {
  %s = graph.matmul %q, %kt : tensor<2x300x64xbf16>, tensor<2x64x300xbf16> to tensor<2x300x300xf32>
  %i = graph.iota dim = 1 : tensor<2x300x300xi32>
  %j = graph.iota dim = 2 : tensor<2x300x300xi32>
  %c = arith.cmpi sle, %j, %i : tensor<2x300x300xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x300x300xf32>
  %x = arith.select %c, %s, %n : tensor<2x300x300xi1>, tensor<2x300x300xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x300x300xf32> to tensor<2x300x300xf32>
  %t = arith.truncf %p : tensor<2x300x300xf32> to tensor<2x300x300xbf16>
  %0 = graph.matmul %t, %v : tensor<2x300x300xbf16>, tensor<2x300x64xbf16> to tensor<2x300x64xf32>
  return %0 : tensor<2x300x64xf32>
}
// The other way round: the first blocks hold nothing, and the maximum is unset until the last one.
func.func @anticausal(%q: tensor<2x300x64xbf16>, %kt: tensor<2x64x300xbf16>, %v: tensor<2x300x64xbf16>) -> tensor<2x300x64xf32> {
  %s = graph.matmul %q, %kt : tensor<2x300x64xbf16>, tensor<2x64x300xbf16> to tensor<2x300x300xf32>
  %i = graph.iota dim = 1 : tensor<2x300x300xi32>
  %j = graph.iota dim = 2 : tensor<2x300x300xi32>
  %c = arith.cmpi sge, %j, %i : tensor<2x300x300xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x300x300xf32>
  %x = arith.select %c, %s, %n : tensor<2x300x300xi1>, tensor<2x300x300xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x300x300xf32> to tensor<2x300x300xf32>
  %t = arith.truncf %p : tensor<2x300x300xf32> to tensor<2x300x300xbf16>
  %0 = graph.matmul %t, %v : tensor<2x300x300xbf16>, tensor<2x300x64xbf16> to tensor<2x300x64xf32>
  return %0 : tensor<2x300x64xf32>
}
func.func @nothing_left(%q: tensor<1x150x32xbf16>, %k: tensor<1x150x32xbf16>, %v: tensor<1x150x32xbf16>, %m: tensor<1x150x150xbf16> {check.data = "splat:-inf"}) -> tensor<1x150x32xbf16> {
  %0 = graph.attention %q, %k, %v mask (%m : tensor<1x150x150xbf16>) scale = 0.25 : tensor<1x150x32xbf16>, tensor<1x150x32xbf16>, tensor<1x150x32xbf16> to tensor<1x150x32xbf16>
  return %0 : tensor<1x150x32xbf16>
}
func.func @special_scores(%q: tensor<1x150x32xbf16>, %k: tensor<1x150x32xbf16>, %v: tensor<1x150x32xbf16>, %m: tensor<1x150x150xbf16> {check.data = "special"}) -> tensor<1x150x32xbf16> {
  %0 = graph.attention %q, %k, %v mask (%m : tensor<1x150x150xbf16>) scale = 0.25 : tensor<1x150x32xbf16>, tensor<1x150x32xbf16>, tensor<1x150x32xbf16> to tensor<1x150x32xbf16>
  return %0 : tensor<1x150x32xbf16>
}
// Scores of about 4000, whose differences matter alone, and a mask of one row for all.
func.func @large_means(%q: tensor<2x160x64xbf16> {check.data = "random:7:9"}, %k: tensor<2x200x64xbf16> {check.data = "random:7:9"}, %v: tensor<2x200x64xbf16>, %m: tensor<2x1x200xf32> {check.data = "random:-100:0"}) -> tensor<2x160x64xf32> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x200x64xbf16> to tensor<2x64x200xbf16>
  %s = graph.matmul %q, %kt : tensor<2x160x64xbf16>, tensor<2x64x200xbf16> to tensor<2x160x200xf32>
  %b = graph.broadcast %m dims = [0, 1, 2] : tensor<2x1x200xf32> to tensor<2x160x200xf32>
  %x = arith.addf %s, %b : tensor<2x160x200xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x160x200xf32> to tensor<2x160x200xf32>
  %t = arith.truncf %p : tensor<2x160x200xf32> to tensor<2x160x200xbf16>
  %0 = graph.matmul %t, %v : tensor<2x160x200xbf16>, tensor<2x200x64xbf16> to tensor<2x160x64xf32>
  return %0 : tensor<2x160x64xf32>
}
// No maximum between the products; the sums of rows are stored as well.
func.func @positive_terms(%q: tensor<190x48xbf16>, %kt: tensor<48x170xbf16>, %v: tensor<170x48xbf16>) -> (tensor<190x48xf32>, tensor<190xf32>) {
  %s = graph.matmul %q, %kt : tensor<190x48xbf16>, tensor<48x170xbf16> to tensor<190x170xf32>
  %e = math.absf %s : tensor<190x170xf32>
  %l = graph.reduce sum %e dims = [1] : tensor<190x170xf32> to tensor<190xf32>
  %b = graph.broadcast %l dims = [0] : tensor<190xf32> to tensor<190x170xf32>
  %p = arith.divf %e, %b : tensor<190x170xf32>
  %t = arith.truncf %p : tensor<190x170xf32> to tensor<190x170xbf16>
  %0 = graph.matmul %t, %v : tensor<190x170xbf16>, tensor<170x48xbf16> to tensor<190x48xf32>
  return %0, %l : tensor<190x48xf32>, tensor<190xf32>
}
