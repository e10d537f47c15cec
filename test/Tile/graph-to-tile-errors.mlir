// Kernels that convert-graph-to-tile refuses: schedules that do not fit, sets of ops that are no single kernel.
// RUN: tw-opt %s --split-input-file --convert-graph-to-tile --verify-diagnostics -o /dev/null

// expected-error@+1 {{the schedule has 2 tile sizes, the kernel's domain 1 dimensions}}
graph.kernel anchor(elementwise) @rank(%x: tensor<4x64xf32>) -> tensor<4x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [4, 64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = math.exp %x : tensor<4x64xf32>
  graph.return %0 : tensor<4x64xf32>
}

// -----

// expected-error@+1 {{the schedule's tile has size 2 in batch dimension 0 of a product; it must be 1}}
graph.kernel anchor(matmul) @batch(%a: tensor<4x16x32xbf16>, %b: tensor<4x32x16xbf16>) -> tensor<4x16x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [2, 16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<4x16x32xbf16>, tensor<4x32x16xbf16> to tensor<4x16x16xf32>
  graph.return %0 : tensor<4x16x16xf32>
}

// -----

// expected-error@+1 {{computes nothing}}
graph.kernel anchor(elementwise) @empty(%x: tensor<4xf32>) -> tensor<4xf32> {
  graph.return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{is no single kernel: graph.matmul: a second matmul}}
graph.kernel anchor(matmul) @two(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %a, %a : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  %1 = graph.matmul %0, %a : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  graph.return %1 : tensor<4x4xf32>
}

// -----

// expected-error@+1 {{the schedule's tile shape 16x4x32 is not a multiple of mma shape 16x8x16}}
graph.kernel anchor(matmul) @mma(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 4], reduce = 32, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<64x32xbf16>, tensor<32x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule's tile has size 48 in dimension 1 of a product without matrix instructions; it must be a power of two}}
graph.kernel anchor(matmul) @fma_tile(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 48], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<64x32xf32>, tensor<32x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the schedule takes 24 of K at a time, without matrix instructions it must be a power of two}}
graph.kernel anchor(matmul) @fma_step(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 32], reduce = 24, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<64x32xf32>, tensor<32x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
