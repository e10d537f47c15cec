// Passes are walked from what each of them needs: the operands of its reductions, or the full-size results.

#include "TrafficModel.h"

#include "Tilewright/Analysis/LookBack.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// Shares of the memory's bandwidth that one multiprocessor can take.
static constexpr double kSharesOfOne = 2.5;

double KernelTraffic::microseconds(const Arch &arch) const {
  double busy = std::min(1.0, (double)blocks / arch.numSMs);
  double memory = (bytes - cachedBytes) / (arch.hbmGBps * 1e3) + cachedBytes / (arch.l2GBps * 1e3);
  // Two flops are one instruction.
  double compute = instructions / (arch.fp32TFlops * 0.5e6 * busy);
  double bound = std::max(memory / std::min(1.0, kSharesOfOne * busy), compute) + arch.nodeMicroseconds;
  return std::max(bound, productMicroseconds);
}

/// Bytes of a sector, in which memory is read and written, and elements of a reduction's tile that may lie
/// across its rows.
static constexpr int64_t kSectorBytes = 32, kAcrossElems = 8192;

/// The dimension along which `view` has neighbours in memory; -1 where there is none.
static int contiguousDim(const layout::StridedView &view) {
  int best = -1;
  for (int d = 0; d < view.rank(); ++d)
    if (view.dim(d).extent > 1 && view.contiguity(d) > 1 &&
        (best < 0 || view.contiguity(d) > view.contiguity(best)))
      best = d;
  return best;
}

namespace {

/// What a reduction's tile has of tensors that lie across it: as many elements side by side as its rows leave
/// room for.
struct AcrossRows {
  const KernelIndexing &indexing;
  /// The dimension along which most of the kernel's tensors are contiguous.
  int fastest = -1;
  /// Elements of the tile for each element across.
  int64_t elems = 1;

  explicit AcrossRows(const KernelIndexing &indexing, ArrayRef<Operation *> ops, ArrayRef<Value> outputs)
      : indexing(indexing) {
    SmallVector<int64_t> elements(indexing.domain.size(), 0);
    auto count = [&](const layout::StridedView &view, Value value) {
      if (int d = contiguousDim(view); d >= 0)
        elements[d] += cast<RankedTensorType>(value.getType()).getNumElements();
    };
    for (Operation *op : ops)
      for (const OperandAccess &access : indexing.accesses.find(op)->second)
        if (!indexing.contains(access.root.getDefiningOp()))
          count(access.view, access.root);
    for (Value output : outputs)
      count(indexing.views.find(output.getDefiningOp())->second, output);
    for (auto [d, number] : llvm::enumerate(elements))
      if (number > 0 && (fastest < 0 || number >= elements[fastest]))
        fastest = (int)d;
    if (fastest < 0)
      return;
    for (auto [extent, reduced] : llvm::zip(indexing.domain, indexing.reduced))
      elems *= reduced ? extent : 1;
    // Columns side by side; long ones are gone through in a loop.
    if (!indexing.reduced[fastest])
      elems = std::min(elems * kColumnWidth, kColumnTileElems);
  }
  /// How many times the bytes of a tensor pass when its accesses have parts of sectors alone.
  int64_t passes(const layout::StridedView &view, Value value, int64_t bytes) const {
    int d = contiguousDim(view);
    int64_t elements = cast<RankedTensorType>(value.getType()).getNumElements();
    if (indexing.anchor != graph::Anchor::Reduction || d < 0 || d == fastest || indexing.reduced[d] ||
        elements == 0 || isRowLevel(indexing, view))
      return 1;
    int64_t element = std::max<int64_t>(bytes / elements, 1);
    return std::max<int64_t>(1, kSectorBytes / (std::max<int64_t>(1, kAcrossElems / elems) * element));
  }
};

/// One kernel while it is counted.
struct Count {
  const KernelIndexing &indexing;
  function_ref<ValueBytes(Value)> bytesOf;
  SmallVector<int64_t> tile = typicalTile(indexing);
  KernelTraffic traffic = {};
  /// Values of one a row: computed and read once in whatever pass.
  llvm::SmallDenseSet<Value> rows = {};
  /// Whether what a pass reads stays for those after it, and what they have.
  bool keeps = false;
  llvm::SmallDenseSet<Value> kept = {};

  void add(int64_t bytes, bool cached) {
    traffic.bytes += bytes;
    traffic.cachedBytes += cached ? bytes : 0;
  }
  int64_t bytesRead(Operation *op, const OperandAccess &access, int64_t whole) {
    int64_t elements = 1;
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
    else if (ValueBytes value = bytesOf(access.root); !keeps || kept.insert(access.root).second)
      add(bytesRead(user, access, value.bytes), value.cached);
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
                                  function_ref<ValueBytes(Value)> bytesOf) {
  Count count{indexing, bytesOf};
  for (size_t d = 0; d < indexing.domain.size(); ++d)
    if (!indexing.reduced[d])
      count.traffic.blocks *=
          (int64_t)llvm::divideCeil(indexing.domain[d], std::max<int64_t>(count.tile[d], 1));
  // Blocks that look back have a piece of a row each.
  int64_t elements = 1;
  for (int64_t extent : indexing.domain)
    elements *= extent;
  if (llvm::any_of(ops, [](Operation *op) { return op->hasAttr(kLookBackAttrName); }))
    count.traffic.blocks = std::max(count.traffic.blocks, elements / kLookBackPiece);
  // Rows that shared memory keeps are computed again in each pass, but read once.
  bool onePass = takesOnePass(indexing, pressure);
  count.keeps = !onePass && keepsRows(indexing, ops);
  AcrossRows across(indexing, ops, outputs);
  llvm::SmallDenseSet<Value> seen;
  int64_t last = 1;
  for (Operation *op : ops)
    last = std::max(last, passOf(indexing, op));
  for (int64_t pass = 1; pass <= last; ++pass) {
    for (Operation *op : ops)
      if (graph::asReduction(op) && passOf(indexing, op) == pass &&
          count.rows.insert(op->getResult(0)).second)
        count.visit(op, seen);
    for (Value output : outputs) {
      Operation *op = output.getDefiningOp();
      const layout::StridedView &view = indexing.views.find(op)->second;
      if (passOf(indexing, op) != pass)
        continue;
      ValueBytes stored = bytesOf(output);
      count.add(stored.bytes * across.passes(view, output, stored.bytes), stored.cached);
      if ((isRowLevel(indexing, view) ? count.rows : seen).insert(output).second)
        count.visit(op, seen);
    }
    if (!onePass)
      seen.clear();
  }
  return count.traffic;
}
