// Every rule of the verifiers of asynchronous tile ops, by its label, rejects what breaks it.
// RUN: tw-opt %s --split-input-file --verify-diagnostics -o /dev/null

// role_c1
tile.kernel @role_c1 grid = [1, 1, 1] warps = 4 () {
  // expected-error@+1 {{9 instances of 4 warps are not 1 to 32 warps of a block}}
  tile.role @r warps = 4 instances = 9 () {
  ^bb0(%i: index):
  }
  tile.return
}

// -----

// role_c2
tile.kernel @role_c2 grid = [1, 1, 1] warps = 4 () {
  // expected-error@+1 {{instances need whole warpgroups of 4 warps, got 2}}
  tile.role @r warps = 2 instances = 2 () {
  ^bb0(%i: index):
  }
  tile.return
}

// -----

// role_c3
tile.kernel @role_c3 grid = [1, 1, 1] warps = 4 () {
  // expected-error@+1 {{registers must be a multiple of 8 from 24 to 240, got 100}}
  tile.role @r warps = 4 instances = 1 registers = 100 () {
  ^bb0(%i: index):
  }
  tile.return
}

// -----

// role_c4
tile.kernel @role_c4 grid = [1, 1, 1] warps = 4 () {
  // expected-error@+1 {{the region takes an index and 0 captured values, but has 0 arguments}}
  tile.role @r warps = 4 instances = 1 () {
  ^bb0:
  }
  tile.return
}

// -----

// role_c5
tile.kernel @role_c5 grid = [1, 1, 1] warps = 4 () {
  %0 = tile.block_id 0
  // expected-error@+1 {{captures 'index' as 'i32'}}
  tile.role @r warps = 4 instances = 1 (%0) : index {
  ^bb0(%i: index, %x: i32):
  }
  tile.return
}

// -----

// turn_c1
tile.kernel @turn_c1 grid = [1, 1, 1] warps = 4 () {
  tile.role @r warps = 4 instances = 1 () {
  ^bb0(%i: index):
    // expected-error@+1 {{has no other instances to take turns with}}
    tile.take_turn %i
  }
  tile.return
}

// -----

// ring_c1
tile.kernel @ring_c1 grid = [1, 1, 1] warps = 4 () {
  %0 = tile.alloc : !tile.shared<2, f32, "{shape=[32], order=[0], inner=[1]}">
  // expected-error@+1 {{a buffer of 2 stages in a ring of 3}}
  %1 = tile.ring %0 : !tile.shared<2, f32, "{shape=[32], order=[0], inner=[1]}"> -> !tile.ring<3>
  tile.return
}

// -----

// expected-error@+1 {{a ring has 1 to 16 stages, got 17}}
func.func private @ring_stages(!tile.ring<17>)

// -----

!view = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
!buffer = !tile.shared<1, f32, "{shape=[64], order=[0], inner=[1]}">
// copy_bulk_c1
tile.kernel @copy_bulk_c1 grid = [1, 1, 1] warps = 4 (%x: !view) {
  %0 = tile.alloc : !buffer
  %r = tile.ring %0 : !buffer -> !tile.ring<1>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{a view of rank 2, a buffer of rank 1, 2 indices, 2 divisors, 2 bounds}}
  tile.copy_bulk %x[%c0, %c0], %0[%c0] signals %r[%c0] divisors = [0, 0] in_bounds = [true, true] : !view, !buffer, !tile.ring<1>
  tile.return
}

// -----

!view = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
!buffer = !tile.shared<1, i32, "{shape=[64], order=[0], inner=[1]}">
// store_bulk_c1
tile.kernel @store_bulk_c1 grid = [1, 1, 1] warps = 4 (%x: !view) {
  %0 = tile.alloc : !buffer
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{a view of 'f32' and a buffer of 'i32'}}
  tile.store_bulk %0[%c0], %x[%c0] divisors = [0] in_bounds = [true] : !buffer, !view
  tile.return
}

// -----

// begin_dot_c1
tile.kernel @begin_dot_c1 grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x8xf32>
  // expected-error@+1 {{from 'tensor<64x8xf32>' to '!tile.pending<tensor<64x16xf32>>'}}
  %1 = tile.begin_dot %0 : tensor<64x8xf32> to !tile.pending<tensor<64x16xf32>>
  tile.return
}

// -----

// await_c1
tile.kernel @await_c1 grid = [1, 1, 1] warps = 4 () {
  %0 = tile.begin_dot !tile.pending<tensor<64x8xf32>>
  // expected-error@+1 {{opens '!tile.pending<tensor<64x8xf32>>' as 'tensor<64x16xf32>'}}
  %1 = tile.await %0 : !tile.pending<tensor<64x8xf32>> to tensor<64x16xf32>
  tile.return
}

// -----

!b = !tile.shared<1, bf16, "{shape=[64,8], order=[0,1], inner=[1,64]}">
// dot_async_c1
tile.kernel @dot_async_c1 grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<64x64xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<64x8xf32>>
  // expected-error@+1 {{a left operand in registers has no stage}}
  %1 = tile.dot_async %a[%c0], %b[%c0], %0 if %no tf32 = false : tensor<64x64xbf16>, !b to !tile.pending<tensor<64x8xf32>>
  tile.return
}

// -----

!b = !tile.shared<1, bf16, "{shape=[64], order=[0], inner=[1]}">
// dot_async_c2
tile.kernel @dot_async_c2 grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<64x64xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<64x8xf32>>
  // expected-error@+1 {{operands have ranks 2, 1, 2}}
  %1 = tile.dot_async %a, %b[%c0], %0 if %no tf32 = false : tensor<64x64xbf16>, !b to !tile.pending<tensor<64x8xf32>>
  tile.return
}

// -----

!b = !tile.shared<1, bf16, "{shape=[2,64,8], order=[2,1,0], inner=[512,8,1]}">
// dot_async_c3
tile.kernel @dot_async_c3 grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<2x64x64xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<2x64x8xf32>>
  // expected-error@+1 {{batch dimension 0 must have size 1}}
  %1 = tile.dot_async %a, %b[%c0], %0 if %no tf32 = false : tensor<2x64x64xbf16>, !b to !tile.pending<tensor<2x64x8xf32>>
  tile.return
}

// -----

!b = !tile.shared<1, bf16, "{shape=[32,8], order=[1,0], inner=[8,1]}">
// dot_async_c4
tile.kernel @dot_async_c4 grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<64x64xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<64x8xf32>>
  // expected-error@+1 {{K is 64 and 32}}
  %1 = tile.dot_async %a, %b[%c0], %0 if %no tf32 = false : tensor<64x64xbf16>, !b to !tile.pending<tensor<64x8xf32>>
  tile.return
}

// -----

!b = !tile.shared<1, bf16, "{shape=[64,8], order=[1,0], inner=[8,1]}">
// dot_async_c4
tile.kernel @dot_async_c4_part grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<64x32xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<64x8xf32>>
  // expected-error@+1 {{K is 32 and 64}}
  %1 = tile.dot_async %a, %b[%c0] from 48, %0 if %no tf32 = false : tensor<64x32xbf16>, !b to !tile.pending<tensor<64x8xf32>>
  tile.return
}

// -----

!b = !tile.shared<1, bf16, "{shape=[64,8], order=[1,0], inner=[8,1]}">
// dot_async_c7
tile.kernel @dot_async_c7 grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<64x32xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<64x8xf32>>
  // expected-error@+1 {{begins at row 8, instructions take K in steps of 16 elements}}
  %1 = tile.dot_async %a, %b[%c0] from 8, %0 if %no tf32 = false : tensor<64x32xbf16>, !b to !tile.pending<tensor<64x8xf32>>
  tile.return
}

// -----

!b = !tile.shared<1, bf16, "{shape=[64,8], order=[1,0], inner=[8,1]}">
// dot_async_c5
tile.kernel @dot_async_c5 grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<64x64xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<64x16xf32>>
  // expected-error@+1 {{the product is 64x8, the accumulator 64x16}}
  %1 = tile.dot_async %a, %b[%c0], %0 if %no tf32 = false : tensor<64x64xbf16>, !b to !tile.pending<tensor<64x16xf32>>
  tile.return
}

// -----

!b = !tile.shared<1, f16, "{shape=[64,8], order=[1,0], inner=[8,1]}">
// dot_async_c6
tile.kernel @dot_async_c6 grid = [1, 1, 1] warps = 4 () {
  %b = tile.alloc : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %a = arith.constant dense<1.0> : tensor<64x64xbf16>
  %0 = tile.begin_dot !tile.pending<tensor<64x8xf32>>
  // expected-error@+1 {{operands are of 'bf16' and 'f16'}}
  %1 = tile.dot_async %a, %b[%c0], %0 if %no tf32 = false : tensor<64x64xbf16>, !b to !tile.pending<tensor<64x8xf32>>
  tile.return
}

// -----

// slice_c1
tile.kernel @slice_c1 grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x8xf32>
  // expected-error@+1 {{of 'tensor<64x8xf32>' at 1 offsets gives 'tensor<64x4xf32>'}}
  %1 = tile.slice %0 at [0] : tensor<64x8xf32> to tensor<64x4xf32>
  tile.return
}

// -----

// slice_c2
tile.kernel @slice_c2 grid = [1, 1, 1] warps = 4 () {
  %0 = arith.constant dense<1.0> : tensor<64x8xf32>
  // expected-error@+1 {{takes elements 6 to 10 of the 8 in dimension 1}}
  %1 = tile.slice %0 at [0, 6] : tensor<64x8xf32> to tensor<64x4xf32>
  tile.return
}

// -----

// ring_c2
tile.kernel @ring_c2 grid = [1, 1, 1] warps = 4 () {
  %0 = tile.alloc : <2, bf16, "{shape=[64,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
  // expected-error@+1 {{'tile.peers' must be two numbers from 1 on, whose product is at most 16, got 2 : i64}}
  %1 = tile.ring %0 readers = 1 {tile.peers = 2 : i64} : !tile.shared<2, bf16, "{shape=[64,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}"> -> !tile.ring<2>
  tile.return
}

// -----

!view = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
!buffer = !tile.shared<1, f32, "{shape=[64], order=[0], inner=[1]}">
// copy_bulk_c2
tile.kernel @copy_bulk_c2 grid = [1, 1, 1] warps = 4 (%x: !view) {
  %0 = tile.alloc : !buffer
  %r = tile.ring %0 : !buffer -> !tile.ring<1>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'tile.shared_by' must be two numbers from 1 on, whose product is at most 16, got array<i64: 4, 8>}}
  tile.copy_bulk %x[%c0], %0[%c0] signals %r[%c0] divisors = [0] in_bounds = [true] {tile.shared_by = array<i64: 4, 8>} : !view, !buffer, !tile.ring<1>
  tile.return
}
