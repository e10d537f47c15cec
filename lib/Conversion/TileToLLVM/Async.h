// What the conversion of roles, rings, bulk copies and warpgroup products shares: where in the block an op
// runs, and what was found out about the whole kernel before its ops are converted one by one.
#ifndef TILEWRIGHT_LIB_CONVERSION_TILETOLLVM_ASYNC_H
#define TILEWRIGHT_LIB_CONVERSION_TILETOLLVM_ASYNC_H

#include "Patterns.h"

#include "Tilewright/Dialect/Tile/IR/Warpgroups.h"
#include "Tilewright/Layout/AsyncAccess.h"

namespace tilewright {

/// The warps that run an op: `instances` groups of `warps` warps from `firstWarp` on.
struct RolePlace {
  int64_t firstWarp = 0, warps = 0, instances = 1;
  /// Named barriers: one an instance from `barrier` on, then those of turns.
  int64_t barrier = 0;
  /// One thread alone runs the role.
  bool oneThread = false;

  int64_t warpgroups() const { return (warps + 3) / 4; }
  int64_t barrierOfTurn(int64_t instance) const { return barrier + instances + instance; }
  /// Of a role of one instance, which takes no turns: that of a warpgroup by itself.
  int64_t barrierOfWarpgroup(int64_t warpgroup) const { return barrier + 1 + warpgroup; }
};

/// The role around `op` (its scf.if after inlineRoles), or nothing outside of roles.
std::optional<RolePlace> roleAround(mlir::Operation *op);
/// The role around the builder's place.
std::optional<RolePlace> roleAt(mlir::OpBuilder &builder);

/// The running instance of the role at the builder's place, an i32 that is the same for all lanes of a warp;
/// null when there is one instance alone.
mlir::Value roleInstance(mlir::OpBuilder &builder, mlir::Location loc);
/// The warpgroup of the running thread within its instance, likewise; null when there is one alone.
mlir::Value roleWarpgroup(mlir::OpBuilder &builder, mlir::Location loc);
/// True in one thread of the instance (of each warpgroup); null when one thread runs the role.
mlir::Value roleLeader(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value warpgroupLeader(mlir::OpBuilder &builder, mlir::Location loc);
/// One thread of the instance, or of each warpgroup where these do `op` apart.
inline mlir::Value leaderOf(mlir::Operation *op, mlir::OpBuilder &builder, mlir::Location loc) {
  return tile::warpgroupsApart(op) > 1 ? warpgroupLeader(builder, loc) : roleLeader(builder, loc);
}
/// A barrier of the running thread's warpgroup.
void emitWarpgroupBarrier(mlir::OpBuilder &builder, mlir::Location loc);
/// Runs `body` where `predicate` holds (null: everywhere).
void emitIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value predicate,
            llvm::function_ref<void()> body);

/// Blocks that the register budgets of the kernel's roles leave room for on a multiprocessor; 0 where roles
/// have none.
int64_t blocksByRegisters(tile::KernelOp kernel);
/// Puts the bodies of roles where they stand, each under the warps that run it, behind a barrier of the
/// block.
mlir::LogicalResult inlineRoles(tile::KernelOp kernel);
/// Takes the marks of roles off again.
void eraseRoleMarks(mlir::Operation *root);

/// What is known about the kernel's asynchronous ops.
struct AsyncFacts {
  struct Bulk {
    layout::TensorBoxes boxes;
    /// The kernel's parameter that is the tensor map.
    unsigned parameter = 0;
    /// Of a copy that blocks of a cluster share: how far apart their numbers are, and the cluster's blocks.
    int64_t apart = 1, clusterBlocks = 1;
  };
  /// By copy_bulk and store_bulk.
  llvm::DenseMap<mlir::Operation *, Bulk> bulk;
  /// By acquire: bytes of the bulk copies up to the commit.
  llvm::DenseMap<mlir::Operation *, int64_t> bytes;
  /// By commit and release: other threads must be waited for; by ring: arrivals that make a slot full.
  struct Fill {
    bool bulk = false, stores = false, copies = false;
    int64_t arrivals() const { return bulk + (stores || copies); }
  };
  llvm::DenseMap<mlir::Operation *, Fill> commits;
  llvm::DenseMap<mlir::Operation *, int64_t> arrivals;
  llvm::DenseSet<mlir::Operation *> readByThreads;
  /// Of these, rings that bulk copies fill.
  llvm::DenseSet<mlir::Operation *> filledInBulk;
  /// By release: rows and columns of blocks that fill the ring together.
  llvm::DenseMap<mlir::Operation *, std::pair<int64_t, int64_t>> peers;
  /// By tile.await: registers that products until there read, kept alive behind it.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> keep;
  /// Products that go on with the group of the one before, and those with whose group the next one goes on.
  llvm::DenseSet<mlir::Operation *> joins, isJoined;
  /// By product that goes on with another one's group: the group's first product.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> first;
  /// By first product of a group: the fence in front of it; by it and a left operand in registers: what the
  /// group's products read of that.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> fences;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Value>, llvm::SmallVector<mlir::Value>> fragments;
  /// By tile.await_dots: groups that its products in flight are.
  llvm::DenseMap<mlir::Operation *, int64_t> groups;
  /// tile.await behind another one, with nothing between them: all products have ended.
  llvm::DenseSet<mlir::Operation *> afterAwait;
  /// Whether blocks of the cluster push tiles to one another.
  bool pushes = false;
  /// Tensor maps, parameters from `firstMap` on.
  llvm::SmallVector<ptx::TensorMapAttr> maps;
  unsigned firstMap = 0;
  /// Whether the kernel runs on chips with wgmma alone, so that stmatrix is there, too.
  bool forHopper = false;
};
mlir::FailureOr<AsyncFacts> findAsyncFacts(tile::KernelOp kernel);

/// Patterns that ask about the whole kernel.
template <typename Op> struct FactPattern : mlir::OpConversionPattern<Op> {
  FactPattern(mlir::TypeConverter &converter, mlir::MLIRContext *context, AsyncFacts &facts)
      : mlir::OpConversionPattern<Op>(converter, context), facts(facts) {}
  AsyncFacts &facts;
};

/// Pointer to stage `stage` of a buffer that starts at `base`.
mlir::Value stagePointer(mlir::OpBuilder &builder, mlir::Location loc, tile::SharedType type,
                         mlir::Value base, mlir::Value stage);

void populatePipelinePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                              AsyncFacts &facts);
void populateClusterPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateWorkListPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateLookBackPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateWgmmaPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                           AsyncFacts &facts);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_TILETOLLVM_ASYNC_H
