// convert-ptx-to-llvm: each instruction becomes inline assembly; vectors travel as 32-bit registers.
// RUN: tw-opt %s --convert-ptx-to-llvm | FileCheck %s

// The fallback shares the result's registers.
// CHECK-LABEL: @load_scalar
// CHECK: llvm.inline_asm has_side_effects "@$2 ld.global.f32 $0, [$1];", "=f,l,b,0" %{{.*}}, %{{.*}}, %{{.*}} : (!llvm.ptr<1>, i1, f32) -> f32
llvm.func @load_scalar(%p: !llvm.ptr<1>, %inside: i1, %x: f32) -> f32 {
  %0 = ptx.load %p, %inside, %x : !llvm.ptr<1>, f32
  llvm.return %0 : f32
}

// CHECK-LABEL: @load_vector
// CHECK: %[[WORDS:.*]] = llvm.bitcast %{{.*}} : vector<8xbf16> to vector<4xi32>
// CHECK-COUNT-4: llvm.extractelement %[[WORDS]]
// CHECK: llvm.inline_asm has_side_effects "@$5 ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
// CHECK-SAME: -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xbf16>
llvm.func @load_vector(%p: !llvm.ptr<1>, %inside: i1, %v: vector<8xbf16>) -> vector<8xbf16> {
  %0 = ptx.load %p, %inside, %v cache(nc) : !llvm.ptr<1>, vector<8xbf16>
  llvm.return %0 : vector<8xbf16>
}

// A byte travels in a 16-bit register.
// CHECK-LABEL: @bytes
// CHECK: "@$2 ld.global.b8 $0, [$1];", "=h,l,b,0"
// CHECK: llvm.trunc %{{.*}} : i16 to i8
// CHECK: llvm.zext %{{.*}} : i8 to i16
// CHECK: "@$2 st.shared.b8 [$1], $0;", "h,l,b"
llvm.func @bytes(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %inside: i1, %x: i8) {
  %0 = ptx.load %p, %inside, %x : !llvm.ptr<1>, i8
  ptx.store %0, %s, %inside : i8, !llvm.ptr<3>
  llvm.return
}

// CHECK-LABEL: @store
// CHECK: "@$3 st.global.cs.v2.f64 [$2], {$0, $1};", "d,d,l,b"
// CHECK: "@$2 st.global.b16 [$1], $0;", "h,l,b"
llvm.func @store(%v: vector<2xf64>, %h: f16, %p: !llvm.ptr<1>, %inside: i1) {
  ptx.store %v, %p, %inside cache(cs) : vector<2xf64>, !llvm.ptr<1>
  ptx.store %h, %p, %inside : f16, !llvm.ptr<1>
  llvm.return
}

// What goes to another block completes at an mbarrier there.
// CHECK-LABEL: @pushes
// CHECK: "@$3 st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [$2], {$0, $1}, [$4];", "f,f,l,b,l,~{memory}"
// CHECK: "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [$1], $0, [$3];", "r,l,b,l,~{memory}"
llvm.func @pushes(%v: vector<2xf32>, %w: i32, %p: !llvm.ptr<7>, %barrier: !llvm.ptr<7>, %inside: i1) {
  %true = llvm.mlir.constant(true) : i1
  ptx.store_async %v, %p, %inside completes %barrier : vector<2xf32>, !llvm.ptr<7>, !llvm.ptr<7>
  ptx.store_async %w, %p, %true completes %barrier : i32, !llvm.ptr<7>, !llvm.ptr<7>
  llvm.return
}

// A policy is the last operand, behind the fallback that shares the result's registers; the constant true is no guard.
// CHECK-LABEL: @policies
// CHECK: llvm.inline_asm "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l"
// CHECK: llvm.inline_asm "createpolicy.fractional.L2::evict_last.b64 $0, 1.0;", "=l"
// CHECK: "ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {$0, $1, $2, $3}, [$4], $10;", "=f,=f,=f,=f,l,b,0,1,2,3,l"
// CHECK: "@$3 ld.global.L1::no_allocate.v2.f32 {$0, $1}, [$2];", "=f,=f,l,b,0,1"
// CHECK: "st.global.L2::cache_hint.v4.f32 [$4], {$0, $1, $2, $3}, $6;", "f,f,f,f,l,b,l"
llvm.func @policies(%v: vector<4xf32>, %w: vector<2xf32>, %p: !llvm.ptr<1>, %inside: i1) -> vector<2xf32> {
  %true = llvm.mlir.constant(true) : i1
  %first = ptx.cache_policy evict_first
  %last = ptx.cache_policy evict_last
  %0 = ptx.load %p, %true, %v policy %first cache(nc_no_allocate) : !llvm.ptr<1>, vector<4xf32>
  %1 = ptx.load %p, %inside, %w cache(no_allocate) : !llvm.ptr<1>, vector<2xf32>
  ptx.store %0, %p, %true policy %last : vector<4xf32>, !llvm.ptr<1>
  llvm.return %1 : vector<2xf32>
}

// CHECK-LABEL: @math
// CHECK: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"
// CHECK: llvm.inline_asm "lg2.approx.f32 $0, $1;", "=f,f"
// CHECK: llvm.inline_asm "sqrt.approx.ftz.f32 $0, $1;", "=f,f"
// CHECK: llvm.inline_asm "tanh.approx.bf16x2 $0, $1;", "=r,r"
llvm.func @math(%x: f32, %h: vector<2xbf16>) -> (vector<2xbf16>) {
  %0 = ptx.ex2 %x ftz : f32
  %1 = ptx.lg2 %0 : f32
  %2 = ptx.sqrt_approx %1 ftz : f32
  %3 = ptx.tanh %h : vector<2xbf16>
  llvm.return %3 : vector<2xbf16>
}

// CHECK-LABEL: @products
// CHECK: llvm.inline_asm "cvt.rna.tf32.f32 $0, $1;", "=r,f"
// CHECK: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32
// CHECK-SAME: "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
llvm.func @products(%x: f32, %a: vector<4xi32>, %b: vector<2xi32>, %c: vector<4xf32>) -> vector<4xf32> {
  %0 = ptx.cvt_rna_tf32 %x : f32 -> i32
  %1 = ptx.mma e4m3 %a, e5m2 %b, %c : vector<4xi32>, vector<2xi32>, vector<4xf32>
  llvm.return %1 : vector<4xf32>
}

// CHECK-LABEL: @halves
// CHECK: llvm.inline_asm "mov.b64 $0, {$1, $2};", "=l,r,r" %{{.*}}, %{{.*}} : (i32, i32) -> i64
llvm.func @halves(%low: i32, %high: i32) -> i64 {
  %0 = ptx.pack %low, %high : i64
  llvm.return %0 : i64
}

// Accumulators are tied, the predicate is an operand or made in place; 8-bit operands have no order of dimensions, integers
// no signs.
// CHECK-LABEL: @warpgroup
// CHECK: llvm.inline_asm has_side_effects "", "=f,=f,=f,=f,0,1,2,3"
// CHECK: llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, $10, 1, 1, 1, 0;", "=f,=f,=f,=f,l,l,0,1,2,3,b"
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, p, 1, 1, 1; }", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3"
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {$0, $1, $2, $3}, $4, $5, p, 1, 1; }", "=f,=f,=f,=f,l,l,0,1,2,3"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,0,1,2,3,r,r,r,r"
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {$0, $1, $2, $3}, $4, $5, p; }", "=r,=r,=r,=r,l,l,0,1,2,3"
llvm.func @warpgroup(%a: i64, %b: i64, %regs: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>,
                     %i: !llvm.struct<(i32, i32, i32, i32)>) {
  %0 = ptx.pin %c : !llvm.struct<(f32, f32, f32, f32)>
  %1 = ptx.wgmma bf16 %a a_mn, bf16 %b, %0 if %p : i64, !llvm.struct<(f32, f32, f32, f32)>
  %2 = ptx.wgmma f16 %regs, f16 %b b_mn, %1 : vector<4xi32>, !llvm.struct<(f32, f32, f32, f32)>
  %3 = ptx.wgmma e4m3 %a, e5m2 %b, %2 overwrite : i64, !llvm.struct<(f32, f32, f32, f32)>
  %4 = ptx.wgmma_wait 1, %3 keep %regs : !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>
  %5 = ptx.wgmma s8 %a, s8 %b, %i : i64, !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// Values that a conditional instruction reads, which no thread executes.
// CHECK-LABEL: @held
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 0, 0; setp.eq.or.b32 p, $0, 0x7fb1d1e5, p; setp.eq.or.b32 p, $1, 0x7fb1d1e5, p; @p nanosleep.u32 32; }", "f,r" %{{.*}}, %{{.*}} : (f32, i32) -> ()
llvm.func @held(%sum: f32, %word: i32) {
  ptx.hold %sum, %word : f32, i32
  llvm.return
}

// Who arrives hands on what it did before, who waits has it; nothing goes through L1.
// CHECK-LABEL: @counters
// CHECK: llvm.inline_asm has_side_effects "red.release.gpu.global.add.u32 [$0], 1;", "l,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "{{.*}}ld.acquire.gpu.global.u32 count, [$1];{{.*}}setp.ne.u32 early, count, $0;{{.*}}@early bra WAIT;{{.*}}", "r,l,~{memory}"
llvm.func @counters(%p: !llvm.ptr<1>, %n: i32) {
  ptx.arrive_counter %p : !llvm.ptr<1>
  ptx.await_counter %n at %p : !llvm.ptr<1>
  llvm.return
}
