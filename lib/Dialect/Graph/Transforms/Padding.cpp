// Padding from the inputs of a function to its results: the walk, and the rule of elementwise ops. Movement
// and ops that combine elements have files of their own (PaddingMovement, PaddingReductions).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PaddingRules.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilewright::graph;

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

const PaddedDim *tilewright::graph::find(const Padding &padding, const PaddedDim &dim) {
  for (const PaddedDim &other : padding.dims)
    if (other.sameElements(dim))
      return &other;
  return nullptr;
}

Content tilewright::graph::contentAt(const Padding &padding, const PaddedDim &dim) {
  const PaddedDim *own = find(padding, dim);
  return own ? own->content : padding.rest;
}

void tilewright::graph::addDim(Padding &padding, const PaddedDim &dim) {
  for (PaddedDim &other : padding.dims)
    if (other.sameElements(dim)) {
      other.content = worst(other.content, dim.content);
      return;
    }
  padding.dims.push_back(dim);
}

Padding tilewright::graph::rename(const Padding &padding, function_ref<int64_t(int64_t)> renamed) {
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

Padding tilewright::graph::forType(Padding padding, Type type) {
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
