// tile-depend-on-grid: where the schedule says pdl, the kernel waits for those before it when its barriers are made, and
// nowhere else. What may still be written is not read by the path for constants.
// RUN: tw-opt %s --tile-stage --schedule-stage | FileCheck %s
// RUN: tw-opt %s --tile-stage --schedule-stage --convert-tile-to-llvm | FileCheck %s --check-prefix=TARGET

// CHECK-LABEL: tile.kernel @roles
// CHECK: tile.ring
// CHECK-NEXT: tile.await_grid
// CHECK-NEXT: tile.launch_dependents
// CHECK-NEXT: tile.role
// TARGET-LABEL: llvm.func @roles(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64},
// TARGET: nvvm.mbarrier.init
// TARGET: nvvm.griddepcontrol wait
// TARGET-NEXT: nvvm.griddepcontrol launch_dependents
// TARGET: nvvm.barrier0
graph.kernel anchor(matmul) @roles(%a: tensor<128x128xbf16>, %b: tensor<128x128xbf16>) -> tensor<128x128xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma,
                                   copy = bulk, roles = cooperative, pdl>} {
  %0 = graph.matmul %a, %b : tensor<128x128xbf16>, tensor<128x128xbf16> to tensor<128x128xf32>
  graph.return %0 : tensor<128x128xf32>
}

// CHECK-LABEL: tile.kernel @plain
// CHECK-NOT: tile.load
// CHECK: tile.await_grid
// CHECK-NEXT: tile.launch_dependents
// CHECK: tile.load
graph.kernel anchor(elementwise) @plain(%x: tensor<256xf32>) -> tensor<256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1, pdl>} {
  %0 = math.exp %x : tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}

// CHECK-LABEL: tile.kernel @alone
// CHECK-NOT: tile.await_grid
// TARGET-LABEL: llvm.func @alone(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
graph.kernel anchor(elementwise) @alone(%x: tensor<256xf32>) -> tensor<256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = math.exp %x : tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}
