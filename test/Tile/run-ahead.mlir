// The schedules of loops over long rows and columns: few blocks copy several tiles ahead; scans across take whole lines
// with few warps; rows that a cluster keeps are read once, of up to 16 blocks. Not where a tile holds the row, or where
// the chip is not known.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s --check-prefix=ANY

// CHECK-LABEL: tile.kernel @columns grid = [256, 1, 1] warps = 8
// CHECK-SAME: tile = [128, 32], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 3>
// ANY-LABEL: tile.kernel @columns
// ANY-SAME: stages = 1>
graph.kernel anchor(reduction) @columns(%x: tensor<8192x8192xf32>) -> tensor<8192xf32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<8192x8192xf32> to tensor<8192xf32>
  graph.return %0 : tensor<8192xf32>
}

// The step that is not whole is copied, too: not of narrow elements whose rows begin anywhere, which threads load one by
// one, nor along rows.
// CHECK-LABEL: tile.kernel @ragged_columns
// CHECK-SAME: stages = {{[34]}}>
graph.kernel anchor(reduction) @ragged_columns(%x: tensor<5000x5000xbf16>) -> tensor<5000xf32> {
  %0 = arith.extf %x : tensor<5000x5000xbf16> to tensor<5000x5000xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<5000x5000xf32> to tensor<5000xf32>
  graph.return %1 : tensor<5000xf32>
}
// CHECK-LABEL: tile.kernel @odd_columns
// CHECK-SAME: stages = 1>
graph.kernel anchor(reduction) @odd_columns(%x: tensor<5000x5001xbf16>) -> tensor<5001xf32> {
  %0 = arith.extf %x : tensor<5000x5001xbf16> to tensor<5000x5001xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<5000x5001xf32> to tensor<5001xf32>
  graph.return %1 : tensor<5001xf32>
}

// More than sixteen blocks can keep.
// CHECK-LABEL: tile.kernel @rows grid = [264, 1, 1]
// CHECK-SAME: tile = [1, 4096], reduce = 1, warps = 16, warp_grid = [1, 16], stages = 3>
graph.kernel anchor(reduction) @rows(%x: tensor<264x1048576xf32>) -> tensor<264x1048576xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<264x1048576xf32> to tensor<264xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<264xf32> to tensor<264x1048576xf32>
  %2 = arith.subf %x, %1 : tensor<264x1048576xf32>
  graph.return %2 : tensor<264x1048576xf32>
}

// CHECK-LABEL: tile.kernel @kept grid = [8192, 1, 1] warps = 8
// CHECK-SAME: tile.cluster = 16
// CHECK-SAME: tile = [1, 1024], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>
graph.kernel anchor(reduction) @kept(%x: tensor<512x262144xf32>) -> tensor<512x262144xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<512x262144xf32> to tensor<512xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<512xf32> to tensor<512x262144xf32>
  %2 = arith.subf %x, %1 : tensor<512x262144xf32>
  graph.return %2 : tensor<512x262144xf32>
}

// CHECK-LABEL: tile.kernel @scan grid = [256, 1, 1] warps = 4
// CHECK-SAME: tile = [128, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>
graph.kernel anchor(reduction) @scan(%x: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %0 = graph.scan sum %x dim = 0 : tensor<8192x8192xf32>
  graph.return %0 : tensor<8192x8192xf32>
}

// CHECK-LABEL: tile.kernel @in_registers
// CHECK-SAME: stages = 1>
graph.kernel anchor(reduction) @in_registers(%x: tensor<8192x4096xf32>) -> tensor<8192xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<8192x4096xf32> to tensor<8192xf32>
  graph.return %0 : tensor<8192xf32>
}

// What takes longer to compute than to move waits for no memory.
// CHECK-LABEL: tile.kernel @computed
// CHECK-SAME: stages = 1>
graph.kernel anchor(reduction) @computed(%x: tensor<8192x8192xf32>) -> tensor<8192xf32> {
  %0 = math.log %x : tensor<8192x8192xf32>
  %1 = math.tanh %0 : tensor<8192x8192xf32>
  %2 = math.log %1 : tensor<8192x8192xf32>
  %3 = graph.reduce sum %2 dims = [0] : tensor<8192x8192xf32> to tensor<8192xf32>
  graph.return %3 : tensor<8192xf32>
}

// Along rows the next tile comes meanwhile, and tiles stay; of rows that begin anywhere, whose elements are masked,
// only where threads alone have little on its way, as of 16 bits.
// CHECK-LABEL: tile.kernel @computed_rows
// CHECK-SAME: tile = [1, 8192], reduce = 1, warps = 16, warp_grid = [1, 16], stages = 3>
graph.kernel anchor(reduction) @computed_rows(%x: tensor<264x80000xf32>) -> tensor<264xf32> {
  %0 = math.log %x : tensor<264x80000xf32>
  %1 = math.tanh %0 : tensor<264x80000xf32>
  %2 = math.log %1 : tensor<264x80000xf32>
  %3 = graph.reduce sum %2 dims = [1] : tensor<264x80000xf32> to tensor<264xf32>
  graph.return %3 : tensor<264xf32>
}

// CHECK-LABEL: tile.kernel @computed_odd_rows
// CHECK-SAME: tile = [1, 8192], reduce = 1, warps = 16, warp_grid = [1, 16], stages = 1, align_rows>
graph.kernel anchor(reduction) @computed_odd_rows(%x: tensor<264x80001xf32>) -> tensor<264xf32> {
  %0 = math.log %x : tensor<264x80001xf32>
  %1 = math.tanh %0 : tensor<264x80001xf32>
  %2 = math.log %1 : tensor<264x80001xf32>
  %3 = graph.reduce sum %2 dims = [1] : tensor<264x80001xf32> to tensor<264xf32>
  graph.return %3 : tensor<264xf32>
}

// CHECK-LABEL: tile.kernel @computed_odd_narrow_rows
// CHECK-SAME: tile = [1, 8192], reduce = 1, warps = 16, warp_grid = [1, 16], stages = 3, align_rows>
graph.kernel anchor(reduction) @computed_odd_narrow_rows(%y: tensor<264x80001xbf16>) -> tensor<264xf32> {
  %x = arith.extf %y : tensor<264x80001xbf16> to tensor<264x80001xf32>
  %0 = math.log %x : tensor<264x80001xf32>
  %1 = math.tanh %0 : tensor<264x80001xf32>
  %2 = math.log %1 : tensor<264x80001xf32>
  %3 = graph.reduce sum %2 dims = [1] : tensor<264x80001xf32> to tensor<264xf32>
  graph.return %3 : tensor<264xf32>
}

// Of fewer blocks larger tiles are on their way, and of narrower elements: one for each multiprocessor.
// CHECK-LABEL: tile.kernel @narrow_columns grid = [128, 1, 1] warps = 16
// CHECK-SAME: tile = [128, 64], reduce = 1, warps = 16, warp_grid = [1, 16], stages = 4>
graph.kernel anchor(reduction) @narrow_columns(%x: tensor<8192x8192xbf16>) -> tensor<8192xf32> {
  %0 = arith.extf %x : tensor<8192x8192xbf16> to tensor<8192x8192xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<8192x8192xf32> to tensor<8192xf32>
  graph.return %1 : tensor<8192xf32>
}
