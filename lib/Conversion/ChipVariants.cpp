// split-chips and merge-chips: kernels of their own for kinds of chips whose schedules differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_SPLITCHIPS
#define GEN_PASS_DEF_MERGECHIPS
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

static ArrayAttr archsOf(Operation *kernel) {
  return kernel->getAttrOfType<ArrayAttr>(ptx::PtxDialect::getArchsAttrName());
}

//===-- Splitting ---------------------------------------------------------------------------------------===//

namespace {
struct SplitChips : tilewright::impl::SplitChipsBase<SplitChips> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<SmallVector<ArrayAttr>> kinds = kindsOfChips();
    if (failed(kinds))
      return signalPassFailure();
    if (kinds->size() < 2)
      return;
    SymbolTable symbols(getOperation());
    llvm::StringMap<SmallVector<Attribute>> variants;
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<graph::KernelOp>())) {
      // A schedule that is given is one for all chips.
      if (kernel.getAnchor() != graph::Anchor::Matmul || archsOf(kernel) ||
          kernel->hasAttr(tile::KernelOp::getScheduleAttrName()))
        continue;
      for (ArrayAttr archs : ArrayRef(*kinds).drop_front()) {
        auto clone = cast<graph::KernelOp>(kernel->clone());
        clone.setSymName((kernel.getSymName() + "_" + cast<StringAttr>(archs[0]).getValue()).str());
        clone->setAttr(ptx::PtxDialect::getArchsAttrName(), archs);
        symbols.insert(clone, std::next(Block::iterator(kernel)));
        variants[kernel.getSymName()].push_back(FlatSymbolRefAttr::get(clone.getSymNameAttr()));
      }
      kernel->setAttr(ptx::PtxDialect::getArchsAttrName(), kinds->front());
      ++split;
    }
    getOperation().walk([&](plan::LaunchOp launch) {
      if (auto found = variants.find(launch.getKernel()); found != variants.end())
        launch->setAttr(plan::PlanDialect::getVariantsAttrName(),
                        ArrayAttr::get(&getContext(), found->second));
    });
  }

  /// The chips by what schedules ask of them: those with warpgroup products, and the others. The first chip's
  /// come first.
  FailureOr<SmallVector<ArrayAttr>> kindsOfChips() {
    llvm::MapVector<unsigned, SmallVector<Attribute>> kinds;
    for (const std::string &name : chips) {
      std::string error;
      const Arch *arch = lookupArch(name, &error);
      if (!arch)
        return getOperation().emitError() << error;
      kinds[arch->wgmma ? 1 : 0].push_back(StringAttr::get(&getContext(), name));
    }
    SmallVector<ArrayAttr> lists;
    for (auto &[kind, names] : kinds)
      lists.push_back(ArrayAttr::get(&getContext(), names));
    return lists;
  }
};
} // namespace

//===-- Merging -----------------------------------------------------------------------------------------===//

/// The kernel's text without its name, chips, locations and what a model says of one of the chips.
static std::string textOf(tile::KernelOp kernel) {
  OwningOpRef<tile::KernelOp> clone(kernel.clone());
  clone->setSymName("k");
  clone->getOperation()->removeAttr(ptx::PtxDialect::getArchsAttrName());
  clone->getOperation()->removeAttr(kChosenAttrName);
  std::string text;
  llvm::raw_string_ostream stream(text);
  clone->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

namespace {
struct MergeChips : tilewright::impl::MergeChipsBase<MergeChips> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SmallSetVector<Operation *, 8> merged;
    getOperation().walk([&](plan::LaunchOp launch) {
      auto variants = launch->getAttrOfType<ArrayAttr>(plan::PlanDialect::getVariantsAttrName());
      auto kernel = symbols.lookup<tile::KernelOp>(launch.getKernel());
      if (!variants || !kernel)
        return;
      SmallVector<Attribute> kept;
      for (auto name : variants.getAsRange<FlatSymbolRefAttr>()) {
        auto variant = symbols.lookup<tile::KernelOp>(name.getValue());
        if (merged.contains(variant))
          continue;
        if (!variant || !archsOf(variant) || !archsOf(kernel) || textOf(variant) != textOf(kernel)) {
          kept.push_back(name);
          continue;
        }
        SmallVector<Attribute> archs(archsOf(kernel).getValue());
        llvm::append_range(archs, archsOf(variant));
        kernel->setAttr(ptx::PtxDialect::getArchsAttrName(), ArrayAttr::get(&getContext(), archs));
        merged.insert(variant);
      }
      if (!kept.empty())
        return launch->setAttr(plan::PlanDialect::getVariantsAttrName(), ArrayAttr::get(&getContext(), kept));
      launch->removeAttr(plan::PlanDialect::getVariantsAttrName());
      kernel->removeAttr(ptx::PtxDialect::getArchsAttrName());
    });
    for (Operation *kernel : merged)
      kernel->erase();
  }
};
} // namespace
