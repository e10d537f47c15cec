// tile-specialise-roles: a kernel's program is parted into what fills rings and what reads them, each done by
// warps of its own. Each role takes the effects that are its own, and of the rest what these need.

#include "ConvertedOperands.h"
#include "Products.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESPECIALISEROLES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Whether the op belongs to the whole block and stands before the roles.
static bool isShared(Operation *op) { return isa<AllocOp, RingOp>(op); }

namespace {
/// The ops that fill slots: from each acquire to its commit. Those that wait for slots of another ring
/// meanwhile convert what that ring brings.
struct FillingOps {
  llvm::SmallPtrSet<Operation *, 32> loading, converting;
};
} // namespace

static FillingOps fillingOps(KernelOp kernel) {
  FillingOps filling;
  kernel.walk([&](AcquireOp acquire) {
    SmallVector<Operation *> ops;
    bool converts = false;
    for (Operation *op = acquire; op; op = op->getNextNode()) {
      ops.push_back(op);
      converts |= isa<WaitOp>(op);
      if (auto commit = dyn_cast<CommitOp>(op); commit && commit.getRing() == acquire.getRing())
        break;
    }
    (converts ? filling.converting : filling.loading).insert(ops.begin(), ops.end());
  });
  return filling;
}

/// Registers that a thread can be given, and the step in which they are.
static constexpr int64_t kMostRegisters = 240, kRegisterStep = 8;

/// What the other roles leave to a thread of the converting one, of the registers that all threads start
/// with.
int64_t tile::converterRegisters(ScheduleAttr schedule) {
  const ScheduleOptions &options = schedule.getOptions();
  int64_t consumers = schedule.getWarps() * options.instances(),
          converters = kConverterWarps * converterInstances(options);
  int64_t warps = options.loadingWarps() + converters + consumers;
  int64_t all = std::min(kMostRegisters, startingRegisters(32 * warps)) * warps;
  int64_t left =
      all - options.loadingWarps() * options.producerRegisters - consumers * options.consumerRegisters;
  return std::min(kMostRegisters, left / converters / kRegisterStep * kRegisterStep);
}

namespace {

/// A part of a kernel: some ops with effects, and all that they need.
class Slice {
public:
  explicit Slice(KernelOp kernel) : kernel(kernel) {}

  void need(Operation *op);
  /// Values from before the roles, in the order in which the part uses them.
  SmallVector<Value> captures();
  /// Writes the part into `to`.
  void write(OpBuilder &builder, IRMapping &mapping) {
    writeBlock(kernel.getBody().front(), builder, mapping);
  }

private:
  void need(Value value);
  void needCarried(scf::ForOp loop, unsigned index);
  bool isOutside(Value value);
  void writeBlock(Block &block, OpBuilder &builder, IRMapping &mapping);
  void writeLoop(scf::ForOp loop, OpBuilder &builder, IRMapping &mapping);
  void writeIf(scf::IfOp guard, OpBuilder &builder, IRMapping &mapping);

  KernelOp kernel;
  llvm::SmallPtrSet<Operation *, 32> ops;
  /// Needed values that loops carry.
  DenseMap<Operation *, llvm::SmallSetVector<unsigned, 4>> carried;
  /// Conditionals whose results are needed.
  llvm::SmallPtrSet<Operation *, 4> chosen;
};

} // namespace

bool Slice::isOutside(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &kernel.getBody().front();
  return isShared(value.getDefiningOp());
}

void Slice::needCarried(scf::ForOp loop, unsigned index) {
  need(loop);
  if (!carried[loop].insert(index))
    return;
  need(loop.getInitArgs()[index]);
  need(loop.getBody()->getTerminator()->getOperand(index));
}

void Slice::need(Value value) {
  if (isOutside(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument.getArgNumber() > 0)
      needCarried(loop, argument.getArgNumber() - 1);
    else if (loop)
      need(loop.getOperation());
    return;
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return needCarried(loop, cast<OpResult>(value).getResultNumber());
  need(op);
  if (auto guard = dyn_cast<scf::IfOp>(op); guard && chosen.insert(op).second)
    for (Region *region : {&guard.getThenRegion(), &guard.getElseRegion()})
      llvm::for_each(region->front().getTerminator()->getOperands(), [&](Value yielded) { need(yielded); });
}

void Slice::need(Operation *op) {
  if (isShared(op) || !ops.insert(op).second)
    return;
  if (Operation *parent = op->getParentOp(); parent != kernel)
    need(parent);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      need(bound);
    return;
  }
  llvm::for_each(op->getOperands(), [&](Value operand) { need(operand); });
  if (isa<scf::IfOp>(op))
    return;
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(op->getRegions(), above);
  llvm::for_each(above, [&](Value value) { need(value); });
}

SmallVector<Value> Slice::captures() {
  llvm::SetVector<Value> found;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Of a loop's and a conditional's operands those that are needed come from inside the kernel.
    if (ops.contains(op))
      for (Value operand : op->getOperands())
        if (isOutside(operand))
          found.insert(operand);
  });
  return found.takeVector();
}

void Slice::writeLoop(scf::ForOp loop, OpBuilder &builder, IRMapping &mapping) {
  SmallVector<unsigned> indices;
  if (auto it = carried.find(loop); it != carried.end())
    indices = llvm::to_vector(it->second);
  llvm::sort(indices);
  SmallVector<Value> inits;
  for (unsigned index : indices)
    inits.push_back(mapping.lookup(loop.getInitArgs()[index]));
  auto copy = scf::ForOp::create(builder, loop.getLoc(), mapping.lookup(loop.getLowerBound()),
                                 mapping.lookup(loop.getUpperBound()), mapping.lookup(loop.getStep()), inits);
  if (Attribute entered = loop->getAttr(kEnteredAttrName))
    copy->setAttr(kEnteredAttrName, entered);
  mapping.map(loop.getInductionVar(), copy.getInductionVar());
  for (auto [i, index] : llvm::enumerate(indices)) {
    mapping.map(loop.getRegionIterArg(index), copy.getRegionIterArg(i));
    mapping.map(loop.getResult(index), copy.getResult(i));
  }
  OpBuilder::InsertionGuard guard(builder);
  if (indices.empty())
    builder.setInsertionPoint(copy.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(copy.getBody());
  writeBlock(*loop.getBody(), builder, mapping);
  SmallVector<Value> yielded;
  for (unsigned index : indices)
    yielded.push_back(mapping.lookup(loop.getBody()->getTerminator()->getOperand(index)));
  if (!indices.empty())
    scf::YieldOp::create(builder, loop.getLoc(), yielded);
}

void Slice::writeIf(scf::IfOp guard, OpBuilder &builder, IRMapping &mapping) {
  bool needsResults = chosen.contains(guard);
  TypeRange types = needsResults ? TypeRange(guard.getResultTypes()) : TypeRange();
  bool hasElse =
      needsResults || (guard.elseBlock() && llvm::any_of(guard.elseBlock()->without_terminator(),
                                                         [&](Operation &op) { return ops.contains(&op); }));
  auto copy =
      scf::IfOp::create(builder, guard.getLoc(), types, mapping.lookup(guard.getCondition()), hasElse);
  OpBuilder::InsertionGuard restore(builder);
  auto write = [&](Block *from, Block *to) {
    if (needsResults)
      builder.setInsertionPointToEnd(to);
    else
      builder.setInsertionPointToStart(to);
    writeBlock(*from, builder, mapping);
    SmallVector<Value> yielded;
    if (!needsResults)
      return;
    for (Value value : from->getTerminator()->getOperands())
      yielded.push_back(mapping.lookup(value));
    scf::YieldOp::create(builder, guard.getLoc(), yielded);
  };
  write(guard.thenBlock(), copy.thenBlock());
  if (hasElse)
    write(guard.elseBlock(), copy.elseBlock());
  for (auto [from, to] : llvm::zip(guard.getResults(), copy.getResults()))
    mapping.map(from, to);
}

void Slice::writeBlock(Block &block, OpBuilder &builder, IRMapping &mapping) {
  for (Operation &op : block) {
    if (!ops.contains(&op))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      writeLoop(loop, builder, mapping);
    else if (auto guard = dyn_cast<scf::IfOp>(op))
      writeIf(guard, builder, mapping);
    else
      builder.clone(op, mapping);
  }
}

/// Writes the slice as a role before the kernel's end.
static RoleOp writeRole(KernelOp kernel, Slice &slice, StringRef name, int64_t warps, int64_t instances,
                        int64_t registers) {
  OpBuilder builder(kernel.getBody().front().getTerminator());
  Location loc = kernel.getLoc();
  SmallVector<Value> captures = slice.captures();
  auto role = RoleOp::create(builder, loc, builder.getStringAttr(name), (uint64_t)warps, (uint64_t)instances,
                             registers ? builder.getI64IntegerAttr(registers) : IntegerAttr(), captures);
  SmallVector<Type> types = {builder.getIndexType()};
  llvm::append_range(types, ValueRange(captures).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  Block *body = builder.createBlock(&role.getBody(), {}, types, locs);
  IRMapping mapping;
  for (auto [value, argument] : llvm::zip_equal(captures, body->getArguments().drop_front()))
    mapping.map(value, argument);
  builder.setInsertionPointToStart(body);
  slice.write(builder, mapping);
  return role;
}

/// Instances take the slots in turn: while one waits for memory or a barrier, another one computes.
static void divideSlots(RoleOp role) {
  SmallVector<AcquireOp> acquires;
  role.walk([&](AcquireOp acquire) { acquires.push_back(acquire); });
  for (AcquireOp acquire : acquires) {
    OpBuilder builder(acquire);
    Location loc = acquire.getLoc();
    Value instances = arith::ConstantIndexOp::create(builder, loc, role.getInstances());
    Value turn = arith::RemUIOp::create(builder, loc, acquire.getSlot(), instances);
    Value own = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, turn,
                                      role.getBody().front().getArgument(0));
    auto guard = scf::IfOp::create(builder, loc, own, /*withElseRegion=*/false);
    SmallVector<Operation *> ops;
    for (Operation *op = acquire; op; op = op->getNextNode()) {
      ops.push_back(op);
      if (auto commit = dyn_cast<CommitOp>(op); commit && commit.getRing() == acquire.getRing())
        break;
    }
    for (Operation *op : ops)
      op->moveBefore(guard.thenBlock()->getTerminator());
  }
}

namespace {
struct SpecialiseRoles : tile::impl::TileSpecialiseRolesBase<SpecialiseRoles> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || schedule.getOptions().roles == Roles::None)
      return;
    const ScheduleOptions &options = schedule.getOptions();
    FillingOps filling = fillingOps(kernel);
    bool converts = !filling.converting.empty();
    if (filling.loading.empty() && !converts) {
      kernel.emitOpError("has roles in its schedule and no ring to fill; run tile-async-products");
      return signalPassFailure();
    }
    if (converts && options.consumerRegisters && converterRegisters(schedule) < kLeastRoleRegisters) {
      kernel.emitOpError() << "has operands that a role of " << kConverterWarps
                           << " warps converts; registers = [" << options.producerRegisters << ", "
                           << options.consumerRegisters << "] leave its threads "
                           << converterRegisters(schedule);
      return signalPassFailure();
    }
    Slice producer(kernel), converter(kernel), consumer(kernel);
    kernel.walk([&](Operation *op) {
      if (op == kernel || isShared(op) || op->hasTrait<OpTrait::IsTerminator>() ||
          isa<scf::ForOp, scf::IfOp>(op) || op->getParentOfType<ReduceOp>())
        return;
      // Whoever leaves the block leaves all roles.
      if (isa<LeaveOp>(op))
        for (Slice *slice : {&producer, &converter, &consumer})
          slice->need(op);
      else if (filling.loading.contains(op))
        producer.need(op);
      else if (filling.converting.contains(op))
        converter.need(op);
      else if (!wouldOpBeTriviallyDead(op))
        consumer.need(op);
    });
    SmallVector<Operation *> whole;
    for (Operation &op : kernel.getBody().front().without_terminator())
      if (!isShared(&op))
        whole.push_back(&op);
    RoleOp loading =
        writeRole(kernel, producer, "load", kProducerWarps, options.loaders, options.producerRegisters);
    if (options.loaders > 1)
      divideSlots(loading);
    if (converts) {
      RoleOp converting =
          writeRole(kernel, converter, "convert", kConverterWarps, converterInstances(options),
                    options.consumerRegisters ? converterRegisters(schedule) : 0);
      if (converting.getInstances() > 1)
        divideSlots(converting);
    }
    writeRole(kernel, consumer, "multiply", schedule.getWarps(), options.instances(),
              options.consumerRegisters);
    for (Operation *op : llvm::reverse(whole))
      op->erase();
    kernel.setWarps(options.loadingWarps() + (converts ? kConverterWarps * converterInstances(options) : 0) +
                    schedule.getWarps() * options.instances());
  }
};
} // namespace
