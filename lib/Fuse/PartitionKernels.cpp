// fuse-partition-kernels: groups the ops of a function into kernels (Partition.h), then writes the kernels
// and the program that launches them.

#include "Partition.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEPARTITIONKERNELS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

namespace {
struct PartitionKernels : fuse::impl::FusePartitionKernelsBase<PartitionKernels> {
  using Base::Base;
  void runOnOperation() override {
    FloatType narrow;
    if (storage == "bf16")
      narrow = BFloat16Type::get(&getContext());
    else if (storage == "fp16")
      narrow = Float16Type::get(&getContext());
    else if (storage != "fp32") {
      getOperation().emitError() << "unknown storage type '" << storage << "', expected fp32, bf16 or fp16";
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    llvm::StringMap<StringAttr> known;
    OpBuilder builder(&getContext());
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!func.getBody().hasOneBlock()) {
        func.emitOpError() << "must have one block";
        return signalPassFailure();
      }
      fuse::Partition partition(func, maxInputs, maxRegisters, narrow);
      if (failed(partition.run()) || failed(fuse::writeProgram(partition, builder, symbols, known, narrow)))
        return signalPassFailure();
    }
  }
};
} // namespace
