// The optional entries of #tile.schedule: which units multiply and copy, how warps divide into roles, in
// which order blocks take tiles. An entry at its default is not printed; a schedule without any is one of a
// plain kernel.
#ifndef TILEWRIGHT_DIALECT_TILE_IR_SCHEDULEOPTIONS_H
#define TILEWRIGHT_DIALECT_TILE_IR_SCHEDULEOPTIONS_H

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace tilewright::tile {

/// Blocks that share what one of them fetches before its kernel's wait, from which on that comes from L2, and
/// little of it is fetched ahead (tile-depend-on-grid).
inline constexpr int64_t kSharingBlocks = 4;

/// What multiplies: by the operands' type, fused multiply-adds, one warp's matrix instruction, a warpgroup's.
enum class ProductUnit : uint8_t { ByType, Fma, MmaSync, Wgmma };
/// The unit's name in text; empty for the choice by type.
llvm::StringRef nameOf(ProductUnit unit);
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &stream, ProductUnit unit) {
  return stream << nameOf(unit);
}

/// What brings operands to shared memory: by alignment, loads and stores, cp.async, the tensor memory
/// accelerator.
enum class CopyUnit : uint8_t { ByAlignment, Plain, CpAsync, Bulk };
/// How warps work together: all alike; one group loads and the others share a tile (cooperative) or take
/// tiles in turn (ping-pong).
enum class Roles : uint8_t { None, Cooperative, PingPong };
/// How results reach global memory: from registers, or through shared memory by the tensor memory
/// accelerator.
enum class StoreUnit : uint8_t { Direct, Bulk };
/// Where a warpgroup's product reads its left operand: in shared memory, or in registers, to which the warps
/// that multiply bring it from the ring as it lies in memory, and convert it.
enum class LeftOperand : uint8_t { Shared, Registers };

/// Blocks of the largest cluster.
inline constexpr int64_t kMostClusterBlocks = 16;

struct ScheduleOptions {
  ProductUnit product = ProductUnit::ByType;
  CopyUnit copy = CopyUnit::ByAlignment;
  Roles roles = Roles::None;
  /// Instances of the loading role, which take slots of the ring in turn.
  int64_t loaders = 1;
  /// Registers of a thread of the loading and of a computing role; 0: not moved between roles.
  int64_t producerRegisters = 0, consumerRegisters = 0;
  /// Stages of the ring that brings what a role of warps converts: a multiple of that role's two instances.
  int64_t rawStages = 2;
  /// Blocks of a persistent grid, each of which takes tiles in turn; 0: one block a tile.
  int64_t persistent = 0;
  /// Rows of tiles that are walked together, column by column; 0: row after row.
  int64_t group = 0;
  /// Tiles along a Hilbert curve.
  bool hilbert = false;
  /// Tiles in this order: their numbers, row after row; empty: none given.
  std::vector<int32_t> list;
  /// Steps of K of the tiles beyond whole rounds of the blocks, and of `streamK` - 1 rounds more, are divided
  /// evenly among the persistent blocks; 0: every block takes whole tiles.
  int64_t streamK = 0;
  /// Tiles start at different places of K: blocks that share rows of an operand do not read them at the same
  /// time.
  bool rotateK = false;
  /// Blocks of a cluster along M or N, which share the operand that they all need.
  int64_t clusterM = 1, clusterN = 1;
  /// Parts of K: the blocks of a cluster have one each and add them up.
  int64_t splitK = 1;
  StoreUnit store = StoreUnit::Direct;
  /// Results are stored while the next tile's products run.
  bool deferStores = false;
  LeftOperand left = LeftOperand::Shared;
  /// The product is computed transposed: N takes the place of M.
  bool swapOperands = false;
  /// The kernel may start before the one that it depends on has ended.
  bool dependentLaunch = false;
  /// Blocks take pieces of scanned rows in their order, and look back at what those before have published.
  bool lookBack = false;
  /// A block has the rows of a gather's table that it reads in shared memory, and all indices into them.
  bool keepTables = false;
  /// Steps of a chain's loop whose terms a mask leaves out are not run.
  bool skipSteps = false;
  /// A chain's first product of a step runs beside the second one of the step before.
  bool overlapSteps = false;
  /// Rows that begin anywhere in 16 bytes are gone over from the last multiple of 16 bytes before them.
  bool alignRows = false;

  int64_t clusterBlocks() const { return clusterM * clusterN; }
  int64_t instances() const { return roles == Roles::PingPong ? 2 : 1; }
  /// Warps of the loading role: a warpgroup each instance.
  int64_t loadingWarps() const { return roles == Roles::None ? 0 : 4 * loaders; }
  /// Each loader always fills the same stages of the ring of converted operands. Otherwise one that is ahead
  /// of the warps that convert, which release slots out of order, takes another use's phase for its own.
  bool loadersDivideRawStages() const { return rawStages % loaders == 0; }

  auto key() const {
    return std::make_tuple(product, copy, roles, loaders, producerRegisters, consumerRegisters, rawStages,
                           persistent, group, hilbert, list, streamK, rotateK, clusterM, clusterN, splitK,
                           store, deferStores, left, swapOperands, dependentLaunch, lookBack, keepTables,
                           skipSteps, overlapSteps, alignRows);
  }
  bool operator==(const ScheduleOptions &other) const { return key() == other.key(); }
  bool operator!=(const ScheduleOptions &other) const { return !(*this == other); }
};

inline llvm::hash_code hash_value(const ScheduleOptions &options) {
  return llvm::hash_combine(
      options.product, options.copy, options.roles, options.loaders, options.producerRegisters,
      options.consumerRegisters, options.rawStages, options.persistent, options.group, options.hilbert,
      llvm::hash_combine_range(options.list), options.streamK, options.rotateK, options.clusterM,
      options.clusterN, options.splitK, options.store, options.deferStores, options.left,
      options.swapOperands, options.dependentLaunch, options.lookBack, options.keepTables, options.skipSteps,
      options.overlapSteps, options.alignRows);
}

/// Registers of a multiprocessor.
inline constexpr int64_t kRegisterFile = 65536;
/// Registers that each thread starts with where `blocks` of so many `threads` share a multiprocessor: equal
/// parts, in eights. Roles move no more between them than all threads of a block start with: one that asks
/// for more waits forever (PTX ISA, "setmaxnreg").
constexpr int64_t startingRegisters(int64_t threads, int64_t blocks = 1) {
  return std::min<int64_t>(255, kRegisterFile / (threads * blocks) / 8 * 8);
}

} // namespace tilewright::tile

/// `wgmma` and its like as a parameter of an attribute.
template <> struct mlir::FieldParser<std::optional<tilewright::tile::ProductUnit>> {
  static FailureOr<std::optional<tilewright::tile::ProductUnit>> parse(AsmParser &parser);
};

#endif // TILEWRIGHT_DIALECT_TILE_IR_SCHEDULEOPTIONS_H
