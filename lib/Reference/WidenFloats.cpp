// Every float becomes f64, in place: types of values, constants and functions; casts between floats go away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Reference/Passes.h"
#include "Tilewright/Target/Float8.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::reference {
#define GEN_PASS_DEF_REFERENCEWIDENFLOATS
#include "Tilewright/Reference/Passes.h.inc"
} // namespace tilewright::reference

/// `type` with f64 for every float in it.
static Type widened(Type type) {
  Type f64 = Float64Type::get(type.getContext());
  if (isa<FloatType>(type))
    return f64;
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && isa<FloatType>(tensor.getElementType()))
    return tensor.clone(f64);
  if (auto function = dyn_cast<FunctionType>(type))
    return FunctionType::get(type.getContext(), llvm::map_to_vector(function.getInputs(), widened),
                             llvm::map_to_vector(function.getResults(), widened));
  return type;
}

static APFloat widened(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

/// `attr` with f64 numbers; other attributes as they are.
static Attribute widened(Attribute attr) {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return FloatAttr::get(widened(number.getType()), widened(number.getValue()));
  if (auto dense = dyn_cast<DenseFPElementsAttr>(attr)) {
    auto type = cast<ShapedType>(widened(dense.getType()));
    if (dense.isSplat())
      return DenseElementsAttr::get(type, widened(dense.getSplatValue<APFloat>()));
    return DenseElementsAttr::get(
        type, llvm::map_to_vector(dense.getValues<APFloat>(), [](APFloat value) { return widened(value); }));
  }
  if (auto type = dyn_cast<TypeAttr>(attr))
    return TypeAttr::get(widened(type.getValue()));
  return attr;
}

/// Widens `op` itself; its operands follow from their definitions.
static LogicalResult widen(Operation *op) {
  if (isa<arith::BitcastOp>(op) && isa<FloatType>(getElementTypeOrSelf(op->getOperand(0))))
    return op->emitOpError() << "reads the bits of a float, which have no meaning in fp64";
  if (isa<WeightOp>(op))
    return op->emitOpError() << "has a type fixed by its recipe; weights are bound before widening";
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute named : op->getAttrs())
    attributes.emplace_back(named.getName(), widened(named.getValue()));
  op->setAttrs(attributes);
  for (Value result : op->getResults())
    result.setType(widened(result.getType()));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        argument.setType(widened(argument.getType()));
  return success();
}

namespace {
struct ReferenceWidenFloatsPass
    : tilewright::reference::impl::ReferenceWidenFloatsBase<ReferenceWidenFloatsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> casts;
    SmallVector<std::pair<Operation *, Type>> quantizing;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (auto cast = dyn_cast<arith::TruncFOp>(op);
          cast && tilewright::isFloat8(getElementTypeOrSelf(cast.getType())))
        quantizing.emplace_back(op, getElementTypeOrSelf(cast.getType()));
      else if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        casts.push_back(op);
      return succeeded(widen(op)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Operation *op : casts) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
    for (auto [op, element] : quantizing) {
      OpBuilder builder(op);
      Value wide = op->getOperand(0);
      Type narrow = cast<RankedTensorType>(wide.getType()).clone(element);
      Value rounded = arith::TruncFOp::create(builder, op->getLoc(), narrow, wide);
      op->getResult(0).replaceAllUsesWith(
          arith::ExtFOp::create(builder, op->getLoc(), wide.getType(), rounded).getResult());
      op->erase();
    }
  }
};
} // namespace
