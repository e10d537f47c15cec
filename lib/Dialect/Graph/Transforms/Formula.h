// Elementwise expressions read as polynomials. An exporter may write 0.5 * x * (1 + erf(..)) in a dozen
// associations and a layer norm as (x - mean) * (inverse * scale) or x * inverse + (bias - mean * inverse);
// multiplied out, each has one form. Raising passes compare that form instead of op chains.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_FORMULA_H
#define TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_FORMULA_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/SetVector.h"

#include <map>
#include <optional>
#include <vector>

namespace tilewright::graph {

/// A value seen through broadcasts and unit reshapes, from an expression of some shape: dimension `i` of
/// `value` runs along dimension `dims[i]` of the expression, or is of size 1 when `dims[i]` is -1.
struct View {
  mlir::Value value;
  llvm::SmallVector<int64_t> dims;
};

/// `value` seen from itself.
View identityView(mlir::Value value);

/// `view` without its outermost broadcasts and unit reshapes; stops at values in `stops`.
View peel(View view, llvm::ArrayRef<mlir::Value> stops = {});

/// Whether `view` is its value at the same index: every dimension wider than 1 runs along itself.
bool isIdentity(const View &view);

/// Whether `view` is a reduction's result, repeated along exactly the dimensions that were reduced. `kept`
/// are the dimensions that the reduction left, in the expression's numbering.
bool isRepeatedAlong(const View &view, llvm::ArrayRef<int64_t> reduced);

/// The reduction of kind `kind` that `view` shows, repeated along its reduced dimensions; null otherwise.
ReduceOp reductionOf(const View &view, ReduceKind kind);

/// A factor that is not multiplied out any further.
struct Atom {
  enum class Kind { Plain, Inverse, InverseRoot };
  Kind kind;
  View view; ///< of the operand, for the inverse kinds

  bool operator==(const Atom &other) const {
    return kind == other.kind && view.value == other.view.value && view.dims == other.view.dims;
  }
};

/// A sum of products of atoms: sorted atom numbers to coefficient. The empty product is the constant.
using Product = std::vector<unsigned>;
using Formula = std::map<Product, double>;

/// Reads formulas of one expression shape; atoms are numbered by the reader.
class FormulaReader {
public:
  /// Values in `stops` are atoms even where they are arithmetic.
  explicit FormulaReader(llvm::ArrayRef<mlir::Value> stops) : stops(stops) {}

  /// The formula of `view`, or none when it grows past a few dozen ops or products.
  std::optional<Formula> read(View view);

  const Atom &atom(unsigned number) const { return atoms[number]; }
  /// The number of the plain atom that is `value` at the same index, if the formula has one.
  std::optional<unsigned> find(mlir::Value value) const;
  /// The ops that were multiplied out or looked through.
  llvm::ArrayRef<mlir::Operation *> getVisited() const { return visited.getArrayRef(); }

private:
  std::optional<Formula> readOperation(View view);
  Formula single(Atom::Kind kind, View view);

  llvm::SmallVector<mlir::Value> stops;
  llvm::SmallVector<Atom> atoms;
  llvm::SetVector<mlir::Operation *> visited;
};

/// The value of a splat float constant.
std::optional<double> splatNumber(mlir::Value value);

/// Whether `number` is `expected` but for the few digits that exporters write (0.7071, 1.4142).
bool isNear(double number, double expected);

} // namespace tilewright::graph

#endif // TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_FORMULA_H
