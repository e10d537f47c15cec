// The pass target-expand-math: one pattern for every function, which widens 16-bit floats, picks the
// approximation for fastmath<afn>, and otherwise writes the expansion from Functions.h.
#include "Tilewright/Target/Passes.h"

#include "Functions.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tilewright {
#define GEN_PASS_DEF_TARGETEXPANDMATH
#include "Tilewright/Target/Passes.h.inc"
} // namespace tilewright

using namespace mlir;
using namespace tilewright;
using namespace tilewright::math;
using llvm::ArrayRef;

static constexpr double log2e = 1.44269504088896340736;

namespace {
/// How a function is expanded.
struct Expansion {
  /// Writes the result from operands in f32 or f64.
  std::function<Term(ArrayRef<Term>)> exact;
  /// Writes PTX's approximation from f32 scalars; empty where there is none.
  std::function<Value(OpBuilder &, Location, ValueRange)> approximate;
  /// Writes the result from an f32 operand in a range with the chip's approximations, to a few ulps; empty
  /// where `exact` serves.
  std::function<Term(Term, FloatRange)> onChip = {};
  /// Whether the approximation serves on the chip where the formula may be replaced (fuse-approximate-math).
  bool mayBeRounded = false;
};
} // namespace

/// Whether these flags let another formula stand for an op's, whose results are rounded to 16 bits, and no
/// approximation in any case.
static bool mayBeReplaced(arith::FastMathFlagsAttr flags) {
  return flags && bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::reassoc) &&
         !bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::afn);
}

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

static bool wideIsF32(Type type) { return getElementTypeOrSelf(type).isF32(); }

/// The approximation of each element of a vector, or of a scalar.
static Value approximateElements(const Expansion &expansion, OpBuilder &builder, Location loc, Type type,
                                 ValueRange operands) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return expansion.approximate(builder, loc, operands);
  SmallVector<Value> elements;
  SmallVector<int64_t> strides = computeStrides(vector.getShape());
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Value> scalars;
    for (Value operand : operands)
      scalars.push_back(vector::ExtractOp::create(builder, loc, operand, delinearize(i, strides)));
    elements.push_back(expansion.approximate(builder, loc, scalars));
  }
  return vector::FromElementsOp::create(builder, loc, vector, elements);
}

namespace {
/// `%y = math.exp %x : bf16`
///   ==>
/// `%wide = arith.extf %x`, e^wide in f32, `%y = arith.truncf`
struct ExpandFunction : RewritePattern {
  ExpandFunction(StringRef name, MLIRContext *context, Expansion expansion, bool onChip)
      : RewritePattern(name, /*benefit=*/1, context), expansion(std::move(expansion)), onChip(onChip) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    Location loc = op->getLoc();
    Type type = op->getResult(0).getType();
    Type element = getElementTypeOrSelf(type);
    if (!element.isF16() && !element.isBF16() && !element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "only f16, bf16, f32 and f64 are expanded");
    if (!isa<FloatType, VectorType>(type))
      return rewriter.notifyMatchFailure(op, "only scalars and vectors are expanded");
    bool widened = !element.isF32() && !element.isF64();
    Type wide = widened ? withElement(type, rewriter.getF32Type()) : type;
    SmallVector<Value> operands(op->getOperands());
    for (Value &operand : operands)
      if (widened && isa<FloatType>(getElementTypeOrSelf(operand.getType())))
        operand = arith::ExtFOp::create(rewriter, loc, wide, operand);

    auto fastMath = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
    bool fast = fastMath && arith::bitEnumContainsAll(fastMath.getValue(), arith::FastMathFlags::afn);
    fast |= onChip && expansion.mayBeRounded && mayBeReplaced(fastMath);
    Value result;
    if (fast && expansion.approximate && !element.isF64()) {
      result = approximateElements(expansion, rewriter, loc, wide, operands);
    } else if (bool takesChip = onChip && expansion.onChip && wideIsF32(wide); takesChip || expansion.exact) {
      Emitter emitter(rewriter, loc, wide);
      SmallVector<Term> terms;
      for (Value operand : operands)
        terms.push_back(emitter.wrap(operand));
      result = (takesChip ? expansion.onChip(terms[0], notedRange(op)) : expansion.exact(terms)).value;
    } else {
      return rewriter.notifyMatchFailure(op, "NVPTX selects it as it is");
    }
    if (widened)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  Expansion expansion;
  bool onChip;
};

/// `%y = math.isnan %x`  ==>  `%y = arith.cmpf uno, %x, %x`
struct ExpandClassification : RewritePattern {
  ExpandClassification(StringRef name, MLIRContext *context, std::function<Term(Term)> test)
      : RewritePattern(name, /*benefit=*/1, context), test(std::move(test)) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    Value operand = op->getOperand(0);
    Type element = getElementTypeOrSelf(operand.getType());
    if (!element.isF16() && !element.isBF16() && !element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "only f16, bf16, f32 and f64 are expanded");
    if (!element.isF32() && !element.isF64())
      operand = arith::ExtFOp::create(rewriter, op->getLoc(),
                                      withElement(operand.getType(), rewriter.getF32Type()), operand);
    Emitter emitter(rewriter, op->getLoc(), operand.getType());
    rewriter.replaceOp(op, test(emitter.wrap(operand)).value);
    return success();
  }

  std::function<Term(Term)> test;
};

/// Integer powers by squaring: as many steps as the exponent has bits.
struct ExpandIntegerPower : OpRewritePattern<::mlir::math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(::mlir::math::IPowIOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    auto constant = [&](int64_t value) -> Value {
      TypedAttr scalar = rewriter.getIntegerAttr(getElementTypeOrSelf(type), value);
      if (auto vector = dyn_cast<VectorType>(type))
        scalar = DenseElementsAttr::get(vector, Attribute(scalar));
      return arith::ConstantOp::create(rewriter, loc, scalar);
    };
    Value one = constant(1), zero = constant(0);
    Value base = op.getLhs(), exponent = op.getRhs(), result = one;
    for (unsigned bit = 0; bit + 1 < bits; ++bit) {
      Value set = arith::AndIOp::create(rewriter, loc,
                                        arith::ShRUIOp::create(rewriter, loc, exponent, constant(bit)), one);
      set = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, set, zero);
      Value times = arith::MulIOp::create(rewriter, loc, result, base);
      result = arith::SelectOp::create(rewriter, loc, set, times, result);
      base = arith::MulIOp::create(rewriter, loc, base, base);
    }
    // A negative power of 1 is 1, of -1 is 1 or -1; of anything else the quotient is 0.
    Value lhs = op.getLhs();
    Value isOne = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, lhs, one);
    Value isMinusOne = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, lhs, constant(-1));
    Value odd = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                      arith::AndIOp::create(rewriter, loc, exponent, one), zero);
    Value sign = arith::SelectOp::create(rewriter, loc, odd, constant(-1), one);
    Value inverse = arith::SelectOp::create(rewriter, loc, isMinusOne, sign, zero);
    inverse = arith::SelectOp::create(rewriter, loc, isOne, one, inverse);
    Value negative = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, exponent, zero);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, negative, inverse, result);
    return success();
  }
};

/// `%s, %c = math.sincos %x`  ==>  the sine and the cosine, whose common reduction CSE joins
struct SplitSincos : OpRewritePattern<::mlir::math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(::mlir::math::SincosOp op, PatternRewriter &rewriter) const override {
    auto flags = op.getFastmath();
    Value sine = ::mlir::math::SinOp::create(rewriter, op.getLoc(), op.getOperand(), flags);
    Value cosine = ::mlir::math::CosOp::create(rewriter, op.getLoc(), op.getOperand(), flags);
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
};

/// `%e = math.erf %x; %y = arith.addf %e, 1.0`  ==>  `%n = arith.negf %x; %y = math.erfc %n`
struct AddErfToErfc : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddFOp op, PatternRewriter &rewriter) const override {
    auto erf = op.getLhs().getDefiningOp<::mlir::math::ErfOp>();
    Value other = op.getRhs();
    if (!erf) {
      erf = op.getRhs().getDefiningOp<::mlir::math::ErfOp>();
      other = op.getLhs();
    }
    if (!erf || !matchPattern(other, m_OneFloat()))
      return rewriter.notifyMatchFailure(op, "not 1 + erf(x)");
    Value negative = arith::NegFOp::create(rewriter, op.getLoc(), erf.getOperand());
    rewriter.replaceOpWithNewOp<::mlir::math::ErfcOp>(op, negative, erf.getFastmath());
    return success();
  }
};

/// `%e = math.erf %x; %y = arith.subf 1.0, %e`  ==>  `%y = math.erfc %x`
struct SubErfToErfc : OpRewritePattern<arith::SubFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SubFOp op, PatternRewriter &rewriter) const override {
    auto erf = op.getRhs().getDefiningOp<::mlir::math::ErfOp>();
    if (!erf || !matchPattern(op.getLhs(), m_OneFloat()))
      return rewriter.notifyMatchFailure(op, "not 1 - erf(x)");
    rewriter.replaceOpWithNewOp<::mlir::math::ErfcOp>(op, erf.getOperand(), erf.getFastmath());
    return success();
  }
};

/// `%q = arith.divf %x, %y : f32`  ==>  `%q = ptx.div_full %x, %y : f32`
/// Quotients that are then rounded to an integer keep theirs: a last bit there is a whole step here.
struct DivideOnChip : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    if (!wideIsF32(op.getType()) || !isa<FloatType, VectorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32");
    if (bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "NVPTX selects its approximation");
    if (isRoundedToInteger(op.getResult()))
      return rewriter.notifyMatchFailure(op, "the quotient is rounded to an integer");
    Emitter emitter(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(
        op, chip::emitQuotient(emitter.wrap(op.getLhs()), emitter.wrap(op.getRhs()), notedRange(op)).value);
    return success();
  }
};

/// `%t = math.tanh %x fastmath<reassoc>; %y = arith.addf %t, 1.0 : f32`  ==>  2 / (1 + e^-2x), and for 1 -
/// tanh(x) that of -x
struct OneAndTanhOnChip : RewritePattern {
  OneAndTanhOnChip(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<arith::AddFOp, arith::SubFOp>(op) || !wideIsF32(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "not a sum of f32");
    Type type = op->getResult(0).getType();
    if (!isa<FloatType, VectorType>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar or a vector");
    Value one = op->getOperand(0), other = op->getOperand(1);
    if (isa<arith::AddFOp>(op) && !matchPattern(one, m_OneFloat()))
      std::swap(one, other);
    auto tanh = other.getDefiningOp<::mlir::math::TanhOp>();
    if (!tanh || !matchPattern(one, m_OneFloat()) || !mayBeReplaced(tanh.getFastmathAttr()))
      return rewriter.notifyMatchFailure(op, "not 1 + tanh(x), or the formula may not be replaced");
    Emitter emitter(rewriter, op->getLoc(), type);
    Term x = emitter.wrap(tanh.getOperand());
    rewriter.replaceOp(op, chip::emitOneAndTanh(isa<arith::AddFOp>(op) ? x : -x).value);
    return success();
  }
};

/// `%y = math.exp %x fastmath<reassoc> : f32`  ==>  `%y = ptx.ex2 (x * log2 e)`
struct ExponentialOnChip : OpRewritePattern<::mlir::math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(::mlir::math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!wideIsF32(op.getType()) || !isa<FloatType, VectorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32");
    if (!mayBeReplaced(op.getFastmathAttr()))
      return rewriter.notifyMatchFailure(op, "the formula may not be replaced, or is an approximation");
    Emitter emitter(rewriter, op.getLoc(), op.getType());
    FloatRange range = notedRange(op);
    range = {range.least * log2e, range.largest * log2e};
    rewriter.replaceOp(op, chip::emitExp2(emitter.wrap(op.getOperand()) * log2e, range).value);
    return success();
  }
};

/// `%y = math.sqrt %x : f32`  ==>  `%y = ptx.sqrt_approx %x : f32`
struct RootOnChip : OpRewritePattern<::mlir::math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(::mlir::math::SqrtOp op, PatternRewriter &rewriter) const override {
    if (!wideIsF32(op.getType()) || !isa<FloatType, VectorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32");
    Emitter emitter(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, chip::emitSqrt(emitter.wrap(op.getOperand()), notedRange(op)).value);
    return success();
  }
};

struct TargetExpandMathPass : tilewright::impl::TargetExpandMathBase<TargetExpandMathPass> {
  using TargetExpandMathBase::TargetExpandMathBase;

  void runOnOperation() override {
    RewritePatternSet before(&getContext()), patterns(&getContext());
    populateMathPreparationPatterns(before);
    // Before the expansions, whose own quotients and roots stay.
    if (onChip) {
      noteRanges(getOperation());
      divideBySharedDivisors(getOperation());
      before.add<DivideOnChip, ExponentialOnChip, OneAndTanhOnChip, RootOnChip>(&getContext());
    }
    walkAndApplyPatterns(getOperation(), std::move(before));
    populateExpandMathPatterns(patterns, onChip);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    dropRanges(getOperation());
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Value constantF32(OpBuilder &builder, Location loc, double value) {
  return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
}

/// An approximation that is one instruction.
template <typename Op> static Value one(OpBuilder &builder, Location loc, ValueRange x) {
  return Op::create(builder, loc, x[0].getType(), x[0]);
}

/// 2^x, zero where it is subnormal: to scale it up and down again would take three instructions more.
static Value powerOfTwo(OpBuilder &builder, Location loc, Value x) {
  return ptx::Ex2Op::create(builder, loc, x.getType(), x, /*ftz=*/true);
}

/// 2^(x * scale)
static Value approximateExp2(OpBuilder &builder, Location loc, Value x, double scale) {
  Value scaled = arith::MulFOp::create(builder, loc, x, constantF32(builder, loc, scale));
  return powerOfTwo(builder, loc, scaled);
}

/// log2(x) * scale
static Value approximateLog2(OpBuilder &builder, Location loc, Value x, double scale) {
  Value log = ptx::Lg2Op::create(builder, loc, x.getType(), x);
  return arith::MulFOp::create(builder, loc, log, constantF32(builder, loc, scale));
}

static Value approximatePow(OpBuilder &builder, Location loc, ValueRange xy) {
  Value log = ptx::Lg2Op::create(builder, loc, xy[0].getType(), xy[0]);
  Value power = arith::MulFOp::create(builder, loc, log, xy[1]);
  return powerOfTwo(builder, loc, power);
}

/// erfc(x) as 2^(a Q(a)) of a = |x|, mirrored for x < 0: Q is the least-squares fit of log2(erfc(a)) / a on
/// [0, 9.3], reweighted to equal errors (utils/math/fit_erfc.py); relative error 2^-15.
static Value approximateErfc(OpBuilder &builder, Location loc, ValueRange x) {
  static constexpr double q[] = {-1.627908706665039,      -0.9172372817993164,    -0.15293815732002258,
                                 0.034836992621421814,    -0.005827132146805525,  0.0006787663442082703,
                                 -5.1558225095504895e-05, 2.2802905732532963e-06, -4.435623779386333e-08};
  auto real = [&](double value) { return constantF32(builder, loc, value); };
  Value a = ::mlir::math::AbsFOp::create(builder, loc, x[0]);
  // Beyond, 2^(a Q(a)) is zero; the bound keeps the polynomial finite.
  a = arith::MinimumFOp::create(builder, loc, a, real(14.0));
  Value sum = real(q[8]);
  for (int i = 7; i >= 0; --i)
    sum = ::mlir::math::FmaOp::create(builder, loc, sum, a, real(q[i]));
  Value exponent = arith::MulFOp::create(builder, loc, sum, a);
  Value tail = powerOfTwo(builder, loc, exponent);
  Value mirrored = arith::SubFOp::create(builder, loc, real(2.0), tail);
  Value negative = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x[0], real(0.0));
  return arith::SelectOp::create(builder, loc, negative, mirrored, tail);
}

void tilewright::populateMathPreparationPatterns(RewritePatternSet &patterns) {
  patterns.add<AddErfToErfc, SubErfToErfc, SplitSincos>(patterns.getContext());
  populateRoundToIntegerPatterns(patterns);
}

void tilewright::populateExpandMathPatterns(RewritePatternSet &patterns, bool onChip) {
  MLIRContext *context = patterns.getContext();
  auto add = [&](StringRef name, Expansion expansion) {
    patterns.add(std::make_unique<ExpandFunction>(name, context, std::move(expansion), onChip));
  };
  auto unary = [](Term (*function)(Term)) { return [=](ArrayRef<Term> x) { return function(x[0]); }; };
  auto binary = [](Term (*function)(Term, Term)) {
    return [=](ArrayRef<Term> x) { return function(x[0], x[1]); };
  };
  constexpr double ln2 = 0.69314718055994530942, log10Of2 = 0.30102999566398119521;

  add("math.exp", {unary(emitExp),
                   [=](OpBuilder &b, Location l, ValueRange x) { return approximateExp2(b, l, x[0], log2e); },
                   chip::emitExp});
  add("math.exp2",
      {unary(emitExp2), [](OpBuilder &b, Location l, ValueRange x) { return powerOfTwo(b, l, x[0]); },
       chip::emitExp2});
  add("math.expm1", {unary(emitExpm1), {}});
  add("math.log", {unary(emitLog),
                   [=](OpBuilder &b, Location l, ValueRange x) { return approximateLog2(b, l, x[0], ln2); },
                   chip::emitLog});
  add("math.log2", {unary(emitLog2), one<ptx::Lg2Op>});
  add("math.log10", {unary(emitLog10), [=](OpBuilder &b, Location l, ValueRange x) {
                       return approximateLog2(b, l, x[0], log10Of2);
                     }});
  add("math.log1p", {unary(emitLog1p), {}});
  add("math.sinh", {unary(emitSinh), {}});
  add("math.cosh", {unary(emitCosh), {}});
  add("math.tanh", {unary(emitTanh), one<ptx::TanhOp>, chip::emitTanh});
  add("math.asinh", {unary(emitAsinh), {}});
  add("math.acosh", {unary(emitAcosh), {}});
  add("math.atanh", {unary(emitAtanh), {}});
  add("math.erf", {unary(emitErf), {}, chip::emitErf});
  add("math.erfc", {unary(emitErfc), approximateErfc, chip::emitErfc, /*mayBeRounded=*/true});
  add("math.sin", {unary(emitSin), one<ptx::SinOp>});
  add("math.cos", {unary(emitCos), one<ptx::CosOp>});
  add("math.tan", {unary(emitTan), {}});
  add("math.asin", {unary(emitAsin), {}});
  add("math.acos", {unary(emitAcos), {}});
  add("math.atan", {unary(emitAtan), {}});
  add("math.atan2", {binary(emitAtan2), {}});
  add("math.cbrt", {unary(emitCbrt), {}});
  add("math.rsqrt", {unary(emitRsqrt), one<ptx::RsqrtOp>, chip::emitRsqrt});
  add("math.sqrt", {{}, one<ptx::SqrtApproxOp>, {}});
  add("math.powf", {binary(emitPow), approximatePow});
  add("arith.remf", {binary(emitRemainder), {}});
  add("math.clampf", {[](ArrayRef<Term> x) { // value, least, greatest; not a number stays
                        Term low = select(x[0] < x[1], x[1], x[0]);
                        return select(low > x[2], x[2], low);
                      },
                      {}});
  add("math.fpowi", {binary(emitPowInteger), {}});

  auto classify = [&](StringRef name, std::function<Term(Term)> test) {
    patterns.add(std::make_unique<ExpandClassification>(name, context, std::move(test)));
  };
  classify("math.isnan", [](Term x) { return isNaN(x); });
  classify("math.isinf", [](Term x) { return equal(abs(x), x.emitter->infinity()); });
  classify("math.isfinite", [](Term x) { return isFinite(x); });
  classify("math.isnormal",
           [](Term x) { return isFinite(x) & logicalNot(abs(x) < x.emitter->leastNormal()); });
  patterns.add<ExpandIntegerPower>(context);
}
