// Barriers that part of the block does not reach: three planted faults.
// RUN: not tw-emulate %s --kernel=early_exit --block=64 2>&1 | FileCheck %s --check-prefix=EXIT
// RUN: not tw-emulate %s --kernel=other_barrier --block=64 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tw-emulate %s --kernel=half_a_warp --block=64 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not tw-emulate %s --kernel=counts --block=64 2>&1 | FileCheck %s --check-prefix=COUNTS

gpu.module @kernels {
  // A guard returns before the barrier.
  // EXIT: divergent barrier: thread {{[0-9]+}} {{(exits while [0-9]+ threads wait at barrier 0 for 64|waits at barrier 0 for 64 threads, but [0-9]+ have exited)}} [source: "after guard"
  llvm.func @early_exit() attributes {nvvm.kernel} {
    %n = llvm.mlir.constant(40 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ult" %t, %n : i32
    llvm.cond_br %in, ^work, ^done
  ^work:
    nvvm.barrier0 loc("after guard")
    llvm.br ^done
  ^done:
    llvm.return
  }
  // Two warps wait for the whole block, each at its own barrier.
  // OTHER: divergent barrier: 32 threads from thread 0 on wait at barrier 0 for 64 threads, nvvm.barrier0 at "producer"; 32 threads from thread 32 on wait at barrier 1 for 64 threads, nvvm.barrier at "consumer" [source: "producer"
  llvm.func @other_barrier() attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %half = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "ult" %t, %half : i32
    llvm.cond_br %first, ^produce, ^consume
  ^produce:
    nvvm.barrier0 loc("producer")
    llvm.return
  ^consume:
    "nvvm.barrier"(%one) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> () loc("consumer")
    llvm.return
  }
  // Lanes of one warp come to the same barrier by different instructions.
  // HALF: divergent barrier: lane {{[0-9]+}} of warp {{[01]}} waits at barrier 0 here, lane {{[0-9]+}} {{("even"|"odd")}} [source: {{("even"|"odd")}}
  llvm.func @half_a_warp() attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bit = llvm.and %t, %one : i32
    %even = llvm.icmp "eq" %bit, %zero : i32
    llvm.cond_br %even, ^a, ^b
  ^a:
    nvvm.barrier0 loc("even")
    llvm.return
  ^b:
    nvvm.barrier0 loc("odd")
    llvm.return
  }
  // Two warps agree on the barrier but not on how many threads it counts.
  // COUNTS: divergent barrier: thread {{[0-9]+}} {{.*}} barrier 2 for {{(32|64)}}
  llvm.func @counts() attributes {nvvm.kernel} {
    %two = llvm.mlir.constant(2 : i32) : i32
    %all = llvm.mlir.constant(64 : i32) : i32
    %half = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "ult" %t, %half : i32
    %count = llvm.select %first, %all, %half : i1, i32
    nvvm.barrier id = %two number_of_threads = %count
    llvm.return
  }
}
