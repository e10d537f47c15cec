// What the verifiers of the ptx dialect reject.
// RUN: tw-opt %s --split-input-file --verify-diagnostics

llvm.func @access_c1(%p: !llvm.ptr<1>, %inside: i1, %v: vector<3xf32>) {
  // expected-error @+1 {{moves 8, 16, 32, 64 or 128 bits, but 'vector<3xf32>' has 96}}
  %0 = ptx.load %p, %inside, %v : !llvm.ptr<1>, vector<3xf32>
  llvm.return
}

// -----

llvm.func @access_c1_store(%p: !llvm.ptr<1>, %inside: i1, %v: vector<8xf32>) {
  // expected-error @+1 {{moves 8, 16, 32, 64 or 128 bits, but 'vector<8xf32>' has 256}}
  ptx.store %v, %p, %inside : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @load_c1(%p: !llvm.ptr<3>, %inside: i1, %x: f32) {
  // expected-error @+1 {{takes a cache operator in global memory (address space 1) only, got address space 3}}
  %0 = ptx.load %p, %inside, %x cache(nc) : !llvm.ptr<3>, f32
  llvm.return
}

// -----

llvm.func @store_c1(%p: !llvm.ptr<3>, %inside: i1, %x: f32) {
  // expected-error @+1 {{takes a cache operator in global memory (address space 1) only, got address space 3}}
  ptx.store %x, %p, %inside cache(wt) : f32, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @policy_c1(%p: !llvm.ptr<3>, %inside: i1, %x: f32, %policy: i64) {
  // expected-error @+1 {{takes a policy in global memory (address space 1) only, got address space 3}}
  %0 = ptx.load %p, %inside, %x policy %policy : !llvm.ptr<3>, f32
  llvm.return
}

// -----

llvm.func @policy_c1_store(%p: !llvm.ptr<3>, %inside: i1, %x: f32, %policy: i64) {
  // expected-error @+1 {{takes a policy in global memory (address space 1) only, got address space 3}}
  ptx.store %x, %p, %inside policy %policy : f32, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @generic_pointer(%p: !llvm.ptr, %inside: i1, %x: f32) {
  // expected-error @+1 {{must be LLVM pointer to global (1) or shared (3) memory, but got '!llvm.ptr'}}
  %0 = ptx.load %p, %inside, %x : !llvm.ptr, f32
  llvm.return
}

// -----

llvm.func @ex2_c1(%x: vector<2xbf16>) {
  // expected-error @+1 {{has bf16 forms only with 'ftz'}}
  %0 = ptx.ex2 %x : vector<2xbf16>
  llvm.return
}

// -----

llvm.func @ex2_c2(%x: f16) {
  // expected-error @+1 {{has no 'ftz' form for f16}}
  %0 = ptx.ex2 %x ftz : f16
  llvm.return
}

// -----

// expected-error @+1 {{attribute 'ptx.launch' must be #ptx.launch<…>, got 3 : i64}}
llvm.func @launch_c1() attributes {ptx.launch = 3} { llvm.return }

// -----

// expected-error @+1 {{attribute 'ptx.resources' must be #ptx.resources<…>, got 3 : i64}}
llvm.func @resources_c1() attributes {ptx.resources = 3} { llvm.return }

// -----

// expected-error @+1 {{the ptx dialect has no attribute 'ptx.lunch'}}
llvm.func @unknown_attribute() attributes {ptx.lunch = 3} { llvm.return }

// -----

llvm.func @not_a_kernel() {
  // expected-error @+1 {{attribute 'ptx.launch' belongs on a kernel function}}
  llvm.return {ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>}
}

// -----

// expected-error @+1 {{grid needs 3 dimensions, got 2}}
llvm.func @launch_c2() attributes {ptx.launch = #ptx.launch<grid = [1, 1], block = 32>} { llvm.return }

// -----

// expected-error @+1 {{grid 1x65536x1 exceeds 2147483647x65535x65535}}
llvm.func @launch_c3() attributes {ptx.launch = #ptx.launch<grid = [1, 65536, 1], block = 32>} { llvm.return }

// -----

// expected-error @+1 {{block of 1056 threads is not within 1 to 1024}}
llvm.func @launch_c4() attributes {ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 1056>} { llvm.return }

// -----

// expected-error @+1 {{shared memory of -4 bytes is negative}}
llvm.func @launch_c5() attributes {ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32, shared = -4>} { llvm.return }

// -----

// expected-error @+1 {{cluster needs 3 dimensions, got 1}}
llvm.func @launch_c6() attributes {ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, cluster = [2]>} { llvm.return }

// -----

// expected-error @+1 {{grid dimension 3 is not a multiple of cluster dimension 2}}
llvm.func @launch_c7() attributes {ptx.launch = #ptx.launch<grid = [3, 1, 1], block = 32, cluster = [2, 1, 1]>} { llvm.return }

// -----

// expected-error @+1 {{cluster of 32 blocks exceeds 16}}
llvm.func @launch_c8() attributes {ptx.launch = #ptx.launch<grid = [32, 1, 1], block = 32, cluster = [32, 1, 1]>} { llvm.return }

// -----

llvm.func @wgmma_c1(%a: i64, %r: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error @+1 {{has no form for bf16 and f16}}
  %0 = ptx.wgmma bf16 %a, f16 %a, %c : i64, !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @wgmma_c2(%a: i64, %r: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error @+1 {{of s8 does not sum in 'f32'}}
  %0 = ptx.wgmma s8 %a, s8 %a, %c : i64, !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @wgmma_c3(%a: i64, %r: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>, %d: !llvm.struct<(f32, f32)>) {
  // expected-error @+1 {{has 8 to 256 columns in steps of 8, got 4}}
  %0 = ptx.wgmma bf16 %a, bf16 %a, %d : i64, !llvm.struct<(f32, f32)>
  llvm.return
}

// -----

llvm.func @wgmma_c4(%a: i64, %r: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error @+1 {{takes operands of e4m3 with K contiguous only}}
  %0 = ptx.wgmma e4m3 %a, e4m3 %a b_mn, %c : i64, !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @wgmma_c5(%a: i64, %r: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error @+1 {{has no order of dimensions for a left operand in registers}}
  %0 = ptx.wgmma bf16 %r a_mn, bf16 %a, %c : vector<4xi32>, !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @wgmma_c6(%a: i64, %r: vector<4xi32>, %p: i1, %c: !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error @+1 {{has both 'if' and 'overwrite'}}
  %0 = ptx.wgmma bf16 %a, bf16 %a, %c if %p overwrite : i64, !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @counter_in_shared(%p: !llvm.ptr<3>) {
  // expected-error @+1 {{takes a flag in global memory (1), not in address space 3}}
  ptx.arrive_counter %p : !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @counter_in_shared(%p: !llvm.ptr<3>, %n: i32) {
  // expected-error @+1 {{takes a flag in global memory (1), not in address space 3}}
  ptx.await_counter %n at %p : !llvm.ptr<3>
  llvm.return
}
