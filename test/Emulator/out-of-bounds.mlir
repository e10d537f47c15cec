// Accesses outside the launch's buffers or the block's shared memory: three planted faults.
// RUN: not tw-emulate %s --kernel=past_end --block=32 --arg=f32:30:iota --arg=f32:32:zeros 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not tw-emulate %s --kernel=before_start --block=32 --arg=f32:32:iota 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not tw-emulate %s --kernel=shared_past_end --block=32 --shared=120 2>&1 | FileCheck %s --check-prefix=SHARED

gpu.module @past_end {
  // Copies 32 elements out of 30.
  // PAST: out-of-bounds global load of 4 bytes at offset 120, 4 bytes past the end of "argument 0" (120 bytes) [source: "copy/load", kernel past_end, block (0,0,0), thread 30]
  llvm.func @past_end(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %from[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %to[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32 loc("copy/load")
    llvm.store %v, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}
gpu.module @before_start {
  // Shifts left without a guard for the first element.
  // BEFORE: out-of-bounds global store of 16 bytes at offset -16, 16 bytes before the start of "argument 0" (128 bytes) [source: "shift/store"
  llvm.func @before_start(%to: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.zero : vector<4xf32>
    %q = llvm.getelementptr %to[-1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, vector<4xf32>
    llvm.store %zero, %q : vector<4xf32>, !llvm.ptr<1> loc("shift/store")
    llvm.return
  }
}
gpu.module @shared_past_end {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // 32 threads write 4 bytes each into 120 bytes.
  // SHARED: out-of-bounds shared store of 4 bytes at offset 120, 4 bytes past the block's 120 bytes of shared memory [source: "stage/store", kernel shared_past_end, block (0,0,0), thread 30]
  llvm.func @shared_past_end() attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %p : i32, !llvm.ptr<3> loc("stage/store")
    llvm.return
  }
}
