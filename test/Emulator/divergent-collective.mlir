// Warp collectives that named lanes do not reach: three planted faults, and a shuffle that reads outside its mask.
// RUN: not tw-emulate %s --kernel=guarded_shuffle 2>&1 | FileCheck %s --check-prefix=GUARDED
// RUN: not tw-emulate %s --kernel=wrong_mask 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: not tw-emulate %s --kernel=two_votes 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not tw-emulate %s --kernel=outside_mask 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tw-emulate %s --kernel=partial_warp --block=48 2>&1 | FileCheck %s --check-prefix=PARTIAL

gpu.module @kernels {
  // Half of the warp has returned when the other half shuffles with a full mask.
  // GUARDED: divergent collective: {{.*}} [source: "sum"
  llvm.func @guarded_shuffle() attributes {nvvm.kernel} {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %n = llvm.mlir.constant(16 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ult" %t, %n : i32
    llvm.cond_br %in, ^work, ^done
  ^work:
    %v = nvvm.shfl.sync bfly %all, %t, %n, %clamp : i32 -> i32 loc("sum")
    llvm.br ^done
  ^done:
    llvm.return
  }
  // All lanes execute it, the mask names half of them.
  // MASK: divergent collective: lane {{[0-9]+}} of warp 0 executes it, but mask 0xffff leaves that lane out [source: "any"
  llvm.func @wrong_mask() attributes {nvvm.kernel} {
    %low = llvm.mlir.constant(65535 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %v = nvvm.vote.sync any %low, %true -> i1 loc("any")
    llvm.return
  }
  // Lanes wait for each other at two instructions.
  // TWO: divergent collective: lane {{[0-9]+}} of warp 0 waits for lanes 0xffffffff, of which lanes {{0x[0-9a-f]+}} wait for it at {{("even"|"odd")}} [source: {{("even"|"odd")}}
  llvm.func @two_votes() attributes {nvvm.kernel} {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bit = llvm.trunc %t : i32 to i1
    llvm.cond_br %bit, ^a, ^b
  ^a:
    %v = nvvm.vote.sync ballot %all, %true -> i32 loc("odd")
    llvm.return
  ^b:
    %w = nvvm.vote.sync ballot %all, %true -> i32 loc("even")
    llvm.return
  }
  // The upper half exchanges with the lower one, which is not in the mask.
  // OUTSIDE: divergent collective: shuffle reads lane 0, which is not in its mask 0xffff0000 [source: "exchange"
  llvm.func @outside_mask() attributes {nvvm.kernel} {
    %upper = llvm.mlir.constant(-65536 : i32) : i32
    %n = llvm.mlir.constant(16 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "uge" %t, %n : i32
    llvm.cond_br %in, ^work, ^done
  ^work:
    %v = nvvm.shfl.sync bfly %upper, %t, %n, %clamp : i32 -> i32 loc("exchange")
    llvm.br ^done
  ^done:
    llvm.return
  }
  // The block's last warp has 16 lanes.
  // PARTIAL: divergent collective: mask 0xffffffff names lanes 0xffff0000 of warp 1, which do not exist or have exited [source: "sync"
  llvm.func @partial_warp() attributes {nvvm.kernel} {
    %all = llvm.mlir.constant(-1 : i32) : i32
    nvvm.bar.warp.sync %all : i32 loc("sync")
    llvm.return
  }
}
