// Registration of the graph dialect, its attributes, and small builders shared by importers and passes.

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::graph;

#include "Tilewright/Dialect/Graph/IR/GraphDialect.cpp.inc"
#include "Tilewright/Dialect/Graph/IR/GraphEnums.cpp.inc"
#include "Tilewright/Dialect/Graph/IR/GraphInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Graph/IR/GraphAttributes.cpp.inc"

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Tilewright/Dialect/Graph/IR/GraphAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Tilewright/Dialect/Graph/IR/GraphOps.cpp.inc"
      >();
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

bool tilewright::graph::isElementwise(Operation *op) {
  return isa<GeluOp>(op) || (op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1);
}

RankedTensorType tilewright::graph::weightTypeAfterSteps(WeightAttr weight, std::string &error) {
  RankedTensorType type = weight.getType();
  for (Attribute step : weight.getSteps()) {
    if (auto cast = dyn_cast<TypeAttr>(step)) {
      if (!cast.getValue().isIntOrIndexOrFloat())
        return error = "a cast step must name an element type", nullptr;
      type = RankedTensorType::get(type.getShape(), cast.getValue());
      continue;
    }
    if (auto permutation = dyn_cast<DenseI64ArrayAttr>(step)) {
      SmallVector<int64_t> shape;
      SmallVector<bool> seen(type.getRank(), false);
      for (int64_t dim : permutation.asArrayRef()) {
        if (dim < 0 || dim >= type.getRank() || seen[dim])
          return error = "a transpose step is not a permutation of its tensor's dimensions", nullptr;
        seen[dim] = true;
        shape.push_back(type.getDimSize(dim));
      }
      if ((int64_t)shape.size() != type.getRank())
        return error = "a transpose step is not a permutation of its tensor's dimensions", nullptr;
      type = RankedTensorType::get(shape, type.getElementType());
      continue;
    }
    if (auto reshape = dyn_cast<ReshapeStepAttr>(step)) {
      auto reshaped = RankedTensorType::get(reshape.getShape(), type.getElementType());
      if (!reshaped.hasStaticShape() || reshaped.getNumElements() != type.getNumElements())
        return error = "a reshape step changes the number of elements", nullptr;
      type = reshaped;
      continue;
    }
    return error = "a weight step is a type, a permutation or #graph.reshape", nullptr;
  }
  return type;
}

Value tilewright::graph::broadcastTo(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  auto resultType = RankedTensorType::get(shape, type.getElementType());
  DenseElementsAttr splatAttr;
  if (matchPattern(value, m_Constant(&splatAttr)) && splatAttr.isSplat())
    return arith::ConstantOp::create(builder, loc, splatAttr.resizeSplat(resultType));
  int64_t lead = (int64_t)shape.size() - type.getRank();
  return BroadcastOp::create(builder, loc, resultType, value,
                             llvm::to_vector(llvm::seq<int64_t>(lead, (int64_t)shape.size())));
}

/// `number` in `element`. Integers take it towards zero; what neither the signed nor the unsigned ones hold
/// is their nearest end, and no number is 0.
static TypedAttr numberAttr(Type element, double number) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, number);
  unsigned bits = element.getIntOrFloatBitWidth();
  llvm::APSInt whole(bits + 2, /*isUnsigned=*/false);
  bool isExact;
  (void)llvm::APFloat(number).convertToInteger(whole, llvm::APFloat::rmTowardZero, &isExact);
  llvm::APInt least = llvm::APInt::getSignedMinValue(bits), most = llvm::APInt::getMaxValue(bits);
  if (whole.slt(least.sext(bits + 2)))
    return IntegerAttr::get(element, least);
  if (whole.sgt(most.zext(bits + 2)))
    return IntegerAttr::get(element, llvm::APInt::getSignedMaxValue(bits));
  return IntegerAttr::get(element, whole.trunc(bits));
}

Value tilewright::graph::splat(OpBuilder &builder, Location loc, Type type, double number) {
  TypedAttr scalar = numberAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(shaped, scalar));
  return arith::ConstantOp::create(builder, loc, scalar);
}
