// Warp collectives that move or reduce 32-bit registers; PTX ISA, "Parallel Synchronization and
// Communication".
#include "Collectives.h"

#include "Tilewright/Emulator/Entries.h"

#include <cmath>

using namespace tilewright::emulator;

void tilewright::emulator::syncWarp(Block &block, Warp &warp, uint32_t mask, int site) {
  if (block.options.checkShared && !block.ordering.joinLanes(warp.lanes[0].number / kWarpLanes, mask))
    block.raise(warp.lanes[__builtin_ctz(mask)], FaultKind::Limit, site,
                "more warp barriers in one block than the emulator can order");
}

/// in: value, offset operand, mask-and-clamp operand, kind. out: value, whether the source lane is in range.
void tilewright::emulator::shuffle(Block &block, Warp &warp, uint32_t mask, int site) {
  forEachLane(warp, mask, [&](uint32_t lane, Registers &registers) {
    uint32_t b = registers.in[1] & 31, clamp = registers.in[2] & 31, segment = registers.in[2] >> 8 & 31;
    int minLane = int(lane & segment), maxLane = int(minLane | (clamp & ~segment)), source = 0;
    bool valid = false;
    switch (ShuffleKind(registers.in[3])) {
    case ShuffleKind::Up:
      source = int(lane) - int(b);
      valid = source >= maxLane;
      break;
    case ShuffleKind::Down:
      source = int(lane + b);
      valid = source <= maxLane;
      break;
    case ShuffleKind::Butterfly:
      source = int(lane ^ b);
      valid = source <= maxLane;
      break;
    case ShuffleKind::Index:
      source = int(minLane | (b & ~segment));
      valid = source <= maxLane;
      break;
    }
    if (!valid)
      source = int(lane);
    if (!(mask >> source & 1))
      block.raise(warp.lanes[lane], FaultKind::DivergentCollective, site,
                  "divergent collective: shuffle reads lane %d, which is not in its mask 0x%x", source, mask);
    registers.out[0] = warp.lanes[source].registers.in[0];
    registers.out[1] = valid;
  });
}

/// in: predicate, kind. out: the vote.
void tilewright::emulator::vote(Block &, Warp &warp, uint32_t mask, int) {
  uint32_t ballot = 0;
  forEachLane(warp, mask,
              [&](uint32_t lane, Registers &registers) { ballot |= uint32_t(registers.in[0] != 0) << lane; });
  forEachLane(warp, mask, [&](uint32_t, Registers &registers) {
    switch (VoteKind(registers.in[1])) {
    case VoteKind::Any:
      registers.out[0] = ballot != 0;
      break;
    case VoteKind::All:
      registers.out[0] = ballot == mask;
      break;
    case VoteKind::Uniform:
      registers.out[0] = ballot == mask || ballot == 0;
      break;
    case VoteKind::Ballot:
      registers.out[0] = ballot;
      break;
    }
  });
}

/// in: value (64 bits), whether all must match. out: lanes with the same value, whether all have it.
void tilewright::emulator::match(Block &, Warp &warp, uint32_t mask, int) {
  forEachLane(warp, mask, [&](uint32_t, Registers &registers) {
    uint32_t same = 0;
    forEachLane(warp, mask, [&](uint32_t other, Registers &others) {
      same |= uint32_t(others.in[0] == registers.in[0] && others.in[1] == registers.in[1]) << other;
    });
    bool all = same == mask;
    registers.out[0] = registers.in[2] && !all ? 0 : same;
    registers.out[1] = all;
  });
}

/// redux.sync on floats without .NaN: a NaN loses against a number.
static float extreme(float a, float b, bool isMax, bool propagateNaN) {
  if (std::isnan(a) || std::isnan(b)) {
    if (propagateNaN || (std::isnan(a) && std::isnan(b)))
      return std::nanf("");
    return std::isnan(a) ? b : a;
  }
  if (a == b) // -0 is less than +0
    return std::signbit(a) == isMax ? b : a;
  return (a < b) == isMax ? b : a;
}

static uint32_t combine(ReduxKind kind, uint32_t a, uint32_t b, bool propagateNaN) {
  switch (kind) {
  case ReduxKind::Add:
    return a + b;
  case ReduxKind::And:
    return a & b;
  case ReduxKind::Or:
    return a | b;
  case ReduxKind::Xor:
    return a ^ b;
  case ReduxKind::MaxSigned:
    return int32_t(a) < int32_t(b) ? b : a;
  case ReduxKind::MinSigned:
    return int32_t(a) < int32_t(b) ? a : b;
  case ReduxKind::MaxUnsigned:
    return a < b ? b : a;
  case ReduxKind::MinUnsigned:
    return a < b ? a : b;
  case ReduxKind::MaxFloat:
  case ReduxKind::MinFloat:
    return asBits(extreme(asFloat(a), asFloat(b), kind == ReduxKind::MaxFloat, propagateNaN));
  }
  return 0;
}

/// in: value, kind, flags (1: absolute values, 2: NaN wins). out: the reduction.
void tilewright::emulator::redux(Block &, Warp &warp, uint32_t mask, int) {
  uint32_t first = uint32_t(__builtin_ctz(mask));
  const Registers &spec = warp.lanes[first].registers;
  ReduxKind kind = ReduxKind(spec.in[1]);
  uint32_t clear = spec.in[2] & 1 ? 0x7FFFFFFF : ~0u, result = spec.in[0] & clear;
  forEachLane(warp, mask & (mask - 1), [&](uint32_t, Registers &registers) {
    result = combine(kind, result, registers.in[0] & clear, spec.in[2] & 2);
  });
  forEachLane(warp, mask, [&](uint32_t, Registers &registers) { registers.out[0] = result; });
}

/// out: whether this lane is the leader (the lowest of the mask).
void tilewright::emulator::elect(Block &, Warp &warp, uint32_t mask, int) {
  forEachLane(warp, mask, [&](uint32_t lane, Registers &registers) {
    registers.out[0] = lane == uint32_t(__builtin_ctz(mask));
  });
}
