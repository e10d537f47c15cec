// Rows of odd lengths that follow one another in memory are one run, though a value of each row or column keeps the dimensions
// apart; where rows begin at vectors, or another tensor lies across them, they stay rows. A schedule says which
// by how many sizes its tile has.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK: tile.kernel @odd_rows {{.*}}tile = [{{[0-9]+}}],
// CHECK: tile.load {{.*}}extent=616113, modes={{.*}}1201,1{{.*}}513,0
graph.kernel anchor(elementwise) @odd_rows(%x: tensor<1201x513xf32>, %r: tensor<1201xf32>) -> (tensor<1201x513xf32>) {
  %0 = graph.broadcast %r dims = [0] : tensor<1201xf32> to tensor<1201x513xf32>
  %1 = arith.addf %x, %0 : tensor<1201x513xf32>
  graph.return %1 : tensor<1201x513xf32>
}

// CHECK: tile.kernel @whole_rows {{.*}}tile = [{{[0-9]+, [0-9]+}}],
graph.kernel anchor(elementwise) @whole_rows(%x: tensor<1201x512xf32>, %r: tensor<1201xf32>) -> (tensor<1201x512xf32>) {
  %0 = graph.broadcast %r dims = [0] : tensor<1201xf32> to tensor<1201x512xf32>
  %1 = arith.addf %x, %0 : tensor<1201x512xf32>
  graph.return %1 : tensor<1201x512xf32>
}

// CHECK: tile.kernel @turned {{.*}}tile = [{{[0-9]+, [0-9]+}}],
graph.kernel anchor(transpose) @turned(%x: tensor<1201x513xf32>, %y: tensor<513x1201xf32>) -> (tensor<1201x513xf32>) {
  %0 = graph.transpose %y permutation = [1, 0] : tensor<513x1201xf32> to tensor<1201x513xf32>
  %1 = arith.addf %x, %0 : tensor<1201x513xf32>
  graph.return %1 : tensor<1201x513xf32>
}

// CHECK: tile.kernel @few {{.*}}tile = [{{[0-9]+, [0-9]+}}],
graph.kernel anchor(elementwise) @few(%x: tensor<11x513xf32>, %r: tensor<11xf32>) -> (tensor<11x513xf32>) {
  %0 = graph.broadcast %r dims = [0] : tensor<11xf32> to tensor<11x513xf32>
  %1 = arith.addf %x, %0 : tensor<11x513xf32>
  graph.return %1 : tensor<11x513xf32>
}

// CHECK: tile.kernel @rows_by_schedule {{.*}}tile = [1, 256],
graph.kernel anchor(elementwise) @rows_by_schedule(%x: tensor<1201x513xf32>, %r: tensor<1201xf32>) -> (tensor<1201x513xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [1, 256], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.broadcast %r dims = [0] : tensor<1201xf32> to tensor<1201x513xf32>
  %1 = arith.addf %x, %0 : tensor<1201x513xf32>
  graph.return %1 : tensor<1201x513xf32>
}

// CHECK: tile.kernel @run_by_schedule {{.*}}tile = [256],
graph.kernel anchor(elementwise) @run_by_schedule(%x: tensor<11x512xf32>, %r: tensor<11xf32>) -> (tensor<11x512xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [256], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.broadcast %r dims = [0] : tensor<11xf32> to tensor<11x512xf32>
  %1 = arith.addf %x, %0 : tensor<11x512xf32>
  graph.return %1 : tensor<11x512xf32>
}

// Rows along several dimensions are one where no tile holds them, though a scale of each channel keeps these apart: what a first pass
// loads stays on the chip then. Those that a tile holds stay what they are.
// CHECK: tile.kernel @groups {{.*}}tile.kept_bytes{{.*}}tile = [1, 4096], reduce = 1, warps = 8,
graph.kernel anchor(reduction) @groups(%x: tensor<512x24x1764xf32>, %s: tensor<24xf32>) -> tensor<512x24x1764xf32> {
  %0 = graph.reduce max %x dims = [1, 2] : tensor<512x24x1764xf32> to tensor<512xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<512xf32> to tensor<512x24x1764xf32>
  %2 = arith.subf %x, %1 : tensor<512x24x1764xf32>
  %3 = graph.broadcast %s dims = [1] : tensor<24xf32> to tensor<512x24x1764xf32>
  %4 = arith.mulf %2, %3 : tensor<512x24x1764xf32>
  graph.return %4 : tensor<512x24x1764xf32>
}

// CHECK: tile.kernel @short_groups {{.*}}tile = [1, 8, {{[0-9]+}}],
graph.kernel anchor(reduction) @short_groups(%x: tensor<512x8x1764xf32>, %s: tensor<8xf32>) -> tensor<512x8x1764xf32> {
  %0 = graph.reduce max %x dims = [1, 2] : tensor<512x8x1764xf32> to tensor<512xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<512xf32> to tensor<512x8x1764xf32>
  %2 = arith.subf %x, %1 : tensor<512x8x1764xf32>
  %3 = graph.broadcast %s dims = [1] : tensor<8xf32> to tensor<512x8x1764xf32>
  %4 = arith.mulf %2, %3 : tensor<512x8x1764xf32>
  graph.return %4 : tensor<512x8x1764xf32>
}
