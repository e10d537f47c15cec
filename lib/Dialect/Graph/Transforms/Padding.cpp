// Padding from the inputs of a function to its results: one rule for each family of ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Padding.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
static Content worst(Content a, Content b) { return std::max(a, b); }

WithinAttr PaddedDim::within(MLIRContext *context) const {
  SmallVector<int64_t> numbers;
  for (const PositionPart &part : parts)
    numbers.append({part.dim, part.inner, part.extent, part.weight});
  return WithinAttr::get(context, symbol, base, numbers);
}

TypedAttr tilewright::graph::maskIdentity(ReduceKind kind, Type type) {
  Builder builder(type.getContext());
  if (kind == ReduceKind::Sum)
    return cast<TypedAttr>(builder.getZeroAttr(type));
  if (kind == ReduceKind::Prod)
    return builder.getOneAttr(type);
  bool lowest = kind == ReduceKind::Max;
  if (auto element = dyn_cast<FloatType>(type))
    return builder.getFloatAttr(element, APFloat::getInf(element.getFloatSemantics(), lowest));
  unsigned width = type.getIntOrFloatBitWidth();
  return builder.getIntegerAttr(type,
                                lowest ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
}

LogicalResult PaddingTracker::refuse(Operation *op, const PaddedDim &dim, const Twine &why) {
  return op->emitError() << "dimension \"" << dim.symbol << "\" cannot be bucketed: " << why;
}

/// The padded dim of `padding` over the same elements as `dim`, or null.
static const PaddedDim *find(const Padding &padding, const PaddedDim &dim) {
  for (const PaddedDim &other : padding.dims)
    if (other.sameElements(dim))
      return &other;
  return nullptr;
}

/// What elements outside `dim` hold in a value with this padding.
static Content contentAt(const Padding &padding, const PaddedDim &dim) {
  const PaddedDim *own = find(padding, dim);
  return own ? own->content : padding.rest;
}

/// Adds `dim` unless it is there; then the worse content stays.
static void addDim(Padding &padding, const PaddedDim &dim) {
  for (PaddedDim &other : padding.dims)
    if (other.sameElements(dim)) {
      other.content = worst(other.content, dim.content);
      return;
    }
  padding.dims.push_back(dim);
}

/// `padding` with each dimension renamed by `renamed`; parts of dimensions that become -1 are dropped.
static Padding rename(const Padding &padding, function_ref<int64_t(int64_t)> renamed) {
  Padding result;
  result.rest = padding.rest;
  for (PaddedDim dim : padding.dims) {
    SmallVector<PositionPart> parts;
    for (PositionPart part : dim.parts)
      if ((part.dim = renamed(part.dim)) >= 0)
        parts.push_back(part);
    dim.parts = parts;
    if (!parts.empty())
      addDim(result, dim);
  }
  return result;
}

/// What integers hold is a number whatever it was made from.
static Padding forType(Padding padding, Type type) {
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return padding;
  padding.rest = Content::Finite;
  for (PaddedDim &dim : padding.dims)
    dim.content = std::min(dim.content, Content::Finite);
  return padding;
}

//===-- Elementwise -------------------------------------------------------------------------------------===//

/// Whether f(0, …) is 0 and numbers give numbers.
static bool preservesZero(Operation *op) {
  return isa<GeluOp, arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::ExtFOp, arith::TruncFOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::FPToSIOp, arith::FPToUIOp, arith::IndexCastOp, math::AbsFOp, math::AbsIOp, math::TanhOp,
             math::ErfOp, math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp, math::TruncOp,
             math::SinOp, math::AtanOp>(op);
}

/// The splat constant that `value` is, through movement.
static std::optional<double> splatNumber(Value value) {
  while (isa_and_present<BroadcastOp, ReshapeOp, TransposeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  DenseElementsAttr dense;
  if (!matchPattern(value, m_Constant(&dense)) || !dense.isSplat())
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().convertToDouble();
  if (!dense.getElementType().isIntOrIndex())
    return std::nullopt;
  APInt bits = dense.getSplatValue<APInt>();
  return bits.getBitWidth() == 1 ? (bits.isZero() ? 0.0 : 1.0) : (double)bits.getSExtValue();
}

/// Whether a comparison of zeros with `op`'s constant operand is false; nothing when it has none.
static bool isFalseOfZero(Operation *op) {
  std::optional<double> left = splatNumber(op->getOperand(0)), right = splatNumber(op->getOperand(1));
  if (!left && !right)
    return false;
  double a = left.value_or(0), b = right.value_or(0);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return !arith::applyCmpPredicate(compare.getPredicate(), APFloat(a), APFloat(b));
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare &&
         !arith::applyCmpPredicate(compare.getPredicate(), APInt(64, (int64_t)a, /*isSigned=*/true),
                                   APInt(64, (int64_t)b, /*isSigned=*/true));
}

/// What `op` gives where its operands hold `operands`.
static Content contentOf(Operation *op, ArrayRef<Content> operands) {
  auto allZero = [&] { return llvm::all_of(operands, [](Content c) { return c == Content::Zero; }); };
  Content most = Content::Zero;
  for (Content content : operands)
    most = worst(most, content);
  if (preservesZero(op))
    return most;
  if (isa<arith::MulFOp, arith::MulIOp, arith::AndIOp>(op))
    return most != Content::Unknown && llvm::is_contained(operands, Content::Zero) ? Content::Zero : most;
  if (isa<arith::SelectOp>(op)) // a condition of zeros chooses the last operand
    return operands[0] == Content::Zero ? operands[2] : worst(operands[1], operands[2]);
  if (isa<arith::CmpFOp, arith::CmpIOp>(op)) {
    bool zeros = llvm::all_of(llvm::zip(operands, op->getOperands()), [](auto pair) {
      return std::get<0>(pair) == Content::Zero || splatNumber(std::get<1>(pair)).has_value();
    });
    return zeros && isFalseOfZero(op) ? Content::Zero : Content::Finite;
  }
  if (isa<arith::DivFOp>(op)) {
    std::optional<double> divisor = splatNumber(op->getOperand(1));
    return divisor && *divisor != 0 && std::isfinite(*divisor) ? operands[0] : Content::Unknown;
  }
  if (isa<math::SqrtOp>(op))
    return allZero() ? Content::Zero : Content::Unknown;
  if (isa<math::CosOp>(op))
    return worst(most, Content::Finite);
  if (!isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return Content::Finite;
  // exp(0) and the like are numbers; elsewhere they may overflow.
  return isa<math::ExpOp, math::Exp2Op>(op) && allZero() ? Content::Finite : Content::Unknown;
}

Padding PaddingTracker::elementwise(Operation *op) {
  Padding result;
  SmallVector<Content> contents;
  auto contentsAt = [&](auto at) {
    contents.clear();
    for (Value operand : op->getOperands())
      contents.push_back(at(known[operand]));
    return contentOf(op, contents);
  };
  result.rest = worst(Content::Finite, contentsAt([](const Padding &p) { return p.rest; }));
  for (Value operand : op->getOperands())
    for (PaddedDim dim : SmallVector<PaddedDim>(known[operand].dims)) {
      dim.content = contentsAt([&](const Padding &p) { return contentAt(p, dim); });
      addDim(result, dim);
    }
  return result;
}

//===-- Movement ----------------------------------------------------------------------------------------===//

/// The parts of a position under another shape of the same elements; nothing when a part straddles
/// dimensions.
static std::optional<SmallVector<PositionPart>> reshaped(ArrayRef<PositionPart> parts, ArrayRef<int64_t> from,
                                                         ArrayRef<int64_t> to) {
  auto stridesOf = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> strides(shape.size(), 1);
    for (size_t d = shape.size(); d-- > 1;)
      strides[d - 1] = strides[d] * shape[d];
    return strides;
  };
  SmallVector<int64_t> fromStrides = stridesOf(from), toStrides = stridesOf(to);
  SmallVector<PositionPart> result;
  for (const PositionPart &part : parts) {
    // Elements [first, last) of the flat index are the digit's.
    int64_t first = fromStrides[part.dim] * part.inner, last = first * part.extent, reached = first;
    for (size_t d = to.size(); d-- > 0;) {
      int64_t low = std::max(first, toStrides[d]), high = std::min(last, toStrides[d] * to[d]);
      if (low >= high)
        continue;
      if (low != reached || low % first || low % toStrides[d] || high % low)
        return std::nullopt;
      result.push_back({(int64_t)d, low / toStrides[d], high / low, part.weight * (low / first)});
      reached = high;
    }
    if (reached != last)
      return std::nullopt;
  }
  llvm::sort(result, [](const PositionPart &a, const PositionPart &b) {
    return std::tie(a.dim, b.inner) < std::tie(b.dim, a.inner);
  });
  return result;
}

LogicalResult PaddingTracker::followReshape(ReshapeOp op) {
  const Padding &padding = known[op.getInput()];
  Padding result;
  result.rest = padding.rest;
  for (PaddedDim dim : SmallVector<PaddedDim>(padding.dims)) {
    auto parts = reshaped(dim.parts, typeOf(op.getInput()).getShape(), typeOf(op.getResult()).getShape());
    if (!parts)
      return refuse(op, dim, "a reshape divides it unevenly");
    dim.parts = *parts;
    addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followSlice(SliceOp op) {
  RankedTensorType from = typeOf(op.getInput()), to = typeOf(op.getResult());
  Padding result;
  const Padding &padding = known[op.getInput()];
  result.rest = padding.rest;
  for (PaddedDim dim : SmallVector<PaddedDim>(padding.dims)) {
    SmallVector<PositionPart> parts;
    for (const PositionPart &part : dim.parts) {
      int64_t d = part.dim, offset = op.getOffsets()[d], step = op.getStrides()[d], size = to.getDimSize(d);
      bool whole = part.inner == 1 && part.extent == from.getDimSize(d);
      if (size == from.getDimSize(d) && offset == 0 && step == 1) {
        parts.push_back(part);
      } else if (size == 1 && offset == 0) {
        // The first element is there at any length.
      } else if (whole && step == 1 && offset + size == from.getDimSize(d) && offset < size) {
        // From a fixed start to the end: a start nearer to the end would be counted from there.
        dim.base += part.weight * offset;
        parts.push_back({d, 1, size, part.weight});
      } else {
        return refuse(op, dim,
                      "a slice takes elements " + Twine(offset) + " to " + Twine(offset + step * (size - 1)) +
                          " of " + Twine(from.getDimSize(d)) +
                          ", and which these are depends on the true length");
      }
    }
    dim.parts = parts;
    if (!parts.empty())
      addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followConcat(ConcatOp op) {
  Padding result;
  int64_t at = op.getDim(), before = 0;
  bool first = true;
  SmallVector<PaddedDim> all;
  for (Value input : op.getInputs())
    for (const PaddedDim &dim : known[input].dims)
      if (!dim.touches([&](int64_t d) { return d == at; }))
        all.push_back(dim);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    const Padding &padding = known[input];
    result.rest = first ? padding.rest : worst(result.rest, padding.rest);
    first = false;
    for (PaddedDim dim : SmallVector<PaddedDim>(padding.dims)) {
      if (!dim.touches([&](int64_t d) { return d == at; }))
        continue;
      // Padding stays at the end behind what has a fixed length.
      bool whole = dim.parts.size() == 1 && dim.parts[0].inner == 1 &&
                   dim.parts[0].extent == typeOf(input).getDimSize(at);
      if (i + 1 != op.getInputs().size() || !whole)
        return refuse(op, dim, "it is followed by other elements in a concat");
      dim.base -= before * dim.parts[0].weight;
      dim.parts[0].extent = typeOf(op.getResult()).getDimSize(at);
      addDim(result, dim);
    }
    before += typeOf(input).getDimSize(at);
  }
  for (PaddedDim dim : all) {
    for (Value input : op.getInputs())
      dim.content = worst(dim.content, contentAt(known[input], dim));
    addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followGather(GatherOp op) {
  int64_t at = op.getDim(), indexRank = typeOf(op.getIndices()).getRank();
  const Padding &table = known[op.getInput()], &indices = known[op.getIndices()];
  for (const PaddedDim &dim : table.dims)
    if (dim.touches([&](int64_t d) { return d == at; })) {
      DenseIntElementsAttr constant;
      bool fromStart = isa_and_present<ArgReduceOp, TopKOp>(op.getIndices().getDefiningOp());
      if (matchPattern(op.getIndices(), m_Constant(&constant)))
        fromStart = llvm::all_of(constant.getValues<APInt>(), [](const APInt &i) { return i.isZero(); });
      if (!fromStart)
        return refuse(op, dim, "indices of a gather may count from its end");
    }
  Padding result = rename(table, [&](int64_t d) { return d < at ? d : d == at ? -1 : d + indexRank - 1; });
  for (PaddedDim dim : SmallVector<PaddedDim>(indices.dims)) {
    for (PositionPart &part : dim.parts)
      part.dim += at;
    dim.content = result.rest;
    addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followScatter(ScatterOp op) {
  int64_t at = op.getBatch();
  auto isRow = [&](int64_t d) { return d == at; };
  for (const PaddedDim &dim : known[op.getInput()].dims)
    if (dim.touches(isRow))
      return refuse(op, dim, "indices of a scatter may count from its end");
  // Indices past the end change nothing.
  auto indexType = cast<IntegerType>(typeOf(op.getIndices()).getElementType());
  Padding updates = known[op.getUpdates()];
  for (const PaddedDim &dim : updates.dims)
    if (dim.touches(isRow) && !find(known[op.getIndices()], dim))
      return refuse(op, dim, "updates of a scatter are padded, their indices are not");
  (void)neutral(
      op.getIndicesMutable(), [](const PaddedDim &) { return false; }, isRow,
      IntegerAttr::get(indexType, typeOf(op.getInput()).getDimSize(at)));
  Padding result = known[op.getInput()];
  result.rest = worst(result.rest, updates.rest);
  for (PaddedDim dim : rename(updates, [&](int64_t d) { return d == at ? -1 : d; }).dims) {
    dim.content = worst(dim.content, contentAt(result, dim));
    addDim(result, dim);
  }
  for (PaddedDim &dim : result.dims)
    dim.content = worst(dim.content, contentAt(updates, dim));
  known[op.getResult()] = result;
  return success();
}

//===-- Combining ops -----------------------------------------------------------------------------------===//

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

LogicalResult PaddingTracker::followMatmul(MatmulOp op) {
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

//===-- Functions ---------------------------------------------------------------------------------------===//

/// Symbols of a bucket's dimensions that are padded whole, by dimension.
static ArrayAttr symbolsOf(func::FuncOp func, unsigned index, bool result) {
  return result ? func.getResultAttrOfType<ArrayAttr>(index, "graph.symbols")
                : func.getArgAttrOfType<ArrayAttr>(index, "graph.symbols");
}

LogicalResult PaddingTracker::followReturn(func::FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    RankedTensorType type = typeOf(value);
    SmallVector<std::string> symbols(type.getRank());
    for (const PaddedDim &dim : known[value].dims) {
      const PositionPart &part = dim.parts.front();
      if (dim.parts.size() != 1 || dim.base != 0 || part.inner != 1 || part.weight != 1 ||
          part.extent != type.getDimSize(part.dim) || !symbols[part.dim].empty())
        return refuse(terminator, dim,
                      "result " + Twine(i) + " of the program holds it where no slice leaves the true part");
      symbols[part.dim] = dim.symbol;
    }
    ArrayAttr declared = symbolsOf(func, i, /*result=*/true);
    SmallVector<Attribute> names;
    bool any = false;
    for (auto [d, symbol] : llvm::enumerate(symbols)) {
      if (symbol.empty() && declared)
        symbol = cast<StringAttr>(declared[d]).str();
      any |= !symbol.empty();
      names.push_back(StringAttr::get(func.getContext(), symbol));
    }
    // Results are cut to the true lengths whether or not the model names their dimensions.
    if (any)
      func.setResultAttr(i, "graph.symbols", ArrayAttr::get(func.getContext(), names));
  }
  return success();
}

LogicalResult PaddingTracker::run(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    ArrayAttr symbols = symbolsOf(func, argument.getArgNumber(), /*result=*/false);
    Padding padding;
    for (auto [d, symbol] : llvm::enumerate(symbols ? symbols.getValue() : ArrayRef<Attribute>())) {
      int64_t size = typeOf(argument).getDimSize(d);
      if (!cast<StringAttr>(symbol).empty() && size > 1) // A bucket of length 1 has no padding.
        padding.dims.push_back(
            {cast<StringAttr>(symbol).str(), size, 0, {{(int64_t)d, 1, size, 1}}, Content::Zero});
    }
    known[argument] = padding;
  }
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front().without_terminator())) {
    if (visit && failed(visit(&op, *this)))
      return failure();
    if (failed(follow(&op)))
      return failure();
  }
  return followReturn(func);
}

LogicalResult PaddingTracker::follow(Operation *op) {
  bool padded = llvm::any_of(op->getOperands(), [&](Value operand) { return !known[operand].dims.empty(); });
  if (op->getNumResults() != 1)
    return success();
  Value result = op->getResult(0);
  if (isElementwise(op)) {
    known[result] = forType(elementwise(op), result.getType());
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto dense = dyn_cast<DenseFPElementsAttr>(constant.getValue());
    bool finite =
        !dense || llvm::all_of(dense.getValues<APFloat>(), [](const APFloat &f) { return f.isFinite(); });
    known[result].rest = finite ? Content::Finite : Content::Unknown;
    return success();
  }
  // Norms are of numbers wherever their operands are: epsilon keeps the divisor from zero.
  if (!padded) {
    Content rest = Content::Finite;
    for (Value operand : op->getOperands())
      rest = worst(rest, known[operand].rest);
    known[result].rest = rest;
    return success();
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return followReshape(reshape);
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    known[result] = rename(known[broadcast.getInput()], [&](int64_t d) { return broadcast.getDims()[d]; });
    return success();
  }
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    known[result] = rename(known[transpose.getInput()],
                           [&](int64_t d) { return llvm::find(permutation, d) - permutation.begin(); });
    return success();
  }
  if (auto slice = dyn_cast<SliceOp>(op))
    return followSlice(slice);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return followConcat(concat);
  if (auto gather = dyn_cast<GatherOp>(op))
    return followGather(gather);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return followScatter(scatter);
  if (auto pad = dyn_cast<PadOp>(op)) {
    Padding padding = known[pad.getInput()];
    auto moved = [&](int64_t d) { return pad.getLow()[d] != 0 || pad.getHigh()[d] != 0; };
    for (PaddedDim &dim : padding.dims) {
      if (dim.touches(moved))
        return refuse(op, dim, "a pad puts elements round it");
      dim.content = worst(dim.content, Content::Finite);
    }
    known[result] = padding;
    return success();
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return followReduction(op, reduce.getDims(), reduce.getKind(), /*dropsDims=*/true);
  if (auto reduce = dyn_cast<ArgReduceOp>(op))
    return followReduction(op, {(int64_t)reduce.getDim()}, reduce.getKind(), /*dropsDims=*/true);
  if (auto top = dyn_cast<TopKOp>(op))
    return followReduction(op, {(int64_t)top.getDim()}, top.getSmallest() ? ReduceKind::Min : ReduceKind::Max,
                           /*dropsDims=*/true);
  if (auto scan = dyn_cast<ScanOp>(op)) {
    // Running on from the start, true elements come before padding.
    SmallVector<int64_t> dims;
    if (scan.getReverse())
      dims.push_back(scan.getDim());
    if (failed(followReduction(op, dims, scan.getKind(), /*dropsDims=*/false)))
      return failure();
    for (PaddedDim &dim : known[result].dims)
      dim.content = worst(dim.content, Content::Finite);
    return success();
  }
  if (auto softmax = dyn_cast<SoftmaxOp>(op)) {
    int64_t row = softmax.getDim();
    auto along = [&](int64_t d) { return d == row; };
    Padding padding = neutral(
        softmax.getInputMutable(), [](const PaddedDim &) { return false; }, along,
        maskIdentity(ReduceKind::Max, typeOf(softmax.getInput()).getElementType()));
    padding.rest = known[softmax.getInput()].rest;
    for (PaddedDim &dim : padding.dims)
      dim.content = dim.touches(along) ? Content::Zero : worst(dim.content, Content::Finite);
    known[result] = padding;
    return success();
  }
  if (isa<LayerNormOp, RmsNormOp>(op)) {
    auto norm = dyn_cast<LayerNormOp>(op);
    int64_t from = norm ? norm.getDim() : cast<RmsNormOp>(op).getDim();
    Padding padding = known[op->getOperand(0)];
    for (PaddedDim &dim : padding.dims) {
      if (dim.touches([&](int64_t d) { return d >= from; }))
        return refuse(op, dim, "a norm is taken over it");
      dim.content = worst(dim.content, Content::Finite);
    }
    known[result] = padding;
    return success();
  }
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return followMatmul(matmul);
  if (auto attention = dyn_cast<AttentionOp>(op))
    return followAttention(attention);
  if (isa<CountOp>(op)) {
    known[result] = Padding();
    return success();
  }
  if (isa<MaskOp>(op)) {
    known[result] = known[op->getOperand(0)];
    for (PaddedDim &dim : known[result].dims)
      dim.content = Content::Unknown;
    return success();
  }
  for (Value operand : op->getOperands())
    for (const PaddedDim &dim : known[operand].dims)
      return refuse(op, dim, Twine("what ") + op->getName().getStringRef() + " does with it is not known");
  return success();
}
