// Views moved from one tensor to another: with a view onto u, and u and v related by an op, the view onto v.
//
// A view's offset is a row-major index of u; its digits are u's coordinates. When every mode counts within
// one digit, an op that acts on coordinates acts on modes: a transpose gives them other strides, a broadcast
// stride 0. Digits that the op keeps side by side are one digit of more values, across whose border a mode
// may count.
#include "Bits.h"
#include "Tilewright/Layout/StridedView.h"
#include "ViewDims.h"
#include <algorithm>

using namespace tilewright::layout;

static std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

namespace {
/// A view whose modes each count within one digit of u's index.
struct DigitView {
  std::vector<ViewDim> dims;
  /// for each dim and mode: the digit (-1 for stride 0), and how far it moves the digit
  std::vector<std::vector<std::pair<int, int64_t>>> moves;
  /// the digits of the offset
  std::vector<int64_t> base;
  /// the range of each digit over all inner indices
  std::vector<int64_t> lowest, highest;
};
} // namespace

/// Cuts a mode at digit borders, outermost first; false when it straddles one.
static bool splitMode(Mode mode, const std::vector<int64_t> &shape, const std::vector<int64_t> &strides,
                      std::vector<Mode> &modes, std::vector<std::pair<int, int64_t>> &moves) {
  if (mode.extent == 1)
    return true;
  if (mode.stride == 0) {
    modes.insert(modes.begin(), mode);
    moves.insert(moves.begin(), {-1, 0});
    return true;
  }
  int64_t stride = std::abs(mode.stride), sign = mode.stride < 0 ? -1 : 1;
  for (int d = static_cast<int>(shape.size()) - 1; d >= 0; --d) {
    if (shape[d] == 1 || stride >= strides[d] * shape[d])
      continue;
    if (stride % strides[d] != 0)
      return false;
    int64_t move = stride / strides[d], fits = (shape[d] - 1) / move + 1;
    int64_t count = mode.extent;
    if (count > fits) {
      count = shape[d] / move;
      if (shape[d] % move != 0 || mode.extent % count != 0)
        return false;
    }
    modes.insert(modes.begin(), {count, mode.stride});
    moves.insert(moves.begin(), {d, sign * move});
    return splitMode({mode.extent / count, mode.stride * count}, shape, strides, modes, moves);
  }
  return false;
}

static std::optional<DigitView> digitView(const StridedView &view, const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides = rowMajorStrides(shape);
  StridedView simple = view.simplify();
  if (simple.offset() < 0 || simple.offset() >= productOf(shape))
    return std::nullopt;
  DigitView out;
  for (size_t d = 0; d < shape.size(); ++d)
    out.base.push_back(simple.offset() / strides[d] % shape[d]);
  out.lowest = out.highest = out.base;
  for (const ViewDim &dim : simple.dims()) {
    ViewDim &split = out.dims.emplace_back(dim);
    auto &moves = out.moves.emplace_back();
    split.modes.clear();
    for (size_t m = dim.modes.size(); m-- > 0;)
      if (!splitMode(dim.modes[m], shape, strides, split.modes, moves))
        return std::nullopt;
    for (size_t m = 0; m < moves.size(); ++m) {
      auto [digit, move] = moves[m];
      if (digit < 0)
        continue;
      int64_t reach = move * (split.modes[m].extent - 1);
      (reach < 0 ? out.lowest : out.highest)[digit] += reach;
    }
  }
  for (size_t d = 0; d < shape.size(); ++d)
    if (out.lowest[d] < 0 || out.highest[d] >= shape[d])
      return std::nullopt;
  return out;
}

/// The view with digit d of u's index worth multiplier[d], plus a constant.
static StridedView withMultipliers(const DigitView &view, const std::vector<int64_t> &multiplier,
                                   int64_t constant) {
  std::vector<ViewDim> dims = view.dims;
  for (size_t d = 0; d < view.base.size(); ++d)
    constant += view.base[d] * multiplier[d];
  for (size_t dim = 0; dim < dims.size(); ++dim)
    for (size_t m = 0; m < dims[dim].modes.size(); ++m) {
      auto [digit, move] = view.moves[dim][m];
      dims[dim].modes[m].stride = digit < 0 ? 0 : move * multiplier[digit];
    }
  return StridedView(std::move(dims), constant).simplify();
}

/// The view onto u, of `shape`, with digit d of u's index worth multiplier[d], plus a constant.
static std::optional<StridedView> remap(const StridedView &onU, const std::vector<int64_t> &shape,
                                        const std::vector<int64_t> &multiplier, int64_t constant) {
  // Two digits count on in v as they do in u.
  std::vector<int64_t> merged, worth;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1)
      continue;
    if (!merged.empty() && worth.back() == shape[d] * multiplier[d]) {
      merged.back() *= shape[d];
      worth.back() = multiplier[d];
      continue;
    }
    merged.push_back(shape[d]);
    worth.push_back(multiplier[d]);
  }
  std::optional<DigitView> view = digitView(onU, merged);
  if (!view)
    return std::nullopt;
  return withMultipliers(*view, worth, constant);
}

std::optional<std::vector<std::pair<int64_t, int64_t>>>
StridedView::boxIn(const std::vector<int64_t> &shape) const {
  std::optional<DigitView> view = digitView(*this, shape);
  if (!view)
    return std::nullopt;
  std::vector<std::pair<int64_t, int64_t>> box;
  for (size_t d = 0; d < shape.size(); ++d)
    box.push_back({view->lowest[d], view->highest[d] + 1});
  return box;
}

std::optional<StridedView> StridedView::splitByShape(const std::vector<int64_t> &shape) const {
  std::optional<DigitView> view = digitView(*this, shape);
  if (!view)
    return std::nullopt;
  int64_t offset = 0;
  std::vector<int64_t> strides = rowMajorStrides(shape);
  for (size_t d = 0; d < shape.size(); ++d)
    offset += view->base[d] * strides[d];
  return StridedView(std::move(view->dims), offset);
}

std::optional<StridedView> StridedView::pullTranspose(const std::vector<int64_t> &vShape,
                                                      const std::vector<int> &perm) const {
  if (perm.size() != vShape.size())
    return std::nullopt;
  std::vector<int64_t> uShape, multiplier, strides = rowMajorStrides(vShape);
  for (int d : perm) {
    uShape.push_back(vShape[d]);
    multiplier.push_back(strides[d]);
  }
  return remap(*this, uShape, multiplier, 0);
}

std::optional<StridedView> StridedView::pullBroadcast(const std::vector<int64_t> &vShape,
                                                      const std::vector<int64_t> &uShape,
                                                      const std::vector<int> &dimsMap) const {
  if (dimsMap.size() != vShape.size())
    return std::nullopt;
  std::vector<int64_t> multiplier(uShape.size(), 0), strides = rowMajorStrides(vShape);
  for (size_t k = 0; k < dimsMap.size(); ++k) {
    int d = dimsMap[k];
    if (d < 0 || d >= static_cast<int>(uShape.size()) || (vShape[k] != 1 && vShape[k] != uShape[d]))
      return std::nullopt;
    if (vShape[k] != 1)
      multiplier[d] = strides[k];
  }
  return remap(*this, uShape, multiplier, 0);
}

std::optional<StridedView> StridedView::pullSlice(const std::vector<int64_t> &vShape,
                                                  const std::vector<int64_t> &offsets,
                                                  const std::vector<int64_t> &sizes,
                                                  const std::vector<int64_t> &steps) const {
  size_t n = vShape.size();
  if (offsets.size() != n || sizes.size() != n || steps.size() != n)
    return std::nullopt;
  std::vector<int64_t> multiplier, strides = rowMajorStrides(vShape);
  int64_t constant = 0;
  for (size_t d = 0; d < n; ++d) {
    int64_t last = offsets[d] + (sizes[d] - 1) * steps[d];
    if (sizes[d] < 1 || offsets[d] < 0 || offsets[d] >= vShape[d] || last < 0 || last >= vShape[d])
      return std::nullopt;
    multiplier.push_back(steps[d] * strides[d]);
    constant += offsets[d] * strides[d];
  }
  return remap(*this, sizes, multiplier, constant);
}

std::optional<StridedView> StridedView::pullReshape(const std::vector<int64_t> &vShape,
                                                    const std::vector<int64_t> &uShape) const {
  if (productOf(vShape) != productOf(uShape))
    return std::nullopt;
  return *this;
}

//===-------------------------------------------------------------------------------------------------------===//
// Ops that not every element survives: coordinate y = (x - low[d]) / step[d] of v exists for 0 <= y <
// vShape[d]
//===-------------------------------------------------------------------------------------------------------===//

static std::optional<StridedView> remapBounded(const StridedView &onU, const std::vector<int64_t> &uShape,
                                               const std::vector<int64_t> &vShape,
                                               const std::vector<int64_t> &low,
                                               const std::vector<int64_t> &steps) {
  std::optional<DigitView> view = digitView(onU, uShape);
  if (!view)
    return std::nullopt;
  std::vector<int64_t> strides = rowMajorStrides(vShape), multiplier(uShape.size(), 0);
  int64_t constant = 0;
  // Dims whose bounds were made anew, and those that became all padding.
  std::vector<std::optional<ViewDim>> bounded(view->dims.size());
  bool nothingLeft = false;
  for (size_t d = 0; d < uShape.size(); ++d) {
    int64_t step = steps[d];
    if (step < 1)
      return std::nullopt;
    // Every move along this digit must keep to the elements that v has.
    bool aligned = (view->base[d] - low[d]) % step == 0;
    int movers = 0;
    size_t moverDim = 0;
    for (size_t dim = 0; dim < view->dims.size(); ++dim)
      for (auto [digit, move] : view->moves[dim])
        if (digit == static_cast<int>(d)) {
          aligned &= move % step == 0;
          ++movers;
          moverDim = dim;
        }
    if (!aligned)
      return std::nullopt;
    int64_t lowestX = low[d], highestX = low[d] + (vShape[d] - 1) * step;
    if (view->lowest[d] >= lowestX && view->highest[d] <= highestX) {
      // All of it is inside: digit x is worth stride / step each, from low on.
      if (step == 1) {
        multiplier[d] = strides[d];
        constant -= low[d] * strides[d];
        continue;
      }
      constant += (view->base[d] - low[d]) / step * strides[d];
      view->base[d] = 0;
      for (auto &moves : view->moves)
        for (auto &[digit, move] : moves)
          if (digit == static_cast<int>(d))
            move /= step;
      multiplier[d] = strides[d];
      continue;
    }
    if (movers == 0) {
      nothingLeft = true;
      continue;
    }
    // Some of it is outside: one dim with one mode must be all that moves the digit.
    ViewDim &dim = view->dims[moverDim];
    if (movers != 1 || dim.modes.size() != 1)
      return std::nullopt;
    int64_t move = view->moves[moverDim][0].second;
    int64_t firstX = std::max(lowestX, view->lowest[d]), lastX = std::min(highestX, view->highest[d]);
    // In v's coordinate; the division rounds inward.
    int64_t firstY = (firstX - low[d] + step - 1) / step, lastY = (lastX - low[d]) / step;
    if (firstX > lastX || firstY > lastY) {
      bounded[moverDim] = allPadding(dim.extent);
      continue;
    }
    ViewDim fresh;
    fresh.extent = dim.extent;
    fresh.start = (view->base[d] + move * dim.start - low[d]) / step - firstY;
    fresh.step = move / step * dim.step;
    fresh.modes = {{lastY - firstY + 1, strides[d]}};
    constant += firstY * strides[d];
    view->base[d] = 0;
    bounded[moverDim] = std::move(fresh);
  }
  if (nothingLeft) {
    if (view->dims.empty())
      return std::nullopt;
    bounded[0] = allPadding(view->dims[0].extent);
  }
  // Multipliers of the digits with fresh dims are 0 and those dims are replaced whole.
  std::vector<ViewDim> dims = view->dims;
  for (size_t d = 0; d < uShape.size(); ++d)
    constant += view->base[d] * multiplier[d];
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    if (bounded[dim]) {
      dims[dim] = std::move(*bounded[dim]);
      continue;
    }
    for (size_t m = 0; m < dims[dim].modes.size(); ++m) {
      auto [digit, move] = view->moves[dim][m];
      dims[dim].modes[m].stride = digit < 0 ? 0 : move * multiplier[digit];
    }
  }
  return StridedView(std::move(dims), constant).simplify();
}

std::optional<StridedView> StridedView::pullPad(const std::vector<int64_t> &vShape,
                                                const std::vector<int64_t> &low,
                                                const std::vector<int64_t> &high) const {
  if (low.size() != vShape.size() || high.size() != vShape.size())
    return std::nullopt;
  std::vector<int64_t> uShape(vShape);
  for (size_t d = 0; d < vShape.size(); ++d) {
    uShape[d] += low[d] + high[d];
    if (low[d] < 0 || high[d] < 0)
      return std::nullopt;
  }
  return remapBounded(*this, uShape, vShape, low, std::vector<int64_t>(vShape.size(), 1));
}

std::optional<StridedView> StridedView::pushSlice(const std::vector<int64_t> &uShape,
                                                  const std::vector<int64_t> &offsets,
                                                  const std::vector<int64_t> &sizes,
                                                  const std::vector<int64_t> &steps) const {
  size_t n = uShape.size();
  if (offsets.size() != n || sizes.size() != n || steps.size() != n)
    return std::nullopt;
  for (size_t d = 0; d < n; ++d)
    if (sizes[d] < 1 || offsets[d] < 0 || steps[d] < 1 || offsets[d] + (sizes[d] - 1) * steps[d] >= uShape[d])
      return std::nullopt;
  return remapBounded(*this, uShape, sizes, offsets, steps);
}

std::optional<StridedView> StridedView::pushTranspose(const std::vector<int64_t> &uShape,
                                                      const std::vector<int> &perm) const {
  if (perm.size() != uShape.size())
    return std::nullopt;
  std::vector<int64_t> vShape;
  for (int d : perm)
    vShape.push_back(uShape[d]);
  std::vector<int64_t> strides = rowMajorStrides(vShape), multiplier(uShape.size());
  for (size_t d = 0; d < perm.size(); ++d)
    multiplier[perm[d]] = strides[d];
  return remap(*this, uShape, multiplier, 0);
}

std::optional<StridedView> StridedView::pushReshape(const std::vector<int64_t> &uShape,
                                                    const std::vector<int64_t> &vShape) const {
  return pullReshape(vShape, uShape);
}

std::optional<StridedView> StridedView::pushPad(const std::vector<int64_t> &uShape,
                                                const std::vector<int64_t> &low,
                                                const std::vector<int64_t> &high) const {
  if (low.size() != uShape.size() || high.size() != uShape.size())
    return std::nullopt;
  std::vector<int64_t> vShape(uShape);
  for (size_t d = 0; d < uShape.size(); ++d) {
    vShape[d] += low[d] + high[d];
    if (low[d] < 0 || high[d] < 0)
      return std::nullopt;
  }
  std::vector<int64_t> strides = rowMajorStrides(vShape);
  int64_t constant = 0;
  for (size_t d = 0; d < low.size(); ++d)
    constant += low[d] * strides[d];
  return remap(*this, uShape, strides, constant);
}
