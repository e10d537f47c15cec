// Two products of one kernel: a loop over the terms of the second one, which takes them from registers. The maximum, the
// sum and the second product of a row are carried; the latter two are rescaled as the maximum grows.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s --check-prefix=WGMMA
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(tile-assign-layouts),verify-tile-form)' | tw-opt --schedule-stage --verify-schedule-form | FileCheck %s --check-prefix=SCHEDULE

// CHECK: tile.kernel @attention grid = [12, 1, 1] warps = 4
// CHECK-SAME: tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3
// CHECK: %[[Q:.+]] = tile.load %arg0[{{.*}} -> tensor<1x64x64xbf16>
// CHECK: %[[LOOP:.+]]:3 = scf.for {{.*}} iter_args(%[[M:.+]] = %{{.*}}, %[[L:.+]] = %{{.*}}, %[[O:.+]] = %{{.*}}) -> (tensor<1x64x1xf32>, tensor<1x64x1xf32>, tensor<1x64x64xf32>)
// CHECK: %[[K:.+]] = tile.load {{.*}} -> tensor<1x64x64xbf16>
// CHECK: %[[S:.+]] = tile.dot %[[Q]], %[[K]]
// Keys beyond the last one are lowest.
// CHECK: %[[X:.+]] = arith.select %{{.*}}, %[[S]]
// CHECK: %[[PART:.+]] = tile.reduce %[[X]] dim = 2
// CHECK: %[[M1:.+]] = arith.maximumf %[[M]], %[[PART]]
// CHECK: %[[DOWN:.+]] = arith.subf %[[M]], %[[M1]]
// CHECK: math.exp %[[DOWN]]
// CHECK: %[[L0:.+]] = arith.mulf %[[L]]
// CHECK: %[[P:.+]] = math.exp
// CHECK: %[[SUM:.+]] = tile.reduce %[[P]] dim = 2
// CHECK: arith.addf %[[L0]], %[[SUM]]
// CHECK: %[[O0:.+]] = arith.mulf %[[O]]
// CHECK: %[[T:.+]] = arith.truncf %[[P]]
// CHECK: %[[V:.+]] = tile.load {{.*}} -> tensor<1x64x64xbf16>
// CHECK: tile.dot %[[T]], %[[V]], %[[O0]]
// CHECK: scf.yield %[[M1]]
// CHECK: arith.divf
// CHECK: tile.store

// WGMMA: tile = [1, 64, 64], reduce = 128, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 12, store = bulk

// The left operand of the first product stays in registers; the rings of the others are apart.
// SCHEDULE: scf.for
// SCHEDULE: tile.wait_async
// SCHEDULE: tile.dot
// SCHEDULE-NOT: tile.convert_layout
// SCHEDULE: tile.wait_async
// SCHEDULE: tile.dot
// SCHEDULE-NOT: tile.convert_layout
// SCHEDULE: scf.yield
graph.kernel anchor(matmul) @attention(%q: tensor<3x200x64xbf16>, %kt: tensor<3x64x200xbf16>, %v: tensor<3x200x64xbf16>) -> tensor<3x200x64xf32> {
  %s = graph.matmul %q, %kt : tensor<3x200x64xbf16>, tensor<3x64x200xbf16> to tensor<3x200x200xf32>
  %m = graph.reduce max %s dims = [2] : tensor<3x200x200xf32> to tensor<3x200xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x200xf32> to tensor<3x200x200xf32>
  %d = arith.subf %s, %mb : tensor<3x200x200xf32>
  %e = math.exp %d : tensor<3x200x200xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x200x200xf32> to tensor<3x200xf32>
  %t = arith.truncf %e : tensor<3x200x200xf32> to tensor<3x200x200xbf16>
  %x = graph.matmul %t, %v : tensor<3x200x200xbf16>, tensor<3x200x64xbf16> to tensor<3x200x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x200xf32> to tensor<3x200x64xf32>
  %o = arith.divf %x, %lb : tensor<3x200x64xf32>
  graph.return %o : tensor<3x200x64xf32>
}

// Where exponentials may be approximated they are powers of two: of each term one multiplication and addition, and the
// scores' factor comes behind their maximum.
// CHECK: tile.kernel @scaled
// CHECK: %[[S:.+]] = tile.dot
// CHECK: %[[PART:.+]] = tile.reduce %[[S]] dim = 1
// CHECK: arith.mulf %[[PART]]
// CHECK: arith.maximumf
// CHECK: %[[EXP:.+]] = math.fma %[[S]]
// CHECK: %[[P:.+]] = math.exp2 %[[EXP]]
// CHECK: tile.reduce %[[P]] dim = 1
// CHECK: arith.truncf %[[P]]
// CHECK-NOT: math.exp {{.*}}
graph.kernel anchor(matmul) @scaled(%q: tensor<256x64xbf16>, %kt: tensor<64x256xbf16>, %v: tensor<256x64xbf16>) -> (tensor<256x64xf32>, tensor<256xf32>) {
  %s = graph.matmul %q, %kt : tensor<256x64xbf16>, tensor<64x256xbf16> to tensor<256x256xf32>
  %c = arith.constant dense<0.125> : tensor<256x256xf32>
  %t = arith.mulf %s, %c fastmath<contract> : tensor<256x256xf32>
  %m = graph.reduce max %t dims = [1] : tensor<256x256xf32> to tensor<256xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<256xf32> to tensor<256x256xf32>
  %d = arith.subf %t, %mb fastmath<contract> : tensor<256x256xf32>
  %e = math.exp %d fastmath<afn> : tensor<256x256xf32>
  %l = graph.reduce sum %e dims = [1] : tensor<256x256xf32> to tensor<256xf32>
  %n = arith.truncf %e : tensor<256x256xf32> to tensor<256x256xbf16>
  %x = graph.matmul %n, %v : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  graph.return %x, %l : tensor<256x64xf32>, tensor<256xf32>
}
