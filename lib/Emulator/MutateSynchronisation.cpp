// The emulator's test of a program's tests: with any one synchronisation removed or
// weakened, something must be reported.
#include "Tilewright/Emulator/Emulator.h"

#include "HostModule.h"
#include "ProgramContext.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::emulator;

static bool isSynchronisation(Operation *op) {
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
    return !barrier.getReductionOp();
  if (auto fence = dyn_cast<NVVM::FenceProxyOp>(op))
    return fence.getKind() == NVVM::ProxyKind::async || fence.getKind() == NVVM::ProxyKind::async_shared;
  return isa<NVVM::Barrier0Op, NVVM::BarrierArriveOp, NVVM::SyncWarpOp, NVVM::CpAsyncCommitGroupOp,
             NVVM::CpAsyncWaitGroupOp, NVVM::MBarrierInitOp, NVVM::MBarrierArriveOp,
             NVVM::MBarrierArriveExpectTxOp, NVVM::MBarrierExpectTxOp, NVVM::MBarrierTryWaitParityOp,
             NVVM::MBarrierTryWaitOp, NVVM::CpAsyncMBarrierArriveOp, NVVM::FenceMbarrierInitOp,
             NVVM::CpAsyncBulkCommitGroupOp, NVVM::CpAsyncBulkWaitGroupOp, NVVM::WgmmaFenceAlignedOp,
             NVVM::WgmmaGroupSyncAlignedOp, NVVM::WgmmaWaitGroupSyncOp, NVVM::ClusterArriveOp,
             NVVM::ClusterArriveRelaxedOp, NVVM::ClusterWaitOp, ptx::ArriveClusterOp, ptx::WgmmaWaitOp,
             ptx::RaiseFlagOp, ptx::LowerFlagOp, ptx::TakeTicketOp, ptx::ReturnTicketsOp, ptx::PublishWordOp,
             ptx::AwaitWordsOp, ptx::ArriveCounterOp, ptx::AwaitCounterOp>(op);
}

namespace {
/// One thing to take away or to weaken.
struct Mutation {
  enum Kind {
    Removed,
    OnlyBytes,   ///< of an arrival the bytes that it expects
    Relaxed,     ///< an arrival at the cluster's barrier hands nothing on
    OfBlockAlone ///< the cluster's barrier, arrival and wait, is one of each block
  };
  Operation *op;
  Kind kind;
  /// The wait of an arrival at the cluster's barrier.
  Operation *wait = nullptr;
};
} // namespace

static SmallVector<Mutation> mutations(ModuleOp module) {
  SmallVector<Mutation> found;
  Operation *arrival = nullptr;
  module.walk([&](Operation *op) {
    if (isSynchronisation(op))
      found.push_back({op, Mutation::Removed});
    if (isa<NVVM::MBarrierArriveExpectTxOp>(op))
      found.push_back({op, Mutation::OnlyBytes});
    if (isa<NVVM::ClusterArriveOp, ptx::ArriveClusterOp>(op)) {
      found.push_back({op, Mutation::Relaxed});
      arrival = op;
    }
    if (isa<NVVM::ClusterWaitOp>(op) && arrival)
      found.push_back({std::exchange(arrival, nullptr), Mutation::OfBlockAlone, op});
  });
  return found;
}

static std::string describe(const Mutation &mutation) {
  std::string name = mutation.op->getName().getStringRef().str();
  switch (mutation.kind) {
  case Mutation::Removed:
    return name;
  case Mutation::OnlyBytes:
    return "the bytes of " + name;
  case Mutation::Relaxed:
    return "the order of " + name;
  case Mutation::OfBlockAlone:
    return "the other blocks at " + name;
  }
  return name;
}

/// What is there is read without waiting for it.
static void readAtOnce(ptx::AwaitWordsOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto word = builder.getI32Type();
  Value zero = LLVM::ZeroOp::create(builder, loc, word), values;
  if (isa<VectorType>(op.getResult().getType()))
    values = LLVM::ZeroOp::create(builder, loc, op.getResult().getType());
  for (auto [i, pointer] : llvm::enumerate(op.getPointers())) {
    Value value = ptx::LoadOp::create(builder, loc, word, pointer, op.getPredicate(), zero);
    Value place = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr((int32_t)i));
    values = values ? LLVM::InsertElementOp::create(builder, loc, values, value, place).getResult() : value;
  }
  op.getResult().replaceAllUsesWith(values);
}

static void apply(const Mutation &mutation) {
  Operation *op = mutation.op;
  OpBuilder builder(op);
  if (mutation.kind == Mutation::OnlyBytes) {
    auto arrival = cast<NVVM::MBarrierArriveExpectTxOp>(op);
    arrival.getTxcountMutable().assign(
        LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(0)).getResult());
    return;
  }
  if (mutation.kind == Mutation::Relaxed)
    NVVM::ClusterArriveRelaxedOp::create(builder, op->getLoc(), op->getAttrOfType<UnitAttr>("aligned"));
  if (mutation.kind == Mutation::OfBlockAlone) {
    builder.setInsertionPoint(mutation.wait);
    NVVM::Barrier0Op::create(builder, mutation.wait->getLoc());
    mutation.wait->erase();
  }
  if (auto wait = dyn_cast<ptx::AwaitWordsOp>(op))
    readAtOnce(wait);
  else if (auto wait = dyn_cast<ptx::WgmmaWaitOp>(op))
    op->replaceAllUsesWith(ValueRange{wait.getValues()});
  else if (isa<NVVM::MBarrierTryWaitOp>(op)) // the loop round it shall end
    op->replaceAllUsesWith(
        ValueRange{LLVM::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(true)).getResult()});
  else
    for (Value result : op->getResults())
      result.replaceAllUsesWith(LLVM::ZeroOp::create(builder, op->getLoc(), result.getType()));
  op->erase();
}

std::vector<SyncMutant>
tilewright::emulator::mutateSynchronisation(llvm::StringRef source, const MachineOptions &options,
                                            llvm::function_ref<std::string(Program &)> run,
                                            std::string &error) {
  std::unique_ptr<MLIRContext> context = makeProgramContext();
  OwningOpRef<ModuleOp> original;
  {
    DiagnosticText text(*context, error);
    original = parseSourceString<ModuleOp>(source, context.get(), "program");
  }
  std::vector<SyncMutant> mutants;
  if (!original)
    return mutants;
  size_t count = mutations(*original).size();
  for (size_t i = 0; i < count; ++i) {
    OwningOpRef<ModuleOp> mutated = original->clone();
    Mutation mutation = mutations(*mutated)[i];
    SyncMutant mutant{describe(mutation), describeLocation(mutation.op->getLoc()), ""};
    apply(mutation);
    std::string problem;
    std::unique_ptr<Program> program = Program::load(*mutated, options, problem);
    mutant.report = program ? run(*program) : problem;
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}
