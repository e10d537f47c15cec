// Products of warpgroups as programs spell them: ptx.wgmma with a choice at run time and with A in registers, nvvm's of
// the element types. Every operand is all ones; register 1 of each thread is printed.
// RUN: tw-emulate %s --kernel=chosen --arg=f32:16:zeros --arg=f32:128:zeros --print=1 | FileCheck %s --check-prefix=CHOSEN
// RUN: tw-emulate %s --kernel=fragment --arg=f32:16:zeros --arg=f32:128:zeros --print=1 | FileCheck %s --check-prefix=FRAGMENT
// RUN: tw-emulate %s --kernel=floats_of_8_bits --arg=f32:16:zeros --arg=f32:128:zeros --print=1 | FileCheck %s --check-prefix=FLOATS-OF-8-BITS
// RUN: tw-emulate %s --kernel=tf32 --arg=f32:16:zeros --arg=f32:128:zeros --print=1 | FileCheck %s --check-prefix=TF32
// RUN: tw-emulate %s --kernel=integers --arg=f32:16:zeros --arg=i32:128:zeros --print=1 | FileCheck %s --check-prefix=INTEGERS
// RUN: tw-emulate %s --kernel=mn_major --arg=f32:16:zeros --arg=f32:128:zeros --print=1 | FileCheck %s --check-prefix=MN-MAJOR

!acc = !llvm.struct<(f32, f32, f32, f32)>
!int = !llvm.struct<(i32, i32, i32, i32)>

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

  // bf16: overwritten (16), then not accumulated by choice (16), then accumulated by choice (32); then with 5 in front.
  // CHOSEN: 37 37 37 37
  llvm.func @chosen(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %word = llvm.mlir.constant(1065369472 : i32) : i32
    %zero4 = llvm.mlir.zero : vector<4xi32>
    %one4 = llvm.insertelement %word, %zero4[%c0 : i32] : vector<4xi32>
    %ones = llvm.shufflevector %one4, %one4 [0, 0, 0, 0] : vector<4xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s0 : vector<4xi32>, !llvm.ptr<3>
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s1 : vector<4xi32>, !llvm.ptr<3>
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s2 : vector<4xi32>, !llvm.ptr<3>
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s3 : vector<4xi32>, !llvm.ptr<3>
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s4 : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %five = llvm.mlir.constant(5.0 : f32) : f32
    %u = llvm.mlir.undef : !acc
    %a0 = llvm.insertvalue %five, %u[0] : !acc
    %a1 = llvm.insertvalue %five, %a0[1] : !acc
    %a2 = llvm.insertvalue %five, %a1[2] : !acc
    %a3 = llvm.insertvalue %five, %a2[3] : !acc
    %no = llvm.mlir.constant(false) : i1
    %yes = llvm.mlir.constant(true) : i1
    nvvm.wgmma.fence.aligned
    %p = ptx.wgmma bf16 %da, bf16 %db, %a3 overwrite : i64, !acc
    %q = ptx.wgmma bf16 %da, bf16 %db, %p if %no : i64, !acc
    %s = ptx.wgmma bf16 %da, bf16 %db, %q if %yes : i64, !acc
    nvvm.wgmma.commit.group.sync.aligned
    %w = ptx.wgmma_wait 0, %s : !acc
    %w0 = llvm.extractvalue %w[0] : !acc
    %x0 = llvm.fadd %w0, %five : f32
    %y0 = llvm.insertvalue %x0, %u[0] : !acc
    %w1 = llvm.extractvalue %w[1] : !acc
    %x1 = llvm.fadd %w1, %five : f32
    %y1 = llvm.insertvalue %x1, %y0[1] : !acc
    %w2 = llvm.extractvalue %w[2] : !acc
    %x2 = llvm.fadd %w2, %five : f32
    %y2 = llvm.insertvalue %x2, %y1[2] : !acc
    %w3 = llvm.extractvalue %w[3] : !acc
    %x3 = llvm.fadd %w3, %five : f32
    %y3 = llvm.insertvalue %x3, %y2[3] : !acc
    %r = ptx.pin %y3 : !acc
    %e = llvm.extractvalue %r[1] : !acc
    %o = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %o : f32, !llvm.ptr<1>
    llvm.return
  }

  // A of twos from registers: 5 + 16 * 2.
  // FRAGMENT: 37 37 37 37
  llvm.func @fragment(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %word = llvm.mlir.constant(1065369472 : i32) : i32
    %zero4 = llvm.mlir.zero : vector<4xi32>
    %one4 = llvm.insertelement %word, %zero4[%c0 : i32] : vector<4xi32>
    %ones = llvm.shufflevector %one4, %one4 [0, 0, 0, 0] : vector<4xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s0 : vector<4xi32>, !llvm.ptr<3>
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s1 : vector<4xi32>, !llvm.ptr<3>
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s2 : vector<4xi32>, !llvm.ptr<3>
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s3 : vector<4xi32>, !llvm.ptr<3>
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s4 : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %five = llvm.mlir.constant(5.0 : f32) : f32
    %u = llvm.mlir.undef : !acc
    %a0 = llvm.insertvalue %five, %u[0] : !acc
    %a1 = llvm.insertvalue %five, %a0[1] : !acc
    %a2 = llvm.insertvalue %five, %a1[2] : !acc
    %a3 = llvm.insertvalue %five, %a2[3] : !acc
    %two = llvm.mlir.constant(1073758208 : i32) : i32
    %two4 = llvm.insertelement %two, %zero4[%c0 : i32] : vector<4xi32>
    %twos = llvm.shufflevector %two4, %two4 [0, 0, 0, 0] : vector<4xi32>
    %pinned = ptx.pin %twos : vector<4xi32>
    nvvm.wgmma.fence.aligned
    %p = ptx.wgmma bf16 %pinned, bf16 %db, %a3 : vector<4xi32>, !acc
    nvvm.wgmma.commit.group.sync.aligned
    %r = ptx.wgmma_wait 0, %p keep %pinned : !acc, vector<4xi32>
    %e = llvm.extractvalue %r[1] : !acc
    %o = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %o : f32, !llvm.ptr<1>
    llvm.return
  }

  // e4m3: 5 + 32.
  // FLOATS-OF-8-BITS: 37 37 37 37
  llvm.func @floats_of_8_bits(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %word = llvm.mlir.constant(943208504 : i32) : i32
    %zero4 = llvm.mlir.zero : vector<4xi32>
    %one4 = llvm.insertelement %word, %zero4[%c0 : i32] : vector<4xi32>
    %ones = llvm.shufflevector %one4, %one4 [0, 0, 0, 0] : vector<4xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s0 : vector<4xi32>, !llvm.ptr<3>
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s1 : vector<4xi32>, !llvm.ptr<3>
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s2 : vector<4xi32>, !llvm.ptr<3>
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s3 : vector<4xi32>, !llvm.ptr<3>
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s4 : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %five = llvm.mlir.constant(5.0 : f32) : f32
    %u = llvm.mlir.undef : !acc
    %a0 = llvm.insertvalue %five, %u[0] : !acc
    %a1 = llvm.insertvalue %five, %a0[1] : !acc
    %a2 = llvm.insertvalue %five, %a1[2] : !acc
    %a3 = llvm.insertvalue %five, %a2[3] : !acc
    nvvm.wgmma.fence.aligned
    %r = nvvm.wgmma.mma_async %da, %db, %a3, #nvvm.shape<m = 64, n = 8, k = 32>, D [<f32>, <one>], A [<e4m3>, <one>, <row>], B [<e4m3>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %r[1] : !acc
    %o = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %o : f32, !llvm.ptr<1>
    llvm.return
  }

  // tf32, A negated: 5 - 8.
  // TF32: -3 -3 -3 -3
  llvm.func @tf32(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %word = llvm.mlir.constant(1065353216 : i32) : i32
    %zero4 = llvm.mlir.zero : vector<4xi32>
    %one4 = llvm.insertelement %word, %zero4[%c0 : i32] : vector<4xi32>
    %ones = llvm.shufflevector %one4, %one4 [0, 0, 0, 0] : vector<4xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s0 : vector<4xi32>, !llvm.ptr<3>
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s1 : vector<4xi32>, !llvm.ptr<3>
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s2 : vector<4xi32>, !llvm.ptr<3>
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s3 : vector<4xi32>, !llvm.ptr<3>
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s4 : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %five = llvm.mlir.constant(5.0 : f32) : f32
    %u = llvm.mlir.undef : !acc
    %a0 = llvm.insertvalue %five, %u[0] : !acc
    %a1 = llvm.insertvalue %five, %a0[1] : !acc
    %a2 = llvm.insertvalue %five, %a1[2] : !acc
    %a3 = llvm.insertvalue %five, %a2[3] : !acc
    nvvm.wgmma.fence.aligned
    %r = nvvm.wgmma.mma_async %da, %db, %a3, #nvvm.shape<m = 64, n = 8, k = 8>, D [<f32>, <one>], A [<tf32>, <neg>, <row>], B [<tf32>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %r[1] : !acc
    %o = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %o : f32, !llvm.ptr<1>
    llvm.return
  }

  // s8 of -1: 32 times -1 * -1.
  // INTEGERS: 32 32 32 32
  llvm.func @integers(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %word = llvm.mlir.constant(-1 : i32) : i32
    %zero4 = llvm.mlir.zero : vector<4xi32>
    %one4 = llvm.insertelement %word, %zero4[%c0 : i32] : vector<4xi32>
    %ones = llvm.shufflevector %one4, %one4 [0, 0, 0, 0] : vector<4xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s0 : vector<4xi32>, !llvm.ptr<3>
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s1 : vector<4xi32>, !llvm.ptr<3>
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s2 : vector<4xi32>, !llvm.ptr<3>
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s3 : vector<4xi32>, !llvm.ptr<3>
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s4 : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %z = llvm.mlir.zero : !int
    nvvm.wgmma.fence.aligned
    %r = nvvm.wgmma.mma_async %da, %db, %z, #nvvm.shape<m = 64, n = 8, k = 32>, D [<s32>, <one>], A [<s8>, <one>, <row>], B [<s8>, <one>, <col>] : !int -> !int
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %r[1] : !int
    %o = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // Both operands with M and N contiguous.
  // MN-MAJOR: 16 16 16 16
  llvm.func @mn_major(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 16384>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %b_at = llvm.mlir.constant(512 : i64) : i64
    %word = llvm.mlir.constant(1065369472 : i32) : i32
    %zero4 = llvm.mlir.zero : vector<4xi32>
    %one4 = llvm.insertelement %word, %zero4[%c0 : i32] : vector<4xi32>
    %ones = llvm.shufflevector %one4, %one4 [0, 0, 0, 0] : vector<4xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at16 = llvm.mul %tid, %c16 : i32
    %slot = llvm.call @at(%at16) : (i32) -> !llvm.ptr<3>
    %s0 = llvm.getelementptr %slot[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s0 : vector<4xi32>, !llvm.ptr<3>
    %s1 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s1 : vector<4xi32>, !llvm.ptr<3>
    %s2 = llvm.getelementptr %slot[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s2 : vector<4xi32>, !llvm.ptr<3>
    %s3 = llvm.getelementptr %slot[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s3 : vector<4xi32>, !llvm.ptr<3>
    %s4 = llvm.getelementptr %slot[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %ones, %s4 : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %da = llvm.or %high, %high : i64
    %db = llvm.or %high, %b_at : i64
    %z = llvm.mlir.zero : !acc
    nvvm.wgmma.fence.aligned
    %r = ptx.wgmma bf16 %da a_mn, bf16 %db b_mn, %z : i64, !acc
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %r[1] : !acc
    %o = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %o : f32, !llvm.ptr<1>
    llvm.return
  }
}
