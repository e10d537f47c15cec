// tile-stage-products: operands of products go through shared memory, several loop iterations ahead: in the
// stages of a ring where cp.async can fill them, in registers where it cannot; products that have no matrix
// instruction become outer products of slices in shared memory. Products of one block that share an operand
// read it from the same place. A left operand that is computed, or loaded before the loop, stays in
// registers.

#include "ConvertedOperands.h"
#include "Loops.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "Tilewright/Layout/GlobalAccess.h"
#include "Tilewright/Remarks/Remarks.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;
using layout::SharedLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESTAGEPRODUCTS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {

/// One operand of products on its way through shared memory.
struct Staged {
  /// The operand without conversions of layout; and what it is computed from, which goes that way.
  Value value;
  LoadOp load;
  /// 0: a left operand, 1: a right one; and as the products read it.
  unsigned side = 0;
  RankedTensorType fragment;
  SharedLayout shared;
  /// Division of the copy among the threads.
  LayoutAttr copyLayout;
  /// cp.async moves at least 4 bytes a piece.
  bool async = false;
  /// Buffers in shared memory, and how many iterations ahead of the product tiles are asked for: by copies
  /// into the free stages, or by loads whose results wait in registers.
  int64_t stages = 1, ahead = 0;
  Value buffer;
};

/// Products that share operands, their loop (absent when K fits one tile) and their operands, each once.
struct Products {
  KernelOp kernel;
  SmallVector<DotOp> dots;
  scf::ForOp loop;
  bool usesMma = false;
  SmallVector<Staged> operands;
  /// For each product its left and its right operand; kHeld: the tile that it has.
  SmallVector<std::array<unsigned, 2>> operandsOf;

  DotOp last() const { return dots.back(); }
  bool takes(DotOp dot) const;
  LogicalResult match();
  LogicalResult planOperand(Staged &staged);
  void planAhead();
  void allocate();
  SmallVector<Value> indicesOf(Staged &staged, Value iteration);
  void copy(OpBuilder &builder, Staged &staged, Value iteration, Value stage);
  Value load(OpBuilder &builder, Staged &staged, Value iteration);
  void multiply(OpBuilder &builder, ArrayRef<Value> stages);
  SmallVector<Value> outerProducts(OpBuilder &builder, ArrayRef<Value> stages);
  void rewriteInPlace();
  void rewriteAhead();
  LogicalResult rewrite();
  std::optional<int64_t> trips() { return loop ? tile::tripCount(loop) : std::nullopt; }
  Value isInside(OpBuilder &builder, Value iteration);
  int64_t elemsPerThread(Staged &staged);
};

} // namespace

static SmallVector<int64_t> shapeOf(Value value) {
  return llvm::to_vector(cast<RankedTensorType>(value.getType()).getShape());
}

/// In place of an operand that no ring holds.
static constexpr unsigned kHeld = ~0u;

/// Whether the product takes its left operand from registers: a tile that is computed of others, or loaded
/// elsewhere.
static bool holdsLeft(DotOp dot) {
  LoadOp load = convertedLoad(dot.getLhs());
  return productUnit(dot) == ProductUnit::MmaSync && (!load || load->getBlock() != dot->getBlock());
}

/// A fragment that comes from before the loop is converted before it.
static void convertBefore(scf::ForOp loop, Value fragment) {
  SmallVector<Operation *> conversions;
  for (auto op = fragment.getDefiningOp<ConvertLayoutOp>(); op && loop->isAncestor(op);
       op = op->getOperand(0).getDefiningOp<ConvertLayoutOp>())
    conversions.push_back(op);
  if (conversions.empty() || !loop.isDefinedOutsideOfLoop(conversions.back()->getOperand(0)))
    return;
  for (Operation *op : llvm::reverse(conversions))
    op->moveBefore(loop);
}

/// Whether `dot` can be formed with these products, at its own place: it reads a tile that they read, and
/// nothing reads their results before.
bool Products::takes(DotOp dot) const {
  DotOp first = dots.front();
  if (dot->getBlock() != first->getBlock() || dot.getType() != first.getType() ||
      productUnit(dot) != productUnit(first) || holdsLeft(dot) || holdsLeft(first))
    return false;
  for (DotOp other : dots)
    for (Operation *user : other->getUsers())
      if (Operation *inBlock = dot->getBlock()->findAncestorOpInBlock(*user);
          inBlock && (inBlock == dot || inBlock->isBeforeInBlock(dot)))
        return false;
  return llvm::any_of(ArrayRef<unsigned>{0, 1}, [&](unsigned side) {
    return convertedLoad(dot->getOperand(side)) && withoutLayoutConversions(dot->getOperand(side)) ==
                                                       withoutLayoutConversions(first->getOperand(side));
  });
}

LogicalResult Products::match() {
  usesMma = productUnit(last()) == ProductUnit::MmaSync;
  loop = dyn_cast<scf::ForOp>(last()->getParentOp());
  for (DotOp dot : dots) {
    std::array<unsigned, 2> own = {};
    for (unsigned side : {0u, 1u}) {
      if (side == 0 && holdsLeft(dot)) {
        own[side] = kHeld;
        if (loop)
          convertBefore(loop, dot.getLhs());
        continue;
      }
      Value value = withoutLayoutConversions(dot->getOperand(side));
      LoadOp load = convertedLoad(value);
      if (!load || load->getBlock() != dot->getBlock())
        return dot.emitError() << "operand #" << side << " is not loaded beside the product";
      auto fragment = cast<RankedTensorType>(dot->getOperand(side).getType());
      auto known = llvm::find_if(operands, [&](const Staged &staged) {
        return staged.value == value && staged.side == side && staged.fragment == fragment;
      });
      own[side] = (unsigned)(known - operands.begin());
      if (known != operands.end())
        continue;
      Staged &staged = operands.emplace_back();
      staged.value = value;
      staged.load = load;
      staged.side = side;
      staged.fragment = fragment;
      if (failed(planOperand(staged)))
        return failure();
    }
    operandsOf.push_back(own);
  }
  planAhead();
  return success();
}

/// Registers of a thread that may hold tiles of iterations to come, and the most iterations of one operand.
static constexpr int64_t kWaitingRegisters = 96, kWaitingTiles = 3;

int64_t Products::elemsPerThread(Staged &staged) {
  int64_t elems = 1;
  for (int64_t size : cast<RankedTensorType>(staged.load.getType()).getShape())
    elems *= size;
  return llvm::divideCeil(elems, 32 * (int64_t)kernel.getWarps());
}

/// How far each operand runs ahead. An element that is loaded by itself takes a register, whatever its width.
void Products::planAhead() {
  ScheduleAttr schedule = kernel.getSchedule();
  bool wanted = loop && schedule && schedule.getStages() > 1;
  int64_t waiting = 0;
  for (Staged &staged : operands)
    waiting += staged.async ? 0 : elemsPerThread(staged);
  for (Staged &staged : operands) {
    if (!wanted)
      continue;
    staged.ahead =
        staged.async
            ? schedule.getStages() - 1
            : std::min({kWaitingRegisters / waiting, kWaitingTiles, trips().value_or(kWaitingTiles + 1) - 1});
    staged.stages = staged.async ? schedule.getStages() : staged.ahead > 0 ? 2 : 1;
  }
  const char *reason = !loop ? "K is one step"
                       : !wanted
                           ? "the schedule has one stage"
                           : "an operand is not copied in units of 4, 8 or 16 bytes, and its tile is too "
                             "large for registers";
  // One operand that waits for memory in every iteration makes the others wait.
  if (llvm::all_of(operands, [](const Staged &staged) { return staged.ahead > 0; }))
    return;
  for (Staged &staged : operands) {
    staged.ahead = 0;
    staged.stages = 1;
  }
  emitRemark(last(), Remark::RingRefused, reason);
}

/// Bytes of shared memory that hold all stages of an operand.
static int64_t sharedBytes(Value buffer) {
  auto type = cast<SharedType>(buffer.getType());
  return type.getStages() * type.getStageBytes();
}

LogicalResult Products::planOperand(Staged &staged) {
  auto view = cast<ViewType>(staged.load.getView().getType());
  SmallVector<int64_t> shape = shapeOf(staged.load.getResult());
  int rank = (int)shape.size();
  int bits = (int)storageBits(view.getElementType());
  // The dimension with the nearest neighbours in memory, and the widest access along it.
  std::vector<int> order = layout::accessOrder(view.getView());
  llvm::stable_sort(order, [&](int a, int b) { return (shape[a] == 1) < (shape[b] == 1); });
  int fastest = order.front();
  int64_t vector = view.getView().maxVectorElems(fastest, staged.load.getDivisors().vec(), bits);
  auto orderFrom = [&](int first) {
    std::vector<int> order = {first};
    for (int d = rank - 1; d >= 0; --d)
      if (d != first)
        order.push_back(d);
    return order;
  };
  layout::Shape layoutShape(shape.begin(), shape.end()), contiguity = layoutShape;
  contiguity[fastest] = vector;
  // The outer products read slices along M or N, so these are contiguous in shared memory.
  int sharedFastest = usesMma ? fastest : staged.side == 0 ? rank - 2 : rank - 1;
  if (sharedFastest != fastest)
    vector = 1;
  int64_t elems = 1;
  for (int64_t size : shape)
    elems *= size;
  int64_t most = std::max<int64_t>(1, elems / (32 * (int64_t)kernel.getWarps()));
  vector = std::min<int64_t>({vector, (int64_t)llvm::bit_floor((uint64_t)most), shape[fastest]});
  vector = std::max<int64_t>(vector, std::min<int64_t>(contiguity[fastest], 32 / bits)); // whole words
  LinearLayout copyLayout =
      LinearLayout::coalesced(layoutShape, bits, (int)kernel.getWarps(), orderFrom(fastest),
                              (int)std::max<int64_t>(bits, vector * bits), contiguity);
  staged.copyLayout = LayoutAttr::get(kernel.getContext(), copyLayout);
  int64_t piece =
      std::min<int64_t>(copyLayout.contiguity(sharedFastest), sharedFastest == fastest ? vector : 1) * bits /
      8;
  staged.async = piece == 4 || piece == 8 || piece == 16;
  staged.async &= !staged.load.getFill();
  if (!usesMma) {
    staged.shared = SharedLayout::plain(layoutShape, orderFrom(sharedFastest), 128 / bits);
    return success();
  }
  layout::SharedUse write, read;
  write.kind = layout::SharedUse::Registers;
  write.layout = copyLayout;
  write.maxBits = (int)(vector * bits);
  // Matrix loads bring fragments of elements of their own width.
  bool asIs = staged.value == staged.load.getResult() && bits != 8;
  read.kind = asIs ? layout::SharedUse::Ldmatrix : layout::SharedUse::Registers;
  read.layout = getLayout(staged.fragment).getLayout();
  staged.shared = layout::bestSwizzle(layoutShape, bits, {write, read}, orderFrom(sharedFastest));
  if (remarksEnabled(kernel.getContext()))
    emitRemark(last(), Remark::BankConflicts, staged.side == 0 ? "left" : "right",
               layout::bankConflicts(staged.shared, write, bits),
               layout::bankConflicts(staged.shared, read, bits));
  return success();
}

/// Whether the loop comes to `iteration`.
Value Products::isInside(OpBuilder &builder, Value iteration) {
  return arith::CmpIOp::create(builder, last().getLoc(), arith::CmpIPredicate::slt, iteration,
                               loop.getUpperBound());
}

void Products::allocate() {
  OpBuilder builder(loop ? loop.getOperation() : last().getOperation());
  for (Staged &staged : operands) {
    auto view = cast<ViewType>(staged.load.getView().getType());
    auto type = SharedType::get(kernel.getContext(), staged.stages, view.getElementType(), staged.shared);
    auto alloc = AllocOp::create(builder, last().getLoc(), type, IntegerAttr());
    // After the loop only the stage of the last iteration may still be read.
    if (std::optional<int64_t> count = trips(); count && staged.stages > 1)
      alloc->setAttr(AllocOp::getLastStageAttrName(),
                     builder.getI64IntegerAttr((*count - 1) % staged.stages));
    staged.buffer = alloc;
  }
}

/// Where the operand's tile of loop iteration `iteration` (an index value that replaces the loop's) begins.
SmallVector<Value> Products::indicesOf(Staged &staged, Value iteration) {
  SmallVector<Value> indices(staged.load.getIndices());
  for (Value &index : indices)
    if (loop && index == loop.getInductionVar())
      index = iteration;
  return indices;
}

/// Copies the operand's tile of `iteration` into `stage`.
void Products::copy(OpBuilder &builder, Staged &staged, Value iteration, Value stage) {
  LoadOp load = staged.load;
  CopyAsyncOp::create(builder, load.getLoc(), load.getView(), indicesOf(staged, iteration), staged.buffer,
                      stage, staged.copyLayout, load.getDivisors(), load.getInBounds());
}

/// The operand's tile of `iteration` in registers, divided among the threads as it is stored.
Value Products::load(OpBuilder &builder, Staged &staged, Value iteration) {
  LoadOp load = staged.load;
  auto type = cast<RankedTensorType>(load.getType());
  return LoadOp::create(builder, load.getLoc(),
                        RankedTensorType::get(type.getShape(), type.getElementType(), staged.copyLayout),
                        load.getView(), indicesOf(staged, iteration), load.getDivisors(), load.getInBounds(),
                        load.getFillAttr());
}

/// Each product's acc + lhs * rhs from the stages of the operands in shared memory, in its place.
void Products::multiply(OpBuilder &builder, ArrayRef<Value> stages) {
  if (!usesMma) {
    for (auto [dot, sum] : llvm::zip_equal(dots, outerProducts(builder, stages)))
      dot.getResult().replaceAllUsesWith(sum);
    return;
  }
  Location loc = last().getLoc();
  SmallVector<Value> tiles;
  for (auto [staged, stage] : llvm::zip_equal(operands, stages)) {
    Type element = cast<SharedType>(staged.buffer.getType()).getElementType();
    tiles.push_back(LoadSharedOp::create(
        builder, loc,
        RankedTensorType::get(staged.fragment.getShape(), element, staged.fragment.getEncoding()),
        staged.buffer, stage, ValueRange()));
  }
  for (auto [staged, tile] : llvm::zip_equal(operands, tiles))
    tile = convertFrom(builder, staged.value, staged.load, tile);
  for (Value &tile : tiles)
    if (auto type = cast<RankedTensorType>(tile.getType()); isNarrowFloat(type.getElementType()))
      tile = arith::ExtFOp::create(
          builder, loc, RankedTensorType::get(type.getShape(), builder.getF16Type(), type.getEncoding()),
          tile);
  for (auto [dot, own] : llvm::zip_equal(dots, operandsOf)) {
    Value lhs = own[0] == kHeld ? dot.getLhs() : tiles[own[0]];
    dot.getResult().replaceAllUsesWith(
        DotOp::create(builder, loc, dot.getType(), lhs, tiles[own[1]], dot.getAccumulator(), dot.getTf32())
            .getResult());
  }
}

/// The products without a matrix instruction: for each k the slices lhs[:, k] and rhs[k, :], multiplied out.
SmallVector<Value> Products::outerProducts(OpBuilder &builder, ArrayRef<Value> stages) {
  Location loc = last().getLoc();
  auto type = cast<RankedTensorType>(last().getType());
  int rank = (int)type.getRank();
  const LinearLayout layout = getLayout(type).getLayout();
  int64_t k = shapeOf(operands[operandsOf.front()[0]].load.getResult()).back();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value end = arith::ConstantIndexOp::create(builder, loc, k);
  SmallVector<Value> accumulators =
      llvm::map_to_vector(dots, [](DotOp dot) -> Value { return dot.getAccumulator(); });
  auto slices = scf::ForOp::create(builder, loc, zero, end, one, accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(slices.getBody());
  SmallVector<Value> tiles;
  for (auto [staged, stage] : llvm::zip_equal(operands, stages)) {
    Type element = cast<ViewType>(staged.load.getView().getType()).getElementType();
    int dim = staged.side == 0 ? rank - 1 : rank - 2;
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = 1;
    auto projected = LayoutAttr::get(type.getContext(), layout.project(dim).layout);
    SmallVector<Value> offsets(rank, zero);
    // K is the last dimension of the left operand and the one before of the right.
    offsets[dim] = slices.getInductionVar();
    Value loaded = LoadSharedOp::create(builder, loc, RankedTensorType::get(shape, element, projected),
                                        staged.buffer, stage, offsets);
    loaded = convertFrom(builder, staged.value, staged.load, loaded);
    element = getElementTypeOrSelf(loaded.getType());
    auto wide = RankedTensorType::get(shape, type.getElementType(), projected);
    if (element != type.getElementType())
      loaded = isa<FloatType>(element) ? arith::ExtFOp::create(builder, loc, wide, loaded).getResult()
                                       : arith::ExtSIOp::create(builder, loc, wide, loaded).getResult();
    tiles.push_back(BroadcastOp::create(builder, loc, type, loaded));
  }
  SmallVector<Value> sums;
  for (auto [own, c] : llvm::zip_equal(operandsOf, slices.getRegionIterArgs())) {
    Value a = tiles[own[0]], b = tiles[own[1]];
    if (isa<FloatType>(type.getElementType()))
      sums.push_back(math::FmaOp::create(builder, loc, a, b, c));
    else
      sums.push_back(arith::AddIOp::create(builder, loc, c, arith::MulIOp::create(builder, loc, a, b)));
  }
  scf::YieldOp::create(builder, loc, sums);
  return SmallVector<Value>(slices.getResults());
}

/// Every iteration fills the buffers and waits for them.
void Products::rewriteInPlace() {
  Location loc = last().getLoc();
  OpBuilder builder(last());
  Value stage = arith::ConstantIndexOp::create(builder, loc, 0);
  Value iteration = loop ? Value(loop.getInductionVar()) : Value();
  if (loop)
    BarrierOp::create(builder, loc); // readers of the previous iteration are done
  // All are asked for before any is waited for.
  SmallVector<std::pair<Staged *, Value>> loaded;
  for (Staged &staged : operands) {
    if (staged.async)
      copy(builder, staged, iteration, stage);
    else
      loaded.push_back({&staged, load(builder, staged, iteration)});
  }
  for (auto [staged, value] : loaded)
    StoreSharedOp::create(builder, staged->load.getLoc(), value, staged->buffer, stage);
  if (loaded.size() < operands.size()) {
    CommitAsyncOp::create(builder, loc);
    WaitAsyncOp::create(builder, loc, 0);
  }
  BarrierOp::create(builder, loc);
  multiply(builder, SmallVector<Value>(operands.size(), stage));
}

/// Tiles of later iterations are under way while one is multiplied: in free stages, or in registers that the
/// loop carries, the nearest first.
void Products::rewriteAhead() {
  Location loc = last().getLoc();
  IRRewriter builder(kernel.getContext());
  builder.setInsertionPoint(loop);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  std::optional<int64_t> count = trips();
  int64_t step = *getConstantIntValue(loop.getStep()), groups = 0;
  Value begin = loop.getLowerBound();
  // Where the first iterations stand; blocks that have fewer leave those beyond out.
  auto iterationAt = [&](int64_t s) {
    if (auto low = getConstantIntValue(begin))
      return index(*low + s * step);
    return s == 0 ? begin : arith::AddIOp::create(builder, loc, begin, index(s * step)).getResult();
  };
  auto unlessBeyond = [&](Value iteration, TypeRange types, function_ref<SmallVector<Value>()> body) {
    if (count)
      return body();
    auto guard = scf::IfOp::create(builder, loc, types, isInside(builder, iteration), !types.empty());
    OpBuilder::InsertionGuard restore(builder);
    builder.setInsertionPointToStart(guard.thenBlock());
    SmallVector<Value> inside = body();
    if (types.empty())
      return inside;
    scf::YieldOp::create(builder, loc, inside);
    builder.setInsertionPointToStart(guard.elseBlock());
    SmallVector<Value> zeros;
    for (Type type : types)
      zeros.push_back(arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));
    scf::YieldOp::create(builder, loc, zeros);
    return SmallVector<Value>(guard.getResults());
  };
  SmallVector<Value> waiting;
  for (Staged &staged : operands) {
    groups = std::max(groups, staged.async ? staged.ahead : 0);
    for (int64_t s = 0; !staged.async && s < staged.ahead; ++s) {
      Value iteration = iterationAt(s);
      auto from = cast<RankedTensorType>(staged.load.getType());
      auto type = RankedTensorType::get(from.getShape(), from.getElementType(), staged.copyLayout);
      llvm::append_range(waiting, unlessBeyond(iteration, type, [&]() -> SmallVector<Value> {
                           return {load(builder, staged, iteration)};
                         }));
    }
  }
  Value firstNumber;
  if (getConstantIntValue(begin) != 0)
    firstNumber = arith::DivUIOp::create(builder, loc, begin, index(step));
  for (int64_t s = 0; s < groups; ++s) {
    Value iteration = iterationAt(s), slot = index(s);
    if (firstNumber) {
      slot = s == 0 ? firstNumber : arith::AddIOp::create(builder, loc, firstNumber, slot).getResult();
      slot = arith::RemUIOp::create(builder, loc, slot, index(groups + 1));
    }
    if (!count || s < *count)
      unlessBeyond(iteration, {}, [&]() -> SmallVector<Value> {
        for (Staged &staged : operands)
          if (staged.async)
            copy(builder, staged, iteration, slot);
        return {};
      });
    CommitAsyncOp::create(builder, loc);
  }
  int64_t bytes = 0, fewest = kWaitingTiles;
  for (Staged &staged : operands) {
    bytes += staged.async ? sharedBytes(staged.buffer) : 0;
    fewest = std::min(fewest, staged.async ? kWaitingTiles : staged.ahead);
  }
  if (groups)
    emitRemark(last(), Remark::RingStages, groups, groups + 1, bytes);
  if (!waiting.empty())
    emitRemark(last(), Remark::RegisterAhead, fewest);
  unsigned first = loop.getInitArgs().size();
  loop = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(builder, waiting, /*replaceInitOperandUsesInLoop=*/false,
                                        [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                                          return SmallVector<Value>(arguments.begin(), arguments.end());
                                        }));
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());

  // One barrier an iteration: the stage is visible to all threads, and all have left the one that is filled
  // next, which was read in the iteration before.
  builder.setInsertionPoint(last());
  Value number = arith::DivUIOp::create(builder, loc, loop.getInductionVar(), index(step));
  SmallVector<Value> stageOf;
  unsigned carried = first;
  for (auto [i, each] : llvm::enumerate(operands)) {
    Staged *staged = &each;
    auto alike = llvm::find_if(operands, [&](const Staged &other) { return other.stages == staged->stages; });
    size_t same = (size_t)(alike - operands.begin());
    Value stage = same < i ? stageOf[same]
                           : arith::RemUIOp::create(builder, loc, number, index(staged->stages)).getResult();
    stageOf.push_back(stage);
    if (staged->async)
      continue;
    ValueRange tiles = loop.getRegionIterArgs().slice(carried, staged->ahead);
    StoreSharedOp::create(builder, staged->load.getLoc(), tiles.front(), staged->buffer, stage);
    for (auto [i, tile] : llvm::enumerate(tiles.drop_front()))
      yield->setOperand(carried + i, tile);
    Value next = arith::AddIOp::create(builder, loc, loop.getInductionVar(), index(staged->ahead * step));
    Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, next, loop.getUpperBound());
    auto guard = scf::IfOp::create(builder, loc, TypeRange(tiles.front().getType()), inside,
                                   /*withElseRegion=*/true);
    OpBuilder::InsertionGuard restore(builder);
    builder.setInsertionPointToStart(guard.thenBlock());
    scf::YieldOp::create(builder, loc, load(builder, *staged, next));
    builder.setInsertionPointToStart(guard.elseBlock());
    scf::YieldOp::create(builder, loc, tiles.front());
    yield->setOperand(carried + staged->ahead - 1, guard.getResult(0));
    carried += staged->ahead;
  }
  if (groups)
    WaitAsyncOp::create(builder, loc, groups - 1);
  BarrierOp::create(builder, loc);
  if (groups) {
    Value next = arith::AddIOp::create(builder, loc, loop.getInductionVar(), index(groups * step));
    Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, next, loop.getUpperBound());
    auto guard = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard restore(builder);
      builder.setInsertionPointToStart(guard.thenBlock());
      Value nextNumber = arith::AddIOp::create(builder, loc, number, index(groups));
      Value free = arith::RemUIOp::create(builder, loc, nextNumber, index(groups + 1));
      for (Staged &staged : operands)
        if (staged.async)
          copy(builder, staged, next, free);
    }
    CommitAsyncOp::create(builder, loc);
  }
  multiply(builder, stageOf);
}

LogicalResult Products::rewrite() {
  allocate();
  if (operands.front().ahead > 0)
    rewriteAhead();
  else
    rewriteInPlace();
  SmallVector<Value> read;
  for (DotOp dot : dots)
    for (Value operand : {dot.getLhs(), dot.getRhs()})
      read.push_back(operand);
  for (DotOp dot : dots)
    dot.erase();
  eraseUnused(read);
  return success();
}

namespace {
struct StageProducts : tile::impl::TileStageProductsBase<StageProducts> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(verifyLayouts(getOperation())))
      return signalPassFailure();
    std::vector<Products> groups;
    getOperation().walk([&](DotOp dot) {
      if (productUnit(dot) == ProductUnit::Wgmma)
        return;
      auto group = llvm::find_if(groups, [&](const Products &group) { return group.takes(dot); });
      if (group == groups.end()) {
        Products &fresh = groups.emplace_back();
        fresh.kernel = getOperation();
        fresh.dots.push_back(dot);
      } else {
        group->dots.push_back(dot);
      }
    });
    for (Products &group : groups)
      if (failed(group.match()) || failed(group.rewrite()))
        return signalPassFailure();
  }
};
} // namespace
