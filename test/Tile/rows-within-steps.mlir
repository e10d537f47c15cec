// Loops over one dimension whose steps hold others whole give what tiles give that hold all of them: short rows are reduced, scanned and
// normed in each step, in each pass, and take no pass of their own.
// REQUIRES: emulator
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: tw-compile %s --start-from=tile --target=sm_90a -o %t/looped.tw --kernel-cache=off
// RUN: sed 's/tile = \[64, 1, 16\]/tile = [304, 1, 16]/; s/tile = \[32, 8, 4\]/tile = [304, 8, 4]/' %s > %t/whole.mlir
// RUN: tw-compile %t/whole.mlir --start-from=tile --target=sm_90a -o %t/whole.tw --kernel-cache=off
// RUN: tw-run %t/whole.tw --device=emulator --input x=random:1 --input y=random:2 --output %t
// RUN: tw-run %t/looped.tw --device=emulator --input x=random:1 --input y=random:2 --expect a=%t/a.npy \
// RUN:   --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy --atol 1e-5

// Two passes over the columns, and the softmax of a row in each.
// CHECK-LABEL: tile.kernel @norms_in_columns
// CHECK: scf.for
// CHECK: tile.reduce {{.*}} dim = 2
// CHECK: tile.reduce {{.*}} dim = 2
// CHECK: scf.yield
// CHECK: tile.reduce {{.*}} dim = 0
// CHECK: scf.for
// CHECK: tile.reduce {{.*}} dim = 2
// CHECK-NOT: scf.for
// CHECK-LABEL: tile.kernel @scans_in_columns
// CHECK: scf.for
// CHECK: tile.scan {{.*}} dim = 1
// CHECK: scf.for
// CHECK: tile.scan {{.*}} dim = 1
// CHECK-NOT: scf.for
graph.kernel anchor(reduction) @norms_in_columns(%x: tensor<300x3x16xf32>) -> (tensor<300x3x16xf32>, tensor<300x3x16xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [64, 1, 16], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %l = graph.reduce max %x dims = [2] : tensor<300x3x16xf32> to tensor<300x3xf32>
  %k = graph.broadcast %l dims = [0, 1] : tensor<300x3xf32> to tensor<300x3x16xf32>
  %r = arith.subf %x, %k : tensor<300x3x16xf32>
  %e = math.exp %r : tensor<300x3x16xf32>
  %t = graph.reduce sum %e dims = [2] : tensor<300x3x16xf32> to tensor<300x3xf32>
  %u = graph.broadcast %t dims = [0, 1] : tensor<300x3xf32> to tensor<300x3x16xf32>
  %s = arith.divf %e, %u : tensor<300x3x16xf32>
  %m = graph.reduce max %s dims = [0] : tensor<300x3x16xf32> to tensor<3x16xf32>
  %b = graph.broadcast %m dims = [1, 2] : tensor<3x16xf32> to tensor<300x3x16xf32>
  %d = arith.divf %s, %b : tensor<300x3x16xf32>
  graph.return %s, %d : tensor<300x3x16xf32>, tensor<300x3x16xf32>
}
graph.kernel anchor(reduction) @scans_in_columns(%x: tensor<300x7x10xf32>) -> (tensor<300x7x10xf32>, tensor<300x10xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [32, 8, 4], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %s = graph.scan sum %x dim = 1 : tensor<300x7x10xf32>
  %l = graph.reduce min %s dims = [1] : tensor<300x7x10xf32> to tensor<300x10xf32>
  %m = graph.reduce max %s dims = [0] : tensor<300x7x10xf32> to tensor<7x10xf32>
  %b = graph.broadcast %m dims = [1, 2] : tensor<7x10xf32> to tensor<300x7x10xf32>
  %d = arith.subf %s, %b : tensor<300x7x10xf32>
  graph.return %d, %l : tensor<300x7x10xf32>, tensor<300x10xf32>
}
plan.program @main(%x: tensor<300x3x16xf32> {plan.name = "x"}, %y: tensor<300x7x10xf32> {plan.name = "y"}) ->
    (tensor<300x3x16xf32> {plan.name = "a"}, tensor<300x3x16xf32> {plan.name = "b"}, tensor<300x7x10xf32> {plan.name = "c"},
     tensor<300x10xf32> {plan.name = "d"}) {
  %0:2 = plan.launch @norms_in_columns(%x) : (tensor<300x3x16xf32>) -> (tensor<300x3x16xf32>, tensor<300x3x16xf32>)
  %1:2 = plan.launch @scans_in_columns(%y) : (tensor<300x7x10xf32>) -> (tensor<300x7x10xf32>, tensor<300x10xf32>)
  plan.return %0#0, %0#1, %1#0, %1#1 : tensor<300x3x16xf32>, tensor<300x3x16xf32>, tensor<300x7x10xf32>, tensor<300x10xf32>
}
