// print-occupancy: how full every kernel keeps a chip, as text for people and FileCheck.

#include "Tilewright/Analysis/Occupancy.h"
#include "Tilewright/Analysis/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_PRINTOCCUPANCY
#include "Tilewright/Analysis/Passes.h.inc"
} // namespace tilewright

static void print(llvm::raw_ostream &os, StringRef name, const KernelOccupancy &kernel, const Arch &arch) {
  os << llvm::formatv("kernel @{0} on {1}: {2} blocks of {3} threads, ", name, arch.name, kernel.blocks,
                      kernel.threads);
  if (kernel.registers)
    os << *kernel.registers << " registers";
  else
    os << "registers unknown";
  os << ", " << kernel.sharedBytes << " bytes of shared memory\n";
  if (!kernel.resident.blocksPerSM) {
    os << "  does not fit a multiprocessor\n";
    return;
  }
  os << llvm::formatv("  {0} blocks a multiprocessor, {1:f2} of its warps, limited by {2}\n",
                      kernel.resident.blocksPerSM, kernel.resident.warpFraction,
                      occupancyLimitName(kernel.resident.limit));
  os << llvm::formatv("  {0} bytes in flight a block, {1:f0} a multiprocessor; its share of the memory needs "
                      "{2:f0}: {3:f0} %\n",
                      kernel.blockBytesInFlight, kernel.bytesInFlight, kernel.bytesNeeded,
                      100 * kernel.memoryShare());
  os << llvm::formatv("  {0:f2} waves, the last leaves {1:f0} % idle\n", kernel.waves, 100 * kernel.tail);
}

namespace {
struct PrintOccupancy : tilewright::impl::PrintOccupancyBase<PrintOccupancy> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      if (std::optional<KernelOccupancy> kernel = occupancyOf(*arch, function))
        print(llvm::errs(), function.getName(), *kernel, *arch);
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
