// Which loads of an epilogue come through rings, the rings, and the epilogue's computation piece by piece.

#include "EpilogueOperands.h"
#include "Loops.h"
#include "Products.h"

#include "Tilewright/Dialect/Tile/IR/Warpgroups.h"
#include "Tilewright/Layout/AsyncAccess.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;
using layout::SharedLayout;

/// Shared memory that a block of a chip with roles may have, and what of it barriers take.
static constexpr int64_t kMostSharedBytes = 232448, kBarrierBytes = 512;
/// Slots with which a copy is under way while the one before is read.
static constexpr int64_t kLeastSlots = 2;
/// Slots of a ring at most.
static constexpr int64_t kMostSlots = 16;

int64_t tile::sharedRoom(KernelOp kernel) {
  int64_t room = kMostSharedBytes - kBarrierBytes;
  for (auto alloc : kernel.getBody().front().getOps<AllocOp>())
    if (!alloc->hasAttr(AllocOp::getBehindRingsAttrName()))
      room -= alloc.getType().getStages() * alloc.getType().getStageBytes();
  return room;
}

/// The op of the store's block behind which its products have been started: the loop over K.
static Operation *productsOf(StoreOp store) {
  Operation *last = nullptr;
  for (Operation &op : *store->getBlock())
    if (isa<scf::ForOp>(op) && op.walk([](DotAsyncOp) { return WalkResult::interrupt(); }).wasInterrupted())
      last = &op;
  return last;
}

/// How often the op's block has been entered before, by loops of the kernel that are entered once each; null
/// where something else is around it.
static Value entered(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  auto kernel = op->getParentOfType<KernelOp>();
  if (op->getParentOp() == kernel)
    return arith::ConstantIndexOp::create(builder, loc, 0);
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || loop->getParentOp() != kernel || loop->hasAttr(kNumberedAttrName))
    return Value();
  Value distance = arith::SubIOp::create(builder, loc, loop.getInductionVar(), loop.getLowerBound());
  return arith::DivUIOp::create(builder, loc, distance, loop.getStep());
}

/// Whether elements are computed from elements of the same place.
static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 && op->getNumRegions() == 0;
}

void EpilogueOperands::findBrought() {
  for (const Operand &operand : operands)
    brought.insert(operand.load);
  for (Operation &op : *store->getBlock())
    if (isElementwise(&op) && llvm::any_of(op.getOperands(), [&](Value operand) {
          return brought.contains(operand.getDefiningOp());
        }))
      brought.insert(&op);
}

void EpilogueOperands::bring(int64_t reserved) {
  auto kernel = store->getParentOfType<KernelOp>();
  Roles roles = kernel.getSchedule().getOptions().roles;
  Operation *behind = productsOf(store);
  if (roles == Roles::None || !behind)
    return;
  int64_t room = sharedRoom(kernel) - reserved;
  SetVector<Operation *> reached;
  if (Operation *op = store.getValue().getDefiningOp())
    reached.insert(op);
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i];
    if (auto load = dyn_cast<LoadOp>(op); load && load->getBlock() == store->getBlock())
      bringOne(load, behind, room);
    else if (isElementwise(op) && op->getBlock() == store->getBlock())
      for (Value operand : op->getOperands())
        if (operand.getDefiningOp())
          reached.insert(operand.getDefiningOp());
  }
  findBrought();
}

/// Makes and fills the load's ring; false: it stays a load of threads.
bool EpilogueOperands::bringOne(LoadOp load, Operation *behind, int64_t &room) {
  auto kernel = store->getParentOfType<KernelOp>();
  auto view = cast<ViewType>(load.getView().getType());
  int bits = (int)storageBits(view.getElementType()), rank = (int)shape.size();
  auto shared = SharedLayout::tma({shape.begin(), shape.end()}, bits, LinearLayout::rowMajorOrder(rank));
  std::string why;
  if (load.getFill() || getElementTypeOrSelf(load.getType()) != view.getElementType() || !shared ||
      !layout::tensorBoxes(*shared, view.getView(), load.getDivisors().vec(), bits, &why) || !why.empty())
    return false;
  // The copies stand behind the products: what they are from is known before.
  bool isKnown = llvm::all_of(load->getOperands(), [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return !op || op->getBlock() != load->getBlock() || op->isBeforeInBlock(behind);
  });
  ScheduleAttr schedule = kernel.getSchedule();
  int64_t instances = schedule.getOptions().instances();
  auto ofOne = SharedType::get(kernel.getContext(), 1, view.getElementType(), *shared);
  int64_t slots = std::min({room / ofOne.getStageBytes(), pieces * instances, kMostSlots});
  // Instances that take turns each have slots of their own, or one would take another's use for its own.
  if (!isKnown || slots < (instances > 1 ? pieces * instances : std::min(kLeastSlots, pieces)))
    return false;
  OpBuilder builder(behind);
  Value tiles = entered(builder, behind);
  if (!tiles)
    return false;
  room -= slots * ofOne.getStageBytes();
  Location loc = load.getLoc();
  OpBuilder top = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Operand operand{load, Value(), Value(), Value()};
  operand.buffer = AllocOp::create(
      top, loc, SharedType::get(kernel.getContext(), slots, view.getElementType(), *shared), IntegerAttr());
  operand.ring = RingOp::create(top, loc, RingType::get(kernel.getContext(), slots), operand.buffer,
                                IntegerAttr(), top.getI64IntegerAttr(schedule.getWarps() / 4));
  operand.first =
      arith::MulIOp::create(builder, loc, tiles, arith::ConstantIndexOp::create(builder, loc, pieces));
  operands.push_back(operand);
  fill(operands.back(), behind);
  return true;
}

static Value slotOf(OpBuilder &builder, Location loc, Value first, int64_t number) {
  return arith::AddIOp::create(builder, loc, first, arith::ConstantIndexOp::create(builder, loc, number));
}

/// All pieces of a tile, in the order in which they are read.
void EpilogueOperands::fill(Operand &operand, Operation *behind) {
  LoadOp load = operand.load;
  Location loc = load.getLoc();
  OpBuilder builder(behind);
  builder.setInsertionPointAfter(behind);
  size_t rank = shape.size();
  int64_t width = load.getType().getShape()[rank - 1];
  int64_t columns = (int64_t)llvm::divideCeil(width, shape[rank - 1]);
  for (int64_t number = 0; number < pieces; ++number) {
    SmallVector<Value> indices(load.getIndices());
    SmallVector<int64_t> divisors(load.getDivisors());
    // The last piece of a row of them ends with the tile.
    int64_t offsets[] = {number / columns * shape[rank - 2],
                         std::min(number % columns * shape[rank - 1], width - shape[rank - 1])};
    for (size_t d : {rank - 2, rank - 1})
      if (int64_t offset = offsets[d + 2 - rank]) {
        divisors[d] = std::gcd(divisors[d], offset);
        indices[d] = arith::AddIOp::create(builder, loc, indices[d],
                                           arith::ConstantIndexOp::create(builder, loc, offset));
      }
    Value slot = slotOf(builder, loc, operand.first, number);
    Value stage = StageOfOp::create(builder, loc, builder.getIndexType(), operand.ring, slot);
    AcquireOp::create(builder, loc, operand.ring, slot)->setAttr(kBesideAttrName, builder.getUnitAttr());
    CopyBulkOp::create(builder, loc, load.getView(), indices, operand.buffer, stage, operand.ring, slot,
                       divisors, load.getInBounds());
    CommitOp::create(builder, loc, operand.ring, slot);
  }
}

Value EpilogueOperands::slice(OpBuilder &builder, Value value, ArrayRef<int64_t> offsets, int64_t number,
                              DenseMap<Value, Value> &known) {
  if (Value done = known.lookup(value))
    return done;
  Location loc = value.getLoc();
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()), layout);
  Operation *op = value.getDefiningOp();
  auto found = llvm::find_if(operands, [&](const Operand &operand) { return operand.load == op; });
  Value result;
  if (found != operands.end()) {
    Value slot = slotOf(builder, loc, found->first, number);
    Value stage = StageOfOp::create(builder, loc, builder.getIndexType(), found->ring, slot);
    WaitOp::create(builder, loc, found->ring, slot);
    result = LoadSharedOp::create(builder, loc, type, found->buffer, stage, ValueRange());
    auto release = ReleaseOp::create(builder, loc, found->ring, slot);
    if (groups > 1)
      release->setAttr(kByWarpgroupAttrName, builder.getI64IntegerAttr(groups));
  } else if (brought.contains(op)) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        mapping.map(operand, slice(builder, operand, offsets, number, known));
    Operation *copy = builder.clone(*op, mapping);
    copy->getResult(0).setType(type);
    result = copy->getResult(0);
  } else {
    result = pieces > 1 ? SliceOp::create(builder, loc, type, value, offsets).getResult() : value;
  }
  known[value] = result;
  return result;
}

Value EpilogueOperands::piece(OpBuilder &builder, ArrayRef<int64_t> offsets, int64_t number) {
  DenseMap<Value, Value> known;
  return slice(builder, store.getValue(), offsets, number, known);
}
