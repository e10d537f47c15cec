// Schedules whose parts of K exchange sums: what these take of shared memory was not counted, and a
// later stage had too little. Found by random schedules.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a --verify-diagnostics -o /dev/null

// expected-error@+1 {{the schedule's 6 stages need 270576 bytes of shared memory, a block can have 232448}}
graph.kernel anchor(matmul) @exchanged(%a: tensor<192x512xbf16>, %b: tensor<512x128xbf16>) -> tensor<192x128xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 6, product = wgmma, split_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<192x512xbf16>, tensor<512x128xbf16> to tensor<192x128xf32>
  graph.return %0 : tensor<192x128xf32>
}
