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
    short; elsewhere more bytes are in flight. What a step of a loop loads moves in front of what it stores, and what all
    steps load from one place, a few elements, in front of the loop; nothing else moves out of a loop or past one.

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

def TileSinkResults : Pass<"tile-sink-results", "::tilewright::tile::KernelOp"> {
  let summary = "Compute what few blocks store in those blocks";
  let description = [{
    A result that does not differ along a dimension is stored by the blocks at its origin, in a branch. What only such
    a result is made of moves into the branch; loads, too, where the kernel has more blocks than the chip runs at once,
    and those that others use are repeated there, from the caches. A value's tile then lies among the threads as the
    result does: outside all that share a row would compute the same. Reductions and loops stay where they are: threads
    meet at their barriers.

    Needs kernels from convert-graph-to-tile, before tile-assign-layouts. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-sink-results
    graph.kernel anchor(elementwise) @spread(%x: tensor<64xf32>, %y: tensor<64x4096xf32>) -> (tensor<64x4096xf32>, tensor<64xf32>)
        attributes {tile.schedule = #tile.schedule<tile = [8, 512], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
      %0 = graph.broadcast %x dims = [0] : tensor<64xf32> to tensor<64x4096xf32>
      %1 = arith.addf %0, %y : tensor<64x4096xf32>
      %2 = math.exp %x : tensor<64xf32>
      graph.return %1, %2 : tensor<64x4096xf32>, tensor<64xf32>
    }
    ```
    ==>
    ```mlir
    ...
      scf.if %first {
        %out = math.exp %in : tensor<8x1xf32>
        %zero = arith.constant 0 : index
        %rows = tile.view %v
        tile.store %out, %rows[%row, %zero]
      }
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
    contiguous along another dimension, a `tile.convert_layout` stands; but a loop loads weights of rows, an eighth of
    the largest access's sectors and fewer, in the lanes that need them.

    Lanes that share a short row exchange what they reduce it to, and all compute what follows; a row of five elements
    has places for eight in them. So where each thread of a kernel without loops can have whole rows, the clocks of its
    accesses, exchanges and instructions are counted for both layouts, and threads hold rows when that takes a quarter
    fewer.

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

def TileNoteFootprints : Pass<"tile-note-footprints", "::tilewright::tile::KernelOp"> {
  let summary = "Note which bytes of each buffer the blocks of a kernel touch";
  let description = [{
    Indices of loads and stores are sums of digits of the block's number, (block / unit) % count, and of free ones, those of loops
    and of a tile's elements; views make sums of bytes of them. These sums are noted on the parameters (`ptx.footprint`,
    Footprint.h). An index that is no such sum may be any of its dimension's, and what a gather selects may be anywhere along
    its own. plan-interleave-launches lets blocks of one kernel wait for those of another by it. Kernels whose blocks take
    tickets, and grids of several dimensions, get none.

    Needs the tile form, before the schedule stage; gives the same. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-note-footprints
    graph.kernel anchor(elementwise) @exp(%x: tensor<256xf32>) -> tensor<256xf32>
        attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
      %0 = math.exp %x : tensor<256xf32>
      graph.return %0 : tensor<256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      tile.kernel @exp ... {ptx.footprint = [array<i64: 0, 4, 0, 0, 1020, 2, 512, 2, 1, 4, 128, 0>]}, ... {ptx.footprint = [array<i64: 0, 4, 0, 0, 1020, 2, 512, 2, 1, 4, 128, 0>]})
    ...
    ```
  }];
  let dependentDialects = ["::tilewright::ptx::PtxDialect"];
}

include "Tilewright/Dialect/Tile/Transforms/ProductPasses.td"

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
    is in flight than registers could hold. A step that reaches over the end is copied as the others are and taken
    behind the loop, so that it alone is masked. Loads of what the kernel writes, of tiles with fewer elements than
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

def TileStageRuns : Pass<"tile-stage-runs", "::tilewright::tile::KernelOp"> {
  let summary = "Tiles of whole odd rows go between memory and shared memory as one run";
  let description = [{
    Rows of an odd number of elements begin anywhere in a vector: threads would load and store them an element at a
    time. A tile of whole rows that lie one after the other is one run of memory, though. Such a tile is copied to
    shared memory 16 bytes at a time (cp.async), as it lies in memory, and threads take their elements from there;
    results are written to shared memory in the same way and from there to global memory, 16 bytes at a time.

    A load or store stays as it is where its elements are accessed in words, or stored in vectors, that fill their sectors,
    in branches, and in kernels with products, and so do loads in loops. Needs layouts on all tiles. Numbers stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-stage-runs
    graph.kernel anchor(reduction) @rows(%x: tensor<16384x43xbf16>) -> tensor<16384x43xbf16> attributes {
        tile.schedule = #tile.schedule<tile = [32, 48], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
      %m = graph.reduce max %x dims = [1] : tensor<16384x43xbf16> to tensor<16384xbf16>
      %b = graph.broadcast %m dims = [0] : tensor<16384xbf16> to tensor<16384x43xbf16>
      %d = arith.subf %x, %b : tensor<16384x43xbf16>
      graph.return %d : tensor<16384x43xbf16>
    }
    ```
    ==>
    ```mlir
    ...
      tile.copy_run %x[%i, %c0]
    ...
      tile.commit_async
      tile.wait_async 0
      tile.barrier
      %t = tile.load_run %buffer as %x[%i, %c0]
    ...
      tile.store_run %d, %staging as %y[%i, %c0]
    ...
      tile.barrier
      tile.send_run %staging, %y[%i, %c0]
    ...
    ```
  }];
}

def TileInterleaveAccesses : Pass<"tile-interleave-accesses", "::tilewright::tile::KernelOp"> {
  let summary = "Make accesses of every other element, which have all of them together, one";
  let description = [{
    Loads whose views differ by where they begin alone, have a stride of 2, 4 or 8 elements along a dimension, and have together
    all elements between (pairs that rotary embeddings turn, real and imaginary parts, gates beside what they gate), become one load
    of what lies side by side and `tile.deinterleave`; stores `tile.interleave` and one store. So do those of every second, fourth …
    group of a few elements, up to 16 bytes of all of them: parts of a short dimension, joined along the rows of a tile. A thread then accesses
    16 bytes where it accessed single elements, and stores no sector in parts. Such are accesses of a block between which nothing touches the
    memory, of at least as many elements as there are threads, where rows begin at whole groups. Kernels with products are left alone.

    Numbers stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-interleave-accesses
    graph.kernel anchor(elementwise) @gated(%x: tensor<64x256xbf16>) -> tensor<64x128xbf16> {
      %0 = graph.slice %x offsets = [0, 0] strides = [1, 2] : tensor<64x256xbf16> to tensor<64x128xbf16>
      %1 = graph.slice %x offsets = [0, 1] strides = [1, 2] : tensor<64x256xbf16> to tensor<64x128xbf16>
      %2 = arith.mulf %0, %1 : tensor<64x128xbf16>
      graph.return %2 : tensor<64x128xbf16>
    }
    ```
    ==>
    ```mlir
    ...
      %x = tile.load
      %even, %odd = tile.deinterleave %x dim = 0
      %product = arith.mulf %even, %odd
    ...
    ```
  }];
}

def TileJoinStores : Pass<"tile-join-stores", "::tilewright::tile::KernelOp"> {
  let summary = "Store parts of a few elements that lie side by side as one";
  let description = [{
    Two stores of the same rows, of which one goes on where the other ends along a dimension that their tiles have whole
    (concatenations of pairs, real and imaginary parts), become one of `tile.join`, as long as a thread then writes at most 16
    bytes at a time; four of them two and then one. Nothing between them may read what the first one wrote, or wait.

    Needs layouts on all tiles. Numbers stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-join-stores
    graph.kernel anchor(elementwise) @pairs(%x: tensor<64x2xf32>) -> tensor<64x4xf32>
        attributes {tile.schedule = #tile.schedule<tile = [64, 2], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1>} {
      %0 = math.absf %x : tensor<64x2xf32>
      %1 = graph.concat %0, %x dim = 1 : tensor<64x2xf32>, tensor<64x2xf32> to tensor<64x4xf32>
      graph.return %1 : tensor<64x4xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %both = tile.join %left, %right dim = 1
      tile.store %both, %y
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

    With `all=false` only arguments that are `tile.leaving` (plan-reverse-kernels) are looked at, also accesses that share
    sectors, and L1 is left alone.

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
  let options = [Option<"all", "all", "bool", "true", "Whether all accesses are hinted, in L1, too">];
}

def TilePrefetchLoads : Pass<"tile-prefetch-loads", "::tilewright::tile::KernelOp"> {
  let summary = "Load the next tiles of a loop before this one is worked on";
  let description = [{
    In loops in the kernel's body without products or copies in flight, loads whose place follows from the induction
    variable move ahead: the first tiles are loaded before the loop, which carries them. One step's are on their way at
    a time, or up to four steps' where few blocks would have less than the memory needs (Little's law) and registers
    are left: an iteration of the loop takes so many steps then. A thread has at most 128 bytes in flight for one step;
    tensors that the kernel writes are read in place.

    A step that reaches over the end comes behind the loop, and alone asks for the end: whole ones are loaded without
    predicates and reduced without masks. The loop asks whether there is a next step only where several copies of its
    code would be long.

    Needs loops with constant bounds and layouts on all tiles. Numbers stay as they are.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-prefetch-loads
    graph.kernel anchor(reduction) @sum(%x: tensor<400x18432xf32>) -> tensor<400xf32> attributes {
        tile.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
      %s = graph.reduce sum %x dims = [1] : tensor<400x18432xf32> to tensor<400xf32>
      graph.return %s : tensor<400xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %first = tile.load %arg0
    ...
      %sum:2 = scf.for %i = %c0 to %c12288 step %c4096 iter_args(%sums = %zero, %tile = %first)
    ...
        %j = arith.addi %i, %step
        %next = tile.load %arg0
    ...
        %added = arith.addf %sums, %tile
        scf.yield %added, %next
    ...
      %whole = arith.addf %sum#0, %sum#1
      %end = tile.load %arg0
    ...
      %own = arith.select %mask, %end, %zero
      %all = arith.addf %whole, %own
    ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileExpandConversions : Pass<"tile-expand-conversions", "::tilewright::tile::KernelOp"> {
  let summary = "Make conversions through shared memory explicit";
  let description = [{
    A `tile.convert_layout` whose plan goes through shared memory becomes a store, a barrier and a load; others stay
    for the target stage, which emits register moves or shuffles. In a loop another barrier stands before the store. Equal
    conversions of one tile in a block are one.

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

def TileExpandTakes : Pass<"tile-expand-takes", "::tilewright::tile::KernelOp"> {
  let summary = "Bring tables to shared memory, where elements are taken from them";
  let description = [{
    The table of a `tile.take` is stored to shared memory where it is computed, and becomes a `tile.take_shared` behind
    a barrier; takes from one table share a buffer. A tile that is loaded for takes alone is copied asynchronously
    (cp.async), where its pieces are whole words, and waited for before the first take. In a loop another barrier
    stands before the table is written.

    Needs layouts on all tiles; gives kernels without `tile.take`. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts tile-expand-takes
    graph.kernel anchor(gather) @columns(%x: tensor<8x256xf32>, %i: tensor<256xi32>) -> tensor<8x256xf32> attributes {
        tile.schedule = #tile.schedule<tile = [2, 256], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1,
                                       keep_tables>} {
      %0 = graph.gather %x[%i] dim = 1 : tensor<8x256xf32>, tensor<256xi32> to tensor<8x256xf32>
      graph.return %0 : tensor<8x256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %buffer = tile.alloc : <1, f32, "{shape=[2,256], order=[1,0], inner=[256,1]}">
    ...
      tile.copy_async %view[%rows, %zero], %buffer[%stage]
      tile.commit_async
    ...
      tile.wait_async 0
      tile.barrier
      %y = tile.take_shared %buffer[%stage] at %indices dim = 1 of 256
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
    stages there no thread can still be reading. Lives are counted in top-level ops of the kernel, a loop being one;
    buffers of a loop's body that it uses one after the other, with barriers in between, share bytes, too.

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
      broadcast takes the projection of its result's, a gather offsets, and a take indices, in one of its result's;
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
    - `schedule_form_1`: conversions of layouts that are left take no shared memory, and nothing is taken from tables
      but those in shared memory;
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
