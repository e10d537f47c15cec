// A product with bias and an erf-GELU as exporters write it, in bf16, followed to PTX; one kernel on the tensor cores,
// fed by a ring of asynchronous copies.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --emit=ptx --target=sm_80 --precision=bf16 -o %t/mm.ptx --dump-stages=%t/dumps --verify-stages
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t/dumps/01-graph.mlir
// RUN: FileCheck %s --check-prefix=FUSE --input-file=%t/dumps/02-fuse.mlir
// RUN: FileCheck %s --check-prefix=TILE --input-file=%t/dumps/03-tile.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t/dumps/04-schedule.mlir
// RUN: FileCheck %s --check-prefix=TARGET --input-file=%t/dumps/05-target.mlir
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/mm.ptx
// RUN: FileCheck %s --check-prefix=CLEAN --input-file=%t/mm.ptx

// The weight is rounded by its recipe, not by a kernel.
// GRAPH: graph.weight <"w", tensor<512x512xf32>, "", [bf16]> : tensor<512x512xbf16>
// GRAPH: graph.matmul {{.*}} : tensor<256x512xbf16>, tensor<512x512xbf16> to tensor<256x512xf32>
// GRAPH: graph.gelu erf

// The product with its epilogue is one kernel, which rounds its input where it reads it.
// FUSE: plan.launch @[[K:matmul[a-z_]*]]({{.*}}anchor = "matmul", unit = "bf16"
// FUSE-NOT: plan.launch
// FUSE: graph.kernel anchor(matmul) @[[K]]
// FUSE: math.erf

// TILE: tile.kernel @matmul
// TILE: scf.for
// TILE: tile.dot {{.*}} tf32 = false
// TILE: scf.yield
// TILE-NOT: tile.dot
// TILE: math.erf

// Two operands with at least two stages each; the copies before the loop run ahead of it.
// SCHEDULE: tile.kernel @matmul
// SCHEDULE: tile.alloc offset = {{.*}} : <{{[2-8]}}, f32,
// SCHEDULE: tile.alloc offset = {{.*}} : <{{[2-8]}}, bf16,
// SCHEDULE: tile.commit_async
// SCHEDULE: scf.for
// SCHEDULE: tile.wait_async
// SCHEDULE-NEXT: tile.barrier
// SCHEDULE: tile.copy_async
// SCHEDULE: tile.commit_async
// SCHEDULE-COUNT-2: tile.load_shared
// SCHEDULE: arith.truncf {{.*}}xf32
// SCHEDULE: tile.dot
// SCHEDULE-NOT: tile.convert_layout
// SCHEDULE: tile.store

// TARGET: gpu.module @matmul
// TARGET-NOT: math.erf
// TARGET: nvvm.mma.sync

// PTX: .entry matmul
// PTX: cp.async.cg.shared.global {{.*}}, 16
// PTX: cp.async.commit_group
// PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// PTX: cp.async.wait_group
// PTX: ld.global{{(\.nc)?}}.v4
// PTX: st.global.v4
// CLEAN-NOT: {{\.local|call}}
func.func @main(%x: tensor<256x512xf32> {graph.name = "x"}) -> (tensor<256x512xf32> {graph.name = "y"}) {
  %w = graph.weight <"w", tensor<512x512xf32>, "", []> : tensor<512x512xf32> loc("/w")
  %b = graph.weight <"b", tensor<512xf32>, "", []> : tensor<512xf32> loc("/b")
  %half = arith.constant dense<0.5> : tensor<256x512xf32> loc("/half")
  %one = arith.constant dense<1.0> : tensor<256x512xf32> loc("/one")
  %root = arith.constant dense<1.41421354> : tensor<256x512xf32> loc("/root")
  %0 = graph.matmul %x, %w : tensor<256x512xf32>, tensor<512x512xf32> to tensor<256x512xf32> loc("/matmul")
  %1 = graph.broadcast %b dims = [1] : tensor<512xf32> to tensor<256x512xf32> loc("/bias")
  %2 = arith.addf %0, %1 : tensor<256x512xf32> loc("/bias")
  %3 = arith.divf %2, %root : tensor<256x512xf32> loc("/div")
  %4 = math.erf %3 : tensor<256x512xf32> loc("/erf")
  %5 = arith.addf %4, %one : tensor<256x512xf32> loc("/add")
  %6 = arith.mulf %2, %5 : tensor<256x512xf32> loc("/mul")
  %7 = arith.mulf %6, %half : tensor<256x512xf32> loc("/scale")
  return %7 : tensor<256x512xf32> loc("/return")
}
