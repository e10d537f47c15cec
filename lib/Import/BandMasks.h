// Masks that exporters write out as tensors: causal ones, sliding windows and their like say of two positions
// how far they lie apart. As comparisons of indices they take no memory, and later stages see which terms
// they leave.
#ifndef TILEWRIGHT_IMPORT_BANDMASKS_H
#define TILEWRIGHT_IMPORT_BANDMASKS_H

#include "GraphBuilder.h"

#include <optional>

namespace tilewright {

/// A tensor of two values, told apart by column - row of its last two dimensions, and equal along all others.
struct Band {
  /// column - row of the elements `inside`: first and last.
  int64_t first, last;
  /// An element's bytes.
  llvm::StringRef inside, outside;
};

/// The band that the elements of `type` are, a multiple of whole bytes each (booleans one), row-major in
/// `bytes`; nothing where they are none. Reads on only as long as there is hope: at most twice through all of
/// them.
std::optional<Band> findBand(mlir::RankedTensorType type, llvm::StringRef bytes);

/// The tensor of `type` as comparisons of indices, where its bytes are a mask: booleans or integers of a
/// band, or zeros and one number of at most -1e4 (or minus infinity) as is added to scores. Null for all
/// else: other floats may be operands of products, which are better read than computed.
mlir::Value bandMask(GraphBuilder &b, mlir::RankedTensorType type, llvm::StringRef bytes);

} // namespace tilewright

#endif // TILEWRIGHT_IMPORT_BANDMASKS_H
