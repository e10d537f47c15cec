// The body of a structured operation, computed on tensors. A scalar of the body becomes an Element: a tensor
// whose dimensions are those loops that the scalar varies with, so that nothing is computed more often than
// the source says.
#ifndef TILEWRIGHT_IMPORT_UPSTREAM_SCALARBODY_H
#define TILEWRIGHT_IMPORT_UPSTREAM_SCALARBODY_H

#include "OpImport.h"

namespace tilewright::upstream {

/// A scalar for each setting of some loops.
struct Element {
  mlir::Value value;
  /// The loops that the dimensions of `value` are, increasing.
  llvm::SmallVector<int64_t> loops;
  /// The loop whose counter this is, or -1.
  int64_t counter = -1;
};

class ScalarBody {
public:
  /// Loops are numbered by `rank`, and sized accordingly by `sizes`.
  ScalarBody(OpImport &n, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> rank)
      : n(n), sizes(sizes), rank(rank) {}

  OpImport &n;
  /// Iterations of each loop, by its new number.
  llvm::SmallVector<int64_t> sizes;
  /// The new number of each loop of the operation.
  llvm::SmallVector<int64_t> rank;

  void set(mlir::Value scalar, Element element) { elements[scalar] = std::move(element); }
  /// What varies from one iteration to the next: nothing may be computed from it.
  void setAccumulator(mlir::Value scalar) { accumulators.insert(scalar); }
  bool isAccumulator(mlir::Value scalar) const { return accumulators.contains(scalar); }

  /// Computes what does not depend on accumulators; fails for operations that it does not know, all of them.
  mlir::LogicalResult evaluate(mlir::Block &block);
  /// A computed scalar, a constant, or a value from outside the body.
  Element get(mlir::Value scalar);
  /// The counter of a loop, by its new number.
  Element counter(int64_t loop);

  /// An element of a loop nest as a tensor that has a dimension for each of `loops`, a superset of its own.
  mlir::Value spread(const Element &element, llvm::ArrayRef<int64_t> loops);
  /// The tensor of rank loops.size() whose dimension i is loop loops[i], as an element.
  Element arranged(mlir::Value value, llvm::ArrayRef<int64_t> loops);

private:
  mlir::FailureOr<Element> compute(mlir::Operation &op);
  mlir::FailureOr<Element> extract(mlir::Operation &op);

  llvm::DenseMap<mlir::Value, Element> elements;
  llvm::DenseSet<mlir::Value> accumulators;
};

/// The loops of any of `elements`, increasing.
llvm::SmallVector<int64_t> loopsOf(llvm::ArrayRef<Element> elements);

} // namespace tilewright::upstream

#endif // TILEWRIGHT_IMPORT_UPSTREAM_SCALARBODY_H
