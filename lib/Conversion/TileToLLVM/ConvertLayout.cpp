// Layout conversions that stay within a thread or a warp: register moves and shuffles, emitted from the plan.

#include "Patterns.h"

using namespace mlir;
using namespace tilewright;

/// The entry of `values` that `select` names.
static Value emitSelect(OpBuilder &builder, Location loc, ThreadIndex &thread, ArrayRef<Value> values,
                        const layout::LaneSelect &select) {
  if (values.size() == 1)
    return values[0];
  Value index = thread.emit(select), chosen = values[0];
  for (size_t i = 1; i < values.size(); ++i) {
    Value here =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index, constantInt(builder, loc, i));
    chosen = arith::SelectOp::create(builder, loc, here, values[i], chosen);
  }
  return chosen;
}

static SmallVector<Value> emitShuffles(OpBuilder &builder, Location loc, const layout::Shuffles &plan,
                                       ValueRange registers) {
  ThreadIndex thread(builder, loc);
  SmallVector<Value> shuffled;
  for (const layout::Shuffle &step : plan.shuffles) {
    SmallVector<Value> offers = llvm::map_to_vector(step.offer, [&](int r) { return Value(registers[r]); });
    Value offer = emitSelect(builder, loc, thread, offers, step.offerSelect);
    if (step.isLocal) {
      shuffled.push_back(offer);
      continue;
    }
    if (step.isButterfly) {
      shuffled.push_back(
          shuffle(builder, loc, offer, constantInt(builder, loc, step.laneXor), /*butterfly=*/true));
      continue;
    }
    Value source = thread.emit(step.sourceLane);
    if (!source)
      source = constantInt(builder, loc, 0);
    if (step.laneXor)
      source = arith::XOrIOp::create(builder, loc, source, constantInt(builder, loc, step.laneXor));
    shuffled.push_back(shuffle(builder, loc, offer, source, /*butterfly=*/false));
  }
  SmallVector<Value> results;
  for (const layout::ShuffleResult &result : plan.results) {
    SmallVector<Value> values = llvm::map_to_vector(result.shuffles, [&](int s) { return shuffled[s]; });
    results.push_back(emitSelect(builder, loc, thread, values, result.select));
  }
  return results;
}

namespace {
struct ConvertLayoutPattern : OpConversionPattern<tile::ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int bits = (int)tile::storageBits(getElementTypeOrSelf(op.getType()));
    auto plan = layout::conversionPlan(layoutOf(op.getInput().getType()), layoutOf(op.getType()), bits);
    if (!plan)
      return op.emitError() << "has no conversion plan";
    SmallVector<Value> results;
    if (plan->isNone())
      results.assign(adaptor.getInput().begin(), adaptor.getInput().end());
    else if (const layout::RegisterMoves *moves = plan->moves())
      for (int source : moves->map)
        results.push_back(adaptor.getInput()[source]);
    else if (const layout::Shuffles *shuffles = plan->shuffles())
      results = emitShuffles(rewriter, op.getLoc(), *shuffles, adaptor.getInput());
    else
      return op.emitError() << "goes through shared memory; run tile-expand-conversions";
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};
} // namespace

void tilewright::populateConvertLayoutPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertLayoutPattern>(converter, patterns.getContext());
}
