// A residual sum and the layer norm after it, followed to PTX; one kernel with both results, which reads its four
// tensors once.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --emit=ptx --target=sm_80 -o %t/norm.ptx --dump-stages=%t/dumps --verify-stages
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t/dumps/01-graph.mlir
// RUN: FileCheck %s --check-prefix=FUSE --input-file=%t/dumps/02-fuse.mlir
// RUN: FileCheck %s --check-prefix=TILE --input-file=%t/dumps/03-tile.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t/dumps/04-schedule.mlir
// RUN: FileCheck %s --check-prefix=TARGET --input-file=%t/dumps/05-target.mlir
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/norm.ptx

// GRAPH: arith.addf
// GRAPH-NEXT: graph.layer_norm

// The sum is written beside the norm: 2 x 98304 bytes read and written, and scale and bias.
// FUSE: plan.launch {{.*}}anchor = "reduction"{{.*}}read = 199680, written = 196608>
// FUSE-SAME: -> (tensor<64x384xf32>, tensor<64x384xf32>)
// FUSE-NOT: plan.launch
// FUSE: plan.return %{{.*}}#1, %{{.*}}#0

// Scale and bias are loaded as one row; nothing is converted.
// TILE: tile.kernel
// TILE-NOT: tile.convert_layout
// TILE: tile.reduce
// TILE-NOT: tile.convert_layout
// TILE: tile.reduce
// TILE-NOT: tile.convert_layout
// TILE-DAG: tile.broadcast {{.*}} : tensor<1x{{[0-9]+}}xf32
// TILE-NOT: tile.convert_layout
// TILE: tile.return

// SCHEDULE-NOT: tile.alloc
// SCHEDULE: tile.return

// TARGET: gpu.module
// TARGET: llvm.load {{.*}} -> vector<{{[24]}}xf32>

// PTX: .visible .entry
// PTX-NOT: .local
// Few blocks ask for the weights with their rows.
// PTX-COUNT-12: ld.global.nc.v4
// PTX: shfl.sync.bfly
// PTX-NOT: ld.global
// PTX: st.global.v{{[24]}}
// PTX-NOT: call
func.func @main(%x: tensor<64x384xf32> {graph.name = "x"}, %r: tensor<64x384xf32> {graph.name = "r"},
                %g: tensor<384xf32> {graph.name = "g"}, %b: tensor<384xf32> {graph.name = "b"})
    -> (tensor<64x384xf32> {graph.name = "y"}, tensor<64x384xf32> {graph.name = "sum"}) {
  %0 = arith.addf %x, %r : tensor<64x384xf32> loc("/residual")
  %1 = graph.layer_norm %0 scale(%g : tensor<384xf32>) bias(%b : tensor<384xf32>) dim = 1 epsilon = 1.0e-5
    : tensor<64x384xf32> to tensor<64x384xf32> loc("/norm")
  return %1, %0 : tensor<64x384xf32>, tensor<64x384xf32> loc("/return")
}
