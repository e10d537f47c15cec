// What masks leave of a chain's terms: integers that are affine in the position, comparisons of these as
// half-spaces, and the number that a term is beyond them, followed through what is computed of it.

#include "Tilewright/Analysis/KeptTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Masks of at most this outweigh every score, as where masks of selects are added (graph-raise-attention).
static constexpr double kMaskLimit = -1e30;
/// What bounds, and all that is computed of them, are below.
static constexpr int64_t kMostNumber = int64_t(1) << 30;
/// Ops that are looked through from a value upwards.
static constexpr int kMostDepth = 16;

static int64_t floorDiv(int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); }
static int64_t ceilDiv(int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); }

/// Least and most of the affine function over a box.
static std::pair<int64_t, int64_t> rangeOf(const HalfSpace &affine, ArrayRef<int64_t> starts,
                                           ArrayRef<int64_t> sizes) {
  int64_t least = affine.constant, most = affine.constant;
  for (auto [c, start, size] : llvm::zip_equal(affine.coefficients, starts, sizes)) {
    int64_t a = c * start, b = c * (start + size - 1);
    least += std::min(a, b);
    most += std::max(a, b);
  }
  return {least, most};
}

namespace {

/// A condition as half-spaces that all hold where it does; `isExact`: and it holds where they all do.
struct Condition {
  SmallVector<HalfSpace> bounds;
  bool isExact = true;
};

/// What a value is beyond some half-spaces.
struct Beyond {
  double number;
  SmallVector<HalfSpace> bounds;
};

/// The walk over one kernel's ops.
struct MaskReader {
  const KernelIndexing &indexing;
  size_t terms;
  llvm::SetVector<Operation *> selects;

  std::optional<HalfSpace> affine(const OperandAccess &access, int depth = kMostDepth);
  std::optional<HalfSpace> checked(HalfSpace affine, ArrayRef<int64_t> shape, Type type);
  Condition condition(const OperandAccess &access, bool negated, int depth = kMostDepth);
  std::optional<Beyond> beyond(const OperandAccess &access, int depth = kMostDepth);
  std::optional<Beyond> beyondSelect(ArrayRef<OperandAccess> operands, Operation *op, int depth);
  ArrayRef<OperandAccess> operandsOf(Operation *op) const {
    auto it = indexing.accesses.find(op);
    return it == indexing.accesses.end() ? ArrayRef<OperandAccess>() : ArrayRef<OperandAccess>(it->second);
  }
};

} // namespace

//===-- Positions --------------------------------------------------------------------------------------===//

/// The function where all of its values are ones of the type, and few enough for 32 bits.
std::optional<HalfSpace> MaskReader::checked(HalfSpace affine, ArrayRef<int64_t> shape, Type type) {
  SmallVector<int64_t> zeros(shape.size(), 0);
  auto [least, most] = rangeOf(affine, zeros, shape);
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  int64_t limit = std::min(kMostNumber, int64_t(1) << std::min<int64_t>(bits - 1, 32));
  for (int64_t c : affine.coefficients)
    if (std::abs(c) >= kMostNumber)
      return std::nullopt;
  if (least <= -limit || most >= limit || std::abs(affine.constant) >= kMostNumber)
    return std::nullopt;
  return affine;
}

/// Integers that are an affine function of the position.
std::optional<HalfSpace> MaskReader::affine(const OperandAccess &access, int depth) {
  Type type = getElementTypeOrSelf(access.root.getType());
  if (!type.isIntOrIndex() || type.isInteger(1) || depth == 0)
    return std::nullopt;
  std::vector<int64_t> shape = access.view.shape();
  HalfSpace result;
  result.coefficients.assign(shape.size(), 0);
  DenseElementsAttr dense;
  if (matchPattern(access.root, m_Constant(&dense))) {
    if (!dense.isSplat())
      return std::nullopt;
    APInt number = dense.getSplatValue<APInt>();
    if (!number.isSignedIntN(32))
      return std::nullopt;
    result.constant = number.getSExtValue();
    return checked(result, shape, type);
  }
  Operation *op = access.root.getDefiningOp();
  if (auto iota = dyn_cast_or_null<graph::IotaOp>(op)) {
    ArrayRef<int64_t> whole = iota.getType().getShape();
    auto view = access.view.pullBroadcast({whole[iota.getDim()]}, whole.vec(), {(int)iota.getDim()});
    if (!view)
      return std::nullopt;
    StridedView index = view->simplify();
    result.constant = index.offset();
    for (int d = 0; d < index.rank(); ++d) {
      const layout::ViewDim &dim = index.dim(d);
      auto moves = [](const layout::Mode &mode) { return mode.stride != 0 && mode.extent != 1; };
      if (!dim.isTotal())
        return std::nullopt;
      if (llvm::none_of(dim.modes, moves))
        continue;
      if (dim.modes.size() != 1)
        return std::nullopt; // a digit of the position
      result.coefficients[d] = dim.step * dim.modes.front().stride;
      result.constant += dim.start * dim.modes.front().stride;
    }
    return checked(result, shape, type);
  }
  ArrayRef<OperandAccess> operands = operandsOf(op);
  if (operands.empty())
    return std::nullopt;
  if (isMovement(op) || isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op)) {
    std::optional<HalfSpace> inner = affine(operands[0], depth - 1);
    return inner ? checked(*inner, shape, type) : inner;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<HalfSpace> lhs = affine(operands[0], depth - 1), rhs = affine(operands[1], depth - 1);
  if (!lhs || !rhs)
    return std::nullopt;
  auto isConstant = [](const HalfSpace &one) {
    return llvm::all_of(one.coefficients, [](int64_t c) { return c == 0; });
  };
  int64_t left = 1, right = isa<arith::SubIOp>(op) ? -1 : 1;
  if (isa<arith::MulIOp>(op)) {
    if (isConstant(*lhs))
      std::swap(lhs, rhs);
    if (!isConstant(*rhs))
      return std::nullopt;
    left = rhs->constant;
    right = 0;
  }
  for (auto [c, l, r] : llvm::zip_equal(result.coefficients, lhs->coefficients, rhs->coefficients))
    c = left * l + right * r;
  result.constant = left * lhs->constant + right * rhs->constant;
  return checked(result, shape, type);
}

//===-- Conditions -------------------------------------------------------------------------------------===//

Condition MaskReader::condition(const OperandAccess &access, bool negated, int depth) {
  Condition unknown{{}, false};
  Operation *op = access.root.getDefiningOp();
  ArrayRef<OperandAccess> operands = op ? operandsOf(op) : ArrayRef<OperandAccess>();
  if (operands.empty() || depth == 0)
    return unknown;
  if (isMovement(op))
    return condition(operands[0], negated, depth - 1);
  DenseElementsAttr dense;
  if (isa<arith::XOrIOp>(op) && matchPattern(operands[1].root, m_Constant(&dense)) && dense.isSplat())
    return condition(operands[0], negated != dense.getSplatValue<APInt>().isOne(), depth - 1);
  if (isa<arith::AndIOp, arith::OrIOp>(op)) {
    // Neither of two conditions, or both.
    if (isa<arith::OrIOp>(op) != negated)
      return unknown;
    Condition lhs = condition(operands[0], negated, depth - 1),
              rhs = condition(operands[1], negated, depth - 1);
    lhs.bounds.append(rhs.bounds);
    lhs.isExact &= rhs.isExact;
    return lhs;
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  std::optional<HalfSpace> lhs = compare ? affine(operands[0]) : std::nullopt,
                           rhs = compare ? affine(operands[1]) : std::nullopt;
  if (!lhs || !rhs)
    return unknown;
  std::vector<int64_t> shape = access.view.shape();
  SmallVector<int64_t> zeros(shape.size(), 0);
  using arith::CmpIPredicate;
  CmpIPredicate predicate = compare.getPredicate();
  bool isUnsigned = llvm::is_contained(
      {CmpIPredicate::ult, CmpIPredicate::ule, CmpIPredicate::ugt, CmpIPredicate::uge}, predicate);
  if (isUnsigned && (rangeOf(*lhs, zeros, shape).first < 0 || rangeOf(*rhs, zeros, shape).first < 0))
    return unknown;
  if (negated)
    predicate = arith::invertPredicate(predicate);
  // `sign` * (lhs - rhs) + `constant` >= 0
  auto halfSpace = [&](int64_t sign, int64_t constant) {
    HalfSpace bound;
    for (auto [l, r] : llvm::zip_equal(lhs->coefficients, rhs->coefficients))
      bound.coefficients.push_back(sign * (l - r));
    bound.constant = sign * (lhs->constant - rhs->constant) + constant;
    return bound;
  };
  Condition result;
  switch (predicate) {
  case CmpIPredicate::slt:
  case CmpIPredicate::ult:
    result.bounds = {halfSpace(-1, -1)};
    break;
  case CmpIPredicate::sle:
  case CmpIPredicate::ule:
    result.bounds = {halfSpace(-1, 0)};
    break;
  case CmpIPredicate::sgt:
  case CmpIPredicate::ugt:
    result.bounds = {halfSpace(1, -1)};
    break;
  case CmpIPredicate::sge:
  case CmpIPredicate::uge:
    result.bounds = {halfSpace(1, 0)};
    break;
  case CmpIPredicate::eq:
    result.bounds = {halfSpace(1, 0), halfSpace(-1, 0)};
    break;
  case CmpIPredicate::ne:
    return unknown;
  }
  for (const HalfSpace &bound : result.bounds)
    if (bound.coefficients[terms] == 0 || !checked(bound, shape, IndexType::get(compare.getContext())))
      return unknown;
  return result;
}

//===-- Terms ------------------------------------------------------------------------------------------===//

std::optional<Beyond> MaskReader::beyondSelect(ArrayRef<OperandAccess> operands, Operation *op, int depth) {
  std::optional<double> whenTrue = splatNumber(operands[1].root), whenFalse = splatNumber(operands[2].root);
  // Of two numbers that of masked places is the lower one.
  bool isTrue = whenTrue && (!whenFalse || *whenTrue < *whenFalse);
  std::optional<double> number = isTrue ? whenTrue : whenFalse;
  if (!number)
    return std::nullopt;
  Condition kept = condition(operands[0], /*negated=*/isTrue);
  Beyond result{*number, kept.bounds};
  if (kept.isExact && !kept.bounds.empty())
    selects.insert(op);
  const OperandAccess &other = operands[isTrue ? 2 : 1];
  if (std::optional<Beyond> inner = beyond(other, depth - 1); inner && inner->number == *number)
    result.bounds.append(inner->bounds);
  return result;
}

std::optional<Beyond> MaskReader::beyond(const OperandAccess &access, int depth) {
  Operation *op = access.root.getDefiningOp();
  ArrayRef<OperandAccess> operands = op ? operandsOf(op) : ArrayRef<OperandAccess>();
  if (operands.empty() || depth == 0 || !isa<FloatType>(getElementTypeOrSelf(access.root.getType())))
    return std::nullopt;
  if (isa<arith::SelectOp>(op))
    return beyondSelect(operands, op, depth);
  auto isMasked = [](const std::optional<Beyond> &value) { return value && value->number <= kMaskLimit; };
  std::optional<Beyond> lhs = beyond(operands[0], depth - 1);
  if (isMovement(op) || isa<arith::ExtFOp, arith::TruncFOp>(op))
    return lhs;
  if (isa<arith::AddFOp>(op)) {
    std::optional<Beyond> rhs = beyond(operands[1], depth - 1);
    if (!isMasked(lhs) || !isMasked(rhs))
      return isMasked(lhs) ? lhs : isMasked(rhs) ? rhs : std::nullopt;
    lhs->number = std::max(lhs->number, rhs->number);
    lhs->bounds.append(rhs->bounds);
    return lhs;
  }
  if (isa<arith::MulFOp, arith::DivFOp>(op)) {
    std::optional<double> factor = splatNumber(operands[1].root);
    if (!factor && isa<arith::MulFOp>(op)) {
      factor = splatNumber(operands[0].root);
      lhs = beyond(operands[1], depth - 1);
    }
    if (!lhs || !factor || !std::isfinite(*factor) || !(*factor > 0))
      return std::nullopt;
    lhs->number = isa<arith::DivFOp>(op) ? lhs->number / *factor : lhs->number * *factor;
    return lhs;
  }
  if (isa<arith::SubFOp>(op)) {
    // Relative to the maximum of the same elements.
    auto most = operands[1].root.getDefiningOp<graph::ReduceOp>();
    bool isRelative = most && most.getKind() == graph::ReduceKind::Max && indexing.contains(most) &&
                      operandsOf(most)[0].root == operands[0].root;
    return isRelative && isMasked(lhs) ? lhs : std::nullopt;
  }
  if (isa<math::ExpOp, math::Exp2Op>(op) && isMasked(lhs))
    return Beyond{0, lhs->bounds};
  if (isa<math::AbsFOp>(op) && lhs && lhs->number == 0)
    return lhs;
  return std::nullopt;
}

/// Whether each row keeps a term, as far as that is simple to say: bounds that move one term at a time.
static bool keepsOneInEachRow(ArrayRef<HalfSpace> bounds, size_t terms, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> zeros(extents.size(), 0), rows(extents);
  rows[terms] = 1;
  // The first place, and the last one, of a row as functions of the other indices.
  SmallVector<HalfSpace> firsts(1), lasts(1);
  firsts[0].coefficients.assign(extents.size(), 0);
  lasts[0].coefficients.assign(extents.size(), 0);
  lasts[0].constant = extents[terms] - 1;
  for (const HalfSpace &bound : bounds) {
    HalfSpace place = bound;
    int64_t step = std::exchange(place.coefficients[terms], 0);
    if (std::abs(step) != 1)
      return false;
    if (step < 0) {
      lasts.push_back(place);
      continue;
    }
    for (int64_t &c : place.coefficients)
      c = -c;
    place.constant = -place.constant;
    firsts.push_back(place);
  }
  for (const HalfSpace &first : firsts)
    for (const HalfSpace &last : lasts) {
      HalfSpace length = last;
      for (auto [c, f] : llvm::zip_equal(length.coefficients, first.coefficients))
        c -= f;
      length.constant -= first.constant;
      if (rangeOf(length, zeros, rows).first < 0)
        return false;
    }
  return true;
}

std::optional<KeptTerms> tilewright::keptTerms(const KernelIndexing &indexing, ArrayRef<Operation *> ops,
                                               size_t terms) {
  if (!indexing.isChain())
    return std::nullopt;
  MaskReader reader{indexing, terms, {}};
  KeptTerms result;
  bool isFirst = true, isFinite = false;
  std::vector<int64_t> extents;
  for (Operation *op : ops) {
    auto reduce = op == indexing.anchorOp ? cast<graph::ReductionOpInterface>(op) : graph::asReduction(op);
    if (!reduce)
      continue;
    // Terms of a product are nothing where they are zero, whatever they are multiplied with.
    double identity = 0;
    if (op != indexing.anchorOp) {
      auto number =
          reduce.getIdentity().size() == 1 ? dyn_cast<FloatAttr>(reduce.getIdentity().front()) : FloatAttr();
      if (!number || reduce.needsIndex())
        return std::nullopt;
      identity = number.getValueAsDouble();
    }
    const OperandAccess &access = indexing.accesses.find(op)->second[0];
    std::optional<Beyond> beyond = reader.beyond(access);
    bool isLowest =
        beyond && identity == -std::numeric_limits<double>::infinity() && beyond->number <= kMaskLimit;
    if (!beyond || (beyond->number != identity && !isLowest))
      return std::nullopt;
    isFinite |= beyond->number != identity;
    extents = access.view.shape();
    if (isFirst)
      for (const HalfSpace &bound : beyond->bounds)
        if (!llvm::is_contained(result.bounds, bound))
          result.bounds.push_back(bound);
    llvm::erase_if(result.bounds,
                   [&](const HalfSpace &bound) { return !llvm::is_contained(beyond->bounds, bound); });
    isFirst = false;
  }
  if (result.bounds.empty() || (isFinite && !keepsOneInEachRow(result.bounds, terms, extents)))
    return std::nullopt;
  for (Operation *select : reader.selects) {
    ArrayRef<OperandAccess> operands = reader.operandsOf(select);
    std::optional<double> whenTrue = splatNumber(operands[1].root), whenFalse = splatNumber(operands[2].root);
    bool negated = whenTrue && (!whenFalse || *whenTrue < *whenFalse);
    if (llvm::all_of(reader.condition(operands[0], negated).bounds,
                     [&](const HalfSpace &bound) { return llvm::is_contained(result.bounds, bound); }))
      result.selects.push_back({select, negated ? 2u : 1u});
  }
  return result;
}

KeptTerms::Range KeptTerms::rangeAt(size_t along, ArrayRef<int64_t> extents, ArrayRef<int64_t> starts,
                                    ArrayRef<int64_t> sizes) const {
  Range range{0, extents[along], 0, extents[along]};
  for (const HalfSpace &bound : bounds) {
    HalfSpace others = bound;
    int64_t step = std::exchange(others.coefficients[along], 0);
    auto [least, most] = rangeOf(others, starts, sizes);
    if (step < 0) {
      range.end = std::min(range.end, floorDiv(most, -step) + 1);
      range.wholeEnd = std::min(range.wholeEnd, floorDiv(least, -step) + 1);
    } else {
      range.first = std::max(range.first, ceilDiv(-most, step));
      range.wholeFirst = std::max(range.wholeFirst, ceilDiv(-least, step));
    }
  }
  range.end = std::max(range.end, range.first);
  return range;
}
