// Products whose terms are made of another product's result, as one kernel can compute them.
#ifndef TILEWRIGHT_LIB_FUSE_CHAINPRODUCTS_H
#define TILEWRIGHT_LIB_FUSE_CHAINPRODUCTS_H

#include "Tilewright/Analysis/KernelIndexing.h"

namespace tilewright::fuse {

/// What is on the second product of a chain that is to be one kernel.
inline constexpr llvm::StringLiteral kChainAttrName = "graph.chain";

/// Two products and what leads from one to the other.
struct ProductChain {
  graph::MatmulOp inner, outer;
  /// All ops of the kernel in program order: from the inner product to the outer one, what of these the outer
  /// one's result is combined with, and what else they take that comes from no memory.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// The chain that ends in `outer`; nothing, with the reason, where its left operand is made of no single
/// product. Movement that `materialized` holds is computed.
std::optional<ProductChain> chainOfProducts(graph::MatmulOp outer, const MaterializedOps &materialized,
                                            std::string &why);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_CHAINPRODUCTS_H
