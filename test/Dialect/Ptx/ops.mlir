// Every ptx op and attribute round-trips, as text and as bytecode.
// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.func @memory
  // CHECK-SAME: ptx.launch = #ptx.launch<grid = [64, 2, 1], block = 128, shared = 49152, cluster = [2, 1, 1]>
  // CHECK-SAME: ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 16>
  llvm.func @memory(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %inside: i1, %x: f32, %v: vector<8xbf16>) attributes {
      nvvm.kernel,
      ptx.launch = #ptx.launch<grid = [64, 2, 1], block = 128, shared = 49152, cluster = [2, 1, 1]>,
      ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 16>} {
    // CHECK: ptx.load %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr<1>, f32
    %0 = ptx.load %p, %inside, %x : !llvm.ptr<1>, f32
    // CHECK: ptx.load %{{.*}}, %{{.*}}, %{{.*}} cache(nc_no_allocate) : !llvm.ptr<1>, vector<8xbf16>
    %1 = ptx.load %p, %inside, %v cache(nc_no_allocate) : !llvm.ptr<1>, vector<8xbf16>
    // CHECK: ptx.load %{{.*}} : !llvm.ptr<3>, f32
    %2 = ptx.load %s, %inside, %x : !llvm.ptr<3>, f32
    // CHECK: ptx.store %{{.*}}, %{{.*}}, %{{.*}} cache(cs) : vector<8xbf16>, !llvm.ptr<1>
    ptx.store %1, %p, %inside cache(cs) : vector<8xbf16>, !llvm.ptr<1>
    // CHECK: ptx.store %{{.*}} : f32, !llvm.ptr<3>
    ptx.store %2, %s, %inside : f32, !llvm.ptr<3>
    // CHECK: %[[POLICY:.*]] = ptx.cache_policy evict_first
    %policy = ptx.cache_policy evict_first
    // CHECK: ptx.load %{{.*}}, %{{.*}}, %{{.*}} policy %[[POLICY]] cache(no_allocate) : !llvm.ptr<1>, f32
    %3 = ptx.load %p, %inside, %x policy %policy cache(no_allocate) : !llvm.ptr<1>, f32
    // CHECK: ptx.store %{{.*}}, %{{.*}}, %{{.*}} policy %[[POLICY]] : f32, !llvm.ptr<1>
    ptx.store %3, %p, %inside policy %policy : f32, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @pushes(%v: vector<4xf32>, %p: !llvm.ptr<7>, %barrier: !llvm.ptr<7>, %inside: i1) {
    // CHECK: ptx.store_async %{{.*}}, %{{.*}}, %{{.*}} completes %{{.*}} : vector<4xf32>, !llvm.ptr<7>, !llvm.ptr<7>
    ptx.store_async %v, %p, %inside completes %barrier : vector<4xf32>, !llvm.ptr<7>, !llvm.ptr<7>
    llvm.return
  }

  // CHECK: #ptx.launch<grid = [1, 1, 1], block = 32>
  llvm.func @math(%x: f32, %h: vector<2xbf16>) -> f32 attributes {
      ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    // CHECK: ptx.ex2 %{{.*}} ftz : f32
    %0 = ptx.ex2 %x ftz : f32
    // CHECK: ptx.ex2 %{{.*}} ftz : vector<2xbf16>
    %1 = ptx.ex2 %h ftz : vector<2xbf16>
    // CHECK: ptx.lg2 %{{.*}} : f32
    %2 = ptx.lg2 %0 : f32
    // CHECK: ptx.rcp %{{.*}} ftz : f32
    %3 = ptx.rcp %2 ftz : f32
    // CHECK: ptx.rsqrt
    %4 = ptx.rsqrt %3 : f32
    // CHECK: ptx.sqrt_approx
    %5 = ptx.sqrt_approx %4 : f32
    // CHECK: ptx.tanh %{{.*}} : f32
    %6 = ptx.tanh %5 : f32
    // CHECK: ptx.sin
    %7 = ptx.sin %6 : f32
    // CHECK: ptx.cos
    %8 = ptx.cos %7 : f32
    llvm.return %8 : f32
  }

  llvm.func @products(%x: f32, %a: vector<4xi32>, %b: vector<2xi32>, %c: vector<4xf32>) -> vector<4xf32> {
    // CHECK: ptx.cvt_rna_tf32 %{{.*}} : f32 -> i32
    %0 = ptx.cvt_rna_tf32 %x : f32 -> i32
    // CHECK: ptx.mma e4m3 %{{.*}}, e5m2 %{{.*}}, %{{.*}} : vector<4xi32>, vector<2xi32>, vector<4xf32>
    %1 = ptx.mma e4m3 %a, e5m2 %b, %c : vector<4xi32>, vector<2xi32>, vector<4xf32>
    llvm.return %1 : vector<4xf32>
  }
  llvm.func @halves(%low: i32, %high: i32) -> i64 {
    // CHECK: ptx.pack %{{.*}}, %{{.*}} : i64
    %0 = ptx.pack %low, %high : i64
    llvm.return %0 : i64
  }
  llvm.func @warpgroup(%a: i64, %b: i64, %regs: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>,
                       %i: !llvm.struct<(i32, i32, i32, i32)>, %s: f32, %w: i32) {
    // CHECK: ptx.pin %{{.*}} : !llvm.struct<(f32, f32, f32, f32)>
    %0 = ptx.pin %c : !llvm.struct<(f32, f32, f32, f32)>
    // CHECK: ptx.wgmma bf16 %{{.*}} a_mn, bf16 %{{.*}} b_mn, %{{.*}} if %{{.*}} : i64, <(f32, f32, f32, f32)>
    %1 = ptx.wgmma bf16 %a a_mn, bf16 %b b_mn, %0 if %p : i64, !llvm.struct<(f32, f32, f32, f32)>
    // CHECK: ptx.wgmma e4m3 %{{.*}}, e5m2 %{{.*}}, %{{.*}} overwrite : vector<4xi32>, <(f32, f32, f32, f32)>
    %2 = ptx.wgmma e4m3 %regs, e5m2 %b, %1 overwrite : vector<4xi32>, !llvm.struct<(f32, f32, f32, f32)>
    // CHECK: ptx.wgmma_wait 0, %{{.*}} keep %{{.*}} : <(f32, f32, f32, f32)>, vector<4xi32>
    %3 = ptx.wgmma_wait 0, %2 keep %regs : !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>
    // CHECK: ptx.hold %{{.*}}, %{{.*}} : f32, i32
    ptx.hold %s, %w : f32, i32
    // CHECK: ptx.wgmma s8 %{{.*}}, u8 %{{.*}}, %{{.*}} : i64, <(i32, i32, i32, i32)>
    %4 = ptx.wgmma s8 %a, u8 %b, %i : i64, !llvm.struct<(i32, i32, i32, i32)>
    llvm.return
  }
  llvm.func @counters(%p: !llvm.ptr<1>, %x: !llvm.ptr<1> {ptx.footprint = [array<i64: 0, 4, 0, 0, 124, 1, 4, 32, 0>]}, %n: i32) {
    // CHECK: llvm.func @counters
    // CHECK-SAME: {ptx.footprint = [array<i64: 0, 4, 0, 0, 124, 1, 4, 32, 0>]}
    // CHECK: ptx.arrive_counter %{{.*}} : !llvm.ptr<1>
    ptx.arrive_counter %p : !llvm.ptr<1>
    // CHECK: ptx.await_counter %{{.*}} at %{{.*}} : !llvm.ptr<1>
    ptx.await_counter %n at %p : !llvm.ptr<1>
    llvm.return
  }
}
