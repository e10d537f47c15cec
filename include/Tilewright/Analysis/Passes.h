// Passes that print what the analyses find.
#ifndef TILEWRIGHT_ANALYSIS_PASSES_H
#define TILEWRIGHT_ANALYSIS_PASSES_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Pass/Pass.h"

namespace tilewright {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Analysis/Passes.h.inc"

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_PASSES_H
