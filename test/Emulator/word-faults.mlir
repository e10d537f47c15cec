// Tickets and words that are misused: a word that nobody publishes, one that is published twice, a counter that is put back
// before all blocks have their tickets, or not at all.
// RUN: not tw-emulate %s --kernel=waits --grid=4 --block=32 --arg=i64:4:zeros 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: not tw-emulate %s --kernel=publishes_again --grid=1 --block=32 --arg=i64:4:zeros 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not tw-emulate %s --kernel=puts_back_early --grid=4 --block=32 --arg=i64:1:zeros 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tw-emulate %s --kernel=keeps_tickets --grid=4 --block=32 --arg=i64:1:zeros 2>&1 | FileCheck %s --check-prefix=KEEPS

// WAITS: deadlock: 1 threads from thread 0 on wait for a word that no block publishes, ptx.await_words at "for nobody"
// AGAIN: misused word: thread 0 publishes the word at byte 0 of "argument 0" under the mark 7, which it has already [source: "again"
// EARLY: misused ticket: thread 0 puts the counter at byte 0 of "argument 0" back when 1 of 4 blocks have a ticket [source: "too early"
// KEEPS: misused ticket: the launch ends, and 4 tickets of the counter at byte 0 of "argument 0" are taken; by ptx.take_ticket at "a ticket" [kernel keeps_tickets]
gpu.module @kernels {
  llvm.func @waits(%words: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %mark = llvm.mlir.constant(7 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %leads = llvm.icmp "eq" %t, %zero : i32
    %value = ptx.await_words %words mark %mark if %leads : !llvm.ptr<1> to i32 loc("for nobody")
    llvm.return
  }
  llvm.func @publishes_again(%words: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %mark = llvm.mlir.constant(7 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %leads = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %leads, ^publishes, ^done
  ^publishes:
    ptx.publish_word %t mark %mark, %words : !llvm.ptr<1> loc("once")
    ptx.publish_word %t mark %mark, %words : !llvm.ptr<1> loc("again")
    llvm.br ^done
  ^done:
    llvm.return
  }
  llvm.func @puts_back_early(%counter: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %none = llvm.mlir.constant(0 : i64) : i64
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %leads = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %leads, ^takes, ^done
  ^takes:
    %ticket = ptx.take_ticket %counter : !llvm.ptr<1> loc("a ticket")
    ptx.return_tickets %none, %counter : !llvm.ptr<1> loc("too early")
    llvm.br ^done
  ^done:
    llvm.return
  }
  llvm.func @keeps_tickets(%counter: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %leads = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %leads, ^takes, ^done
  ^takes:
    %ticket = ptx.take_ticket %counter : !llvm.ptr<1> loc("a ticket")
    llvm.br ^done
  ^done:
    llvm.return
  }
}
