// Clusters: shared memory of other blocks, remote arrivals, the cluster's barrier; and blocks that read too early, write
// while others read, come before others have begun, or end while others still come to them.
// RUN: tw-emulate %s --kernel=exchanged --arg=i32:64:zeros --arg=i32:64:zeros --print=1 | FileCheck %s --check-prefix=EXCHANGED
// RUN: tw-emulate %s --kernel=fetched --arg=i32:64:zeros --arg=i32:64:zeros --print=1 --seed=3 | FileCheck %s --check-prefix=EXCHANGED
// RUN: tw-emulate %s --kernel=remote_arrivals --arg=i32:64:zeros --arg=i32:64:zeros --print=1 | FileCheck %s --check-prefix=EXCHANGED
// RUN: tw-emulate %s --kernel=pushed --arg=i32:64:zeros --arg=i32:64:zeros --print=1 | FileCheck %s --check-prefix=EXCHANGED
// RUN: tw-emulate %s --kernel=addresses_carry_the_rank --arg=i32:64:zeros --arg=i32:64:zeros --print=1 | FileCheck %s --check-prefix=RANK
// EXCHANGED: 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115
// EXCHANGED: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// RANK: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// RANK: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// RUN: tw-emulate %s --each --arg=i32:64:zeros --arg=i32:64:zeros | FileCheck %s

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

  // Each block writes into the other's shared memory.
  // CHECK: exchanged: fine
  llvm.func @exchanged(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait loc("begun wait")
    llvm.store %value, %theirs : i32, !llvm.ptr<7> loc("put")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // Blocks of a cluster need not start together, and shared memory is there when its block is.
  // CHECK: not_begun: store in the shared memory of the block of rank {{[01]}}, and nothing says that it has begun (a barrier of the cluster would) [source: "put"
  llvm.func @not_begun(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %theirs : i32, !llvm.ptr<7> loc("put")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // Each block reads the other's, which stays until it has.
  // CHECK: fetched: fine
  llvm.func @fetched(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("put")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    %got = llvm.load %theirs : !llvm.ptr<7> -> i32 loc("get")
    nvvm.cluster.arrive loc("read arrive")
    nvvm.cluster.wait loc("read wait")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // What other blocks read is theirs until they have: that a block itself has arrived, and a barrier of its own threads,
  // do not say so.
  // CHECK: reused_after_a_barrier_of_the_block: race on shared memory: {{store of 4 bytes at offset [0-9]+, and no barrier since byte [0-9]+ was read by thread [0-9]+ of the block of rank [01] \(llvm.load at "get"\) \[source: "reuse"|load of 4 bytes at offset [0-9]+ of the block of rank [01], and no barrier since byte [0-9]+ was written by thread [0-9]+ of the block of rank [01] \(llvm.store at "reuse"\) \[source: "get"}}
  llvm.func @reused_after_a_barrier_of_the_block(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("put")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    %got = llvm.load %theirs : !llvm.ptr<7> -> i32 loc("get")
    nvvm.cluster.arrive loc("read arrive")
    nvvm.barrier0 loc("this block has read")
    llvm.store %got, %mine : i32, !llvm.ptr<3> loc("reuse")
    nvvm.barrier0
    %again = llvm.load %mine : !llvm.ptr<3> -> i32
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %again, %o : i32, !llvm.ptr<1>
    nvvm.cluster.wait loc("read wait")
    llvm.return
  }

  // They write there after the barrier, where these read.
  // CHECK: read_too_early: race on shared memory: {{load|store}} of 4 bytes at offset {{.*}}, and no barrier since byte {{[0-9]+}} was {{written|read}} by {{.*}}[source: "{{get|put}}"
  llvm.func @read_too_early(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("put")
    nvvm.cluster.arrive loc("all are here arrive")
    nvvm.cluster.wait loc("all are here wait")
    llvm.store %value, %theirs : i32, !llvm.ptr<7> loc("put")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    nvvm.cluster.arrive loc("end arrive")
    nvvm.cluster.wait loc("end wait")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // A relaxed arrival orders no plain access.
  // CHECK: relaxed_is_no_order: {{race on shared memory|uninitialised shared memory}}: {{.*}}[source: "get"
  llvm.func @relaxed_is_no_order(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait loc("begun wait")
    llvm.store %value, %theirs : i32, !llvm.ptr<7> loc("put")
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait loc("wait")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK: written_while_read: race on shared memory: store of 4 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was read by {{.*}} of the block of rank {{[01]}} (llvm.load at "get") [source: "put"
  llvm.func @written_while_read(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("first")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    %got = llvm.load %theirs : !llvm.ptr<7> -> i32 loc("get")
    %all = llvm.mlir.constant(-1 : i32) : i32
    nvvm.bar.warp.sync %all : i32
    nvvm.nanosleep %c100
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait loc("relaxed wait")
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("put")
    nvvm.cluster.arrive loc("end arrive")
    nvvm.cluster.wait loc("end wait")
    llvm.return
  }

  // Nothing holds the block until the other has read.
  // CHECK: ends_too_early: {{the block of rank [01] ends, and no barrier orders that after thread [0-9]+ of the block of rank [01] accessed its shared memory|load in the shared memory of the block of rank [01], whose threads have all exited|mapa .*}} {{.*}}[source: "get"
  llvm.func @ends_too_early(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("put")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    %got = llvm.load %theirs : !llvm.ptr<7> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // Arriving is not waiting: the block may be gone.
  // CHECK: end_of_one_thread: {{(the block of rank|load in the shared memory) .*\[source: "get"|thread .* ends without .*\[source: "leave"}}
  llvm.func @end_of_one_thread(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("put")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    nvvm.cluster.arrive loc("leave")
    %got = llvm.load %theirs : !llvm.ptr<7> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK: ends_after_relaxed: {{the block of rank|load in the shared memory}} {{.*}}[source: "get"
  llvm.func @ends_after_relaxed(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    llvm.store %value, %mine : i32, !llvm.ptr<3> loc("put")
    nvvm.cluster.arrive loc("written arrive")
    nvvm.cluster.wait loc("written wait")
    %got = llvm.load %theirs : !llvm.ptr<7> -> i32 loc("get")
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait loc("wait")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // Whoever ends is not waited for, but has been counted: the others' barrier may turn without one of them.
  // CHECK: ends_behind_its_arrival: thread {{[0-9]+}} ends without having waited for its arrival at the cluster{{.}}s barrier [source: "arrive"
  llvm.func @ends_behind_its_arrival(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 64, shared = 8192>} {
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    nvvm.cluster.arrive loc("arrive")
    %isFirst = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %isFirst, ^waits, ^ends
  ^waits:
    nvvm.cluster.wait loc("wait")
    llvm.br ^ends
  ^ends:
    llvm.return
  }

  // CHECK: arrives_twice: thread {{[0-9]+}} arrives at the cluster{{.}}s barrier again without having waited for its last arrival [source: "again"
  llvm.func @arrives_twice(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    nvvm.cluster.arrive loc("arrive")
    nvvm.cluster.arrive loc("again")
    nvvm.cluster.wait loc("wait")
    llvm.return
  }

  // CHECK: waits_without_arriving: thread {{[0-9]+}} waits at the cluster{{.}}s barrier, at which it has not arrived [source: "wait"
  llvm.func @waits_without_arriving(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    nvvm.cluster.wait loc("wait")
    llvm.return
  }

  // CHECK: no_such_rank: mapa to rank 2 of a cluster of 2 blocks [source: "map"
  llvm.func @no_such_rank(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %far = nvvm.mapa %mine, %c2 : !llvm.ptr<3> -> !llvm.ptr<7> loc("map")
    %got = llvm.load %far : !llvm.ptr<7> -> i32
    llvm.return
  }

  // CHECK: remote_out_of_bounds: out-of-bounds shared load of 4 bytes at offset 8192, 4 bytes past the block{{.}}s 8192 bytes of shared memory [source: "get"
  llvm.func @remote_out_of_bounds(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    nvvm.cluster.arrive loc("here arrive")
    nvvm.cluster.wait loc("here wait")
    %far = llvm.getelementptr %buf[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %farther = nvvm.mapa %far, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %got = llvm.load %farther : !llvm.ptr<7> -> i32 loc("get")
    nvvm.cluster.arrive loc("end arrive")
    nvvm.cluster.wait loc("end wait")
    llvm.return
  }

  // What was written there before the arrival is seen after the wait.
  // CHECK: remote_arrivals: fine
  llvm.func @remote_arrivals(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32 loc("turn")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %value, %theirs : i32, !llvm.ptr<7> loc("put")
    nvvm.mbarrier.arrive %their_bar : !llvm.ptr<7>
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("their turn")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    nvvm.cluster.arrive loc("end arrive")
    nvvm.cluster.wait loc("end wait")
    llvm.return
  }

  // CHECK: unfenced_remote_arrival: mbarrier.arrive from another block at the mbarrier at offset 4096 (initialised at "turn") without fence.mbarrier.init after the initialisation [source: "arrive"
  llvm.func @unfenced_remote_arrival(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32 loc("turn")
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.mbarrier.arrive %their_bar : !llvm.ptr<7> loc("arrive")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("their turn")
    nvvm.cluster.arrive loc("end arrive")
    nvvm.cluster.wait loc("end wait")
    llvm.return
  }

  // CHECK: relaxed_remote_arrival: race on shared memory: load of 4 bytes {{.*}}of the block of rank {{[01]}} (llvm.store at "put") [source: "get"
  llvm.func @relaxed_remote_arrival(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32 loc("turn")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %value, %theirs : i32, !llvm.ptr<7> loc("put")
    nvvm.mbarrier.arrive %their_bar {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("their turn")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    nvvm.cluster.arrive loc("end arrive")
    nvvm.cluster.wait loc("end wait")
    llvm.return
  }

  // The last arrival comes when the other block may be gone.
  // CHECK: remote_arrival_at_the_end: {{the block of rank|mapa in the shared memory|mbarrier.arrive in the shared memory}} {{.*}}
  llvm.func @remote_arrival_at_the_end(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32 loc("turn")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.mbarrier.arrive %their_bar : !llvm.ptr<7> loc("arrive")
    llvm.return
  }

  // As on the GPU, an address of shared memory as an integer has the block's rank from bit 24 on.
  // CHECK: addresses_carry_the_rank: fine
  llvm.func @addresses_carry_the_rank(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c24 = llvm.mlir.constant(24 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %address = llvm.ptrtoint %mine : !llvm.ptr<3> to i32
    %got = llvm.lshr %address, %c24 : i32
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // Each block pushes to the other one, and may end when what is pushed to it has come.
  // CHECK: pushed: fine
  llvm.func @pushed(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("turn")
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %bar, %c128 : !llvm.ptr<3>, i32
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    ptx.store_async %value, %theirs, %true completes %their_bar : i32, !llvm.ptr<7>, !llvm.ptr<7> loc("push")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("pushed wait")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // Who reads before it has waited at the mbarrier does not know what is there.
  // CHECK: pushed_and_not_awaited: {{uninitialised shared memory|data in flight}}: load of 4 bytes at offset {{[0-9]+}}
  llvm.func @pushed_and_not_awaited(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("turn")
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %bar, %c128 : !llvm.ptr<3>, i32
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    ptx.store_async %value, %theirs, %true completes %their_bar : i32, !llvm.ptr<7>, !llvm.ptr<7> loc("push")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // A block that ends is not there when what is pushed to it comes.
  // CHECK: ends_before_the_push: {{st.async in the shared memory of the block of rank [01], whose threads have all exited|data in flight: the block of rank [01] ends}}
  llvm.func @ends_before_the_push(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("turn")
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %bar, %c128 : !llvm.ptr<3>, i32
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    ptx.store_async %value, %theirs, %true completes %their_bar : i32, !llvm.ptr<7>, !llvm.ptr<7> loc("push")
    llvm.return
  }

  // The mbarrier at which a push completes is of the block that it goes to.
  // CHECK: pushed_to_one_told_to_the_other: st.async to the block of rank {{[01]}} that completes at an mbarrier of rank {{[01]}} [source: "push"
  llvm.func @pushed_to_one_told_to_the_other(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %peer = llvm.xor %rank, %c1 : i32
    %mine = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %b = llvm.mul %rank, %c100 : i32
    %value = llvm.add %b, %t : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("turn")
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %bar, %c128 : !llvm.ptr<3>, i32
    llvm.br ^after1
  ^after1:
    nvvm.cluster.arrive loc("set up arrive")
    nvvm.cluster.wait loc("set up wait")
    %their_bar = nvvm.mapa %bar, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    ptx.store_async %value, %theirs, %true completes %their_bar : i32, !llvm.ptr<7>, !llvm.ptr<7> loc("push")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("pushed wait")
    %got = llvm.load %mine : !llvm.ptr<3> -> i32 loc("get")
    %o0 = llvm.mul %rank, %c32 : i32
    %o1 = llvm.add %o0, %t : i32
    %o = llvm.getelementptr %y[%o1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %got, %o : i32, !llvm.ptr<1>
    llvm.return
  }
}
