// What accesses cost in shared-memory banks, and the layout that costs least.
#include "Bits.h"
#include "SharedAccess.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace tilewright::layout;

namespace {
/// The addresses that a use touches: for each instruction and warp, each lane's first element and its width.
struct AccessPattern {
  LinearLayout layout;
  std::vector<int> firstRegisters;
  int elems = 1;
  int lanes = 32;
  /// the first instruction's elements, lane by lane
  std::vector<Coord> first;
};
} // namespace

/// The pattern of a use where aligned groups of alignedElems along fastestDim stay together.
static AccessPattern patternOf(const SharedUse &use, int fastestDim, int64_t alignedElems, int elemBits) {
  AccessPattern pattern;
  if (use.kind == SharedUse::Ldmatrix && use.layout.rank() > 0 && alignedElems * elemBits >= 128)
    if (std::optional<LdmatrixRows> rows = ldmatrixRows(use.layout, elemBits, fastestDim)) {
      for (int r = 0; r < rows->rows.numRegisters(); ++r)
        pattern.firstRegisters.push_back(r);
      pattern.elems = 128 / elemBits;
      pattern.lanes = rows->count * 8;
      pattern.layout = std::move(rows->rows);
      return pattern;
    }
  VectorAccess vectors = sharedVectors(use.layout, fastestDim, alignedElems, elemBits, use.maxBits);
  pattern.elems = vectors.elems;
  pattern.lanes = use.layout.numLanes();
  for (const std::vector<int> &group : vectors.groups)
    pattern.firstRegisters.push_back(group.front());
  pattern.layout = use.layout;
  return pattern;
}

/// The first element of every lane.
static void findLaneElements(const AccessPattern &pattern, int reg, int warp, std::vector<Coord> &out) {
  out.resize(pattern.lanes);
  for (int lane = 0; lane < pattern.lanes; ++lane)
    pattern.layout.apply({reg, lane, warp}, out[lane]);
}

/// Wavefronts of one instruction of one warp, and the least for as many words.
static std::pair<int64_t, int64_t> wavefronts(const SharedLayout &shared, const std::vector<Coord> &lanes,
                                              int elems, int elemBits) {
  int64_t bytesPerElem = std::max(elemBits, 8) / 8, bytes = bytesPerElem * elems;
  size_t lanesPerPhase = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  int64_t actual = 0, ideal = 0;
  std::vector<int64_t> words;
  for (size_t begin = 0; begin < lanes.size(); begin += lanesPerPhase) {
    words.clear();
    for (size_t lane = begin; lane < std::min(lanes.size(), begin + lanesPerPhase); ++lane) {
      int64_t first = shared.offsetOf(lanes[lane]) * bytesPerElem;
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
  AccessPattern pattern = patternOf(use, shared.fastestDim(), shared.vectorElems(), elemBits);
  BankCost cost;
  std::vector<Coord> lanes;
  for (int warp = 0; warp < pattern.layout.numWarps(); ++warp)
    for (int reg : pattern.firstRegisters) {
      findLaneElements(pattern, reg, warp, lanes);
      auto [actual, ideal] = wavefronts(shared, lanes, pattern.elems, elemBits);
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
} // namespace

namespace {
/// Tries layouts and keeps the best.
class Search {
public:
  Search(int elemBits, const std::vector<SharedUse> &uses) : elemBits(elemBits), uses(uses) {}

  /// All layouts with the dims in `order`, with groups of keepBytes whole.
  void tryOrder(const Shape &shape, const std::vector<int> &order, int keepBytes);
  const SharedLayout &best() const { return bestLayout; }
  /// Whether no layout needs fewer wavefronts.
  bool isIdeal() const { return bestScore.wavefronts <= bestIdeal; }

private:
  /// Keeps the candidate when it is better and its accesses have a form that can be emitted.
  bool consider(const SharedLayout &candidate);
  /// Adds single xor bits to the best layout found, the one that helps most first.
  void climb(int64_t keepElems);
  /// The same with elements between what follows one another along each dim, in groups of keepElems.
  void pad(const Shape &shape, const std::vector<int> &order, int64_t keepElems);
  Score scoreOf(const SharedLayout &shared, int64_t &ideal);

  int elemBits;
  const std::vector<SharedUse> &uses;
  /// by use, fastest dim, and elements that stay together
  std::map<std::tuple<size_t, int, int64_t>, AccessPattern> patterns;
  SharedLayout bestLayout;
  Score bestScore;
  /// no layout needs fewer wavefronts than this
  int64_t bestIdeal = 0;
  bool found = false;
};
} // namespace

/// A use's first instruction stands for all: the others differ by an xor or a sum that is the same for all
/// lanes, which moves words to other banks but never two of them together.
Score Search::scoreOf(const SharedLayout &shared, int64_t &ideal) {
  Score score;
  ideal = 0;
  score.elems = shared.sizeElems();
  score.terms = static_cast<int64_t>(shared.swizzle().size());
  int64_t aligned = std::min<int64_t>(shared.vectorElems(), 128);
  for (size_t i = 0; i < uses.size(); ++i) {
    auto [entry, isNew] = patterns.try_emplace({i, shared.fastestDim(), aligned});
    AccessPattern &pattern = entry->second;
    if (isNew) {
      pattern = patternOf(uses[i], shared.fastestDim(), aligned, elemBits);
      findLaneElements(pattern, pattern.firstRegisters.front(), 0, pattern.first);
    }
    int64_t count =
        static_cast<int64_t>(pattern.firstRegisters.size()) * pattern.layout.numWarps() * uses[i].weight;
    score.instructions += count;
    auto [actual, least] = wavefronts(shared, pattern.first, pattern.elems, elemBits);
    score.wavefronts += count * actual;
    ideal += count * least;
  }
  return score;
}

bool Search::consider(const SharedLayout &candidate) {
  int64_t ideal;
  Score score = scoreOf(candidate, ideal);
  if (found) {
    if (!(score < bestScore))
      return false;
    for (const SharedUse &use : uses) {
      bool byLdmatrix = use.kind == SharedUse::Ldmatrix && ldmatrixPlan(candidate, use.layout, elemBits);
      if (!byLdmatrix && !sharedAccess(candidate, use.layout, elemBits, use.maxBits))
        return false;
    }
  }
  found = true;
  bestScore = score;
  bestIdeal = ideal;
  bestLayout = candidate;
  return true;
}

/// Whether bit `from` of the offset is xored into bit `to`.
static bool hasBit(const std::vector<XorTerm> &terms, int from, int to) {
  for (const XorTerm &term : terms)
    if (term.shiftFrom - term.shiftTo == from - to && from >= term.shiftFrom &&
        ((term.mask >> (from - term.shiftFrom)) & 1))
      return true;
  return false;
}

/// The terms with one bit more or less, in the fewest: runs of bits that keep their distance are one term.
static std::vector<XorTerm> toggled(const std::vector<XorTerm> &terms, int from, int to, int sources,
                                    int targets) {
  std::vector<XorTerm> out;
  for (int distance = 1; distance < sources; ++distance)
    for (int t = 0; t < targets; ++t) {
      int f = t + distance;
      if (hasBit(terms, f, t) == (f == from && t == to))
        continue;
      if (!out.empty() && out.back().shiftFrom - out.back().shiftTo == distance &&
          out.back().shiftTo + log2Of(int64_t(out.back().mask) + 1) == t)
        out.back().mask = out.back().mask * 2 + 1;
      else
        out.push_back({f, 1, t});
    }
  return out;
}

void Search::climb(int64_t keepElems) {
  int targets = log2Of(128 / (std::max(elemBits, 8) / 8)), sources = log2Of(bestLayout.sizeElems());
  for (int round = 0; round < 8 && bestScore.wavefronts > bestIdeal; ++round) {
    SharedLayout from = bestLayout;
    for (int to = log2Of(keepElems); to < targets; ++to)
      for (int source = targets; source < sources; ++source)
        if (std::optional<SharedLayout> next =
                from.withXor(toggled(from.swizzle(), source, to, sources, targets)))
          consider(*next);
    if (bestLayout == from)
      return;
  }
}

/// Sizes that are no powers of two leave offsets without the bits that xor terms exchange: 12 rows of 32
/// elements lie 384 apart, in one bank, and so do their multiples. Padding moves what a warp touches along
/// each dim to banks of its own.
void Search::pad(const Shape &shape, const std::vector<int> &order, int64_t keepElems) {
  constexpr int64_t bankBytes = 128;
  // Of a tile's bytes, what padding may add at most: shared memory is what other blocks need.
  constexpr int64_t mostShare = 4;
  int64_t period = bankBytes / (std::max(elemBits, 8) / 8);
  int64_t most = SharedLayout::plain(shape, order).sizeElems() * (mostShare + 1) / mostShare;
  std::vector<int64_t> pads(shape.size(), 0);
  for (bool changed = true; changed && bestScore.wavefronts > bestIdeal;) {
    changed = false;
    std::vector<int64_t> from = pads;
    for (size_t level = 1; level < order.size(); ++level) {
      if (shape[order[level]] == 1)
        continue;
      std::vector<int64_t> next = from;
      for (next[level] = 0; next[level] < period; next[level] += keepElems) {
        SharedLayout candidate = SharedLayout::padded(shape, order, next);
        if (candidate.sizeElems() <= most && consider(candidate)) {
          pads = next;
          changed = true;
        }
      }
    }
  }
}

void Search::tryOrder(const Shape &shape, const std::vector<int> &order, int keepBytes) {
  consider(SharedLayout::plain(shape, order));
  if (shape.empty())
    return;
  int64_t keep = std::max<int64_t>(1, int64_t(keepBytes) * 8 / std::max(elemBits, 8));
  int fastest = order[0];
  if (shape.size() == 1) {
    climb(keep);
    return;
  }
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
  if (bestLayout.order() == order && bestLayout.vectorElems() >= std::min(keep, block[fastest]))
    climb(keep);
  if (bestScore.wavefronts > bestIdeal)
    pad(shape, order, keep);
}

SharedLayout tilewright::layout::bestSwizzle(const Shape &shape, int elemBits,
                                             const std::vector<SharedUse> &uses,
                                             const std::vector<int> &order, int keepBytes) {
  Search search(elemBits, uses);
  search.tryOrder(shape, order, keepBytes);
  return search.best();
}

SharedLayout tilewright::layout::bestSwizzle(const Shape &shape, int elemBits,
                                             const std::vector<SharedUse> &uses) {
  Search search(elemBits, uses);
  std::vector<int> order = LinearLayout::rowMajorOrder(static_cast<int>(shape.size()));
  for (int keepBytes : {16, 8, 4})
    search.tryOrder(shape, order, keepBytes);
  if (order.size() < 2)
    return search.best();
  std::swap(order[0], order[1]);
  for (int keepBytes : {16, 8, 4})
    search.tryOrder(shape, order, keepBytes);
  // The last dim may be the slowest, or another one that along which threads hold vectors.
  for (size_t place = 1; place < order.size() && !search.isIdeal(); ++place) {
    std::vector<int> other = LinearLayout::rowMajorOrder(static_cast<int>(shape.size()));
    auto from = other.begin() + static_cast<std::ptrdiff_t>(place);
    if (place == 1)
      std::rotate(other.begin(), from, other.end());
    else if (shape[*from] == 1)
      continue;
    else
      std::rotate(other.begin(), from, from + 1);
    for (int keepBytes : {16, 8, 4})
      search.tryOrder(shape, other, keepBytes);
  }
  return search.best();
}

SharedLayout tilewright::layout::bestSwizzle(const Shape &shape, const std::vector<int> &widths,
                                             const std::vector<SharedUse> &uses) {
  SharedLayout best = bestSwizzle(shape, widths.front(), uses);
  for (int elemBits : widths)
    for (const SharedUse &use : uses)
      if (!sharedAccess(best, use.layout, elemBits, use.maxBits))
        return SharedLayout::plain(shape, LinearLayout::rowMajorOrder(static_cast<int>(shape.size())));
  return best;
}
