// Asynchronous copies of a thread's own elements: which loads can become such copies, their buffers, and the
// ops of both sides.

#include "OwnCopies.h"

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
#include "Tilewright/Dialect/Tile/IR/OwnElements.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::SharedLayout;

Value Trips::number(OpBuilder &builder, Value index, Location loc) const {
  scf::ForOp own = loop;
  if (begin)
    index = arith::SubIOp::create(builder, loc, index, own.getLowerBound());
  return arith::DivUIOp::create(builder, loc, index, own.getStep());
}

std::optional<Trips> tile::tripsOf(scf::ForOp loop) {
  auto begin = getConstantIntValue(loop.getLowerBound()), end = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!begin || !end || !step || *step < 1 || *end <= *begin)
    return std::nullopt;
  return Trips{loop, *begin, *end, *step};
}

bool tile::collectChain(Value value, scf::ForOp loop, Chain &chain) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() != 0 || !isPure(op) ||
      !llvm::all_of(op->getOperands(), [&](Value operand) { return collectChain(operand, loop, chain); }))
    return false;
  chain.insert(op);
  return true;
}

bool tile::isOwned(LoadOp load) {
  LayoutAttr attr = getLayout(load.getType());
  return attr && !attr.getLayout().freeBits(layout::Hw::Lane) && !attr.getLayout().freeBits(layout::Hw::Warp);
}

SharedType tile::ownBufferOf(LoadOp load, int64_t stages) { return ownBufferOf(load.getType(), stages); }

SharedType tile::ownBufferOf(RankedTensorType type, int64_t stages) {
  layout::Shape shape(type.getShape().begin(), type.getShape().end());
  const layout::LinearLayout &layout = getLayout(type).getLayout();
  int bits = (int)storageBits(type.getElementType());
  // Along the dimension in which a thread has neighbours, so that it moves whole vectors; then as lanes lie.
  auto firstLane = [&](int dim) {
    const auto &bases = layout.bases(layout::Hw::Lane);
    return llvm::find_if(bases, [&](const auto &basis) { return basis[dim] != 0; }) - bases.begin();
  };
  std::vector<int> order = layout::LinearLayout::rowMajorOrder((int)shape.size());
  llvm::stable_sort(order, [&](int a, int b) {
    return std::tuple(-layout.contiguity(a), firstLane(a)) < std::tuple(-layout.contiguity(b), firstLane(b));
  });
  auto plain = SharedLayout::plain(shape, order);
  auto typeOf = [&](const SharedLayout &shared) {
    return SharedType::get(type.getContext(), stages, type.getElementType(), shared);
  };
  layout::SharedUse own{layout::SharedUse::Registers, layout};
  if (shape.empty() || layout::bankConflicts(plain, own, bits) == 0)
    return typeOf(plain);
  // Banks by xor terms alone: schedules have counted the bytes of the tile.
  int64_t run = std::clamp<int64_t>(layout.contiguity(order[0]) * bits / 8, 4, 16);
  SharedLayout best = layout::bestSwizzle(shape, bits, {own}, order, (int)run);
  return typeOf(best.sizeElems() == plain.sizeElems() ? best : plain);
}

bool tile::copiesOwnElements(LoadOp load) {
  if (load.getFill() || !isOwned(load))
    return false;
  SharedType buffer = ownBufferOf(load, 1);
  int fastest = buffer.getLayout().fastestDim();
  int bits = (int)storageBits(buffer.getElementType());
  VectorForm form =
      vectorForm(load, load.getView().getType().getView(), load.getDivisors(), load.getType().getShape());
  int64_t run = std::min<int64_t>(getLayout(load.getType()).getLayout().contiguity(fastest),
                                  form.view.maxVectorElems(fastest, form.divisors, bits));
  return llvm::is_contained<int64_t>({4, 8, 16}, run * bits / 8);
}

void tile::copyOwnElements(OpBuilder &builder, LoadOp load, scf::ForOp loop, Value index, Value buffer,
                           Value stage) {
  Chain chain;
  for (Value each : load->getOperands())
    collectChain(each, loop, chain);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  for (Operation *op : chain)
    builder.clone(*op, mapping);
  SmallVector<Value> indices =
      llvm::map_to_vector(load.getIndices(), [&](Value each) { return mapping.lookupOrDefault(each); });
  auto copy =
      CopyAsyncOp::create(builder, load.getLoc(), mapping.lookupOrDefault(load.getView()), indices, buffer,
                          stage, getLayout(load.getType()), load.getDivisors(), load.getInBounds());
  setAligned(copy, alignedElems(load));
}

void tile::takeOwnElements(LoadOp load, Value buffer, llvm::function_ref<Value(OpBuilder &)> stage) {
  OpBuilder builder(load);
  auto tile =
      LoadSharedOp::create(builder, load.getLoc(), load.getType(), buffer, stage(builder), ValueRange());
  tile->setAttr(kOwnElementsAttrName, builder.getUnitAttr());
  load.replaceAllUsesWith(tile.getResult());
  load.erase();
}
