// Reads of shared memory that the block never wrote: three planted faults.
// RUN: not tw-emulate %s --kernel=never_written --shared=64 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not tw-emulate %s --kernel=partly_written --block=32 --shared=128 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: not tw-emulate %s --kernel=other_block --grid=2 --block=32 --shared=128 --cpu-threads=1 2>&1 | FileCheck %s --check-prefix=OTHER

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // NEVER: uninitialised shared memory: load of 16 bytes at offset 16 reads byte 16, which this block never wrote [source: "sum/load", kernel never_written
  llvm.func @never_written() attributes {nvvm.kernel} {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32> loc("sum/load")
    llvm.return
  }
  // Each thread writes two of its four bytes.
  // PARTLY: uninitialised shared memory: load of 4 bytes at offset {{[0-9]+}} reads byte {{[0-9]+}}, which this block never wrote [source: "wide"
  llvm.func @partly_written() attributes {nvvm.kernel} {
    %half = llvm.mlir.constant(1.0 : bf16) : bf16
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %half, %p : bf16, !llvm.ptr<3>
    %v = llvm.load %p : !llvm.ptr<3> -> i32 loc("wide")
    llvm.return
  }
  // Block 0 writes, block 1 reads what block 0 left.
  // OTHER: uninitialised shared memory: load of 4 bytes {{.*}} [source: "stale", kernel other_block, block (1,0,0)
  llvm.func @other_block() attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %first = llvm.icmp "eq" %b, %zero : i32
    llvm.cond_br %first, ^write, ^read
  ^write:
    llvm.store %t, %p : i32, !llvm.ptr<3>
    llvm.return
  ^read:
    %v = llvm.load %p : !llvm.ptr<3> -> i32 loc("stale")
    llvm.return
  }
}
