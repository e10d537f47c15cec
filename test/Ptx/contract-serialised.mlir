// A contract on a kernel with warpgroup products asks that they stay in flight: here an accumulator is read before the
// wait, so that ptxas runs one product after the other.
// REQUIRES: ptxas
// RUN: not tw-compile %s --start-from=ptx --target=sm_90a --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: sed 's/tile.contract = #tile.contract<spills = 0>, //' %s > %t.free.mlir
// RUN: tw-compile %t.free.mlir --start-from=ptx --target=sm_90a --emit=ptx -o %t.ptx

// CHECK: contract-serialised.mlir:[[@LINE+3]]:{{[0-9]+}}: error: kernel @read_early does not keep its products in flight on sm_90a, as its contract asks: (C75{{[0-9]+}})
!sums = !llvm.struct<(f32, f32, f32, f32)>
gpu.module @read_early {
  llvm.func @read_early(%out: !llvm.ptr<1>, %a: i64, %b: i64) attributes {tile.contract = #tile.contract<spills = 0>, nvvm.kernel,
      nvvm.reqntid = array<i32: 128, 1, 1>} {
    %none = llvm.mlir.poison : !sums
    nvvm.wgmma.fence.aligned
    %0 = ptx.wgmma bf16 %a, bf16 %b, %none overwrite : i64, !sums
    %1 = ptx.wgmma bf16 %a, bf16 %b, %0 : i64, !sums
    nvvm.wgmma.commit.group.sync.aligned
    %early = llvm.extractvalue %1[0] : !sums
    llvm.store volatile %early, %out : f32, !llvm.ptr<1>
    %2 = ptx.wgmma_wait 0, %1 : !sums
    %3 = llvm.extractvalue %2[1] : !sums
    llvm.store volatile %3, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
