// Verifiers of the asynchronous tile ops: roles, rings, bulk copies, products in flight.

#include "Tilewright/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- roles ---------------------------------------------------------------------------------------===//

LogicalResult RoleOp::verify() {
  if (getWarps() < 1 || getInstances() < 1 || getWarps() * getInstances() > 32) // role_c1
    return emitOpError() << getInstances() << " instances of " << getWarps()
                         << " warps are not 1 to 32 warps of a block";
  if (getInstances() > 1 && getWarps() % 4 != 0) // role_c2
    return emitOpError() << "instances need whole warpgroups of 4 warps, got " << getWarps();
  if (std::optional<int64_t> registers = getRegisters())
    if (*registers < 24 || *registers > 240 || *registers % 8 != 0) // role_c3
      return emitOpError() << "registers must be a multiple of 8 from 24 to 240, got " << *registers;
  Block &block = getBody().front();
  if (block.getNumArguments() != getCaptures().size() + 1 ||
      !block.getArgument(0).getType().isIndex()) // role_c4
    return emitOpError() << "the region takes an index and " << getCaptures().size()
                         << " captured values, but has " << block.getNumArguments() << " arguments";
  for (auto [capture, argument] : llvm::zip(getCaptures(), block.getArguments().drop_front()))
    if (capture.getType() != argument.getType()) // role_c5
      return emitOpError() << "captures " << capture.getType() << " as " << argument.getType();
  return success();
}

/// Turns are among the instances of a role.
static LogicalResult verifyTurn(Operation *op) {
  if (auto role = op->getParentOfType<RoleOp>(); role && role.getInstances() > 1)
    return success();
  return op->emitOpError() << "has no other instances to take turns with"; // turn_c1
}
LogicalResult TakeTurnOp::verify() { return verifyTurn(*this); }
LogicalResult PassTurnOp::verify() { return verifyTurn(*this); }

//===-- rings ---------------------------------------------------------------------------------------===//

/// Two numbers of blocks in a discardable attribute; {1, 1} where it is absent.
static std::pair<int64_t, int64_t> blockPairIn(Operation *op, StringRef name) {
  auto pair = op->getAttrOfType<DenseI64ArrayAttr>(name);
  return pair && pair.size() == 2 ? std::pair(pair[0], pair[1]) : std::pair<int64_t, int64_t>(1, 1);
}

static LogicalResult verifyBlockPair(Operation *op, StringRef name) {
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    return success();
  auto pair = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!pair || pair.size() != 2 || pair[0] < 1 || pair[1] < 1 || pair[0] > kMostClusterBlocks ||
      pair[1] > kMostClusterBlocks || pair[0] * pair[1] > kMostClusterBlocks)
    return op->emitOpError() << "'" << name << "' must be two numbers from 1 on, whose product is at most "
                             << kMostClusterBlocks << ", got " << attribute;
  return success();
}

LogicalResult RingOp::verify() {
  for (Value buffer : getBuffers()) {
    int64_t stages = cast<SharedType>(buffer.getType()).getStages();
    if (stages != getResult().getType().getStages()) // ring_c1
      return emitOpError() << "a buffer of " << stages << " stages in a ring of "
                           << getResult().getType().getStages();
  }
  return verifyBlockPair(*this, getPeersAttrName()); // ring_c2
}

//===-- bulk copies ---------------------------------------------------------------------------------===//

/// What copies in both directions have in common: one index, divisor and bound for each dimension of view and
/// buffer, of one element type.
static LogicalResult verifyBulk(Operation *op, ViewType view, SharedType buffer, size_t indices,
                                size_t divisors, size_t inBounds) {
  size_t rank = view.getRank();
  if (buffer.getShape().size() != rank || indices != rank || divisors != rank || inBounds != rank)
    return op->emitOpError() << "a view of rank " << rank << ", a buffer of rank " << buffer.getShape().size()
                             << ", " << indices << " indices, " << divisors << " divisors, " << inBounds
                             << " bounds";
  if (view.getElementType() != buffer.getElementType())
    return op->emitOpError() << "a view of " << view.getElementType() << " and a buffer of "
                             << buffer.getElementType();
  return success();
}

static int64_t blocksIn(Operation *op, StringRef name) {
  auto blocks = op->getAttrOfType<IntegerAttr>(name);
  return blocks ? std::max<int64_t>(1, blocks.getInt()) : 1;
}
std::pair<int64_t, int64_t> CopyBulkOp::getSharers() { return blockPairIn(*this, getSharedByAttrName()); }
int64_t RingOp::getPushers() { return blocksIn(*this, getPushersAttrName()); }
std::pair<int64_t, int64_t> RingOp::getPeers() { return blockPairIn(*this, getPeersAttrName()); }

LogicalResult CopyBulkOp::verify() {
  if (failed(verifyBlockPair(*this, getSharedByAttrName()))) // copy_bulk_c2
    return failure();
  return verifyBulk( // copy_bulk_c1
      *this, getView().getType(), getBuffer().getType(), getIndices().size(), getDivisors().size(),
      getInBounds().size());
}

LogicalResult StoreBulkOp::verify() { // store_bulk_c1
  return verifyBulk(*this, getView().getType(), getBuffer().getType(), getIndices().size(),
                    getDivisors().size(), getInBounds().size());
}

//===-- products in flight --------------------------------------------------------------------------===//

LogicalResult BeginDotOp::verify() {
  if (getInit() && getInit().getType() != getResult().getType().getTile()) // begin_dot_c1
    return emitOpError() << "from " << getInit().getType() << " to " << getResult().getType();
  return success();
}

LogicalResult AwaitOp::verify() {
  if (getInput().getType().getTile() != getResult().getType()) // await_c1
    return emitOpError() << "opens " << getInput().getType() << " as " << getResult().getType();
  return success();
}

LogicalResult DotAsyncOp::verify() {
  bool lhsShared = isa<SharedType>(getLhs().getType());
  if (lhsShared != bool(getLhsStage())) // dot_async_c1
    return emitOpError() << (lhsShared ? "the left operand's stage is missing"
                                       : "a left operand in registers has no stage");
  SmallVector<int64_t> lhs = lhsShared
                                 ? cast<SharedType>(getLhs().getType()).getShape()
                                 : llvm::to_vector(cast<RankedTensorType>(getLhs().getType()).getShape());
  Type lhsElement = lhsShared ? cast<SharedType>(getLhs().getType()).getElementType()
                              : getElementTypeOrSelf(getLhs().getType());
  SharedType rhsType = getRhs().getType();
  SmallVector<int64_t> rhs = rhsType.getShape();
  RankedTensorType sum = getResult().getType().getTile();
  size_t rank = sum.getRank();
  if (rank < 2 || lhs.size() != rank || rhs.size() != rank) // dot_async_c2
    return emitOpError() << "operands have ranks " << lhs.size() << ", " << rhs.size() << ", " << rank;
  for (size_t d = 0; d + 2 < rank; ++d)
    if (lhs[d] != 1 || rhs[d] != 1 || sum.getDimSize(d) != 1) // dot_async_c3
      return emitOpError() << "batch dimension " << d << " must have size 1";
  auto first = (int64_t)getFirst();
  // A tile in registers may have a part of K.
  bool fits = lhsShared ? lhs[rank - 1] == rhs[rank - 2] && !first : first + lhs[rank - 1] <= rhs[rank - 2];
  if (!fits) // dot_async_c4
    return emitOpError() << "K is " << lhs[rank - 1] << " and " << rhs[rank - 2];
  constexpr int64_t stepBits = 256;
  if (int64_t step = stepBits / storageBits(lhsElement); first % step) // dot_async_c7
    return emitOpError() << "begins at row " << first << ", instructions take K in steps of " << step
                         << " elements";
  if (lhs[rank - 2] != sum.getDimSize(rank - 2) || rhs[rank - 1] < sum.getDimSize(rank - 1)) // dot_async_c5
    return emitOpError() << "the product is " << lhs[rank - 2] << "x" << rhs[rank - 1] << ", the accumulator "
                         << sum.getDimSize(rank - 2) << "x" << sum.getDimSize(rank - 1);
  if (lhsElement != rhsType.getElementType()) // dot_async_c6
    return emitOpError() << "operands are of " << lhsElement << " and " << rhsType.getElementType();
  return success();
}

//===-- blocks of a cluster -------------------------------------------------------------------------===//

LogicalResult SumBlocksOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  int64_t dim = getDim(), blocks = getBlocks();
  if (input.getElementType() != result.getElementType() || input.getRank() != result.getRank() || dim < 0 ||
      dim >= input.getRank()) // sum_blocks_c1
    return emitOpError() << "along dimension " << dim << " of " << input << " gives " << result;
  for (int64_t d = 0; d < input.getRank(); ++d)
    if (input.getDimSize(d) != result.getDimSize(d) * (d == dim ? blocks : 1)) // sum_blocks_c2
      return emitOpError() << "each of " << blocks << " blocks has " << result.getDimSize(d) << " of "
                           << input.getDimSize(d) << " elements in dimension " << d;
  if (auto kernel = (*this)->getParentOfType<KernelOp>();
      kernel && kernel.getClusterBlocks() != blocks) // sum_blocks_c3
    return emitOpError() << "sums " << blocks << " blocks, clusters of the kernel have "
                         << kernel.getClusterBlocks();
  return success();
}

LogicalResult PushPartsOp::verify() {
  RankedTensorType tile = getValue().getType();
  SharedType buffer = getBuffer().getType();
  int64_t dim = getDim(), blocks = getBlocks();
  if (ArrayRef<int64_t>(buffer.getShape()) != tile.getShape() ||
      buffer.getElementType() != tile.getElementType()) // push_parts_c1
    return emitOpError() << "a tile of " << tile << " into a buffer of another shape or type";
  if (tile.getElementTypeBitWidth() != 32) // push_parts_c2
    return emitOpError() << "pushes elements of " << tile.getElementType() << ", of 32 bits alone it can";
  if (dim < 0 || dim >= tile.getRank() || tile.getDimSize(dim) % blocks) // push_parts_c3
    return emitOpError() << "pushes " << blocks << " equal parts along dimension " << dim << " of " << tile;
  if (auto ring = getRing().getDefiningOp<RingOp>(); ring && ring.getPushers() != blocks) // push_parts_c4
    return emitOpError() << "from " << blocks << " blocks signals a ring of " << ring.getPushers();
  if (auto kernel = (*this)->getParentOfType<KernelOp>();
      kernel && kernel.getClusterBlocks() != blocks) // push_parts_c5
    return emitOpError() << "pushes to " << blocks << " blocks, clusters of the kernel have "
                         << kernel.getClusterBlocks();
  return success();
}

//===-- parts of tiles ------------------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  if (input.getElementType() != result.getElementType() || input.getRank() != result.getRank() ||
      (int64_t)getOffsets().size() != input.getRank()) // slice_c1
    return emitOpError() << "of " << input << " at " << getOffsets().size() << " offsets gives " << result;
  for (auto [d, offset] : llvm::enumerate(getOffsets()))
    if (offset < 0 || offset + result.getDimSize(d) > input.getDimSize(d)) // slice_c2
      return emitOpError() << "takes elements " << offset << " to " << offset + result.getDimSize(d)
                           << " of the " << input.getDimSize(d) << " in dimension " << d;
  return success();
}
