// Chains of products that are to be one kernel (ChainProducts.cpp) are groups before any op looks for one: op
// by op no kernel of a part of them would let the next one in.

#include "ChainProducts.h"
#include "Partition.h"

#include "Tilewright/Remarks/Remarks.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

void Partition::placeChains() {
  SmallVector<graph::MatmulOp> marked;
  for (Operation &op : func.getBody().front())
    if (auto product = dyn_cast<graph::MatmulOp>(op); product && op.hasAttr(kChainAttrName))
      marked.push_back(product);
  for (graph::MatmulOp product : marked) {
    std::string why = "a part of it is another chain";
    std::optional<ProductChain> chain = chainOfProducts(product, materialized, why);
    SmallVector<Operation *> ops;
    for (Operation *op : chain ? ArrayRef<Operation *>(chain->ops) : ArrayRef<Operation *>())
      for (Operation *member : withWidenings(op))
        if (!llvm::is_contained(ops, member))
          ops.push_back(member);
    ops = inOrder(ops, {});
    bool isFree = chain && llvm::none_of(ops, [&](Operation *op) { return groupOf.count(op); });
    if (!isFree || !trafficOf(ops, /*inOnePass=*/false, why)) {
      remarks.push_back([=, op = product.getOperation()] { emitRemark(op, Remark::ChainRefused, op, why); });
      continue;
    }
    for (Operation *op : ops)
      groupOf[op] = (int)groups.size();
    groups.push_back({ops});
  }
}
