// Types are replaced wherever they stand; constants are cut to their new shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Shapes.h"

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <set>

using namespace mlir;
using namespace tilewright;

/// Attributes of operations that hold shapes as plain numbers.
static constexpr StringRef kShapes[] = {"static_sizes", "static_output_shape"};

SmallVector<int64_t> tilewright::sizesOf(ModuleOp module) {
  std::set<int64_t, std::greater<>> sizes;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        if (size > 1)
          sizes.insert(size);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), add);
  });
  return SmallVector<int64_t>(sizes.begin(), sizes.end());
}

/// The first elements of `dense` that fit into `shape`; null when there are not enough.
static DenseElementsAttr cut(DenseElementsAttr dense, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(dense.getType()).clone(shape);
  if (dense.isSplat())
    return DenseElementsAttr::get(type, dense.getSplatValue<Attribute>());
  ArrayRef<int64_t> from = dense.getType().getShape();
  for (auto [old, next] : llvm::zip(from, shape))
    if (next > old)
      return nullptr;
  SmallVector<int64_t> strides = computeStrides(from), newStrides = computeStrides(shape);
  SmallVector<Attribute> elements;
  auto values = dense.getValues<Attribute>();
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
    elements.push_back(values[linearize(delinearize(i, newStrides), strides)]);
  return DenseElementsAttr::get(type, elements);
}

void tilewright::mapSizes(ModuleOp module, function_ref<int64_t(int64_t)> map) {
  auto mapped = [&](ArrayRef<int64_t> shape) { return llvm::map_to_vector(shape, map); };
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<Type> { return type.clone(mapped(type.getShape())); });
  replacer.addReplacement([&](DenseElementsAttr dense) -> std::optional<std::pair<Attribute, WalkResult>> {
    Attribute result = dense;
    if (dense.getElementType().isIndex() && !isa<SplatElementsAttr>(dense)) // a shape
      result = cast<DenseIntElementsAttr>(dense).mapValues(
          dense.getElementType(), [&](const APInt &v) { return APInt(64, map(v.getSExtValue())); });
    else if (DenseElementsAttr smaller = cut(dense, mapped(dense.getType().getShape())))
      result = smaller;
    return std::make_pair(result, WalkResult::skip());
  });
  replacer.addReplacement([&](graph::ReshapeStepAttr step) -> std::optional<Attribute> {
    return graph::ReshapeStepAttr::get(step.getContext(), mapped(step.getShape()));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([&](Operation *op) {
    for (StringRef name : kShapes)
      if (auto shape = op->getAttrOfType<DenseI64ArrayAttr>(name))
        op->setAttr(name, DenseI64ArrayAttr::get(op->getContext(), mapped(shape.asArrayRef())));
  });
}
