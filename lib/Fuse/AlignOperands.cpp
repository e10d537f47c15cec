// fuse-align-operands: operands of products are copied to rows that the tensor memory accelerator can copy.
//
// A bf16 matrix of 4099 columns has rows that start at any even byte, one of bytes at any: threads copy it
// into shared memory, an element at a time. A copy with 4160 columns costs two passes over the operand and
// changes no number: the product reads a slice of it. Rows of whole 16 bytes would do; those of whole lines
// of L2 come in half as many of them. A few rows across K, of which each place of K has a few bytes, are
// copied with K side by side. (H200, us: 4x2390 times 2390x2792, of both the transposes in memory, 14.6 with
// rows of 8 elements, 9.4 with rows of 2432; 2x2006 times 2006x6733 30.0 and 19.2.) The model of products
// says what each way takes, for each operand alone.

#include "ChainProducts.h"
#include "OperandInMemory.h"

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;
using namespace tilewright::graph;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEALIGNOPERANDS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Rows that can be copied start at multiples of so many bytes; those of a copy at multiples of a line, where
/// they are at least so many lines long.
static constexpr int64_t kRowBytes = OperandInMemory::kRowBytes, kLineBytes = 128, kWideLines = 4;
/// Microseconds that a copy takes to start and for a megabyte, read and written. What is gained is more by a
/// margin: both times are modelled.
static constexpr double kCopyStart = 1.1, kCopyPerMegabyte = 0.5, kMargin = 0.95;

/// Widened copies by what they are of and what is behind it.
using Copies = DenseMap<std::pair<Value, Attribute>, Value>;

/// Bytes of a row of the operand's copy.
static int64_t spacedRowBytes(const OperandInMemory &operand) {
  int64_t bytes = operand.size(operand.contiguous) * operand.elementBytes();
  int64_t unit = bytes >= kWideLines * kLineBytes ? kLineBytes : kRowBytes;
  // What has no place for zeros behind it would be no copy.
  return (int64_t)llvm::alignTo(bytes + (bytes % kRowBytes == 0 ? kRowBytes : 0), unit);
}

/// The operand with its contiguous dimension last, as memory has it.
static Value asInMemory(OpBuilder &builder, const OperandInMemory &operand) {
  if (operand.contiguous == 1)
    return operand.value;
  RankedTensorType type = operand.type();
  SmallVector<int64_t> swapped = llvm::to_vector(llvm::seq(type.getRank())), shape(type.getShape());
  std::swap(swapped.end()[-1], swapped.end()[-2]);
  std::swap(shape.end()[-1], shape.end()[-2]);
  if (auto transpose = operand.value.getDefiningOp<TransposeOp>();
      transpose && transpose.getPermutation() == ArrayRef<int64_t>(swapped))
    return transpose.getInput();
  return TransposeOp::create(builder, operand.value.getLoc(), type.clone(shape), operand.value,
                             builder.getDenseI64ArrayAttr(swapped));
}

/// A copy of the operand whose rows are spaced out by zeros, of which a slice is the operand: a kernel of its
/// own makes it.
static Value spacedOut(OpBuilder &builder, const OperandInMemory &operand, Copies &copies) {
  RankedTensorType type = operand.type();
  int64_t rank = type.getRank(),
          added = spacedRowBytes(operand) / operand.elementBytes() - operand.size(operand.contiguous);
  Value base = asInMemory(builder, operand);
  auto baseType = cast<RankedTensorType>(base.getType());
  // Around the base, so that the copy has its order of dimensions: the contiguous one is its last.
  SmallVector<int64_t> low(rank, 0), high(rank, 0), shape(baseType.getShape()), wide(type.getShape());
  high.back() = added;
  shape.back() += added;
  wide[rank - operand.contiguous] += added;
  Location loc = operand.value.getLoc();
  auto zero = cast<TypedAttr>(builder.getZeroAttr(baseType.getElementType()));
  DenseI64ArrayAttr after = builder.getDenseI64ArrayAttr(high);
  Value &pad = copies[{base, after}];
  if (!pad)
    pad = PadOp::create(builder, loc, baseType.clone(shape), base, builder.getDenseI64ArrayAttr(low), after,
                        zero);
  Value copy = pad;
  if (operand.contiguous == 2) {
    SmallVector<int64_t> swapped = llvm::to_vector(llvm::seq(rank));
    std::swap(swapped.end()[-1], swapped.end()[-2]);
    copy = TransposeOp::create(builder, loc, type.clone(wide), pad, builder.getDenseI64ArrayAttr(swapped));
  }
  SmallVector<int64_t> offsets(rank, 0), strides(rank, 1);
  return SliceOp::create(builder, loc, type, copy, offsets, strides);
}

static double copyMicroseconds(const OperandInMemory &operand) {
  int64_t length = operand.size(operand.contiguous), rows = operand.type().getNumElements() / length;
  return kCopyStart + kCopyPerMegabyte * 1e-6 *
                          (double)(rows * (length * operand.elementBytes() + spacedRowBytes(operand))) / 2;
}

/// Elements along the contiguous dimension of an operand of few rows, whose copy may as well have them
/// across.
static constexpr int64_t kFewElems = 32;

namespace {
/// One of the ways in which a product may take an operand.
struct Way {
  OperandInMemory operand;
  bool isCopied;
  /// Bytes from one row to the next, and the microseconds that the copy takes.
  int64_t rowBytes;
  double microseconds;
};
} // namespace

/// As it lies; spaced out; and, where few elements lie side by side, along another dimension than K, with K
/// contiguous. `ofTerms`: which dimension K is, from the end.
static SmallVector<Way> waysOf(const OperandInMemory &operand, int64_t ofTerms) {
  SmallVector<Way> ways = {{operand, false, operand.rowBytes(), 0}};
  if (operand.isAligned())
    return ways;
  ways.push_back({operand, true, spacedRowBytes(operand), copyMicroseconds(operand)});
  if (operand.contiguous == ofTerms || operand.size(operand.contiguous) > kFewElems)
    return ways;
  OperandInMemory turned = operand;
  turned.contiguous = ofTerms;
  ways.push_back({turned, true, spacedRowBytes(turned), copyMicroseconds(turned)});
  return ways;
}

static void align(MatmulOp matmul, bool always, const Arch *arch, Copies &copies) {
  // The terms of a chain lie in no memory.
  if (matmul->hasAttr(fuse::kChainAttrName))
    return;
  OperandInMemory lhs = inMemory(matmul.getLhs()), rhs = inMemory(matmul.getRhs());
  auto result = cast<RankedTensorType>(matmul.getType());
  int64_t rank = result.getRank();
  if (lhs.type().getElementTypeBitWidth() % 8 || rank < 2 || lhs.type().getRank() != rank ||
      rhs.type().getRank() != rank || !lhs.contiguous || !rhs.contiguous ||
      (lhs.isAligned() && rhs.isAligned()))
    return;
  SmallVector<Way> lhsWays = waysOf(lhs, 1), rhsWays = waysOf(rhs, 2);
  // The fastest way to take both; the plain copy of all that is not aligned where that is asked for.
  std::pair<Way, Way> best(lhsWays[lhsWays.size() > 1], rhsWays[rhsWays.size() > 1]);
  if (!always) {
    if (!arch)
      return;
    auto time = [&](const Way &ofLhs, const Way &ofRhs) {
      ProductInMemory product = describeProduct(matmul, ofLhs.operand, ofRhs.operand);
      product.lhsRowBytes = ofLhs.rowBytes;
      product.rhsRowBytes = ofRhs.rowBytes;
      return modelledProductTime(matmul.getContext(), product, *arch) + ofLhs.microseconds +
             ofRhs.microseconds;
    };
    std::optional<double> least;
    for (const Way &ofLhs : ArrayRef(lhsWays).take_front(2))
      for (const Way &ofRhs : ArrayRef(rhsWays).take_front(2)) {
        double microseconds = time(ofLhs, ofRhs);
        if (least && microseconds > kMargin * *least)
          continue;
        least = microseconds;
        best = {ofLhs, ofRhs};
      }
    // What is copied anyway may be turned.
    for (auto [way, ways] : {std::pair(&best.first, &lhsWays), {&best.second, &rhsWays}}) {
      if (!way->isCopied || ways->size() < 3)
        continue;
      Way spaced = *way;
      *way = ways->back();
      double microseconds = time(best.first, best.second);
      if (microseconds < *least)
        least = microseconds;
      else
        *way = spaced;
    }
  }
  OpBuilder builder(matmul);
  if (best.first.isCopied)
    matmul.getLhsMutable().assign(spacedOut(builder, best.first.operand, copies));
  if (best.second.isCopied)
    matmul.getRhsMutable().assign(spacedOut(builder, best.second.operand, copies));
}

namespace {
struct AlignOperands : fuse::impl::FuseAlignOperandsBase<AlignOperands> {
  using Base::Base;
  void runOnOperation() override {
    // In one block only: a copy serves the products behind the one that it was made for.
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](MatmulOp matmul) { products.push_back(matmul); });
    const Arch *arch = lookupArch(target);
    DenseMap<Block *, Copies> copies;
    for (MatmulOp matmul : products)
      align(matmul, always, arch, copies[matmul->getBlock()]);
  }
};
} // namespace
