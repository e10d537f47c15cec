// Where the domain begins. Tensors of one kernel may begin at different places in a vector along a dimension:
// of a padded row and the row itself one does, whatever the other one's elements begin at. The domain gets so
// many places ahead of its first one, which nobody has, that most bytes are accessed in whole vectors.

#include "KernelTiler.h"

#include "Tilewright/Layout/GlobalAccess.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Elements of a dimension that is long enough for what is masked before its first one.
static constexpr int64_t kLeastExtent = 512;
/// What a store that begins within a vector costs, in loads that do: these come from L1 twice, those are put
/// together among threads.
static constexpr int64_t kStored = 2;

/// `view` over a domain with `ahead` places more before the first one along dimension `d`.
static StridedView withPlacesAhead(const StridedView &view, size_t d, int64_t ahead) {
  std::vector<layout::ViewDim> dims = view.dims();
  layout::ViewDim &dim = dims[d];
  bool isSpread =
      dim.isTotal() && llvm::all_of(dim.modes, [](const layout::Mode &m) { return m.stride == 0; });
  dim.extent += ahead;
  if (isSpread)
    dim = {dim.extent, 0, 1, {{dim.extent, 0}}};
  else
    dim.start -= ahead * dim.step;
  return StridedView(dims, view.offset());
}

void KernelTiler::alignOrigin() {
  origin.assign(dims.size(), 0);
  auto countsPlaces = [](Operation *op) {
    auto reduce = graph::asReduction(op);
    return isa<graph::ScanOp, graph::SortOp, graph::GatherOp>(op) || (reduce && reduce.needsIndex());
  };
  if (indexing.anchor == graph::Anchor::Matmul || indexing.isMixed || llvm::any_of(ops, countsPlaces))
    return;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d].extent < kLeastExtent)
      continue;
    // Bytes that are accessed in whole vectors, by the places ahead.
    std::array<int64_t, kVectorBytes> whole = {};
    // Rows that all begin alike need no places ahead: blocks go over them from a vector on (AlignRows.cpp).
    bool areRows = indexing.anchor == graph::Anchor::Reduction && dims[d].reduced;
    std::optional<int> shift;
    forEachRowAccess([&](const StridedView &view, int64_t bytes, bool stores) {
      int64_t elems = kVectorBytes / bytes;
      layout::Shape multiples(view.rank(), 1);
      multiples[d] = kVectorBytes;
      layout::ShiftedVectors vectors =
          layout::shiftedVectors(view, (int)d, multiples, (int)bytes * 8, /*maxVectorBits=*/128,
                                 /*mayEnd=*/true, layout::Shifts::OfStores);
      if (layout::accessOrder(view).front() != (int)d || elems < 2 || vectors.elems != elems)
        return;
      areRows &= view.dim((int)d).isIdentity() && vectors.shift == shift.value_or(vectors.shift);
      shift = vectors.shift;
      int64_t moved = bytes * (stores ? kStored : 1);
      for (auto [dim, depends] : llvm::zip_equal(dims, support(view)))
        moved *= depends ? dim.extent : 1;
      for (int64_t ahead = 0; ahead < kVectorBytes; ++ahead)
        whole[ahead] += (ahead + vectors.shift) % elems == 0 ? moved : 0;
    });
    auto ahead = (int64_t)(llvm::max_element(whole) - whole.begin());
    if (ahead == 0 || areRows)
      continue;
    origin[d] = ahead;
    dims[d].extent += ahead;
    forEachView([&](StridedView &view) { view = withPlacesAhead(view, d, ahead); });
  }
}
