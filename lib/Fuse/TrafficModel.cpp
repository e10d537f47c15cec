// Passes are walked from what each of them needs: the operands of its reductions, or the full-size results.

#include "TrafficModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// FMA instructions that a chip of the table computes while its memory moves a byte (H200: 33 T/s to 4.8
/// TB/s).
static constexpr int64_t kInstructionsPerByte = 7;
/// Bytes that its memory moves in the 1.5 µs between kernels of a CUDA graph.
static constexpr int64_t kLaunchBytes = 7 << 20;

int64_t KernelTraffic::cost() const { return std::max(bytes, instructions / kInstructionsPerByte); }

int64_t fuse::launchCost() { return kLaunchBytes; }

namespace {

/// One kernel while it is counted.
struct Count {
  const KernelIndexing &indexing;
  function_ref<int64_t(Value)> bytesOf;
  SmallVector<int64_t> tile = typicalTile(indexing);
  KernelTraffic traffic = {};
  /// Values of one a row: computed and read once in whatever pass.
  llvm::SmallDenseSet<Value> rows = {};

  int64_t bytesRead(Operation *op, const OperandAccess &access) {
    int64_t whole = bytesOf(access.root), elements = 1;
    int64_t total = cast<RankedTensorType>(access.root.getType()).getNumElements();
    if (isa<graph::MatmulOp>(op) || total == 0)
      return whole;
    // A gather takes rows of its table, a slice part of its operand.
    SmallVector<bool> depends = supportOf(access.view);
    bool gathers = isa<graph::GatherOp>(op);
    for (size_t d = 0; d < depends.size(); ++d)
      elements *= depends[d] || gathers ? indexing.domain[d] : 1;
    return whole / total * std::min(elements, total);
  }
  /// Elements of `op` that all blocks compute.
  int64_t evaluations(Operation *op) {
    SmallVector<bool> depends = supportOf(indexing.views.find(op)->second);
    int64_t elements = 1;
    for (size_t d = 0; d < depends.size(); ++d) {
      bool whole = depends[d] || (graph::asReduction(op) && indexing.reduced[d]);
      elements *= whole                 ? indexing.domain[d]
                  : indexing.reduced[d] ? 1
                                        : (int64_t)llvm::divideCeil(indexing.domain[d], tile[d]);
    }
    return elements;
  }
  /// Counts what `value` needs in a pass that has `seen` other values.
  void visit(Operation *user, const OperandAccess &access, llvm::SmallDenseSet<Value> &seen) {
    if (isSplatConstant(access.root))
      return;
    Operation *producer = access.root.getDefiningOp();
    bool member = indexing.contains(producer);
    bool once = isRowLevel(indexing, member ? indexing.views.find(producer)->second : access.view);
    if (!(once ? rows : seen).insert(access.root).second)
      return;
    if (member)
      visit(producer, seen);
    else
      traffic.bytes += bytesRead(user, access);
  }
  void visit(Operation *op, llvm::SmallDenseSet<Value> &seen) {
    // A product's work is on other units, and the same wherever its kernel is cut.
    if (!isa<graph::MatmulOp>(op))
      traffic.instructions += instructionsOf(op) * evaluations(op);
    for (const OperandAccess &access : indexing.accesses.find(op)->second)
      visit(op, access, seen);
  }
};

} // namespace

KernelTraffic fuse::kernelTraffic(const KernelIndexing &indexing, const TilePressure &pressure,
                                  ArrayRef<Operation *> ops, ArrayRef<Value> outputs,
                                  function_ref<int64_t(Value)> bytesOf) {
  Count count{indexing, bytesOf};
  bool onePass = takesOnePass(indexing, pressure);
  llvm::SmallDenseSet<Value> seen;
  int deepest = 0;
  for (Operation *op : ops)
    deepest = std::max(deepest, reductionLevel(indexing, op));
  for (int level = 1; level <= deepest; ++level) {
    for (Operation *op : ops)
      if (graph::asReduction(op) && reductionLevel(indexing, op) == level &&
          count.rows.insert(op->getResult(0)).second)
        count.visit(op, seen);
    if (!onePass)
      seen.clear();
  }
  for (Value output : outputs) {
    count.traffic.bytes += bytesOf(output);
    Operation *op = output.getDefiningOp();
    bool once = isRowLevel(indexing, indexing.views.find(op)->second);
    if ((once ? count.rows : seen).insert(output).second)
      count.visit(op, seen);
  }
  return count.traffic;
}
