// The passes on the tile dialect, in the order of the tile and schedule stages.
#ifndef TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_TD
#define TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileLoadEarly : Pass<"tile-load-early", "::tilewright::tile::KernelOp"> {
  let summary = "Load for later results before the first is stored";
  let description = [{
    The tile stage evaluates results one after the other, and loads for each what it needs. No result is an argument,
    so loads may pass stores: they move up to the first loads of their block while the tiles they hold take few
    registers, and what was loaded twice is then loaded once. Each wait for memory that is saved counts where a kernel is
    short; elsewhere more bytes are in flight. Nothing moves out of a loop or past one.

    Needs kernels from convert-graph-to-tile. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-load-early
    graph.kernel anchor(elementwise) @two(%x: tensor<256xf32>, %y: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>)
        attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
      %0 = math.exp %x : tensor<256xf32>
      %1 = math.tanh %y : tensor<256xf32>
      graph.return %0, %1 : tensor<256xf32>, tensor<256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %in = tile.load %x[%first] divisors = [128] in_bounds = [true]
      %other = tile.load %y[%first] divisors = [128] in_bounds = [true]
      %out = math.exp %in : tensor<128xf32>
      tile.store %out, %u[%first]
    ...
    ```
  }];
}

def TileAssignLayouts : Pass<"tile-assign-layouts", "::tilewright::tile::KernelOp"> {
  let summary = "Give every tile a layout";
  let description = [{
    All tiles of one shape share one layout, the one that coalesces the accesses with the most bytes; tiles with
    sizes of 1 take its projection, so that reductions and broadcasts move no data. Operands and accumulators of
    products take the fragments of the matrix instruction. Where a value is needed in another layout, or memory is
    contiguous along another dimension, a `tile.convert_layout` stands.

    Needs kernels from convert-graph-to-tile; gives the tile form (verify-tile-form). It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts
    graph.kernel anchor(elementwise) @exp(%x: tensor<256xf32>) -> tensor<256xf32>
        attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
      %0 = math.exp %x : tensor<256xf32>
      graph.return %0 : tensor<256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %in = tile.load %x[%first] divisors = [128] in_bounds = [true]
      %out = math.exp %in : tensor<128xf32, #tile.layout<"{shape=[128], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[]}">>
      tile.store %out, %y[%first]
    ...
    ```
  }];
}

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
    ring as it lies in memory and convert it, and their products end in the step that they began in.

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
    slots are released in all blocks. The blocks meet before the first role and at the end of the last.

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
    the product. Each block stores its accumulators to its shared memory; when all have, each loads its part of every
    block's, from its own on, and adds them in this order, which does not vary from run to run. Before its end a block
    waits until the others have read its memory.

    Needs layouts on all tiles, and `tile.sum_blocks` outside of loops, several beside one another: the blocks meet for
    all of them at once. Sums are formed in parts of K.

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
      tile.barrier
      tile.store_shared %product, %buffer[%stage]
      tile.arrive_cluster
      tile.await_cluster
      %block = tile.block_id 0
    ...
      %first = tile.load_peer %buffer[%stage] of %own at[%c0, %place]
    ...
      %second = tile.load_peer %buffer[%stage] of %next at[%c0, %place]
      %sum = arith.addf %first, %second
      tile.arrive_cluster
    ...
      tile.await_cluster
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

def TileKeepRows : Pass<"tile-keep-rows", "::tilewright::tile::KernelOp"> {
  let summary = "Keep in shared memory what later loops over the same row load again";
  let description = [{
    A reduction whose row fits no tile goes over it in a loop, and so does what needs its result. With
    `tile.kept_bytes` on the kernel, the tiles that the first loop loads are all copied to shared memory before it
    (cp.async), a stage for each iteration; the loop waits for one after the other, and later loops with the same
    bounds take them there. Where a copy cannot do it (pieces of less than 4 bytes, a fill value other than none) the
    first loop stores each tile that it loads. Each thread reads what it wrote itself, so there are no barriers. Loads
    are kept in their order while the bytes suffice; loads of what the kernel writes, or of tiles with fewer elements
    than threads, are not. Persistent blocks, which take rows in turn, copy the first row before they begin; the last loop
    over a row asks for each tile of the next one when it has read the tile in whose place that comes.

    Needs layouts on all tiles, and loops with constant bounds in the kernel's body or in its one loop over rows. Numbers
    stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-keep-rows
    graph.kernel anchor(reduction) @softmax(%x: tensor<4x10240xf32>) -> tensor<4x10240xf32> attributes {
        tile.schedule = #tile.schedule<tile = [1, 2048], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
      %m = graph.reduce max %x dims = [1] : tensor<4x10240xf32> to tensor<4xf32>
      %b = graph.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x10240xf32>
      %d = arith.subf %x, %b : tensor<4x10240xf32>
      graph.return %d : tensor<4x10240xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %buffer = tile.alloc
    ...
      scf.for %a = %c0 to %c10240 step %c2048
        %ahead = arith.divui %a, %c2048
        tile.copy_async %arg0
        tile.commit_async
    ...
      %largest = scf.for %i = %c0 to %c10240 step %c2048
        tile.commit_async
        tile.wait_async 5
        %stage = arith.divui %i, %c2048
        %x = tile.load_shared %buffer[%stage]
    ...
      scf.for %j = %zero to %end step %size {
        %again = arith.divui %j, %size
        %kept = tile.load_shared %buffer[%again]
    ...
    ```
  }];
}

def TileCopyAhead : Pass<"tile-copy-ahead", "::tilewright::tile::KernelOp"> {
  let summary = "Copy the tiles of several iterations of a loop ahead to shared memory";
  let description = [{
    Where the kernel's schedule has several `stages` and no products, a loop of at least three iterations (over parts
    of rows, or over the tiles of persistent blocks) copies the
    tiles that it loads to a ring of so many stages in shared memory, stages - 1 iterations ahead (cp.async). Each
    thread copies the elements that it reads itself: it waits for its own copies, and no barrier stands between. More
    is in flight than registers could hold. Loads of what the kernel writes, of tiles with fewer elements than
    threads, in pieces of less than 4 bytes or with a fill value stay as they are.

    Needs layouts on all tiles, and loops in the kernel's body with constant bounds. Numbers stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-copy-ahead
    graph.kernel anchor(reduction) @sum(%x: tensor<4x10240xf32>) -> tensor<4xf32> attributes {
        tile.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 4>} {
      %m = graph.reduce sum %x dims = [1] : tensor<4x10240xf32> to tensor<4xf32>
      graph.return %m : tensor<4xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %buffer = tile.alloc
    ...
      scf.for %i = %c0 to %c3 step %c1
    ...
          tile.copy_async
    ...
        tile.commit_async
    ...
      %sum = scf.for %j = %zero to %end step %size
    ...
        scf.if
    ...
          tile.copy_async
    ...
        tile.commit_async
        tile.wait_async 3
    ...
        %x = tile.load_shared %buffer
    ...
    ```
  }];
}

def TileHintCaches : Pass<"tile-hint-caches", "::tilewright::tile::KernelOp"> {
  let summary = "Say which loads and stores the caches need not keep";
  let description = [{
    A load or store that touches each byte once in the whole launch gets `tile.cache`: no place in L1, and where no other
    kernel reads the bytes soon (the argument is `tile.passing`), lines of L2 that are the first to go. The block indices
    and loops round an access are digits of its tile's place: it touches each byte once when they are all of them, in no
    overlap, when the view has no two indices at one place, and when no thread holds another one's elements. Of two
    loops over the same tiles the last one's load is hinted. Accesses of which a warp leaves part of a sector of 32
    bytes to another one are left alone; so are kernels with products, and what is read from places in memory (gathers).

    Needs layouts on all tiles. Numbers stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-hint-caches
    graph.kernel anchor(elementwise) @exp(%x: tensor<256xf32>) -> tensor<256xf32>
        attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
      %0 = math.exp %x : tensor<256xf32>
      graph.return %0 : tensor<256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %in = tile.load %x[%first] divisors = [128] in_bounds = [true] {tile.cache = #tile.cache<l1 = no_allocate>}
    ...
    ```
  }];
}

def TilePrefetchLoads : Pass<"tile-prefetch-loads", "::tilewright::tile::KernelOp"> {
  let summary = "Load the next tile of a loop before this one is worked on";
  let description = [{
    In loops in the kernel's body without products or copies in flight, loads whose place follows from the induction
    variable move an iteration ahead: the first tiles are loaded before the loop, which carries them. A thread has at
    most 128 bytes in flight for the next iteration; tensors that the kernel writes are read in place.

    Needs loops with constant bounds and layouts on all tiles. Numbers stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-prefetch-loads
    graph.kernel anchor(reduction) @sum(%x: tensor<4x20480xf32>) -> tensor<4xf32> attributes {
        tile.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
      %s = graph.reduce sum %x dims = [1] : tensor<4x20480xf32> to tensor<4xf32>
      graph.return %s : tensor<4xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %first = tile.load %arg0
    ...
      %sum:2 = scf.for %i = %c0 to %c20480 step %c4096 iter_args(%sums = %zero, %tile = %first)
        %j = arith.addi %i, %c4096
        %inside = arith.cmpi ult, %j, %c20480
        %next = scf.if %inside
          %loaded = tile.load %arg0
          scf.yield %loaded
        } else {
          scf.yield %tile
        }
    ...
        %added = arith.addf %sums, %tile
        scf.yield %added, %next
    ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileExpandConversions : Pass<"tile-expand-conversions", "::tilewright::tile::KernelOp"> {
  let summary = "Make conversions through shared memory explicit";
  let description = [{
    A `tile.convert_layout` whose plan goes through shared memory becomes a store, a barrier and a load; others stay
    for the target stage, which emits register moves or shuffles. In a loop another barrier stands before the store.

    Needs layouts on all tiles; gives kernels that hold `schedule_form_1`. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-expand-conversions
    graph.kernel anchor(transpose) @exp(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
        tile.schedule = #tile.schedule<tile = [64, 64], reduce = 1, warps = 4, warp_grid = [2, 2], stages = 1>} {
      %0 = graph.transpose %x permutation = [1, 0] : tensor<64x64xf32> to tensor<64x64xf32>
      %1 = math.exp %0 : tensor<64x64xf32>
      graph.return %1 : tensor<64x64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %value = math.exp %loaded
      %buffer = tile.alloc : <1, f32, "{shape=[64,64], order=[1,0], inner=[64,1], xor=[[8,7,2]]}">
      %slot = arith.constant 0 : index
      tile.store_shared %value, %buffer[%slot]
      tile.barrier
      %turned = tile.load_shared %buffer[%slot]
      tile.store %turned, %y
    ...
    ```
  }];
}

def TileAllocateShared : Pass<"tile-allocate-shared", "::tilewright::tile::KernelOp"> {
  let summary = "Place buffers in shared memory";
  let description = [{
    Every `tile.alloc` gets an offset, every ring a place for its barriers, every reduction across warps one for its
    partial results. Buffers whose
    lives do not overlap share bytes, and a barrier stands between them, unless the earlier one is a ring whose
    stages there no thread can still be reading. Lives are counted in top-level ops of the kernel, a loop being one.

    Needs kernels after tile-expand-conversions; gives the schedule form (verify-schedule-form), with the bytes in
    `tile.shared_bytes`. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-stage-products tile-allocate-shared
    graph.kernel anchor(matmul) @mm(%a: tensor<16x64xbf16>, %b: tensor<64x16xbf16>) -> tensor<16x16xf32> attributes {
        tile.schedule = #tile.schedule<tile = [16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 2>} {
      %0 = graph.matmul %a, %b : tensor<16x64xbf16>, tensor<64x16xbf16> to tensor<16x16xf32>
      graph.return %0 : tensor<16x16xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %ring_a = tile.alloc offset = 0
      %ring_b = tile.alloc offset = 1024
    ...
    ```
  }];
}

def VerifyTileForm : Pass<"verify-tile-form", "::mlir::ModuleOp"> {
  let summary = "Check what the tile stage promises";
  let description = [{
    Rules:
    - `tile_form_1`: the module holds nothing but kernels (`tile.kernel`) and programs (`plan.program`);
    - `tile_form_2`: a kernel holds only `arith`, `math`, `scf.for`, `scf.if` and `tile` ops, none of the latter on
      shared memory: that comes with the schedule stage;
    - `tile_form_3`: every tile has a layout, for 32 lanes and as many warps as the kernel (in a role, the role) has;
    - `tile_form_4`: a constant tile holds one value;
    - `tile_form_5`: the tiles of an elementwise op have one layout;
    - `tile_form_6`: a reduction gives the projection of its operand's layout, and can be carried out on it; a
      broadcast takes the projection of its result's, a gather offsets in one of its result's;
    - `tile_form_7`: a product with a matrix instruction (16-bit floats and tf32) takes and gives the
      instruction's fragments, all three for one arrangement of the warps; one of warpgroups gives fragments of warps
      along M, and takes such a left operand unless that is loaded;
    - `tile_form_8`: every conversion of layouts has a plan.
  }];
}

def VerifyScheduleForm : Pass<"verify-schedule-form", "::mlir::ModuleOp"> {
  let summary = "Check what the schedule stage promises";
  let description = [{
    The rules of verify-tile-form, with shared memory allowed, and:
    - `schedule_form_1`: conversions of layouts that are left take no shared memory;
    - `schedule_form_2`: every buffer has an offset, a multiple of 128, and lies inside the kernel's
      `tile.shared_bytes`; so do the barriers of every ring;
    - `schedule_form_3`: every reduction across warps has a place for its partial results inside them;
    - `schedule_form_4`: `tile.shared_bytes` is at most what a block of the largest chip in the table can have;
    - `schedule_form_5`: a product has a matrix instruction, and no operand comes straight from global memory;
    - `schedule_form_6`: a kernel that starts asynchronous copies commits and awaits them;
    - `schedule_form_7`: the roles take no more warps than the kernel has;
    - `schedule_form_8`: a started product has accumulators, and a left operand in registers, that are fragments of
      whole warpgroups along M;
    - `schedule_form_9`: a slice takes elements that each thread holds.
  }];
}

#endif // TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_TD
