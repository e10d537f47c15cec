// Entries of #tile.schedule beyond the first five may be absent, stand in any order, and are printed in one.
// RUN: tw-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: tile.kernel @plain
// CHECK-SAME: #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>}
tile.kernel @plain grid = [1, 1, 1] warps = 4 () attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3, order = rows, roles = none>} {
  tile.return
}

// CHECK: tile.kernel @pingpong
// CHECK-SAME: stages = 6, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 132, order = grouped<8>, store = bulk>}
tile.kernel @pingpong grid = [1, 1, 1] warps = 4 () attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 6, store = bulk,
      order = grouped<8>, registers = [40, 232], persistent = 132, roles = pingpong, copy = bulk, product = wgmma>} {
  tile.return
}

// CHECK: tile.kernel @chain
// CHECK-SAME: stages = 2, product = wgmma, roles = cooperative, order = grouped<8>, skip_steps, overlap_steps>}
tile.kernel @chain grid = [1, 1, 1] warps = 4 () attributes {
    tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, overlap_steps,
      skip_steps, order = grouped<8>, roles = cooperative, product = wgmma>} {
  tile.return
}

// -----

// expected-error@+1 {{a schedule has no 'colour'}}
#s = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3, colour = red>

// -----

// expected-error@+1 {{'simt' is none of fma, mma_sync, wgmma}}
#s = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3, product = simt>

// -----

// expected-error@+1 {{product = wgmma needs warpgroups of 4 warps, got 2 warps}}
#s = #tile.schedule<tile = [64, 64], reduce = 32, warps = 2, warp_grid = [2, 1], stages = 3, product = wgmma>

// -----

// expected-error@+1 {{product = wgmma has whole warpgroups along M, warp_grid has 2 of 4 warps along N}}
#s = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3, product = wgmma>

// -----

// expected-error@+1 {{product = wgmma gives each of 2 warpgroups multiples of 64 rows, the tile has 64}}
#s = #tile.schedule<tile = [64, 64], reduce = 32, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma>

// -----

// expected-error@+1 {{product = wgmma with warpgroups along N takes roles = cooperative, and neither split_k, defer_stores, overlap_steps nor left = registers}}
#s = #tile.schedule<tile = [64, 64], reduce = 32, warps = 8, warp_grid = [4, 2], stages = 3, product = wgmma, roles = cooperative, split_k = 2>

// -----

// expected-error@+1 {{product = wgmma takes N in multiples of 16 up to 512, the tile has 72}}
#s = #tile.schedule<tile = [64, 72], reduce = 32, warps = 8, warp_grid = [4, 2], stages = 3, product = wgmma, roles = cooperative>

// -----

// expected-error@+1 {{product = wgmma takes N in multiples of 8 up to 512, the tile has 260}}
#s = #tile.schedule<tile = [64, 260], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>

// -----

// expected-error@+1 {{a thread has 256 accumulators and needs 24 other registers, but has 255}}
#s = #tile.schedule<tile = [128, 256], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>

// -----

// expected-error@+1 {{product = wgmma reads a ring of at least 2 stages, got 1}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 1, product = wgmma>

// -----

// expected-error@+1 {{roles, rotate_k, clusters, stream_k and bulk copies and stores need product = wgmma}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, rotate_k>

// -----

// expected-error@+1 {{roles = pingpong takes tiles in turn and needs persistent blocks}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = pingpong>

// -----

// expected-error@+1 {{a block has at most 32 warps, its roles have 36}}
#s = #tile.schedule<tile = [256, 64], reduce = 64, warps = 16, warp_grid = [16, 1], stages = 3, product = wgmma, roles = pingpong, persistent = 132>

// -----

// expected-error@+1 {{registers are moved between roles, and roles = none}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, registers = [40, 232]>

// -----

// expected-error@+1 {{registers must be multiples of 8 from 24 to 240, got 41}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, registers = [41, 232]>

// -----

// expected-error@+1 {{registers of all roles are 66560, 384 threads start with 168 each}}
#s = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 240]>

// -----

// The multiprocessor has as many, but 640 threads start with fewer: the last to ask would wait forever.
// expected-error@+1 {{registers of all roles are 62464, 640 threads start with 96 each}}
#s = #tile.schedule<tile = [256, 64], reduce = 64, warps = 16, warp_grid = [16, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 112]>

// -----

// expected-error@+1 {{split_k must be 1 to 16 blocks of a cluster, got 17}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, split_k = 17>

// -----

// expected-error@+1 {{split_k = 2 has one tile a block: neither persistent blocks nor roles = pingpong}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, persistent = 132, split_k = 2>

// -----

// expected-error@+1 {{split_k = 3 divides neither the rows nor the columns of the tile among its blocks}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, split_k = 3>

// -----

// expected-error@+1 {{a cluster has up to 16 blocks along M and N, got [8, 4]}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, cluster = [8, 4]>

// -----

// expected-error@+1 {{blocks of a cluster share operands that a role loads, and have all of K: cluster needs roles and no split_k}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, cluster = [2, 1]>

// -----

// expected-error@+1 {{blocks of a cluster share the same part of K at a time: rotate_k excludes clusters}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, rotate_k, cluster = [2, 1]>

// -----

// expected-error@+1 {{133 persistent blocks are no whole clusters of 2}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, persistent = 133, cluster = [2, 1]>

// -----

// expected-error@+1 {{loaders are instances of a role that loads, at least one: got 2}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, loaders = 2>

// -----

// expected-error@+1 {{3 loaders take slots in turn of a ring of 2}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, loaders = 3>

// -----

// expected-error@+1 {{blocks of a cluster share what one loader brings: loaders must be 1}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = cooperative, loaders = 2, cluster = [2, 1]>

// -----

// CHECK: #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 6, product = wgmma, persistent = 132, order = hilbert, stream_k = 2>
tile.kernel @streamed grid = [1, 1, 1] warps = 4 () attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 6, stream_k = 2,
      order = hilbert, persistent = 132, product = wgmma>} {
  tile.return
}

// -----

// expected-error@+1 {{stream_k divides steps among 1 to 1024 persistent blocks, got 0}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, stream_k = 2>

// -----

// expected-error@+1 {{stream_k has blocks begin where others end in K: it excludes clusters, split_k and rotate_k}}
#s = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, persistent = 132, stream_k = 2, rotate_k>
