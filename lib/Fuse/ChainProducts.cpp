// fuse-chain-products: where the terms of a product are made of another product's result, the division by the
// sum of a row's terms goes behind the second product, and both are marked to become one kernel.

#include "ChainProducts.h"

#include "Tilewright/Analysis/KeptTerms.h"
#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Fuse/Passes.h"
#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSECHAINPRODUCTS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Rows of a block's tile, those of half a tile, and the share of the tensor cores' peak that products reach.
static constexpr int64_t kBlockRows = 128, kFewRows = 64;
static constexpr double kProductShare = 0.65;
/// Instructions that one term takes between the products, and what is left of the shorter of both where one
/// product runs beside the terms of the next step (tile-overlap-steps), or beside those of other warpgroups.
/// On an H200, 4x16x4096 rows without a mask: 599 TFLOP/s of 128 columns, 688 where steps overlap, which
/// leave nothing; 508 of 64 columns, where two fifths are left.
static constexpr double kTermInstructions = 8.6, kLeftOver = 0.25;
/// Terms of a step.
static constexpr int64_t kStepTerms = 128;
/// Shares of the memory's bandwidth that one multiprocessor can take.
static constexpr double kSharesOfOne = 2.5;

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static int64_t elementsOf(Value value) { return cast<RankedTensorType>(value.getType()).getNumElements(); }

//===-- What is one chain --------------------------------------------------------------------------===//

namespace {
/// The ops behind and before others within one block.
struct Slices {
  const MaterializedOps &materialized;

  bool isMember(Operation *op) const {
    return !isa<arith::ConstantOp, graph::WeightOp>(op) && (!isMovement(op) || materialized.contains(op));
  }
  /// What is computed from `start`, through movement, up to other products.
  llvm::SetVector<Operation *> from(Operation *start) const {
    llvm::SetVector<Operation *> found;
    SmallVector<Operation *> worklist = {start};
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      for (Operation *user : op->getUsers())
        if (user->getNumResults() == 1 && found.insert(user) && !isa<graph::MatmulOp>(user))
          worklist.push_back(user);
    }
    return found;
  }
};
} // namespace

/// Whether `value` is computed of numbers and indices alone, in few steps; adds what computes it to `ops`.
static bool comesFromNoMemory(Value value, llvm::SetVector<Operation *> &ops, int depth = 8) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isSplatConstant(value))
    return true;
  bool computes = isa<graph::IotaOp>(op) || graph::isElementwise(op);
  if ((!computes && !isMovement(op)) || isa<graph::WeightOp>(op))
    return false;
  llvm::SetVector<Operation *> own;
  for (Value operand : op->getOperands())
    if (!comesFromNoMemory(operand, own, depth - 1))
      return false;
  ops.insert(own.begin(), own.end());
  if (computes)
    ops.insert(op);
  return true;
}

std::optional<ProductChain> fuse::chainOfProducts(graph::MatmulOp outer, const MaterializedOps &materialized,
                                                  std::string &why) {
  Slices slices{materialized};
  // Backwards from the terms to the products that they are made of.
  llvm::SetVector<Operation *> behind;
  llvm::SetVector<Operation *> products;
  SmallVector<Value> worklist = {outer.getLhs()};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || op->getNumResults() != 1 || !behind.insert(op))
      continue;
    if (isa<graph::MatmulOp>(op)) {
      products.insert(op);
      continue;
    }
    // What lies between is elementwise, or a row's reduction.
    if (isMovement(op) || graph::isElementwise(op) || isa<graph::ReduceOp>(op))
      llvm::append_range(worklist, op->getOperands());
  }
  // A mask may be made of another product: the chain's own one has the terms' shape.
  llvm::SetVector<Operation *> own;
  for (Operation *product : products)
    if (shapeOf(product->getResult(0)) == shapeOf(outer.getLhs()))
      own.insert(product);
  if (outer.getGroups() ||
      llvm::any_of(own, [](Operation *op) { return cast<graph::MatmulOp>(op).getGroups(); })) {
    why = "rows are multiplied by groups";
    return std::nullopt;
  }
  if (own.size() != 1) {
    why = own.empty() ? "the terms are made of no product" : "the terms are made of several products";
    return std::nullopt;
  }
  ProductChain chain;
  chain.outer = outer;
  chain.inner = cast<graph::MatmulOp>(own.front());
  llvm::SetVector<Operation *> ahead = slices.from(chain.inner), members;
  members.insert(chain.inner);
  for (Operation *op : behind)
    if (ahead.contains(op))
      members.insert(op);
  members.insert(outer);
  // What the result is combined with of the same rows: the division by their sum.
  if (outer->hasOneUse()) {
    Operation *user = *outer->getUsers().begin();
    if (isa<arith::DivFOp, arith::MulFOp>(user) && user->getOperand(0) == outer.getResult()) {
      MovementChain other = chainOf(user->getOperand(1), materialized);
      Operation *sum = other.root.getDefiningOp();
      if (isa_and_present<graph::ReduceOp>(sum) && ahead.contains(sum)) {
        members.insert(sum);
        members.insert(user);
      }
    }
  }
  llvm::SetVector<Operation *> all;
  for (Operation *op : members) {
    if (!slices.isMember(op))
      continue;
    all.insert(op);
    if (isa<graph::MatmulOp>(op))
      continue;
    for (Value operand : op->getOperands())
      if (MovementChain from = chainOf(operand, materialized);
          from.root.getDefiningOp() && !members.contains(from.root.getDefiningOp()))
        comesFromNoMemory(from.root, all);
  }
  for (Operation *op : all)
    if (op->getBlock() != outer->getBlock()) {
      why = "not all of it stands in one block";
      return std::nullopt;
    }
  chain.ops.assign(all.begin(), all.end());
  llvm::sort(chain.ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return chain;
}

//===-- The division by a row's sum ----------------------------------------------------------------===//

namespace {
/// `outer`'s terms as a quotient: [truncf](terms / broadcast(sum)), the sum a value for each row.
struct Quotient {
  arith::TruncFOp rounding;
  arith::DivFOp division;
  Value sum;
};
} // namespace

static std::optional<Quotient> quotientOf(graph::MatmulOp outer) {
  Quotient result;
  Value terms = outer.getLhs();
  if ((result.rounding = terms.getDefiningOp<arith::TruncFOp>())) {
    if (!result.rounding->hasOneUse())
      return std::nullopt;
    terms = result.rounding.getIn();
  }
  result.division = terms.getDefiningOp<arith::DivFOp>();
  if (!result.division || !result.division->hasOneUse())
    return std::nullopt;
  auto broadcast = result.division.getRhs().getDefiningOp<graph::BroadcastOp>();
  if (!broadcast || !isa_and_present<graph::ReduceOp>(broadcast.getInput().getDefiningOp()))
    return std::nullopt;
  // One value for each row, in the order of the batch dimensions and rows.
  int64_t rank = (int64_t)shapeOf(terms).size();
  if (!llvm::equal(broadcast.getDims(), llvm::seq<int64_t>(0, rank - 1)))
    return std::nullopt;
  result.sum = broadcast.getInput();
  return result;
}

/// Whether the sum of a row's terms cannot but be of the terms: what stands above it in the quotient.
static bool isSumOf(Value sum, Value terms) {
  auto reduce = sum.getDefiningOp<graph::ReduceOp>();
  return reduce && reduce.getKind() == graph::ReduceKind::Sum && reduce.getInput() == terms;
}

/// (terms / sum) * rhs as (terms * rhs) / sum.
static graph::MatmulOp divideBehind(IRRewriter &rewriter, graph::MatmulOp outer, Quotient quotient) {
  Location loc = outer.getLoc(), ofDivision = quotient.division.getLoc();
  rewriter.setInsertionPoint(outer);
  Value terms = quotient.division.getLhs();
  auto result = cast<RankedTensorType>(outer.getType());
  RankedTensorType wide = result.clone(getElementTypeOrSelf(terms.getType()));
  if (quotient.rounding)
    terms = arith::TruncFOp::create(rewriter, quotient.rounding.getLoc(), quotient.rounding.getType(), terms);
  auto product =
      graph::MatmulOp::create(rewriter, loc, wide, terms, outer.getRhs(), outer.getPrecisionAttr());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, result.getRank() - 1));
  Value sums = graph::BroadcastOp::create(rewriter, ofDivision, wide, quotient.sum, dims);
  Value divided = arith::DivFOp::create(rewriter, ofDivision, product.getResult(), sums);
  if (wide != result)
    divided = arith::TruncFOp::create(rewriter, loc, result, divided);
  rewriter.replaceOp(outer, divided);
  for (Operation *op :
       {quotient.rounding ? quotient.rounding.getOperation() : nullptr, quotient.division.getOperation()})
    if (op && op->use_empty())
      rewriter.eraseOp(op);
  return product;
}

//===-- Masks that are added ---------------------------------------------------------------------------===//

/// What outweighs every score (graph-raise-attention).
static constexpr double kMaskLimit = -1e30;

namespace {
/// A mask to add: zero where `condition` is `keeps`, else `number`.
struct AddedMask {
  Value condition;
  bool keeps;
  double number;
};
} // namespace

/// `value` as such a mask, its condition moved as the mask is.
static std::optional<AddedMask> addedMask(OpBuilder &builder, Value value) {
  SmallVector<Operation *> moves;
  Operation *op = value.getDefiningOp();
  for (; op && isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp, arith::ExtFOp>(op);
       op = op->getOperand(0).getDefiningOp())
    if (!isa<arith::ExtFOp>(op))
      moves.push_back(op);
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  std::optional<double> whenTrue = select ? splatNumber(select.getTrueValue()) : std::nullopt,
                        whenFalse = select ? splatNumber(select.getFalseValue()) : std::nullopt;
  if (!whenTrue || !whenFalse || !isa<RankedTensorType>(select.getCondition().getType()))
    return std::nullopt;
  bool keeps = *whenTrue == 0;
  double number = keeps ? *whenFalse : *whenTrue;
  if ((keeps ? *whenTrue : *whenFalse) != 0 || !(number <= kMaskLimit))
    return std::nullopt;
  Value condition = select.getCondition();
  for (Operation *move : llvm::reverse(moves)) {
    Operation *copy = builder.clone(*move);
    copy->setOperand(0, condition);
    auto type = cast<RankedTensorType>(move->getResult(0).getType());
    copy->getResult(0).setType(type.clone(builder.getI1Type()));
    condition = copy->getResult(0);
  }
  return AddedMask{condition, keeps, number};
}

/// Erases what computes the values and is read by nothing.
static void eraseUnused(IRRewriter &rewriter, SmallVector<Value> unused) {
  while (!unused.empty()) {
    Operation *dead = unused.pop_back_val().getDefiningOp();
    if (!dead || !isOpTriviallyDead(dead))
      continue;
    llvm::append_range(unused, dead->getOperands());
    rewriter.eraseOp(dead);
  }
}

/// select(c, f * x, -inf) as f * select(c, x, -inf): the factor stands where all of a row has it. False where
/// the select has none.
static bool scaleSelected(IRRewriter &rewriter, arith::SelectOp select) {
  for (unsigned kept : {1u, 2u}) {
    auto product = select->getOperand(kept).getDefiningOp<arith::MulFOp>();
    std::optional<double> factor = product ? splatNumber(product.getRhs()) : std::nullopt,
                          mask = splatNumber(select->getOperand(3 - kept));
    if (!factor || !mask || !product->hasOneUse() || !(*factor > 0) || std::isinf(*factor) ||
        *mask != -std::numeric_limits<double>::infinity())
      continue;
    rewriter.setInsertionPoint(select);
    Value whenTrue = select.getTrueValue(), whenFalse = select.getFalseValue();
    (kept == 1 ? whenTrue : whenFalse) = product.getLhs();
    Value chosen =
        arith::SelectOp::create(rewriter, select.getLoc(), select.getCondition(), whenTrue, whenFalse);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(select, chosen, product.getRhs(), product.getFastmath());
    eraseUnused(rewriter, {product.getResult()});
    return true;
  }
  return false;
}

/// x + select(c, 0, mask) as select(c, x, mask), for one of the chain's ops: what a mask keeps is left as it
/// is.
static void selectScores(IRRewriter &rewriter, const ProductChain &chain) {
  for (Operation *op : chain.ops) {
    auto add = dyn_cast<arith::AddFOp>(op);
    if (!add)
      continue;
    rewriter.setInsertionPoint(add);
    Value scores = add.getLhs();
    std::optional<AddedMask> mask = addedMask(rewriter, add.getRhs());
    if (!mask) {
      scores = add.getRhs();
      mask = addedMask(rewriter, add.getLhs());
    }
    if (!mask)
      continue;
    // The sum of a score and a finite mask is that mask.
    auto type = cast<RankedTensorType>(add.getType());
    Attribute element = rewriter.getFloatAttr(type.getElementType(), mask->number);
    Value number = arith::ConstantOp::create(rewriter, add.getLoc(), DenseElementsAttr::get(type, element));
    SmallVector<Value> unused(add->getOperands());
    auto select = rewriter.replaceOpWithNewOp<arith::SelectOp>(
        add, mask->condition, mask->keeps ? scores : number, mask->keeps ? number : scores);
    eraseUnused(rewriter, unused);
    scaleSelected(rewriter, select);
    return;
  }
  for (Operation *op : chain.ops)
    if (auto select = dyn_cast<arith::SelectOp>(op); select && scaleSelected(rewriter, select))
      return;
}

//===-- What it takes ------------------------------------------------------------------------------===//

namespace {
struct Times {
  double one = 0, apart = 0;
};
} // namespace

/// Steps of a multiprocessor that takes its share of all blocks of `height` rows, where masks leave some out:
/// the longest block's at least. Nullopt where no mask does.
static std::optional<int64_t> stepsOfShare(ProductChain chain, int64_t height, int64_t sms) {
  std::string why;
  std::optional<KernelIndexing> indexing = KernelIndexing::solve(chain.ops, {}, why);
  if (!indexing || !indexing->isChain())
    return std::nullopt;
  // The division by the sum stands in front of the second product as yet.
  SmallVector<Operation *> between(chain.ops);
  llvm::erase(between, chain.outer.getOperation());
  size_t rows = indexing->chainRows(), along = indexing->chainTerms();
  std::optional<KeptTerms> kept = keptTerms(*indexing, between, along);
  if (!kept)
    return std::nullopt;
  ArrayRef<int64_t> extents = indexing->domain;
  int64_t matrices = 1, longest = 0, all = 0;
  for (int64_t extent : extents.take_front(rows))
    matrices *= extent;
  // Of the first matrix, which others are like.
  SmallVector<int64_t> starts(extents.size(), 0), sizes(extents.size(), 1);
  sizes[rows] = height;
  for (; starts[rows] < extents[rows]; starts[rows] += height) {
    KeptTerms::Range range = kept->rangeAt(along, extents, starts, sizes);
    int64_t steps = (int64_t)llvm::divideCeil(range.end, kStepTerms) - range.first / kStepTerms;
    longest = std::max(longest, steps);
    all += matrices * steps;
  }
  return std::max(longest, (int64_t)llvm::divideCeil(all, sms));
}

/// Both products and what lies between them, in microseconds, as one kernel and as several.
static Times model(ProductChain chain, const Arch &arch) {
  ArrayRef<int64_t> terms = shapeOf(chain.inner.getResult());
  int64_t rows = terms[terms.size() - 2], count = terms.back(), depth = shapeOf(chain.inner.getLhs()).back(),
          columns = shapeOf(chain.outer.getRhs()).back();
  int64_t matrices = elementsOf(chain.inner.getResult()) / (rows * count), sms = arch.numSMs;
  auto blocksOf = [&](int64_t height, int64_t n, int64_t width) {
    return matrices * (int64_t)(llvm::divideCeil(rows, height) * llvm::divideCeil(n, width));
  };
  // Blocks multiply whole tiles, of half as many rows where they would be few.
  bool isFew = 2 * blocksOf(kBlockRows, 1, 1) <= sms;
  int64_t height = isFew ? kFewRows : kBlockRows, blocks = blocksOf(height, 1, 1);
  double peak = arch.bf16TFlops * 1e6 * kProductShare, issue = arch.fp32TFlops * 0.5e6;
  double ofProducts = 2.0 * (double)(depth + columns) / peak, between = kTermInstructions / issue;
  bool overlaps = arch.wgmma && count > kStepTerms;
  double ofTerm = std::max(ofProducts, between) + (overlaps ? kLeftOver : 1) * std::min(ofProducts, between);
  ofTerm *= (double)sms;
  double ofBlocks = (double)llvm::divideCeil(blocks, sms) * (double)(height * count) * ofTerm;
  if (std::optional<int64_t> steps = stepsOfShare(chain, height, sms))
    ofBlocks = std::min(ofBlocks, (double)(*steps * height * kStepTerms) * ofTerm);
  double operands = 2.0 * (double)(elementsOf(chain.inner.getLhs()) + elementsOf(chain.inner.getRhs()) +
                                   elementsOf(chain.outer.getRhs()) + elementsOf(chain.outer.getResult()));
  double busy = std::min(1.0, (double)blocks / (double)sms), bandwidth = arch.hbmGBps * 1e3;
  double memory = operands / bandwidth / std::min(1.0, kSharesOfOne * busy);
  Times times;
  times.one = std::max(ofBlocks, memory) + arch.nodeMicroseconds;
  // Terms are stored, read, stored and read again in 16 bits: in the cache where they fit.
  double elements = (double)elementsOf(chain.inner.getResult());
  bool fits = 2 * elements < arch.l2Bytes / 2;
  double ofTerms = 8 * elements / ((fits ? arch.l2GBps : arch.hbmGBps) * 1e3);
  auto product = [&](int64_t n, int64_t k) {
    double flops = 2.0 * (double)(matrices * rows) * (double)n * (double)k;
    return flops / peak / std::min(1.0, (double)blocksOf(kFewRows, n, kFewRows) / (double)sms);
  };
  times.apart = std::max(product(count, depth) + product(columns, count), operands / bandwidth) + ofTerms +
                3 * arch.nodeMicroseconds;
  return times;
}

/// Why one kernel does not take the chain; empty when it does.
static std::string refusal(ProductChain chain, const Arch &arch) {
  if (std::string why = whyNoChain(chain.inner, chain.outer); !why.empty())
    return why;
  int64_t elements = elementsOf(chain.inner.getResult()), terms = shapeOf(chain.inner.getResult()).back();
  if (elements == 0)
    return "there is nothing to compute";
  // Those are cut into pieces by fuse-split-reductions.
  if (int64_t rows = elements / terms; rows <= (int64_t)arch.numSMs / 2)
    return llvm::formatv("{0} rows would leave most multiprocessors idle", rows).str();
  return "";
}

namespace {
struct ChainProducts : fuse::impl::FuseChainProductsBase<ChainProducts> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation()->emitError() << error;
      return signalPassFailure();
    }
    SmallVector<graph::MatmulOp> products;
    getOperation()->walk([&](graph::MatmulOp op) { products.push_back(op); });
    for (graph::MatmulOp product : products)
      choose(product, *arch);
  }

  void choose(graph::MatmulOp outer, const Arch &arch) {
    std::string why;
    std::optional<ProductChain> chain = chainOfProducts(outer, {}, why);
    // Where no row's reduction stands between them each is a product like others.
    std::optional<Quotient> quotient = quotientOf(outer);
    if (!chain || (!quotient && !outer.getReference()))
      return;
    auto refuse = [&](StringRef reason) {
      emitRemark(outer, Remark::ChainRefused, outer.getOperation(), reason);
    };
    if (why = refusal(*chain, arch); !why.empty())
      return refuse(why);
    Times times = model(*chain, arch);
    if (!always && times.one > times.apart)
      return refuse(
          llvm::formatv("it would take {0:f2} us, several kernels {1:f2} us", times.one, times.apart).str());
    if (quotient && !isSumOf(quotient->sum, quotient->division.getLhs()))
      return refuse("its terms are divided by what is no sum of them");
    // exp(x - max) is at most 1.
    bool isSmall = quotient ? (bool)quotient->sum.getDefiningOp<graph::ReduceOp>().getReference()
                            : (bool)outer.getReference();
    if (!isSmall && getElementTypeOrSelf(outer.getLhs().getType()).isF16())
      return refuse("its terms may be more than f16 holds before they are divided");
    IRRewriter rewriter(outer->getContext());
    if (quotient)
      outer = divideBehind(rewriter, outer, *quotient);
    if ((chain = chainOfProducts(outer, {}, why)))
      selectScores(rewriter, *chain);
    chain = chainOfProducts(outer, {}, why);
    if (!chain || !KernelIndexing::solve(chain->ops, {}, why))
      return emitRemark(outer, Remark::ChainRefused, outer.getOperation(), why);
    outer->setAttr(kChainAttrName, UnitAttr::get(outer->getContext()));
    emitRemark(outer, Remark::ChainFused, outer.getOperation(), 8 * elementsOf(chain->inner.getResult()),
               times.one, times.apart);
  }
};
} // namespace
