// A fault is what the emulator found wrong with a kernel: one sentence, and where it happened. The first
// fault of a launch (lowest block, and within a block the first in the seeded schedule) ends the launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::emulator {

enum class FaultKind {
  None,
  OutOfBounds,
  Misaligned,
  ReadOnly,
  Uninitialised,
  Race,
  InFlight,
  DivergentBarrier,
  DivergentCollective,
  Deadlock,
  MisusedBarrier,
  MissingFence,
  BadDescriptor,
  RegisterBudget,
  Trap,
  Limit,
};

/// The lower-case name of a kind, as tests and tables print it.
const char *faultKindName(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::None;
  /// One sentence with the numbers, ending in `[source: …, kernel …, block (…), thread …]`.
  std::string sentence;
  explicit operator bool() const { return kind != FaultKind::None; }
};

/// One instrumented operation of a kernel.
struct Site {
  /// The operation, as in `llvm.store`.
  std::string operation;
  /// Its source location, readable, as in `"encoder/layer.0/MatMul"` or `model.mlir:12:3`.
  std::string source;
};
using SiteTable = std::vector<Site>;

} // namespace tilewright::emulator
