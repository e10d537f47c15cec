// A softmax as exporters write it, followed from its five nodes to PTX; one kernel that reads each row once.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --emit=ptx --target=sm_80 -o %t/softmax.ptx --dump-stages=%t/dumps --verify-stages
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t/dumps/01-graph.mlir
// RUN: FileCheck %s --check-prefix=FUSE --input-file=%t/dumps/02-fuse.mlir
// RUN: FileCheck %s --check-prefix=TILE --input-file=%t/dumps/03-tile.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t/dumps/04-schedule.mlir
// RUN: FileCheck %s --check-prefix=TARGET --input-file=%t/dumps/05-target.mlir
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/softmax.ptx

// The pattern is raised to a named op.
// GRAPH: graph.softmax %{{.*}} dim = 1 : tensor<64x512xf32>
// GRAPH-NOT: math.exp

// Formulas again, in one kernel launched once.
// FUSE: plan.launch
// FUSE-SAME: anchor = "reduction"
// FUSE-SAME: read = 131072, written = 131072
// FUSE-NOT: plan.launch
// FUSE: graph.kernel anchor(reduction)
// FUSE: reduce max
// FUSE: math.exp
// FUSE: reduce sum

// One load, two reductions, no conversion of layouts.
// TILE: tile.kernel
// TILE: tile.load
// TILE-NOT: {{tile.load|tile.convert_layout}}
// TILE: tile.reduce
// TILE-NOT: {{tile.load|tile.convert_layout}}
// TILE: math.exp
// TILE-NOT: {{tile.load|tile.convert_layout}}
// TILE: tile.reduce
// TILE-NOT: {{tile.load|tile.convert_layout}}
// TILE: tile.store

// Partial results of the warps have a place each.
// SCHEDULE: tile.kernel {{.*}}tile.shared_bytes =
// SCHEDULE-COUNT-2: scratch =

// exp is expanded, with no call left.
// TARGET: gpu.module
// TARGET-NOT: math.exp
// TARGET: nvvm.shfl.sync bfly
// TARGET-NOT: llvm.call @

// PTX: .visible .entry
// PTX-NOT: .local
// What no one reads again takes no place in L1.
// PTX: ld.global.nc.v4
// PTX: shfl.sync.bfly
// PTX: bar{{(rier)?}}{{.*}}sync
// PTX: st.global.v4
// PTX-NOT: call
func.func @main(%x: tensor<64x512xf32> {graph.name = "x"}) -> (tensor<64x512xf32> {graph.name = "y"}) {
  %0 = graph.reduce max %x dims = [1] : tensor<64x512xf32> to tensor<64xf32> loc("/max")
  %1 = graph.broadcast %0 dims = [0] : tensor<64xf32> to tensor<64x512xf32> loc("/max")
  %2 = arith.subf %x, %1 : tensor<64x512xf32> loc("/sub")
  %3 = math.exp %2 : tensor<64x512xf32> loc("/exp")
  %4 = graph.reduce sum %3 dims = [1] : tensor<64x512xf32> to tensor<64xf32> loc("/sum")
  %5 = graph.broadcast %4 dims = [0] : tensor<64xf32> to tensor<64x512xf32> loc("/sum")
  %6 = arith.divf %3, %5 : tensor<64x512xf32> loc("/div")
  return %6 : tensor<64x512xf32> loc("/return")
}
