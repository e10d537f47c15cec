#include "OperandInMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;
using namespace tilewright::graph;

int64_t OperandInMemory::piece() const {
  int64_t places = offset | (kRowBytes / elementBytes());
  for (auto [d, stride] : llvm::enumerate(strides))
    if (type().getDimSize((int64_t)d) > 1 && (int64_t)d != type().getRank() - contiguous)
      places |= stride;
  return (places & -places) * elementBytes();
}

int64_t OperandInMemory::rowBytes() const {
  int64_t bytes = strides[type().getRank() - (contiguous == 1 ? 2 : 1)] * elementBytes();
  return isAligned() ? (int64_t)llvm::alignTo(bytes, kRowBytes)
                     : bytes / (2 * piece()) * (2 * piece()) + piece();
}

void OperandInMemory::findContiguous() {
  int64_t rank = type().getRank();
  contiguous = 0;
  for (int64_t fromEnd = std::min<int64_t>(rank, 2); fromEnd >= 1; --fromEnd)
    if (strides[rank - fromEnd] == 1)
      contiguous = fromEnd;
}

OperandInMemory OperandInMemory::sliced(int64_t fromEnd, int64_t from, int64_t stride) const {
  OperandInMemory part = *this;
  int64_t &along = part.strides[type().getRank() - fromEnd];
  part.offset += from * along;
  along *= stride;
  part.findContiguous();
  return part;
}

OperandInMemory fuse::inMemory(Value value) {
  OperandInMemory operand{value};
  SmallVector<Operation *> moves;
  auto isMove = [](Operation *op) {
    auto slice = dyn_cast_or_null<SliceOp>(op);
    return isa_and_present<TransposeOp>(op) ||
           (slice && llvm::all_of(slice.getStrides(), [](int64_t stride) { return stride == 1; }));
  };
  Value memory = value;
  for (; isMove(memory.getDefiningOp()); memory = moves.back()->getOperand(0))
    moves.push_back(memory.getDefiningOp());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(memory.getType()).getShape();
  operand.strides.assign(shape.size(), 1);
  for (int64_t d = (int64_t)shape.size() - 2; d >= 0; --d)
    operand.strides[d] = operand.strides[d + 1] * shape[d + 1];
  for (Operation *move : llvm::reverse(moves)) {
    if (auto slice = dyn_cast<SliceOp>(move)) {
      for (auto [first, stride] : llvm::zip_equal(slice.getOffsets(), operand.strides))
        operand.offset += first * stride;
      continue;
    }
    operand.strides = llvm::map_to_vector(cast<TransposeOp>(move).getPermutation(),
                                          [&](int64_t d) { return operand.strides[d]; });
  }
  operand.findContiguous();
  return operand;
}

ProductInMemory fuse::describeProduct(MatmulOp matmul, const OperandInMemory &lhs,
                                      const OperandInMemory &rhs) {
  RankedTensorType result = matmul.getType();
  ProductInMemory product;
  product.m = lhs.size(2);
  product.n = rhs.size(1);
  product.k = lhs.size(1);
  for (int64_t size : result.getShape().drop_back(2))
    product.batch *= size;
  product.multiplyAs(matmul);
  product.storedBytes = std::max<int64_t>(1, result.getElementTypeBitWidth() / 8);
  product.lhsAlongK = lhs.contiguous == 1;
  product.rhsAlongK = rhs.contiguous == 2;
  product.lhsRowBytes = lhs.rowBytes();
  product.rhsRowBytes = rhs.rowBytes();
  return product;
}
