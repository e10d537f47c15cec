// The schedules that a kernel can have: what a tuner compiles and measures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_CONVERSION_SCHEDULES_H
#define TILEWRIGHT_CONVERSION_SCHEDULES_H

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"
#include "Tilewright/Target/Cuda/Arch.h"

namespace tilewright {

/// Of a tiled kernel and its function: who chose its schedule (`by`: program, record, model or rule) and,
/// where a model knows, the time that it gives (`us`).
constexpr llvm::StringLiteral kChosenAttrName = "tile.chosen";

/// Of a kernel without products and its function: bytes that its tiles make the memory and the caches move
/// beside those of its tensors, parts of sectors and lines that tiles share, weighed as if all of them came
/// from memory. Absent where no model says so, or there are none.
constexpr llvm::StringLiteral kBesideAttrName = "tile.beside";

/// Of a function of a kernel without products: how often its longest loop goes round. Absent where it has
/// none, or the number is not known.
constexpr llvm::StringLiteral kRoundsAttrName = "tile.rounds";

/// A schedule and the time that the model gives it, or 0.
struct ModelledSchedule {
  tile::ScheduleAttr schedule;
  double microseconds = 0;
};

/// The schedules that a kernel can have.
struct KernelSchedules {
  /// Of a product the fastest by the model first. Of others the one that the rules choose (`isRuled`), and
  /// what lies near it.
  llvm::SmallVector<ModelledSchedule> candidates;
  bool isRuled = false;
  /// One that is as unlike the others as can be: what their results are compared with.
  tile::ScheduleAttr reference;
};

/// The schedules that the kernel can have on `arch`. Fails with a diagnostic.
mlir::FailureOr<KernelSchedules> listSchedules(graph::KernelOp kernel, const Arch &arch);

/// The time on `arch` that the model gives the fastest schedule of a kernel of products whose results take
/// `storedBytes` a place of the domain by `stores` stores: microseconds. What else the kernel reads is not
/// counted.
double modelledProductTime(const KernelIndexing &indexing, const TilePressure &pressure, int64_t storedBytes,
                           int64_t stores, const Arch &arch);

/// Products of two matrices, by how these lie in memory; several of one kernel if its left or right operands
/// are.
struct ProductInMemory {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t lhsTiles = 1, rhsTiles = 1;
  mlir::Type operandType;
  /// Bytes of an element of the result.
  int64_t storedBytes = 2;
  /// Whether they are contiguous along K; bytes from one contiguous row to the next.
  bool lhsAlongK = true, rhsAlongK = false;
  int64_t lhsRowBytes = 0, rhsRowBytes = 0;
  /// How operands of fp32 are multiplied, elements of K after which sums go into fp32 registers, and whether
  /// sums have 64 bits.
  bool tf32 = false, splits = false;
  int64_t promotion = 0;
  bool wideSums = false;

  /// Operands of the product's type, multiplied as it says.
  void multiplyAs(graph::MatmulOp matmul);
};

/// The same time for a kernel of nothing else.
double modelledProductTime(mlir::MLIRContext *context, const ProductInMemory &product, const Arch &arch);

} // namespace tilewright

#endif // TILEWRIGHT_CONVERSION_SCHEDULES_H
