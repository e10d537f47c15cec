// What kernel functions say about how they are launched, beyond ptx.launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright::ptx;

bool tilewright::ptx::assemblesFor(Operation *kernel, StringRef arch) {
  auto archs = kernel->getAttrOfType<ArrayAttr>(PtxDialect::getArchsAttrName());
  return !archs || llvm::any_of(archs, [&](Attribute name) { return cast<StringAttr>(name) == arch; });
}

bool tilewright::ptx::isGridWait(Operation *op) {
  if (auto control = dyn_cast<NVVM::GriddepcontrolOp>(op))
    return control.getKind() == NVVM::GridDepActionKind::wait;
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin() == "llvm.nvvm.griddepcontrol.wait";
}

bool tilewright::ptx::waitsForPrerequisites(Operation *kernel) {
  return kernel
      ->walk([](Operation *op) { return isGridWait(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}
