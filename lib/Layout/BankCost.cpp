// What accesses cost in shared-memory banks, and the layout that costs least.
#include "Bits.h"
#include "Tilewright/Layout/SharedLayout.h"
#include <algorithm>
#include <cassert>
#include <tuple>

using namespace tilewright::layout;

namespace {
/// The addresses that a use touches: for each instruction and warp, each lane's first element and its width.
struct AccessPattern {
  LinearLayout layout;
  std::vector<int> firstRegisters;
  int elems = 1;
  int lanes = 32;
};
} // namespace

static AccessPattern patternOf(const SharedLayout &shared, const SharedUse &use, int elemBits) {
  AccessPattern pattern;
  if (use.kind == SharedUse::Ldmatrix)
    if (std::optional<LdmatrixPlan> plan = ldmatrixPlan(shared, use.layout, elemBits)) {
      pattern.layout = plan->rows;
      for (int r = 0; r < plan->rows.numRegisters(); ++r)
        pattern.firstRegisters.push_back(r);
      pattern.elems = 128 / elemBits;
      pattern.lanes = plan->count * 8;
      return pattern;
    }
  pattern.layout = use.layout;
  pattern.lanes = use.layout.numLanes();
  int bits = std::max(elemBits, 8);
  if (use.layout.rank() == 0) {
    pattern.firstRegisters = {0};
    return pattern;
  }
  VectorAccess vectors = use.layout.vectorAccess(
      bits, shared.fastestDim(), static_cast<int>(std::min<int64_t>(shared.vectorElems(), 128) * bits),
      use.maxBits);
  pattern.elems = vectors.elems;
  for (const std::vector<int> &group : vectors.groups)
    pattern.firstRegisters.push_back(group.front());
  return pattern;
}

/// Wavefronts of one instruction of one warp, and the least for as many words.
static std::pair<int64_t, int64_t> wavefronts(const SharedLayout &shared, const AccessPattern &pattern,
                                              int reg, int warp, int elemBits) {
  int64_t bytesPerElem = std::max(elemBits, 8) / 8, bytes = bytesPerElem * pattern.elems;
  int64_t lanesPerPhase = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  int64_t actual = 0, ideal = 0;
  for (int begin = 0; begin < pattern.lanes; begin += static_cast<int>(lanesPerPhase)) {
    std::vector<int64_t> words;
    int end = static_cast<int>(std::min<int64_t>(pattern.lanes, begin + lanesPerPhase));
    for (int lane = begin; lane < end; ++lane) {
      int64_t first = shared.offsetOf(pattern.layout.apply(reg, lane, warp)) * bytesPerElem;
      for (int64_t word = first / 4; word <= (first + bytes - 1) / 4; ++word)
        words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    int perBank[32] = {};
    int worst = 0;
    for (int64_t word : words)
      worst = std::max(worst, ++perBank[word % 32]);
    actual += worst;
    ideal += static_cast<int64_t>(words.size() + 31) / 32;
  }
  return {actual, ideal};
}

BankCost tilewright::layout::bankCost(const SharedLayout &shared, const SharedUse &use, int elemBits) {
  AccessPattern pattern = patternOf(shared, use, elemBits);
  BankCost cost;
  for (int warp = 0; warp < pattern.layout.numWarps(); ++warp)
    for (int reg : pattern.firstRegisters) {
      auto [actual, ideal] = wavefronts(shared, pattern, reg, warp, elemBits);
      ++cost.instructions;
      cost.wavefronts += actual;
      cost.idealWavefronts += ideal;
    }
  return cost;
}

int64_t tilewright::layout::bankConflicts(const SharedLayout &shared, const SharedUse &use, int elemBits) {
  return bankCost(shared, use, elemBits).conflicts();
}

namespace {
/// What decides between two layouts, in this order.
struct Score {
  int64_t wavefronts = 0, instructions = 0, elems = 0, terms = 0;
  bool operator<(const Score &o) const {
    return std::tie(wavefronts, instructions, elems, terms) <
           std::tie(o.wavefronts, o.instructions, o.elems, o.terms);
  }
};
struct Scored {
  SharedLayout layout;
  Score score;
};
} // namespace

/// A use's first instruction stands for all: the others differ by an xor or a sum that is the same for all
/// lanes, which moves words to other banks but never two of them together.
static Score scoreOf(const SharedLayout &shared, const std::vector<SharedUse> &uses, int elemBits) {
  Score score;
  score.elems = shared.sizeElems();
  score.terms = static_cast<int64_t>(shared.swizzle().size());
  for (const SharedUse &use : uses) {
    AccessPattern pattern = patternOf(shared, use, elemBits);
    int64_t count =
        static_cast<int64_t>(pattern.firstRegisters.size()) * pattern.layout.numWarps() * use.weight;
    score.instructions += count;
    score.wavefronts +=
        count * wavefronts(shared, pattern, pattern.firstRegisters.front(), 0, elemBits).first;
  }
  return score;
}

static Scored bestOf(const Shape &shape, int elemBits, const std::vector<SharedUse> &uses,
                     const std::vector<int> &order, int keepBytes) {
  Scored best;
  bool first = true;
  auto consider = [&](const SharedLayout &candidate) {
    Scored scored{candidate, scoreOf(candidate, uses, elemBits)};
    if (first || scored.score < best.score)
      best = std::move(scored);
    first = false;
  };
  consider(SharedLayout::plain(shape, order));
  if (shape.size() < 2)
    return best;
  int64_t keep = std::max<int64_t>(1, int64_t(keepBytes) * 8 / std::max(elemBits, 8));
  int fastest = order[0];
  Shape block(shape);
  block[fastest] = powerOfTwoFactor(shape[fastest]);
  SharedLayout blocks = SharedLayout::blockedBy(shape, block, order);
  if (block != shape)
    consider(blocks);
  for (int64_t vec = keep; vec <= block[fastest] / 2; vec *= 2)
    for (int64_t maxPhase = 2; maxPhase <= 32 && vec * maxPhase <= block[fastest]; maxPhase *= 2)
      for (int64_t perPhase = 1; perPhase <= 16 && perPhase < shape[order[1]]; perPhase *= 2)
        if (std::optional<SharedLayout> candidate = blocks.withSwizzle(vec, perPhase, maxPhase))
          consider(*candidate);
  for (int64_t pad : {keep, 2 * keep})
    consider(SharedLayout::plain(shape, order, pad));
  return best;
}

SharedLayout tilewright::layout::bestSwizzle(const Shape &shape, int elemBits,
                                             const std::vector<SharedUse> &uses,
                                             const std::vector<int> &order, int keepBytes) {
  return bestOf(shape, elemBits, uses, order, keepBytes).layout;
}

SharedLayout tilewright::layout::bestSwizzle(const Shape &shape, int elemBits,
                                             const std::vector<SharedUse> &uses) {
  std::vector<int> order = LinearLayout::rowMajorOrder(static_cast<int>(shape.size()));
  Scored best = bestOf(shape, elemBits, uses, order, 16);
  for (int keepBytes : {8, 4}) {
    Scored finer = bestOf(shape, elemBits, uses, order, keepBytes);
    if (finer.score < best.score)
      best = std::move(finer);
  }
  if (order.size() < 2)
    return best.layout;
  std::swap(order[0], order[1]);
  for (int keepBytes : {16, 8, 4}) {
    Scored other = bestOf(shape, elemBits, uses, order, keepBytes);
    if (other.score < best.score)
      best = std::move(other);
  }
  return best.layout;
}
