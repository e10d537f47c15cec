// What programs get wrong with mbarriers: barriers that are not there, or not known to be there, too many arrivals, bytes
// that nobody expects, phases that parity cannot tell apart, waits that never end, a fence that is not there.
// RUN: tw-emulate %s --each --shared=8192 --arg=f32:1024:iota:ro --arg=f32:64:zeros | FileCheck %s --implicit-check-not=': fine'

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

  // CHECK: arrive_nowhere: mbarrier.arrive at offset 4096 of shared memory, where no mbarrier is initialised [source: "arrive"
  llvm.func @arrive_nowhere(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %ignored3 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("arrive")
    llvm.return
  }

  // CHECK: wait_nowhere: mbarrier.try_wait at offset 4104 of shared memory, where no mbarrier is initialised [source: "wait"
  llvm.func @wait_nowhere(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c4104 = llvm.mlir.constant(4104 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %bar2 = llvm.call @at(%c4104) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar2, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    llvm.return
  }

  // CHECK: load_nowhere: bulk copy that completes at offset 4104 of shared memory, where no mbarrier is initialised [source: "load"
  llvm.func @load_nowhere(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c4104 = llvm.mlir.constant(4104 : i32) : i32
    %bar2 = llvm.call @at(%c4104) : (i32) -> !llvm.ptr<3>
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar2, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: invalidated: mbarrier.arrive at offset 4096 of shared memory, where no mbarrier is initialised [source: "arrive"
  llvm.func @invalidated(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    %ignored4 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("arrive")
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // CHECK: init_twice: mbarrier.init of the mbarrier at offset 4096 (initialised at "full"), which is in use [source: "again"
  llvm.func @init_twice(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.mbarrier.init %bar, %c2 : !llvm.ptr<3>, i32 loc("again")
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // Nothing tells the others that the barrier is there.
  // CHECK: init_unordered: mbarrier.arrive at the mbarrier at offset 4096 (initialised at "full"), and no barrier orders that initialisation before it [source: "arrive"
  llvm.func @init_unordered(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c31 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %v = nvvm.shfl.sync idx %all, %t, %c0, %c31 : i32 -> i32
    %is2 = llvm.call @is(%c7) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    %ignored5 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("arrive")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // A warp's barrier reaches that warp only.
  // CHECK: init_by_other_warp: mbarrier.arrive at the mbarrier at offset 4096 (initialised at "full"), and no barrier orders that initialisation before it [source: "arrive"
  llvm.func @init_by_other_warp(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 64, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c40 = llvm.mlir.constant(40 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    %all = llvm.mlir.constant(-1 : i32) : i32
    nvvm.bar.warp.sync %all : i32
    nvvm.nanosleep %c100
    %is2 = llvm.call @is(%c40) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    %ignored6 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("arrive")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: init_unordered_for_load: bulk copy that completes at the mbarrier at offset 4096 (initialised at "full"), and no barrier orders that initialisation before it [source: "load"
  llvm.func @init_unordered_for_load(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %v = nvvm.shfl.sync idx %all, %t, %c0, %c31 : i32 -> i32
    %is2 = llvm.call @is(%c1) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: one_too_many: arrival overflow: 1 more at the mbarrier at offset 4096 (initialised at "full"), where 0 of 2 arrivals are pending in phase 0 and 64 bytes; the last one was nvvm.mbarrier.arrive.expect_tx at "expect" [source: "one too many"
  llvm.func @one_too_many(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c2 : !llvm.ptr<3>, i32 loc("full")
    %ignored7 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("arrive")
    nvvm.mbarrier.arrive.expect_tx %bar, %c64 : !llvm.ptr<3>, i32 loc("expect")
    %ignored8 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("one too many")
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // CHECK: count_too_high: arrival overflow: 3 more at the mbarrier at offset 4096 (initialised at "full"), where 2 of 2 arrivals are pending in phase 1; the last one was nvvm.mbarrier.arrive at "arrive" [source: "three"
  llvm.func @count_too_high(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c2 : !llvm.ptr<3>, i32 loc("full")
    %ignoredn1 = nvvm.mbarrier.arrive %bar, %c2 : !llvm.ptr<3> -> i64 loc("arrive")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    %ignoredn2 = nvvm.mbarrier.arrive %bar, %c3 : !llvm.ptr<3> -> i64 loc("three")
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // CHECK: count_of_nothing: arrival overflow: 0 more at the mbarrier at offset 4096 (initialised at "full"), where 2 of 2 arrivals are pending in phase 0; {{.*}} [source: "none"
  llvm.func @count_of_nothing(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c2 : !llvm.ptr<3>, i32 loc("full")
    %ignoredn3 = nvvm.mbarrier.arrive %bar, %c0 : !llvm.ptr<3> -> i64 loc("none")
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // CHECK: bytes_unexpected: transaction underflow: a bulk copy of 1024 bytes completes at the mbarrier at offset 4096 (initialised at "full"), which expects 512 bytes more in phase 0 [source: "load"
  llvm.func @bytes_unexpected(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c512 = llvm.mlir.constant(512 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c512 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    llvm.return
  }

  // CHECK: second_copy_unexpected: {{transaction underflow|data in flight}}: {{.*}}[source: "{{load again|use}}"
  llvm.func @second_copy_unexpected(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c2048 = llvm.mlir.constant(2048 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %other = llvm.call @at(%c2048) : (i32) -> !llvm.ptr<3>
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %other, %map, %bar, box[%c0, %c8] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load again")
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    %t1 = nvvm.read.ptx.sreg.tid.x : i32
    %p1 = llvm.getelementptr %other[%t1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o1 = llvm.getelementptr %y[%t1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v1 = llvm.load %p1 : !llvm.ptr<3> -> f32 loc("use")
    llvm.store %v1, %o1 : f32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK: bytes_at_another_barrier: transaction underflow: {{.*}} completes at the mbarrier at offset 4104 (initialised at "full 2"), which expects 512 bytes more in phase 0 [source: "load 2"
  llvm.func @bytes_at_another_barrier(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c512 = llvm.mlir.constant(512 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c1536 = llvm.mlir.constant(1536 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c4104 = llvm.mlir.constant(4104 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %bar2 = llvm.call @at(%c4104) : (i32) -> !llvm.ptr<3>
    %buf2 = llvm.call @at(%c1024) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.mbarrier.init %bar2, %c1 : !llvm.ptr<3>, i32 loc("full 2")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1536 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.mbarrier.arrive.expect_tx %bar2, %c512 : !llvm.ptr<3>, i32 loc("expect 2")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf2, %map, %bar2, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load 2")
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    llvm.return
  }

  // Deadlocks name the barrier and what it lacks.
  // CHECK: bytes_missing: deadlock: 32 threads from thread 0 on wait for parity 0 of the mbarrier at offset 4096 (initialised at "full") in phase 0 with 0 of 1 arrivals and 1024 bytes pending, nvvm.mbarrier.try_wait.parity at "wait" [source: "wait"
  llvm.func @bytes_missing(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c2048 = llvm.mlir.constant(2048 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c2048 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    llvm.return
  }

  // CHECK: arrival_missing: deadlock: 32 threads {{.*}} in phase 0 with 1 of 33 arrivals and 0 bytes pending
  llvm.func @arrival_missing(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c33 = llvm.mlir.constant(33 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c33 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %ignored9 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("arrive")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    llvm.return
  }

  // CHECK: wrong_parity: deadlock: 32 threads {{.*}} wait for parity 1 of the mbarrier at offset 4096 (initialised at "full") in phase 1 with 32 of 32 arrivals
  llvm.func @wrong_parity(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c32 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %ignored10 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("arrive")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    nvvm.mbarrier.try_wait.parity %bar, %c1, %c1000 : !llvm.ptr<3>, i32, i32 loc("wrong")
    llvm.return
  }

  // One thread arrives for two phases; who waits for the first comes too late.
  // CHECK: two_phases_ahead: parity aliasing: phase 1 of the mbarrier at offset 4096 (initialised at "full") ends, and no thread has waited for phase 0; its parity tells the two no longer apart [source: "second"
  llvm.func @two_phases_ahead(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 64, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c32) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.try_wait.parity %bar, %c1, %c1000 : !llvm.ptr<3>, i32, i32 loc("before")
    %ignored11 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("first")
    %ignored12 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("second")
    llvm.br ^after2
  ^after2:
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    llvm.return
  }

  // A stage is loaded twice, and nobody waits for the first time.
  // CHECK: ring_not_waited_for: {{parity aliasing|data in flight}}: {{.*}}[source: "{{load again|expect again}}"
  llvm.func @ring_not_waited_for(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    nvvm.nanosleep %c100
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c8] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load again")
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    llvm.return
  }

  // CHECK: third_phase_first: parity aliasing: phase 2 of the mbarrier at offset 4096 (initialised at "full") ends, and no thread has waited for phase 1; its parity tells the two no longer apart [source: "third"
  llvm.func @third_phase_first(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    %ignored13 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("first")
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("wait")
    %ignored14 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("second")
    %ignored15 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64 loc("third")
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // CHECK: no_init_fence: bulk copy that completes at the mbarrier at offset 4096 (initialised at "full") without fence.mbarrier.init after the initialisation [source: "load"
  llvm.func @no_init_fence(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: init_fence_first: bulk copy that completes at the mbarrier at offset 4096 (initialised at "full") without fence.mbarrier.init after the initialisation [source: "load"
  llvm.func @init_fence_first(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: init_fence_of_another: bulk copy that completes at the mbarrier at offset 4096 (initialised at "full") without fence.mbarrier.init after the initialisation [source: "load"
  llvm.func @init_fence_of_another(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 loc("full")
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c1) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }
}
