// tile-depend-on-grid: where the schedule says pdl, the kernel waits for those before it where it needs what they write,
// when its barriers are made. What may still be written is not read by the path for constants.
// RUN: tw-opt %s --tile-stage --schedule-stage | FileCheck %s
// RUN: tw-opt %s --tile-stage --schedule-stage --convert-tile-to-llvm | FileCheck %s --check-prefix=TARGET

// CHECK-LABEL: tile.kernel @roles
// CHECK: tile.ring
// CHECK-NEXT: tile.launch_dependents
// CHECK-NEXT: tile.role @load
// CHECK: tile.await_grid
// CHECK: tile.acquire
// CHECK-NOT: tile.parted
// CHECK: tile.role @multiply
// CHECK: tile.await %
// CHECK: tile.await_grid
// CHECK-NEXT: tile.store
// TARGET-LABEL: llvm.func @roles(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64},
// TARGET: nvvm.mbarrier.init
// TARGET: nvvm.griddepcontrol launch_dependents
// TARGET: nvvm.barrier0
// TARGET: nvvm.griddepcontrol wait
// TARGET: nvvm.cp.async.bulk.tensor
graph.kernel anchor(matmul) @roles(%a: tensor<128x128xbf16>, %b: tensor<128x128xbf16>) -> tensor<128x128xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma,
                                   copy = bulk, roles = cooperative, pdl>} {
  %0 = graph.matmul %a, %b : tensor<128x128xbf16>, tensor<128x128xbf16> to tensor<128x128xf32>
  graph.return %0 : tensor<128x128xf32>
}

// CHECK-LABEL: tile.kernel @plain
// CHECK: tile.launch_dependents
// CHECK: tile.await_grid
// CHECK-NEXT: tile.load
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

// What no kernel of the program writes is fetched before the wait: of the second product the weight, for the slots
// that the ring has.
// CHECK-LABEL: tile.kernel @product
// CHECK-SAME: {tile.steady}
// CHECK: tile.role @load
// CHECK: scf.for
// CHECK: tile.acquire %{{.*}} {tile.parted}
// CHECK: tile.copy_bulk
// CHECK: tile.await_grid
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.acquire
// CHECK: tile.copy_bulk
// CHECK: tile.copy_bulk
// CHECK-NEXT: tile.commit
// CHECK: tile.role @multiply
graph.kernel anchor(matmul) @product(%a: tensor<128x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<128x256xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma,
                                   copy = bulk, roles = cooperative, pdl>} {
  %0 = graph.matmul %a, %b : tensor<128x256xbf16>, tensor<256x256xbf16> to tensor<128x256xf32>
  %1 = arith.truncf %0 : tensor<128x256xf32> to tensor<128x256xbf16>
  graph.return %1 : tensor<128x256xbf16>
}

// Where the steps of sums are divided among blocks, those of the first segment, up to as many as the ring has slots.
// CHECK-LABEL: tile.kernel @streamed
// CHECK: tile.role @load
// CHECK: %[[FROM:.*]] = tile.lookup %{{.*}} of [0, 8, 0, 16]
// CHECK: %[[TO:.*]] = tile.lookup %{{.*}} of [8, 24, 16, 24]
// CHECK: %[[MOST:.*]] = arith.addi %[[FROM]], %c2
// CHECK: %[[END:.*]] = arith.minui %[[TO]], %[[MOST]]
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[END]]
// CHECK: tile.acquire %{{.*}} {tile.parted}
// CHECK: tile.copy_bulk
// CHECK: tile.await_grid
// CHECK: scf.for
// CHECK: scf.for %[[SLOT:.*]] =
// CHECK: %[[LATER:.*]] = arith.cmpi uge, %[[SLOT]], %[[END]]
// CHECK: scf.if %[[LATER]]
// CHECK: tile.role @multiply
// CHECK: scf.if
// CHECK: tile.await_grid
// CHECK: tile.raise_flag
// CHECK: tile.await_grid
// CHECK-NEXT: tile.lower_flag
graph.kernel anchor(matmul) @streamed(%a: tensor<128x1024xbf16>, %b: tensor<1024x192xbf16>) -> tensor<128x192xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma,
                                   copy = bulk, roles = cooperative, persistent = 2, stream_k = 2, pdl>} {
  %0 = graph.matmul %a, %b : tensor<128x1024xbf16>, tensor<1024x192xbf16> to tensor<128x192xf32>
  %1 = arith.truncf %0 : tensor<128x192xf32> to tensor<128x192xbf16>
  graph.return %1 : tensor<128x192xbf16>
}

// A product of inputs alone waits before its result.
// CHECK-LABEL: tile.kernel @first
// CHECK: tile.role @load
// CHECK-NOT: tile.await_grid
// CHECK: tile.role @multiply
// CHECK: tile.await_grid
graph.kernel anchor(matmul) @first(%a: tensor<128x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<128x256xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma,
                                   copy = bulk, roles = cooperative, pdl>} {
  %0 = graph.matmul %a, %b : tensor<128x256xbf16>, tensor<256x256xbf16> to tensor<128x256xf32>
  %1 = arith.truncf %0 : tensor<128x256xf32> to tensor<128x256xbf16>
  graph.return %1 : tensor<128x256xbf16>
}

plan.program @main(%x: tensor<128x256xbf16> {plan.name = "x"}, %w: tensor<256x256xbf16> {plan.name = "w"}) -> (tensor<128x256xbf16> {plan.name = "y"}) {
  %0 = plan.launch @first(%x, %w) : (tensor<128x256xbf16>, tensor<256x256xbf16>) -> tensor<128x256xbf16>
  %1 = plan.launch @product(%0, %w) : (tensor<128x256xbf16>, tensor<256x256xbf16>) -> tensor<128x256xbf16>
  plan.return %1 : tensor<128x256xbf16>
}

plan.program @streams(%x: tensor<128x1024xbf16> {plan.name = "x"}, %w: tensor<1024x192xbf16> {plan.name = "w"}) -> (tensor<128x192xbf16> {plan.name = "y"}) {
  %0 = plan.launch @copy(%x) : (tensor<128x1024xbf16>) -> tensor<128x1024xbf16>
  %1 = plan.launch @streamed(%0, %w) : (tensor<128x1024xbf16>, tensor<1024x192xbf16>) -> tensor<128x192xbf16>
  plan.return %1 : tensor<128x192xbf16>
}

graph.kernel anchor(elementwise) @copy(%x: tensor<128x1024xbf16>) -> tensor<128x1024xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = arith.negf %x : tensor<128x1024xbf16>
  graph.return %0 : tensor<128x1024xbf16>
}
