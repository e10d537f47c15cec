// Schedules that leave out steps of kernels that have none to leave out.
// RUN: tw-opt %s --convert-graph-to-tile --split-input-file --verify-diagnostics

// expected-error@+1 {{has skip_steps in its schedule, and no mask that leaves terms out is known}}
graph.kernel anchor(matmul) @attention(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, skip_steps>} {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi ne, %j, %i : tensor<3x320x320xi32>
  %ninf = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}

// -----

// expected-error@+1 {{has warpgroups take tiles in turn, whose steps are not as many where skip_steps leaves some out}}
graph.kernel anchor(matmul) @attention(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, registers = [40, 232], persistent = 2, skip_steps>} {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<3x320x320xi32>
  %ninf = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}

// -----

// expected-error@+1 {{divides or orders a single product's tiles}}
graph.kernel anchor(matmul) @attention(%q: tensor<3x320x64xbf16>, %kt: tensor<3x64x320xbf16>, %v: tensor<3x320x64xbf16>) -> tensor<3x320x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>>} {
  %s = graph.matmul %q, %kt : tensor<3x320x64xbf16>, tensor<3x64x320xbf16> to tensor<3x320x320xf32>
  %i = graph.iota dim = 1 : tensor<3x320x320xi32>
  %j = graph.iota dim = 2 : tensor<3x320x320xi32>
  %c = arith.cmpi sle, %j, %i : tensor<3x320x320xi32>
  %ninf = arith.constant dense<0xFF800000> : tensor<3x320x320xf32>
  %y = arith.select %c, %s, %ninf : tensor<3x320x320xi1>, tensor<3x320x320xf32>
  %m = graph.reduce max %y dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x320xf32>
  %d = arith.subf %y, %mb : tensor<3x320x320xf32>
  %e = math.exp %d : tensor<3x320x320xf32>
  %l = graph.reduce sum %e dims = [2] : tensor<3x320x320xf32> to tensor<3x320xf32>
  %t = arith.truncf %e : tensor<3x320x320xf32> to tensor<3x320x320xbf16>
  %x = graph.matmul %t, %v : tensor<3x320x320xbf16>, tensor<3x320x64xbf16> to tensor<3x320x64xf32>
  %lb = graph.broadcast %l dims = [0, 1] : tensor<3x320xf32> to tensor<3x320x64xf32>
  %o = arith.divf %x, %lb : tensor<3x320x64xf32>
  graph.return %o : tensor<3x320x64xf32>
}

// -----

// expected-error@+1 {{the schedule has skip_steps, which leaves out steps of a chain of products}}
graph.kernel anchor(matmul) @product(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 2, skip_steps>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  graph.return %0 : tensor<64x64xf32>
}
