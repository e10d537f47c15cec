// Where a kernel cannot go on: three planted faults that are neither memory nor synchronisation.
// RUN: not tw-emulate %s --kernel=division --arg=i32=0 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: tw-emulate %s --kernel=division --arg=i32=3
// RUN: not tw-emulate %s --kernel=unreachable 2>&1 | FileCheck %s --check-prefix=UNREACHABLE
// RUN: not tw-emulate %s --kernel=spin --arg=i32:1:zeros 2>&1 | FileCheck %s --check-prefix=SPIN

gpu.module @kernels {
  // DIVISION: integer division by zero [source: "rows per block", kernel division, block (0,0,0), thread
  llvm.func @division(%n: i32) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %q = llvm.udiv %t, %n : i32 loc("rows per block")
    llvm.return
  }
  // UNREACHABLE: the kernel reached llvm.unreachable [source: "never"
  llvm.func @unreachable() attributes {nvvm.kernel} {
    llvm.unreachable loc("never")
  }
  // No one ever sets the flag.
  // SPIN: deadlock: the block spins, {{[0-9]+}} atomic operations so far [source: "flag"
  llvm.func @spin(%flag: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^again
  ^again:
    %v = llvm.load %flag atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32 loc("flag")
    %unset = llvm.icmp "eq" %v, %zero : i32
    llvm.cond_br %unset, ^again, ^done
  ^done:
    llvm.return
  }
}
