// Blocks that wait for one another must all be there at once: no more of them than the chip has multiprocessors.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a --verify-diagnostics

// expected-error@+1 {{the schedule has stream_k and 264 persistent blocks, which wait for one another; sm_90a has 132 multiprocessors}}
graph.kernel anchor(matmul) @too_many(%a: tensor<192x1024xbf16>, %b: tensor<1024x64xbf16>) -> tensor<192x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 264, stream_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<192x1024xbf16>, tensor<1024x64xbf16> to tensor<192x64xf32>
  graph.return %0 : tensor<192x64xf32>
}
