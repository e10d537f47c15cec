// mbarriers: values that two phases, states and arrivals of copies hand from thread to thread.
// RUN: tw-emulate %s --kernel=parity --shared=8192 --arg=f32:1024:iota:ro --arg=f32:64:zeros --print=1 | FileCheck %s --check-prefix=ROTATED
// RUN: tw-emulate %s --kernel=state --shared=8192 --arg=f32:1024:iota:ro --arg=f32:64:zeros --print=1 | FileCheck %s --check-prefix=SEVEN
// RUN: tw-emulate %s --kernel=copies --shared=8192 --arg=f32:1024:iota:ro --arg=f32:64:zeros --print=1 | FileCheck %s --check-prefix=ROTATED
// RUN: tw-emulate %s --kernel=parity --shared=8192 --arg=f32:1024:iota:ro --arg=f32:64:zeros --print=1 --early | FileCheck %s --check-prefix=ROTATED
// RUN: tw-emulate %s --kernel=state --shared=8192 --arg=f32:1024:iota:ro --arg=f32:64:zeros --print=1 --early | FileCheck %s --check-prefix=SEVEN
// RUN: tw-emulate %s --kernel=copies --shared=8192 --arg=f32:1024:iota:ro --arg=f32:64:zeros --print=1 --early | FileCheck %s --check-prefix=ROTATED

// ROTATED: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// SEVEN: 7 7 7 7

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // Byte `offset` of shared memory; whether this is thread 0.
  llvm.func @at(%offset: i32) -> !llvm.ptr<3> {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.return %p : !llvm.ptr<3>
  }
  llvm.func @is(%thread: i32) -> i1 {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %is = llvm.icmp "eq" %t, %thread : i32
    llvm.return %is : i1
  }

  // Two phases of a barrier of 32 arrivals hand a word from lane to lane; parity 1 of a fresh barrier is over.
  llvm.func @parity(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32 loc("all")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %f = llvm.sitofp %t : i32 to f32
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %n = llvm.add %t, %c1 : i32
    %m = llvm.and %n, %c31 : i32
    %q = llvm.getelementptr %buf[%m] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    nvvm.mbarrier.try_wait.parity %bar, %c1, %c1000 : !llvm.ptr<3>, i32, i32 loc("at once")
    llvm.store %f, %p : f32, !llvm.ptr<3>
    %ignored1 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("written")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("all have written")
    %v = llvm.load %q : !llvm.ptr<3> -> f32
    %ignored2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("read")
    nvvm.mbarrier.try_wait.parity %bar, %c1, %c1000 : !llvm.ptr<3>, i32, i32 loc("all have read")
    llvm.store %v, %p : f32, !llvm.ptr<3>
    llvm.store %v, %o : f32, !llvm.ptr<1>
    llvm.return
  }

  // The state that an arrival returns, tested until it is over; an arrival that counts twice.
  llvm.func @state(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c9 = llvm.mlir.constant(9 : i32) : i32
    %c33 = llvm.mlir.constant(33 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c33 : !llvm.ptr<3>, i32 loc("all")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %seven = llvm.mlir.constant(7.0 : f32) : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %is = llvm.call @is(%c9) : (i32) -> i1
    %count = llvm.select %is, %c2, %c1 : i1, i32
    %is2 = llvm.call @is(%c9) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    llvm.store %seven, %buf : f32, !llvm.ptr<3>
    llvm.br ^after2
  ^after2:
    %state = nvvm.mbarrier.arrive %bar, %count : !llvm.ptr<3> -> i64
    llvm.br ^test
  ^test:
    %over = nvvm.mbarrier.test.wait %bar, %state : !llvm.ptr<3>, i64 -> i1
    llvm.cond_br %over, ^go, ^test
  ^go:
    %again = nvvm.mbarrier.try_wait %bar, %state : !llvm.ptr<3>, i64 -> i1
    %v = llvm.load %buf : !llvm.ptr<3> -> f32
    llvm.store %v, %o : f32, !llvm.ptr<1>
    llvm.return
  }

  // cp.async that ends in an arrival: every thread waits for the copies of all.
  llvm.func @copies(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32 loc("all")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = llvm.add %t, %c1 : i32
    %m = llvm.and %n, %c31 : i32
    %d = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %q = llvm.getelementptr %buf[%m] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %g = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    nvvm.cp.async.shared.global %d, %g, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.mbarrier.arrive %bar {noinc = true} : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("copied")
    %v = llvm.load %q : !llvm.ptr<3> -> f32
    llvm.store %v, %o : f32, !llvm.ptr<1>
    llvm.return
  }
}
