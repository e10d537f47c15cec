// What fuse and tile stages agree on about scans whose blocks look back at those before.
#ifndef TILEWRIGHT_ANALYSIS_LOOKBACK_H
#define TILEWRIGHT_ANALYSIS_LOOKBACK_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tilewright {

/// Discardable attribute of a graph.scan: blocks take pieces of the rows.
inline constexpr llvm::StringLiteral kLookBackAttrName = "graph.look_back";
/// Elements of such a piece, of all rows that a block has side by side.
inline constexpr int64_t kLookBackPiece = 8192;

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_LOOKBACK_H
