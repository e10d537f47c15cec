// print-kernel-indexing: the domain and views of every kernel, as text for people and FileCheck.

#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Analysis/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_PRINTKERNELINDEXING
#include "Tilewright/Analysis/Passes.h.inc"
} // namespace tilewright

static void printDomain(llvm::raw_ostream &os, const KernelIndexing &indexing) {
  os << "[";
  for (auto [d, extent] : llvm::enumerate(indexing.domain))
    os << (d ? ", " : "") << extent << (indexing.reduced[d] ? " reduced" : "");
  os << "]";
}

static void printKernel(llvm::raw_ostream &os, graph::KernelOp kernel) {
  std::string why;
  std::optional<KernelIndexing> indexing = KernelIndexing::solve(kernel, why);
  os << "kernel @" << kernel.getSymName() << ": ";
  if (!indexing) {
    os << "no indexing: " << why << "\n";
    return;
  }
  os << "anchor " << graph::stringifyAnchor(indexing->anchor) << " (" << indexing->anchorOp->getName()
     << "), domain ";
  printDomain(os, *indexing);
  os << "\n";
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation &op : kernel.getBody().front()) {
    if (!indexing->contains(&op))
      continue;
    numbers.try_emplace(&op, numbers.size());
    os << "  #" << numbers[&op] << " " << op.getName() << " : "
       << indexing->views.find(&op)->second.toString() << "\n";
    for (const OperandAccess &access : indexing->accesses.lookup(&op)) {
      os << "    ";
      if (auto argument = dyn_cast<BlockArgument>(access.root))
        os << "argument " << argument.getArgNumber();
      else if (isSplatConstant(access.root))
        os << "constant";
      else
        os << "#" << numbers.lookup(access.root.getDefiningOp());
      os << " : " << access.view.toString();
      for (Operation *op : access.prologue)
        os << ", " << op->getName();
      os << "\n";
    }
  }
}

namespace {
struct PrintKernelIndexing : tilewright::impl::PrintKernelIndexingBase<PrintKernelIndexing> {
  using Base::Base;
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<graph::KernelOp>())
      printKernel(llvm::errs(), kernel);
    markAllAnalysesPreserved();
  }
};
} // namespace
