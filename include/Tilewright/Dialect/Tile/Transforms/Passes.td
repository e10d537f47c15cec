// The passes on the tile dialect, in the order of the tile and schedule stages.
#ifndef TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_TD
#define TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

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

def TileStageProducts : Pass<"tile-stage-products", "::tilewright::tile::KernelOp"> {
  let summary = "Feed products from shared memory through a ring of asynchronous copies";
  let description = [{
    In a loop around a `tile.dot`, each operand that is loaded from global memory and converted to a fragment goes
    through shared memory instead: `stages` buffers (from the kernel's schedule) are filled by `tile.copy_async`,
    `stages - 1` iterations ahead. A load that cannot be copied in pieces of at least 4 bytes is loaded to registers
    and stored. Shared layouts are swizzled so that neither side has bank conflicts. Products without a matrix
    instruction become a loop of outer products over K.

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
    Every `tile.alloc` gets an offset, every reduction across warps a place for its partial results. Buffers whose
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
    - `tile_form_3`: every tile has a layout, for 32 lanes and as many warps as the kernel has;
    - `tile_form_4`: a constant tile holds one value;
    - `tile_form_5`: the tiles of an elementwise op have one layout;
    - `tile_form_6`: a reduction gives the projection of its operand's layout, and can be carried out on it; a
      broadcast takes the projection of its result's, a gather offsets in one of its result's;
    - `tile_form_7`: a product with a matrix instruction (16-bit floats and tf32) takes and gives the
      instruction's fragments, all three for one arrangement of the warps;
    - `tile_form_8`: every conversion of layouts has a plan.
  }];
}

def VerifyScheduleForm : Pass<"verify-schedule-form", "::mlir::ModuleOp"> {
  let summary = "Check what the schedule stage promises";
  let description = [{
    The rules of verify-tile-form, with shared memory allowed, and:
    - `schedule_form_1`: conversions of layouts that are left take no shared memory;
    - `schedule_form_2`: every buffer has an offset, a multiple of 128, and lies inside the kernel's
      `tile.shared_bytes`;
    - `schedule_form_3`: every reduction across warps has a place for its partial results inside them;
    - `schedule_form_4`: `tile.shared_bytes` is at most what a block of the largest chip in the table can have;
    - `schedule_form_5`: a product has a matrix instruction, and no operand comes straight from global memory;
    - `schedule_form_6`: a kernel that starts asynchronous copies commits and awaits them.
  }];
}

#endif // TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_TD
