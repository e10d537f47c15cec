// verify-plan-form: the contract of programs before packaging. The runtime trusts the launch table, so what
// could make launches race or read nothing is rejected here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Accesses.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"

#include "llvm/ADT/BitVector.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_VERIFYPLANFORM
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Bytes of views in the arena start at multiples of this, so that kernels may assume it.
static constexpr int64_t kArenaAlignment = 256;

/// A programmatic edge orders memory only through the kernel's own wait.
static LogicalResult verifyProgrammatic(LaunchOp launch) {
  if (launch.getProgrammatic().empty())
    return success();
  bool waits = false, known = true;
  for (FlatSymbolRefAttr name : launch.getKernels()) {
    LLVM::LLVMFuncOp function = kernelFunction(launch, name.getValue());
    known &= bool(function);
    waits |= function && ptx::waitsForPrerequisites(function);
  }
  if (known && !waits) // plan_form_7
    return launch.emitOpError() << "has a programmatic event, but kernel @" << launch.getKernel()
                                << " does not wait for it";
  return success();
}

static LogicalResult verifyOps(ProgramOp program) {
  if (!program.getArgumentTypes().empty() || !program.getResultTypes().empty()) // plan_form_1
    return program.emitOpError() << "has " << program.getArgumentTypes().size() << " arguments and "
                                 << program.getResultTypes().size() << " results, the buffer form has none";
  unsigned arenas = 0, workspaces = 0;
  for (Operation &op : program.getBody().front()) {
    bool known =
        isa<InputOp, OutputOp, WeightOp, ArenaOp, WorkspaceOp, ViewOp, LaunchOp, CopyOp, FillOp, ReturnOp>(
            op);
    auto launch = dyn_cast<LaunchOp>(op);
    if (!known || (launch && !launch.hasBuffers())) // plan_form_1
      return op.emitOpError("has no place in the buffer form");
    if (launch && failed(verifyProgrammatic(launch)))
      return failure();
    if (isa<ArenaOp>(op) && ++arenas > 1) // plan_form_5
      return op.emitOpError("is the program's second arena");
    if (isa<WorkspaceOp>(op) && ++workspaces > 1) // plan_form_8
      return op.emitOpError("is the program's second workspace");
    if (!isa<ViewOp>(op))
      continue;
    ByteRange range = byteRangeOf(op.getResult(0));
    if (isa<ArenaOp>(range.base) && range.offset % kArenaAlignment != 0) // plan_form_5
      return op.emitOpError() << "starts " << range.offset << " bytes into the arena, not at a multiple of "
                              << kArenaAlignment;
  }
  return success();
}

/// What one op writes: not an input or weight, and no byte twice or that it reads.
static LogicalResult verifyWrites(Operation *op, const Accesses &accesses) {
  for (auto [i, write] : llvm::enumerate(accesses.writes)) {
    if (isa<InputOp, WeightOp>(write.base)) // plan_form_2
      return op->emitOpError() << "writes to a " << write.base->getName();
    for (const ByteRange &other : ArrayRef(accesses.writes).take_front(i))
      if (write.overlaps(other)) // plan_form_3
        return op->emitOpError() << "writes bytes [" << write.offset << ", " << write.offset + write.bytes
                                 << ") and [" << other.offset << ", " << other.offset + other.bytes
                                 << ") of one buffer";
    for (const ByteRange &read : accesses.reads)
      if (write.overlaps(read)) // plan_form_3
        return op->emitOpError() << "writes bytes [" << write.offset << ", " << write.offset + write.bytes
                                 << ") of a buffer of which it reads [" << read.offset << ", "
                                 << read.offset + read.bytes << ")";
  }
  return success();
}

/// Whether earlier writes cover all of `range`.
static bool isWritten(const ByteRange &range, ArrayRef<Accesses> earlier) {
  SmallVector<std::pair<int64_t, int64_t>> parts;
  for (const Accesses &accesses : earlier)
    for (const ByteRange &write : accesses.writes)
      if (write.overlaps(range))
        parts.push_back({write.offset, write.offset + write.bytes});
  llvm::sort(parts);
  int64_t covered = range.offset;
  for (auto [from, to] : parts) {
    if (from > covered)
      return false;
    covered = std::max(covered, to);
  }
  return covered >= range.offset + range.bytes;
}

static LogicalResult verifyOrder(ProgramOp program) {
  SmallVector<Operation *> work;
  SmallVector<Accesses> accesses;
  SmallVector<llvm::BitVector> before;
  DenseMap<Value, unsigned> numbers;
  for (Operation &op : program.getBody().front()) {
    if (!isa<LaunchOp, CopyOp, FillOp>(op))
      continue;
    Accesses mine = accessesOf(&op);
    if (failed(verifyWrites(&op, mine)))
      return failure();
    llvm::BitVector waits(work.size() + 1);
    for (Value event : waitsOf(&op)) {
      unsigned number = numbers.lookup(event);
      waits |= before[number];
      waits.set(number);
    }
    for (auto [i, earlier] : llvm::enumerate(accesses))
      if (conflict(earlier, mine) && !waits.test(i)) { // plan_form_4
        InFlightDiagnostic diagnostic =
            op.emitOpError("touches bytes of earlier work without waiting for it");
        diagnostic.attachNote(work[i]->getLoc()) << "earlier work";
        return diagnostic;
      }
    for (const ByteRange &read : mine.reads)
      if (isa<ArenaOp, OutputOp>(read.base) && !isWritten(read, accesses)) // plan_form_6
        return op.emitOpError() << "reads bytes [" << read.offset << ", " << read.offset + read.bytes
                                << ") of the " << (isa<ArenaOp>(read.base) ? "arena" : "output")
                                << ", which nothing has written";
    numbers[op.getResult(0)] = work.size();
    work.push_back(&op);
    accesses.push_back(std::move(mine));
    before.push_back(std::move(waits));
  }
  return success();
}

namespace {
struct VerifyPlanForm : plan::impl::VerifyPlanFormBase<VerifyPlanForm> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      if (failed(verifyOps(program)) || failed(verifyOrder(program)))
        return signalPassFailure();
  }
};
} // namespace
