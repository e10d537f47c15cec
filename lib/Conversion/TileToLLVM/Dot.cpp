// Products on the tensor cores: mma.sync m16n8k16 for 16-bit floats, m16n8k8 for tf32, m16n8k32 for bytes,
// over the fragments that the operands' layouts hold.

#include "Patterns.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

/// Distance between the fragments of one warp along `dim`: what registers cover there in one step,
/// `fragment`, times the warps along it.
static int64_t fragmentStride(const LinearLayout &layout, int dim, int64_t fragment) {
  int64_t warps = 1;
  for (const layout::Coord &basis : layout.bases(layout::Hw::Warp))
    if (basis[dim] != 0)
      warps *= 2;
  return fragment * warps;
}

namespace {

/// The registers of one operand by their place in the fragment.
struct Fragments {
  const LinearLayout &layout;
  ValueRange registers;

  FailureOr<Value> at(int64_t row, int64_t column) const {
    layout::Coord offset(layout.rank(), 0);
    offset[layout.rank() - 2] = (int32_t)row;
    offset[layout.rank() - 1] = (int32_t)column;
    std::optional<int> r = layout.registerAt(offset);
    if (!r)
      return failure();
    return Value(registers[*r]);
  }
};

struct DotPattern : OpConversionPattern<tile::DotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tile::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout a = layoutOf(op.getLhs().getType()), b = layoutOf(op.getRhs().getType()),
                 c = layoutOf(op.getType());
    Type element = getElementTypeOrSelf(op.getLhs().getType());
    bool ofBytes = element.isInteger(8) && getElementTypeOrSelf(op.getType()).isInteger(32);
    if (!element.isF16() && !element.isBF16() && !(element.isF32() && op.getTf32()) && !ofBytes)
      return op.emitError() << "products of " << element
                            << " have no matrix instruction; run tile-stage-products";
    int rank = c.rank();
    int64_t m = c.shape()[rank - 2], n = c.shape()[rank - 1], k = a.shape()[rank - 1];
    int64_t perWord = element.isF32() ? 1 : ofBytes ? 4 : 2, instructionK = 8 * perWord;
    int64_t strideM = fragmentStride(c, rank - 2, 16), strideN = fragmentStride(c, rank - 1, 8);
    Fragments lhs{a, adaptor.getLhs()}, rhs{b, adaptor.getRhs()};
    if (m % strideM || n % strideN || k % instructionK)
      return op.emitError() << "tile shape " << m << "x" << n << "x" << k
                            << " is not a multiple of mma shape " << strideM << "x" << strideN << "x"
                            << instructionK;
    SmallVector<Value> results(adaptor.getAccumulator());
    // One 32-bit word of an operand: consecutive elements along K.
    auto word = [&](const Fragments &fragments, int64_t row, int64_t column,
                    bool alongColumns) -> FailureOr<Value> {
      SmallVector<Value> values;
      for (int64_t e = 0; e < perWord; ++e) {
        FailureOr<Value> value = fragments.at(row + (alongColumns ? 0 : e), column + (alongColumns ? e : 0));
        if (failed(value))
          return failure();
        values.push_back(*value);
      }
      if (element.isF32())
        return Value(ptx::CvtRnaTf32Op::create(rewriter, loc, rewriter.getI32Type(), values[0]));
      if (element.isF16()) {
        Value vector = LLVM::PoisonOp::create(rewriter, loc, VectorType::get({2}, element));
        for (int64_t e = 0; e < 2; ++e)
          vector =
              LLVM::InsertElementOp::create(rewriter, loc, vector, values[e], constantInt(rewriter, loc, e));
        return vector;
      }
      return packVector(rewriter, loc, values);
    };
    Type sum = ofBytes ? Type(rewriter.getI32Type()) : rewriter.getF32Type();
    Type resultType = LLVM::LLVMStructType::getLiteral(rewriter.getContext(), SmallVector<Type>(4, sum));
    NVVM::MMATypes mmaType = element.isF16()    ? NVVM::MMATypes::f16
                             : element.isBF16() ? NVVM::MMATypes::bf16
                             : ofBytes          ? NVVM::MMATypes::s8
                                                : NVVM::MMATypes::tf32;
    // Sums of bytes lose what 32 bits do not hold, as integers do.
    std::optional<NVVM::MMAIntOverflow> overflow;
    if (ofBytes)
      overflow = NVVM::MMAIntOverflow::wrapped;
    // Words of the operands, each built once: A by (row, k), B by (k, column).
    DenseMap<std::pair<int64_t, int64_t>, Value> lhsWords, rhsWords;
    for (int64_t kk = 0; kk < k; kk += instructionK)
      for (int64_t mi = 0; mi < m; mi += strideM)
        for (int64_t ni = 0; ni < n; ni += strideN) {
          SmallVector<Value> aWords, bWords, cValues;
          int64_t half = instructionK / 2;
          for (auto [row, column] : {std::pair{0, 0}, {8, 0}, {0, 1}, {8, 1}}) {
            Value &cached = lhsWords[{mi + row, kk + column * half}];
            if (!cached) {
              FailureOr<Value> built = word(lhs, mi + row, kk + column * half, true);
              if (failed(built))
                return op.emitError() << "the left operand's layout is no mma fragment";
              cached = *built;
            }
            aWords.push_back(cached);
          }
          for (int64_t part : {0, 1}) {
            Value &cached = rhsWords[{kk + part * half, ni}];
            if (!cached) {
              FailureOr<Value> built = word(rhs, kk + part * half, ni, false);
              if (failed(built))
                return op.emitError() << "the right operand's layout is no mma fragment";
              cached = *built;
            }
            bWords.push_back(cached);
          }
          SmallVector<int> places;
          for (auto [row, column] : {std::pair{0, 0}, {0, 1}, {8, 0}, {8, 1}}) {
            layout::Coord offset(rank, 0);
            offset[rank - 2] = (int32_t)(mi + row);
            offset[rank - 1] = (int32_t)(ni + column);
            std::optional<int> r = c.registerAt(offset);
            if (!r)
              return op.emitError() << "the accumulator's layout is no mma fragment";
            places.push_back(*r);
            cValues.push_back(results[*r]);
          }
          Value product = NVVM::MmaOp::create(
              rewriter, loc, resultType, aWords, bWords, cValues, ArrayRef<int64_t>{16, 8, instructionK},
              /*b1Op=*/std::nullopt, overflow, std::array<NVVM::MMATypes, 2>{mmaType, mmaType},
              std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
          for (auto [i, r] : llvm::enumerate(places))
            results[r] = LLVM::ExtractValueOp::create(rewriter, loc, product, ArrayRef<int64_t>{(int64_t)i});
        }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void tilewright::populateDotPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<DotPattern>(converter, patterns.getContext());
}
