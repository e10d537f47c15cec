// Whether steps of a chain overlap, and of how many terms they are, follows from the registers that the terms, the terms before,
// the sums and what terms are combined with take together.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_80 | FileCheck %s --check-prefix=WARPS

// Single warps have one product at a time in flight.
// WARPS-NOT: overlap_steps

// CHECK: tile.kernel @wide
// CHECK-SAME: tile = [1, 128, 128], reduce = 128, {{.*}} overlap_steps>
graph.kernel anchor(matmul) @wide(%q: tensor<32x1024x128xbf16>, %kt: tensor<32x128x1024xbf16>, %v: tensor<32x1024x128xbf16>) -> tensor<32x1024x128xf32> {
  %s = graph.matmul %q, %kt : tensor<32x1024x128xbf16>, tensor<32x128x1024xbf16> to tensor<32x1024x1024xf32>
  %m = graph.reduce max %s dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x1024xf32>
  %d = arith.subf %s, %mb : tensor<32x1024x1024xf32>
  %e = math.exp %d : tensor<32x1024x1024xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %t = arith.truncf %e : tensor<32x1024x1024xf32> to tensor<32x1024x1024xbf16>
  %x = graph.matmul %t, %v : tensor<32x1024x1024xbf16>, tensor<32x1024x128xbf16> to tensor<32x1024x128xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x128xf32>
  %o = arith.divf %x, %lb : tensor<32x1024x128xf32>
  graph.return %o : tensor<32x1024x128xf32>
}

// A tile of what is added leaves registers for half as many terms.
// CHECK: tile.kernel @biased
// CHECK-SAME: tile = [1, 128, 128], reduce = 64, {{.*}} overlap_steps>
graph.kernel anchor(matmul) @biased(%q: tensor<32x1024x128xbf16>, %kt: tensor<32x128x1024xbf16>, %v: tensor<32x1024x128xbf16>, %b: tensor<1024x1024xf32>) -> tensor<32x1024x128xf32> {
  %s = graph.matmul %q, %kt : tensor<32x1024x128xbf16>, tensor<32x128x1024xbf16> to tensor<32x1024x1024xf32>
  %bb = graph.broadcast %b dims = [1, 2] : tensor<1024x1024xf32> to tensor<32x1024x1024xf32>
  %y = arith.addf %s, %bb : tensor<32x1024x1024xf32>
  %m = graph.reduce max %y dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x1024xf32>
  %d = arith.subf %y, %mb : tensor<32x1024x1024xf32>
  %e = math.exp %d : tensor<32x1024x1024xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %t = arith.truncf %e : tensor<32x1024x1024xf32> to tensor<32x1024x1024xbf16>
  %x = graph.matmul %t, %v : tensor<32x1024x1024xbf16>, tensor<32x1024x128xbf16> to tensor<32x1024x128xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x128xf32>
  %o = arith.divf %x, %lb : tensor<32x1024x128xf32>
  graph.return %o : tensor<32x1024x128xf32>
}

// Few columns: four warpgroups of few terms, which hide them behind one another.
// CHECK: tile.kernel @narrow
// CHECK-SAME: tile = [1, 256, 64], reduce = 64, warps = 16, {{.*}} stages = 4, {{.*}} registers = [24, 112], {{.*}} overlap_steps>
graph.kernel anchor(matmul) @narrow(%q: tensor<64x1024x64xbf16>, %kt: tensor<64x64x1024xbf16>, %v: tensor<64x1024x64xbf16>) -> tensor<64x1024x64xf32> {
  %s = graph.matmul %q, %kt : tensor<64x1024x64xbf16>, tensor<64x64x1024xbf16> to tensor<64x1024x1024xf32>
  %m = graph.reduce max %s dims = [2] : tensor<64x1024x1024xf32> to tensor<64x1024xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<64x1024xf32> to tensor<64x1024x1024xf32>
  %d = arith.subf %s, %mb : tensor<64x1024x1024xf32>
  %e = math.exp %d : tensor<64x1024x1024xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<64x1024x1024xf32> to tensor<64x1024xf32>
  %t = arith.truncf %e : tensor<64x1024x1024xf32> to tensor<64x1024x1024xbf16>
  %x = graph.matmul %t, %v : tensor<64x1024x1024xbf16>, tensor<64x1024x64xbf16> to tensor<64x1024x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<64x1024xf32> to tensor<64x1024x64xf32>
  %o = arith.divf %x, %lb : tensor<64x1024x64xf32>
  graph.return %o : tensor<64x1024x64xf32>
}

// Two, whose steps follow one another, where there is more between the products than registers of four would hold.
// CHECK: tile.kernel @narrow_biased
// CHECK-SAME: tile = [1, 128, 64], reduce = 128
// CHECK-NOT: overlap_steps
// CHECK: scf.for
graph.kernel anchor(matmul) @narrow_biased(%q: tensor<32x1024x64xbf16>, %kt: tensor<32x64x1024xbf16>, %v: tensor<32x1024x64xbf16>, %b: tensor<1024x1024xf32>) -> tensor<32x1024x64xf32> {
  %s = graph.matmul %q, %kt : tensor<32x1024x64xbf16>, tensor<32x64x1024xbf16> to tensor<32x1024x1024xf32>
  %bb = graph.broadcast %b dims = [1, 2] : tensor<1024x1024xf32> to tensor<32x1024x1024xf32>
  %y = arith.addf %s, %bb : tensor<32x1024x1024xf32>
  %m = graph.reduce max %y dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x1024xf32>
  %d = arith.subf %y, %mb : tensor<32x1024x1024xf32>
  %e = math.exp %d : tensor<32x1024x1024xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %t = arith.truncf %e : tensor<32x1024x1024xf32> to tensor<32x1024x1024xbf16>
  %x = graph.matmul %t, %v : tensor<32x1024x1024xbf16>, tensor<32x1024x64xbf16> to tensor<32x1024x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x64xf32>
  %o = arith.divf %x, %lb : tensor<32x1024x64xf32>
  graph.return %o : tensor<32x1024x64xf32>
}

// No steps of 64 terms fit.
// CHECK: tile.kernel @widest
// CHECK-SAME: tile = [1, 128, 256], reduce = 64
// CHECK-NOT: overlap_steps
// CHECK: scf.for
graph.kernel anchor(matmul) @widest(%q: tensor<32x1024x256xbf16>, %kt: tensor<32x256x1024xbf16>, %v: tensor<32x1024x256xbf16>) -> tensor<32x1024x256xf32> {
  %s = graph.matmul %q, %kt : tensor<32x1024x256xbf16>, tensor<32x256x1024xbf16> to tensor<32x1024x1024xf32>
  %i = graph.iota dim = 1 : tensor<32x1024x1024xi32>
  %j = graph.iota dim = 2 : tensor<32x1024x1024xi32>
  %c = arith.cmpi sle, %j, %i : tensor<32x1024x1024xi32>
  %n = arith.constant dense<0xFF800000> : tensor<32x1024x1024xf32>
  %y = arith.select %c, %s, %n : tensor<32x1024x1024xi1>, tensor<32x1024x1024xf32>
  %m = graph.reduce max %y dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x1024xf32>
  %d = arith.subf %y, %mb : tensor<32x1024x1024xf32>
  %e = math.exp %d : tensor<32x1024x1024xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<32x1024x1024xf32> to tensor<32x1024xf32>
  %t = arith.truncf %e : tensor<32x1024x1024xf32> to tensor<32x1024x1024xbf16>
  %x = graph.matmul %t, %v : tensor<32x1024x1024xbf16>, tensor<32x1024x256xbf16> to tensor<32x1024x256xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x256xf32>
  %o = arith.divf %x, %lb : tensor<32x1024x256xf32>
  graph.return %o : tensor<32x1024x256xf32>
}

// One step has none before it.
// CHECK: tile.kernel @short
// CHECK-SAME: reduce = 128
// CHECK-NOT: overlap_steps
// CHECK: tile.return
graph.kernel anchor(matmul) @short(%q: tensor<32x1024x64xbf16>, %kt: tensor<32x64x128xbf16>, %v: tensor<32x128x64xbf16>) -> tensor<32x1024x64xf32> {
  %s = graph.matmul %q, %kt : tensor<32x1024x64xbf16>, tensor<32x64x128xbf16> to tensor<32x1024x128xf32>
  %m = graph.reduce max %s dims = [2] : tensor<32x1024x128xf32> to tensor<32x1024xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x128xf32>
  %d = arith.subf %s, %mb : tensor<32x1024x128xf32>
  %e = math.exp %d : tensor<32x1024x128xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<32x1024x128xf32> to tensor<32x1024xf32>
  %t = arith.truncf %e : tensor<32x1024x128xf32> to tensor<32x1024x128xbf16>
  %x = graph.matmul %t, %v : tensor<32x1024x128xbf16>, tensor<32x128x64xbf16> to tensor<32x1024x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<32x1024xf32> to tensor<32x1024x64xf32>
  %o = arith.divf %x, %lb : tensor<32x1024x64xf32>
  graph.return %o : tensor<32x1024x64xf32>
}
