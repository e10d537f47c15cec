// From one register layout to another: what a tile.convert_layout has to do.
//
// The cheapest of four: nothing; renaming registers within each thread; shuffles within each warp; through
// shared memory. Each plan is data; a lowering emits it word for word. Replicated elements are used where
// they help: a value is taken from the replica nearest to its reader.
#ifndef TILEWRIGHT_LAYOUT_CONVERSION_H
#define TILEWRIGHT_LAYOUT_CONVERSION_H

#include "Tilewright/Layout/SharedLayout.h"
#include <variant>

namespace tilewright::layout {

/// Register r of the result is register r of the source.
struct NoConversion {};

/// Register r of the result is register map[r] of the source.
struct RegisterMoves {
  RegisterMap map;
};

/// One shuffle: every lane offers its source register `offer` (chosen by its own lane number when `offer` has
/// more than one entry) and receives what lane sourceLane(lane) offers.
struct Shuffle {
  std::vector<int> offer;
  LaneSelect offerSelect;
  /// the lane read from, as a function of the reading lane, then xored with laneXor
  BitSum sourceLane;
  int laneXor = 0;
  /// sourceLane(l) ^ laneXor == l for all lanes: the offer itself, no instruction needed
  bool isLocal = false;
  /// sourceLane(l) == l for all lanes: a butterfly (shfl.bfly) with mask laneXor
  bool isButterfly = false;
};

/// Register r of the result is one of the shuffled values, chosen by the lane number.
struct ShuffleResult {
  std::vector<int> shuffles;
  LaneSelect select;
};

struct Shuffles {
  std::vector<Shuffle> shuffles;
  std::vector<ShuffleResult> results;
};

/// Store by `store`, barrier, load by `load`. The buffer holds `elems` elements of storage type.
struct ThroughShared {
  SharedLayout shared;
  SharedAccess store;
  SharedAccess load;
  int64_t bytes = 0;
  /// extra wavefronts over all warps
  int64_t storeConflicts = 0, loadConflicts = 0;
};

struct ConversionPlan {
  std::variant<NoConversion, RegisterMoves, Shuffles, ThroughShared> steps;

  bool isNone() const { return std::holds_alternative<NoConversion>(steps); }
  const RegisterMoves *moves() const { return std::get_if<RegisterMoves>(&steps); }
  const Shuffles *shuffles() const { return std::get_if<Shuffles>(&steps); }
  const ThroughShared *shared() const { return std::get_if<ThroughShared>(&steps); }
  int64_t sharedBytes() const { return shared() ? shared()->bytes : 0; }
  /// One line for remarks: `shuffles: 8 for 8 registers`, `shared memory: 8192 bytes, 0 bank conflicts`.
  std::string describe() const;
  /// A rough cost in issue slots per warp, to compare plans.
  int64_t cost = 0;
};

struct ConversionOptions {
  /// Shuffles allowed per register of the result; more go through shared memory.
  int maxShufflesPerRegister = 2;
  int maxShuffles = 64;
};

/// Source and destination have the same shape, lanes, warps and blocks; the source is surjective. nullopt
/// otherwise, and when elements would cross blocks or have no linear place in shared memory.
/// Post: for every register, lane and warp of dst, the plan delivers the element dst.apply(register, lane,
/// warp).
std::optional<ConversionPlan> conversionPlan(const LinearLayout &src, const LinearLayout &dst, int elemBits,
                                             const ConversionOptions &options = {});

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_CONVERSION_H
