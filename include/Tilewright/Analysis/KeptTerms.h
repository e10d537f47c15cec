// What a mask leaves of the terms that a kernel sums over: where the selects of a chain's terms compare
// affine functions of the position, the terms that count lie within half-spaces of the domain. A step of the
// loop over the terms that lies outside of one changes no state and need not be run; one that lies within all
// of them needs no comparison.
#ifndef TILEWRIGHT_ANALYSIS_KEPTTERMS_H
#define TILEWRIGHT_ANALYSIS_KEPTTERMS_H

#include "Tilewright/Analysis/KernelIndexing.h"

namespace tilewright {

/// The positions of the domain at which the sum of `coefficients` times indices, and `constant`, is not
/// negative.
struct HalfSpace {
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;

  bool operator==(const HalfSpace &other) const {
    return coefficients == other.coefficients && constant == other.constant;
  }
};

/// What masks leave of the terms of a chain.
struct KeptTerms {
  /// A position beyond one of these has a term that is the identity of all the chain's states.
  llvm::SmallVector<HalfSpace> bounds;
  /// Selects that have operand #`value` wherever all of `bounds` hold.
  struct Select {
    mlir::Operation *op;
    unsigned value;
  };
  llvm::SmallVector<Select> selects;

  /// First and last place along dimension `along` within `extents` that is kept somewhere of a tile of
  /// `sizes` that begins at `starts`, and those between which all of the tile is kept; each pair from a first
  /// place to that behind the last one.
  struct Range {
    int64_t first, end, wholeFirst, wholeEnd;
  };
  Range rangeAt(size_t along, llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> starts,
                llvm::ArrayRef<int64_t> sizes) const;
};

/// The terms of the chain `indexing`, of the ops `ops`, that masks leave along dimension `terms` of its
/// views; nullopt where no mask that leaves some out is known. Masked scores are taken to be numbers that the
/// mask outweighs, and what is multiplied with masked terms to be finite (docs/Math.md).
std::optional<KeptTerms> keptTerms(const KernelIndexing &indexing, llvm::ArrayRef<mlir::Operation *> ops,
                                   size_t terms);

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_KEPTTERMS_H
