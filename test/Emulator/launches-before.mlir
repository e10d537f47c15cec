// A kernel that may start before those that it depends on have ended touches what a launch may write only behind
// griddepcontrol.wait; what is read-only, such as weights, it may read before. One thread of a block waits for all.
// RUN: not tw-emulate %s --kernel=early_read --grid=2 --block=32 --arg=i32:64:zeros 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not tw-emulate %s --kernel=early_write --grid=2 --block=32 --arg=i32:64:zeros 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: tw-emulate %s --kernel=weights_first --grid=2 --block=32 --arg=i32:64:iota:ro --arg=i32:64:zeros
// RUN: tw-emulate %s --kernel=one_waits --grid=2 --block=32 --arg=i32:64:zeros

// READ: race with the launches before: global load of 4 bytes at offset {{[0-9]+}} of "argument 0", and no thread of the block has waited for them (griddepcontrol.wait) [source: "too early"
// WRITE: race with the launches before: global store of 4 bytes at offset {{[0-9]+}} of "argument 0"
gpu.module @kernels {
  llvm.func @early_read(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %base = llvm.mul %b, %n : i32
    %at = llvm.add %base, %t : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32 loc("too early")
    nvvm.griddepcontrol wait
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @early_write(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %base = llvm.mul %b, %n : i32
    %at = llvm.add %base, %t : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %t, %p : i32, !llvm.ptr<1>
    nvvm.griddepcontrol wait
    llvm.return
  }
  llvm.func @weights_first(%w: !llvm.ptr<1>, %x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %base = llvm.mul %b, %n : i32
    %at = llvm.add %base, %t : i32
    %p = llvm.getelementptr %w[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    nvvm.griddepcontrol wait
    %q = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %q : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @one_waits(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^wait, ^all
  ^wait:
    nvvm.griddepcontrol wait
    llvm.br ^all
  ^all:
    nvvm.barrier0
    %base = llvm.mul %b, %n : i32
    %at = llvm.add %base, %t : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
