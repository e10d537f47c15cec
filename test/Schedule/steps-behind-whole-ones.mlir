// Loops whose last step reaches over the end give what one tile of everything gives, bit for bit where the order is the
// same: in registers with one step's tiles on their way and with several, copied ahead, for columns of odd rows of 16
// bits, one row times a matrix, sums whose elements are stored beside them, and scans, which go over steps in order.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir %t
// RUN: tw-compile %s --start-from=tile --target=sm_90a -o %t/looped.tw --kernel-cache=off
// RUN: sed 's/tile = \[16, 32\]/tile = [256, 32]/; s/stages = 4/stages = 1/; s/tile = \[1, 128\]/tile = [1, 1024]/' %s > %t/whole.mlir
// RUN: tw-compile %t/whole.mlir --start-from=tile --target=sm_90a -o %t/whole.tw --kernel-cache=off
// RUN: tw-run %t/whole.tw --device=emulator --input x=random:1 --input y=random:2 --input z=random:3 --output %t
// RUN: tw-run %t/looped.tw --device=emulator --input x=random:1 --input y=random:2 --input z=random:3 --expect a=%t/a.npy \
// RUN:   --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy --expect e=%t/e.npy --expect f=%t/f.npy --atol 1e-4 --rtol 1e-4
// RUN: tw-compile %s --start-from=tile --target=sm_90a --stop-after=schedule -o - | FileCheck %s

// CHECK-LABEL: tile.kernel @product
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: arith.select
// CHECK-NOT: scf.for
// CHECK: tile.reduce
graph.kernel anchor(reduction) @product(%x: tensor<251xbf16>, %y: tensor<251x45xbf16>) -> tensor<45xf32> attributes {
    tile.schedule = #tile.schedule<tile = [16, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = arith.extf %x : tensor<251xbf16> to tensor<251xf32>
  %1 = arith.extf %y : tensor<251x45xbf16> to tensor<251x45xf32>
  %2 = graph.broadcast %0 dims = [0] : tensor<251xf32> to tensor<251x45xf32>
  %3 = arith.mulf %2, %1 : tensor<251x45xf32>
  %4 = graph.reduce sum %3 dims = [0] : tensor<251x45xf32> to tensor<45xf32>
  graph.return %4 : tensor<45xf32>
}

// CHECK-LABEL: tile.kernel @ahead
// CHECK: tile.alloc {{.*}}: <4, f32
// CHECK: tile.copy_async
// CHECK: tile.wait_async 3
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: tile.wait_async 0
// CHECK: arith.select
graph.kernel anchor(reduction) @ahead(%z: tensor<251x44xf32>) -> tensor<44xf32> attributes {
    tile.schedule = #tile.schedule<tile = [16, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 4>} {
  %0 = graph.reduce max %z dims = [0] : tensor<251x44xf32> to tensor<44xf32>
  graph.return %0 : tensor<44xf32>
}

// CHECK-LABEL: tile.kernel @stored_beside
// CHECK: scf.for
// CHECK: tile.store {{.*}} in_bounds = [true, false]
// CHECK: scf.yield
// CHECK: tile.store {{.*}} in_bounds = [false, false]
graph.kernel anchor(reduction) @stored_beside(%z: tensor<251x44xf32>) -> (tensor<251x44xf32>, tensor<44xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [16, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = math.absf %z : tensor<251x44xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<251x44xf32> to tensor<44xf32>
  graph.return %0, %1 : tensor<251x44xf32>, tensor<44xf32>
}

graph.kernel anchor(reduction) @scanned(%z: tensor<251x44xf32>) -> tensor<251x44xf32> attributes {
    tile.schedule = #tile.schedule<tile = [16, 32], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = graph.scan sum %z dim = 0 : tensor<251x44xf32>
  graph.return %0 : tensor<251x44xf32>
}

graph.kernel anchor(reduction) @along_rows(%z: tensor<11x1004xf32>) -> tensor<11xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 128], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = graph.reduce sum %z dims = [1] : tensor<11x1004xf32> to tensor<11xf32>
  graph.return %0 : tensor<11xf32>
}

plan.program @main(%x: tensor<251xbf16> {plan.name = "x"}, %y: tensor<251x45xbf16> {plan.name = "y"}, %z: tensor<251x44xf32> {plan.name = "z"})
    -> (tensor<45xf32> {plan.name = "a"}, tensor<44xf32> {plan.name = "b"}, tensor<251x44xf32> {plan.name = "c"}, tensor<44xf32> {plan.name = "d"},
        tensor<251x44xf32> {plan.name = "e"}, tensor<11xf32> {plan.name = "f"}) {
  %a = plan.launch @product(%x, %y) : (tensor<251xbf16>, tensor<251x45xbf16>) -> tensor<45xf32>
  %b = plan.launch @ahead(%z) : (tensor<251x44xf32>) -> tensor<44xf32>
  %c, %d = plan.launch @stored_beside(%z) : (tensor<251x44xf32>) -> (tensor<251x44xf32>, tensor<44xf32>)
  %e = plan.launch @scanned(%z) : (tensor<251x44xf32>) -> tensor<251x44xf32>
  %r = graph.reshape %z : tensor<251x44xf32> to tensor<11x1004xf32>
  %f = plan.launch @along_rows(%r) : (tensor<11x1004xf32>) -> tensor<11xf32>
  plan.return %a, %b, %c, %d, %e, %f : tensor<45xf32>, tensor<44xf32>, tensor<251x44xf32>, tensor<44xf32>, tensor<251x44xf32>, tensor<11xf32>
}
