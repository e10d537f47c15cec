// tile-depend-on-grid: weights that eight blocks read come from L2, where the first tile of the other operand waits behind
// them: two slots of 16 KB are filled before the wait. What one block alone reads fills all four.
// RUN: tw-opt %s --tile-stage --schedule-stage | FileCheck %s

// CHECK-LABEL: tile.kernel @by_eight
// CHECK: tile.role @load
// CHECK: scf.for %{{.*}} = %c0 to %c128 step %c64
// CHECK-NEXT: arith.divui
// CHECK-NEXT: tile.acquire %{{.*}} {tile.parted}
// CHECK: tile.await_grid
// CHECK: arith.cmpi uge, %{{.*}}, %c2
// CHECK: tile.role @multiply
graph.kernel anchor(matmul) @by_eight(%a: tensor<512x1024xbf16>, %b: tensor<1024x128xbf16>) -> tensor<512x128xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma,
                                   copy = bulk, roles = cooperative, pdl>} {
  %0 = graph.matmul %a, %b : tensor<512x1024xbf16>, tensor<1024x128xbf16> to tensor<512x128xf32>
  %1 = arith.truncf %0 : tensor<512x128xf32> to tensor<512x128xbf16>
  graph.return %1 : tensor<512x128xbf16>
}

// CHECK-LABEL: tile.kernel @by_one
// CHECK: tile.role @load
// CHECK: scf.for %{{.*}} = %c0 to %c256 step %c64
// CHECK: tile.await_grid
// CHECK: tile.role @multiply
graph.kernel anchor(matmul) @by_one(%a: tensor<64x1024xbf16>, %b: tensor<1024x128xbf16>) -> tensor<64x128xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 4, product = wgmma,
                                   copy = bulk, roles = cooperative, pdl>} {
  %0 = graph.matmul %a, %b : tensor<64x1024xbf16>, tensor<1024x128xbf16> to tensor<64x128xf32>
  %1 = arith.truncf %0 : tensor<64x128xf32> to tensor<64x128xbf16>
  graph.return %1 : tensor<64x128xbf16>
}

graph.kernel anchor(elementwise) @many(%x: tensor<512x1024xbf16>) -> tensor<512x1024xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = arith.negf %x : tensor<512x1024xbf16>
  graph.return %0 : tensor<512x1024xbf16>
}
graph.kernel anchor(elementwise) @few(%x: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
  %0 = arith.negf %x : tensor<64x1024xbf16>
  graph.return %0 : tensor<64x1024xbf16>
}
plan.program @main(%x: tensor<512x1024xbf16> {plan.name = "x"}, %z: tensor<64x1024xbf16> {plan.name = "z"}, %w: tensor<1024x128xbf16> {plan.name = "w"})
    -> (tensor<512x128xbf16> {plan.name = "y"}, tensor<64x128xbf16> {plan.name = "v"}) {
  %0 = plan.launch @many(%x) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
  %1 = plan.launch @by_eight(%0, %w) : (tensor<512x1024xbf16>, tensor<1024x128xbf16>) -> tensor<512x128xbf16>
  %2 = plan.launch @few(%z) : (tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  %3 = plan.launch @by_one(%2, %w) : (tensor<64x1024xbf16>, tensor<1024x128xbf16>) -> tensor<64x128xbf16>
  plan.return %1, %3 : tensor<512x128xbf16>, tensor<64x128xbf16>
}
