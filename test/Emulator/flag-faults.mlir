// Flags between blocks that are misused: blocks that wait for one another in a ring, a flag that nobody lowers, one that is
// raised while it is up.
// RUN: not tw-emulate %s --kernel=wait_in_a_ring --grid=4 --block=32 --arg=i32:64:zeros 2>&1 | FileCheck %s --check-prefix=RING
// RUN: not tw-emulate %s --kernel=left_up --grid=4 --block=32 --arg=i32:64:zeros 2>&1 | FileCheck %s --check-prefix=UP
// RUN: not tw-emulate %s --kernel=left_up --grid=4 --block=32 --arg=i32:64:iota 2>&1 | FileCheck %s --check-prefix=TWICE

// RING: deadlock: 1 threads from thread 0 on wait for a flag that no block raises, ptx.lower_flag at "others first"
// UP: misused flag: the launch ends, and the flag at byte 0 of "argument 0" is up, which nobody lowers; raised by ptx.raise_flag at "nobody waits" [kernel left_up]
// TWICE: misused flag: thread 0 raises the flag at byte 4 of "argument 0", which is up (1) [source: "nobody waits"
gpu.module @kernels {
  // Each block waits for the next one's flag before it raises its own.
  llvm.func @wait_in_a_ring(%flags: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %behind = llvm.add %b, %one : i32
    %next = llvm.urem %behind, %four : i32
    %own = llvm.getelementptr %flags[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %other = llvm.getelementptr %flags[%next] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %leads = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %leads, ^meets, ^done
  ^meets:
    ptx.lower_flag %other : !llvm.ptr<1> loc("others first")
    ptx.raise_flag %own : !llvm.ptr<1> loc("then me")
    llvm.br ^done
  ^done:
    llvm.return
  }

  llvm.func @left_up(%flags: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %own = llvm.getelementptr %flags[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %leads = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %leads, ^raises, ^done
  ^raises:
    ptx.raise_flag %own : !llvm.ptr<1> loc("nobody waits")
    llvm.br ^done
  ^done:
    llvm.return
  }
}
