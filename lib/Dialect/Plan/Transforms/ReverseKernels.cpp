// plan-reverse-kernels: a kernel that reads what the one before it has gone through last begins there.
//
// Kernels go through large tensors from their first bytes to their last. What then lies in the L2 cache are
// the last ones, and the next kernel that begins at the first drives them out before it comes to them. From
// the last to the first it finds them. All else that passes on the way, what the kernel itself has read and
// what it writes among it, may leave the cache first. So may what passes beside a table that is larger than
// the cache and of which a kernel takes elements in no order.
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"

#include "MemoryTraffic.h"
#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_REVERSEKERNELS
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// The share of a program's bytes through memory that a reversed kernel has to save, the model knows no less,
/// and that it is worth saying what leaves the cache first. (H200: layer norms of all of 24 and 36 MB in
/// fp32, which then save 18 to 32 %, 0.91 to 0.95 of the time; of nineteen programs that save 3 to 7 %, 0.97
/// to 1.05, 1.001 in the mean: stores that leave first take a little longer.)
static constexpr double kLeastSaved = 0.01, kLeastByHints = 0.075;
/// Bytes of a tensor that is worth saying so of.
static constexpr int64_t kLeastLeaving = 1 << 20;
/// Kernels of a program that are tried, each of which is a run of the model.
static constexpr int64_t kMostTried = 24;

namespace {
/// The launches of a program, and which of them are to find in the cache what an earlier one has touched.
struct Launches {
  SmallVector<LaunchOp> order;
  SmallVector<graph::KernelOp> kernels = {}; ///< Null: not to be touched.
  SmallVector<int64_t> moved = {};
  /// By launch: whether it is one.
  llvm::BitVector finds;
  /// By launch: the tables of which it takes elements anywhere, and of which the cache has a part.
  SmallVector<SmallVector<Value>> tables = {};
  double cacheBytes;

  Launches(ProgramOp program, const SymbolTable &symbols, double cacheBytes);

  static bool touches(LaunchOp launch, Value root) {
    return reads(launch, root) || llvm::is_contained(launch->getResults(), root);
  }
  static bool reads(LaunchOp launch, Value root) {
    return llvm::any_of(launch.getArgs(), [&](Value arg) { return aliased(arg) == root; });
  }
  void findTables();
  /// Whether nothing needs `root` of launch `at` while the cache could have it.
  bool leaves(size_t at, Value root) const;
  /// Says of all kernels what is the first to leave the cache.
  void mark();
};

struct ReverseKernels : plan::impl::ReverseKernelsBase<ReverseKernels> {
  using Base::Base;

  /// Kernels of one launch that go in order through a tensor larger than the cache's share for it, which a
  /// launch before it has touched; in the order of launches.
  SmallVector<std::pair<LaunchOp, graph::KernelOp>> candidates(ProgramOp program, const SymbolTable &symbols,
                                                               const Arch &arch);

  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    getOperation().walk([&](ProgramOp program) {
      if (llvm::any_of(program.getBody().getOps<LaunchOp>(),
                       [](LaunchOp launch) { return launch.hasBuffers(); }))
        return;
      Launches launches(program, symbols, arch->l2Bytes);
      if (cacheHints) {
        launches.findTables();
        launches.mark();
      }
      auto found = candidates(program, symbols, *arch);
      if (found.empty() || (int64_t)found.size() > kMostTried)
        return;
      auto bytes = [&] {
        ProgramTraffic traffic = trafficOf(program, symbols, arch->l2Bytes);
        return traffic.read + traffic.written;
      };
      int64_t least = bytes();
      for (auto [launch, kernel] : found) {
        size_t at = llvm::find(launches.order, launch) - launches.order.begin();
        kernel->setAttr(kBackwardAttrName, UnitAttr::get(&getContext()));
        auto find = [&](bool hints) {
          launches.finds[at] = hints;
          launches.mark();
          return bytes();
        };
        int64_t now = bytes();
        if (cacheHints) {
          int64_t hinted = find(true);
          bool isWorthIt = (double)hinted <= (double)now * (1 - kLeastByHints);
          now = isWorthIt ? hinted : find(false);
        }
        if ((double)now <= (double)least * (1 - kLeastSaved)) {
          emitRemark(launch, Remark::KernelReversed, kernel.getSymName(), least - now, least);
          least = now;
          ++reversed;
        } else {
          kernel->removeAttr(kBackwardAttrName);
          find(false);
        }
      }
    });
  }
};
} // namespace

Launches::Launches(ProgramOp program, const SymbolTable &symbols, double cacheBytes)
    : order(program.getBody().front().getOps<LaunchOp>()), cacheBytes(cacheBytes) {
  llvm::SmallDenseSet<Operation *> seen, several;
  for (LaunchOp launch : order) {
    auto kernel = symbols.lookup<graph::KernelOp>(launch.getKernel());
    if (!seen.insert(kernel).second)
      several.insert(kernel);
    kernels.push_back(kernel);
    int64_t bytes = 0;
    for (Type type : llvm::concat<const Type>(launch->getOperandTypes(), launch->getResultTypes()))
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        bytes += storageBytes(tensor);
    moved.push_back(bytes);
  }
  for (auto [launch, kernel] : llvm::zip(order, kernels))
    if (!kernel || several.contains(kernel) || kernel.getAnchor() == graph::Anchor::Matmul ||
        launch.getKernels().size() != 1)
      kernel = nullptr;
  finds.resize(order.size());
  tables.resize(order.size());
}

void Launches::findTables() {
  for (size_t at = 0; at < order.size(); ++at) {
    if (!kernels[at])
      continue;
    SmallVector<Touch> touches = touchesOf(kernels[at]);
    for (auto [touch, arg] : llvm::zip(touches, order[at].getArgs())) {
      int64_t part = storageBytes(cast<RankedTensorType>(arg.getType())) / touch.parts;
      if (touch.gathered && (double)part > kRandomShare * cacheBytes)
        tables[at].push_back(aliased(arg));
    }
  }
}

bool Launches::leaves(size_t at, Value root) const {
  int64_t between = 0;
  for (size_t later = at + 1; later < order.size(); between += moved[later++])
    if (reads(order[later], root))
      return !finds[later] && (double)between > cacheBytes;
  return true;
}

void Launches::mark() {
  // From the launch that has touched what is found up to the one that finds it.
  llvm::BitVector isBetween(order.size());
  for (unsigned at : finds.set_bits())
    for (Value arg : order[at].getArgs())
      for (size_t before = at; before-- > 0;)
        if (touches(order[before], aliased(arg))) {
          isBetween.set((unsigned)before, at + 1);
          break;
        }
  for (size_t at = 0; at < order.size(); ++at) {
    if (!kernels[at])
      continue;
    SmallVector<Value> values(order[at].getArgs());
    llvm::append_range(values, order[at]->getResults());
    SmallVector<int64_t> leaving;
    for (auto [place, value] : llvm::enumerate(values)) {
      Value root = aliased(value);
      bool isOnce = llvm::count_if(values, [&](Value other) { return aliased(other) == root; }) == 1;
      bool isLarge = storageBytes(cast<RankedTensorType>(value.getType())) >= kLeastLeaving;
      bool isBeside = !tables[at].empty() && !llvm::is_contained(tables[at], root);
      if ((isBetween[at] || isBeside) && isLarge && isOnce && leaves(at, root))
        leaving.push_back((int64_t)place);
    }
    if (leaving.empty())
      kernels[at]->removeAttr(kLeavingAttrName);
    else
      kernels[at]->setAttr(kLeavingAttrName, DenseI64ArrayAttr::get(kernels[at].getContext(), leaving));
  }
}

SmallVector<std::pair<LaunchOp, graph::KernelOp>>
ReverseKernels::candidates(ProgramOp program, const SymbolTable &symbols, const Arch &arch) {
  llvm::MapVector<graph::KernelOp, SmallVector<LaunchOp>> launches;
  for (LaunchOp launch : program.getBody().front().getOps<LaunchOp>())
    if (auto kernel = symbols.lookup<graph::KernelOp>(launch.getKernel()))
      launches[kernel].push_back(launch);
  SmallVector<std::pair<LaunchOp, graph::KernelOp>> found;
  llvm::DenseSet<Value> touched;
  for (LaunchOp launch : program.getBody().front().getOps<LaunchOp>()) {
    auto kernel = symbols.lookup<graph::KernelOp>(launch.getKernel());
    if (!kernel)
      continue;
    bool gains = false;
    if (kernel.getAnchor() != graph::Anchor::Matmul && launches[kernel].size() == 1 &&
        launch.getKernels().size() == 1) {
      SmallVector<Touch> touches = touchesOf(kernel);
      for (auto [touch, arg] : llvm::zip(touches, launch.getArgs()))
        gains |= touch.inOrder && (double)touch.bytes > arch.l2Bytes / 4 && touched.contains(aliased(arg));
    }
    if (gains)
      found.push_back({launch, kernel});
    for (Value arg : launch.getArgs())
      touched.insert(aliased(arg));
    for (Value result : launch.getResults())
      touched.insert(result);
  }
  return found;
}
