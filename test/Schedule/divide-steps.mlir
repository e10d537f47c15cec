// tile-divide-steps: lists of segments instead of a loop over tiles; sums that are not whole are stored and a flag is raised,
// those that are wait for the others' parts before the epilogue. With whole rounds alone, or one step of K, the kernel stays
// for tile-persistent.
// RUN: tw-opt %s --split-input-file --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,tile-assign-layouts,tile-divide-steps,tile-persistent))' --verify-diagnostics | FileCheck %s

// Three tiles of 16 steps on two blocks: 24 steps each.
// CHECK-LABEL: tile.kernel @three_tiles grid = [2, 1, 1]
// CHECK-SAME: %[[FLAGS:[a-z0-9]+]]: !tile.view<i32, "{offset=0, dims=[{extent=2, {{[^>]*}}> {tile.workspace = 0 : i64}
// CHECK-SAME: %[[PARTS:[a-z0-9]+]]: !tile.view<f32, "{offset=0, dims=[{extent=128, {{[^>]*}}> {tile.workspace = 4194304 : i64}
// CHECK: %[[BLOCK:.*]] = tile.block_id 0
// CHECK: %[[FROM:.*]] = arith.muli %[[BLOCK]], %c2
// CHECK: %[[NUMBER:.*]] = tile.lookup %[[BLOCK]] of [2, 2]
// CHECK: %[[TO:.*]] = arith.addi %[[FROM]], %[[NUMBER]]
// CHECK: scf.for %[[SEGMENT:.*]] = %[[FROM]] to %[[TO]] step
// CHECK-DAG: %[[TILE:.*]] = tile.lookup %[[SEGMENT]] of [1, 0, 2, 1]
// CHECK-DAG: %[[FIRST:.*]] = tile.lookup %[[SEGMENT]] of [0, 0, 0, 8]
// CHECK-DAG: %[[SLOT:.*]] = tile.lookup %[[SEGMENT]] of [0, 8, 0, 16]
// CHECK-DAG: %[[END:.*]] = tile.lookup %[[SEGMENT]] of [8, 24, 16, 24]
// CHECK-DAG: %[[COUNT:.*]] = tile.lookup %[[SEGMENT]] of [0, 0, 0, 1]
// CHECK: %[[SUM:.*]] = scf.for %[[STEP:.*]] = %[[SLOT]] to %[[END]]
// CHECK: arith.subi %[[STEP]], %[[SLOT]]
// CHECK: } {tile.numbered}
// CHECK: %[[GIVES:.*]] = arith.cmpi ult
// CHECK: scf.if %[[GIVES]] {
// CHECK: tile.store %[[SUM]], %[[PARTS]]
// CHECK: tile.barrier
// CHECK-NEXT: tile.raise_flag %[[FLAGS]][%[[BLOCK]]]
// CHECK: } else {
// CHECK: arith.cmpi ne, %[[COUNT]]
// CHECK-NEXT: scf.if
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[COUNT]]
// CHECK: tile.lower_flag %[[FLAGS]]
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT: tile.barrier
// CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %{{.*}} to %[[COUNT]] {{.*}}iter_args(%[[SO_FAR:.*]] = %[[SUM]])
// CHECK: %[[PART:.*]] = tile.load %[[PARTS]]
// CHECK-NEXT: arith.addf %[[SO_FAR]], %[[PART]]
// CHECK: math.exp %[[ALL]]
// CHECK: tile.store
// CHECK-NOT: scf.for
graph.kernel anchor(matmul) @three_tiles(%a: tensor<192x1024xbf16>, %b: tensor<1024x64xbf16>) -> tensor<192x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<192x1024xbf16>, tensor<1024x64xbf16> to tensor<192x64xf32>
  %1 = math.exp %0 : tensor<192x64xf32>
  graph.return %1 : tensor<192x64xf32>
}

// -----

// CHECK-LABEL: tile.kernel @whole_rounds grid = [2, 1, 1]
// CHECK-NOT: tile.lookup
// CHECK: tile.return
graph.kernel anchor(matmul) @whole_rounds(%a: tensor<256x1024xbf16>, %b: tensor<1024x64xbf16>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<256x1024xbf16>, tensor<1024x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}

// -----

// CHECK-LABEL: tile.kernel @one_step grid = [2, 1, 1]
// CHECK-NOT: tile.lookup
// CHECK: tile.return
graph.kernel anchor(matmul) @one_step(%a: tensor<192x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<192x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<192x64xbf16>, tensor<64x64xbf16> to tensor<192x64xf32>
  graph.return %0 : tensor<192x64xf32>
}

// -----

// An order by a list is joined with the list of segments: tiles 1, 0, 2, 1 are numbers 0, 2, 1, 0 of the order.
// CHECK-LABEL: tile.kernel @ordered
// CHECK: tile.lookup %{{.*}} of [0, 2, 1, 0]
// CHECK-NOT: of [2, 0, 1]
// CHECK: tile.return
graph.kernel anchor(matmul) @ordered(%a: tensor<192x1024xbf16>, %b: tensor<1024x64xbf16>) -> tensor<192x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, order = list<[2, 0, 1]>, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<192x1024xbf16>, tensor<1024x64xbf16> to tensor<192x64xf32>
  graph.return %0 : tensor<192x64xf32>
}
