// Every stage can be the last, every dump can be the start, and what comes out does not depend on where it started.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --stop-after=graph -o - | FileCheck %s --check-prefix=GRAPH
// RUN: tw-compile %s --emit=fuse | FileCheck %s --check-prefix=FUSE
// RUN: tw-compile %s --emit=tile -o - | FileCheck %s --check-prefix=TILE
// RUN: tw-compile %s --emit=target -o - | FileCheck %s --check-prefix=TARGET
// RUN: tw-compile %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: tw-compile %s --emit=ptx --target=sm_80 -o %t/whole.ptx --dump-stages=%t/dumps --verify-stages
// RUN: tw-compile %t/dumps/01-graph.mlir --emit=ptx --target=sm_80 -o %t/graph.ptx
// RUN: tw-compile %t/dumps/02-fuse.mlir --emit=ptx --target=sm_80 -o %t/fuse.ptx
// RUN: tw-compile %t/dumps/03-tile.mlir --emit=ptx --target=sm_80 -o %t/tile.ptx
// RUN: tw-compile %t/dumps/04-schedule.mlir --emit=ptx --target=sm_80 -o %t/schedule.ptx
// RUN: tw-compile %t/dumps/05-target.mlir --emit=ptx --target=sm_80 -o %t/target.ptx
// RUN: cmp %t/whole.ptx %t/graph.ptx && cmp %t/whole.ptx %t/fuse.ptx && cmp %t/whole.ptx %t/tile.ptx
// RUN: cmp %t/whole.ptx %t/schedule.ptx && cmp %t/whole.ptx %t/target.ptx
// An MLIR file without the line that dumps begin with says by a flag where it goes on.
// RUN: grep -v "tilewright stage" %t/dumps/02-fuse.mlir > %t/fuse.mlir
// RUN: tw-compile %t/fuse.mlir --start-from=tile --emit=ptx --target=sm_80 -o %t/flag.ptx && cmp %t/whole.ptx %t/flag.ptx
// Bytecode and standard input are programs too.
// RUN: tw-opt %s --emit-bytecode -o %t/program.mlirbc && tw-compile %t/program.mlirbc --emit=ptx --target=sm_80 -o %t/bytecode.ptx
// RUN: tw-compile - --emit=ptx --target=sm_80 -o %t/stdin.ptx < %s && cmp %t/whole.ptx %t/stdin.ptx

// GRAPH: // tilewright stage: graph
// GRAPH: func.func @main
// FUSE: // tilewright stage: fuse
// FUSE-DAG: plan.launch @[[K:[a-z_]+]](
// FUSE-DAG: graph.kernel anchor(elementwise) @
// TILE: tile.kernel @
// TARGET: gpu.module @
// TARGET: ptx.launch = #ptx.launch<
// PTX: // kernel {{.*}} for sm_90a
// PTX: .visible .entry
func.func @main(%x: tensor<1024xf32> {graph.name = "x"}, %y: tensor<1024xf32> {graph.name = "y"})
    -> (tensor<1024xf32> {graph.name = "z"}) {
  %0 = arith.addf %x, %y : tensor<1024xf32> loc("/add")
  %1 = arith.mulf %0, %x : tensor<1024xf32> loc("/mul")
  return %1 : tensor<1024xf32>
}
