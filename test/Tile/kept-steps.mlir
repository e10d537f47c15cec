// Steps of a loop over masked terms: from the first to the last one of which the mask keeps a part for the block's rows; the
// comparison is made in steps that are kept in part alone. Rows of most steps come first.
// RUN: tw-opt %s --convert-graph-to-tile --canonicalize | FileCheck %s
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile{target=sm_90a},tile.kernel(tile-assign-layouts,tile-persistent,tile-async-products,canonicalize))' | FileCheck %s --check-prefix=NUMBERED

// CHECK: tile.kernel @causal
// CHECK-SAME: order = grouped<1>, skip_steps
// The last rows first.
// CHECK: %[[BLOCK:.+]] = tile.block_id 0
// CHECK: %[[TURN:.+]] = arith.remui %[[BLOCK]], %c5
// CHECK: %[[ROW:.+]] = arith.subi %c4, %[[TURN]]
// CHECK: %[[M:.+]] = arith.muli %[[ROW]], %c64
// CHECK-DAG: %[[PAST:.+]] = arith.addi %[[M]], %c64
// CHECK-DAG: %[[FIRSTROW:.+]] = arith.addi %[[M]], %c1
// CHECK: %[[END:.+]] = arith.minsi {{.*}}, %c320
// CHECK: %[[WHOLE:.+]] = arith.minsi {{.*}}, %c320
// CHECK: scf.for %[[K:.+]] = %c0 to %{{.+}} step %c64
// CHECK: %[[NEXT:.+]] = arith.addi %[[K]], %c64
// CHECK: %[[ISWHOLE:.+]] = arith.cmpi sle, %[[NEXT]], %[[WHOLE]]
// CHECK: %[[S:.+]] = tile.dot
// CHECK-NEXT: %[[X:.+]] = scf.if %[[ISWHOLE]]
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: } else {
// CHECK: arith.cmpi sle
// CHECK: arith.select %{{.+}}, %[[S]]
// CHECK: tile.reduce %[[X]] dim = 2

// The tiles of a block have unlike numbers of steps: slots of the rings are counted on from tile to tile.
// NUMBERED: tile.kernel @in_turn grid = [2, 1, 1]
// NUMBERED: scf.for %{{.+}} = %{{.+}} to %c15 step %c2 iter_args(%[[SLOT:.+]] = %c0) -> (index)
// NUMBERED: %[[ROUND:.+]] = arith.divui %{{.+}}, %c2
// NUMBERED: %[[TRIPS:.+]] = arith.divui %{{.+}}, %c64
// NUMBERED: %[[END:.+]] = arith.addi %[[SLOT]], %[[TRIPS]]
// NUMBERED: scf.for %[[S:.+]] = %[[SLOT]] to %[[END]] step %c1
// NUMBERED: %[[DONE:.+]] = arith.subi %[[S]], %[[SLOT]]
// NUMBERED: arith.muli %[[DONE]], %c64
// NUMBERED: tile.acquire %{{.+}}[%[[S]]]
// NUMBERED: } {tile.entered, tile.numbered}
// NUMBERED: scf.yield %[[END]] : index
graph.kernel anchor(matmul) @causal(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32> {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<3x320x320xi32>
  %ninf = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}

// A band has a first step as well.
// CHECK: tile.kernel @band
// CHECK-SAME: skip_steps
// CHECK: %[[STEP:.+]] = arith.divui %{{.+}}, %c64
// CHECK: %[[INSIDE:.+]] = arith.minui %[[STEP]], %c4
// CHECK: %[[FIRST:.+]] = arith.muli %[[INSIDE]], %c64
// CHECK: %[[LEAST:.+]] = arith.addi %[[FIRST]], %c1
// CHECK: %[[END:.+]] = arith.maxsi %{{.+}}, %[[LEAST]]
// CHECK: scf.for %{{.+}} = %[[FIRST]] to %[[END]] step %c64
// CHECK: arith.cmpi sle
// CHECK: arith.cmpi sge
// CHECK: arith.andi
// CHECK: scf.if
graph.kernel anchor(matmul) @band(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32> {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %h = arith.constant dense<70> : tensor<3x320x320xi32>
  %b = arith.subi %i, %h : tensor<3x320x320xi32>
  %c0 = arith.cmpi sgt, %j, %b : tensor<3x320x320xi32>
  %c1 = arith.cmpi sle, %j, %i : tensor<3x320x320xi32>
  %c = arith.andi %c0, %c1 : tensor<3x320x320xi1>
  %ninf = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}

// CHECK: tile.kernel @in_turn
graph.kernel anchor(matmul) @in_turn(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk, skip_steps>} {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<3x320x320xi32>
  %ninf = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}

// What no comparison of positions bounds is computed.
// CHECK: tile.kernel @elsewhere
// CHECK-NOT: skip_steps
// CHECK: scf.for %{{.+}} = %c0 to %c320
// CHECK-NOT: scf.if
graph.kernel anchor(matmul) @elsewhere(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32> {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi ne, %j, %i : tensor<3x320x320xi32>
  %ninf = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}

// A finite mask leaves a row alone that keeps no term: it has the mean of all.
// CHECK: tile.kernel @lowest_and_empty
// CHECK-NOT: skip_steps
// CHECK: scf.for %{{.+}} = %c0 to %c320
graph.kernel anchor(matmul) @lowest_and_empty(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32> {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi slt, %j, %i : tensor<3x320x320xi32>
  %ninf = arith.constant dense<-3.0e+38> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}
