// Views of global memory: evaluation, ops on the domain that keep dims apart, vectors, text.
#include "Tilewright/Layout/StridedView.h"
#include "Bits.h"
#include "Text.h"
#include "ViewDims.h"
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <numeric>

using namespace tilewright::layout;

int64_t ViewDim::innerExtent() const { return innerExtentOf(modes); }

int64_t ViewDim::indicesInBounds() const {
  if (isTotal())
    return extent;
  int64_t inner = innerExtent(), stride = std::abs(step);
  if (stride == 0)
    return 0;
  // Counted from the end where the indices go down.
  int64_t begin = step < 0 ? inner - 1 - start : start;
  int64_t first = begin < 0 ? (-begin + stride - 1) / stride : 0;
  int64_t end = begin < inner ? (inner - begin + stride - 1) / stride : 0;
  return std::max<int64_t>(0, std::min(end, extent) - first);
}

int64_t ViewDim::repeats() const {
  int64_t found = 1;
  for (auto mode = modes.rbegin(); mode != modes.rend() && mode->stride == 0; ++mode)
    found *= mode->extent;
  return found;
}

bool ViewDim::isTotal() const {
  int64_t inner = innerExtent(), last = start + (extent - 1) * step;
  return start >= 0 && start < inner && last >= 0 && last < inner;
}

bool ViewDim::isIdentity() const {
  return start == 0 && (step == 1 || extent == 1) && extent == innerExtent();
}

StridedView StridedView::rowMajor(const std::vector<int64_t> &shape) {
  StridedView view;
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    ViewDim dim;
    dim.extent = shape[d];
    if (shape[d] != 1)
      dim.modes = {{shape[d], stride}};
    view.viewDims.insert(view.viewDims.begin(), std::move(dim));
    stride *= shape[d];
  }
  return view;
}

std::vector<int64_t> StridedView::shape() const {
  std::vector<int64_t> out;
  for (const ViewDim &dim : viewDims)
    out.push_back(dim.extent);
  return out;
}

int64_t StridedView::numElements() const { return productOf(shape()); }

//===-------------------------------------------------------------------------------------------------------===//
// Evaluation
//===-------------------------------------------------------------------------------------------------------===//

bool StridedView::inBounds(const std::vector<int64_t> &index) const {
  assert(static_cast<int>(index.size()) == rank() && "one index per dim");
  for (int d = 0; d < rank(); ++d) {
    int64_t inner = viewDims[d].start + index[d] * viewDims[d].step;
    if (inner < 0 || inner >= viewDims[d].innerExtent())
      return false;
  }
  return true;
}

std::optional<int64_t> StridedView::offsetOf(const std::vector<int64_t> &index) const {
  if (!inBounds(index))
    return std::nullopt;
  int64_t offset = base;
  for (int d = 0; d < rank(); ++d)
    offset += offsetAt(viewDims[d].modes, viewDims[d].start + index[d] * viewDims[d].step);
  return offset;
}

bool StridedView::isTotal() const {
  return std::all_of(viewDims.begin(), viewDims.end(), [](const ViewDim &dim) { return dim.isTotal(); });
}

int64_t StridedView::span() const {
  StridedView view = simplify();
  int64_t last = view.base;
  for (const ViewDim &dim : view.viewDims)
    for (const Mode &mode : dim.modes)
      last += std::max<int64_t>(0, (mode.extent - 1) * mode.stride);
  return last + 1;
}

/// The modes that the view counts through, those of one index left out: of a dim with a single mode as many
/// as it has indices, else all, which may be more than it reaches.
static std::vector<Mode> countedModes(const StridedView &simple) {
  std::vector<Mode> out;
  for (const ViewDim &dim : simple.dims())
    for (const Mode &mode : dim.modes) {
      bool alone = dim.modes.size() == 1;
      int64_t extent = alone ? std::min(mode.extent, dim.extent) : mode.extent;
      if (extent > 1 && dim.extent > 1)
        out.push_back({extent, alone ? mode.stride * dim.step : mode.stride});
    }
  return out;
}

bool StridedView::isInjective() const {
  std::vector<Mode> modes = countedModes(simplify());
  std::sort(modes.begin(), modes.end(),
            [](const Mode &a, const Mode &b) { return std::abs(a.stride) < std::abs(b.stride); });
  int64_t reach = 0;
  for (const Mode &mode : modes) {
    if (std::abs(mode.stride) <= reach)
      return false;
    reach += (mode.extent - 1) * std::abs(mode.stride);
  }
  return true;
}

bool tilewright::layout::areDisjoint(const StridedView &a, const StridedView &b) {
  // Within runs of `run` elements, the part from `first` to `last` that a view touches.
  struct Part {
    int64_t first = 0, last = 0;
  };
  auto partOf = [](const StridedView &view, const std::vector<Mode> &modes,
                   int64_t run) -> std::optional<Part> {
    Part part{view.offset() % run, view.offset() % run};
    for (const Mode &mode : modes)
      if (mode.stride % run != 0)
        (mode.stride < 0 ? part.first : part.last) += (mode.extent - 1) * mode.stride;
    if (part.first < 0 || part.last >= run)
      return std::nullopt;
    return part;
  };
  StridedView simpleA = a.simplify(), simpleB = b.simplify();
  // A start that is left in a dim of several modes moves its elements by no one number.
  for (const StridedView &view : {simpleA, simpleB})
    for (const ViewDim &dim : view.dims())
      if (dim.modes.size() == 1 && dim.start != 0)
        return false;
  std::vector<Mode> modesA = countedModes(simpleA), modesB = countedModes(simpleB);
  std::vector<int64_t> runs = {std::max(a.span(), b.span())};
  for (const std::vector<Mode> &modes : {modesA, modesB})
    for (const Mode &mode : modes)
      if (mode.stride != 0)
        runs.push_back(std::abs(mode.stride));
  return std::any_of(runs.begin(), runs.end(), [&](int64_t run) {
    std::optional<Part> partA = partOf(simpleA, modesA, run), partB = partOf(simpleB, modesB, run);
    return partA && partB && (partA->last < partB->first || partB->last < partA->first);
  });
}

//===-------------------------------------------------------------------------------------------------------===//
// Ops on the domain
//===-------------------------------------------------------------------------------------------------------===//

StridedView StridedView::transpose(const std::vector<int> &perm) const {
  assert(static_cast<int>(perm.size()) == rank() && "one entry per dim");
  StridedView out;
  out.base = base;
  for (int d : perm)
    out.viewDims.push_back(viewDims[d]);
  return out;
}

std::optional<StridedView> StridedView::broadcast(const std::vector<int64_t> &toShape,
                                                  const std::vector<int> &dimsMap) const {
  if (static_cast<int>(dimsMap.size()) != rank())
    return std::nullopt;
  StridedView out;
  out.base = base;
  for (int64_t extent : toShape) {
    ViewDim &dim = out.viewDims.emplace_back();
    dim.extent = extent;
    if (extent != 1)
      dim.modes = {{extent, 0}};
  }
  int previous = -1;
  for (int k = 0; k < rank(); ++k) {
    int d = dimsMap[k];
    if (d <= previous || d >= static_cast<int>(toShape.size()))
      return std::nullopt;
    previous = d;
    const ViewDim &source = viewDims[k];
    if (source.extent == toShape[d]) {
      out.viewDims[d] = source;
      continue;
    }
    if (source.extent != 1)
      return std::nullopt;
    if (source.isTotal())
      out.base += offsetAt(source.modes, source.start);
    else
      out.viewDims[d] = allPadding(toShape[d]);
  }
  return out;
}

std::optional<StridedView> StridedView::slice(const std::vector<int64_t> &offsets,
                                              const std::vector<int64_t> &sizes,
                                              const std::vector<int64_t> &steps) const {
  size_t n = viewDims.size();
  if (offsets.size() != n || sizes.size() != n || steps.size() != n)
    return std::nullopt;
  StridedView out(*this);
  for (size_t d = 0; d < n; ++d) {
    ViewDim &dim = out.viewDims[d];
    int64_t last = offsets[d] + (sizes[d] - 1) * steps[d];
    if (sizes[d] < 1 || offsets[d] < 0 || offsets[d] >= dim.extent || last < 0 || last >= dim.extent)
      return std::nullopt;
    dim.start += offsets[d] * dim.step;
    dim.step *= steps[d];
    dim.extent = sizes[d];
  }
  return out.simplify();
}

std::optional<StridedView> StridedView::pad(const std::vector<int64_t> &low,
                                            const std::vector<int64_t> &high) const {
  if (low.size() != viewDims.size() || high.size() != viewDims.size())
    return std::nullopt;
  StridedView out = simplify();
  for (size_t d = 0; d < low.size(); ++d) {
    ViewDim &dim = out.viewDims[d];
    int64_t inner = dim.innerExtent();
    if (dim.extent + low[d] + high[d] < 1)
      return std::nullopt;
    if (dim.extent == 1 && dim.isTotal() && dim.step == 0)
      dim.step = 1;
    // What comes before index 0 and after the last one must lie outside, and stay so.
    int64_t before = dim.start - dim.step, after = dim.start + dim.extent * dim.step;
    bool falls = dim.step < 0, never = dim.step == 0 && !dim.isTotal();
    if (low[d] > 0 && !never && !(falls ? before >= inner : before < 0))
      return std::nullopt;
    if (high[d] > 0 && !never && !(falls ? after < 0 : after >= inner))
      return std::nullopt;
    dim.start -= low[d] * dim.step;
    dim.extent += low[d] + high[d];
  }
  return out.simplify();
}

//===-------------------------------------------------------------------------------------------------------===//
// Vectors
//===-------------------------------------------------------------------------------------------------------===//

int64_t StridedView::contiguity(int d) const {
  ViewDim dim = simplify().viewDims[d];
  if (dim.extent == 1)
    return 1;
  if (dim.step == 0 && !dim.isTotal())
    return dim.extent;
  bool unit = dim.modes.empty() || dim.modes.back().stride == 1;
  if (dim.step != 1 || !unit)
    return 1;
  // Consecutive inner indices stop being consecutive offsets, or leave the bounds, at multiples of `run`;
  // those inside of the dim must be multiples of the result.
  int64_t run = dim.modes.empty() ? 1 : dim.modes.back().extent;
  int64_t firstInner = dim.start < 0 ? 0 : (dim.start / run + 1) * run;
  int64_t first = firstInner - dim.start;
  int64_t end = std::min(dim.extent, dim.innerExtent() - dim.start + 1);
  if (first >= end)
    return dim.extent;
  return first + run < end ? std::gcd(first, run) : first;
}

int64_t StridedView::offsetDivisibility(const std::vector<int64_t> &indexMultiple, int64_t limit) const {
  assert(static_cast<int>(indexMultiple.size()) == rank() && "one multiple per dim");
  // The offset at index 0 of the dims of one mode, and what divides all that others, or other indices, add.
  int64_t first = base, divisor = 0;
  for (int d = 0; d < rank(); ++d) {
    const ViewDim &dim = viewDims[d];
    int64_t multiple = indexMultiple[d];
    if (multiple == 0 || multiple >= dim.extent) {
      if (dim.start >= 0 && dim.start < dim.innerExtent())
        first += offsetAt(dim.modes, dim.start);
      continue;
    }
    if (dim.modes.size() == 1) {
      first += dim.start * dim.modes.front().stride;
      divisor = std::gcd(divisor, multiple * dim.step * dim.modes.front().stride);
      continue;
    }
    // All inner indices are multiples of `unit`; so are a mode's digits, as far as the units divide evenly.
    int64_t unit = std::gcd(dim.start, multiple * dim.step);
    for (size_t m = dim.modes.size(); m-- > 0;) {
      const Mode &mode = dim.modes[m];
      bool outermost = m == 0;
      int64_t digit = outermost ? unit : std::gcd(unit, mode.extent);
      if (outermost || digit != mode.extent)
        divisor = std::gcd(divisor, digit * mode.stride);
      unit = unit % mode.extent == 0 ? unit / mode.extent : 1;
    }
  }
  divisor = std::gcd(divisor, first);
  return divisor == 0 ? limit : std::min(limit, powerOfTwoFactor(divisor));
}

int64_t StridedView::maxVectorElems(int d, const std::vector<int64_t> &tileOffsetMultiple, int elemBits,
                                    int maxBits, bool mayEnd) const {
  assert(static_cast<int>(tileOffsetMultiple.size()) == rank() && "one multiple per dim");
  int64_t consecutive = contiguity(d);
  const ViewDim dim = simplify().viewDims[d];
  bool isRun = mayEnd && dim.step == 1 && dim.modes.size() == 1 && dim.modes.front().stride == 1;
  // Where the bounds end before the dim does, runs do: vectors beyond hold nothing.
  bool endsBefore = dim.step == 1 && dim.innerExtent() - dim.start < dim.extent;
  for (int64_t elems = maxBits / std::max(elemBits, 8); elems > 1; elems /= 2) {
    bool isWhole = consecutive % elems == 0 && (endsBefore || dim.extent % elems == 0);
    if (!isPowerOfTwo(elems) || !(isWhole || isRun) || tileOffsetMultiple[d] % elems != 0)
      continue;
    std::vector<int64_t> multiples(viewDims.size(), 1);
    multiples[d] = elems;
    if (offsetDivisibility(multiples) % elems == 0)
      return elems;
  }
  return 1;
}

//===-------------------------------------------------------------------------------------------------------===//
// Text
//===-------------------------------------------------------------------------------------------------------===//

std::string StridedView::toString() const {
  std::string out = "{offset=" + std::to_string(base) + ", dims=[";
  for (int d = 0; d < rank(); ++d) {
    const ViewDim &dim = viewDims[d];
    out += (d ? ", {extent=" : "{extent=") + std::to_string(dim.extent);
    if (dim.start != 0)
      out += ", start=" + std::to_string(dim.start);
    if (dim.step != 1)
      out += ", step=" + std::to_string(dim.step);
    std::vector<std::vector<int64_t>> modes;
    for (const Mode &mode : dim.modes)
      modes.push_back({mode.extent, mode.stride});
    out += ", modes=" + listText(modes) + "}";
  }
  return out + "]}";
}

std::optional<StridedView> StridedView::parse(std::string_view text, std::string *error) {
  std::optional<TextValue> value = parseText(text, error);
  if (!value || !hasOnlyFields(*value, {"offset", "dims"}, error))
    return std::nullopt;
  const TextValue *offset = value->field("offset"), *dims = value->field("dims");
  if (!offset || offset->kind != TextValue::Integer || !dims || dims->kind != TextValue::List)
    return fail(error, "expected offset=N and dims=[{...}, ...]");
  StridedView out;
  out.base = offset->integer;
  constexpr int64_t limit = int64_t(1) << 40;
  for (const TextValue &item : dims->items) {
    if (!hasOnlyFields(item, {"extent", "start", "step", "modes"}, error))
      return std::nullopt;
    ViewDim &dim = out.viewDims.emplace_back();
    for (auto [name, target] : {std::pair<const char *, int64_t *>{"extent", &dim.extent},
                                {"start", &dim.start},
                                {"step", &dim.step}})
      if (const TextValue *field = item.field(name)) {
        if (field->kind != TextValue::Integer)
          return fail(error, std::string("expected ") + name + "=N");
        *target = field->integer;
      }
    const TextValue *modesField = item.field("modes");
    std::optional<std::vector<std::vector<int64_t>>> modes =
        modesField ? modesField->integerLists() : std::nullopt;
    if (!modes)
      return fail(error, "expected modes=[[extent,stride], ...]");
    for (const std::vector<int64_t> &mode : *modes) {
      if (mode.size() != 2 || mode[0] < 1)
        return fail(error, "expected modes=[[extent,stride], ...] with extents of at least 1");
      dim.modes.push_back({mode[0], mode[1]});
    }
    // What stays far from overflow: offsets below 2^60.
    int64_t inner = 1;
    for (const Mode &mode : dim.modes)
      if (__builtin_mul_overflow(inner, mode.extent, &inner) || inner > limit ||
          std::abs(mode.stride) > limit)
        return fail(error, "extent or stride is out of range");
    if (dim.extent > limit || std::abs(dim.start) > limit || std::abs(dim.step) > limit)
      return fail(error, "extent, start or step is out of range");
    if (dim.extent < 1)
      return fail(error, "extent " + std::to_string(dim.extent) + " is less than 1");
  }
  return out;
}

size_t StridedView::hash() const {
  size_t h = hashMix(viewDims.size(), static_cast<uint64_t>(base));
  for (const ViewDim &dim : viewDims) {
    for (int64_t x : {dim.extent, dim.start, dim.step, static_cast<int64_t>(dim.modes.size())})
      h = hashMix(h, static_cast<uint64_t>(x));
    for (const Mode &mode : dim.modes)
      h = hashMix(hashMix(h, static_cast<uint64_t>(mode.extent)), static_cast<uint64_t>(mode.stride));
  }
  return h;
}
