// Kernels alike in content are assembled once, whatever their locations; the directory serves later runs.
// REQUIRES: ptxas
// RUN: rm -rf %t && tw-assemble %s --arch=sm_80 --repeat=2 --cache-dir=%t --print=statistics | FileCheck %s --check-prefix=FIRST
// RUN: tw-assemble %s --arch=sm_80 --cache-dir=%t --print=statistics | FileCheck %s --check-prefix=SECOND
// RUN: tw-assemble %s --arch=sm_86 --cache-dir=%t --print=statistics | FileCheck %s --check-prefix=OTHER
// A damaged file is assembled anew.
// RUN: sh -c 'for f in %t/*.kernel; do echo x > $f; done'
// RUN: tw-assemble %s --arch=sm_80 --cache-dir=%t --print=statistics | FileCheck %s --check-prefix=OTHER

// FIRST: assembled 1, memory hits 3, directory hits 0, workers started 1, lost 0
// SECOND: assembled 0, memory hits 1, directory hits 1, workers started 0, lost 0
// OTHER: assembled 1, memory hits 1, directory hits 0, workers started 1, lost 0

gpu.module @first {
  llvm.func @same(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %one, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}
gpu.module @second {
  llvm.func @same(%x: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.resources = #ptx.resources<registers = 1,
      spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    %one = llvm.mlir.constant(1.0 : f32) : f32 loc("elsewhere")
    llvm.store %one, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}
