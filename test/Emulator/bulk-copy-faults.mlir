// Bulk copies that are used wrongly: stages read before they are full or refilled before they are empty, writes that no
// proxy fence makes visible, stores whose staging is overwritten, maps and addresses that do not fit.
// RUN: tw-emulate %s --each --shared=8192 --arg=f32:1024:iota:ro --arg=f32:256:zeros | FileCheck %s

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

  // CHECK: read_before_full: data in flight: shared load of 4 bytes at offset {{[0-9]+}} meets byte {{[0-9]+}} of a bulk copy that thread 0 issued at "load" and has not waited for [source: "use"
  llvm.func @read_before_full(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
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
    nvvm.fence.mbarrier.init
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
    nvvm.barrier0
    %t1 = nvvm.read.ptx.sreg.tid.x : i32
    %p1 = llvm.getelementptr %buf[%t1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o1 = llvm.getelementptr %y[%t1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v1 = llvm.load %p1 : !llvm.ptr<3> -> f32 loc("use")
    llvm.store %v1, %o1 : f32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK: waits_for_another_stage: data in flight: shared load of 4 bytes at offset {{[0-9]+}} meets byte {{[0-9]+}} of a bulk copy that thread 0 issued at "load 2" and has not waited for [source: "use"
  llvm.func @waits_for_another_stage(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
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
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    nvvm.mbarrier.arrive.expect_tx %bar2, %c1024 : !llvm.ptr<3>, i32 loc("expect 2")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf2, %map, %bar2, box[%c0, %c8] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load 2")
    llvm.br ^after2
  ^after2:
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("full")
    %t2 = nvvm.read.ptx.sreg.tid.x : i32
    %p2 = llvm.getelementptr %buf2[%t2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o2 = llvm.getelementptr %y[%t2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v2 = llvm.load %p2 : !llvm.ptr<3> -> f32 loc("use")
    llvm.store %v2, %o2 : f32, !llvm.ptr<1>
    llvm.return
  }

  // Thread 0 has waited; that tells the others nothing.
  // CHECK: only_one_waits: race on shared memory: load of 4 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was written asynchronously (nvvm.cp.async.bulk.tensor.shared.cluster.global at "load") [source: "use"
  llvm.func @only_one_waits(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
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
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("full")
    llvm.br ^after2
  ^after2:
    %all = llvm.mlir.constant(-1 : i32) : i32
    %v = nvvm.shfl.sync idx %all, %all, %c0, %c31 : i32 -> i32
    %t3 = nvvm.read.ptx.sreg.tid.x : i32
    %p3 = llvm.getelementptr %buf[%t3] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o3 = llvm.getelementptr %y[%t3] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v3 = llvm.load %p3 : !llvm.ptr<3> -> f32 loc("use")
    llvm.store %v3, %o3 : f32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK: overwritten_by_store: data in flight: shared store of 4 bytes at offset {{[0-9]+}} meets byte {{[0-9]+}} of a bulk copy that thread 0 issued at "load" and has not waited for [source: "clear"
  llvm.func @overwritten_by_store(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
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
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    llvm.store %zero, %buf : f32, !llvm.ptr<3> loc("clear")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // The second load may overtake the readers of the first.
  // CHECK: refilled_while_read: race on shared memory: bulk load of 1024 bytes at offset 0, and no barrier since byte {{[0-9]+}} was read by {{.*}} (llvm.load at "use") [source: "refill"
  llvm.func @refilled_while_read(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c4112 = llvm.mlir.constant(4112 : i32) : i32
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
    %empty = llvm.call @at(%c4112) : (i32) -> !llvm.ptr<3>
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("full")
    %t4 = nvvm.read.ptx.sreg.tid.x : i32
    %p4 = llvm.getelementptr %buf[%t4] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o4 = llvm.getelementptr %y[%t4] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v4 = llvm.load %p4 : !llvm.ptr<3> -> f32 loc("use")
    llvm.store %v4, %o4 : f32, !llvm.ptr<1>
    %all = llvm.mlir.constant(-1 : i32) : i32
    %v = nvvm.shfl.sync idx %all, %all, %c0, %c31 : i32 -> i32
    %is3 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is3, ^do3, ^after3
  ^do3:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect again")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c8] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("refill")
    llvm.br ^after3
  ^after3:
    llvm.return
  }

  // All arrive at the empty barrier, and read after that.
  // CHECK: released_before_read: {{race on shared memory|data in flight}}: {{.*}}[source: "{{refill|use}}"
  llvm.func @released_before_read(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c4112 = llvm.mlir.constant(4112 : i32) : i32
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
    %empty = llvm.call @at(%c4112) : (i32) -> !llvm.ptr<3>
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.init %empty, %c32 : !llvm.ptr<3>, i32 loc("empty")
    llvm.br ^after2
  ^after2:
    nvvm.barrier0
    %is3 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is3, ^do3, ^after3
  ^do3:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after3
  ^after3:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("full")
    %ignored1 = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64 loc("release")
    %t5 = nvvm.read.ptx.sreg.tid.x : i32
    %p5 = llvm.getelementptr %buf[%t5] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o5 = llvm.getelementptr %y[%t5] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v5 = llvm.load %p5 : !llvm.ptr<3> -> f32 loc("use")
    llvm.store %v5, %o5 : f32, !llvm.ptr<1>
    %is4 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is4, ^do4, ^after4
  ^do4:
    nvvm.mbarrier.try_wait.parity %empty, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("is empty")
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect again")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c8] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("refill")
    llvm.br ^after4
  ^after4:
    llvm.return
  }

  // The barrier counts 16 of the 32 readers.
  // CHECK: half_released: race on shared memory: bulk load of 1024 bytes at offset 0, and no barrier since byte {{[0-9]+}} was read by {{.*}} (llvm.load at "use") [source: "refill"
  llvm.func @half_released(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c4112 = llvm.mlir.constant(4112 : i32) : i32
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
    %empty = llvm.call @at(%c4112) : (i32) -> !llvm.ptr<3>
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.init %empty, %c16 : !llvm.ptr<3>, i32 loc("empty")
    llvm.br ^after2
  ^after2:
    nvvm.barrier0
    %is3 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is3, ^do3, ^after3
  ^do3:
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after3
  ^after3:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("full")
    %t6 = nvvm.read.ptx.sreg.tid.x : i32
    %p6 = llvm.getelementptr %buf[%t6] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %o6 = llvm.getelementptr %y[%t6] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v6 = llvm.load %p6 : !llvm.ptr<3> -> f32 loc("use")
    llvm.store %v6, %o6 : f32, !llvm.ptr<1>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %odd = llvm.and %tid, %c1 : i32
    %isodd = llvm.icmp "ne" %odd, %c0 : i32
    llvm.cond_br %isodd, ^odd, ^join
  ^odd:
    %ignored2 = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64 loc("release")
    llvm.br ^join
  ^join:
    %is4 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is4, ^do4, ^after4
  ^do4:
    nvvm.mbarrier.try_wait.parity %empty, %c0, %c1000 : !llvm.ptr<3>, i32, i32 loc("is empty")
    nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32 loc("expect again")
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c8] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("refill")
    llvm.br ^after4
  ^after4:
    llvm.return
  }

  // CHECK: ends_with_a_load_on_its_way: data in flight: the block of rank 0 ends, and nothing has waited for the bulk copy to its shared memory at offset 0 [source: "load"
  llvm.func @ends_with_a_load_on_its_way(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
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
    nvvm.fence.mbarrier.init
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

  // CHECK: store_without_proxy_fence: missing proxy fence: bulk store of 1024 bytes at offset 0 goes through the asynchronous proxy, and no fence.proxy.async since byte {{[0-9]+}} was written by thread {{[0-9]+}} (llvm.store at "fill") [source: "store"
  llvm.func @store_without_proxy_fence(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // CHECK: proxy_fence_before_the_writes: missing proxy fence: bulk store of 1024 bytes at offset 0 goes through the asynchronous proxy, and no fence.proxy.async since byte {{[0-9]+}} was written by thread {{[0-9]+}} (llvm.store at "fill") [source: "store"
  llvm.func @proxy_fence_before_the_writes(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // The leader fences its own writes, before it knows of the others'.
  // CHECK: proxy_fence_of_one_writer: missing proxy fence: bulk store of 1024 bytes at offset 0 goes through the asynchronous proxy, and no fence.proxy.async since byte {{[0-9]+}} was written by thread {{[0-9]+}} (llvm.store at "fill") [source: "store"
  llvm.func @proxy_fence_of_one_writer(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // A bulk load over what threads wrote needs the fence as well.
  // CHECK: load_over_writes: missing proxy fence: bulk load of 1024 bytes at offset 0 goes through the asynchronous proxy, and no fence.proxy.async since byte {{[0-9]+}} was written by thread {{[0-9]+}} (llvm.store at "fill") [source: "load"
  llvm.func @load_over_writes(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
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
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
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

  // A fence behind the barrier is as good: it is on the way.
  // CHECK: proxy_fence_of_the_reader: fine
  llvm.func @proxy_fence_of_the_reader(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // CHECK: staging_overwritten: race on shared memory: store of 16 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was read asynchronously (nvvm.cp.async.bulk.tensor.global.shared.cta at "store") [source: "again"
  llvm.func @staging_overwritten(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %rp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %rp : vector<4xf32>, !llvm.ptr<3> loc("again")
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: store_not_committed: race on shared memory: store of 16 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was read asynchronously (nvvm.cp.async.bulk.tensor.global.shared.cta at "store") [source: "again"
  llvm.func @store_not_committed(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %rp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %rp : vector<4xf32>, !llvm.ptr<3> loc("again")
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: one_group_too_many_in_flight: race on shared memory: store of 16 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was read asynchronously (nvvm.cp.async.bulk.tensor.global.shared.cta at "store") [source: "again"
  llvm.func @one_group_too_many_in_flight(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1 {read}
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %rp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %rp : vector<4xf32>, !llvm.ptr<3> loc("again")
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: exit_with_a_store_in_flight: data in flight: thread 0 exits, and has not waited until its bulk store has read shared memory [source: "store"
  llvm.func @exit_with_a_store_in_flight(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // Waiting for the reads is enough to write again, and to exit.
  // CHECK: store_then_reuse: fine
  llvm.func @store_then_reuse(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %rp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %rp : vector<4xf32>, !llvm.ptr<3> loc("again")
    llvm.return
  }

  // CHECK: no_tensor_map: bulk tensor copy with an address that holds no tensor map of the emulator [source: "load"
  llvm.func @no_tensor_map(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %unused: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
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
    %map = llvm.addrspacecast %x : !llvm.ptr<1> to !llvm.ptr
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: wrong_rank: bulk tensor copy with 1 coordinates, and a tensor map of rank 2 [source: "load"
  llvm.func @wrong_rank(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
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
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: map_beyond_the_buffer: out-of-bounds global bulk tensor load of 1024 bytes at offset 4096, 1024 bytes past the end of "argument 0" (4096 bytes) [source: "load"
  llvm.func @map_beyond_the_buffer(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 40], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
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
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c32] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // However far it goes, and whatever lies there, it is the map's own buffer that is left.
  // CHECK: map_into_another_buffer: out-of-bounds global bulk tensor load of 1024 bytes at offset 135168, 132096 bytes past the end of "argument 0" (4096 bytes) [source: "load"
  llvm.func @map_into_another_buffer(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 1064], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1056 = llvm.mlir.constant(1056 : i32) : i32
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
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%c0, %c1056] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: destination_misaligned: misaligned shared bulk load of 1024 bytes: offset 64 is not a multiple of 128 [source: "load"
  llvm.func @destination_misaligned(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
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
    %odd = llvm.call @at(%c64) : (i32) -> !llvm.ptr<3>
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.tensor.shared.cluster.global %odd, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: destination_beyond: out-of-bounds shared bulk load of 1024 bytes at offset 7680, 512 bytes past the block{{.}}s 8192 bytes of shared memory [source: "load"
  llvm.func @destination_beyond(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c7680 = llvm.mlir.constant(7680 : i32) : i32
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
    %end = llvm.call @at(%c7680) : (i32) -> !llvm.ptr<3>
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.cp.async.bulk.tensor.shared.cluster.global %end, %map, %bar, box[%c0, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: plain_of_odd_bytes: bulk copy of 24 bytes, not a positive multiple of 16 [source: "load"
  llvm.func @plain_of_odd_bytes(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c24 = llvm.mlir.constant(24 : i32) : i32
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
    nvvm.cp.async.bulk.shared.cluster.global %buf, %x, %bar, %c24 : !llvm.ptr<3>, !llvm.ptr<1> loc("load")
    llvm.br ^after2
  ^after2:
    llvm.return
  }

  // CHECK: read_only: global bulk tensor store of 1024 bytes at offset 0 of "argument 0", which is read-only [source: "store"
  llvm.func @read_only(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 32], strides = [128], box = [32, 8], swizzle = 128>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [32, 8], strides = [128], box = [32, 8]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %ft = nvvm.read.ptx.sreg.tid.x : i32
    %ff = llvm.sitofp %ft : i32 to f32
    %fz = llvm.mlir.undef : vector<4xf32>
    %fv = llvm.insertelement %ff, %fz[%c0 : i32] : vector<4xf32>
    %fw = llvm.shufflevector %fv, %fv [0, 0, 0, 0] : vector<4xf32>
    %fp = llvm.getelementptr %buf[%ft] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %fq = llvm.getelementptr %fp[%c32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    llvm.store %fw, %fp : vector<4xf32>, !llvm.ptr<3> loc("fill")
    llvm.store %fw, %fq : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %out, %buf, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3> loc("store")
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after1
  ^after1:
    llvm.return
  }
}
