// What the last lane to arrive at a warp collective does for all of them: operands in Registers::in, results
// in Registers::out of each lane.
#pragma once

#include "Tilewright/Emulator/Machine.h"

#include <cstring>

namespace tilewright::emulator {

using CollectiveFunction = void (*)(Block &block, Warp &warp, uint32_t mask, int site);

void syncWarp(Block &block, Warp &warp, uint32_t mask, int site);
void shuffle(Block &block, Warp &warp, uint32_t mask, int site);
void vote(Block &block, Warp &warp, uint32_t mask, int site);
void match(Block &block, Warp &warp, uint32_t mask, int site);
void redux(Block &block, Warp &warp, uint32_t mask, int site);
void elect(Block &block, Warp &warp, uint32_t mask, int site);
void mma(Block &block, Warp &warp, uint32_t mask, int site);
void loadMatrix(Block &block, Warp &warp, uint32_t mask, int site);
void storeMatrix(Block &block, Warp &warp, uint32_t mask, int site);

inline float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint32_t asBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Calls `body(lane number, registers)` for each lane of `mask`.
template <typename Body> void forEachLane(Warp &warp, uint32_t mask, Body body) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = uint32_t(__builtin_ctz(rest));
    body(lane, warp.lanes[lane].registers);
  }
}

} // namespace tilewright::emulator
