// The dimensions of a tiled kernel: those of its anchor's domain, split where a tensor counts places in
// memory by digits of an index (KernelIndexing), merged where all tensors allow it, and with the sides of a
// product changed.

#include "KernelTiler.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// A view over [batch…, M, K] or [batch…, K, N] as one over [batch…, M, N, K].
static StridedView overProduct(const StridedView &view, bool isLhs, ArrayRef<int64_t> domain) {
  std::vector<layout::ViewDim> dims = view.dims();
  size_t rank = dims.size();
  layout::ViewDim absent;
  absent.extent = isLhs ? domain[rank - 1] : domain[rank - 2];
  absent.modes = {{absent.extent, 0}};
  if (isLhs) {
    dims.insert(dims.end() - 1, absent);
  } else {
    std::swap(dims[rank - 2], dims[rank - 1]); // K, N to N, K
    dims.insert(dims.end() - 2, absent);
  }
  return StridedView(dims, view.offset());
}

/// A view over the domain's batch dimensions and, behind these, the two `matrix` ones, as one over all of it.
static StridedView overDomain(const StridedView &view, ArrayRef<size_t> matrix, ArrayRef<int64_t> domain) {
  std::vector<layout::ViewDim> dims;
  for (int64_t extent : domain) {
    layout::ViewDim &absent = dims.emplace_back();
    absent.extent = extent;
    absent.modes = {{extent, 0}};
  }
  int batch = view.rank() - 2;
  for (int d = 0; d < batch; ++d)
    dims[d] = view.dim(d);
  for (auto [i, d] : llvm::enumerate(matrix))
    dims[d] = view.dim(batch + (int)i);
  return StridedView(dims, view.offset());
}

static StridedView withDim(const StridedView &view, int64_t extent) {
  std::vector<layout::ViewDim> dims = view.dims();
  layout::ViewDim absent;
  absent.extent = extent;
  absent.modes = {{extent, 0}};
  dims.push_back(absent);
  return StridedView(dims, view.offset());
}

void KernelTiler::forEachView(function_ref<void(StridedView &view)> change) {
  for (auto &[op, view] : indexing.views)
    change(view);
  for (auto &[op, places] : indexing.joins)
    llvm::for_each(places, change);
  for (auto &[op, accesses] : indexing.accesses)
    for (OperandAccess &access : accesses)
      change(access.view);
}

void KernelTiler::collapse() {
  bool isMatmul = indexing.anchor == graph::Anchor::Matmul;
  if (!isMatmul)
    indexing.splitDigits();
  SmallVector<int64_t> extents(indexing.domain);
  // What tiles hold merges with what else they hold alone.
  SmallVector<bool> reduced(indexing.reduced);
  for (size_t d = 0; d < reduced.size(); ++d)
    reduced[d] = reduced[d] || indexing.isHeld(d);
  if (isMatmul) {
    extents.push_back(cast<RankedTensorType>(indexing.anchorOp->getOperand(0).getType()).getShape().back());
    reduced.push_back(true);
    // A chain has K already: behind its columns are the terms of its inner product.
    size_t last = extents.size() - 1;
    if (indexing.isChain())
      extents.back() = cast<RankedTensorType>(indexing.inner.getLhs().getType()).getShape().back();
    // From here on all views are over [batch…, M, N, K]; those of a chain over [batch…, M, K, N, terms].
    for (auto &[op, view] : indexing.views)
      view = withDim(view, extents.back());
    for (auto &[op, places] : indexing.joins)
      for (StridedView &place : places)
        place = withDim(place, extents.back());
    for (auto &[op, accesses] : indexing.accesses)
      for (auto [i, access] : llvm::enumerate(accesses))
        if (indexing.isChain() && op == indexing.inner.getOperation())
          access.view = overDomain(
              access.view, i == 0 ? SmallVector<size_t>{last - 3, last} : SmallVector<size_t>{last, last - 2},
              extents);
        else if (indexing.isProduct(op) && !indexing.isChain())
          access.view = overProduct(access.view, i == 0, indexing.domain);
        else
          access.view = withDim(access.view, extents.back());
  }
  std::vector<StridedView> views;
  for (auto &[op, view] : indexing.views)
    views.push_back(view);
  for (auto &[op, places] : indexing.joins)
    llvm::append_range(views, places);
  for (Operation *op : ops)
    for (const OperandAccess &access : indexing.accesses[op])
      views.push_back(access.view);
  // Dimensions merge where all views allow it, but never across roles: kept and reduced, M, N and K, and
  // batch dimensions with M only where the right operand is the same for all of them.
  int rank = extents.size();
  auto isOfRhs = [&](int d) {
    return extents[d] != 1 && llvm::any_of(indexing.products, [&](graph::MatmulOp product) {
             const StridedView &rhs = indexing.accesses[product][1].view;
             return llvm::any_of(rhs.dim(d).modes, [](const layout::Mode &m) { return m.stride != 0; });
           });
  };
  auto separate = [&](const std::vector<int> &group, int d) {
    if (reduced[group.back()] != reduced[d])
      return true;
    // A part of one of them is no part of both.
    for (int dim : {group.back(), d})
      if (llvm::any_of(indexing.within, [&](const auto &entry) {
            return entry.second[dim] != std::pair<int64_t, int64_t>(0, indexing.domain[dim]);
          }))
        return true;
    // Where some op runs over one of them alone they stay two.
    if (indexing.isMixed && llvm::any_of(indexing.along, [&](const auto &entry) {
          return entry.second[group.back()] != entry.second[d];
        }))
      return true;
    if (indexing.isChain())
      return d >= rank - 4;
    return isMatmul &&
           (d >= rank - 2 || (d == rank - 3 && (indexing.groups() || llvm::any_of(group, isOfRhs))));
  };
  for (const std::vector<int> &group : layout::collapseDims(views)) {
    int64_t merged = 1;
    for (size_t i = 0; i < group.size(); ++i) {
      if (i == 0 || separate(groups.back(), group[i]) ||
          merged > kMaxExtent / std::max<int64_t>(extents[group[i]], 1)) {
        groups.emplace_back();
        merged = 1;
      }
      groups.back().push_back(group[i]);
      merged *= extents[group[i]];
    }
  }
  if (isOneRun(views, extents, groups, kMaxExtent)) {
    groups.assign(1, std::vector<int>(extents.size()));
    std::iota(groups.front().begin(), groups.front().end(), 0);
  } else {
    mergeRuns(views, extents, reduced, groups, kMaxExtent);
  }
  for (const std::vector<int> &group : groups) {
    int64_t extent = 1;
    for (int d : group)
      extent *= extents[d];
    bool isHeld = indexing.isHeld(group.front());
    dims.push_back({extent, 1, reduced[group.front()] && !isHeld, isHeld, Value(), 0});
  }
  forEachView([&](StridedView &view) { view = view.collapse(groups).simplify(); });
  alignOrigin();
}

/// The product transposed: N takes the place of M in the domain and in all views, the operands change sides.
void KernelTiler::swapSides() {
  size_t m = dims.size() - 3, n = dims.size() - 2;
  auto swapDims = [&](StridedView &view) {
    std::vector<layout::ViewDim> viewDims = view.dims();
    std::swap(viewDims[m], viewDims[n]);
    view = StridedView(viewDims, view.offset());
  };
  std::swap(dims[m], dims[n]);
  forEachView(swapDims);
  for (graph::MatmulOp product : indexing.products) {
    auto &operands = indexing.accesses[product];
    std::swap(operands[0], operands[1]);
  }
}
