// Rows that follow one another in memory as one run. A row of an odd number of elements begins anywhere in a
// vector, and each access moves one element; the whole tensor begins at a vector, and but for its end is made
// of whole ones. What keeps dimensions apart is most often a small tensor: a value for each row or for each
// column, broadcast. It is read at digits of the place in the run then, from the caches, and all others in
// vectors.

#include "KernelTiler.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Bytes of a vector.
static constexpr int64_t kVector = 16;
/// What is read at digits has at most this share of a large tensor's elements, in so many digits, in kernels
/// that only compute and in others; and so many such accesses: each divides the place of every element.
/// (H200: 24x1976x11x11x7 fp32 and a bound of 1976x11x7, four digits, 81 us as one run, 87 in tiles of rows;
/// of short rows that are reduced, 26.5 and 19.9.)
static constexpr int64_t kShare = 16, kMostComputed = 4, kMostModes = 3, kMostDivided = 3;
/// The share of a short row's places in a tile from which on too many are empty, and lanes side by side.
static constexpr double kMostEmpty = 0.3;
static constexpr int64_t kLanes = 32;
/// Elements of a kernel from which on its bytes are what takes its time.
static constexpr int64_t kManyElems = 1 << 16;

/// Elements that the view reads of its tensor, each counted once.
static int64_t elementsOf(const StridedView &view) {
  int64_t count = 1;
  for (const layout::ViewDim &dim : view.dims())
    for (const layout::Mode &mode : dim.modes)
      count *= mode.stride != 0 ? mode.extent : 1;
  return count;
}

/// Whether the view, whose dimensions together have several `modes`, is small enough to be read at digits
/// beside tensors of `all` elements.
static bool isSmall(const StridedView &view, ArrayRef<layout::Mode> modes, int64_t all,
                    int64_t most = kMostModes) {
  return elementsOf(view) <= all / kShare && (int64_t)modes.size() <= most;
}

/// Whether the dimension can be a part of a run. One of a single index is an offset, unless it lies outside
/// of the tensor.
static bool canJoin(const layout::ViewDim &dim) { return dim.extent > 1 ? dim.isIdentity() : dim.isTotal(); }

/// Bytes of the widest element that the kernel stores.
static int64_t widestResult(graph::KernelOp kernel) {
  int64_t bytes = 1;
  for (Value value : kernel.getBody().front().getTerminator()->getOperands())
    bytes = std::max<int64_t>(bytes, tile::storageBits(getElementTypeOrSelf(value.getType())) / 8);
  return bytes;
}

/// Whether the view is the same all along the dimension.
static bool isRepeated(const layout::ViewDim &dim) {
  return dim.extent > 1 && llvm::all_of(dim.modes, [](const layout::Mode &mode) { return mode.stride == 0; });
}

bool KernelTiler::anyResult(llvm::function_ref<bool(const StridedView &)> holds) {
  return llvm::any_of(kernel.getBody().front().getTerminator()->getOperands(), [&](Value value) {
    auto it = indexing.views.find(value.getDefiningOp());
    return it != indexing.views.end() && holds(it->second);
  });
}

bool KernelTiler::isOneRun(ArrayRef<StridedView> views, ArrayRef<int64_t> extents,
                           ArrayRef<std::vector<int>> apart, int64_t most) {
  if (indexing.anchor != graph::Anchor::Elementwise || apart.size() < 2)
    return false;
  int64_t all = 1;
  for (int64_t extent : extents) {
    if (extent == 0 || all > most / extent)
      return false;
    all *= extent;
  }
  if (llvm::is_contained(indexing.reduced, true) || llvm::any_of(indexing.within, [&](const auto &entry) {
        return llvm::any_of(llvm::enumerate(entry.second), [&](const auto &part) {
          return part.value() != std::pair<int64_t, int64_t>(0, indexing.domain[part.index()]);
        });
      }))
    return false;
  // What is stored once for many places is so at the first ones of the run, where these dimensions lead.
  auto storesApart = [](const StridedView &view) {
    bool varies = false;
    return llvm::any_of(view.dims(), [&](const layout::ViewDim &dim) {
      bool repeats = isRepeated(dim);
      varies |= dim.extent > 1 && !repeats;
      return varies && repeats;
    });
  };
  if (anyResult(storesApart))
    return false;
  std::vector<int> together(extents.size());
  std::iota(together.begin(), together.end(), 0);
  // Several that are read at the same digits divide the place once.
  SmallVector<StridedView> divided;
  for (const StridedView &view : views) {
    if (!llvm::all_of(view.dims(), canJoin))
      return false;
    StridedView run = view.collapse({together}).simplify();
    ArrayRef<layout::Mode> modes = run.dim(0).modes;
    if (modes.size() <= 1)
      continue;
    if (!llvm::is_contained(divided, run))
      divided.push_back(run);
    if (!isSmall(view, modes, all, kMostComputed) || (int64_t)divided.size() > kMostDivided)
      return false;
  }
  // A schedule says what it is for.
  if (auto given = kernel->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName()))
    return given.getTile().size() == 1;
  int64_t row = 1;
  for (int d : apart.back())
    row *= extents[d];
  auto unit = std::min<int64_t>(kLanes, (int64_t)llvm::bit_ceil((uint64_t)row));
  double empty = 1 - (double)row / (double)llvm::alignTo(row, unit);
  return all >= kManyElems && (row * widestResult(kernel) % kVector != 0 || empty >= kMostEmpty);
}

/// Whether all of `views` but small ones go through the dimensions of groups[place] as they lie in memory,
/// one after the other, and a large one does so element by element.
static bool followInMemory(ArrayRef<StridedView> views, ArrayRef<std::vector<int>> groups, size_t place,
                           int64_t all) {
  SmallVector<StridedView> divided;
  bool isContiguous = false;
  for (const StridedView &view : views) {
    if (!llvm::all_of(groups[place], [&](int d) { return canJoin(view.dim(d)); }))
      return false;
    StridedView merged = view.collapse({groups.begin(), groups.end()}).simplify();
    ArrayRef<layout::Mode> modes = merged.dim((int)place).modes;
    if (modes.size() <= 1) {
      isContiguous |= !modes.empty() && modes[0].stride == 1 && elementsOf(view) > all / kShare;
      continue;
    }
    // Several that are read at the same digits divide the place once.
    if (!llvm::is_contained(divided, merged))
      divided.push_back(merged);
    if (!isSmall(view, modes, all) || divided.size() > kMostDivided)
      return false;
  }
  return isContiguous;
}

void KernelTiler::mergeRuns(ArrayRef<StridedView> views, ArrayRef<int64_t> extents, ArrayRef<bool> reduced,
                            std::vector<std::vector<int>> &groups, int64_t most) {
  // A schedule says what it is for.
  auto given = kernel->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName());
  if (indexing.anchor == graph::Anchor::Matmul || (given && given.getTile().size() == groups.size()) ||
      llvm::any_of(ops, llvm::IsaPred<graph::GatherOp, graph::SortOp>))
    return;
  auto sizeOf = [&](const std::vector<int> &group) {
    int64_t size = 1;
    for (int d : group)
      size *= extents[d];
    return size;
  };
  // A part of a dimension stays what it is, and so does one that some ops run over, but not all that run over
  // any.
  bool scans = llvm::any_of(ops, llvm::IsaPred<graph::ScanOp>);
  auto isPlain = [&](int d) {
    return (reduced[d] ? !indexing.isMixed && !scans
                       : llvm::none_of(indexing.along, [&](const auto &entry) { return entry.second[d]; })) &&
           llvm::none_of(indexing.within, [&](const auto &entry) {
             return entry.second[d] != std::pair<int64_t, int64_t>(0, indexing.domain[d]);
           });
  };
  int64_t all = 1, row = 1, bytes = widestResult(kernel);
  for (auto [extent, isReduced] : llvm::zip_equal(extents, reduced)) {
    if (extent == 0 || all > INT64_MAX / 64 / extent)
      return;
    all *= extent;
    row *= isReduced ? extent : 1;
  }
  if (all < kManyElems)
    return;
  // What is stored once for many places of the domain is so for whole dimensions.
  auto isStoredOnce = [&](const std::vector<int> &group) {
    return anyResult([&](const StridedView &view) {
      auto repeats = [&](int d) { return isRepeated(view.dim(d)); };
      return llvm::any_of(group, repeats) && !llvm::all_of(group, repeats);
    });
  };
  for (size_t inner = groups.size(); inner-- > 1;) {
    std::vector<std::vector<int>> merged(groups);
    merged[inner - 1].insert(merged[inner - 1].end(), groups[inner].begin(), groups[inner].end());
    merged.erase(merged.begin() + (std::ptrdiff_t)inner);
    int64_t size = sizeOf(groups[inner]), outer = sizeOf(groups[inner - 1]);
    bool areRows = reduced[groups[inner].front()];
    if (areRows != reduced[groups[inner - 1].front()] || size > most / std::max<int64_t>(outer, 1))
      continue;
    // Rows along several dimensions that no tile holds: as one they stay on the chip between passes. Others
    // where each would begin anywhere in a vector.
    bool pays = areRows ? row > rowElems(pressure) : size * bytes % kVector != 0;
    if (pays && llvm::all_of(merged[inner - 1], isPlain) && !isStoredOnce(merged[inner - 1]) &&
        followInMemory(views, merged, inner - 1, all))
      groups = std::move(merged);
  }
}
