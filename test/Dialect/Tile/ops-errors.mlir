// Every rule of the tile dialect's verifiers and parsers, by its label, rejects what breaks it.
// RUN: tw-opt %s --split-input-file --verify-diagnostics -o /dev/null

// kernel_c1
// expected-error@+1 {{grid needs three sizes of at least 1}}
tile.kernel @k grid = [1, 0, 1] warps = 1 () {
  tile.return
}

// -----

// kernel_c2
// expected-error@+1 {{grid 1x65536x1 exceeds 2147483647x65535x65535}}
tile.kernel @k grid = [1, 65536, 1] warps = 1 () {
  tile.return
}

// -----

// kernel_c3
// expected-error@+1 {{a block has 1 to 32 warps, got 33}}
tile.kernel @k grid = [1, 1, 1] warps = 33 () {
  tile.return
}

// -----

// kernel_c4
// expected-error@+1 {{has 1 results, a kernel has none}}
"tile.kernel"() <{function_type = () -> f32, grid = array<i64: 1, 1, 1>, sym_name = "k", warps = 1 : i64}> ({
  tile.return
}) : () -> ()

// -----

// kernel_c5
// expected-error@+1 {{arguments are views, got 'f32'}}
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: f32) {
  tile.return
}

// -----

// block_id: grids have three dimensions
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{failed to satisfy constraint}}
  %0 = tile.block_id 3
  tile.return
}

// -----

// view_c1
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  // expected-error@+1 {{changes the element type from 'f32' to 'i32'}}
  %0 = tile.view %x : !v to !tile.view<i32, "{offset=0, dims=[{extent=8, modes=[[8,1]]}]}">
  tile.return
}

// -----

// view_c2
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  // expected-error@+1 {{reaches element 129 of a buffer of 128}}
  %0 = tile.view %x : !v to !tile.view<f32, "{offset=1, dims=[{extent=128, modes=[[128,1]]}]}">
  tile.return
}

// -----

// access_c1
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{a view of rank 2 with a tile of rank 1, 1 indices, 1 divisors and 1 bounds}}
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !v -> tensor<8xf32>
  tile.return
}

// -----

// access_c2
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1> : tensor<16x8xi32>
  // expected-error@+1 {{a view of 'f32' with a tile of 'i32'}}
  tile.store %0, %x[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<16x8xi32>, !v
  tile.return
}

// -----

// access_c3
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{divisor -1 is negative}}
  %0 = tile.load %x[%c0, %c0] divisors = [0, -1] in_bounds = [true, true] : !v -> tensor<16x8xf32>
  tile.return
}

// -----

// access_c4
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,9]]}, {extent=9, modes=[[9,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has tile.aligned, and its tile not several elements along one dimension alone}}
  %0 = tile.load %x[%c0, %c0] divisors = [0, 1] in_bounds = [true, false] {tile.aligned = 4 : i64} : !v -> tensor<2x8xf32>
  tile.return
}

// -----

!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,9]]}, {extent=9, modes=[[9,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has tile.aligned = 4, and its view no run of so many elements along dimension 0}}
  %0 = tile.load %x[%c0, %c0] divisors = [0, 1] in_bounds = [true, false] {tile.aligned = 4 : i64} : !v -> tensor<8x1xf32>
  tile.return
}

// -----

!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,9]]}, {extent=9, modes=[[9,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{tile.aligned is an integer, a power of two of at least 2}}
  %0 = tile.load %x[%c0, %c0] divisors = [0, 1] in_bounds = [true, false] {tile.aligned = 3 : i64} : !v -> tensor<1x8xf32>
  tile.return
}

// -----

!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[4,50],[4,9]]}, {extent=9, modes=[[9,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has tile.aligned, and dimension 0 of its view no single stride}}
  %0 = tile.load %x[%c0, %c0] divisors = [0, 1] in_bounds = [true, false] {tile.aligned = 4 : i64} : !v -> tensor<1x8xf32>
  tile.return
}

// -----

// load_c1
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{fill is of type 'i32', the tile of 'f32'}}
  %0 = tile.load %x[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] fill = 1 : i32 : !v -> tensor<16x8xf32>
  tile.return
}

// -----

// gather_c1
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1> : tensor<16x1xi32>
  // expected-error@+1 {{extent -1 is negative}}
  %1 = tile.gather %x[%c0, %c0] plus %0 times 8 of -1 divisors = [0, 0] in_bounds = [true, true] : !v, tensor<16x1xi32> -> tensor<16x8xf32>
  tile.return
}

// -----

// gather_c2
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1.0> : tensor<16x1xf32>
  // expected-error@+1 {{offsets must be integers of rank 2, got 'tensor<16x1xf32>'}}
  %1 = tile.gather %x[%c0, %c0] plus %0 times 8 of 16 divisors = [0, 0] in_bounds = [true, true] : !v, tensor<16x1xf32> -> tensor<16x8xf32>
  tile.return
}

// -----

// gather_c3
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1> : tensor<4x1xi32>
  // expected-error@+1 {{offsets have size 4 in dimension 0, the result 16}}
  %1 = tile.gather %x[%c0, %c0] plus %0 times 8 of 16 divisors = [0, 0] in_bounds = [true, true] : !v, tensor<4x1xi32> -> tensor<16x8xf32>
  tile.return
}

// -----

// splat_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant 1.0 : f32
  // expected-error@+1 {{a value of 'f32' in a tile of 'i32'}}
  %1 = tile.splat %0 : f32 to tensor<8xi32>
  tile.return
}

// -----

// iota_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{dimension 1 is outside a tile of rank 1}}
  %0 = tile.iota dim = 1 from %c0 : tensor<8xi32>
  tile.return
}

// -----

// broadcast_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{from 'tensor<8xf32>' to 'tensor<4x8xf32>' changes rank or element type}}
  %1 = tile.broadcast %0 : tensor<8xf32> to tensor<4x8xf32>
  tile.return
}

// -----

// join_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x8xf32>
  // expected-error@+1 {{dimension 2 is outside a tile of rank 2}}
  %1 = tile.join %0, %0 dim = 2 : tensor<2x8xf32> to tensor<2x16xf32>
  tile.return
}

// -----

// join_c2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x8xf32>
  // expected-error@+1 {{of two 'tensor<2x8xf32>' along dimension 0 is no 'tensor<2x16xf32>'}}
  %1 = tile.join %0, %0 dim = 0 : tensor<2x8xf32> to tensor<2x16xf32>
  tile.return
}

// -----

// Places in shared memory: this one made an address that no instruction holds.
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{attribute 'offset' failed to satisfy constraint}}
  %b = tile.alloc offset = 2147483647 : !tile.shared<1, f32, "{shape=[64,16], order=[1,0], inner=[24,1]}">
  tile.return
}

// -----

// interleave_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x8xf32>
  // expected-error@+1 {{dimension 2 is outside a tile of rank 2}}
  %1 = tile.interleave %0, %0 dim = 2 : tensor<2x8xf32> to tensor<2x16xf32>
  tile.return
}

// -----

// interleave_c2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x8xf32>
  // expected-error@+1 {{of two 'tensor<2x7xf32>' in turn along dimension 1 is no 'tensor<2x8xf32>'}}
  %1, %2 = tile.deinterleave %0 dim = 1 : tensor<2x8xf32> to tensor<2x7xf32>
  tile.return
}

// -----

// interleave_c3
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x12xf32>
  // expected-error@+1 {{takes 8 elements in turn of 12: no power of two that divides them}}
  %1 = tile.interleave %0, %0 dim = 1 by = 8 : tensor<2x12xf32> to tensor<2x24xf32>
  tile.return
}

// -----

// interleave_c3
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x24xf32>
  // expected-error@+1 {{takes 3 elements in turn of 12: no power of two that divides them}}
  %1, %2 = tile.deinterleave %0 dim = 1 by = 3 : tensor<2x24xf32> to tensor<2x12xf32>
  tile.return
}

// -----

// broadcast_c2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x8xf32>
  // expected-error@+1 {{dimension 0 of size 2 cannot become 4}}
  %1 = tile.broadcast %0 : tensor<2x8xf32> to tensor<4x8xf32>
  tile.return
}

// -----

// reduce_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error@+1 {{has 2 inputs and 1 results}}
  %1 = tile.reduce %0, %0 dim = 1 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  } : tensor<4x8xf32>, tensor<4x8xf32> to tensor<4x1xf32>
  tile.return
}

// -----

// reduce_c2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error@+1 {{dimension 2 is outside a tile of rank 2}}
  %1 = tile.reduce %0 dim = 2 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  } : tensor<4x8xf32> to tensor<4x1xf32>
  tile.return
}

// -----

// reduce_c3
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error@+1 {{combiner takes 1 values, not 2}}
  %1 = tile.reduce %0 dim = 1 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  } : tensor<4x8xf32> to tensor<4x1xf32>
  tile.return
}

// -----

// reduce_c4
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error@+1 {{result #0 should be 'tensor<4x1xf32>'}}
  %1 = tile.reduce %0 dim = 1 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  } : tensor<4x8xf32> to tensor<4x8xf32>
  tile.return
}

// -----

// reduce_c5
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error@+1 {{combiner argument 0 is not of type 'f32'}}
  %1 = tile.reduce %0 dim = 1 {
  ^bb0(%a: f32, %b: f64):
    tile.yield %a : f32
  } : tensor<4x8xf32> to tensor<4x1xf32>
  tile.return
}

// -----

// reduce_c6
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error@+1 {{combiner does not yield one merged state of 1 values}}
  %1 = tile.reduce %0 dim = 1 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a, %b : f32, f32
  } : tensor<4x8xf32> to tensor<4x1xf32>
  tile.return
}

// -----

// dot_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x8xf32>
  %1 = arith.constant dense<1.0> : tensor<1x8x8xf32>
  %2 = arith.constant dense<1.0> : tensor<16x8xf32>
  // expected-error@+1 {{operands have ranks 2, 3, 2}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<16x8xf32>, tensor<1x8x8xf32> to tensor<16x8xf32>
  tile.return
}

// -----

// dot_c2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<2x16x8xf32>
  %1 = arith.constant dense<1.0> : tensor<2x8x8xf32>
  %2 = arith.constant dense<1.0> : tensor<2x16x8xf32>
  // expected-error@+1 {{batch dimension 0 must have size 1}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<2x16x8xf32>, tensor<2x8x8xf32> to tensor<2x16x8xf32>
  tile.return
}

// -----

// dot_c3
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x8xf32>
  %1 = arith.constant dense<1.0> : tensor<4x8xf32>
  %2 = arith.constant dense<1.0> : tensor<16x8xf32>
  // expected-error@+1 {{K is 8 and 4}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<16x8xf32>, tensor<4x8xf32> to tensor<16x8xf32>
  tile.return
}

// -----

// dot_c4
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x8xf32>
  %1 = arith.constant dense<1.0> : tensor<8x8xf32>
  %2 = arith.constant dense<1.0> : tensor<8x8xf32>
  // expected-error@+1 {{the product is 16x8, the accumulator 8x8}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<16x8xf32>, tensor<8x8xf32> to tensor<8x8xf32>
  tile.return
}

// -----

// dot_c5
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x8xf32>
  %1 = arith.constant dense<1.0> : tensor<8x8xbf16>
  %2 = arith.constant dense<1.0> : tensor<16x8xf32>
  // expected-error@+1 {{operands are of 'f32' and 'bf16'}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<16x8xf32>, tensor<8x8xbf16> to tensor<16x8xf32>
  tile.return
}

// -----

// dot_c6
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<16x8xbf16>
  %1 = arith.constant dense<1.0> : tensor<8x8xbf16>
  %2 = arith.constant dense<1.0> : tensor<16x8xbf16>
  // expected-error@+1 {{products of 'bf16' are not summed in 'bf16'}}
  %3 = tile.dot %0, %1, %2 tf32 = false : tensor<16x8xbf16>, tensor<8x8xbf16> to tensor<16x8xbf16>
  tile.return
}

// -----

// convert_layout_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{from 'tensor<8xf32>' to 'tensor<4xf32>' changes shape or element type}}
  %1 = tile.convert_layout %0 : tensor<8xf32> to tensor<4xf32>
  tile.return
}

// -----

// load_shared_c1
!b = !tile.shared<1, f32, "{shape=[16,8], order=[1,0], inner=[8,1]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %c0 = arith.constant 0 : index
  %0 = tile.alloc : !b
  // expected-error@+1 {{a buffer of 'f32' with a tile of 'i32'}}
  %1 = tile.load_shared %0[%c0] : !b -> tensor<16x8xi32>
  tile.return
}

// -----

// load_shared_c2
!b = !tile.shared<1, f32, "{shape=[16,8], order=[1,0], inner=[8,1]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %c0 = arith.constant 0 : index
  %0 = tile.alloc : !b
  // expected-error@+1 {{a buffer of rank 2 with a tile of rank 1}}
  %1 = tile.load_shared %0[%c0] : !b -> tensor<128xf32>
  tile.return
}

// -----

// load_shared_c3
!b = !tile.shared<1, f32, "{shape=[16,8], order=[1,0], inner=[8,1]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %c0 = arith.constant 0 : index
  %0 = tile.alloc : !b
  // expected-error@+1 {{the tile's shape differs from the buffer's and no offsets are given}}
  %1 = tile.load_shared %0[%c0] : !b -> tensor<16x1xf32>
  tile.return
}

// -----

// load_shared_c4
!b = !tile.shared<1, f32, "{shape=[16,8], order=[1,0], inner=[8,1]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %c0 = arith.constant 0 : index
  %0 = tile.alloc : !b
  // expected-error@+1 {{1 offsets for a tile of rank 2}}
  %1 = tile.load_shared %0[%c0] at [%c0] : !b -> tensor<16x1xf32>
  tile.return
}

// -----

// store_shared_c1
!b = !tile.shared<1, f32, "{shape=[16,8], order=[1,0], inner=[8,1]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  %c0 = arith.constant 0 : index
  %0 = tile.alloc : !b
  %1 = arith.constant dense<1.0> : tensor<8x8xf32>
  // expected-error@+1 {{a tile of 'tensor<8x8xf32>' into a buffer of another shape or type}}
  tile.store_shared %1, %0[%c0] : tensor<8x8xf32>, !b
  tile.return
}

// -----

// copy_async_c1
!v = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,8]]}, {extent=8, modes=[[8,1]]}]}">
!b = !tile.shared<1, f32, "{shape=[16,8], order=[1,0], inner=[8,1]}">
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !v) {
  %c0 = arith.constant 0 : index
  %0 = tile.alloc : !b
  // expected-error@+1 {{layout of shape [64] for a buffer of shape [16, 8]}}
  tile.copy_async %x[%c0, %c0], %0[%c0] layout = <"{shape=[64], register=[[1]], lane=[[2],[4],[8],[16],[32]], warp=[]}"> divisors = [0, 0] in_bounds = [true, true] : !v, !b
  tile.return
}

// -----

// wait_async: a count
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{failed to satisfy constraint}}
  tile.wait_async -1
  tile.return
}

// -----

// layout_c1: a tile has its layout's shape
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{layout of shape [64] on a tensor of shape [32]}}
  %0 = arith.constant dense<1.0> : tensor<32xf32, #tile.layout<"{shape=[64], register=[[1]], lane=[[2],[4],[8],[16],[32]], warp=[]}">>
  tile.return
}

// -----

// layout: text
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{malformed layout}}
  %0 = arith.constant dense<1.0> : tensor<32xf32, #tile.layout<"{shape=[64]">>
  tile.return
}

// -----

// view: text
// expected-error@+1 {{malformed view}}
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !tile.view<f32, "{offset=0}">) {
  tile.return
}

// -----

// shared: text
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{malformed shared layout}}
  %0 = tile.alloc : !tile.shared<1, f32, "{shape=[16,8]}">
  tile.return
}

// -----

// shared_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{stages must be at least 1, got 0}}
  %0 = tile.alloc : !tile.shared<0, f32, "{shape=[16,8], order=[1,0], inner=[8,1]}">
  tile.return
}

// -----

// schedule_c1
// expected-error@+1 {{tile sizes must be at least 1}}
#schedule = #tile.schedule<tile = [0], reduce = 1, warps = 1, warp_grid = [1], stages = 1>

// -----

// schedule_c2
// expected-error@+1 {{reduce must be at least 1, got 0}}
#schedule = #tile.schedule<tile = [8], reduce = 0, warps = 1, warp_grid = [1], stages = 1>

// -----

// schedule_c3
// expected-error@+1 {{warps must be a power of two up to 32, got 3}}
#schedule = #tile.schedule<tile = [8], reduce = 1, warps = 3, warp_grid = [3], stages = 1>

// -----

// schedule_c4
// expected-error@+1 {{warp_grid holds 4 warps, the block 2}}
#schedule = #tile.schedule<tile = [8], reduce = 1, warps = 2, warp_grid = [2, 2], stages = 1>

// -----

// schedule_c5
// expected-error@+1 {{stages must be 1 to 16, got 17}}
#schedule = #tile.schedule<tile = [8], reduce = 1, warps = 1, warp_grid = [1], stages = 17>

// -----

// contract: limits are counts
// expected-error@+1 {{limit of blocks_per_sm must not be negative, got -2}}
#contract = #tile.contract<registers = 64, blocks_per_sm = -2>

// -----

// contract: what stands under its name is one
// expected-error@+1 {{'tile.contract' must be a #tile.contract, got 64}}
tile.kernel @k grid = [1, 1, 1] warps = 1 () attributes {tile.contract = 64 : i64} {
  tile.return
}

// -----

// cache: what is known of each level
// expected-error@+1 {{expected l1 = no_allocate, l2 = evict_first or l2 = evict_last, got l1 = evict_first}}
#cache = #tile.cache<l1 = evict_first>

// -----

// cache_c1
tile.kernel @k grid = [1, 1, 1] warps = 1 (%x: !tile.view<f32, "{offset=0, dims=[{extent=32, modes=[[32,1]]}]}">) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'tile.cache' must be a #tile.cache, got "no"}}
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] {tile.cache = "no"} : !tile.view<f32, "{offset=0, dims=[{extent=32, modes=[[32,1]]}]}"> -> tensor<32xf32>
  tile.return
}

// -----

// cache_c2
tile.kernel @k grid = [1, 1, 1] warps = 1 () {
  // expected-error@+1 {{takes no 'tile.cache': it stands on a tile.load, tile.store or tile.send_run}}
  tile.barrier {tile.cache = #tile.cache<l2 = evict_first>}
  tile.return
}

// -----

tile.kernel @any_c1 grid = [1, 1, 1] warps = 1 () {
  %0 = arith.constant dense<0.0> : tensor<8xf32>
  // expected-error@+1 {{of elements of 'f32', which are no conditions}}
  %1 = tile.any %0 : tensor<8xf32>
  tile.return
}

// -----

// run_c1
tile.kernel @copies_no_run grid = [1, 1, 1] warps = 1 (%x: !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,45]]}, {extent=43, modes=[[43,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : <1, bf16, "{shape=[1384], order=[0], inner=[1]}">
  // expected-error @+1 {{a tile that is no run of}}
  tile.copy_run %x[%c0, %c0] of [32, 48], %b warps = 1 divisors = [0, 0] in_bounds = [true, false] : <bf16, "{offset=0, dims=[{extent=64, modes=[[64,45]]}, {extent=43, modes=[[43,1]]}]}">, <1, bf16, "{shape=[1384], order=[0], inner=[1]}">
  tile.return
}

// -----

// run_c2
tile.kernel @sends_more_than_the_buffer_has grid = [1, 1, 1] warps = 1 (%x: !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,43]]}, {extent=43, modes=[[43,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : <1, bf16, "{shape=[1376], order=[0], inner=[1]}">
  // expected-error @+1 {{needs one buffer of 1384 elements of 'bf16', got}}
  tile.send_run %b, %x[%c0, %c0] of [32, 48] warps = 1 divisors = [0, 0] in_bounds = [true, false] : <1, bf16, "{shape=[1376], order=[0], inner=[1]}">, <bf16, "{offset=0, dims=[{extent=64, modes=[[64,43]]}, {extent=43, modes=[[43,1]]}]}">
  tile.return
}

// -----

// run_c3: found by programs with changed attributes, which it compiled forever
tile.kernel @sends_less_than_nothing grid = [1, 1, 1] warps = 1 (%x: !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,43]]}, {extent=43, modes=[[43,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : <1, bf16, "{shape=[1384], order=[0], inner=[1]}">
  // expected-error @+1 {{a tile of -32 elements in dimension 0}}
  tile.send_run %b, %x[%c0, %c0] of [-32, 48] warps = 1 divisors = [0, 0] in_bounds = [true, false] : <1, bf16, "{shape=[1384], order=[0], inner=[1]}">, <bf16, "{offset=0, dims=[{extent=64, modes=[[64,43]]}, {extent=43, modes=[[43,1]]}]}">
  tile.return
}

// -----

// run_c4
tile.kernel @copies_by_no_warp grid = [1, 1, 1] warps = 1 (%x: !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,43]]}, {extent=43, modes=[[43,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : <1, bf16, "{shape=[1384], order=[0], inner=[1]}">
  // expected-error @+1 {{by 0 warps, a block has 1 to 32}}
  tile.copy_run %x[%c0, %c0] of [32, 48], %b warps = 0 divisors = [0, 0] in_bounds = [true, false] : <bf16, "{offset=0, dims=[{extent=64, modes=[[64,43]]}, {extent=43, modes=[[43,1]]}]}">, <1, bf16, "{shape=[1384], order=[0], inner=[1]}">
  tile.return
}
