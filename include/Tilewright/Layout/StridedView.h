// Views of global memory: where the element of a logical index lies, as an offset into one linear buffer.
//
// A kernel reads its operands through views so that reshape, transpose, broadcast, slice and pad cost
// nothing. Each dim of a view turns its index i into an inner index j = start + i*step, and j into an offset
// through a list of modes, outermost first, like the digits of a number: modes [2:8, 4:1] read j as (j / 4, j
// % 4) and give 8*(j / 4) + (j % 4). An inner index outside [0, product of extents) is padding: there is no
// element.
//
//   rowMajor([4,6])            dims (4: 4*6) (6: 6*1)       offset = 6*i0 + i1
//   .transpose([1,0])          dims (6: 6*1) (4: 4*6)
//   .reshape([24])             dims (24: 6*1, 4*6)          i -> (i / 4)*1 + (i % 4)*6: a transpose inside
//   one dim .pad([1],[1])              dims (26 from -1: 6*1, 4*6)  indices 0 and 25 are padding
//
// Chains of ops on tensors are folded into views from the far end: with a view onto u and u = op(v), pullOp
// gives the view onto v; with v = op(u), pushOp gives the view onto v (to store through a transpose). There a
// view's offset is the row-major linear index of the tensor it lies on.
#ifndef TILEWRIGHT_LAYOUT_STRIDEDVIEW_H
#define TILEWRIGHT_LAYOUT_STRIDEDVIEW_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::layout {

/// One digit of an inner index.
struct Mode {
  int64_t extent = 1;
  int64_t stride = 0;
  bool operator==(const Mode &o) const { return extent == o.extent && stride == o.stride; }
};

/// One dim of a view; see the head of the file.
struct ViewDim {
  int64_t extent = 1;
  int64_t start = 0;
  int64_t step = 1;
  std::vector<Mode> modes; // outermost first

  /// Product of the modes' extents.
  int64_t innerExtent() const;
  /// Inner indices next to one another that are one place in memory.
  int64_t repeats() const;
  /// How many indices of the dim are in bounds; they follow one another.
  int64_t indicesInBounds() const;
  /// Every index of the dim is in bounds.
  bool isTotal() const;
  /// Index i is inner index i, and all are in bounds.
  bool isIdentity() const;
  bool operator==(const ViewDim &o) const {
    return extent == o.extent && start == o.start && step == o.step && modes == o.modes;
  }
};

class StridedView {
public:
  StridedView() = default;
  StridedView(std::vector<ViewDim> dims, int64_t offset = 0) : viewDims(std::move(dims)), base(offset) {}

  /// Post: offsetOf(i) == row-major linear index of i in `shape`.
  static StridedView rowMajor(const std::vector<int64_t> &shape);

  int rank() const { return static_cast<int>(viewDims.size()); }
  std::vector<int64_t> shape() const;
  int64_t numElements() const;
  const std::vector<ViewDim> &dims() const { return viewDims; }
  const ViewDim &dim(int d) const { return viewDims[d]; }
  int64_t offset() const { return base; }

  // ---- Evaluation. `index` has one entry per dim, within its extent.

  bool inBounds(const std::vector<int64_t> &index) const;
  /// The element's offset; nullopt in padding.
  std::optional<int64_t> offsetOf(const std::vector<int64_t> &index) const;
  /// No index is padding.
  bool isTotal() const;
  /// Largest offset of any element plus one; what the buffer must hold.
  int64_t span() const;
  /// Post, when true: no two indices in bounds have the same offset. Modes that interleave like the digits of
  /// no number (windows that overlap) are not told apart from those that do not, and give false.
  bool isInjective() const;

  // ---- Ops on the domain. In each post-condition, r is the result.

  /// Post: r(i) == (*this)(j) with j[perm[d]] = i[d]; r.shape[d] = shape[perm[d]].
  StridedView transpose(const std::vector<int> &perm) const;
  /// dimsMap[k] is the dim of toShape that dim k becomes, increasing; dim k has that extent or 1.
  /// Post: r(i) == (*this)(j), j[k] = shape[k] == 1 ? 0 : i[dimsMap[k]]. nullopt when extents do not match.
  std::optional<StridedView> broadcast(const std::vector<int64_t> &toShape,
                                       const std::vector<int> &dimsMap) const;
  /// Post: r(i) == (*this)(offsets + i*steps). nullopt when that leaves the domain. Steps may be negative.
  std::optional<StridedView> slice(const std::vector<int64_t> &offsets, const std::vector<int64_t> &sizes,
                                   const std::vector<int64_t> &steps) const;
  /// Post: r(i) == (*this)(i - low), padding outside. nullopt when a dim is cut in the middle of its modes.
  std::optional<StridedView> pad(const std::vector<int64_t> &low, const std::vector<int64_t> &high) const;
  /// Post: r at the row-major index n of newShape is (*this) at the row-major index n of shape. nullopt when
  /// the modes have no common refinement, or a padded dim would be taken apart.
  std::optional<StridedView> reshape(const std::vector<int64_t> &newShape) const;

  // ---- The tensor below changes: offsets are row-major indices of u.shape, the result's those of v.shape.

  /// For each dim of `shape` the first index that the inner indices of the view reach, and the one behind the
  /// last. nullopt when a mode does not count within the dims.
  std::optional<std::vector<std::pair<int64_t, int64_t>>> boxIn(const std::vector<int64_t> &shape) const;

  /// The same view with every mode cut so that it counts within one dim of `shape`. nullopt when one does not
  /// fit.
  std::optional<StridedView> splitByShape(const std::vector<int64_t> &shape) const;

  /// u = transpose(v, perm): u.shape[d] == v.shape[perm[d]].
  std::optional<StridedView> pullTranspose(const std::vector<int64_t> &vShape,
                                           const std::vector<int> &perm) const;
  /// u = broadcast(v, uShape, dimsMap), as in broadcast().
  std::optional<StridedView> pullBroadcast(const std::vector<int64_t> &vShape,
                                           const std::vector<int64_t> &uShape,
                                           const std::vector<int> &dimsMap) const;
  /// u = v[offsets : : steps] of `sizes`.
  std::optional<StridedView> pullSlice(const std::vector<int64_t> &vShape,
                                       const std::vector<int64_t> &offsets, const std::vector<int64_t> &sizes,
                                       const std::vector<int64_t> &steps) const;
  /// u = reshape(v): row-major indices are equal; only the element counts are checked.
  std::optional<StridedView> pullReshape(const std::vector<int64_t> &vShape,
                                         const std::vector<int64_t> &uShape) const;
  /// u = pad(v, low, high): elements of the padding become padding of the view.
  std::optional<StridedView> pullPad(const std::vector<int64_t> &vShape, const std::vector<int64_t> &low,
                                     const std::vector<int64_t> &high) const;

  /// v = transpose(u, perm), v = reshape(u), v = pad(u); v = u[offsets : : steps], where what is not in the
  /// slice becomes padding (is not stored).
  std::optional<StridedView> pushTranspose(const std::vector<int64_t> &uShape,
                                           const std::vector<int> &perm) const;
  std::optional<StridedView> pushReshape(const std::vector<int64_t> &uShape,
                                         const std::vector<int64_t> &vShape) const;
  std::optional<StridedView> pushPad(const std::vector<int64_t> &uShape, const std::vector<int64_t> &low,
                                     const std::vector<int64_t> &high) const;
  std::optional<StridedView> pushSlice(const std::vector<int64_t> &uShape,
                                       const std::vector<int64_t> &offsets, const std::vector<int64_t> &sizes,
                                       const std::vector<int64_t> &steps) const;

  // ---- Form.

  /// The same function in the fewest modes: mergeable modes merged, extent-1 modes dropped, single-mode dims
  /// with start and step folded into offset and stride when nothing is padding.
  StridedView simplify() const;
  /// Merges each group of adjacent dims (as collapseDims gives them) into one.
  /// Post: r at the row-major index of a group's indices is (*this) at those indices.
  StridedView collapse(const std::vector<std::vector<int>> &groups) const;

  // ---- Vectors.

  /// Post: the largest n such that, from every multiple of n along `dim`, n consecutive indices (fewer at the
  /// end of the dim) have consecutive offsets and are all in or all out of bounds.
  int64_t contiguity(int dim) const;
  /// Post: the largest power of two k (at most `limit`) such that offsetOf(index) is a multiple of k whenever
  /// each index[d] is a multiple of indexMultiple[d]. 0 as a multiple means that the index is always 0.
  int64_t offsetDivisibility(const std::vector<int64_t> &indexMultiple, int64_t limit = 1 << 20) const;
  /// Elements of the widest access along `dim`, at most maxBits wide, that is aligned, contiguous and
  /// uniformly in bounds from every index that is a multiple of it along `dim`, in a tile whose start is a
  /// multiple of tileOffsetMultiple[d] along d, any index along the other dims. (Base pointers are aligned to
  /// maxBits.) With `mayEnd` the last access of a dim that is one run may reach beyond the dim's end.
  int64_t maxVectorElems(int dim, const std::vector<int64_t> &tileOffsetMultiple, int elemBits,
                         int maxBits = 128, bool mayEnd = false) const;

  // ---- Text, equality.

  /// {offset=3, dims=[{extent=4, modes=[[2,8],[2,1]]}, {extent=6, start=-1, step=2, modes=[[4,1]]}]}; modes
  /// are [extent, stride]; start 0 and step 1 are left out.
  std::string toString() const;
  static std::optional<StridedView> parse(std::string_view text, std::string *error = nullptr);
  bool operator==(const StridedView &o) const { return viewDims == o.viewDims && base == o.base; }
  bool operator!=(const StridedView &o) const { return !(*this == o); }
  size_t hash() const;

private:
  std::vector<ViewDim> viewDims;
  int64_t base = 0;
};

/// Post, when true: no offset of one is an offset of the other: they have different parts of every run of
/// some stride, as the halves of a row.
bool areDisjoint(const StridedView &a, const StridedView &b);

/// Adjacent dims that are one dim in all views (same domain): each group lists dims in order. Dims merge when
/// in every view the last mode of one continues into the first of the next. Post: collapse(groups) keeps the
/// offsets, and no view gets more modes.
std::vector<std::vector<int>> collapseDims(const std::vector<StridedView> &views);

} // namespace tilewright::layout

template <> struct std::hash<tilewright::layout::StridedView> {
  size_t operator()(const tilewright::layout::StridedView &view) const { return view.hash(); }
};

#endif // TILEWRIGHT_LAYOUT_STRIDEDVIEW_H
