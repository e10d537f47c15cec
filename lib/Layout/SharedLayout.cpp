// Shared layouts: strides, blocks, xor terms; evaluation and text.
#include "Tilewright/Layout/SharedLayout.h"
#include "Bits.h"
#include "Text.h"
#include <algorithm>
#include <cassert>

using namespace tilewright::layout;

SharedLayout SharedLayout::plain(const Shape &shape, const std::vector<int> &order, int64_t rowPad) {
  std::vector<int64_t> pads(shape.size(), 0);
  if (shape.size() > 1)
    pads[1] = rowPad;
  return padded(shape, order, pads);
}

SharedLayout SharedLayout::padded(const Shape &shape, const std::vector<int> &order,
                                  const std::vector<int64_t> &pads) {
  assert(pads.size() == shape.size() && "one entry per dim");
  SharedLayout out = blockedBy(shape, shape, order);
  int64_t stride = 1;
  for (size_t i = 0; i < order.size(); ++i) {
    stride += pads[i];
    out.inner[order[i]] = stride;
    stride *= shape[order[i]];
  }
  return out;
}

SharedLayout SharedLayout::blockedBy(const Shape &shape, const Shape &blockShape,
                                     const std::vector<int> &order, const std::vector<int64_t> &pads) {
  assert(shape.size() == order.size() && blockShape.size() == order.size() && "one entry per dim");
  SharedLayout out;
  out.tensorShape = shape;
  out.dimOrder = order;
  out.blockShape = blockShape;
  out.inner.assign(shape.size(), 0);
  out.outer.assign(shape.size(), 0);
  int64_t stride = 1;
  for (int dim : order) {
    assert(shape[dim] % blockShape[dim] == 0 && "a block divides its dim");
    out.inner[dim] = stride;
    stride *= blockShape[dim];
  }
  for (size_t i = 0; i < order.size(); ++i) {
    int dim = order[i];
    if (blockShape[dim] == shape[dim])
      continue;
    stride += i < pads.size() ? pads[i] : 0;
    out.outer[dim] = stride;
    stride *= shape[dim] / blockShape[dim];
  }
  return out;
}

std::optional<SharedLayout> SharedLayout::withSwizzle(int64_t vec, int64_t perPhase, int64_t maxPhase) const {
  if (rank() < 2 || !isPowerOfTwo(vec) || !isPowerOfTwo(perPhase) || !isPowerOfTwo(maxPhase))
    return std::nullopt;
  int64_t row = blockShape[fastestDim()];
  if (!isPowerOfTwo(row) || inner[dimOrder[1]] != row || vec * maxPhase > row)
    return std::nullopt;
  SharedLayout out(*this);
  if (maxPhase > 1)
    out.xorTerms.push_back({log2Of(row * perPhase), static_cast<uint32_t>(maxPhase - 1), log2Of(vec)});
  return out;
}

std::optional<SharedLayout> SharedLayout::tma(const Shape &shape, int elemBits,
                                              const std::vector<int> &order) {
  constexpr int64_t chunk = 16, phaseBytes = 128;
  if (shape.size() < 2 || elemBits < 8)
    return std::nullopt;
  int64_t bytes = elemBits / 8, row = shape[order[0]] * bytes;
  for (int64_t span : {128, 64, 32, 16}) {
    if (row % span != 0)
      continue;
    Shape block = shape;
    block[order[0]] = span / bytes;
    SharedLayout blocked = blockedBy(shape, block, order);
    return span == chunk ? blocked : blocked.withSwizzle(chunk / bytes, phaseBytes / span, span / chunk);
  }
  return std::nullopt;
}

std::optional<SharedLayout> SharedLayout::withXor(std::vector<XorTerm> terms) const {
  int lowestFrom = 63, highestTo = 0;
  for (const XorTerm &term : terms) {
    lowestFrom = std::min(lowestFrom, term.shiftFrom);
    highestTo = std::max(highestTo, term.shiftTo + log2Of(int64_t(term.mask) + 1));
  }
  if (lowestFrom < highestTo)
    return std::nullopt;
  SharedLayout out(*this);
  out.xorTerms = std::move(terms);
  return out;
}

std::optional<SharedLayout> SharedLayout::part(const Shape &partShape) const {
  if (!xorTerms.empty() || partShape.size() != tensorShape.size())
    return std::nullopt;
  SharedLayout out(*this);
  out.tensorShape = partShape;
  for (int d = 0; d < rank(); ++d) {
    bool isSplit = blockShape[d] != tensorShape[d];
    if (partShape[d] > tensorShape[d] || (isSplit && partShape[d] % blockShape[d] != 0))
      return std::nullopt;
    if (!isSplit)
      out.blockShape[d] = partShape[d];
  }
  return out;
}

static int64_t swizzled(int64_t offset, const std::vector<XorTerm> &terms) {
  int64_t out = offset;
  for (const XorTerm &term : terms)
    out ^= ((offset >> term.shiftFrom) & term.mask) << term.shiftTo;
  return out;
}

int64_t SharedLayout::offsetOf(const Coord &coord) const {
  int64_t offset = 0;
  for (int d = 0; d < rank(); ++d)
    offset += coord[d] % blockShape[d] * inner[d] + coord[d] / blockShape[d] * outer[d];
  return swizzled(offset, xorTerms);
}

std::optional<Coord> SharedLayout::coordOf(int64_t offset) const {
  // Sources lie above all targets, so they are as they were and the same xor undoes it.
  int64_t linear = swizzled(offset, xorTerms);
  Coord out(rank(), 0);
  // Strides grow from the inner fastest dim to the outer slowest one; take digits from the top.
  auto takeDigit = [&](int dim, int64_t stride, int64_t count, int64_t unit) {
    int64_t digit = stride ? std::min(linear / stride, count - 1) : 0;
    linear -= digit * stride;
    out[dim] += static_cast<int32_t>(digit * unit);
  };
  for (size_t i = dimOrder.size(); i-- > 0;)
    takeDigit(dimOrder[i], outer[dimOrder[i]], tensorShape[dimOrder[i]] / blockShape[dimOrder[i]],
              blockShape[dimOrder[i]]);
  for (size_t i = dimOrder.size(); i-- > 0;)
    takeDigit(dimOrder[i], inner[dimOrder[i]], blockShape[dimOrder[i]], 1);
  if (linear != 0 || offset < 0)
    return std::nullopt;
  return out;
}

int64_t SharedLayout::sizeElems() const {
  int64_t last = 0;
  for (int d = 0; d < rank(); ++d)
    last += (blockShape[d] - 1) * inner[d] + (tensorShape[d] / blockShape[d] - 1) * outer[d];
  // A swizzle permutes within aligned groups of 2^bits, so the last group may stick out.
  int bits = 0;
  for (const XorTerm &term : xorTerms)
    bits = std::max(bits, term.shiftTo + log2Of(int64_t(term.mask) + 1));
  return ((last >> bits) + 1) << bits;
}

int64_t SharedLayout::vectorElems() const {
  if (rank() == 0)
    return 1;
  int fastest = fastestDim();
  if (inner[fastest] != 1 && blockShape[fastest] != 1)
    return 1;
  int64_t out = powerOfTwoFactor(blockShape[fastest]);
  for (int d = 0; d < rank(); ++d) {
    if (d != fastest && blockShape[d] > 1)
      out = std::min(out, powerOfTwoFactor(inner[d]));
    if (tensorShape[d] > blockShape[d])
      out = std::min(out, powerOfTwoFactor(outer[d]));
  }
  for (const XorTerm &term : xorTerms)
    out = std::min(out, int64_t(1) << term.shiftTo);
  return out;
}

std::string SharedLayout::toString() const {
  std::string out = "{shape=" + listText(tensorShape) + ", order=" + listText(dimOrder);
  if (blockShape != tensorShape)
    out += ", block=" + listText(blockShape);
  out += ", inner=" + listText(inner);
  if (blockShape != tensorShape)
    out += ", outer=" + listText(outer);
  if (!xorTerms.empty()) {
    std::vector<Shape> terms;
    for (const XorTerm &term : xorTerms)
      terms.push_back({term.shiftFrom, term.mask, term.shiftTo});
    out += ", xor=" + listText(terms);
  }
  return out + "}";
}

std::optional<SharedLayout> SharedLayout::parse(std::string_view text, std::string *error) {
  std::optional<TextValue> value = parseText(text, error);
  if (!value || !hasOnlyFields(*value, {"shape", "order", "block", "inner", "outer", "xor"}, error))
    return std::nullopt;
  auto integers = [&](const char *name) -> std::optional<Shape> {
    const TextValue *field = value->field(name);
    return field ? field->integers() : std::nullopt;
  };
  std::optional<Shape> shape = integers("shape"), order = integers("order"), inner = integers("inner");
  if (!shape || !order || !inner)
    return fail(error, "expected shape=[...], order=[...] and inner=[...]");
  SharedLayout out;
  size_t rank = shape->size();
  out.tensorShape = *shape;
  out.inner = *inner;
  out.blockShape = integers("block").value_or(*shape);
  out.outer = integers("outer").value_or(Shape(rank, 0));
  if (order->size() != rank || inner->size() != rank || out.blockShape.size() != rank ||
      out.outer.size() != rank)
    return fail(error, "lists differ in length");
  std::vector<bool> seen(rank, false);
  for (int64_t dim : *order) {
    if (dim < 0 || dim >= static_cast<int64_t>(rank) || seen[dim])
      return fail(error, "order is no permutation of the dims");
    seen[dim] = true;
    out.dimOrder.push_back(static_cast<int>(dim));
  }
  for (size_t d = 0; d < rank; ++d)
    if (out.blockShape[d] < 1 || out.tensorShape[d] < 1 || out.tensorShape[d] % out.blockShape[d] != 0 ||
        out.inner[d] < 0 || out.outer[d] < 0 || out.tensorShape[d] > (1 << 30) || out.inner[d] > (1 << 30) ||
        out.outer[d] > (1 << 30))
      return fail(error, "dim " + std::to_string(d) + " of size " + std::to_string(out.tensorShape[d]) +
                             " is not whole blocks of " + std::to_string(out.blockShape[d]));
  // Each stride spans all that lies inside of it, so that no two elements meet.
  int64_t extent = 1;
  for (bool block : {true, false})
    for (int dim : out.dimOrder) {
      int64_t count = block ? out.blockShape[dim] : out.tensorShape[dim] / out.blockShape[dim];
      int64_t stride = block ? out.inner[dim] : out.outer[dim];
      if (count > 1 && stride < extent)
        return fail(error, "stride " + std::to_string(stride) + " of dim " + std::to_string(dim) +
                               " is less than the " + std::to_string(extent) + " elements inside of it");
      if (count > 1)
        extent = stride * count;
    }
  if (const TextValue *field = value->field("xor")) {
    std::optional<std::vector<Shape>> terms = field->integerLists();
    if (!terms)
      return fail(error, "expected xor=[[from,mask,to], ...]");
    int lowestFrom = 63, highestTo = 0;
    for (const Shape &term : *terms) {
      if (term.size() != 3 || term[0] < 0 || term[0] > 40 || term[2] < 0 || term[2] > 40 || term[1] < 1 ||
          term[1] > 0xffff)
        return fail(error, "expected xor=[[from,mask,to], ...]");
      out.xorTerms.push_back(
          {static_cast<int>(term[0]), static_cast<uint32_t>(term[1]), static_cast<int>(term[2])});
      lowestFrom = std::min(lowestFrom, static_cast<int>(term[0]));
      highestTo = std::max(highestTo, static_cast<int>(term[2]) + log2Of(term[1] + 1));
    }
    if (lowestFrom < highestTo)
      return fail(error, "xor source bit " + std::to_string(lowestFrom) + " lies below target bit " +
                             std::to_string(highestTo - 1));
  }
  return out;
}

size_t SharedLayout::hash() const {
  size_t h = hashMix(0, tensorShape.size());
  for (int d = 0; d < rank(); ++d)
    for (int64_t x : {tensorShape[d], int64_t(dimOrder[d]), blockShape[d], inner[d], outer[d]})
      h = hashMix(h, static_cast<uint64_t>(x));
  for (const XorTerm &term : xorTerms)
    h = hashMix(hashMix(hashMix(h, term.shiftFrom), term.mask), term.shiftTo);
  return h;
}
