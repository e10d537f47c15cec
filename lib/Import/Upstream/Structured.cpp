// linalg's structured operations, named or generic: each is its loops, maps and body. Loops that are all
// parallel give elementwise arithmetic on operands brought to the loops by views; a body that adds products
// gives graph.matmul; any other body that combines what it computes with the accumulator gives graph.reduce.
//
//     linalg.generic maps (m, n, k) -> (m, k), (n, k), (m, n), iterators [parallel, parallel, reduction]
//       { acc + ext(a) * ext(b) }
//   ==>
//     %t = graph.transpose %b;  %p = graph.matmul %a, %t;  arith.addf %init, %p
//
// Loops are renumbered: those of the first result in its order, then the reductions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Operands.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;
using graph::ReduceKind;

namespace {

/// How a result is accumulated.
struct Combiner {
  ReduceKind kind = ReduceKind::Sum;
  enum Elements {
    Plain,
    Negated,    ///< They are subtracted.
    Unsigned,   ///< Ordered as unsigned integers.
    NumbersOnly ///< NaN is left out.
  } elements = Plain;
  /// What is combined; null where it is `product`.
  Value term;
  /// Factors of a product that a fused multiply-add holds.
  Value factors[2];
  Operation *op = nullptr;
};

struct Structured {
  Structured(OpImport &n, linalg::LinalgOp op, ArrayRef<int64_t> sizes, ArrayRef<int64_t> rank,
             int64_t parallel)
      : n(n), op(op), body(n, sizes, rank), parallel(parallel) {}

  OpImport &n;
  linalg::LinalgOp op;
  ScalarBody body;
  /// How many loops are parallel: they come first.
  int64_t parallel;

  LogicalResult run();
  LogicalResult readOperands();
  /// The element of the initial value of result `i`.
  FailureOr<Element> initial(unsigned i);
  LogicalResult yieldElement(const Element &element, unsigned i);
  std::optional<Combiner> combinerOf(Value yielded, Value accumulator);
  FailureOr<Element> reduced(const Combiner &combiner);
  std::optional<Element> product(Value a, Value b, Type accumulator);
  Element reduceLoops(ReduceKind kind, Element element, ArrayRef<int64_t> loops);
  Element combine(const Combiner &combiner, const Element &initial, const Element &reduced);

  SmallVector<int64_t> reductionLoops() const {
    return llvm::to_vector(llvm::seq<int64_t>(parallel, body.sizes.size()));
  }
  SmallVector<int64_t> parallelLoops() const { return llvm::to_vector(llvm::seq<int64_t>(0, parallel)); }
};

} // namespace

//===-- Operands and results ----------------------------------------------------------------------------===//

LogicalResult Structured::readOperands() {
  bool good = true;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (argument.use_empty())
      continue;
    FailureOr<Element> element =
        readThrough(body, n.value(operand->get()), op.getMatchingIndexingMap(operand),
                    "operand #" + Twine(operand->getOperandNumber()));
    if (failed(element))
      good = false;
    else
      body.set(argument, *element);
  }
  return success(good);
}

FailureOr<Element> Structured::initial(unsigned i) {
  OpOperand *operand = op.getDpsInitOperand(i);
  return readThrough(body, n.value(operand->get()), op.getMatchingIndexingMap(operand),
                     "operand #" + Twine(operand->getOperandNumber()));
}

LogicalResult Structured::yieldElement(const Element &element, unsigned i) {
  Value value = body.spread(element, parallelLoops());
  OpImport::Dims permutation;
  for (AffineExpr expr : op.getMatchingIndexingMap(op.getDpsInitOperand(i)).getResults())
    permutation.push_back(body.rank[cast<AffineDimExpr>(expr).getPosition()]);
  return n.yield(llvm::is_sorted(permutation) ? value : n.transpose(value, permutation));
}

//===-- Reductions --------------------------------------------------------------------------------------===//

std::optional<Combiner> Structured::combinerOf(Value yielded, Value accumulator) {
  Combiner combiner;
  Operation *def = yielded.getDefiningOp();
  combiner.op = def;
  if (!def)
    return std::nullopt;
  if (auto fma = dyn_cast<math::FmaOp>(def)) {
    if (fma.getC() != accumulator || body.isAccumulator(fma.getA()) || body.isAccumulator(fma.getB()))
      return std::nullopt;
    combiner.factors[0] = fma.getA();
    combiner.factors[1] = fma.getB();
    return combiner;
  }
  if (def->getNumOperands() != 2)
    return std::nullopt;
  bool second = def->getOperand(1) == accumulator;
  if (!second && def->getOperand(0) != accumulator)
    return std::nullopt;
  combiner.term = def->getOperand(second ? 0 : 1);
  if (body.isAccumulator(combiner.term))
    return std::nullopt;
  bool isBool = getElementTypeOrSelf(combiner.term.getType()).isInteger(1);
  if (isa<arith::SubFOp, arith::SubIOp>(def) && !second)
    combiner.elements = Combiner::Negated;
  else if (isa<arith::MulFOp, arith::MulIOp>(def) || (isBool && isa<arith::AndIOp>(def)))
    combiner.kind = ReduceKind::Prod;
  else if (isa<arith::MaximumFOp, arith::MaxSIOp>(def) || (isBool && isa<arith::OrIOp>(def)))
    combiner.kind = ReduceKind::Max;
  else if (isa<arith::MinimumFOp, arith::MinSIOp>(def))
    combiner.kind = ReduceKind::Min;
  else if (isa<arith::MaxUIOp, arith::MinUIOp>(def)) {
    combiner.kind = isa<arith::MaxUIOp>(def) ? ReduceKind::Max : ReduceKind::Min;
    combiner.elements = Combiner::Unsigned;
  } else if (isa<arith::MaxNumFOp, arith::MinNumFOp>(def)) {
    combiner.kind = isa<arith::MaxNumFOp>(def) ? ReduceKind::Max : ReduceKind::Min;
    combiner.elements = Combiner::NumbersOnly;
  } else if (!isa<arith::AddFOp, arith::AddIOp>(def) && !(isBool && isa<arith::XOrIOp>(def))) {
    return std::nullopt;
  }
  return combiner;
}

Element Structured::reduceLoops(ReduceKind kind, Element element, ArrayRef<int64_t> loops) {
  SmallVector<int64_t> all = loopsOf({element, Element{nullptr, SmallVector<int64_t>(loops)}});
  Value value = body.spread(element, all);
  OpImport::Dims dims;
  Element result;
  for (auto [d, loop] : llvm::enumerate(all)) {
    if (llvm::is_contained(loops, loop))
      dims.push_back(d);
    else
      result.loops.push_back(loop);
  }
  if (!n.isBool(value)) {
    result.value = n.reduce(kind, value, dims, /*keepDims=*/false);
    return result;
  }
  // Truth is counted: any of them, all of them, or an odd number.
  Value ones =
      n.castTo(kind == ReduceKind::Prod ? n.create<arith::XOrIOp>(value, n.constantLike(value, 1)) : value,
               n.builder.getI32Type());
  Value count = n.reduce(ReduceKind::Sum, ones, dims, /*keepDims=*/false);
  if (kind == ReduceKind::Sum)
    count = n.create<arith::AndIOp>(count, n.constantLike(count, 1));
  result.value = n.compare(kind == ReduceKind::Prod ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne,
                           count, n.constantLike(count, 0));
  return result;
}

/// What `value` is an extension of, where products of such elements are formed exactly in the wider type.
static Value narrowed(Value value) {
  Operation *def = value.getDefiningOp();
  if (!isa_and_present<arith::ExtFOp, arith::ExtSIOp>(def))
    return value;
  Type narrow = def->getOperand(0).getType(), wide = value.getType();
  bool exact =
      (wide.isF32() && (narrow.isF16() || narrow.isBF16())) || (wide.isInteger(32) && narrow.isInteger(8));
  return exact ? def->getOperand(0) : value;
}

/// The sum of a * b over all reduction loops as a batched matrix product; nothing when it is none.
std::optional<Element> Structured::product(Value a, Value b, Type accumulator) {
  if (narrowed(a).getType() == narrowed(b).getType())
    a = narrowed(a), b = narrowed(b);
  Element lhs = body.get(a), rhs = body.get(b);
  if (n.isBool(lhs.value) || n.elementOf(lhs.value) != n.elementOf(rhs.value))
    return std::nullopt;
  SmallVector<int64_t> batch, m, columns, k, onlyLhs, onlyRhs;
  for (int64_t loop = 0, e = body.sizes.size(); loop < e; ++loop) {
    bool inLhs = llvm::is_contained(lhs.loops, loop), inRhs = llvm::is_contained(rhs.loops, loop);
    if (loop >= parallel) {
      if (!inLhs && !inRhs)
        return std::nullopt;
      (inLhs && inRhs ? k : inLhs ? onlyLhs : onlyRhs).push_back(loop);
    } else if (inLhs || inRhs) {
      (inLhs && inRhs ? batch : inLhs ? m : columns).push_back(loop);
    }
  }
  bool isDot = m.empty() && columns.empty(); // a reduction reads each operand once as well
  if (k.empty() || isDot || !onlyLhs.empty() || !onlyRhs.empty())
    return std::nullopt;
  auto matrix = [&](const Element &element, ArrayRef<int64_t> rows, ArrayRef<int64_t> cols) {
    SmallVector<int64_t> order(batch);
    llvm::append_range(order, rows);
    llvm::append_range(order, cols);
    OpImport::Dims permutation, shape;
    for (int64_t loop : order)
      permutation.push_back(llvm::find(element.loops, loop) - element.loops.begin());
    for (int64_t loop : batch)
      shape.push_back(body.sizes[loop]);
    for (ArrayRef<int64_t> group : {rows, cols}) {
      shape.push_back(1);
      for (int64_t loop : group)
        shape.back() *= body.sizes[loop];
    }
    Value ordered = llvm::is_sorted(permutation) ? element.value : n.transpose(element.value, permutation);
    return n.reshape(ordered, shape);
  };
  Value left = matrix(lhs, m, k), right = matrix(rhs, k, columns);
  OpImport::Dims shape(n.shapeOf(left)), loops(batch), split;
  shape.back() = n.shapeOf(right).back();
  llvm::append_range(loops, m);
  llvm::append_range(loops, columns);
  for (int64_t loop : loops)
    split.push_back(body.sizes[loop]);
  Value result = n.create<graph::MatmulOp>(RankedTensorType::get(shape, accumulator), left, right);
  return body.arranged(n.reshape(result, split), loops);
}

FailureOr<Element> Structured::reduced(const Combiner &combiner) {
  // What a fused multiply-add or a product contributes may be one product of matrices.
  Value a = combiner.factors[0], b = combiner.factors[1];
  Operation *def = combiner.term ? combiner.term.getDefiningOp() : nullptr;
  if (isa_and_present<arith::MulFOp, arith::MulIOp>(def))
    a = def->getOperand(0), b = def->getOperand(1);
  bool plainSum = combiner.kind == ReduceKind::Sum && combiner.elements == Combiner::Plain;
  if (a && plainSum)
    if (std::optional<Element> result = product(a, b, a.getType()))
      return *result;
  Element element;
  if (combiner.term) {
    element = body.get(combiner.term);
  } else {
    Element left = body.get(a), right = body.get(b);
    element.loops = loopsOf({left, right});
    element.value = n.mul(body.spread(left, element.loops), body.spread(right, element.loops));
  }
  Value &x = element.value;
  switch (combiner.elements) {
  case Combiner::Plain:
    return reduceLoops(combiner.kind, element, reductionLoops());
  case Combiner::Negated: // the sum is subtracted afterwards
    return reduceLoops(ReduceKind::Sum, element, reductionLoops());
  case Combiner::NumbersOnly: {
    double least = std::numeric_limits<double>::infinity() * (combiner.kind == ReduceKind::Max ? -1 : 1);
    x = n.select(n.compare(arith::CmpFPredicate::UNO, x, x), n.constantLike(x, least), x);
    return reduceLoops(combiner.kind, element, reductionLoops());
  }
  case Combiner::Unsigned: {
    // With the top bit turned, unsigned integers are ordered as signed ones are.
    auto turned = [&](Value v) {
      unsigned bits = n.elementOf(v).getIntOrFloatBitWidth();
      return n.create<arith::XOrIOp>(v, n.constantLike(v, -std::ldexp(1.0, bits - 1)));
    };
    x = turned(x);
    Element result = reduceLoops(combiner.kind, element, reductionLoops());
    result.value = turned(result.value);
    return result;
  }
  }
  llvm_unreachable("covered switch");
}

/// Whether `value` is a constant that changes nothing when it is combined.
static bool isIdentity(Value value, const Combiner &combiner) {
  DenseElementsAttr dense;
  if (!matchPattern(value, m_Constant(&dense)) || !dense.isSplat())
    return false;
  if (auto type = dyn_cast<FloatType>(dense.getElementType())) {
    APFloat number = dense.getSplatValue<APFloat>();
    switch (combiner.kind) {
    case ReduceKind::Sum:
      return number.isZero();
    case ReduceKind::Prod:
      return number.isExactlyValue(1);
    case ReduceKind::Max:
      return number.isInfinity() && number.isNegative();
    case ReduceKind::Min:
      return number.isInfinity() && !number.isNegative();
    }
  }
  APInt number = dense.getSplatValue<APInt>();
  bool isUnsigned = combiner.elements == Combiner::Unsigned, isBool = number.getBitWidth() == 1;
  switch (combiner.kind) {
  case ReduceKind::Sum:
    return number.isZero();
  case ReduceKind::Prod:
    return number.isOne();
  case ReduceKind::Max:
    return isBool || isUnsigned ? number.isZero() : number.isMinSignedValue();
  case ReduceKind::Min:
    return isUnsigned ? number.isMaxValue() : number.isMaxSignedValue();
  }
  llvm_unreachable("covered switch");
}

/// Whether `value` is known to be a number.
static bool isNumber(Value value) {
  DenseFPElementsAttr dense;
  return matchPattern(value, m_Constant(&dense)) && dense.isSplat() &&
         !dense.getSplatValue<APFloat>().isNaN();
}

Element Structured::combine(const Combiner &combiner, const Element &initial, const Element &reduced) {
  if (combiner.elements != Combiner::Negated && isIdentity(initial.value, combiner))
    return reduced;
  SmallVector<int64_t> loops = parallelLoops();
  Value first = body.spread(initial, loops), second = body.spread(reduced, loops);
  if (isa<math::FmaOp>(combiner.op))
    return {n.add(first, second), loops};
  bool swapped = combiner.op->getOperand(0) == combiner.term;
  return {n.elementwise(combiner.op, swapped ? ValueRange{second, first} : ValueRange{first, second}), loops};
}

//===-- The operation -----------------------------------------------------------------------------------===//

LogicalResult Structured::run() {
  Block &block = *op.getBlock();
  auto yielded = block.getTerminator()->getOperands();
  bool reduces = parallel < (int64_t)body.sizes.size(), good = succeeded(readOperands());
  ArrayRef<BlockArgument> outs = op.getRegionOutputArgs();
  for (auto [i, argument] : llvm::enumerate(outs)) {
    if (argument.use_empty())
      continue;
    if (reduces) {
      body.setAccumulator(argument);
      continue;
    }
    FailureOr<Element> element = initial(i);
    if (failed(element))
      good = false;
    else
      body.set(argument, *element);
  }
  if (!good || failed(body.evaluate(block)))
    return failure();
  for (auto [i, value] : llvm::enumerate(yielded)) {
    if (!reduces) {
      good &= succeeded(yieldElement(body.get(value), i));
      continue;
    }
    BlockArgument accumulator = i < outs.size() ? outs[i] : BlockArgument();
    std::optional<Combiner> combiner = accumulator ? combinerOf(value, accumulator) : std::nullopt;
    if (!combiner) {
      good = false;
      (void)n.fail("result #" + Twine(i) +
                   " is not accumulated by one sum, product, maximum, minimum, and, or, xor of what the body "
                   "computes from its operands");
      continue;
    }
    FailureOr<Element> start = initial(i), rest = reduced(*combiner);
    if (failed(start) || failed(rest))
      good = false;
    else if (combiner->elements == Combiner::NumbersOnly && !isNumber(start->value)) // all may be NaN
      good = false,
      (void)n.fail("result #" + Twine(i) + " starts from no constant number, and leaves NaN out");
    else
      good &= succeeded(yieldElement(combine(*combiner, *start, *rest), i));
  }
  return success(good);
}

LogicalResult tilewright::upstream::importStructured(OpImport &n) {
  auto op = cast<linalg::LinalgOp>(n.op);
  if (!op.hasPureTensorSemantics())
    return n.fail("it works on buffers, expected tensors");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return n.fail("a loop has no static size");
  // New numbers: loops in the order of the first result, then reductions.
  SmallVector<int64_t> rank(sizes.size(), -1), newSizes(sizes.size());
  int64_t next = 0;
  for (auto [i, operand] : llvm::enumerate(op.getDpsInitsMutable())) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return n.fail("result #" + Twine(i) + " is written through a map that is no permutation of loops");
    for (AffineExpr expr : map.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      if (iterators[loop] != utils::IteratorType::parallel)
        return n.fail("result #" + Twine(i) + " is written along loop " + Twine(loop) +
                      ", which is a reduction");
      if (rank[loop] < 0)
        rank[loop] = next++;
    }
  }
  int64_t parallel = next;
  for (auto [loop, iterator] : llvm::enumerate(iterators)) {
    if (iterator == utils::IteratorType::parallel && rank[loop] < 0)
      return n.fail("loop " + Twine(loop) + " is parallel, and no result has it");
    if (rank[loop] < 0)
      rank[loop] = next++;
  }
  for (auto [i, operand] : llvm::enumerate(op.getDpsInitsMutable()))
    if (op.getMatchingIndexingMap(&operand).getNumResults() != parallel)
      return n.fail("result #" + Twine(i) + " lacks a parallel loop");
  for (auto [loop, size] : llvm::enumerate(sizes))
    newSizes[rank[loop]] = size;
  return Structured(n, op, newSizes, rank, parallel).run();
}
