// The emulator's test of a program's tests: with any one synchronisation removed, something must be reported.
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
             NVVM::ClusterArriveRelaxedOp, NVVM::ClusterWaitOp, ptx::WgmmaWaitOp, ptx::RaiseFlagOp,
             ptx::LowerFlagOp>(op);
}

namespace {
/// One thing to take away: an operation, or of an arrival only the bytes that it expects.
struct Removal {
  Operation *op;
  bool onlyBytes;
};
} // namespace

static SmallVector<Removal> removals(ModuleOp module) {
  SmallVector<Removal> found;
  module.walk([&](Operation *op) {
    if (isSynchronisation(op))
      found.push_back({op, false});
    if (isa<NVVM::MBarrierArriveExpectTxOp>(op))
      found.push_back({op, true});
  });
  return found;
}

static void apply(Removal removal) {
  Operation *op = removal.op;
  OpBuilder builder(op);
  if (removal.onlyBytes) {
    auto arrival = cast<NVVM::MBarrierArriveExpectTxOp>(op);
    arrival.getTxcountMutable().assign(
        LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(0)).getResult());
    return;
  }
  if (auto wait = dyn_cast<ptx::WgmmaWaitOp>(op))
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
  size_t count = removals(*original).size();
  for (size_t i = 0; i < count; ++i) {
    OwningOpRef<ModuleOp> mutated = original->clone();
    Removal removal = removals(*mutated)[i];
    SyncMutant mutant{removal.op->getName().getStringRef().str(), describeLocation(removal.op->getLoc()), ""};
    if (removal.onlyBytes)
      mutant.operation = "the bytes of " + mutant.operation;
    apply(removal);
    std::string problem;
    std::unique_ptr<Program> program = Program::load(*mutated, options, problem);
    mutant.report = program ? run(*program) : problem;
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}
