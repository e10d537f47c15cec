// Flags in global memory by which blocks of a launch hand data over: who lowers a flag sees what its raiser knew, and
// nothing else. Blocks run until they wait, so that the order of their numbers does not matter; with one of the two ops or
// barriers gone that is reported.
// RUN: tw-emulate %s --kernel=hands_over --grid=4 --block=64 --arg=i32:256:zeros --arg=i32:64:zeros --arg=i32:64:zeros --print=2 | FileCheck %s --check-prefix=SUM
// RUN: tw-emulate %s --kernel=hands_over --grid=4 --block=64 --arg=i32:256:zeros --arg=i32:64:zeros --arg=i32:64:zeros --print=2 --seed=5 | FileCheck %s --check-prefix=SUM
// RUN: tw-emulate %s --kernel=hands_over --grid=4 --block=64 --arg=i32:256:zeros --arg=i32:64:zeros --arg=i32:64:zeros --mutate-sync | FileCheck %s --check-prefix=MUTANTS
// RUN: tw-emulate %s --kernel=hands_over --grid=4 --block=64 --arg=i32:256:zeros --arg=i32:64:zeros --arg=i32:64:zeros --mutate-sync --seed=3 | FileCheck %s --check-prefix=MUTANTS

// SUM: 4
// MUTANTS-NOT: SURVIVED
// MUTANTS: reported nvvm.barrier0 at "all have written"
// MUTANTS: reported ptx.raise_flag
// MUTANTS: reported ptx.lower_flag
// MUTANTS: reported nvvm.barrier0 at "it is there"
// MUTANTS: 4 of 4 mutants reported
gpu.module @kernels {
  // Each block writes 64 ones and raises its flag; the first one waits for all others, whose numbers are larger, and adds up
  // what they wrote.
  llvm.func @hands_over(%x: !llvm.ptr<1>, %flags: !llvm.ptr<1>, %sum: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %size = llvm.mlir.constant(64 : i32) : i32
    %blocks = llvm.mlir.constant(4 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %base = llvm.mul %b, %size : i32
    %at = llvm.add %base, %t : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %one, %p : i32, !llvm.ptr<1> loc("a part")
    nvvm.barrier0 loc("all have written")
    %leads = llvm.icmp "eq" %t, %zero : i32
    %first = llvm.icmp "eq" %b, %zero : i32
    llvm.cond_br %first, ^adds(%one, %one : i32, i32), ^gives
  ^gives:
    %flag = llvm.getelementptr %flags[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.cond_br %leads, ^raises, ^done
  ^raises:
    ptx.raise_flag %flag : !llvm.ptr<1> loc("a flag")
    llvm.br ^done
  ^adds(%n: i32, %own: i32):
    %other = llvm.getelementptr %flags[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.cond_br %leads, ^waits, ^waited
  ^waits:
    ptx.lower_flag %other : !llvm.ptr<1> loc("for it")
    llvm.br ^waited
  ^waited:
    nvvm.barrier0 loc("it is there")
    %start = llvm.mul %n, %size : i32
    %place = llvm.add %start, %t : i32
    %q = llvm.getelementptr %x[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %part = llvm.load %q : !llvm.ptr<1> -> i32 loc("another's part")
    %all = llvm.add %own, %part : i32
    %next = llvm.add %n, %one : i32
    %more = llvm.icmp "ult" %next, %blocks : i32
    llvm.cond_br %more, ^adds(%next, %all : i32, i32), ^stores
  ^stores:
    %r = llvm.getelementptr %sum[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %all, %r : i32, !llvm.ptr<1>
    llvm.br ^done
  ^done:
    llvm.return
  }
}
