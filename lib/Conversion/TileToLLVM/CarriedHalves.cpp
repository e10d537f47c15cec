// Loops that carry many floats of 16 bits carry them two to a register: one each would take as many registers
// as floats of 32 bits, and ptxas rounds a pair only where it is put together.
#include "Patterns.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewright;

/// Pairs from which on a loop's values are packed.
static constexpr int64_t kLeastPairs = 4;

static Value packed(OpBuilder &builder, Location loc, Value low, Value high) {
  Type pair = VectorType::get(2, low.getType());
  Value both = LLVM::PoisonOp::create(builder, loc, pair);
  both = LLVM::InsertElementOp::create(builder, loc, both, low, constantInt(builder, loc, 0));
  both = LLVM::InsertElementOp::create(builder, loc, both, high, constantInt(builder, loc, 1));
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), both);
}

static std::pair<Value, Value> unpacked(OpBuilder &builder, Location loc, Value word, Type type) {
  Value both = LLVM::BitcastOp::create(builder, loc, VectorType::get(2, type), word);
  auto element = [&](int64_t number) -> Value {
    return LLVM::ExtractElementOp::create(builder, loc, both, constantInt(builder, loc, number));
  };
  return {element(0), element(1)};
}

/// Numbers of the first of each two neighbours that are floats of 16 bits.
static SmallVector<unsigned> pairsOf(scf::ForOp loop) {
  SmallVector<unsigned> pairs;
  auto isHalf = [](Type type) { return isa<BFloat16Type, Float16Type>(type); };
  TypeRange types = loop.getResultTypes();
  for (unsigned i = 0; i + 1 < types.size(); ++i)
    if (isHalf(types[i]) && types[i] == types[i + 1])
      pairs.push_back(i++);
  return pairs;
}

void tilewright::packCarriedHalves(LLVM::LLVMFuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(function.getContext());
  for (scf::ForOp loop : loops) {
    SmallVector<unsigned> pairs = pairsOf(loop);
    if ((int64_t)pairs.size() < kLeastPairs)
      continue;
    Location loc = loop.getLoc();
    unsigned first = loop.getNumResults();
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> words;
    for (unsigned i : pairs)
      words.push_back(packed(rewriter, loc, loop.getInitArgs()[i], loop.getInitArgs()[i + 1]));
    OperandRange yielded = loop.getBody()->getTerminator()->getOperands();
    SmallVector<Value> ends(yielded.begin(), yielded.end());
    // What is carried one by one has no uses any more, and goes with LLVM's dead code.
    loop = cast<scf::ForOp>(
        *loop.replaceWithAdditionalYields(rewriter, words, /*replaceInitOperandUsesInLoop=*/false,
                                          [&](OpBuilder &builder, Location, ArrayRef<BlockArgument>) {
                                            return llvm::map_to_vector(pairs, [&](unsigned i) {
                                              return packed(builder, loc, ends[i], ends[i + 1]);
                                            });
                                          }));
    for (auto pair : llvm::enumerate(pairs)) {
      auto number = pair.index();
      unsigned i = pair.value();
      Type type = loop.getResultTypes()[i];
      auto replace = [&](ValueRange values, ValueRange carried) {
        auto [low, high] = unpacked(rewriter, loc, carried[first + number], type);
        rewriter.replaceAllUsesWith(values[i], low);
        rewriter.replaceAllUsesWith(values[i + 1], high);
      };
      rewriter.setInsertionPointToStart(loop.getBody());
      replace(loop.getRegionIterArgs(), loop.getRegionIterArgs());
      rewriter.setInsertionPointAfter(loop);
      replace(loop.getResults(), loop.getResults());
    }
  }
}
