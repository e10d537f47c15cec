// The attribute that holds what passes the memory behind the L2 cache: of a launch the bytes read and
// written, of a program those, what it leaves in the cache unneeded, and the least. plan-annotate-costs
// writes it.
#ifndef TILEWRIGHT_DIALECT_PLAN_IR_TRAFFIC_H
#define TILEWRIGHT_DIALECT_PLAN_IR_TRAFFIC_H

#include "llvm/ADT/StringRef.h"

namespace tilewright::plan {

inline constexpr llvm::StringLiteral kTrafficAttrName = "plan.traffic";

/// On a graph.kernel: its blocks take the tiles from the last to the first (plan-reverse-kernels).
inline constexpr llvm::StringLiteral kBackwardAttrName = "plan.backward";

/// On a graph.kernel: which of its operands and then results are the first to leave the cache, so that what
/// a later kernel reads again stays (plan-reverse-kernels).
inline constexpr llvm::StringLiteral kLeavingAttrName = "plan.leaving";

} // namespace tilewright::plan

#endif // TILEWRIGHT_DIALECT_PLAN_IR_TRAFFIC_H
