// The tile dialect: programs of one thread block on tiles, views and shared buffers.
#ifndef TILEWRIGHT_DIALECT_TILE_IR_TILE_H
#define TILEWRIGHT_DIALECT_TILE_IR_TILE_H

#include "Tilewright/Dialect/Tile/IR/ScheduleOptions.h"
#include "Tilewright/Layout/LinearLayout.h"
#include "Tilewright/Layout/SharedLayout.h"
#include "Tilewright/Layout/StridedView.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::layout {
inline llvm::hash_code hash_value(const LinearLayout &layout) { return layout.hash(); }
inline llvm::hash_code hash_value(const SharedLayout &layout) { return layout.hash(); }
inline llvm::hash_code hash_value(const StridedView &view) { return view.hash(); }
} // namespace tilewright::layout

namespace tilewright::tile {

/// What the memory effects of tile ops are on.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "global memory"; }
};
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "shared memory"; }
};
struct AsyncCopies : mlir::SideEffects::Resource::Base<AsyncCopies> {
  llvm::StringRef getName() final { return "asynchronous copies"; }
};

/// Which lines of L2 go when others need their place.
enum class L2Priority { Normal, EvictFirst, EvictLast };

} // namespace tilewright::tile

#include "Tilewright/Dialect/Tile/IR/TileDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Tile/IR/TileAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "Tilewright/Dialect/Tile/IR/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "Tilewright/Dialect/Tile/IR/TileOps.h.inc"

namespace tilewright::tile {

/// The layout of a tile, or null before layouts are assigned.
LayoutAttr getLayout(mlir::Type type);

/// Fails, with a diagnostic at the first value without one, unless all tiles of the kernel have layouts: what
/// passes behind tile-assign-layouts count on.
mlir::LogicalResult verifyLayouts(KernelOp kernel);

/// Bits of an element in memory: i1 takes a byte.
int64_t storageBits(mlir::Type elementType);
/// The same of the elements of each tile.
std::vector<int> storageWidths(mlir::ValueRange tiles);

/// Bytes of the accesses by which runs of memory go to shared buffers and back.
inline constexpr int64_t kRunBytes = 16;
/// Elements of the buffer for a run of `elems`, wherever in such an access it begins.
int64_t runBufferElems(int64_t elems, mlir::Type elementType);

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_IR_TILE_H
