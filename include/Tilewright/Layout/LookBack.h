// Where the totals of pieces lie when blocks look back at those before: groups of 32 pieces, groups of 32
// groups, and so on, each with a word for what it comes to.
#ifndef TILEWRIGHT_LAYOUT_LOOKBACK_H
#define TILEWRIGHT_LAYOUT_LOOKBACK_H

#include <cstdint>
#include <vector>

namespace tilewright::layout {

/// The words of one line of pieces: those of the pieces first, then those of their groups, level by level, as
/// far as there are two at least.
///
/// For 100 pieces: 100 words from word 0 on, then 4 of groups; for 32 pieces or fewer their words alone.
struct LookBackPlan {
  /// A group's pieces, or its groups of the level before; their logarithm.
  static constexpr int64_t kFan = 32, kFanBits = 5;

  struct Level {
    int64_t first, count;
  };
  std::vector<Level> levels;
  /// Words of all levels.
  int64_t words = 0;
};

LookBackPlan lookBackPlan(int64_t pieces);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_LOOKBACK_H
