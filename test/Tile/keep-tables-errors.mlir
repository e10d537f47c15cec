// What keeps tables must have some in memory, whose rows fit shared memory.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a --split-input-file --verify-diagnostics

// expected-error@+1 {{keep_tables, and the kernel gathers from no table in memory whose rows no loop goes over}}
graph.kernel anchor(elementwise) @no_gather(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, keep_tables>} {
  %0 = math.absf %x : tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{the rows of its tile need 282624 bytes of shared memory, a block can have 232448}}
graph.kernel anchor(gather) @long_rows(%t: tensor<64x8192xf32>, %i: tensor<64xi64>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [8, 64], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<64x8192xf32>, tensor<64xi64> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{keep_tables, and products gather from no table}}
graph.kernel anchor(matmul) @product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [32, 32], reduce = 16, warps = 4, warp_grid = [2, 2], stages = 1, keep_tables>} {
  %0 = graph.matmul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@+2 {{keep_tables has a block go over all indices into its rows}}
graph.kernel anchor(gather) @persistent(%t: tensor<64x64xf32>, %i: tensor<64xi64>) -> tensor<64x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [8, 64], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, persistent = 4, keep_tables>} {
  %0 = graph.gather %t[%i] dim = 1 : tensor<64x64xf32>, tensor<64xi64> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
