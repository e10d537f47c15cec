// Asynchronous copies by which a thread brings the elements of a tile that it will read itself, and no
// others: between such a copy and the load from shared memory stands a wait of the thread, and no barrier.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_OWNCOPIES_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_OWNCOPIES_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::tile {

/// A loop with constant bounds that runs at least once.
struct Trips {
  mlir::scf::ForOp loop;
  int64_t begin = 0, end = 0, step = 1;
  int64_t count() const { return (end - begin + step - 1) / step; }
  bool operator==(const Trips &other) const {
    return begin == other.begin && end == other.end && step == other.step;
  }
  /// Number of the iteration whose index is `index`.
  mlir::Value number(mlir::OpBuilder &builder, mlir::Value index, mlir::Location loc) const;
};
std::optional<Trips> tripsOf(mlir::scf::ForOp loop);

/// Ops of a loop's body, in their order.
using Chain = llvm::SmallSetVector<mlir::Operation *, 8>;
/// Adds what computes `value` in an iteration of `loop` to `chain`; false when an op of it is not pure.
bool collectChain(mlir::Value value, mlir::scf::ForOp loop, Chain &chain);

/// Whether each element of the tile is one thread's, which no other has.
bool isOwned(LoadOp load);
/// Buffers for the tile that `load` loads, `stages` of them, in which threads have their elements as in
/// memory.
SharedType ownBufferOf(LoadOp load, int64_t stages);
SharedType ownBufferOf(mlir::RankedTensorType tile, int64_t stages);
/// Whether threads can copy the elements that `load` gives them to such a buffer: in pieces of 4, 8 or 16
/// bytes, and zero where there are none.
bool copiesOwnElements(LoadOp load);

/// The copy that does what `load` does in the iteration of `loop` whose index is `index`, into `stage` of
/// `buffer`.
void copyOwnElements(mlir::OpBuilder &builder, LoadOp load, mlir::scf::ForOp loop, mlir::Value index,
                     mlir::Value buffer, mlir::Value stage);
/// `load` takes its tile from `stage` of `buffer`.
void takeOwnElements(LoadOp load, mlir::Value buffer,
                     llvm::function_ref<mlir::Value(mlir::OpBuilder &)> stage);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_OWNCOPIES_H
