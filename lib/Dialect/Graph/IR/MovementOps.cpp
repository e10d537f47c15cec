// Verifiers and folders of the ops that only move data: weights, broadcast, reshape, transpose, slice,
// concat, pad, gather. Small constants are folded through them, because shape arithmetic of importers runs on
// them.

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright::graph;

/// Constants above this many elements stay unfolded: IR is no place for data.
static constexpr int64_t kFoldLimitElems = 4096;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Sizes whose product overflows wrap: tensors of constants have none, others are not folded by their
/// strides.
static SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t d = (int64_t)shape.size() - 2; d >= 0; --d)
    strides[d] = (int64_t)((uint64_t)strides[d + 1] * (uint64_t)shape[d + 1]);
  return strides;
}

/// Folds a movement op on a dense constant: `source(index)` is the linear operand element of a result index.
static DenseElementsAttr foldMove(DenseElementsAttr input, RankedTensorType result,
                                  function_ref<int64_t(ArrayRef<int64_t>)> source) {
  if (input && input.isSplat())
    return input.resizeSplat(result);
  if (!input || result.getNumElements() > kFoldLimitElems)
    return nullptr;
  auto values = llvm::to_vector(input.getValues<Attribute>());
  SmallVector<Attribute> moved;
  SmallVector<int64_t> index(result.getRank(), 0);
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    moved.push_back(values[source(index)]);
    for (int64_t d = result.getRank() - 1; d >= 0; --d) {
      if (++index[d] < result.getDimSize(d))
        break;
      index[d] = 0;
    }
  }
  return DenseElementsAttr::get(result, moved);
}

static int64_t dot(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t sum = 0;
  for (auto [i, s] : llvm::zip_equal(index, strides))
    sum += i * s;
  return sum;
}

static LogicalResult verifySameElementType(Operation *op, Type input, Type result) {
  if (getElementTypeOrSelf(input) != getElementTypeOrSelf(result))
    return op->emitOpError() << "result element type " << getElementTypeOrSelf(result)
                             << " differs from the operand's " << getElementTypeOrSelf(input);
  return success();
}

//===-- weight, iota --------------------------------------------------------------------------------===//

LogicalResult WeightOp::verify() {
  std::string error;
  RankedTensorType type = weightTypeAfterSteps(getWeight(), error);
  if (!type)
    return emitOpError() << error;
  if (type != getType())
    return emitOpError() << "steps give " << type << " but the result is " << getType();
  return success();
}

LogicalResult IotaOp::verify() {
  int64_t dim = getDim();
  if (dim < 0 || dim >= typeOf(getResult()).getRank())
    return emitOpError() << "dimension " << dim << " is outside a tensor of rank "
                         << typeOf(getResult()).getRank();
  return success();
}

//===-- broadcast -----------------------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  if ((int64_t)getDims().size() != input.getRank())
    return emitOpError() << "dims has " << getDims().size() << " entries for an operand of rank "
                         << input.getRank();
  int64_t previous = -1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim <= previous || dim >= result.getRank())
      return emitOpError() << "dims must increase and stay below the result rank " << result.getRank()
                           << ", got " << dim << " after " << previous;
    previous = dim;
    if (input.getDimSize(i) != 1 && input.getDimSize(i) != result.getDimSize(dim))
      return emitOpError() << "operand dimension " << i << " of size " << input.getDimSize(i)
                           << " cannot become result dimension " << dim << " of size "
                           << result.getDimSize(dim);
  }
  return verifySameElementType(*this, input, result);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  RankedTensorType input = typeOf(getInput());
  SmallVector<int64_t> strides = rowMajorStrides(input.getShape());
  return foldMove(dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput()), typeOf(getResult()),
                  [&](ArrayRef<int64_t> index) {
                    int64_t linear = 0;
                    for (auto [i, dim] : llvm::enumerate(getDims()))
                      linear += input.getDimSize(i) == 1 ? 0 : index[dim] * strides[i];
                    return linear;
                  });
}

//===-- reshape -------------------------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  if (input.getNumElements() != result.getNumElements())
    return emitOpError() << "operand has " << input.getNumElements() << " elements, result "
                         << result.getNumElements();
  return verifySameElementType(*this, input, result);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto dense = dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput()))
    return dense.reshape(typeOf(getResult()));
  if (auto inner = getInput().getDefiningOp<ReshapeOp>()) {
    if (inner.getInput().getType() == getType())
      return inner.getInput();
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return nullptr;
}

//===-- transpose -----------------------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  if ((int64_t)getPermutation().size() != input.getRank() || input.getRank() != result.getRank())
    return emitOpError() << "permutation of " << getPermutation().size() << " dimensions between ranks "
                         << input.getRank() << " and " << result.getRank();
  SmallVector<bool> seen(input.getRank(), false);
  for (auto [i, dim] : llvm::enumerate(getPermutation())) {
    if (dim < 0 || dim >= input.getRank() || seen[dim])
      return emitOpError() << "permutation entry " << i << " is " << dim << ", not a new dimension below "
                           << input.getRank();
    seen[dim] = true;
    if (input.getDimSize(dim) != result.getDimSize(i))
      return emitOpError() << "result dimension " << i << " has size " << result.getDimSize(i)
                           << ", operand dimension " << dim << " has " << input.getDimSize(dim);
  }
  return verifySameElementType(*this, input, result);
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getPermutation().size())))
    return getInput();
  if (auto inner = getInput().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t dim : getPermutation())
      composed.push_back(inner.getPermutation()[dim]);
    getInputMutable().assign(inner.getInput());
    setPermutation(composed);
    return getResult();
  }
  SmallVector<int64_t> strides = rowMajorStrides(typeOf(getInput()).getShape());
  SmallVector<int64_t> permuted;
  for (int64_t dim : getPermutation())
    permuted.push_back(strides[dim]);
  return foldMove(dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput()), typeOf(getResult()),
                  [&](ArrayRef<int64_t> index) { return dot(index, permuted); });
}

//===-- slice ---------------------------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  if ((int64_t)getOffsets().size() != input.getRank() || (int64_t)getStrides().size() != input.getRank() ||
      input.getRank() != result.getRank())
    return emitOpError() << "offsets, strides, operand and result have ranks " << getOffsets().size() << ", "
                         << getStrides().size() << ", " << input.getRank() << ", " << result.getRank();
  for (int64_t d = 0; d < input.getRank(); ++d) {
    if (result.getDimSize(d) == 0)
      continue;
    int64_t first = getOffsets()[d], stride = getStrides()[d], last;
    bool overflows =
        llvm::MulOverflow(result.getDimSize(d) - 1, stride, last) || llvm::AddOverflow(first, last, last);
    if (stride == 0 || overflows || std::min(first, last) < 0 || std::max(first, last) >= input.getDimSize(d))
      return emitOpError() << "dimension " << d << " takes elements " << first << " to " << last << " of "
                           << input.getDimSize(d);
  }
  return verifySameElementType(*this, input, result);
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  // Of one element no step is taken.
  auto isWhole = [&](size_t d) {
    return getOffsets()[d] == 0 && (getStrides()[d] == 1 || typeOf(getInput()).getDimSize(d) == 1);
  };
  if (getInput().getType() == getType() && llvm::all_of(llvm::seq<size_t>(0, getOffsets().size()), isWhole))
    return getInput();
  SmallVector<int64_t> strides = rowMajorStrides(typeOf(getInput()).getShape());
  return foldMove(dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput()), typeOf(getResult()),
                  [&](ArrayRef<int64_t> index) {
                    int64_t linear = 0;
                    for (auto [d, i] : llvm::enumerate(index))
                      linear += (getOffsets()[d] + i * getStrides()[d]) * strides[d];
                    return linear;
                  });
}

//===-- concat, pad ---------------------------------------------------------------------------------===//

LogicalResult ConcatOp::verify() {
  RankedTensorType result = typeOf(getResult());
  int64_t dim = getDim(), total = 0;
  if (getInputs().empty())
    return emitOpError() << "has no operand";
  if (dim < 0 || dim >= result.getRank())
    return emitOpError() << "dimension " << dim << " is outside a tensor of rank " << result.getRank();
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    RankedTensorType type = typeOf(input);
    if (type.getRank() != result.getRank())
      return emitOpError() << "operand #" << i << " has rank " << type.getRank() << ", the result "
                           << result.getRank();
    for (int64_t d = 0; d < result.getRank(); ++d)
      if (d != dim && type.getDimSize(d) != result.getDimSize(d))
        return emitOpError() << "operand #" << i << " has size " << type.getDimSize(d) << " in dimension "
                             << d << ", the result " << result.getDimSize(d);
    total += type.getDimSize(dim);
    if (failed(verifySameElementType(*this, type, result)))
      return failure();
  }
  if (total != result.getDimSize(dim))
    return emitOpError() << "operands sum to " << total << " in dimension " << dim << ", the result has "
                         << result.getDimSize(dim);
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1)
    return getInputs().front();
  RankedTensorType result = typeOf(getResult());
  if (result.getNumElements() > kFoldLimitElems)
    return nullptr;
  SmallVector<SmallVector<Attribute>> values;
  for (Attribute input : adaptor.getInputs()) {
    auto dense = dyn_cast_if_present<DenseElementsAttr>(input);
    if (!dense)
      return nullptr;
    values.push_back(llvm::to_vector(dense.getValues<Attribute>()));
  }
  // Row-major: for each index before `dim`, one run of every operand.
  int64_t outer = result.getNumElements() == 0 ? 0 : 1;
  for (int64_t d = 0; d < (int64_t)getDim(); ++d)
    outer *= result.getDimSize(d);
  SmallVector<Attribute> joined;
  for (int64_t o = 0; o < outer; ++o)
    for (auto &part : values) {
      int64_t run = (int64_t)part.size() / std::max<int64_t>(outer, 1);
      joined.append(part.begin() + o * run, part.begin() + (o + 1) * run);
    }
  return DenseElementsAttr::get(result, joined);
}

LogicalResult PadOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  if ((int64_t)getLow().size() != input.getRank() || (int64_t)getHigh().size() != input.getRank() ||
      input.getRank() != result.getRank())
    return emitOpError() << "low, high, operand and result have ranks " << getLow().size() << ", "
                         << getHigh().size() << ", " << input.getRank() << ", " << result.getRank();
  for (int64_t d = 0; d < input.getRank(); ++d) {
    int64_t size = getLow()[d] + input.getDimSize(d) + getHigh()[d];
    if (size != result.getDimSize(d))
      return emitOpError() << "dimension " << d << " pads " << input.getDimSize(d) << " to " << size
                           << ", the result has " << result.getDimSize(d);
  }
  if (cast<TypedAttr>(getValue()).getType() != input.getElementType())
    return emitOpError() << "pad value of type " << cast<TypedAttr>(getValue()).getType()
                         << " in a tensor of " << input.getElementType();
  return verifySameElementType(*this, input, result);
}

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero))
    return getInput();
  return nullptr;
}

//===-- gather --------------------------------------------------------------------------------------===//

LogicalResult GatherOp::verify() {
  RankedTensorType input = typeOf(getInput()), indices = typeOf(getIndices()), result = typeOf(getResult());
  int64_t dim = getDim();
  if (dim < 0 || dim >= input.getRank())
    return emitOpError() << "dimension " << dim << " is outside a tensor of rank " << input.getRank();
  SmallVector<int64_t> shape(input.getShape().take_front(dim));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, input.getShape().drop_front(dim + 1));
  if (result.getShape() != ArrayRef(shape))
    return emitOpError() << "result should be " << RankedTensorType::get(shape, input.getElementType())
                         << ", not " << result;
  return verifySameElementType(*this, input, result);
}

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  auto indices = dyn_cast_if_present<DenseIntElementsAttr>(adaptor.getIndices());
  RankedTensorType input = typeOf(getInput());
  int64_t dim = getDim(), extent = input.getDimSize(dim), indexRank = typeOf(getIndices()).getRank();
  if (!indices || indices.getNumElements() > kFoldLimitElems)
    return nullptr;
  SmallVector<int64_t> chosen;
  for (const APInt &value : indices.getValues<APInt>()) {
    int64_t i = value.getSExtValue();
    if (i < -extent || i >= extent)
      return nullptr;
    chosen.push_back(i < 0 ? i + extent : i);
  }
  SmallVector<int64_t> strides = rowMajorStrides(input.getShape());
  SmallVector<int64_t> indexStrides = rowMajorStrides(typeOf(getIndices()).getShape());
  return foldMove(dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput()), typeOf(getResult()),
                  [&](ArrayRef<int64_t> index) {
                    int64_t linear = dot(index.take_front(dim), ArrayRef(strides).take_front(dim));
                    linear += chosen[dot(index.slice(dim, indexRank), indexStrides)] * strides[dim];
                    return linear +
                           dot(index.drop_front(dim + indexRank), ArrayRef(strides).drop_front(dim + 1));
                  });
}
