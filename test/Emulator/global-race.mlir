// Global memory between the blocks of a launch, which nothing orders: two blocks that write a byte, one that reads
// what another writes. Blocks that hand data over by an atomic flag, and bytes side by side, are right.
// RUN: not tw-emulate %s --kernel=both_write --grid=4 --block=32 --arg=i8:64:zeros --cpu-threads=1 2>&1 | FileCheck %s --check-prefix=WW
// RUN: not tw-emulate %s --kernel=reads_next --grid=4 --block=32 --arg=i32:256:zeros --cpu-threads=1 2>&1 | FileCheck %s --check-prefix=RW
// RUN: tw-emulate %s --kernel=reads_next --grid=1 --block=32 --arg=i32:256:zeros
// RUN: not tw-emulate %s --kernel=copies_next --grid=4 --block=32 --shared=128 --arg=i32:256:zeros --cpu-threads=1 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: tw-emulate %s --kernel=side_by_side --grid=4 --block=32 --arg=i8:128:zeros
// RUN: tw-emulate %s --kernel=hands_over --grid=4 --block=32 --arg=i32:64:zeros --arg=i32:1:zeros --print=0 | FileCheck %s --check-prefix=FLAG
// Reads of what is written nowhere meet nothing, and neither does anything with the detectors off.
// RUN: tw-emulate %s --kernel=both_read --grid=4 --block=32 --arg=i32:32:iota --arg=i32:128:zeros

// WW: race on global memory: store of 1 bytes at offset 31 of "argument 0", whose byte 31 block (0,0,0) wrote in the same launch [source: "shared with the next", kernel both_write, block (1,0,0)
// RW: race on global memory: {{load|store}} of 4 bytes at offset {{.*}} of "argument 0", whose byte {{[0-9]+}} block ({{[0-9]}},0,0) {{read|wrote}} in the same launch
// COPY: race on global memory: {{cp.async load|store}} of 4 bytes
// FLAG: 4
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // 32 bytes at 31 times the block: the last of each is the first of the next.
  llvm.func @both_write(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %few = llvm.mlir.constant(31 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %low = llvm.urem %b, %two : i32
    %base = llvm.mul %low, %few : i32
    %at = llvm.add %base, %t : i32
    %v = llvm.trunc %t : i32 to i8
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    llvm.store %v, %p : i8, !llvm.ptr<1> loc("shared with the next")
    llvm.return
  }

  // Each block writes its 32 words, and reads those of the next.
  llvm.func @reads_next(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %lanes = llvm.mlir.constant(32 : i32) : i32
    %base = llvm.mul %b, %lanes : i32
    %at = llvm.add %base, %t : i32
    %next = llvm.add %at, %lanes : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %x[%next] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %q : !llvm.ptr<1> -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }

  // The same by cp.async.
  llvm.func @copies_next(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %lanes = llvm.mlir.constant(32 : i32) : i32
    %base = llvm.mul %b, %lanes : i32
    %at = llvm.add %base, %t : i32
    %next = llvm.add %at, %lanes : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %x[%next] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %to = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.cp.async.shared.global %to, %q, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    %v = llvm.load %to : !llvm.ptr<3> -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }

  // Bytes that lie in one word belong to several blocks.
  llvm.func @side_by_side(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %base = llvm.mul %t, %four : i32
    %at = llvm.add %base, %b : i32
    %v = llvm.trunc %t : i32 to i8
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    llvm.store %v, %p : i8, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @both_read(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %lanes = llvm.mlir.constant(32 : i32) : i32
    %base = llvm.mul %b, %lanes : i32
    %at = llvm.add %base, %t : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %y[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.store %v, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // Each block adds to a counter behind its word; whoever comes last sums what the others wrote.
  llvm.func @hands_over(%x: !llvm.ptr<1>, %count: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^write, ^end
  ^write:
    %at = llvm.add %b, %one : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %one, %p : i32, !llvm.ptr<1>
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    %before = llvm.atomicrmw add %count, %one acq_rel : !llvm.ptr<1>, i32
    %last = llvm.icmp "eq" %before, %three : i32
    llvm.cond_br %last, ^sum(%zero, %zero : i32, i32), ^end
  ^sum(%i: i32, %s: i32):
    %next = llvm.add %i, %one : i32
    %q = llvm.getelementptr %x[%next] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %q : !llvm.ptr<1> -> i32
    %more = llvm.add %s, %v : i32
    %go = llvm.icmp "ult" %i, %three : i32
    llvm.cond_br %go, ^sum(%next, %more : i32, i32), ^store
  ^store:
    llvm.store %more, %x : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
