// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a --verify-diagnostics -o /dev/null
// Of a kernel with two results the slices of one alone were counted beside the rings, and the barriers of
// the rings not at all: the schedule was taken and had no room four passes later.

// expected-error@+1 {{the schedule's 5 stages need 237648 bytes of shared memory, a block can have 232448}}
graph.kernel anchor(matmul) @two_results(%a: tensor<256x256xbf16>, %b: tensor<256x64xbf16>)
    -> (tensor<256x64xf32>, tensor<256x64xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [128, 32], reduce = 128, warps = 8, warp_grid = [8, 1], stages = 5, product = wgmma, copy = bulk, roles = cooperative, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  %1 = math.sqrt %0 : tensor<256x64xf32>
  graph.return %0, %1 : tensor<256x64xf32>, tensor<256x64xf32>
}
