// What the lowering of roles, rings, bulk copies and warpgroup products refuses, with the numbers.
// RUN: tw-opt %s --split-input-file --convert-tile-to-llvm --verify-diagnostics -o /dev/null

tile.kernel @no_budget grid = [1, 1, 1] warps = 8 () {
  tile.role @a warps = 4 instances = 1 registers = 40 () {
  ^bb0(%i: index):
  }
  // expected-error@+1 {{has no register budget, other roles of the kernel have}}
  tile.role @b warps = 4 instances = 1 () {
  ^bb0(%i: index):
  }
  tile.return
}

// -----

// expected-error@+1 {{moves registers between roles with 6 warps, which are no whole warpgroups}}
tile.kernel @part_of_a_warpgroup grid = [1, 1, 1] warps = 6 () {
  tile.role @a warps = 6 instances = 1 registers = 40 () {
  ^bb0(%i: index):
  }
  tile.return
}

// -----

// expected-error@+1 {{the roles' register budgets need 71680 registers, 384 threads start with 168 each}}
tile.kernel @budgets grid = [1, 1, 1] warps = 12 () {
  tile.role @a warps = 4 instances = 1 registers = 80 () {
  ^bb0(%i: index):
  }
  tile.role @b warps = 8 instances = 1 registers = 240 () {
  ^bb0(%i: index):
  }
  tile.return
}

// -----

tile.kernel @behind grid = [1, 1, 1] warps = 4 () {
  tile.role @a warps = 4 instances = 1 () {
  ^bb0(%i: index):
  }
  // expected-error@+1 {{stands behind the first role of the kernel}}
  tile.barrier
  tile.return
}

// -----

tile.kernel @warps grid = [1, 1, 1] warps = 8 () {
  tile.role @a warps = 1 instances = 1 () {
  ^bb0(%i: index):
  }
  // expected-error@+1 {{takes warps 4 to 11 of a kernel of 8}}
  tile.role @b warps = 4 instances = 2 () {
  ^bb0(%i: index):
  }
  tile.return
}

// -----

tile.kernel @barriers grid = [1, 1, 1] warps = 32 () {
  // expected-error@+1 {{needs named barriers up to number 16, a block has 16}}
  tile.role @a warps = 4 instances = 8 () {
  ^bb0(%i: index):
    tile.take_turn %i
  }
  tile.return
}

// -----

!buffer = !tile.shared<2, bf16, "{shape=[8,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
tile.kernel @ring grid = [1, 1, 1] warps = 4 () {
  %buffer = tile.alloc offset = 0 : !buffer
  // expected-error@+2 {{has no place in shared memory; run tile-allocate-shared}}
  // expected-error@+1 {{failed to legalize operation 'tile.ring'}}
  %ring = tile.ring %buffer : !buffer -> !tile.ring<2>
  tile.return
}

// -----

!buffer = !tile.shared<2, bf16, "{shape=[8,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
tile.kernel @no_commit grid = [1, 1, 1] warps = 4 () {
  %buffer = tile.alloc offset = 0 : !buffer
  %ring = tile.ring %buffer offset = 2048 : !buffer -> !tile.ring<2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{is not followed by a commit of its slot in the same block}}
  tile.acquire %ring[%c0] : !tile.ring<2>
  tile.commit %ring[%c1] : !tile.ring<2>
  tile.return
}

// -----

!buffer = !tile.shared<2, bf16, "{shape=[8,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
tile.kernel @no_acquire grid = [1, 1, 1] warps = 4 () {
  %buffer = tile.alloc offset = 0 : !buffer
  %ring = tile.ring %buffer offset = 2048 : !buffer -> !tile.ring<2>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{commits a slot that its block did not acquire}}
  tile.commit %ring[%c0] : !tile.ring<2>
  tile.return
}

// -----

!buffer = !tile.shared<2, bf16, "{shape=[8,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
tile.kernel @nothing grid = [1, 1, 1] warps = 4 () {
  %buffer = tile.alloc offset = 0 : !buffer
  %ring = tile.ring %buffer offset = 2048 : !buffer -> !tile.ring<2>
  %c0 = arith.constant 0 : index
  tile.acquire %ring[%c0] : !tile.ring<2>
  // expected-error@+1 {{commits a slot that nothing was copied to}}
  tile.commit %ring[%c0] : !tile.ring<2>
  tile.return
}

// -----

!buffer = !tile.shared<2, bf16, "{shape=[8,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!view = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
tile.kernel @another_slot grid = [1, 1, 1] warps = 4 (%x: !view) {
  %buffer = tile.alloc offset = 0 : !buffer
  %ring = tile.ring %buffer offset = 2048 : !buffer -> !tile.ring<2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.acquire %ring[%c0] : !tile.ring<2>
  // expected-error@+1 {{copies to a slot that its block did not acquire}}
  tile.copy_bulk %x[%c0, %c0], %buffer[%c0] signals %ring[%c1] divisors = [0, 0] in_bounds = [true, true] : !view, !buffer, !tile.ring<2>
  tile.commit %ring[%c0] : !tile.ring<2>
  tile.return
}

// -----

!buffer = !tile.shared<2, bf16, "{shape=[8,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!view = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,60]]}, {extent=60, modes=[[60,1]]}]}">
tile.kernel @strides grid = [1, 1, 1] warps = 4 (%x: !view) {
  %buffer = tile.alloc offset = 0 : !buffer
  %ring = tile.ring %buffer offset = 2048 : !buffer -> !tile.ring<2>
  %c0 = arith.constant 0 : index
  tile.acquire %ring[%c0] : !tile.ring<2>
  // expected-error@+1 {{has no tensor map: dimension 0 of the view has a stride of 120 bytes, not a multiple of 16}}
  tile.copy_bulk %x[%c0, %c0], %buffer[%c0] signals %ring[%c0] divisors = [0, 0] in_bounds = [true, false] : !view, !buffer, !tile.ring<2>
  tile.commit %ring[%c0] : !tile.ring<2>
  tile.return
}

// -----

!buffer = !tile.shared<2, bf16, "{shape=[4,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!view = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
tile.kernel @stage grid = [1, 1, 1] warps = 4 (%x: !view) {
  %buffer = tile.alloc offset = 0 : !buffer
  %ring = tile.ring %buffer offset = 2048 : !buffer -> !tile.ring<2>
  %c0 = arith.constant 0 : index
  tile.acquire %ring[%c0] : !tile.ring<2>
  // expected-error@+1 {{writes stages of 512 bytes, no multiple of 1024, which its swizzle counts from}}
  tile.copy_bulk %x[%c0, %c0], %buffer[%c0] signals %ring[%c0] divisors = [0, 0] in_bounds = [true, true] : !view, !buffer, !tile.ring<2>
  tile.commit %ring[%c0] : !tile.ring<2>
  tile.return
}

// -----

!a = !tile.shared<1, f64, "{shape=[64,16], order=[1,0], inner=[16,1], xor=[[4,7,1]]}">
!b = !tile.shared<1, f64, "{shape=[16,8], order=[0,1], inner=[1,16], xor=[[4,7,1]]}">
!sum = tensor<64x8xf64, #tile.layout<"{shape=[64,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>
tile.kernel @doubles grid = [1, 1, 1] warps = 4 () {
  %a = tile.alloc offset = 0 : !a
  %b = tile.alloc offset = 8192 : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %none = tile.begin_dot !tile.pending<!sum>
  // expected-error@+2 {{of 'f64' has no warpgroup product}}
  // expected-error@+1 {{failed to legalize operation 'tile.dot_async'}}
  %p = tile.dot_async %a[%c0], %b[%c0], %none if %no tf32 = false : !a, !b to !tile.pending<!sum>
  tile.return
}

// -----

!a = !tile.shared<1, bf16, "{shape=[64,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!b = !tile.shared<1, bf16, "{shape=[64,8], order=[0,1], inner=[1,64], xor=[[6,7,3]]}">
!sum = tensor<64x8xf32, #tile.layout<"{shape=[64,8], register=[[0,1],[8,0],[16,0],[32,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[0,0],[0,0]]}">>
tile.kernel @accumulators grid = [1, 1, 1] warps = 4 () {
  %a = tile.alloc offset = 0 : !a
  %b = tile.alloc offset = 8192 : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %none = tile.begin_dot !tile.pending<!sum>
  // expected-error@+2 {{needs accumulators that 4 warps share in whole warpgroups, got}}
  // expected-error@+1 {{failed to legalize operation 'tile.dot_async'}}
  %p = tile.dot_async %a[%c0], %b[%c0], %none if %no tf32 = false : !a, !b to !tile.pending<!sum>
  tile.return
}

// -----

!a = !tile.shared<1, bf16, "{shape=[64,64], order=[1,0], inner=[64,1]}">
!b = !tile.shared<1, bf16, "{shape=[64,8], order=[0,1], inner=[1,64], xor=[[6,7,3]]}">
!sum = tensor<64x8xf32, #tile.layout<"{shape=[64,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>
tile.kernel @layout grid = [1, 1, 1] warps = 4 () {
  %a = tile.alloc offset = 0 : !a
  %b = tile.alloc offset = 8192 : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %none = tile.begin_dot !tile.pending<!sum>
  // expected-error@+2 {{cannot read the left operand: the layout {shape=[64,64], order=[1,0], inner=[64,1]} has no spans of 16, 32, 64 or 128 bytes}}
  // expected-error@+1 {{failed to legalize operation 'tile.dot_async'}}
  %p = tile.dot_async %a[%c0], %b[%c0], %none if %no tf32 = false : !a, !b to !tile.pending<!sum>
  tile.return
}

// -----

!a = !tile.shared<1, f8E4M3FN, "{shape=[64,32], order=[1,0], inner=[32,1], xor=[[7,1,4]]}">
!b = !tile.shared<1, f8E4M3FN, "{shape=[32,32], order=[1,0], inner=[32,1], xor=[[7,1,4]]}">
!sum = tensor<64x32xf32, #tile.layout<"{shape=[64,32], register=[[0,1],[8,0],[0,8],[0,16]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>
tile.kernel @order grid = [1, 1, 1] warps = 4 () {
  %a = tile.alloc offset = 0 : !a
  %b = tile.alloc offset = 2048 : !b
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %none = tile.begin_dot !tile.pending<!sum>
  // expected-error@+2 {{cannot read the right operand: elements of 8 bits must be contiguous along K}}
  // expected-error@+1 {{failed to legalize operation 'tile.dot_async'}}
  %p = tile.dot_async %a[%c0], %b[%c0], %none if %no tf32 = false : !a, !b to !tile.pending<!sum>
  tile.return
}
