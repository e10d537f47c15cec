// Warp roles: the bodies of tile.role under tests of the warpgroup's number, which is made uniform by a
// shuffle, so that ptxas keeps what depends on it in uniform registers. Register budgets are moved at the
// start of a role.

#include "Async.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;

/// Mark of the scf.if of a role while ops are converted: the fields of RolePlace.
static constexpr StringLiteral kRoleMark = "role_place";
/// Mark of the kernel's one shuffle that makes the warpgroup's number uniform.
static constexpr StringLiteral kGroupMark = "role_group";
/// Named barriers of a block; 0 is that of all threads.
static constexpr int64_t kBarriers = 16;

//===-- Where an op runs --------------------------------------------------------------------------------===//

std::optional<RolePlace> tilewright::roleAround(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto mark = op->getAttrOfType<DenseI64ArrayAttr>(kRoleMark)) {
      ArrayRef<int64_t> fields = mark.asArrayRef();
      return RolePlace{fields[0], fields[1], fields[2], fields[3], fields[4] != 0};
    }
  return std::nullopt;
}

std::optional<RolePlace> tilewright::roleAt(OpBuilder &builder) {
  return roleAround(builder.getInsertionBlock()->getParentOp());
}

/// tid / `threads`, the same in all lanes of a warp also in the eyes of ptxas.
static Value uniformIndex(OpBuilder &builder, Location loc, int64_t threads) {
  Value tid = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  Value index = arith::ShRUIOp::create(builder, loc, tid, constantInt(builder, loc, llvm::Log2_64(threads)));
  return shuffle(builder, loc, index, constantInt(builder, loc, 0), /*butterfly=*/false);
}

/// The number of the running thread's warpgroup in the block: read once, at the kernel's start.
static Value warpgroupIndex(OpBuilder &builder, Location loc) {
  auto function = builder.getInsertionBlock()->getParentOp();
  if (!isa<FunctionOpInterface>(function))
    function = function->getParentOfType<FunctionOpInterface>();
  Block &entry = function->getRegion(0).front();
  for (Operation &op : entry)
    if (op.hasAttr(kGroupMark))
      return op.getResult(0);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry);
  Value group = uniformIndex(builder, loc, 128);
  group.getDefiningOp()->setAttr(kGroupMark, builder.getUnitAttr());
  return group;
}

static Value subtract(OpBuilder &builder, Location loc, Value value, int64_t constant) {
  return constant
             ? arith::SubIOp::create(builder, loc, value, constantInt(builder, loc, constant)).getResult()
             : value;
}

Value tilewright::roleInstance(OpBuilder &builder, Location loc) {
  std::optional<RolePlace> role = roleAt(builder);
  if (!role || role->instances == 1)
    return Value();
  Value index = subtract(builder, loc, warpgroupIndex(builder, loc), role->firstWarp / 4);
  if (role->warpgroups() == 1)
    return index;
  return arith::DivUIOp::create(builder, loc, index, constantInt(builder, loc, role->warpgroups()));
}

Value tilewright::roleWarpgroup(OpBuilder &builder, Location loc) {
  std::optional<RolePlace> role = roleAt(builder);
  if (role && role->warpgroups() == 1)
    return Value();
  Value index = warpgroupIndex(builder, loc);
  if (!role)
    return index;
  index = subtract(builder, loc, index, role->firstWarp / 4);
  if (role->instances > 1)
    index = arith::RemUIOp::create(builder, loc, index, constantInt(builder, loc, role->warpgroups()));
  return index;
}

static Value isZero(OpBuilder &builder, Location loc, Value value) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value, constantInt(builder, loc, 0));
}

Value tilewright::roleLeader(OpBuilder &builder, Location loc) {
  std::optional<RolePlace> role = roleAt(builder);
  if (role && role->oneThread)
    return Value();
  if (role && role->warpgroups() == 1)
    return warpgroupLeader(builder, loc);
  ThreadIndex thread(builder, loc);
  return andPredicates(builder, loc, isZero(builder, loc, thread.lane()),
                       isZero(builder, loc, thread.warp()));
}

Value tilewright::warpgroupLeader(OpBuilder &builder, Location loc) {
  std::optional<RolePlace> role = roleAt(builder);
  if (role && role->oneThread)
    return Value();
  Value tid = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  return isZero(builder, loc, arith::AndIOp::create(builder, loc, tid, constantInt(builder, loc, 127)));
}

void tilewright::emitIf(OpBuilder &builder, Location loc, Value predicate, function_ref<void()> body) {
  if (!predicate)
    return body();
  auto branch = scf::IfOp::create(builder, loc, predicate, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

//===-- Barriers ----------------------------------------------------------------------------------------===//

void tilewright::emitBarrier(OpBuilder &builder, Location loc) {
  std::optional<RolePlace> role = roleAt(builder);
  if (!role) {
    NVVM::Barrier0Op::create(builder, loc);
    return;
  }
  if (role->oneThread)
    return;
  if (role->warps == 1) {
    NVVM::SyncWarpOp::create(builder, loc, constantInt(builder, loc, -1));
    return;
  }
  Value id = constantInt(builder, loc, role->barrier);
  if (Value instance = roleInstance(builder, loc))
    id = addInt(builder, loc, instance, role->barrier);
  NVVM::BarrierOp::create(builder, loc, TypeRange{}, id, constantInt(builder, loc, role->warps * 32),
                          NVVM::BarrierReductionAttr(), Value());
}

void tilewright::emitWarpgroupBarrier(OpBuilder &builder, Location loc) {
  Value id = addInt(builder, loc, roleWarpgroup(builder, loc), roleAt(builder)->barrierOfWarpgroup(0));
  NVVM::BarrierOp::create(builder, loc, TypeRange{}, id, constantInt(builder, loc, 128),
                          NVVM::BarrierReductionAttr(), Value());
}

//===-- Inlining ----------------------------------------------------------------------------------------===//

/// Whether one thread can do all of it: nothing that needs the other threads of a warp.
static bool runsInOneThread(tile::RoleOp role) {
  bool bulk = false;
  WalkResult result = role.getBody().walk([&](Operation *op) {
    auto isTile = [](Type type) { return isa<RankedTensorType, tile::PendingType>(type); };
    bulk |= isa<tile::CopyBulkOp>(op);
    bool scalar = isa<tile::AcquireOp, tile::CommitOp, tile::WaitOp, tile::ReleaseOp, tile::StageOfOp,
                      tile::CopyBulkOp, tile::AwaitGridOp, tile::ArriveClusterOp, tile::AwaitClusterOp,
                      tile::BlockIdOp, tile::ViewOp, scf::ForOp, scf::IfOp, scf::YieldOp>(op) ||
                  isa<arith::ArithDialect>(op->getDialect());
    return scalar && llvm::none_of(op->getResultTypes(), isTile) &&
                   llvm::none_of(op->getOperandTypes(), isTile)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return bulk && !result.wasInterrupted();
}

/// Warpgroups of the role that do something each for itself; 1: none.
static int64_t warpgroupsApart(tile::RoleOp role) {
  int64_t groups = 1;
  role.getBody().walk([&](Operation *op) { groups = std::max(groups, tile::warpgroupsApart(op)); });
  return groups;
}

/// Barriers of the role: one an instance when several warps run it, as many again for turns; one for each
/// warpgroup of those that do something for themselves.
static int64_t barriersOf(tile::RoleOp role) {
  bool turns = role.getBody()
                   .walk([](Operation *op) {
                     return isa<tile::TakeTurnOp, tile::PassTurnOp>(op) ? WalkResult::interrupt()
                                                                        : WalkResult::advance();
                   })
                   .wasInterrupted();
  int64_t apart = warpgroupsApart(role);
  return role.getInstances() * (turns ? 2 : 1) + (apart > 1 ? apart : 0);
}

/// The register budgets must fit the multiprocessor, and whole warpgroups move them.
static LogicalResult checkRegisters(tile::KernelOp kernel, ArrayRef<tile::RoleOp> roles) {
  int64_t total = 0;
  for (tile::RoleOp role : roles) {
    int64_t groups = (role.getWarps() * role.getInstances() + 3) / 4;
    if (!role.getRegisters())
      return llvm::any_of(roles, [](tile::RoleOp other) { return other.getRegisters().has_value(); })
                 ? LogicalResult(role.emitError() << "has no register budget, other roles of the kernel have")
                 : success();
    total += groups * 128 * *role.getRegisters();
  }
  if (kernel.getWarps() % 4 != 0)
    return kernel.emitError() << "moves registers between roles with " << kernel.getWarps()
                              << " warps, which are no whole warpgroups";
  int64_t threads = 32 * (int64_t)kernel.getWarps(), start = tile::startingRegisters(threads);
  if (total > threads * start)
    return kernel.emitError() << "the roles' register budgets need " << total << " registers, " << threads
                              << " threads start with " << start << " each";
  return success();
}

int64_t tilewright::blocksByRegisters(tile::KernelOp kernel) {
  int64_t total = 0;
  for (auto role : kernel.getBody().front().getOps<tile::RoleOp>())
    if (std::optional<uint64_t> registers = role.getRegisters())
      total += (int64_t)llvm::alignTo(role.getWarps() * role.getInstances(), 4) * 32 * (int64_t)*registers;
  if (!total)
    return 0;
  int64_t threads = 32 * (int64_t)kernel.getWarps(), blocks = 1;
  while (threads * tile::startingRegisters(threads, blocks + 1) >= total)
    ++blocks;
  return blocks;
}

LogicalResult tilewright::inlineRoles(tile::KernelOp kernel) {
  SmallVector<tile::RoleOp> roles(kernel.getBody().front().getOps<tile::RoleOp>());
  if (roles.empty())
    return success();
  if (failed(checkRegisters(kernel, roles)))
    return failure();
  int64_t warps = kernel.getWarps();
  int64_t blocks = std::max<int64_t>(1, blocksByRegisters(kernel));
  int64_t startRegisters = tile::startingRegisters(warps * 32, blocks);
  Location loc = kernel.getLoc();
  for (Operation *op = roles.front(); op; op = op->getNextNode())
    if (!isa<tile::RoleOp, tile::ReturnOp>(op))
      return op->emitError("stands behind the first role of the kernel");
  OpBuilder builder(roles.front());
  // All warps meet when one thread has made the barriers, unless those of the whole cluster have.
  if (kernel.getBody().front().getOps<tile::AwaitClusterOp>().empty())
    NVVM::Barrier0Op::create(builder, loc);
  Value group = warpgroupIndex(builder, loc);
  int64_t firstWarp = 0, barrier = 1;
  for (tile::RoleOp role : roles) {
    Location roleLoc = role.getLoc();
    RolePlace place;
    place.firstWarp = firstWarp;
    place.warps = role.getWarps();
    place.instances = role.getInstances();
    place.barrier = barrier;
    place.oneThread = runsInOneThread(role);
    int64_t roleWarps = place.warps * place.instances, groups = (roleWarps + 3) / 4;
    int64_t apart = warpgroupsApart(role);
    if (apart > 1 && (place.instances > 1 || place.warps != 4 * apart))
      return role.emitError() << "has ops that " << apart << " warpgroups do apart, and " << place.instances
                              << " instances of " << place.warps << " warps";
    barrier += barriersOf(role);
    if (barrier > kBarriers)
      return role.emitError() << "needs named barriers up to number " << barrier - 1 << ", a block has "
                              << kBarriers;
    if (firstWarp + roleWarps > warps)
      return role.emitError() << "takes warps " << firstWarp << " to " << firstWarp + roleWarps - 1
                              << " of a kernel of " << warps;
    // Where the last role takes all that is left, no test is needed.
    bool isLast = role == roles.back() && firstWarp + groups * 4 >= warps;
    Value mine;
    if (!isLast || roles.size() == 1) {
      Value start = constantInt(builder, roleLoc, firstWarp / 4);
      mine = arith::CmpIOp::create(builder, roleLoc,
                                   groups == 1 ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ult,
                                   groups == 1 ? group : subtract(builder, roleLoc, group, firstWarp / 4),
                                   groups == 1 ? start : constantInt(builder, roleLoc, groups));
    } else {
      mine = arith::ConstantOp::create(builder, roleLoc, builder.getBoolAttr(true));
    }
    auto branch =
        scf::IfOp::create(builder, roleLoc, mine, /*withElseRegion=*/!isLast && role != roles.back());
    branch->setAttr(kRoleMark, builder.getDenseI64ArrayAttr({place.firstWarp, place.warps, place.instances,
                                                             place.barrier, place.oneThread}));
    builder.setInsertionPointToStart(branch.thenBlock());
    if (std::optional<int64_t> registers = role.getRegisters(); registers && *registers != startRegisters)
      NVVM::SetMaxRegisterOp::create(builder, roleLoc, (uint32_t)*registers,
                                     *registers > startRegisters ? NVVM::SetMaxRegisterAction::increase
                                                                 : NVVM::SetMaxRegisterAction::decrease);
    Value predicate;
    if (place.oneThread && place.warps > 1) {
      Value warp = subtract(builder, roleLoc, uniformIndex(builder, roleLoc, 32), firstWarp);
      if (place.instances > 1)
        warp = arith::RemUIOp::create(builder, roleLoc, warp, constantInt(builder, roleLoc, place.warps));
      predicate = isZero(builder, roleLoc, warp);
    } else if (roleWarps % 4 != 0) {
      Value warp = subtract(builder, roleLoc, uniformIndex(builder, roleLoc, 32), firstWarp);
      predicate = arith::CmpIOp::create(builder, roleLoc, arith::CmpIPredicate::ult, warp,
                                        constantInt(builder, roleLoc, roleWarps));
    }
    emitIf(builder, roleLoc, predicate, [&] {
      Value elected;
      if (place.oneThread)
        elected = NVVM::ElectSyncOp::create(builder, roleLoc, builder.getI1Type(), Value());
      emitIf(builder, roleLoc, elected, [&] {
        Value instance = roleInstance(builder, roleLoc);
        instance =
            instance
                ? arith::IndexCastOp::create(builder, roleLoc, builder.getIndexType(), instance).getResult()
                : arith::ConstantIndexOp::create(builder, roleLoc, 0).getResult();
        SmallVector<Value> arguments = {instance};
        llvm::append_range(arguments, role.getCaptures());
        Block &body = role.getBody().front();
        for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
          argument.replaceAllUsesWith(value);
        Block *target = builder.getInsertionBlock();
        bool stores = false;
        body.walk([&](tile::StoreBulkOp) { stores = true; });
        // A program that waits at its end needs no second wait.
        if (auto wait = dyn_cast_or_null<tile::WaitStoresOp>(body.empty() ? nullptr : &body.back()))
          stores &= wait.getPending() != 0;
        target->getOperations().splice(builder.getInsertionPoint(), body.getOperations());
        // Shared memory lives until the last bulk store has read it.
        if (stores)
          if (auto wait = tile::WaitStoresOp::create(builder, roleLoc, 0); apart > 1)
            wait->setAttr(tile::kByWarpgroupAttrName, builder.getI64IntegerAttr(apart));
      });
    });
    if (branch.elseBlock())
      builder.setInsertionPointToStart(branch.elseBlock());
    firstWarp += groups * 4;
  }
  for (tile::RoleOp role : roles)
    role.erase();
  return success();
}

void tilewright::eraseRoleMarks(Operation *root) {
  root->walk([](Operation *op) {
    op->removeAttr(kRoleMark);
    op->removeAttr(kGroupMark);
  });
}
