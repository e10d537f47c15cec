// A random program while it grows: the dice, the operands that a step may take, and the steps. Private to the
// Random*.cpp files. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_RANDOMGROWER_H
#define TILEWRIGHT_TEST_RANDOMGROWER_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tilewright::check {

using namespace mlir;

/// The splitmix64 sequence.
struct Dice {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high].
  int64_t between(int64_t low, int64_t high) { return low + (int64_t)(next() % (uint64_t)(high - low + 1)); }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <typename T> T pick(ArrayRef<T> from) { return from[between(0, (int64_t)from.size() - 1)]; }
};

/// A function while it grows.
struct Grower {
  static constexpr int64_t kMostElems = 6000;
  static constexpr int64_t kMostRank = 5;

  MLIRContext &context;
  Dice dice;
  OpBuilder builder{&context};
  Location loc = builder.getUnknownLoc();
  func::FuncOp func = {};
  SmallVector<Value> values = {};

  OwningOpRef<ModuleOp> run();
  /// A module with an empty main, and its end: what nothing uses is returned.
  OwningOpRef<ModuleOp> begin();
  void finish();
  void step();

  // Operands.
  RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
  Value addInput(ArrayRef<int64_t> shape, Type element);
  SmallVector<int64_t> randomShape();
  Type randomFloat();
  Value any(function_ref<bool(RankedTensorType)> accepts);
  Value anyFloat();
  Value constant(RankedTensorType type, double value);
  /// A value of exactly `type`: one that exists, or broadcast from a smaller one or from a new input.
  Value companion(RankedTensorType type);

  // Steps; null when nothing fits.
  Value unary();
  Value binary();
  Value compare();
  Value castElements();
  Value integerArithmetic();
  Value reduce();
  Value normalize();
  Value scan();
  Value select();
  Value matmul();
  Value transpose();
  Value reshape();
  Value slice();
  Value concat();
  Value pad();
  Value gather();
  Value scatter();
  Value broadcast();
  Value iota();
};

} // namespace tilewright::check

#endif // TILEWRIGHT_TEST_RANDOMGROWER_H
