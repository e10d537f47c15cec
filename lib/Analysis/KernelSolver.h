// The solver behind KernelIndexing.h: its state, and what its two files share. KernelIndexing.cpp goes from
// the anchor along the edges and checks the result; OperandViews.cpp knows what each op reads of its
// operands. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_ANALYSIS_KERNELSOLVER_H
#define TILEWRIGHT_LIB_ANALYSIS_KERNELSOLVER_H

#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Analysis/TileBudget.h"

namespace tilewright {

using View = std::optional<layout::StridedView>;

inline std::vector<int64_t> shapeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape().vec();
}

/// Whether the fuse stage has left `op` without a kernel: its readers compute it themselves.
inline bool isDropped(mlir::Operation *op) { return op->hasAttr("graph.dropped"); }

/// The view on the operand of one movement op from the view on its result.
View pullThrough(const layout::StridedView &view, mlir::Operation *op);

/// The view on the result of one movement op from the view on its operand; broadcasts have none, and slices
/// only with `cuts`: what is not in the slice is padding then.
View pushThrough(const layout::StridedView &view, mlir::Operation *op, bool cuts = false);

/// The view on a chain's result from the view on its root.
View push(layout::StridedView view, const MovementChain &chain, bool cuts = false);

/// Whether `part` has some elements of what `whole` has, each at the same place of the domain.
bool isPartOf(const layout::StridedView &part, const layout::StridedView &whole);

/// The tensor movement ops read, for an op that is materialized itself.
llvm::SmallVector<mlir::Value> readOperands(mlir::Operation *op);

/// Whether `view` reaches every one of `elements` elements: its strides, in order, are those of a row-major
/// index.
bool coversAll(const layout::StridedView &view, int64_t elements);

/// The state of one solution.
struct KernelSolver {
  llvm::ArrayRef<mlir::Operation *> ops;
  const MaterializedOps &materialized;
  std::string &why;
  KernelIndexing result;
  llvm::SmallPtrSet<mlir::Operation *, 16> members;
  /// Ops may have a part of the domain alone: slices of what others have whole, and the operands of pads and
  /// concatenations. The domain is that of the largest op that is needed in full.
  bool cuts = false;
  /// With `cuts`: of several such ops the first one gives the domain its shape, not the last one.
  bool first = false;
  /// Reductions and scans may run over different dimensions of the domain, which is that of the largest op.
  bool mixes = false;
  /// Concatenations of tensors in memory, of numbers, and of what else the kernel does not compute are stored
  /// part by part, as those of computed values always are.
  bool places = false;
  /// The domain of kernels without reductions has one dimension: all elements in the order of memory.
  bool flat = false;
  /// Of several ops as large one of this shape gives the domain its own, where there is one.
  std::optional<std::vector<int64_t>> preferred = {};
  /// With `cuts`: ops that are read outside of the kernel, or by such ops otherwise than in slices.
  llvm::SmallPtrSet<mlir::Operation *, 16> inFull = {};
  /// `ops` without those of prologues, where there are any.
  llvm::SmallVector<mlir::Operation *> own = {};
  /// How the operands of each product come from memory, where ops lie on the way.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<OperandPath>> prologues = {};

  /// Takes out of `all` what computes operands of products.
  void findPrologues(llvm::ArrayRef<mlir::Operation *> all);
  /// The access to an operand that has a prologue.
  bool addProductOperand(graph::MatmulOp product, unsigned index, llvm::SmallVector<OperandAccess> &accesses);
  bool hasPrologue(graph::MatmulOp product, unsigned index) const {
    auto it = prologues.find(product);
    return it != prologues.end() && !it->second[index].ops.empty();
  }
  bool chooseAnchor();
  bool seed();
  void spread();
  bool checkEdges();
  /// The view on a tensor of a chain that has all dimensions of its domain but `without`.
  layout::StridedView chainView(size_t without) const;
  /// Whether one loop over K carries out a chain: all that is reduced, and the second product, needs nothing
  /// that is known behind it alone, and what others read has no K.
  bool checkChain();
  /// Whether the kernel's matmuls share an operand and differ in the other one alone.
  bool checkProducts();
  /// Whether every value that is read outside of the kernel is computed in full.
  bool isReadOutside(mlir::Operation *op) const;
  bool checkCoverage();
  /// Operand views of `op` when its result has `view`; false with `why` when one is not strided or disagrees.
  bool operandAccesses(mlir::Operation *op, const layout::StridedView &view,
                       llvm::SmallVector<OperandAccess> &accesses);
  /// The view on reduce `op`'s operand, given by its unique solution.
  View reduceOperandView(graph::ReductionOpInterface op);
  /// The view on a reduction's result when its operand has `view`, or nullopt when the reduced domain
  /// dimensions are not those of the kernel (or, where it mixes, not whole dimensions).
  View reduceResultView(graph::ReductionOpInterface op, const layout::StridedView &view);
  /// Notes what part of the domain `op` reduces when its operand has `view`.
  void notePart(graph::ReductionOpInterface op, const layout::StridedView &view);
  /// `view` on the operand of a reduction as one on its reduced dimensions alone.
  View droppedView(graph::ReductionOpInterface op, const layout::StridedView &view);
  /// Fills in which dimensions each reduction and scan runs over.
  void findAlong();
  /// Fills in `inFull`.
  void findInFull();
  /// Where one op reads a part of what another one reads in the same order, it reads the same.
  void shareAccesses();
  /// Whether `op` joins parts of equal shape, all computed by the kernel (with `places` any), which does not
  /// read the result: each part is then stored at its place, and the domain is that of a part.
  bool isJoin(mlir::Operation *op);
  /// Whether a scan or sort along `dim` of a result with `view` runs along what the kernel reduces.
  bool runsAlongRows(mlir::Operation *op, int64_t dim, const layout::StridedView &view);
  /// A view for an op without one: along the edges to ops that have theirs; with `guess` also any view that
  /// fits its shape and its operands.
  View candidateFor(mlir::Operation *op, bool guess);
  bool fail(mlir::Operation *op, const llvm::Twine &reason) {
    why = (op->getName().getStringRef() + ": " + reason).str();
    return false;
  }
};

} // namespace tilewright

#endif // TILEWRIGHT_LIB_ANALYSIS_KERNELSOLVER_H
