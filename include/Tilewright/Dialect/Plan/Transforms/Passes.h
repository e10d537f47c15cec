// The passes on the plan dialect.
#ifndef TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_PASSES_H
#define TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_PASSES_H

#include "Tilewright/Dialect/Plan/IR/Plan.h"

#include "mlir/Pass/Pass.h"

namespace tilewright::plan {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"

} // namespace tilewright::plan

#endif // TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_PASSES_H
