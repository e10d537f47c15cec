// How every value of a kernel is indexed over one iteration domain.
//
// A kernel computes over the domain of its anchor: the result of a matmul, the operand of a reduction, or the
// largest elementwise result. Several matmuls are one kernel when they have one domain and one K and share an
// operand: then their sums of the same element meet in one thread. Two are one as well where the left operand
// of the second is made of the first one's result: a chain, over [batch…, M, K, N] of the second. A set of
// ops can be one kernel if each value is a strided view over that domain: the value's row-major element index
// as a function of the domain index. Views are pulled from a consumer to its producers and pushed from a
// producer to its consumers through reshapes, transposes, broadcasts, slices and pads, which therefore cost
// nothing. What computes an operand of a product from one tensor, element by element, is no part of the
// domain: it is the operand's prologue, carried out on each tile of the operand behind its load. The fuse
// stage asks whether a set of ops has an indexing; the tile stage asks for it again and reads addresses from
// it.
#ifndef TILEWRIGHT_ANALYSIS_KERNELINDEXING_H
#define TILEWRIGHT_ANALYSIS_KERNELINDEXING_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Layout/StridedView.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright {

/// Whether `op` only renumbers elements, so that a view can absorb it.
bool isMovement(mlir::Operation *op);

/// Whether `value` needs no memory: a splat constant.
bool isSplatConstant(mlir::Value value);

/// The one number of a splat constant of floats; nothing for any other value.
std::optional<double> splatNumber(mlir::Value value);

/// A value behind a chain of movement ops: `ops` from the value that is used back to `root`.
struct MovementChain {
  mlir::Value root;
  llvm::SmallVector<mlir::Operation *, 4> ops;
};

/// Ops whose results are computed although they only move data.
using MaterializedOps = llvm::SmallPtrSet<mlir::Operation *, 8>;

/// Walks up from `value` through movement ops that are not materialized.
MovementChain chainOf(mlir::Value value, const MaterializedOps &materialized);

/// `view` on the value at the chain's end turned into the view on its root; nullopt when it is not strided.
std::optional<layout::StridedView> pull(layout::StridedView view, const MovementChain &chain);

/// One way a kernel's op reads a value.
struct OperandAccess {
  mlir::Value root;
  layout::StridedView view;
  /// Of a product's operand: the ops, in order, that compute it from `root`, element by element.
  llvm::SmallVector<mlir::Operation *, 2> prologue = {};

  bool operator==(const OperandAccess &other) const {
    return root == other.root && view == other.view && prologue == other.prologue;
  }
};

/// How an operand of a product comes from memory: through movement, and through ops of one tensor each, which
/// work element by element.
struct OperandPath {
  /// Movement behind the operand, and behind what each op reads; one more than ops.
  llvm::SmallVector<MovementChain, 2> chains;
  /// From the operand on.
  llvm::SmallVector<mlir::Operation *, 2> ops;
  mlir::Value root() const { return chains.back().root; }
};

/// The path of `operand` through ops that `isMember` holds for, as far as these are such ones.
OperandPath pathOf(mlir::Value operand, const MaterializedOps &materialized,
                   llvm::function_ref<bool(mlir::Operation *)> isMember);

/// Products of one kernel: accumulators of more leave tiles that are not worth their loads.
inline constexpr size_t kMostProducts = 4;

/// Why the types or sizes of two products are none that one loop over the terms of the second takes; empty
/// when they are.
std::string whyNoChain(graph::MatmulOp inner, graph::MatmulOp outer);

/// The indexing of a set of ops.
class KernelIndexing {
public:
  /// `ops` in program order. Fails with a reason in `why` when the ops are no single kernel.
  static std::optional<KernelIndexing> solve(llvm::ArrayRef<mlir::Operation *> ops,
                                             const MaterializedOps &materialized, std::string &why);
  /// The same for a kernel's body, where `graph.materialize` marks the movement that is computed.
  static std::optional<KernelIndexing> solve(graph::KernelOp kernel, std::string &why);

  /// The op that shapes the kernel.
  mlir::Operation *anchorOp = nullptr;
  graph::Anchor anchor = graph::Anchor::Elementwise;
  /// The kernel's matmuls in program order, of which the first is the anchor, and the operand that all of
  /// them share (both when there is one).
  llvm::SmallVector<graph::MatmulOp> products;
  bool sharesLhs = false, sharesRhs = false;
  /// Of a chain the product of whose result the left operand of the other one, the anchor, is made. Its own
  /// operands' views are over their own dimensions; all others, those of the anchor's operands too, are over
  /// the domain.
  graph::MatmulOp inner;
  /// Sizes of the domain; at least one dimension. That of products has no K, but a chain's has.
  llvm::SmallVector<int64_t> domain;
  /// Which domain dimensions the kernel's reductions, scans and sorts run over.
  llvm::SmallVector<bool> reduced;
  /// For each of these ops the dimensions that it runs over itself.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<bool>> along;
  /// For a reduction whose operand is a part of the domain along some of these: where it begins and ends
  /// there, by dimension. What lies beside it takes no part.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<std::pair<int64_t, int64_t>>> within;
  /// These differ: one sums over rows, another over columns. Then every block holds all of them whole, or all
  /// but one.
  bool isMixed = false;
  /// The dimensions that every tile holds whole while a loop goes over the one that is left of `reduced`:
  /// what runs over these alone is computed in each step of the loop. None before loopOverLongest.
  llvm::SmallVector<bool> held;
  /// View of each op's result over the domain.
  llvm::MapVector<mlir::Operation *, layout::StridedView> views;
  /// For an op of the set: its operands' roots and views over the domain (over [batch…, M, K] and [batch…, K,
  /// N] for the operands of a matmul).
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<OperandAccess>> accesses;

  /// For a concatenation that is stored part by part: where each one lies in the result, over the domain. Its
  /// entry in `views` is the view on a part, which is the same for all of them.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<layout::StridedView>> joins;

  bool isChain() const { return inner != nullptr; }
  /// Where the groups of rows end of which each is multiplied with a matrix of its own; null: no products are
  /// grouped. The domain is [E, T, N] then, E the groups, of which a row has one.
  mlir::Value groups() const {
    return products.empty() || isChain() ? mlir::Value() : graph::MatmulOp(products.front()).getGroups();
  }
  /// Of a chain's domain the dimensions of rows, of what the anchor sums over, and of its columns.
  size_t chainRows() const { return domain.size() - 3; }
  size_t chainTerms() const { return domain.size() - 2; }
  size_t chainColumns() const { return domain.size() - 1; }
  /// Whether `op` has a view over the domain, as all ops of the set have but those of prologues.
  bool contains(mlir::Operation *op) const { return op && views.count(op); }
  /// How many places of `result` one place of the domain is stored at: of what is joined one in each part.
  int64_t placesOf(mlir::Value result) const {
    auto joined = joins.find(result.getDefiningOp());
    return joined == joins.end() ? 1 : (int64_t)joined->second.size();
  }
  /// Takes a kept dimension apart whose index a view reads as several digits, where all views allow it: a
  /// transpose under a reshape has two contiguous dimensions, and a tile has some of both.
  void splitDigits();
  /// Of a kernel that mixes dimensions: lets a loop go over the longest one that is reduced, where tiles of a
  /// few steps of it have room for the others and nothing but reductions runs over it. Whether it does.
  bool loopOverLongest();
  /// Whether a loop goes over one dimension, and tiles hold whole what else is reduced.
  bool isLooped() const { return llvm::is_contained(held, true); }
  bool isHeld(size_t d) const { return d < held.size() && held[d]; }
  /// Whether `op` is a reduction, scan or sort of what each tile of a loop holds, or no such op.
  bool isWithinSteps(mlir::Operation *op) const;
  /// `op` where it is a reduction that needs all of the kernel's rows, and not those of one tile; else null.
  graph::ReductionOpInterface rowReduction(mlir::Operation *op) const {
    return isWithinSteps(op) ? graph::ReductionOpInterface() : graph::asReduction(op);
  }
  bool isProduct(mlir::Operation *op) const { return llvm::isa<graph::MatmulOp>(op) && contains(op); }
};

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_KERNELINDEXING_H
