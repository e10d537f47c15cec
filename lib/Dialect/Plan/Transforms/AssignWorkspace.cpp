// plan-assign-workspace: kernels whose blocks hand parts of results to one another share one range of memory,
// one launch after another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Accesses.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"

#include "llvm/ADT/BitVector.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_ASSIGNWORKSPACE
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Bytes of workspace that the launch's kernels reach; 0: they have none.
static int64_t workspaceBytes(LaunchOp launch) {
  int64_t bytes = 0;
  for (FlatSymbolRefAttr name : launch.getKernels()) {
    LLVM::LLVMFuncOp function = kernelFunction(launch, name.getValue());
    for (unsigned i = 0, e = function ? function.getNumArguments() : 0; i < e; ++i)
      if (auto range =
              function.getArgAttrOfType<DenseI64ArrayAttr>(i, ptx::PtxDialect::getWorkspaceAttrName()))
        bytes = std::max(bytes, range[0] + range[1]);
  }
  return bytes;
}

/// Adds `event` to what the launch waits for, in the order of events.
static void waitFor(LaunchOp launch, Value event) {
  SmallVector<Value> events(launch.getAfter());
  events.push_back(event);
  llvm::sort(events, [](Value a, Value b) { return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp()); });
  launch.getAfterMutable().assign(events);
}

static void assign(ProgramOp program) {
  SmallVector<LaunchOp> users;
  int64_t most = 0;
  for (auto launch : program.getBody().front().getOps<LaunchOp>())
    if (int64_t bytes = launch.hasBuffers() ? workspaceBytes(launch) : 0) {
      users.push_back(launch);
      most = std::max(most, bytes);
    }
  if (users.empty() || !program.getBody().front().getOps<WorkspaceOp>().empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&program.getBody().front());
  Value workspace =
      WorkspaceOp::create(builder, program.getLoc(), BufferType::get(builder.getContext(), most));
  // What each piece of work waits for, directly or not.
  DenseMap<Value, unsigned> numbers;
  SmallVector<llvm::BitVector> before;
  LaunchOp last;
  for (Operation &op : program.getBody().front()) {
    if (!isa<LaunchOp, CopyOp, FillOp>(op))
      continue;
    llvm::BitVector waits(before.size() + 1);
    auto add = [&](Value event) {
      unsigned number = numbers.lookup(event);
      waits |= before[number];
      waits.set(number);
    };
    llvm::for_each(waitsOf(&op), add);
    if (auto launch = dyn_cast<LaunchOp>(op); launch && llvm::is_contained(users, launch)) {
      launch.getIntoMutable().append(workspace);
      if (last && !waits.test(numbers.lookup(last.getResult(0)))) {
        waitFor(launch, last.getResult(0));
        add(last.getResult(0));
      }
      last = launch;
    }
    numbers[op.getResult(0)] = before.size();
    before.push_back(std::move(waits));
  }
}

namespace {
struct AssignWorkspace : plan::impl::AssignWorkspaceBase<AssignWorkspace> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      assign(program);
  }
};
} // namespace
