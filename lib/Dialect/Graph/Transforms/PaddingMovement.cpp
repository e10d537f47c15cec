// Padding under ops that move elements: reshapes, slices, concatenations, gathers and scatters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PaddingRules.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright::graph;

/// The parts of a position under another shape of the same elements; nothing when a part straddles
/// dimensions.
static std::optional<SmallVector<PositionPart>> reshaped(ArrayRef<PositionPart> parts, ArrayRef<int64_t> from,
                                                         ArrayRef<int64_t> to) {
  auto stridesOf = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> strides(shape.size(), 1);
    for (size_t d = shape.size(); d-- > 1;)
      strides[d - 1] = strides[d] * shape[d];
    return strides;
  };
  SmallVector<int64_t> fromStrides = stridesOf(from), toStrides = stridesOf(to);
  SmallVector<PositionPart> result;
  for (const PositionPart &part : parts) {
    // Elements [first, last) of the flat index are the digit's.
    int64_t first = fromStrides[part.dim] * part.inner, last = first * part.extent, reached = first;
    for (size_t d = to.size(); d-- > 0;) {
      int64_t low = std::max(first, toStrides[d]), high = std::min(last, toStrides[d] * to[d]);
      if (low >= high)
        continue;
      if (low != reached || low % first || low % toStrides[d] || high % low)
        return std::nullopt;
      result.push_back({(int64_t)d, low / toStrides[d], high / low, part.weight * (low / first)});
      reached = high;
    }
    if (reached != last)
      return std::nullopt;
  }
  llvm::sort(result, [](const PositionPart &a, const PositionPart &b) {
    return std::tie(a.dim, b.inner) < std::tie(b.dim, a.inner);
  });
  return result;
}

LogicalResult PaddingTracker::followReshape(ReshapeOp op) {
  const Padding &padding = known[op.getInput()];
  Padding result;
  result.rest = padding.rest;
  for (PaddedDim dim : SmallVector<PaddedDim>(padding.dims)) {
    auto parts = reshaped(dim.parts, typeOf(op.getInput()).getShape(), typeOf(op.getResult()).getShape());
    if (!parts)
      return refuse(op, dim, "a reshape divides it unevenly");
    dim.parts = *parts;
    addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followSlice(SliceOp op) {
  RankedTensorType from = typeOf(op.getInput()), to = typeOf(op.getResult());
  Padding result;
  const Padding &padding = known[op.getInput()];
  result.rest = padding.rest;
  for (PaddedDim dim : SmallVector<PaddedDim>(padding.dims)) {
    SmallVector<PositionPart> parts;
    for (const PositionPart &part : dim.parts) {
      int64_t d = part.dim, offset = op.getOffsets()[d], step = op.getStrides()[d], size = to.getDimSize(d);
      bool whole = part.inner == 1 && part.extent == from.getDimSize(d);
      if (size == from.getDimSize(d) && offset == 0 && step == 1) {
        parts.push_back(part);
      } else if (size == 1 && offset == 0) {
        // The first element is there at any length.
      } else if (whole && step == 1 && offset + size == from.getDimSize(d) && offset < size) {
        // From a fixed start to the end: a start nearer to the end would be counted from there.
        dim.base += part.weight * offset;
        parts.push_back({d, 1, size, part.weight});
      } else {
        return refuse(op, dim,
                      "a slice takes elements " + Twine(offset) + " to " + Twine(offset + step * (size - 1)) +
                          " of " + Twine(from.getDimSize(d)) +
                          ", and which these are depends on the true length");
      }
    }
    dim.parts = parts;
    if (!parts.empty())
      addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followConcat(ConcatOp op) {
  Padding result;
  int64_t at = op.getDim(), before = 0;
  bool first = true;
  SmallVector<PaddedDim> all;
  for (Value input : op.getInputs())
    for (const PaddedDim &dim : known[input].dims)
      if (!dim.touches([&](int64_t d) { return d == at; }))
        all.push_back(dim);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    const Padding &padding = known[input];
    result.rest = first ? padding.rest : worst(result.rest, padding.rest);
    first = false;
    for (PaddedDim dim : SmallVector<PaddedDim>(padding.dims)) {
      if (!dim.touches([&](int64_t d) { return d == at; }))
        continue;
      // Padding stays at the end behind what has a fixed length.
      bool whole = dim.parts.size() == 1 && dim.parts[0].inner == 1 &&
                   dim.parts[0].extent == typeOf(input).getDimSize(at);
      if (i + 1 != op.getInputs().size() || !whole)
        return refuse(op, dim, "it is followed by other elements in a concat");
      dim.base -= before * dim.parts[0].weight;
      dim.parts[0].extent = typeOf(op.getResult()).getDimSize(at);
      addDim(result, dim);
    }
    before += typeOf(input).getDimSize(at);
  }
  for (PaddedDim dim : all) {
    for (Value input : op.getInputs())
      dim.content = worst(dim.content, contentAt(known[input], dim));
    addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followGather(GatherOp op) {
  int64_t at = op.getDim(), indexRank = typeOf(op.getIndices()).getRank();
  const Padding &table = known[op.getInput()], &indices = known[op.getIndices()];
  for (const PaddedDim &dim : table.dims)
    if (dim.touches([&](int64_t d) { return d == at; })) {
      DenseIntElementsAttr constant;
      bool fromStart = isa_and_present<ArgReduceOp, TopKOp>(op.getIndices().getDefiningOp());
      if (matchPattern(op.getIndices(), m_Constant(&constant)))
        fromStart = llvm::all_of(constant.getValues<APInt>(), [](const APInt &i) { return i.isZero(); });
      if (!fromStart)
        return refuse(op, dim, "indices of a gather may count from its end");
    }
  Padding result = rename(table, [&](int64_t d) { return d < at ? d : d == at ? -1 : d + indexRank - 1; });
  for (PaddedDim dim : SmallVector<PaddedDim>(indices.dims)) {
    for (PositionPart &part : dim.parts)
      part.dim += at;
    dim.content = result.rest;
    addDim(result, dim);
  }
  known[op.getResult()] = result;
  return success();
}

LogicalResult PaddingTracker::followScatter(ScatterOp op) {
  int64_t at = op.getBatch();
  auto isRow = [&](int64_t d) { return d == at; };
  for (const PaddedDim &dim : known[op.getInput()].dims)
    if (dim.touches(isRow))
      return refuse(op, dim, "indices of a scatter may count from its end");
  // Indices past the end change nothing.
  auto indexType = cast<IntegerType>(typeOf(op.getIndices()).getElementType());
  Padding updates = known[op.getUpdates()];
  for (const PaddedDim &dim : updates.dims)
    if (dim.touches(isRow) && !find(known[op.getIndices()], dim))
      return refuse(op, dim, "updates of a scatter are padded, their indices are not");
  (void)neutral(
      op.getIndicesMutable(), [](const PaddedDim &) { return false; }, isRow,
      IntegerAttr::get(indexType, typeOf(op.getInput()).getDimSize(at)));
  Padding result = known[op.getInput()];
  result.rest = worst(result.rest, updates.rest);
  for (PaddedDim dim : rename(updates, [&](int64_t d) { return d == at ? -1 : d; }).dims) {
    dim.content = worst(dim.content, contentAt(result, dim));
    addDim(result, dim);
  }
  for (PaddedDim &dim : result.dims)
    dim.content = worst(dim.content, contentAt(updates, dim));
  known[op.getResult()] = result;
  return success();
}
