// A product with bias and GELU, seen at every stage: one kernel, a ring of asynchronous copies, tensor cores, no spill
// on any chip.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/p.tw --target=sm_80,sm_90a,sm_100a,sm_120a --verify-stages --dump-stages=%t --report=json > %t/report.json
// RUN: FileCheck %s --check-prefix=FUSE --input-file=%t/02-fuse.mlir
// RUN: FileCheck %s --check-prefix=TILE --input-file=%t/03-tile.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t/04-schedule.mlir
// RUN: FileCheck %s --check-prefix=TARGET --input-file=%t/05-target.mlir
// RUN: cat %t/06-ptx/*.sm_90a.ptx | FileCheck %s --check-prefix=PTX
// RUN: FileCheck %s --check-prefix=PACKAGE --input-file=%t/07-package.json
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/report.json

// FUSE: plan.program @main
// FUSE: plan.launch
// FUSE-NOT: plan.launch
// FUSE: graph.kernel anchor(matmul)
// FUSE: {{(graph\.)?}}matmul %arg0, %arg1
// TILE: tile.kernel
// TILE: scf.for
// TILE: tile.dot
// SCHEDULE: tile.alloc
// SCHEDULE: tile.copy_async
// SCHEDULE: tile.wait_async
// SCHEDULE: tile.barrier
// TARGET: gpu.module
// TARGET: nvvm.cp.async
// TARGET: nvvm.mma.sync
// TARGET-NOT: llvm.inline_asm
// PTX: cp.async.cg.shared.global
// PTX: cp.async.wait_group
// PTX: ldmatrix
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// PACKAGE: "launches": [
// PACKAGE: "kernel":
// PACKAGE-NOT: "kernel":
// REPORT: "anchor": "matmul"
// REPORT: "targets": [
// REPORT-COUNT-4: "spill_bytes": 0
func.func @main(%x: tensor<256x512xbf16> {graph.name = "x"}, %w: tensor<512x256xbf16> {graph.name = "w"},
                %b: tensor<256xf32> {graph.name = "b"}) -> (tensor<256x256xf32> {graph.name = "y"}) {
  %0 = graph.matmul %x, %w : tensor<256x512xbf16>, tensor<512x256xbf16> to tensor<256x256xf32> loc("/fc/MatMul")
  %1 = graph.broadcast %b dims = [1] : tensor<256xf32> to tensor<256x256xf32> loc("/fc/Add")
  %2 = arith.addf %0, %1 : tensor<256x256xf32> loc("/fc/Add")
  %3 = graph.gelu erf %2 : tensor<256x256xf32> loc("/act/Gelu")
  return %3 : tensor<256x256xf32>
}
