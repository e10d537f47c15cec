// Types, constants and outcome of an operation under import. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "OpImport.h"

#include "../BandMasks.h"
#include "Tilewright/Import/WeightStore.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;

/// Constants with different elements above this count are weights: the program refers to them.
static constexpr int64_t kMostElements = 4096;
/// Integers that decide places are read from constants of at most this many.
static constexpr int64_t kMostInts = int64_t(1) << 20;

//===-- Types and constants -----------------------------------------------------------------------------===//

static bool isGraphElement(Type element) {
  if (element.isF16() || element.isBF16() || element.isF32() || element.isF64())
    return true;
  return llvm::any_of(ArrayRef<unsigned>{1, 8, 16, 32, 64},
                      [&](unsigned bits) { return element.isSignlessInteger(bits); });
}

static bool isAddressable(ArrayRef<int64_t> shape) {
  constexpr int64_t kLimit = int64_t(1) << 47;
  int64_t elements = 1;
  return llvm::none_of(shape, [&](int64_t size) {
    return size != 0 && (llvm::MulOverflow(elements, size, elements) || elements > kLimit);
  });
}

RankedTensorType tilewright::upstream::graphType(Type type, std::string &reason) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIndex())
    element = IntegerType::get(type.getContext(), 64);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!isGraphElement(element))
    reason = isa<ShapedType>(type) ? "element type " + GraphBuilder::text(element) + " is not supported"
                                   : "type " + GraphBuilder::text(type) + " is not supported";
  else if (isa<ShapedType>(type) && (!tensor || !tensor.hasStaticShape()))
    reason = GraphBuilder::text(type) + " is no tensor of static shape";
  else if (tensor && !isAddressable(tensor.getShape()))
    reason = GraphBuilder::text(type) + " is too large to address";
  else
    return tensor ? RankedTensorType::get(tensor.getShape(), element) : RankedTensorType::get({}, element);
  return nullptr;
}

DenseElementsAttr tilewright::upstream::graphConstant(Attribute attr) {
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    auto type = dyn_cast<RankedTensorType>(resource.getType());
    bool isSplat;
    if (!blob || !type || !DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
      return nullptr;
    dense = DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  }
  if (auto scalar = dyn_cast<TypedAttr>(attr); scalar && isa<FloatAttr, IntegerAttr>(attr))
    dense = DenseElementsAttr::get(RankedTensorType::get({}, scalar.getType()), Attribute(scalar));
  if (dense && dense.getElementType().isIndex()) {
    Type i64 = IntegerType::get(attr.getContext(), 64);
    dense = cast<DenseIntElementsAttr>(dense).mapValues(
        i64, [](const APInt &value) { return value.sextOrTrunc(64); });
  }
  return dense;
}

LogicalResult OpImport::yieldConstant(Attribute attr) {
  DenseElementsAttr dense = graphConstant(attr);
  if (!dense)
    return fail("its value is neither a number nor dense elements");
  auto type = cast<RankedTensorType>(dense.getType());
  if (dense.isSplat() || dense.getNumElements() <= kMostElements)
    return yield(arith::ConstantOp::create(builder, loc, dense));
  std::string storage;
  StringRef bytes = *literalBytes(dense, storage);
  if (Value mask = bandMask(*this, type, bytes))
    return yield(mask);
  std::string hash = weightHash(bytes);
  auto key = builder.getStringAttr("literal-" + StringRef(hash).take_front(16) + "-" + text(type));
  literals.try_emplace(key, dense);
  auto weight =
      graph::WeightAttr::get(builder.getContext(), key.getValue(), type, hash, builder.getArrayAttr({}));
  return yield(graph::WeightOp::create(builder, loc, type, weight));
}

RankedTensorType OpImport::resultType(unsigned i) const {
  std::string reason;
  return graphType(op->getResult(i).getType(), reason);
}

std::optional<OpImport::Dims> OpImport::constantInts(Value source, StringRef what) {
  DenseIntElementsAttr dense;
  Value mapped = value(source);
  if (!mapped || !isa<IntegerType>(elementOf(mapped)) || !matchPattern(mapped, m_Constant(&dense))) {
    (void)fail("its " + what + " is not constant");
    return std::nullopt;
  }
  // One number may stand for any count of elements.
  if (dense.getNumElements() > kMostInts) {
    (void)fail("its " + what + " has " + Twine(dense.getNumElements()) + " elements, more than " +
               Twine(kMostInts));
    return std::nullopt;
  }
  Dims ints;
  for (const APInt &value : dense.getValues<APInt>())
    ints.push_back(value.getSExtValue());
  return ints;
}

TypedAttr OpImport::constantElement(Value source, StringRef what) {
  DenseElementsAttr dense;
  Value mapped = value(source);
  if (!mapped || !matchPattern(mapped, m_Constant(&dense)) || !dense.isSplat()) {
    (void)fail("its " + what + " is not one constant number");
    return nullptr;
  }
  return dense.getSplatValue<TypedAttr>();
}

bool OpImport::isZero(Value source) const {
  Value mapped = value(source);
  return mapped && (matchPattern(mapped, m_Zero()) || matchPattern(mapped, m_AnyZeroFloat()));
}

//===-- Elementwise arithmetic --------------------------------------------------------------------------===//

bool tilewright::upstream::isElementwiseArithmetic(Operation *op) {
  return isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1;
}

SmallVector<Value> OpImport::operandsInResultShape() {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(broadcast(operand(i), resultShape()));
  return operands;
}

Value OpImport::elementwise(Operation *source, ValueRange operands) {
  Type element = getElementTypeOrSelf(source->getResult(0).getType());
  // index is i64 already; to other integers it is cut or extended.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(source))
    return castTo(operands.front(), element.isIndex() ? builder.getI64Type() : element,
                  isa<arith::IndexCastUIOp>(source));
  if (element.isIndex())
    element = builder.getI64Type();
  IRMapping mapping;
  for (auto [from, to] : llvm::zip(source->getOperands(), operands))
    mapping.map(from, to);
  Operation *clone = builder.clone(*source, mapping);
  clone->setLoc(loc);
  clone->setOperands(operands); // an operand may stand twice, once as an accumulator
  clone->getResult(0).setType(RankedTensorType::get(shapeOf(operands.front()), element));
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(clone, folded)) && !folded.empty()) {
    clone->erase();
    return folded.front();
  }
  return clone->getResult(0);
}

//===-- Outcome -----------------------------------------------------------------------------------------===//

LogicalResult OpImport::fail(const Twine &reason) {
  std::string text = reason.str();
  if (!llvm::is_contained(failures, text))
    failures.push_back(text);
  return failure();
}

LogicalResult OpImport::yield(Value value) {
  results.push_back(value);
  return success();
}
