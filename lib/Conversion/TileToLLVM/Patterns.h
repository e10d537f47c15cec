// What the files of this conversion share: the type converter's rule, lane maps as IR, and one populate
// function per op family. A tile becomes one value per register of its layout, in register order.
#ifndef TILEWRIGHT_LIB_CONVERSION_TILETOLLVM_PATTERNS_H
#define TILEWRIGHT_LIB_CONVERSION_TILETOLLVM_PATTERNS_H

#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Layout/Conversion.h"
#include "Tilewright/Layout/LaneMap.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tilewright {

/// The layout of a tile's type.
inline const layout::LinearLayout layoutOf(mlir::Type type) { return tile::getLayout(type).getLayout(); }

/// Element type that a tile's registers have: i1 and floats as they are, index as i32, 8-bit floats, which
/// LLVM lacks, as their bits.
mlir::Type registerType(mlir::Type elementType);
/// Element type in memory: i1 as i8.
mlir::Type memoryType(mlir::Type elementType);
/// A register's value as it lies in memory, and back.
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       mlir::Type elementType);

/// Integer constants and small arithmetic that folds trivial cases.
mlir::Value constantInt(mlir::OpBuilder &builder, mlir::Location loc, int64_t value, unsigned bits = 32);
/// A constant element as registers hold it.
mlir::Value constantRegister(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypedAttr value);
mlir::Value addInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t constant);
mlir::Value addInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
mlir::Value mulInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t constant);
/// `value` (index or integer) as an integer of `bits`.
mlir::Value asInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, unsigned bits = 32);
/// Conjunction of predicates, either of which may be absent.
mlir::Value andPredicates(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);

/// The lane and warp of the running thread (within its instance of a role), and functions of them given by
/// the layout library.
class ThreadIndex {
public:
  ThreadIndex(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}
  mlir::Value lane();
  mlir::Value warp();
  /// The value of `sum` as an i32; null when it is zero for all threads.
  mlir::Value emit(const layout::BitSum &sum);
  /// Index of the entry that `select` chooses, as an i32.
  mlir::Value emit(const layout::LaneSelect &select);
  /// True for threads with none of these lane and warp bits set; null when no bit is named.
  mlir::Value withoutBits(uint32_t lanes, uint32_t warps);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value laneValue, warpValue;
};

/// A vector of registers as one value in memory form, of integer words where that keeps accesses whole, and
/// back.
mlir::Value packVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange values);
llvm::SmallVector<mlir::Value> unpackVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value packed,
                                            mlir::Type elementType, int64_t count);
/// The type packVector gives for `count` elements.
mlir::Type packedType(mlir::Type elementType, int64_t count);

/// Value of one lane given to another: shfl.sync of any type up to 64 bits. `lane` is a mask when
/// `butterfly`.
mlir::Value shuffle(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value lane,
                    bool butterfly);

/// One element of what is reduced, scanned or sorted: one value per operand of the op.
using State = llvm::SmallVector<mlir::Value>;
/// What `combiner`, a block on two states, yields for `lhs` and `rhs`.
State combineStates(mlir::OpBuilder &builder, mlir::Region &combiner, mlir::ValueRange lhs,
                    mlir::ValueRange rhs);
/// `a` where `condition` holds, else `b`.
State selectStates(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition, mlir::ValueRange a,
                   mlir::ValueRange b);

/// Offset in elements of each access of a tile in global memory.
class GlobalAddresses {
public:
  /// `indices` are the tile's start; `layout` says which thread holds what.
  GlobalAddresses(mlir::OpBuilder &builder, mlir::Location loc, const layout::StridedView &view,
                  const layout::LinearLayout &layout, mlir::ValueRange indices,
                  llvm::ArrayRef<int64_t> divisors, llvm::ArrayRef<bool> inBounds);
  /// Offset of register `r`, in elements.
  mlir::Value offset(int r);
  /// A pointer to the element of register `r` behind `base`, `added` elements further. Registers that differ
  /// by a constant share what they have in common: instructions take constants of bytes by themselves.
  mlir::Value pointer(mlir::Value base, mlir::Type elementType, int r, int64_t added = 0);
  /// Whether register `r` is in bounds; null when it always is.
  mlir::Value predicate(int r);
  /// Whether the coordinate of register `r` along `d` plus `added` is at least zero and below `bound`.
  mlir::Value isWithin(int d, int r, int64_t bound, int64_t added = 0);
  /// Whether any coordinate of a vector's registers, one behind the other along `d`, is.
  mlir::Value touches(int d, llvm::ArrayRef<int> vector, int64_t bound);
  /// Whether the coordinate of register `r` is below `bound`, or negative.
  mlir::Value isBefore(int d, int r, mlir::Value bound);
  /// Whether register `r` of no thread is in bounds, wherever the tile begins.
  bool isOutside(int r) const;
  /// Integer width of offsets.
  unsigned bits() const { return width; }

private:
  /// Local coordinate of dimension `d`: what lane and warp give, without the register's constant.
  mlir::Value laneCoordinate(int d);
  mlir::Value coordinate(int d, int r);
  /// An offset in elements: what threads and tiles add, null where nothing does, and a constant.
  struct Offset {
    mlir::Value value;
    int64_t constant = 0;
    /// Whether all registers have this value.
    bool isShared = true;
  };
  Offset dimOffset(int d, int r);
  Offset offsetOf(int r);
  mlir::Value nested(const layout::ViewDim &dim, mlir::Value index);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const layout::StridedView &view;
  layout::LaneMap map;
  llvm::SmallVector<mlir::Value> starts;
  llvm::SmallVector<int64_t> divisors;
  llvm::SmallVector<bool> inBounds;
  layout::Shape shape;
  unsigned width;
  ThreadIndex thread;
  llvm::DenseMap<std::pair<int, int64_t>, mlir::Value> nestedOffsets, predicates;
  /// What all registers' offsets have in common, and pointers to there.
  mlir::Value sharedOffset;
  llvm::DenseMap<mlir::Value, mlir::Value> sharedPointers;
  llvm::SmallVector<mlir::Value> laneCoordinates, laneOffsets;
};

/// A pointer to element `offset` of `base`.
mlir::Value elementPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base,
                           mlir::Type elementType, mlir::Value offset, int64_t constant = 0);

/// The policy that stands for what L2 does with lines; null for its own rule.
mlir::Value cachePolicy(mlir::OpBuilder &builder, mlir::Location loc, tile::L2Priority priority);

/// A barrier of all threads that run the role at the builder's place, of the whole block outside of roles.
void emitBarrier(mlir::OpBuilder &builder, mlir::Location loc);

/// A pointer to byte `offset` of the block's shared memory.
mlir::Value sharedPointer(mlir::OpBuilder &builder, mlir::Location loc, int64_t bytes);

/// The same, of an op in a role: each instance has `bytes` bytes of its own from there on.
mlir::Value instancePointer(mlir::OpBuilder &builder, mlir::Location loc, int64_t offset, int64_t bytes);

/// Where `block` of the cluster has what this block has at `own`.
mlir::Value peerPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value own, mlir::Value block);

/// Pointer to an instruction's first element: base[(lanes ^ constant) + added].
template <typename Instruction>
mlir::Value instructionPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base,
                               mlir::Type element, mlir::Value lanes, const Instruction &instruction) {
  mlir::Value offset = lanes ? lanes : constantInt(builder, loc, 0);
  if (instruction.constant)
    offset =
        mlir::arith::XOrIOp::create(builder, loc, offset, constantInt(builder, loc, instruction.constant));
  mlir::Value pointer = elementPointer(builder, loc, base, element, offset);
  // The added part is a constant displacement of the address.
  return instruction.added ? elementPointer(builder, loc, pointer, element, mlir::Value(), instruction.added)
                           : pointer;
}

/// Loads and stores of registers in shared memory at `base` (a pointer to the tile's stage).
void storeShared(mlir::OpBuilder &builder, mlir::Location loc, const layout::SharedAccess &access,
                 mlir::Value base, mlir::Type elementType, mlir::ValueRange registers);
llvm::SmallVector<mlir::Value> loadShared(mlir::OpBuilder &builder, mlir::Location loc,
                                          const layout::SharedAccess &access, mlir::Value base,
                                          mlir::Type elementType);

/// Has loops that go through a ring's slots count its stages, where they would divide by their number.
void countSlots(mlir::LLVM::LLVMFuncOp function);

/// Carries 16-bit floats of the function's loops two to a register.
void packCarriedHalves(mlir::LLVM::LLVMFuncOp function);

void populateElementwisePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
/// `ofWarpgroups`: the kernel has products of warpgroups.
void populateGlobalMemoryPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                                  bool ofWarpgroups);
void populateRunPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
struct AsyncFacts;
void populateSharedMemoryPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                                  AsyncFacts &facts);
void populateReducePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateScanPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateSortPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateTakePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateDotPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateConvertLayoutPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_TILETOLLVM_PATTERNS_H
