// Two schedules that were taken and failed a stage later: bulk copies of matrices of one element, of which the batch alone has
// neighbours in memory, and clusters that share a left operand which each block brings to registers.
// RUN: tw-opt %s --split-input-file --convert-graph-to-tile=target=sm_90a --verify-diagnostics -o /dev/null

// expected-error@+1 {{the schedule has copy = bulk, and no tensor map describes an operand whose strides are not whole 16 bytes, one of them 1}}
graph.kernel anchor(matmul) @single_elements(%a: tensor<3x1x1xf16>, %b: tensor<3x1x64xf16>) -> tensor<3x1x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 48, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, copy = bulk, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<3x1x1xf16>, tensor<3x1x64xf16> to tensor<3x1x64xf32>
  graph.return %0 : tensor<3x1x64xf32>
}

// -----

// expected-error@+1 {{the schedule has clusters along N, whose blocks share the left operand, and left = registers, which each block brings for itself}}
graph.kernel anchor(matmul) @left_in_registers(%a: tensor<128x64xbf16>, %b: tensor<64x128xbf16>) -> tensor<128x128xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, cluster = [1, 2], left = registers>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x128xbf16> to tensor<128x128xf32>
  graph.return %0 : tensor<128x128xf32>
}
