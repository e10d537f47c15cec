// The emulator's test of a program's tests: with any one synchronisation removed, something must be reported.
#include "Tilewright/Emulator/Emulator.h"

#include "HostModule.h"
#include "ProgramContext.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright::emulator;

static bool isSynchronisation(Operation *op) {
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
    return !barrier.getReductionOp();
  return isa<NVVM::Barrier0Op, NVVM::SyncWarpOp, NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(op);
}

static SmallVector<Operation *> synchronisations(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isSynchronisation(op))
      found.push_back(op);
  });
  return found;
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
  size_t count = synchronisations(*original).size();
  for (size_t i = 0; i < count; ++i) {
    OwningOpRef<ModuleOp> mutated = original->clone();
    Operation *removed = synchronisations(*mutated)[i];
    SyncMutant mutant{removed->getName().getStringRef().str(), describeLocation(removed->getLoc()), ""};
    removed->erase();
    std::string problem;
    std::unique_ptr<Program> program = Program::load(*mutated, options, problem);
    mutant.report = program ? run(*program) : problem;
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}
