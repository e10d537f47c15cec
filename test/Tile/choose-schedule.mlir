// Schedules follow the registers that live values need and the shared memory that a block may have.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s --check-prefixes=CHECK,MOST
// RUN: tw-opt %s --convert-graph-to-tile=shared-limit=49152 | FileCheck %s --check-prefixes=CHECK,LESS

// More than threads at once: a vector of each, in more warps.
// CHECK: tile.kernel @few {{.*}}tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 8,
graph.kernel anchor(elementwise) @few(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {
  %0 = math.exp %x : tensor<4194304xf32>
  %1 = arith.addf %0, %x : tensor<4194304xf32>
  graph.return %1 : tensor<4194304xf32>
}

// So few that all threads run at once: a vector or two each. Of 16 bits vectors are eight elements.
// CHECK: tile.kernel @at_once {{.*}}tile.schedule = #tile.schedule<tile = [512], reduce = 1, warps = 2,
graph.kernel anchor(elementwise) @at_once(%x: tensor<928394xf32>) -> tensor<928394xf32> {
  %0 = math.exp %x : tensor<928394xf32>
  %1 = arith.addf %0, %x : tensor<928394xf32>
  graph.return %1 : tensor<928394xf32>
}
// CHECK: tile.kernel @narrow_at_once {{.*}}tile.schedule = #tile.schedule<tile = [2048], reduce = 1, warps = 4,
graph.kernel anchor(elementwise) @narrow_at_once(%x: tensor<928394xbf16>) -> tensor<928394xbf16> {
  %0 = arith.negf %x : tensor<928394xbf16>
  %1 = arith.maximumf %0, %x : tensor<928394xbf16>
  graph.return %1 : tensor<928394xbf16>
}

// Sixteen powers wait for their sum: four elements a thread, in more warps.
// CHECK: tile.kernel @many {{.*}}tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 8,
graph.kernel anchor(elementwise) @many(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {
  %1 = arith.mulf %x, %x : tensor<4194304xf32>
  %2 = arith.mulf %1, %x : tensor<4194304xf32>
  %3 = arith.mulf %2, %x : tensor<4194304xf32>
  %4 = arith.mulf %3, %x : tensor<4194304xf32>
  %5 = arith.mulf %4, %x : tensor<4194304xf32>
  %6 = arith.mulf %5, %x : tensor<4194304xf32>
  %7 = arith.mulf %6, %x : tensor<4194304xf32>
  %8 = arith.mulf %7, %x : tensor<4194304xf32>
  %9 = arith.mulf %8, %x : tensor<4194304xf32>
  %10 = arith.mulf %9, %x : tensor<4194304xf32>
  %11 = arith.mulf %10, %x : tensor<4194304xf32>
  %12 = arith.mulf %11, %x : tensor<4194304xf32>
  %13 = arith.mulf %12, %x : tensor<4194304xf32>
  %14 = arith.mulf %13, %x : tensor<4194304xf32>
  %15 = arith.mulf %14, %x : tensor<4194304xf32>
  %16 = arith.mulf %15, %x : tensor<4194304xf32>
  %r15 = arith.subf %16, %15 : tensor<4194304xf32>
  %r14 = arith.subf %r15, %14 : tensor<4194304xf32>
  %r13 = arith.subf %r14, %13 : tensor<4194304xf32>
  %r12 = arith.subf %r13, %12 : tensor<4194304xf32>
  %r11 = arith.subf %r12, %11 : tensor<4194304xf32>
  %r10 = arith.subf %r11, %10 : tensor<4194304xf32>
  %r9 = arith.subf %r10, %9 : tensor<4194304xf32>
  %r8 = arith.subf %r9, %8 : tensor<4194304xf32>
  %r7 = arith.subf %r8, %7 : tensor<4194304xf32>
  %r6 = arith.subf %r7, %6 : tensor<4194304xf32>
  %r5 = arith.subf %r6, %5 : tensor<4194304xf32>
  %r4 = arith.subf %r5, %4 : tensor<4194304xf32>
  %r3 = arith.subf %r4, %3 : tensor<4194304xf32>
  %r2 = arith.subf %r3, %2 : tensor<4194304xf32>
  %r1 = arith.subf %r2, %1 : tensor<4194304xf32>
  graph.return %r1 : tensor<4194304xf32>
}

// A row that fits is one tile; of a longer one a block takes pieces, in a loop.
// CHECK: tile.kernel @row {{.*}}tile.schedule = #tile.schedule<tile = [1, 32768],
// CHECK-NOT: scf.for
graph.kernel anchor(reduction) @row(%x: tensor<256x32768xf32>) -> tensor<256xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<256x32768xf32> to tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}
// CHECK: tile.kernel @long_row {{.*}}tile.schedule = #tile.schedule<tile = [1, 8192],
// CHECK: scf.for
graph.kernel anchor(reduction) @long_row(%x: tensor<256x65536xf32>) -> tensor<256xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<256x65536xf32> to tensor<256xf32>
  graph.return %0 : tensor<256xf32>
}

// Two tiles of 128x64 bf16 take 32 KB a stage: three stages fit the 99 KB that every chip has, one fits 48 KB, so
// that K is halved for two.
// CHECK: tile.kernel @product
// MOST-SAME: #tile.schedule<tile = [128, 128], reduce = 64, warps = 8, warp_grid = [2, 4], stages = 3>
// LESS-SAME: #tile.schedule<tile = [128, 128], reduce = 32, warps = 8, warp_grid = [2, 4], stages = 2>
graph.kernel anchor(matmul) @product(%a: tensor<4096x1024xbf16>, %b: tensor<1024x4096xbf16>) -> tensor<4096x4096xf32> {
  %0 = graph.matmul %a, %b : tensor<4096x1024xbf16>, tensor<1024x4096xbf16> to tensor<4096x4096xf32>
  graph.return %0 : tensor<4096x4096xf32>
}

// An odd number of rows does not make blocks of one: what is padded has a factor of 64, 32 rows fill the block.
// CHECK-LABEL: tile.kernel @padded_rows
// CHECK-SAME: #tile.schedule<tile = [32, 64], reduce = 1, warps = 8,
graph.kernel anchor(elementwise) @padded_rows(%x: tensor<4095x4099xbf16>) -> tensor<4095x4160xbf16> {
  %0 = graph.pad %x low = [0, 0] high = [0, 61] value = 0.0 : bf16 : tensor<4095x4099xbf16> to tensor<4095x4160xbf16>
  graph.return %0 : tensor<4095x4160xbf16>
}

// A row of 2776 = 8 * 347 elements is divided into vectors of 8 for all threads: 11 * 256 elements would be held whole
// by each of 8 warps, and twice as many elements as there are would keep 8 warps busy.
// CHECK-LABEL: tile.kernel @rows_of_odd_vectors
// CHECK-SAME: #tile.schedule<tile = [1, 3072], reduce = 1, warps = 4,
graph.kernel anchor(reduction) @rows_of_odd_vectors(%x: tensor<8192x2776xbf16>) -> tensor<8192xf32> {
  %w = arith.extf %x : tensor<8192x2776xbf16> to tensor<8192x2776xf32>
  %r = graph.reduce sum %w dims = [1] : tensor<8192x2776xf32> to tensor<8192xf32>
  graph.return %r : tensor<8192xf32>
}
