// Blocks in which no thread can go on: three planted faults. The report says who waits where.
// RUN: not tw-emulate %s --kernel=crossed --block=96 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: not tw-emulate %s --kernel=three_wait --block=128 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not tw-emulate %s --kernel=barrier_and_vote --block=96 2>&1 | FileCheck %s --check-prefix=VOTE

gpu.module @kernels {
  // Two of three warps take two barriers of two warps in opposite order; the third comes to none.
  // CROSSED: deadlock: 32 threads from thread 0 on wait at barrier 1 for 64 threads, nvvm.barrier at "first"; 32 threads from thread 32 on wait at barrier 2 for 64 threads, nvvm.barrier at "first"; 32 have exited [source: "first", kernel crossed, block (0,0,0), thread 0]
  llvm.func @crossed() attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %count = llvm.mlir.constant(64 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %w = llvm.lshr %t, %five : i32
    %idle = llvm.icmp "eq" %w, %two : i32
    %second = llvm.icmp "eq" %w, %one : i32
    %a = llvm.select %second, %two, %one : i1, i32
    %b = llvm.select %second, %one, %two : i1, i32
    llvm.cond_br %idle, ^done, ^work
  ^work:
    "nvvm.barrier"(%a, %count) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("first")
    "nvvm.barrier"(%b, %count) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("second")
    llvm.br ^done
  ^done:
    llvm.return
  }
  // A barrier for three warps that two reach, while the others wait for the whole block's other barrier of two.
  // THREE: deadlock: 64 threads from thread 0 on wait at barrier 3 for 96 threads, nvvm.barrier at "consumers"; 32 threads from thread 64 on wait at barrier 4 for 64 threads, nvvm.barrier at "producers"; 32 have exited
  llvm.func @three_wait() attributes {nvvm.kernel} {
    %two = llvm.mlir.constant(2 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c96 = llvm.mlir.constant(96 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %w = llvm.lshr %t, %five : i32
    %consumer = llvm.icmp "ult" %w, %two : i32
    %producer = llvm.icmp "eq" %w, %two : i32
    llvm.cond_br %consumer, ^consume, ^else
  ^else:
    llvm.cond_br %producer, ^produce, ^done
  ^consume:
    "nvvm.barrier"(%three, %c96) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("consumers")
    llvm.br ^done
  ^produce:
    "nvvm.barrier"(%four, %c64) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("producers")
    llvm.br ^done
  ^done:
    llvm.return
  }
  // Half of warp 0 votes, the other half waits at a barrier of two warps.
  // VOTE: deadlock: 16 threads from thread 0 on wait in a collective of lanes 0xffffffff, nvvm.vote.sync at "vote"; 48 threads from thread 16 on wait at barrier 1 for 64 threads, nvvm.barrier at "half"; 32 have exited
  llvm.func @barrier_and_vote() attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %voter = llvm.icmp "ult" %t, %c16 : i32
    %worker = llvm.icmp "ult" %t, %c64 : i32
    llvm.cond_br %voter, ^vote, ^else
  ^else:
    llvm.cond_br %worker, ^wait, ^done
  ^vote:
    %v = nvvm.vote.sync ballot %all, %true -> i32 loc("vote")
    llvm.br ^wait
  ^wait:
    "nvvm.barrier"(%one, %c64) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("half")
    llvm.br ^done
  ^done:
    llvm.return
  }
}
