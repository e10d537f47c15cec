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
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileExpandConversions : Pass<"tile-expand-conversions", "::tilewright::tile::KernelOp"> {
  let summary = "Make conversions through shared memory explicit";
  let description = [{
    A `tile.convert_layout` whose plan goes through shared memory becomes a store, a barrier and a load; others stay
    for the target stage, which emits register moves or shuffles.
  }];
}

def TileAllocateShared : Pass<"tile-allocate-shared", "::tilewright::tile::KernelOp"> {
  let summary = "Place buffers in shared memory";
  let description = [{
    Every `tile.alloc` gets an offset, every reduction across warps a place for its partial results. Buffers whose
    lives do not overlap share bytes, and a barrier stands between them.
  }];
}

#endif // TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_TD
