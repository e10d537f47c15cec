// Conversion plans: nothing, register moves, shuffles, or through shared memory.
#include "Tilewright/Layout/Conversion.h"
#include "Bits.h"
#include <algorithm>

using namespace tilewright::layout;

//===-------------------------------------------------------------------------------------------------------===//
// Register moves
//===-------------------------------------------------------------------------------------------------------===//

/// For each destination register the source register that holds the same element in every thread.
static std::optional<RegisterMap> registerMoves(const LinearLayout &src, const LinearLayout &dst) {
  for (Hw hw : {Hw::Lane, Hw::Warp, Hw::Block})
    if (src.bases(hw) != dst.bases(hw))
      return std::nullopt;
  RegisterMap map;
  for (int r = 0; r < dst.numRegisters(); ++r) {
    // Lanes and warps add their bits by xor, inside the atom; equal atoms make equal offsets enough.
    std::optional<int> from = src.registerAt(dst.apply(r, 0, 0));
    if (!from)
      return std::nullopt;
    map.push_back(*from);
  }
  if (src.atom() == dst.atom())
    return map;
  Coord from, to;
  for (int r = 0; r < dst.numRegisters(); ++r)
    for (int warp = 0; warp < dst.numWarps(); ++warp)
      for (int lane = 0; lane < dst.numLanes(); ++lane) {
        src.apply({map[r], lane, warp}, from);
        dst.apply({r, lane, warp}, to);
        if (from != to)
          return std::nullopt;
      }
  return map;
}

//===-------------------------------------------------------------------------------------------------------===//
// Shuffles
//===-------------------------------------------------------------------------------------------------------===//

namespace {
/// A linear function from bits to words: value on each bit.
using BitColumns = std::vector<uint32_t>;

/// Where destination bits come from within a warp, for one atom: source lane and source register are
///   lane(l) ^ laneOfRegister(r) ^ laneOfWarp(w)   and   reg(l) ^ regOfRegister(r).
struct WarpMap {
  BitColumns lane, laneOfRegister, laneOfWarp;
  BitColumns reg, regOfRegister;
};
} // namespace

static uint32_t evaluate(const BitColumns &columns, uint32_t x) {
  uint32_t out = 0;
  for (size_t bit = 0; bit < columns.size(); ++bit)
    if ((x >> bit) & 1)
      out ^= columns[bit];
  return out;
}

static std::optional<WarpMap> warpMap(const LinearLayout &src, const LinearLayout &dst) {
  Packing packing(src.atom());
  // Combination ids: source lanes from bit 0, source registers from bit 8.
  constexpr int regShift = 8;
  Span lanesFirst, registersFirst;
  auto insertLanes = [&](Span &span) {
    for (size_t bit = 0; bit < src.bases(Hw::Lane).size(); ++bit)
      span.insert(packing.pack(src.bases(Hw::Lane)[bit]), uint64_t(1) << bit);
  };
  auto insertRegisters = [&](Span &span) {
    for (size_t bit = 0; bit < src.bases(Hw::Register).size(); ++bit)
      span.insert(packing.pack(src.bases(Hw::Register)[bit]), uint64_t(1) << (bit + regShift));
  };
  insertLanes(lanesFirst);
  insertRegisters(lanesFirst);
  insertRegisters(registersFirst);
  insertLanes(registersFirst);
  auto laneOf = [](uint64_t id) { return static_cast<uint32_t>(id & 0xff); };
  auto regOf = [](uint64_t id) { return static_cast<uint32_t>(id >> regShift); };

  WarpMap map;
  for (size_t bit = 0; bit < dst.bases(Hw::Lane).size(); ++bit) {
    const Coord &basis = dst.bases(Hw::Lane)[bit];
    // A lane that holds the element itself need not ask another.
    if (basis == src.bases(Hw::Lane)[bit]) {
      map.lane.push_back(1u << bit);
      map.reg.push_back(0);
      continue;
    }
    // Nor a register of its own, when the source replicates over this lane bit.
    std::optional<uint64_t> id = lanesFirst.solve(packing.pack(basis));
    if (!id)
      return std::nullopt;
    bool ownLane = laneOf(*id) == 0 && isZero(src.bases(Hw::Lane)[bit]);
    map.lane.push_back(ownLane ? 1u << bit : laneOf(*id));
    map.reg.push_back(regOf(*id));
  }
  for (const Coord &basis : dst.bases(Hw::Register)) {
    std::optional<uint64_t> id = registersFirst.solve(packing.pack(basis));
    if (!id)
      return std::nullopt;
    map.laneOfRegister.push_back(laneOf(*id));
    map.regOfRegister.push_back(regOf(*id));
  }
  for (size_t bit = 0; bit < dst.bases(Hw::Warp).size(); ++bit) {
    uint64_t difference = packing.pack(dst.bases(Hw::Warp)[bit]) ^ packing.pack(src.bases(Hw::Warp)[bit]);
    std::optional<uint64_t> id = lanesFirst.solve(difference);
    // A source register that depends on the warp number has no form here.
    if (!id || regOf(*id) != 0)
      return std::nullopt;
    map.laneOfWarp.push_back(laneOf(*id));
  }
  return map;
}

/// Splits a linear function of the lane into independent choices: values[index] with bit i of index the
/// parity of lane & select.laneMasks[i].
static void chooseByLane(const BitColumns &columns, LaneSelect &select, std::vector<uint32_t> &values) {
  Span span;
  std::vector<uint32_t> independent;
  for (uint32_t column : columns)
    if (span.insert(column, uint64_t(1) << independent.size()))
      independent.push_back(column);
  select.laneMasks.assign(independent.size(), 0);
  for (size_t bit = 0; bit < columns.size(); ++bit) {
    uint64_t combination = *span.solve(columns[bit]);
    for (size_t i = 0; i < independent.size(); ++i)
      if ((combination >> i) & 1)
        select.laneMasks[i] |= 1u << bit;
  }
  values.assign(size_t(1) << independent.size(), 0);
  for (size_t index = 0; index < values.size(); ++index)
    values[index] = evaluate(independent, static_cast<uint32_t>(index));
}

/// Two lanes that read different registers of one lane are in each other's way. When the destination
/// registers they fill can be filled in another order, each lane starts with another one ("rounds"): round s
/// fills register s ^ round(lane). Finds `round` such that in every round the sending lane knows what to
/// send; nullopt when none.
static std::optional<BitColumns> findRounds(const WarpMap &map) {
  size_t laneBits = map.lane.size();
  BitColumns round(laneBits, 0);
  // Lane combinations that read from the same lane, each with one highest bit of its own.
  Span readers;
  std::vector<std::pair<uint32_t, uint32_t>> clashes; // lane combination, register difference
  for (size_t bit = 0; bit < laneBits; ++bit) {
    if (std::optional<uint64_t> same = readers.solve(map.lane[bit])) {
      auto combination = static_cast<uint32_t>(*same | (uint64_t(1) << bit));
      if (uint32_t difference = evaluate(map.reg, combination))
        clashes.push_back({static_cast<uint32_t>(bit), difference});
    } else {
      readers.insert(map.lane[bit], uint64_t(1) << bit);
    }
  }
  // Give each clash a destination register bit that moves to a lane nobody reads yet.
  for (auto [bit, difference] : clashes) {
    bool found = false;
    for (size_t r = 0; r < map.laneOfRegister.size() && !found; ++r)
      if (readers.insert(map.laneOfRegister[r], 0)) {
        round[bit] = 1u << r;
        found = true;
      }
    if (!found)
      return std::nullopt;
  }
  return round;
}

/// Shuffles of the atom; registers are atom registers.
static std::optional<Shuffles> atomShuffles(const WarpMap &map, int dstRegisters, int limit) {
  Shuffles out;
  size_t laneBits = map.lane.size();
  auto finish = [&](Shuffle &shuffle, const BitColumns &lane, uint32_t laneXor) {
    std::array<std::vector<int64_t>, 4> bases;
    bases[static_cast<size_t>(Hw::Lane)].assign(lane.begin(), lane.end());
    bases[static_cast<size_t>(Hw::Warp)].assign(map.laneOfWarp.begin(), map.laneOfWarp.end());
    shuffle.sourceLane = bitSum(bases, Join::Xor);
    shuffle.laneXor = static_cast<int>(laneXor);
    shuffle.isButterfly = true;
    for (size_t bit = 0; bit < laneBits; ++bit)
      shuffle.isButterfly &= lane[bit] == (1u << bit);
    for (uint32_t column : map.laneOfWarp)
      shuffle.isButterfly &= column == 0;
    shuffle.isLocal = shuffle.isButterfly && laneXor == 0;
  };
  auto addOnce = [&](Shuffle shuffle) {
    for (size_t i = 0; i < out.shuffles.size(); ++i)
      if (out.shuffles[i].offer == shuffle.offer && out.shuffles[i].laneXor == shuffle.laneXor &&
          out.shuffles[i].offerSelect.laneMasks == shuffle.offerSelect.laneMasks)
        return static_cast<int>(i);
    out.shuffles.push_back(std::move(shuffle));
    return static_cast<int>(out.shuffles.size()) - 1;
  };

  if (std::optional<BitColumns> round = findRounds(map)) {
    // In round s lane l reads lane a(l) ^ A(s), register b(l) ^ B(s), where b is a function of a: b(l) =
    // f(a(l)).
    BitColumns a(laneBits), b(laneBits), f(laneBits, 0);
    for (size_t bit = 0; bit < laneBits; ++bit) {
      a[bit] = map.lane[bit] ^ evaluate(map.laneOfRegister, (*round)[bit]);
      b[bit] = map.reg[bit] ^ evaluate(map.regOfRegister, (*round)[bit]);
    }
    // f on each source lane bit: complete a's images to a basis of all lanes, sending the rest to 0.
    Span images;
    std::vector<uint32_t> value;
    for (size_t bit = 0; bit < laneBits; ++bit)
      if (images.insert(a[bit], uint64_t(1) << value.size()))
        value.push_back(b[bit]);
    for (size_t bit = 0; bit < laneBits; ++bit)
      if (images.insert(uint64_t(1) << bit, uint64_t(1) << value.size()))
        value.push_back(0);
    for (size_t bit = 0; bit < laneBits; ++bit)
      f[bit] = evaluate(value, static_cast<uint32_t>(*images.solve(uint64_t(1) << bit)));
    bool consistent = true;
    for (size_t bit = 0; bit < laneBits; ++bit)
      consistent &= evaluate(f, a[bit]) == b[bit];
    if (consistent) {
      LaneSelect offerSelect, resultSelect;
      std::vector<uint32_t> offers, rounds;
      chooseByLane(f, offerSelect, offers);
      chooseByLane(*round, resultSelect, rounds);
      std::vector<int> shuffleOfRound;
      for (int s = 0; s < dstRegisters; ++s) {
        uint32_t laneXor = evaluate(map.laneOfRegister, s);
        uint32_t constant = evaluate(map.regOfRegister, s) ^ evaluate(f, laneXor);
        Shuffle shuffle;
        shuffle.offerSelect = offerSelect;
        for (uint32_t offer : offers)
          shuffle.offer.push_back(static_cast<int>(offer ^ constant));
        finish(shuffle, a, laneXor);
        shuffleOfRound.push_back(addOnce(std::move(shuffle)));
      }
      if (static_cast<int>(out.shuffles.size()) > limit)
        return std::nullopt;
      for (int r = 0; r < dstRegisters; ++r) {
        ShuffleResult &result = out.results.emplace_back();
        result.select = resultSelect;
        for (uint32_t lanePart : rounds)
          result.shuffles.push_back(shuffleOfRound[static_cast<uint32_t>(r) ^ lanePart]);
      }
      return out;
    }
  }

  // Otherwise every lane receives each register it may need and chooses.
  LaneSelect select;
  std::vector<uint32_t> choices;
  chooseByLane(map.reg, select, choices);
  for (int r = 0; r < dstRegisters; ++r) {
    ShuffleResult &result = out.results.emplace_back();
    result.select = select;
    for (uint32_t choice : choices) {
      Shuffle shuffle;
      shuffle.offer = {static_cast<int>(choice ^ evaluate(map.regOfRegister, r))};
      finish(shuffle, map.lane, evaluate(map.laneOfRegister, r));
      result.shuffles.push_back(addOnce(std::move(shuffle)));
      if (static_cast<int>(out.shuffles.size()) > limit)
        return std::nullopt;
    }
  }
  return out;
}

static std::optional<Shuffles> shufflesFor(const LinearLayout &src, const LinearLayout &dst,
                                           const ConversionOptions &options) {
  if (src.atom() != dst.atom() || src.repeat() != dst.repeat())
    return std::nullopt;
  int repeats = dst.numRegisters() / dst.atomRegisters();
  int limit = std::min(options.maxShuffles, options.maxShufflesPerRegister * dst.numRegisters()) / repeats;
  std::optional<WarpMap> map = warpMap(src, dst);
  std::optional<Shuffles> atom = map ? atomShuffles(*map, dst.atomRegisters(), limit) : std::nullopt;
  if (!atom)
    return std::nullopt;
  Shuffles out;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    int firstShuffle = static_cast<int>(out.shuffles.size());
    for (Shuffle shuffle : atom->shuffles) {
      for (int &reg : shuffle.offer)
        reg += repeat * src.atomRegisters();
      out.shuffles.push_back(std::move(shuffle));
    }
    for (ShuffleResult result : atom->results) {
      for (int &shuffle : result.shuffles)
        shuffle += firstShuffle;
      out.results.push_back(std::move(result));
    }
  }
  return out;
}

//===-------------------------------------------------------------------------------------------------------===//
// Through shared memory
//===-------------------------------------------------------------------------------------------------------===//

static std::optional<ThroughShared> stage(const SharedLayout &shared, const LinearLayout &src,
                                          const LinearLayout &dst, int elemBits) {
  std::optional<SharedAccess> store = sharedAccess(shared, src, elemBits);
  std::optional<SharedAccess> load = sharedAccess(shared, dst, elemBits);
  if (!store || !load)
    return std::nullopt;
  ThroughShared out;
  out.shared = shared;
  out.store = std::move(*store);
  out.load = std::move(*load);
  out.bytes = shared.sizeBytes(std::max(elemBits, 8));
  out.storeConflicts = bankConflicts(shared, {SharedUse::Registers, src}, elemBits);
  out.loadConflicts = bankConflicts(shared, {SharedUse::Registers, dst}, elemBits);
  return out;
}

static std::optional<ThroughShared> throughShared(const LinearLayout &src, const LinearLayout &dst,
                                                  int elemBits) {
  SharedLayout best =
      bestSwizzle(src.shape(), elemBits, {{SharedUse::Registers, src}, {SharedUse::Registers, dst}});
  if (std::optional<ThroughShared> staged = stage(best, src, dst, elemBits))
    return staged;
  return stage(SharedLayout::plain(src.shape(), LinearLayout::rowMajorOrder(src.rank())), src, dst, elemBits);
}

//===-------------------------------------------------------------------------------------------------------===//
// Plans
//===-------------------------------------------------------------------------------------------------------===//

std::optional<ConversionPlan> tilewright::layout::conversionPlan(const LinearLayout &src,
                                                                 const LinearLayout &dst, int elemBits,
                                                                 const ConversionOptions &options) {
  if (src.shape() != dst.shape() || src.numLanes() != dst.numLanes() || src.numWarps() != dst.numWarps() ||
      src.bases(Hw::Block) != dst.bases(Hw::Block) || !src.isSurjective())
    return std::nullopt;
  ConversionPlan plan;
  if (src == dst)
    return plan;
  if (std::optional<RegisterMap> map = registerMoves(src, dst)) {
    bool identity = src.numRegisters() == dst.numRegisters();
    for (size_t r = 0; r < map->size(); ++r)
      identity &= (*map)[r] == static_cast<int32_t>(r);
    if (!identity)
      plan.steps = RegisterMoves{std::move(*map)};
    return plan;
  }
  if (std::optional<Shuffles> shuffles = shufflesFor(src, dst, options)) {
    for (const Shuffle &shuffle : shuffles->shuffles)
      plan.cost += (shuffle.isLocal ? 0 : 1) + static_cast<int64_t>(shuffle.offer.size()) - 1;
    for (const ShuffleResult &result : shuffles->results)
      plan.cost += static_cast<int64_t>(result.shuffles.size()) - 1;
    plan.steps = std::move(*shuffles);
    return plan;
  }
  // A block's shared memory holds what its own threads hold.
  bool oneBlock = src.bases(Hw::Block).empty();
  std::optional<ThroughShared> shared = oneBlock ? throughShared(src, dst, elemBits) : std::nullopt;
  if (!shared)
    return std::nullopt;
  constexpr int64_t barrierSlots = 30;
  int64_t wavefronts = bankCost(shared->shared, {SharedUse::Registers, src}, elemBits).wavefronts +
                       bankCost(shared->shared, {SharedUse::Registers, dst}, elemBits).wavefronts;
  plan.cost = barrierSlots + wavefronts / src.numWarps();
  plan.steps = std::move(*shared);
  return plan;
}

std::string ConversionPlan::describe() const {
  if (const RegisterMoves *map = moves())
    return "register moves: " + std::to_string(map->map.size());
  if (const Shuffles *plan = shuffles()) {
    int64_t count = std::count_if(plan->shuffles.begin(), plan->shuffles.end(),
                                  [](const Shuffle &shuffle) { return !shuffle.isLocal; });
    return "shuffles: " + std::to_string(count) + " for " + std::to_string(plan->results.size()) +
           " registers";
  }
  if (const ThroughShared *plan = shared())
    return "shared memory: " + std::to_string(plan->bytes) + " bytes, " +
           std::to_string(plan->storeConflicts + plan->loadConflicts) + " bank conflicts";
  return "nothing to do";
}
