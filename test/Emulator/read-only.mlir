// Writes to regions that the launch may only read: three planted faults.
// RUN: not tw-emulate %s --kernel=plain --arg=f32:32:iota:ro 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not tw-emulate %s --kernel=atomic --arg=i32:32:iota:ro 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not tw-emulate %s --kernel=predicated --arg=f32:32:iota:ro 2>&1 | FileCheck %s --check-prefix=PREDICATED

gpu.module @kernels {
  // PLAIN: global store of 4 bytes at offset 0 of "argument 0", which is read-only [source: "in place", kernel plain, block (0,0,0), thread
  llvm.func @plain(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    llvm.store %zero, %x : f32, !llvm.ptr<1> loc("in place")
    llvm.return
  }
  // ATOMIC: global atomic of 4 bytes at offset 0 of "argument 0", which is read-only [source: "count", kernel atomic
  llvm.func @atomic(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw add %x, %one monotonic : !llvm.ptr<1>, i32 loc("count")
    llvm.return
  }
  // PREDICATED: global store of 4 bytes at offset 16 of "argument 0", which is read-only [source: "tail", kernel predicated, block (0,0,0), thread 4]
  llvm.func @predicated(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %four = llvm.mlir.constant(4 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %is_four = llvm.icmp "eq" %t, %four : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    ptx.store %zero, %p, %is_four : f32, !llvm.ptr<1> loc("tail")
    llvm.return
  }
}
