// Padding under ops that combine elements across dimensions: reductions, products and attention. What they
// read there must be neutral, or is masked. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PaddingRules.h"

using namespace mlir;
using namespace tilewright::graph;

Padding PaddingTracker::neutral(OpOperand &operand, function_ref<bool(const PaddedDim &)> isNeutral,
                                function_ref<bool(int64_t)> combined, TypedAttr identity) {
  Padding padding = known[operand.get()];
  SmallVector<PaddedDim> masked;
  auto number = dyn_cast<FloatAttr>(identity);
  auto integer = dyn_cast<IntegerAttr>(identity);
  Content left = (number && number.getValue().isPosZero()) || (integer && integer.getValue().isZero())
                     ? Content::Zero
                 : number && !number.getValue().isFinite() ? Content::Unknown
                                                           : Content::Finite;
  for (PaddedDim &dim : padding.dims)
    if (dim.touches(combined) && !isNeutral(dim)) {
      masked.push_back(dim);
      dim.content = left;
    }
  if (masked.empty())
    return padding;
  mask(operand, masked, identity);
  known[operand.get()] = padding;
  return padding;
}

LogicalResult PaddingTracker::followReduction(Operation *op, ArrayRef<int64_t> dims, ReduceKind kind,
                                              bool dropsDims) {
  OpOperand &operand = op->getOpOperand(0);
  auto combined = [&](int64_t d) { return llvm::is_contained(dims, d); };
  auto isNeutral = [&](const PaddedDim &dim) {
    return kind == ReduceKind::Sum && dim.content == Content::Zero;
  };
  Padding padding =
      neutral(operand, isNeutral, combined, maskIdentity(kind, typeOf(operand.get()).getElementType()));
  Padding result = !dropsDims ? padding : rename(padding, [&](int64_t d) -> int64_t {
    return combined(d) ? -1 : d - llvm::count_if(dims, [&](int64_t other) { return other < d; });
  });
  for (PaddedDim &dim : result.dims)
    if (kind == ReduceKind::Prod)
      dim.content = Content::Unknown;
  known[op->getResult(0)] = forType(result, op->getResult(0).getType());
  return success();
}

/// Rows that are padding are multiplied with a matrix or with none, whatever the groups say.
LogicalResult PaddingTracker::followGroupedMatmul(MatmulOp op) {
  for (Value operand : {op.getRhs(), op.getGroups()})
    if (!known[operand].dims.empty())
      return refuse(op, known[operand].dims.front(),
                    "a product by groups of rows has it in another operand than the rows");
  const Padding &rows = known[op.getLhs()];
  Padding result;
  result.rest = worst(rows.rest, known[op.getRhs()].rest);
  for (PaddedDim dim : rows.dims) {
    if (dim.touches([](int64_t d) { return d == 1; }))
      return refuse(op, dim, "a product by groups of rows sums along it");
    if (dim.content != Content::Zero || known[op.getRhs()].rest == Content::Unknown)
      dim.content = worst(worst(dim.content, known[op.getRhs()].rest), Content::Finite);
    addDim(result, dim);
  }
  known[op.getResult()] = forType(result, op.getType());
  return success();
}

LogicalResult PaddingTracker::followMatmul(MatmulOp op) {
  if (op.getGroups())
    return followGroupedMatmul(op);
  int64_t rank = typeOf(op.getLhs()).getRank(), lhsK = rank - 1, rhsK = rank - 2;
  TypedAttr zero = maskIdentity(ReduceKind::Sum, typeOf(op.getLhs()).getElementType());
  TypedAttr rhsZero = maskIdentity(ReduceKind::Sum, typeOf(op.getRhs()).getElementType());
  // A padded k under the other operand's numbering.
  auto across = [&](PaddedDim dim, int64_t from, int64_t to) {
    for (PositionPart &part : dim.parts)
      part.dim = part.dim == from ? to : part.dim;
    return dim;
  };
  auto contentAcross = [&](const PaddedDim &dim, int64_t from, int64_t to, Value other) {
    return contentAt(known[other], across(dim, from, to));
  };
  auto product = [](Content a, Content b) {
    return worst(a, b) != Content::Unknown && std::min(a, b) == Content::Zero;
  };
  // One operand zero and the other a number is enough: the left one is masked where neither is zero, and
  // either one where it may be no number.
  Padding lhs = neutral(
      op.getLhsMutable(),
      [&](const PaddedDim &dim) {
        Content other = contentAcross(dim, lhsK, rhsK, op.getRhs());
        return product(dim.content, other) || dim.content == Content::Zero ||
               (dim.content == Content::Finite && other == Content::Zero);
      },
      [&](int64_t d) { return d == lhsK; }, zero);
  Padding rhs = neutral(
      op.getRhsMutable(),
      [&](const PaddedDim &dim) { return product(dim.content, contentAcross(dim, rhsK, lhsK, op.getLhs())); },
      [&](int64_t d) { return d == rhsK; }, rhsZero);
  for (const PaddedDim &dim : lhs.dims)
    if (dim.touches([&](int64_t d) { return d == lhsK; }) &&
        !product(dim.content, contentAcross(dim, lhsK, rhsK, op.getRhs())))
      return refuse(op, dim, "a product combines it with elements that may be no numbers");
  for (const PaddedDim &dim : rhs.dims)
    if (dim.touches([&](int64_t d) { return d == rhsK; }) &&
        !product(dim.content, contentAcross(dim, rhsK, lhsK, op.getLhs())))
      return refuse(op, dim, "a product combines it with elements that may be no numbers");
  Padding result = rename(lhs, [&](int64_t d) { return d == lhsK ? -1 : d; });
  result.rest = worst(lhs.rest, rhs.rest);
  Padding right = rename(rhs, [&](int64_t d) { return d == rhsK ? -1 : d; });
  Padding left = result;
  result.dims.clear();
  for (const Padding *side : {&left, &right})
    for (PaddedDim dim : side->dims) {
      Content a = contentAt(left, dim), b = contentAt(right, dim);
      dim.content = product(a, b) ? Content::Zero : worst(worst(a, b), Content::Finite);
      addDim(result, dim);
    }
  known[op.getResult()] = forType(result, op.getType());
  return success();
}

LogicalResult PaddingTracker::followAttention(AttentionOp op) {
  int64_t rank = typeOf(op.getQuery()).getRank(), rows = rank - 2, columns = rank - 1;
  for (Value operand : {op.getQuery(), op.getKey()})
    for (const PaddedDim &dim : known[operand].dims)
      if (dim.touches([&](int64_t d) { return d == columns; }))
        return refuse(op, dim, "attention combines it as the size of a head");
  // Scores of padded keys are masked out, through the attention's own mask.
  auto score = [&](PaddedDim dim) {
    for (PositionPart &part : dim.parts)
      part.dim = part.dim == rows ? columns : part.dim;
    return dim;
  };
  SmallVector<PaddedDim> keys;
  for (const PaddedDim &dim : known[op.getKey()].dims)
    if (dim.touches([&](int64_t d) { return d == rows; }))
      keys.push_back(score(dim));
  if (!keys.empty()) {
    SmallVector<int64_t> shape(typeOf(op.getQuery()).getShape());
    shape[columns] = typeOf(op.getKey()).getDimSize(rows);
    if (!op.getMask()) {
      OpBuilder builder(op);
      Type type = RankedTensorType::get(shape, typeOf(op.getQuery()).getElementType());
      op.getMaskMutable().assign(splat(builder, op.getLoc(), type, 0));
    }
    OpOperand &operand = *op.getMaskMutable().begin();
    mask(operand, keys, maskIdentity(ReduceKind::Max, typeOf(operand.get()).getElementType()));
    known[operand.get()] = Padding{Content::Unknown, keys};
  }
  // Probabilities of padded keys are zero; their values must be numbers.
  (void)neutral(
      op.getValueMutable(), [](const PaddedDim &dim) { return dim.content != Content::Unknown; },
      [&](int64_t d) { return d == rows; },
      maskIdentity(ReduceKind::Sum, typeOf(op.getValue()).getElementType()));
  Padding result;
  for (Value operand : op->getOperands()) {
    bool isKeyOrValue = operand == op.getKey() || operand == op.getValue(), isMask = operand == op.getMask();
    result.rest = isMask ? result.rest : worst(result.rest, known[operand].rest);
    Padding renamed = rename(known[operand], [&](int64_t d) -> int64_t {
      if (isMask)
        return d == columns ? -1 : d;
      return isKeyOrValue && d == rows ? -1 : d;
    });
    for (PaddedDim dim : renamed.dims) {
      dim.content = worst(isMask ? Content::Finite : dim.content, Content::Finite);
      addDim(result, dim);
    }
  }
  known[op.getResult()] = result;
  return success();
}
