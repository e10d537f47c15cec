// fuse-align-operands: operands of products are copied to rows that the tensor memory accelerator can copy.
//
// A bf16 matrix of 4099 columns has rows that start at any even byte: warps load it element by element, and
// the product runs at a fifth of its speed. A copy with 4160 columns, zeros in the last ones, costs two
// passes over the operand and changes no sum. Rows of whole 16 bytes would do; those of whole lines of L2
// come in half as many of them, and a step of K takes a line of each row anyhow.

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEALIGNOPERANDS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Rows that can be copied start at multiples of so many bytes; those of a copy at multiples of a line, where
/// they are at least so many lines long.
static constexpr int64_t kRowBytes = 16, kLineBytes = 128, kWideLines = 4;
/// Microseconds that a product of 1e9 operations loses on unaligned rows, that copying a megabyte takes (read
/// and written), and that a kernel takes to start.
static constexpr double kLossPerGigaflop = 4.8, kCopyPerMegabyte = 0.7, kStart = 2.5;
/// Microseconds that 64 elements of K take longer when they are loaded so many bytes at a time, however small
/// the product: loads of one step wait for those of the last.
static double lossPerStep(int64_t unit) { return unit <= 2 ? 0.85 : unit == 4 ? 0.25 : 0.12; }
static constexpr int64_t kStepElems = 64;

namespace {

/// An operand and the tensor that lies in memory behind it.
struct Operand {
  Value value, base;
  TransposeOp transpose;
  /// Dimension of the operand along which memory is contiguous, from the end: 1 is the last.
  int64_t contiguous = 1;

  RankedTensorType type() const { return cast<RankedTensorType>(value.getType()); }
  int64_t size(int64_t fromEnd) const { return type().getDimSize(type().getRank() - fromEnd); }
  int64_t elementBytes() const { return type().getElementTypeBitWidth() / 8; }
  int64_t rowBytes() const { return size(contiguous) * elementBytes(); }
  bool isAligned() const { return rowBytes() % kRowBytes == 0; }
};

} // namespace

/// Widened copies by what they are of and what is behind it.
using Copies = DenseMap<std::pair<Value, Attribute>, Value>;

static Operand operandOf(Value value) {
  Operand operand{value, value, value.getDefiningOp<TransposeOp>(), 1};
  if (!operand.transpose)
    return operand;
  operand.base = operand.transpose.getInput();
  ArrayRef<int64_t> permutation = operand.transpose.getPermutation();
  int64_t rank = permutation.size();
  for (int64_t d = 0; d < rank; ++d)
    if (permutation[d] == rank - 1)
      operand.contiguous = rank - d;
  return operand;
}

/// The operand with its last two dimensions widened by zeros: a copy, which a kernel of its own makes. Along
/// `kept`, from the end, the product sees no more than there was: there the copy only spaces rows.
static Value widened(OpBuilder &builder, const Operand &operand, int64_t beforeLast, int64_t last,
                     int64_t kept, Copies &copies) {
  RankedTensorType type = operand.type();
  int64_t rank = type.getRank();
  SmallVector<int64_t> added(rank, 0), low(rank, 0);
  added[rank - 2] = beforeLast - operand.size(2);
  added[rank - 1] = last - operand.size(1);
  if (llvm::all_of(added, [](int64_t n) { return n == 0; }))
    return operand.value;
  // Around the base, so that the copy has its order of dimensions.
  SmallVector<int64_t> high = added;
  if (operand.transpose)
    for (auto [d, from] : llvm::enumerate(TransposeOp(operand.transpose).getPermutation()))
      high[from] = added[d];
  auto base = cast<RankedTensorType>(operand.base.getType());
  SmallVector<int64_t> shape(base.getShape());
  for (int64_t d = 0; d < rank; ++d)
    shape[d] += high[d];
  Location loc = operand.value.getLoc();
  auto zero = cast<TypedAttr>(builder.getZeroAttr(base.getElementType()));
  DenseI64ArrayAttr after = builder.getDenseI64ArrayAttr(high);
  Value &pad = copies[{operand.base, after}];
  if (!pad)
    pad = PadOp::create(builder, loc, base.clone(shape), operand.base, builder.getDenseI64ArrayAttr(low),
                        after, zero);
  Value copy = pad;
  SmallVector<int64_t> wide(type.getShape()), offsets(rank, 0), strides(rank, 1);
  for (int64_t d = 0; d < rank; ++d)
    wide[d] += added[d];
  if (operand.transpose)
    copy = TransposeOp::create(builder, loc, type.clone(wide), pad,
                               TransposeOp(operand.transpose).getPermutationAttr());
  if (added[rank - kept] == 0)
    return copy;
  wide[rank - kept] -= added[rank - kept];
  return SliceOp::create(builder, loc, type.clone(wide), copy, offsets, strides);
}

static void align(MatmulOp matmul, bool always, Copies &copies) {
  Operand lhs = operandOf(matmul.getLhs()), rhs = operandOf(matmul.getRhs());
  auto result = cast<RankedTensorType>(matmul.getType());
  int64_t rank = result.getRank();
  if (lhs.type().getElementTypeBitWidth() != 16 || rank < 2 || lhs.type().getRank() != rank ||
      rhs.type().getRank() != rank || lhs.contiguous > 2 || rhs.contiguous > 2 ||
      (lhs.isAligned() && rhs.isAligned()))
    return;
  int64_t m = lhs.size(2), k = lhs.size(1), n = rhs.size(1);
  // Each unaligned operand widens the dimension along which it is contiguous.
  auto aligned = [&](int64_t size) {
    int64_t bytes = size * lhs.elementBytes(),
            unit = bytes >= kWideLines * kLineBytes ? kLineBytes : kRowBytes;
    return (int64_t)llvm::alignTo(bytes, unit) / lhs.elementBytes();
  };
  int64_t wideM = !lhs.isAligned() && lhs.contiguous == 2 ? aligned(m) : m;
  int64_t wideN = !rhs.isAligned() && rhs.contiguous == 1 ? aligned(n) : n;
  bool widensK = (!lhs.isAligned() && lhs.contiguous == 1) || (!rhs.isAligned() && rhs.contiguous == 2);
  int64_t wideK = widensK ? aligned(k) : k;
  double gain = kLossPerGigaflop * 2e-9 * (double)k * (double)result.getNumElements(), cost = 0;
  for (const Operand *operand : {&lhs, &rhs})
    if (int64_t bytes = operand->rowBytes(); !operand->isAligned())
      gain = std::max(gain, (double)k / kStepElems * lossPerStep(bytes & -bytes));
  auto copied = [&](const Operand &operand) {
    return kStart +
           kCopyPerMegabyte * 1e-6 * (double)(operand.type().getNumElements() * operand.elementBytes());
  };
  cost += wideM != m || wideK != k ? copied(lhs) : 0;
  cost += wideN != n || wideK != k ? copied(rhs) : 0;
  if (!always && gain < 1.5 * cost)
    return;
  OpBuilder builder(matmul);
  matmul.getLhsMutable().assign(widened(builder, lhs, wideM, wideK, /*kept=*/2, copies));
  matmul.getRhsMutable().assign(widened(builder, rhs, wideK, wideN, /*kept=*/1, copies));
}

namespace {
struct AlignOperands : fuse::impl::FuseAlignOperandsBase<AlignOperands> {
  using Base::Base;
  void runOnOperation() override {
    // In one block only: a copy serves the products behind the one that it was made for.
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](MatmulOp matmul) { products.push_back(matmul); });
    DenseMap<Block *, Copies> copies;
    for (MatmulOp matmul : products)
      align(matmul, always, copies[matmul->getBlock()]);
  }
};
} // namespace
