// The decomposed normalizations that exporters write, recognized by their formula: x and mean times the
// inverse root of a mean of squares, with an optional scale and bias. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_MATCHNORM_H
#define TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_MATCHNORM_H

#include "Raising.h"

namespace tilewright::graph {

/// A parameter that varies along normalized dimensions only: a view, or a number.
struct NormParameter {
  View view; ///< of a null value when absent
  std::optional<double> number;

  bool isPresent() const { return view.value || number; }
  /// The parameter in the shape of the normalized dimensions, which start at `dim` of `input`.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType input,
                          int64_t dim) const;
};

struct NormMatch {
  mlir::Value input;
  NormParameter scale, bias;
  int64_t dim;    ///< the first normalized dimension
  double epsilon; ///< added to the mean of squares
  llvm::SmallVector<mlir::Operation *> ops;
};

/// The layer norm (`centred`) or RMS norm that ends in `root`.
std::optional<NormMatch> matchNorm(mlir::Operation *root, bool centred);

} // namespace tilewright::graph

#endif // TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_MATCHNORM_H
