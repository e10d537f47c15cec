// Passes of the schedule stage that know products, the rings that feed them, the roles of warps and what is done with
// results.
#ifndef TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PRODUCTPASSES_TD
#define TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PRODUCTPASSES_TD

include "mlir/Pass/PassBase.td"

def TileDivideSteps : Pass<"tile-divide-steps", "::tilewright::tile::KernelOp"> {
  let summary = "Divide the steps of all tiles' sums evenly among persistent blocks (stream-K)";
  let description = [{
    With `stream_k = n` in the schedule, tiles beyond whole rounds of the persistent blocks, and those of n - 1 rounds more,
    are cut into equal stretches of steps along K, one a block. What a block does is a constant list of segments: a tile,
    its first step, and how many. A segment that does not reach its tile's end stores its sum to the kernel's
    workspace and raises the block's flag; the block that has the tile's end lowers the flags of the blocks before it, adds their
    sums to its own, nearest first, and goes on with what follows the product.

    None waits for ever where all blocks run at once: a block gives before it waits, so what it waits for needs no third.
    The tile stage takes no more persistent blocks than the chip has multiprocessors. On a chip with fewer (a part of one)
    it is enough that blocks start in the order of their numbers, since they wait for smaller ones alone.

    Needs one loop over K that carries sums from zero on, and a grid of one dimension. Where whole rounds are all there
    is, or K is one step, the kernel stays as it is, for tile-persistent. Sums are formed in parts of K, in an order
    that does not vary from run to run.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-divide-steps
    graph.kernel anchor(matmul) @mm(%a: tensor<192x1024xbf16>, %b: tensor<1024x64xbf16>) -> tensor<192x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 2, stream_k = 2>} {
      %0 = graph.matmul %a, %b : tensor<192x1024xbf16>, tensor<1024x64xbf16> to tensor<192x64xf32>
      graph.return %0 : tensor<192x64xf32>
    }
    ```
    ==>
    ```mlir
    tile.kernel @mm grid = [2, 1, 1]
      %block = tile.block_id 0
    ...
      %from = arith.muli %block, %most
      %count = tile.lookup %block of [2, 2]
      %to = arith.addi %from, %count
    ...
      scf.for %segment = %from to %to step %c1
        %tile = tile.lookup %segment of [1, 0, 2, 1]
        %first = tile.lookup %segment of [0, 0, 0, 8]
        %slot = tile.lookup %segment of [0, 8, 0, 16]
        %end = tile.lookup %segment of [8, 24, 16, 24]
        %parts = tile.lookup %segment of [0, 0, 0, 1]
    ...
        %sum = scf.for %number = %slot to %end
    ...
        scf.if %gives {
    ...
          tile.store %sum, %workspace[%own, %zero]
          tile.barrier
          tile.raise_flag %flags[%block]
        } else {
    ...
          scf.if %shared {
    ...
            scf.for %i = %nearest to %parts
    ...
              tile.lower_flag %flags[%other]
            }
            tile.barrier
          }
    ...
          %whole = scf.for %j = %begin to %parts
    ...
            %part = tile.load %workspace
            %added = arith.addf
            scf.yield %added
          }
    ...
          tile.store %whole
    ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TilePersistent : Pass<"tile-persistent", "::tilewright::tile::KernelOp"> {
  let summary = "Let a fixed number of blocks take the tiles in turn";
  let description = [{
    With `persistent = n` in the schedule and more tiles than n, the grid becomes n blocks, and the kernel's program the
    body of a loop over tiles: block b takes tiles b, b + n, and so on. With one tile a block the kernel stays as it
    is, unless instances of a role take tiles in turn.

    Needs a grid of one dimension. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-persistent
    graph.kernel anchor(matmul) @mm(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 3>} {
      %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
      graph.return %0 : tensor<256x64xf32>
    }
    ```
    ==>
    ```mlir
    tile.kernel @mm grid = [3, 1, 1]
      %block = tile.block_id 0
      %tiles = arith.constant 4 : index
      %blocks = arith.constant 3 : index
      scf.for %tile = %block to %tiles step %blocks
    ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileAsyncProducts : Pass<"tile-async-products", "::tilewright::tile::KernelOp"> {
  let summary = "Start and await products of warpgroups on rings in shared memory";
  let description = [{
    A `tile.dot` whose schedule says `product = wgmma` becomes a `tile.dot_async`, which reads a ring. The loads that
    feed it become bulk copies to the ring's slots where a tensor map describes the view, else loads and stores. Slots
    are numbered by the iterations of all loops around. A product that sums up over a loop and is read only behind it
    runs on: its slot is released in the next iteration. Others are awaited at once. A left operand that is computed is
    read from registers; so is, with `left = registers`, one that is loaded: the warps that multiply read it from the
    ring as it lies in memory and convert it, and their products end in the step that they began in. Where it is computed
    of what is loaded, and no other warpgroup multiplies meanwhile, that is done in parts of K, each while the one before is
    multiplied. Other operands that are computed of one load a role of warps computes on their way.

    Needs the tile form; filling and reading stand one after the other, so the program is right as it is, only slow:
    tile-specialise-roles parts them. Numbers: the order of summation over K is the instruction's.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-async-products
    graph.kernel anchor(matmul) @mm(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma>} {
      %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
      graph.return %0 : tensor<256x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %ring = tile.ring %a_slots, %b_slots readers = 1
    ...
      %none = tile.begin_dot
    ...
      %sums = scf.for
    ...
        tile.acquire %ring[%slot]
        tile.copy_bulk %a[%row, %k], %a_slots[%stage] signals %ring[%slot]
        tile.copy_bulk %b[%k, %column], %b_slots[%stage] signals %ring[%slot]
        tile.commit %ring[%slot]
        tile.wait %ring[%slot]
    ...
        %sum = tile.dot_async %a_slots[%stage], %b_slots[%stage], %carried if %later
        tile.await_dots 1
        scf.if %later {
    ...
          tile.release %ring[%previous]
        }
        scf.yield %sum
      }
      %product = tile.await %sums
    ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileStageStores : Pass<"tile-stage-stores", "::tilewright::tile::KernelOp"> {
  let summary = "Store results through shared memory by bulk copies";
  let description = [{
    With `store = bulk` in the schedule, a tile in the layout of accumulators is stored in pieces of all warps' rows by
    128 bytes: each piece goes from registers to one of two buffers and from there to global memory, while threads go
    on to the next. Where rows begin at no whole 16 bytes no tensor map describes the result: threads store the piece from
    the buffer, neighbouring lanes neighbouring elements of a row. Results that are not contiguous along rows stay stores
    from registers, with a remark.

    Warpgroups that share a tile (`roles = cooperative`) store their own rows, each behind a barrier of its own: one
    multiplies while another stores. A tile that the result is combined with, a residual, comes in the same pieces through a
    ring that the loading role fills while products run, where a tensor map describes it and shared memory has room for two
    pieces beside the products' ring; where instances take turns, for all pieces of two tiles. A schedule of one stage less
    makes that room.

    A block of one tile has all pieces side by side in the bytes of the products' rings, behind a barrier of the warps that
    multiply: no piece waits for another one's store.

    Needs layouts on all tiles. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-stage-stores
    graph.kernel anchor(matmul) @mm(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, store = bulk>} {
      %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
      graph.return %0 : tensor<256x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.wait_stores 1
      tile.barrier
    ...
      %piece = tile.slice %product
      tile.store_shared %piece, %staging[%stage]
      tile.fence_async
      tile.barrier
      tile.store_bulk %staging[%stage], %c
    ...
      tile.wait_stores 0
    ...
    ```
  }];
}

def TileSpecialiseRoles : Pass<"tile-specialise-roles", "::tilewright::tile::KernelOp"> {
  let summary = "Part a kernel into warps that fill rings and warps that read them";
  let description = [{
    With `roles` in the schedule, what stands between `tile.acquire` and `tile.commit` becomes the program of a role of
    one warpgroup, all other effects that of a second role; each takes the loops, conditions and index arithmetic that
    it needs. Buffers and rings stay before the roles. For `roles = pingpong` the second role has two instances, which
    tile-take-turns lets take tiles in turn.

    Needs rings (tile-async-products). It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-async-products tile-specialise-roles
    graph.kernel anchor(matmul) @mm(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232]>} {
      %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
      graph.return %0 : tensor<256x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.role @load warps = 4 instances = 1 registers = 40
    ...
          tile.acquire
          tile.copy_bulk
          tile.copy_bulk
          tile.commit
    ...
      tile.role @multiply warps = 4 instances = 1 registers = 232
    ...
          tile.wait
    ...
          %sum = tile.dot_async
    ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileOverlapSteps : Pass<"tile-overlap-steps", "::tilewright::tile::KernelOp"> {
  let summary = "Run a chain's first product of a step beside the second one of the step before";
  let description = [{
    A step of a chain is a product, what is made of its result (the terms), and a second product of these, which adds up:
    nothing multiplies while terms are computed. With `overlap_steps` in the schedule the loop is rotated by its second
    product: a step starts its own first product and the second one of the step before, waits for the first of the two
    alone, computes its terms while the other one is in flight, and waits for that one before it rounds them and scales
    the sums. The first step's terms are computed in front of the loop, the last step's product stands behind it; a loop
    that may have no step is guarded.

    Needs roles (tile-specialise-roles), so that slots come without the loop that reads them. It does not change numbers:
    what is summed up is scaled where it was, between two products.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-async-products canonicalize tile-specialise-roles tile-overlap-steps
    graph.kernel anchor(matmul) @chain(%q: tensor<2x64x64xbf16>, %k: tensor<2x64x256xbf16>, %v: tensor<2x256x64xbf16>) -> tensor<2x64x64xf32>
        attributes {tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, overlap_steps>} {
      %s = graph.matmul %q, %k : tensor<2x64x64xbf16>, tensor<2x64x256xbf16> to tensor<2x64x256xf32>
      %e = math.tanh %s : tensor<2x64x256xf32>
      %t = arith.truncf %e : tensor<2x64x256xf32> to tensor<2x64x256xbf16>
      %o = graph.matmul %t, %v : tensor<2x64x256xbf16>, tensor<2x256x64xbf16> to tensor<2x64x64xf32>
      graph.return %o : tensor<2x64x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.role @multiply
    ...
        %first = tile.dot_async %q_slots[%stage], %k_slots[%start]
        %scores = tile.await %first
    ...
        %both:2 = scf.for %step = %one to %end step %size iter_args(%sums = %zero, %terms = %made)
    ...
          %next = tile.dot_async %q_slots[%stage], %k_slots[%slot]
    ...
          %running = tile.dot_async %terms, %v_slots[%before]
          %own = tile.await %next leaving 1
    ...
          %unrounded = math.tanh %own
    ...
          %sum = tile.await %running
    ...
          scf.yield %sum
    ...
        tile.wait
    ...
        %product = tile.await
    ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileDeferStores : Pass<"tile-defer-stores", "::tilewright::tile::KernelOp"> {
  let summary = "Store a tile's results while the next tile's products run";
  let description = [{
    With `defer_stores` in the schedule, the role that multiplies keeps the pieces of a tile's result, as they will be
    stored, in registers: the loop over tiles carries them. Behind the products of each of the next tile's first steps of K
    one piece is stored, and those of the last tile behind the loop. What the result is combined with is loaded behind these
    steps, while the others run: the loop over K is parted there. A tile's accumulators and its rounded results must fit
    the role's registers side by side; blocks of one tile, instances that take turns and tiles of fewer steps than pieces stay
    as they are, with a remark.

    Needs roles of one instance (tile-specialise-roles) and pieces (tile-stage-stores). It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-persistent tile-async-products tile-stage-stores canonicalize tile-specialise-roles canonicalize tile-defer-stores
    graph.kernel anchor(matmul) @mm(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xbf16> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, defer_stores>} {
      %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
      %1 = arith.truncf %0 : tensor<256x64xf32> to tensor<256x64xbf16>
      graph.return %1 : tensor<256x64xbf16>
    }
    ```
    ==>
    ```mlir
    ...
            scf.if
              tile.wait_stores 0
              tile.barrier
    ...
              tile.store_shared
              tile.fence_async
              tile.barrier
              tile.store_bulk
            }
            tile.await_dots 1
    ...
        tile.wait_stores 0
        tile.barrier
    ...
        tile.store_bulk
        tile.wait_stores 0
    ...
    ```
  }];
}

def TileDeferCommits : Pass<"tile-defer-commits", "::tilewright::tile::KernelOp"> {
  let summary = "Keep the copies of several slots in flight where threads fill them by cp.async";
  let description = [{
    A role that waits for its copies before it commits their slot has one slot in flight. Here it commits each slot some
    slots later, when its copies have had the time of those to arrive, and the last ones behind its loops. Of a ring of n
    stages n - 3 commits are outstanding (one of three stages).

    Needs roles of one instance that acquire in one place (tile-specialise-roles). It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-async-products tile-specialise-roles tile-defer-commits
    graph.kernel anchor(matmul) @mm(%a: tensor<64x130xbf16>, %b: tensor<130x64xbf16>) -> tensor<64x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, copy = cp_async, roles = cooperative>} {
      %0 = graph.matmul %a, %b : tensor<64x130xbf16>, tensor<130x64xbf16> to tensor<64x64xf32>
      graph.return %0 : tensor<64x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
          tile.acquire
    ...
          tile.copy_async
          tile.copy_async
          tile.commit_async
    ...
          scf.if
            tile.wait_async 2
    ...
            tile.commit
    ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileTakeTurns : Pass<"tile-take-turns", "::tilewright::tile::KernelOp"> {
  let summary = "Let instances of a role take tiles in turn";
  let description = [{
    In a role of several instances, instance i takes the i-th tile of the block and every so many-th from there. From
    its first wait for a slot to its last product of a tile an instance has the turn, so that slots are read in their
    order; then the next instance multiplies while this one finishes its tile. Buffers that the role writes are
    multiplied, one for each instance.

    Needs a loop over tiles (tile-persistent) in the role. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-persistent tile-async-products tile-specialise-roles tile-take-turns
    graph.kernel anchor(matmul) @mm(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, persistent = 2>} {
      %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
      graph.return %0 : tensor<256x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.role @multiply warps = 4 instances = 2
    ...
        scf.if %is_last {
          tile.pass_turn %instance
        }
    ...
        scf.for %tile = %first to %tiles step %both
    ...
          tile.take_turn %instance
          %sums = scf.for
    ...
          tile.pass_turn %instance
    ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileShareCopies : Pass<"tile-share-copies", "::tilewright::tile::KernelOp"> {
  let summary = "Let the blocks of a cluster bring a tile that all of them read once";
  let description = [{
    With `cluster` in the schedule the blocks of a cluster compute tiles below (beside) one another, which need the same
    tiles of the right (left) operand. Of such a tile each block copies a part to the shared memory of all. The ring's
    slots are released in all blocks that bring something to them. The blocks meet before the first role and at the end
    of the last. Where the last cluster has more tiles than there are, its blocks bring the last tile once more.

    Needs kernels whose roles are specialised. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-async-products tile-specialise-roles tile-share-copies
    graph.kernel anchor(matmul) @mm(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, cluster = [2, 1]>} {
      %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
      graph.return %0 : tensor<256x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.arrive_cluster
      tile.await_cluster
      tile.role @load warps = 4 instances = 1
    ...
          tile.copy_bulk
          tile.copy_bulk
    ...
          tile.commit
    ...
      tile.role @multiply warps = 4 instances = 1
    ...
      tile.arrive_cluster
      tile.await_cluster
    ...
    ```
  }];
}

def TileStageProducts : Pass<"tile-stage-products", "::tilewright::tile::KernelOp"> {
  let summary = "Feed products from shared memory through a ring of asynchronous copies";
  let description = [{
    In a loop around a `tile.dot`, each operand that is loaded from global memory and converted to a fragment goes
    through shared memory instead: `stages` buffers (from the kernel's schedule) are filled by `tile.copy_async`,
    `stages - 1` iterations ahead. A load that cannot be copied in pieces of at least 4 bytes is loaded to registers,
    as many iterations ahead as may wait there, and stored to the next of two buffers. Shared layouts are swizzled so
    that neither side has bank conflicts. Products without a matrix instruction become a loop of outer products over K.

    Needs the tile form; leaves products that are fed from shared memory alone (`schedule_form_5`). Numbers: outer
    products are fused multiply-adds in the order of K; otherwise none change.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-stage-products
    graph.kernel anchor(matmul) @mm(%a: tensor<16x64xbf16>, %b: tensor<64x16xbf16>) -> tensor<16x16xf32> attributes {
        tile.schedule = #tile.schedule<tile = [16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 2>} {
      %0 = graph.matmul %a, %b : tensor<16x64xbf16>, tensor<64x16xbf16> to tensor<16x16xf32>
      graph.return %0 : tensor<16x16xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.copy_async %a[%row, %k0], %ring_a[%slot0]
      tile.copy_async %b[%k0, %row], %ring_b[%slot0]
      tile.commit_async
      %product = scf.for
    ...
        tile.wait_async 0
        tile.barrier
    ...
          tile.copy_async %a[%row, %next], %ring_a[%free]
          tile.copy_async %b[%next, %row], %ring_b[%free]
        }
        tile.commit_async
        %lhs = tile.load_shared %ring_a[%slot]
        %rhs = tile.load_shared %ring_b[%slot]
        %sum = tile.dot %lhs, %rhs, %acc
        scf.yield %sum
    ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileSumBlocks : Pass<"tile-sum-blocks", "::tilewright::tile::KernelOp"> {
  let summary = "Add up the tiles of a cluster's blocks through distributed shared memory";
  let description = [{
    With `split_k` in the schedule each block of a cluster multiplies a part of K, and `tile.sum_blocks` stands behind
    the product. Each block pushes the parts of its accumulators to the blocks that they are for (`tile.push_parts`), into
    a buffer of their own: a block may be far behind, and still fill the ring. Behind its part of all blocks it adds these
    from its own on, an order that does not vary from run to run. What a warp stores at once, 8 rows of 8 accumulators,
    lies together in the buffer: to other blocks these go twice as fast as rows of 32 bytes (13.4 bytes a cycle for 7.5 on
    an H200). A block pushes when all others have come this far; none has to wait for another one at its end: when its slot
    is full, nobody has business with its memory.

    Needs layouts on all tiles, and `tile.sum_blocks` outside of loops, several beside one another: one slot gets the
    parts of all of them. Sums are formed in parts of K.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-async-products tile-sum-blocks
    graph.kernel anchor(matmul) @mm(%a: tensor<16x256xbf16>, %b: tensor<256x64xbf16>) -> tensor<16x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, split_k = 2, swap_operands>} {
      %0 = graph.matmul %a, %b : tensor<16x256xbf16>, tensor<256x64xbf16> to tensor<16x64xf32>
      graph.return %0 : tensor<16x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %product = tile.await %pending
    ...
      tile.arrive_cluster own
      tile.await_cluster
      tile.push_parts %product, %buffer[%stage] of %own signals %ring[%stage]
      tile.barrier
      tile.wait %ring[%stage]
    ...
      %first = tile.load_shared %buffer[%stage] at[%c0, %place]
    ...
      %second = tile.load_shared %buffer[%stage] at[%zero, %other]
      %sum = arith.addf %first, %second
    ...
      tile.return
    ...
    ```
  }];
}

def TileDependOnGrid : Pass<"tile-depend-on-grid", "::tilewright::tile::KernelOp"> {
  let summary = "Let a kernel start before those that it depends on have ended";
  let description = [{
    Where the kernel's schedule says `pdl`, `tile.launch_dependents` stands at its start, and `tile.await_grid` where a
    role, or a kernel without roles, first needs what kernels before may write: barriers are made and tensor maps
    fetched while those still run. Arguments marked `tile.steady` are written by none: a role that fills a ring
    starts the copies of such operands for the first slots before the wait, a kernel without roles loads them.
    The plan makes the edge a programmatic one (plan-programmatic-edges).

    Needs kernels whose roles are specialised. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-depend-on-grid
    graph.kernel anchor(elementwise) @exp(%x: tensor<256xf32>) -> tensor<256xf32> attributes {tile.schedule =
        #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1, pdl>} {
      %0 = math.exp %x : tensor<256xf32>
      graph.return %0 : tensor<256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.launch_dependents
    ...
      tile.await_grid
      %in = tile.load %x[%first]
    ...
    ```
  }];
}

#endif // TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PRODUCTPASSES_TD
