// Tiles that a product's result is combined with (a residual) come to the epilogue through a ring of their
// own: the loading role copies them, piece by piece as results are stored, while products run. Threads that
// load accumulators' elements themselves would reach eight rows by an instruction, sixteen bytes of each.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_EPILOGUEOPERANDS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_EPILOGUEOPERANDS_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tilewright::tile {

/// On the acquire of a slot that no product reads: the role fills another ring in its loop over steps.
inline constexpr llvm::StringLiteral kBesideAttrName = "tile.beside";

/// Bytes of shared memory beside the kernel's buffers, those left out that lie where rings were.
int64_t sharedRoom(KernelOp kernel);

/// The pieces in which a result is stored, and what of its computation comes in the same pieces.
class EpilogueOperands {
public:
  /// `pieces` of `shape`, held as `layout`, which `groups` warpgroups each store for themselves.
  EpilogueOperands(StoreOp store, llvm::ArrayRef<int64_t> shape, LayoutAttr layout, int64_t pieces,
                   int64_t groups)
      : store(store), shape(shape), layout(layout), pieces(pieces), groups(groups) {}

  /// Makes a ring for each load that can come through one, as long as shared memory has room beside
  /// `reserved` bytes, and fills it behind the product's loop. Called before the pieces are written.
  void bring(int64_t reserved);
  bool any() const { return !operands.empty(); }
  /// The piece at `offsets`, the `number`-th one, of the stored value.
  mlir::Value piece(mlir::OpBuilder &builder, llvm::ArrayRef<int64_t> offsets, int64_t number);

private:
  struct Operand {
    LoadOp load;
    mlir::Value ring, buffer;
    /// The slot of a tile's first piece.
    mlir::Value first;
  };

  void findBrought();
  bool bringOne(LoadOp load, mlir::Operation *behind, int64_t &room);
  void fill(Operand &operand, mlir::Operation *behind);
  mlir::Value slice(mlir::OpBuilder &builder, mlir::Value value, llvm::ArrayRef<int64_t> offsets,
                    int64_t number, llvm::DenseMap<mlir::Value, mlir::Value> &known);

  StoreOp store;
  llvm::SmallVector<int64_t> shape;
  LayoutAttr layout;
  int64_t pieces, groups;
  llvm::SmallVector<Operand> operands;
  /// What is computed, element by element, from what the rings bring.
  llvm::SmallPtrSet<mlir::Operation *, 8> brought;
};

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_EPILOGUEOPERANDS_H
