// Tiles of shared memory as the tensor memory accelerator and warpgroup products see them.
#include "Tilewright/Layout/AsyncAccess.h"
#include "Bits.h"
#include <algorithm>
#include <numeric>

using namespace tilewright::layout;

template <typename... Parts> static std::nullopt_t none(std::string *why, const Parts &...parts) {
  if (why) {
    why->clear();
    auto add = [&](const auto &part) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>)
        *why += std::to_string(part);
      else
        *why += part;
    };
    (add(parts), ...);
  }
  return std::nullopt;
}

//===-- The layouts of tensor maps ----------------------------------------------------------------------===//

/// Blocks of `span` bytes along the fastest dim; 0: whole rows.
static std::optional<SharedLayout> spanLayout(const Shape &shape, const std::vector<int> &order, int elemBits,
                                              int span) {
  int64_t bytes = elemBits / 8, row = shape[order[0]] * bytes;
  if (row % (span ? span : 16) != 0)
    return std::nullopt;
  Shape block = shape;
  if (span)
    block[order[0]] = span / bytes;
  SharedLayout blocked = SharedLayout::blockedBy(shape, block, order);
  if (span <= 16)
    return blocked;
  // Address bits 7 and up choose among the 16-byte chunks, bits 4 and up.
  int element = log2Of(bytes);
  return blocked.withXor({{7 - element, static_cast<uint32_t>(span / 16 - 1), 4 - element}});
}

/// Elements of a box at most in each dimension (PTX ISA, Tensor dimension, size and format;
/// cuTensorMapEncodeTiled).
static constexpr int64_t kMostBoxElems = 256;
/// Columns that a piece's barriers and its start take as long as.
static constexpr int64_t kColumnsOfStart = 32;

int64_t tilewright::layout::slotColumns(int64_t columns, int elemBits) {
  constexpr int64_t span = 64, half = 32, mostHalves = 3;
  bool halves = columns % half == 0 && columns / half <= mostHalves;
  return halves || elemBits != 16 ? columns : (columns + span - 1) / span * span;
}

int64_t tilewright::layout::pieceColumns(int64_t columns, int64_t span) {
  int64_t best = std::gcd(columns, span), least = 0;
  for (int64_t width = best; width <= std::min(columns, span); width *= 2) {
    int64_t cost = (columns + width - 1) / width * (width + kColumnsOfStart);
    if (!least || cost < least) {
      best = width;
      least = cost;
    }
  }
  return best;
}

/// Rows of the boxes in which blocks share `rows`, groups of 8 by which swizzles repeat. A box takes a block
/// about as long to start as a group of its rows.
static int64_t sharedRows(int64_t rows, int64_t parts) {
  int64_t groups = rows / 8, best = 0, least = 0;
  for (int64_t size = std::min(groups, kMostBoxElems / 8); size >= 1; --size) {
    if (groups % size != 0)
      continue;
    int64_t cost = (groups / size + parts - 1) / parts * (size + 1);
    if (!best || cost < least) {
      best = size;
      least = cost;
    }
  }
  return 8 * best;
}

std::optional<int> tilewright::layout::asyncSpan(const SharedLayout &shared, int elemBits) {
  if (shared.rank() == 0 || elemBits < 8 || !isPowerOfTwo(elemBits))
    return std::nullopt;
  for (int span : {128, 64, 32, 16, 0})
    if (spanLayout(shared.shape(), shared.order(), elemBits, span) == shared)
      return span;
  return std::nullopt;
}

//===-- Boxes -------------------------------------------------------------------------------------------===//

namespace {
/// Builds the map's dims, innermost first.
class BoxBuilder {
public:
  BoxBuilder(TensorBoxes &out, int elemBytes, std::string *why) : out(out), elemBytes(elemBytes), why(why) {}

  /// Adds what a box of `length` elements along view dim `d` needs; `innermost` is the contiguous one.
  bool addDim(const ViewDim &dim, int d, int64_t length, int64_t divisor, bool innermost) {
    // One element, of whatever stride: what a tile has beyond it is outside.
    if (dim.modes.empty() && dim.extent == 1)
      return add({d, 1, 0, 0}, 1, innermost ? 1 : 16, length, innermost);
    if (dim.modes.size() == 1)
      return addRun(dim, d, length, innermost);
    if (dim.start != 0 || dim.step != 1 || dim.extent != dim.innerExtent())
      return stop("dimension ", d, " of the view is nested and a slice");
    int64_t divide = 1;
    for (size_t i = dim.modes.size(); i-- > 0;) {
      const Mode &mode = dim.modes[i];
      int64_t inner = std::min(length, mode.extent);
      if (mode.extent % inner != 0 || length % inner != 0)
        return stop("a tile of ", length, " elements in dimension ", d, " crosses runs of ", mode.extent);
      // The box starts at the run's start, or where whole boxes lie in it.
      if (divisor % inner != 0 || (length > inner && divisor % (divide * inner) != 0))
        return stop("tiles in dimension ", d, " start inside runs of ", mode.extent);
      if (!add({d, divide, i == 0 ? 0 : mode.extent, 0}, mode.extent, mode.stride, inner,
               innermost && divide == 1))
        return false;
      length /= inner;
      divide *= mode.extent;
    }
    return length == 1 || stop("a tile reaches beyond dimension ", d);
  }

private:
  bool addRun(const ViewDim &dim, int d, int64_t length, bool innermost) {
    const Mode &mode = dim.modes.front();
    if (dim.step < 1 || (dim.start < 0 && dim.step != 1))
      return stop("dimension ", d, " of the view has step ", dim.step, " from ", dim.start);
    int64_t size = std::min(dim.extent, (mode.extent - dim.start + dim.step - 1) / dim.step), shift = 0;
    if (dim.start < 0) {
      // Elements before the first are outside of the map.
      shift = dim.start;
      size = std::min(mode.extent, dim.extent + dim.start);
    } else {
      out.offsetBytes += dim.start * mode.stride * elemBytes;
    }
    if (size < 1)
      return stop("dimension ", d, " of the view holds padding alone");
    return add({d, 1, 0, shift}, size, mode.stride * dim.step, length, innermost);
  }

  bool add(MapCoordinate coordinate, int64_t size, int64_t stride, int64_t box, bool innermost) {
    if (!innermost && box == 1 && (stride == 0 || size == 1))
      return true; // the same elements for every index
    int64_t bytes = stride * elemBytes;
    if (innermost ? stride != 1 && size != 1 : (bytes < 16 || bytes % 16 != 0 || bytes >= int64_t(1) << 40))
      return stop("dimension ", coordinate.dim, " of the view has a stride of ", bytes, " bytes, ",
                  innermost ? "but must be contiguous" : "not a multiple of 16");
    if (out.dims.size() == 5)
      return stop("the view has more than 5 strides");
    out.dims.push_back(size);
    if (!innermost)
      out.strides.push_back(bytes);
    out.box.push_back(box);
    out.coordinates.push_back(coordinate);
    return true;
  }

  template <typename... Parts> bool stop(const Parts &...parts) {
    none(why, parts...);
    return false;
  }

  TensorBoxes &out;
  int elemBytes;
  std::string *why;
};
} // namespace

std::optional<TensorBoxes> tilewright::layout::tensorBoxes(const SharedLayout &shared,
                                                           const StridedView &view,
                                                           const std::vector<int64_t> &divisors, int elemBits,
                                                           std::string *why, int64_t parts) {
  if (shared.rank() != view.rank() || shared.rank() == 0 || divisors.size() != size_t(view.rank()))
    return none(why, "a view of rank ", view.rank(), " for a buffer of rank ", shared.rank());
  std::optional<int> span = asyncSpan(shared, elemBits);
  if (!span)
    return none(why, "the buffer's layout ", shared.toString(), " is none that tensor maps write");
  int elemBytes = elemBits / 8, fastest = shared.fastestDim();
  TensorBoxes out;
  out.swizzleBytes = *span == 16 ? 0 : *span;
  out.offsetBytes = view.offset() * elemBytes;
  // A box is a block of the layout; one of too many elements in its slowest dim is cut.
  Shape box = shared.block();
  int slowest = fastest;
  for (int d : shared.order())
    if (box[d] > 1)
      slowest = d;
  for (int64_t whole = box[slowest], parts = 1; box[slowest] > kMostBoxElems; ++parts)
    if (whole % parts == 0 && (whole / parts % 8 == 0 || slowest == fastest))
      box[slowest] = whole / parts;
    else if (parts > whole)
      return none(why, "a box of ", whole, " elements in dimension ", slowest, " exceeds ", kMostBoxElems);
  for (int d = 0; d < view.rank(); ++d)
    if (box[d] > kMostBoxElems)
      return none(why, "a box of ", box[d], " elements in dimension ", d, " exceeds ", kMostBoxElems);
  // Parts are whole boxes along one dim, else each box is cut; the swizzle repeats every 8 rows. Where these
  // groups are not divided evenly, boxes of some go round, and not all parts have one of the last round.
  int partDim = -1;
  for (int d = 0; parts > 1 && d < view.rank(); ++d)
    if (shared.shape()[d] / box[d] % parts == 0 && partDim < 0)
      partDim = d;
  if (parts > 1 && partDim < 0) {
    int64_t length = shared.shape()[slowest];
    if (slowest == fastest || length % 8 != 0 || length < 8 * parts)
      return none(why, "a box of ", length, " elements in dimension ", slowest, " is not cut in ", parts,
                  " parts of whole groups of 8");
    box[slowest] = sharedRows(length, parts);
    partDim = slowest;
  }
  BoxBuilder builder(out, elemBytes, why);
  for (int d : shared.order()) {
    // Box starts are multiples of the box within the tile, tiles of the divisor.
    int64_t divisor = divisors[d];
    if (box[d] != shared.shape()[d])
      divisor = std::gcd(divisor, box[d]);
    if (!builder.addDim(view.dim(d), d, box[d], divisor, d == fastest))
      return std::nullopt;
  }
  if (out.offsetBytes % 16 != 0)
    return none(why, "the view starts ", out.offsetBytes, " bytes into its buffer, not at a multiple of 16");
  Coord start(view.rank(), 0);
  int64_t count = 1, elements = 1;
  for (int d = 0; d < view.rank(); ++d) {
    count *= shared.shape()[d] / box[d];
    elements *= shared.shape()[d];
  }
  out.bytes = elements * elemBytes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (int d = 0; d < view.rank(); ++d) {
      int64_t parts = shared.shape()[d] / box[d];
      start[d] = static_cast<int32_t>(rest % parts * box[d]);
      rest /= parts;
    }
    out.boxes.push_back({{start.begin(), start.end()}, shared.offsetOf(start) * elemBytes});
  }
  if (parts > 1) {
    out.parts = parts;
    out.partDim = partDim;
    // Equal parts lie behind one another, others go round.
    int64_t whole = shared.shape()[partDim], left = whole / box[partDim] % parts;
    out.partElems = left ? box[partDim] : whole / parts;
    out.fewFrom = whole - left * box[partDim];
    out.few = left;
    Coord second(view.rank(), 0);
    second[partDim] = static_cast<int32_t>(out.partElems);
    out.partBytes = shared.offsetOf(second) * elemBytes;
    std::vector<TensorBox> own;
    for (const TensorBox &each : out.boxes)
      if (each.start[partDim] % (parts * out.partElems) < out.partElems)
        own.push_back(each);
    out.boxes = std::move(own);
  }
  return out;
}

//===-- Operands of warpgroup products ------------------------------------------------------------------===//

int64_t WgmmaOperand::offsetBytes(int64_t mn, int64_t k) const {
  Coord coord(layout.rank(), 0);
  coord[mnDim] = static_cast<int32_t>(mn);
  coord[kDim] = static_cast<int32_t>(k);
  return layout.offsetOf(coord) * (elemBits / 8);
}

uint64_t WgmmaOperand::bits() const {
  // Swizzle modes of the descriptor: 1, 2, 3 are 128, 64, 32 bytes.
  uint64_t mode = swizzleBytes == 128 ? 1 : swizzleBytes == 64 ? 2 : swizzleBytes == 32 ? 3 : 0;
  return uint64_t(leadingBytes >> 4) << 16 | uint64_t(strideBytes >> 4) << 32 | mode << 62;
}

std::optional<WgmmaOperand> tilewright::layout::wgmmaOperand(const SharedLayout &shared, int mnDim, int kDim,
                                                             int elemBits, std::string *why) {
  std::optional<int> span = asyncSpan(shared, elemBits);
  if (!span || *span == 0)
    return none(why, "the layout ", shared.toString(), " has no spans of 16, 32, 64 or 128 bytes");
  for (int d = 0; d < shared.rank(); ++d)
    if (d != mnDim && d != kDim && shared.shape()[d] != 1)
      return none(why, "dimension ", d, " has size ", shared.shape()[d], ", not 1");
  int fastest = shared.fastestDim();
  if (fastest != mnDim && fastest != kDim)
    return none(why, "dimension ", fastest, " is the contiguous one");
  WgmmaOperand out;
  out.layout = shared;
  out.mnDim = mnDim;
  out.kDim = kDim;
  out.elemBits = elemBits;
  out.mnMajor = fastest == mnDim;
  out.swizzleBytes = *span == 16 ? 0 : *span;
  int64_t elemBytes = elemBits / 8, instructionK = 32 / elemBytes;
  if (shared.shape()[kDim] % instructionK != 0)
    return none(why, "K of ", shared.shape()[kDim], " is not a multiple of ", instructionK);
  if (shared.shape()[mnDim] % 8 != 0)
    return none(why, shared.shape()[mnDim], " rows are not a multiple of 8");
  if (out.mnMajor && elemBits != 16)
    return none(why, "elements of ", elemBits, " bits must be contiguous along K");
  // An atom is 8 rows of one span; from one span to the next along the contiguous dim it is a block.
  int64_t atom = int64_t(8) * *span, block = shared.shape()[fastest] == shared.block()[fastest]
                                                 ? 16
                                                 : shared.outerStride()[fastest] * elemBytes;
  out.mnStep = out.mnMajor ? *span / elemBytes : 8;
  out.strideBytes = atom;
  // K-major with a swizzle: an instruction stays inside a span.
  out.leadingBytes = out.mnMajor || *span == 16 ? block : 16;
  // Without swizzle and N contiguous the two offsets change places.
  if (out.mnMajor && *span == 16)
    std::swap(out.leadingBytes, out.strideBytes);
  return out;
}
