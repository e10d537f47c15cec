// Dimensions of a kernel's domain whose index some tensor counts by digits: each digit that has neighbours in
// memory becomes a dimension of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Analysis/KernelIndexing.h"

#include "llvm/ADT/STLFunctionalExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Elements side by side in memory that a dimension of its own need not be split for.
static constexpr int64_t kLongRun = 16;

/// Where a view reads an index of dimension `d` as digits, and the neighbours in memory are not all counted
/// by the last one: what the digits behind a place to split it at count; 1 where there is none. From
/// neighbours on, the digits are followed through memory until they are a long run.
static int64_t innerDigits(const StridedView &view, int d) {
  StridedView simple = view.simplify();
  int64_t run = 1, shortRun = 1;
  while (run < kLongRun) {
    int dim = -1;
    int64_t behind = 1, extent = 1;
    bool isOutermost = true;
    for (int e = 0; e < simple.rank() && dim < 0; ++e) {
      behind = 1;
      ArrayRef<layout::Mode> modes = simple.dim(e).modes;
      for (size_t i = modes.size(); i-- > 0 && dim < 0; behind *= dim < 0 ? modes[i].extent : 1)
        if (modes[i].stride == run && modes[i].extent > 1) {
          dim = e;
          extent = modes[i].extent;
          isOutermost = i == 0;
        }
    }
    if (dim < 0)
      return 1;
    // The run before goes on elsewhere.
    if (shortRun > 1)
      return shortRun;
    if (dim == d && simple.dim(d).isIdentity()) {
      if (behind > 1)
        return behind;
      if (!isOutermost)
        shortRun = extent;
    }
    run *= extent;
  }
  return 1;
}

/// Calls `visit` on all views over the domain; stops where it says false.
static bool forEachView(KernelIndexing &indexing, llvm::function_ref<bool(StridedView &)> visit) {
  for (auto &[op, view] : indexing.views)
    if (!visit(view))
      return false;
  for (auto &[op, places] : indexing.joins)
    if (!llvm::all_of(places, visit))
      return false;
  for (auto &[op, accesses] : indexing.accesses)
    for (OperandAccess &access : accesses)
      if (!visit(access.view))
        return false;
  return true;
}

void KernelIndexing::splitDigits() {
  // What is left of a dimension in front may have digits of its own.
  for (size_t d = 0; d < domain.size();) {
    int64_t inner = 1;
    if (!reduced[d] && !isHeld(d))
      forEachView(*this, [&](StridedView &view) {
        inner = std::max(inner, innerDigits(view, (int)d));
        return true;
      });
    if (inner == 1 || domain[d] % inner != 0) {
      ++d;
      continue;
    }
    SmallVector<int64_t> split(domain);
    split[d] /= inner;
    split.insert(split.begin() + d + 1, inner);
    std::vector<int64_t> shape(split.begin(), split.end());
    if (!forEachView(*this, [&](StridedView &view) { return view.reshape(shape).has_value(); })) {
      ++d;
      continue;
    }
    forEachView(*this, [&](StridedView &view) {
      view = *view.reshape(shape);
      return true;
    });
    domain = split;
    reduced.insert(reduced.begin() + d, false);
    if (!held.empty())
      held.insert(held.begin() + d, false);
    for (auto &[op, runs] : along)
      runs.insert(runs.begin() + d, runs[d]);
    for (auto &[op, part] : within) {
      part[d] = {0, split[d]};
      part.insert(part.begin() + d + 1, {0, inner});
    }
  }
}
