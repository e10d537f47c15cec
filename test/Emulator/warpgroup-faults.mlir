// Warpgroups that do it wrongly: accumulators used and operands overwritten while a product is in flight, fences and
// descriptors, budgets of registers, barriers at which some arrive and others wait.
// RUN: tw-emulate %s --each --arg=f32:16:zeros --arg=f32:256:zeros | FileCheck %s

!acc = !llvm.struct<(f32, f32, f32, f32)>

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

  // CHECK: fine_product: fine
  llvm.func @fine_product(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %ed = llvm.extractvalue %d[0] : !acc
    %od = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ed, %od : f32, !llvm.ptr<1> loc("use")
    llvm.return
  }

  // CHECK: used_without_wait: data in flight: the accumulators of nvvm.wgmma.mma_async at "product" are used, and thread {{[0-9]+}} has not waited for its group (1 groups committed, 0 waited for) [source: "use"
  llvm.func @used_without_wait(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    %ed = llvm.extractvalue %d[0] : !acc
    %od = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ed, %od : f32, !llvm.ptr<1> loc("use")
    llvm.return
  }

  // The first group is over, the second is not.
  // CHECK: used_with_a_group_pending: data in flight: the accumulators of nvvm.wgmma.mma_async at "second" are used, and thread {{[0-9]+}} has not waited for its group (2 groups committed, 1 waited for) [source: "use"
  llvm.func @used_with_a_group_pending(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("first")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.fence.aligned
    %e = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("second")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    %ee = llvm.extractvalue %e[0] : !acc
    %oe = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ee, %oe : f32, !llvm.ptr<1> loc("use")
    llvm.return
  }

  // CHECK: used_without_commit: data in flight: the accumulators of nvvm.wgmma.mma_async at "product" are used, and thread {{[0-9]+}} has not committed its group (0 groups committed, 0 waited for) [source: "use"
  llvm.func @used_without_commit(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.wait.group.sync.aligned 0
    %ed = llvm.extractvalue %d[0] : !acc
    %od = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ed, %od : f32, !llvm.ptr<1> loc("use")
    llvm.return
  }

  // Through a block argument.
  // CHECK: used_round_a_loop: data in flight: the accumulators of nvvm.wgmma.mma_async at "product" are used, and thread {{[0-9]+}} has not waited for its group (2 groups committed, 1 waited for) [source: "use"
  llvm.func @used_round_a_loop(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    llvm.br ^loop(%c0, %nothing : i32, !acc)
  ^loop(%i: i32, %acc: !acc):
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "slt" %i1, %c2 : i32
    llvm.cond_br %more, ^loop(%i1, %d : i32, !acc), ^end(%d : !acc)
  ^end(%result: !acc):
    %eresult = llvm.extractvalue %result[0] : !acc
    %oresult = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %eresult, %oresult : f32, !llvm.ptr<1> loc("use")
    llvm.return
  }

  // What the first group made may be used while the second runs.
  // CHECK: other_group_is_over: fine
  llvm.func @other_group_is_over(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("first")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.fence.aligned
    %e = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("second")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    %ed = llvm.extractvalue %d[0] : !acc
    %od = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ed, %od : f32, !llvm.ptr<1> loc("use")
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // ptx.wgmma_wait gives the accumulators.
  // CHECK: handed_on_by_the_wait: fine
  llvm.func @handed_on_by_the_wait(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    %v = ptx.wgmma_wait 0, %d : !acc
    %ev = llvm.extractvalue %v[0] : !acc
    %ov = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ev, %ov : f32, !llvm.ptr<1> loc("use")
    llvm.return
  }

  // CHECK: operand_overwritten: race on shared memory: store of 16 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was read asynchronously (nvvm.wgmma.mma_async at "product") [source: "overwrite"
  llvm.func @operand_overwritten(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("overwrite")
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // One group may stay in flight: it is this one.
  // CHECK: operand_overwritten_early: race on shared memory: store of 16 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was read asynchronously (nvvm.wgmma.mma_async at "product") [source: "overwrite"
  llvm.func @operand_overwritten_early(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("overwrite")
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: operand_overwritten_uncommitted: race on shared memory: store of 16 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was read asynchronously (nvvm.wgmma.mma_async at "product") [source: "overwrite"
  llvm.func @operand_overwritten_uncommitted(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("overwrite")
    nvvm.wgmma.commit.group.sync.aligned
    llvm.return
  }

  // Each thread has waited; warp 3 may overwrite what it knows to be read, for the wait is the warpgroup's.
  // CHECK: operand_overwritten_by_others: fine
  llvm.func @operand_overwritten_by_others(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("overwrite")
    llvm.return
  }

  // CHECK: operand_unfenced: missing proxy fence: wgmma operand of 16 bytes at offset {{[0-9]+}} {{.*}} was written by thread {{[0-9]+}} (llvm.store at "late") [source: "product"
  llvm.func @operand_unfenced(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("late")
    nvvm.barrier0
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: operand_unordered: race on shared memory: wgmma operand of 16 bytes at offset {{[0-9]+}}, and no barrier since byte {{[0-9]+}} was written by thread {{[0-9]+}} (llvm.store at "late") [source: "product"
  llvm.func @operand_unordered(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("late")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: no_wgmma_fence: wgmma of thread {{[0-9]+}} without wgmma.fence since its last commit: nothing orders its registers [source: "product"
  llvm.func @no_wgmma_fence(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: wgmma_fence_once: wgmma of thread {{[0-9]+}} without wgmma.fence since its last commit: nothing orders its registers [source: "second"
  llvm.func @wgmma_fence_once(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("first")
    nvvm.wgmma.commit.group.sync.aligned
    %e = nvvm.wgmma.mma_async %da, %db, %d, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("second")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: wgmma_fence_of_one_warp: wgmma of thread {{[0-9]+}} without wgmma.fence since its last commit: nothing orders its registers [source: "product"
  llvm.func @wgmma_fence_of_one_warp(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %warp = llvm.udiv %tid, %c32 : i32
    %is_warp = llvm.icmp "eq" %warp, %c0 : i32
    llvm.cond_br %is_warp, ^fence, ^go
  ^fence:
    nvvm.wgmma.fence.aligned
    llvm.br ^go
  ^go:
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: descriptor_beyond: out-of-bounds shared wgmma operand of 16 bytes at offset 16384, 16 bytes past the block{{.}}s 16384 bytes of shared memory [source: "product"
  llvm.func @descriptor_beyond(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %far = llvm.mlir.constant(1024 : i64) : i64
    %dfar = llvm.or %high, %far : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %dfar, %dfar, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: descriptors_differ: divergent collective: descriptors {{.*}} of thread {{[0-9]+}} differ from {{.*}} [source: "product"
  llvm.func @descriptors_differ(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %wide = llvm.zext %tid : i32 to i64
    %own = llvm.or %high, %wide : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %own, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: base_offset: descriptor {{.*}} of A has base offset 1, which the emulator does not model [source: "product"
  llvm.func @base_offset(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %bo = llvm.mlir.constant(562949953421312 : i64) : i64
    %dbo = llvm.or %high, %bo : i64
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %dbo, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: one_warp_is_missing: {{deadlock|divergent collective}}: 96 threads from thread 0 on wait for the rest of warpgroup 0, nvvm.wgmma.mma_async at "product"; 32 have exited [source: "product"
  llvm.func @one_warp_is_missing(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %nothing = llvm.mlir.zero : !acc
    %zeros = llvm.mlir.zero : vector<4xf32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s0 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s1 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s2 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s3 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zeros, %s4 : vector<4xf32>, !llvm.ptr<3> loc("fill")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %warp = llvm.udiv %tid, %c32 : i32
    %is_warp = llvm.icmp "eq" %warp, %c3 : i32
    llvm.cond_br %is_warp, ^out, ^go
  ^out:
    llvm.return
  ^go:
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %nothing, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("product")
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // CHECK: budget_kept: fine
  llvm.func @budget_kept(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 384>, nvvm.minctasm = 1 : i32, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 384, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.setmaxregister decrease 40 loc("producer")
    llvm.br ^end
  ^second:
    nvvm.setmaxregister increase 232 loc("consumer")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // 168 registers each, of which 64 are given back.
  // CHECK: budget_exceeded: register budget: 128 threads from thread 128 on wait for 240 registers of each thread of warpgroup 1, which has 168, and the block has 8192 left of all, nvvm.setmaxregister at "consumer"; 256 have exited [source: "consumer"
  llvm.func @budget_exceeded(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 384>, nvvm.minctasm = 1 : i32, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 384, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.setmaxregister decrease 136 loc("producer")
    llvm.br ^end
  ^second:
    nvvm.setmaxregister increase 240 loc("consumer")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: nothing_given_back: register budget: 128 threads from thread 128 on wait for 192 registers of each thread of warpgroup 1, which has 168, and the block has 0 left of all
  llvm.func @nothing_given_back(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 384>, nvvm.minctasm = 1 : i32, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 384, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    llvm.br ^end
  ^second:
    nvvm.setmaxregister increase 192 loc("consumer")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: decrease_upwards: register budget: setmaxnreg.dec to 232 registers of a thread, which has 168 [source: "producer"
  llvm.func @decrease_upwards(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 384>, nvvm.minctasm = 1 : i32, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 384, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.setmaxregister decrease 232 loc("producer")
    llvm.br ^end
  ^second:
    nvvm.setmaxregister increase 232 loc("consumer")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: increase_downwards: register budget: setmaxnreg.inc to 40 registers of a thread, which has 168 [source: "consumer"
  llvm.func @increase_downwards(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 384>, nvvm.minctasm = 1 : i32, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 384, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    llvm.br ^end
  ^second:
    nvvm.setmaxregister increase 40 loc("consumer")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Who waits knows what those who arrived did.
  // CHECK: arrive_and_wait: fine
  llvm.func @arrive_and_wait(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 256, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    %q = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.icmp "eq" %tid, %c0 : i32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    llvm.cond_br %is1, ^put, ^done_put
  ^put:
    llvm.store %one, %q : f32, !llvm.ptr<3> loc("put")
    llvm.br ^done_put
  ^done_put:
    nvvm.barrier.arrive id = %c3 number_of_threads = %c256 loc("arrive")
    llvm.br ^end
  ^second:
    "nvvm.barrier"(%c3, %c256) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("wait")
    %r = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %v = llvm.load %r : !llvm.ptr<3> -> f32 loc("get")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: arrived_too_early: {{race on shared memory|uninitialised shared memory}}: {{.*}}
  llvm.func @arrived_too_early(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 256, shared = 8192>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.barrier.arrive id = %c3 number_of_threads = %c256 loc("arrive")
    %q = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.icmp "eq" %tid, %c0 : i32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    llvm.cond_br %is1, ^put, ^done_put
  ^put:
    llvm.store %one, %q : f32, !llvm.ptr<3> loc("put")
    llvm.br ^done_put
  ^done_put:
    llvm.br ^end
  ^second:
    "nvvm.barrier"(%c3, %c256) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("wait")
    %r = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %v = llvm.load %r : !llvm.ptr<3> -> f32 loc("get")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: arrival_left_out: {{deadlock: 128 threads from thread 128 on wait|divergent barrier: thread [0-9]+ waits}} at barrier 3 for 256 threads, {{.*}} have exited [source: "wait"
  llvm.func @arrival_left_out(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 256, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.nanosleep %c100
    llvm.br ^end
  ^second:
    nvvm.nanosleep %c100
    "nvvm.barrier"(%c3, %c256) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("wait")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: arrived_at_another: {{deadlock: 128 threads from thread 128 on wait|divergent barrier: thread [0-9]+ waits}} at barrier 3 for 256 threads, {{.*}} have exited [source: "wait"
  llvm.func @arrived_at_another(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 256, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.barrier.arrive id = %c4 number_of_threads = %c256 loc("arrive")
    llvm.br ^end
  ^second:
    "nvvm.barrier"(%c3, %c256) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("wait")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: arrived_twice: divergent barrier: thread {{[0-9]+}} arrives twice at barrier 3 before it completes [source: "again"
  llvm.func @arrived_twice(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 256, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.barrier.arrive id = %c3 number_of_threads = %c256 loc("arrive")
    nvvm.barrier.arrive id = %c3 number_of_threads = %c256 loc("again")
    llvm.br ^end
  ^second:
    nvvm.nanosleep %c100
    llvm.br ^end
  ^end:
    llvm.return
  }

  // CHECK: counts_differ: divergent barrier: {{.*}} at barrier 3 for {{.*}}[source: "{{arrive|wait}}"
  llvm.func @counts_differ(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 256, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c192 = llvm.mlir.constant(192 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.barrier.arrive id = %c3 number_of_threads = %c192 loc("arrive")
    llvm.br ^end
  ^second:
    "nvvm.barrier"(%c3, %c256) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("wait")
    llvm.br ^end
  ^end:
    llvm.return
  }

  // An arrival that nobody waits for is no fault.
  // CHECK: left_over: fine
  llvm.func @left_over(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 256, shared = 8192>} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %group = llvm.udiv %tid, %c128 : i32
    %is_second = llvm.icmp "eq" %group, %c1 : i32
    llvm.cond_br %is_second, ^second, ^first
  ^first:
    nvvm.nanosleep %c100
    llvm.br ^end
  ^second:
    nvvm.barrier.arrive id = %c3 number_of_threads = %c256 loc("arrive")
    llvm.br ^end
  ^end:
    llvm.return
  }
}
