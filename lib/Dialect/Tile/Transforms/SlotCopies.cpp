// The unit that fills a slot, and how threads divide a tile.
//
// A row of shared memory is a span of 128 bytes whose 16-byte pieces the swizzle exchanges; a piece of 4 or 8
// bytes stays whole in it, so that cp.async may write it. Rows that begin at odd elements have no such piece:
// a thread loads two elements and stores them as a word, which half as many stores bring as single elements.

#include "SlotCopies.h"

#include "EpilogueOperands.h"

#include "Tilewright/Layout/AsyncAccess.h"
#include "Tilewright/Layout/GlobalAccess.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;

/// Bytes of a word of shared memory: the least that cp.async copies.
static constexpr int64_t kWordBytes = 4;

static ArrayRef<int64_t> shapeOf(LoadOp load) { return load.getType().getShape(); }

AcquireOp tile::onlyAcquire(RoleOp role) {
  AcquireOp found;
  int count = 0;
  role.walk([&](AcquireOp op) {
    if (op->hasAttr(kBesideAttrName))
      return;
    found = op;
    ++count;
  });
  return count == 1 ? found : AcquireOp();
}

int tile::fastestOf(LoadOp load) {
  ArrayRef<int64_t> shape = shapeOf(load);
  int rank = (int)shape.size();
  std::vector<int> order = layout::accessOrder(cast<ViewType>(load.getView().getType()).getView());
  auto found = llvm::find_if(order, [&](int dim) { return shape[dim] != 1; });
  int fastest = found == order.end() ? order.front() : *found;
  return fastest == rank - 2 ? rank - 2 : rank - 1;
}

/// Elements next to each other in memory that one access may take; none where neighbours in memory are in
/// another batch.
static int64_t pieceElems(LoadOp load) {
  auto view = cast<ViewType>(load.getView().getType());
  if (layout::accessOrder(view.getView()).front() != fastestOf(load))
    return 0;
  return view.getView().maxVectorElems(fastestOf(load), load.getDivisors().vec(),
                                       (int)storageBits(view.getElementType()));
}

LayoutAttr tile::loadLayout(LoadOp load, int64_t warps) {
  auto view = cast<ViewType>(load.getView().getType());
  ArrayRef<int64_t> shape = shapeOf(load), divisors = load.getDivisors();
  int bits = (int)storageBits(view.getElementType());
  layout::Shape whole(shape.begin(), shape.end());
  LinearLayout found =
      layout::coalescedFor(view.getView(), whole, {divisors.begin(), divisors.end()}, bits, (int)warps);
  if (int64_t piece = pieceElems(load); piece && piece * bits < kWordBytes * 8)
    found = LinearLayout::coalesced(whole, bits, (int)warps, layout::accessOrder(view.getView()),
                                    kWordBytes * 8, whole);
  return LayoutAttr::get(load.getContext(), found);
}

CopyUnit tile::slotCopyUnit(LoadOp load, SharedType buffer, CopyUnit wanted, std::string &refusal) {
  auto view = cast<ViewType>(load.getView().getType());
  int bits = (int)storageBits(view.getElementType());
  if (layout::tensorBoxes(buffer.getLayout(), view.getView(), load.getDivisors().vec(), bits, &refusal) &&
      (wanted == CopyUnit::ByAlignment || wanted == CopyUnit::Bulk))
    return CopyUnit::Bulk;
  bool wide = pieceElems(load) * bits >= kWordBytes * 8 && buffer.getLayout().fastestDim() == fastestOf(load);
  return wide && wanted != CopyUnit::Plain ? CopyUnit::CpAsync : CopyUnit::Plain;
}

Value tile::loadByThreads(OpBuilder &builder, LoadOp load, int64_t warps) {
  auto view = cast<ViewType>(load.getView().getType());
  auto type = RankedTensorType::get(shapeOf(load), view.getElementType(), loadLayout(load, warps));
  return LoadOp::create(builder, load.getLoc(), type, load.getView(), load.getIndices(), load.getDivisors(),
                        load.getInBounds(), TypedAttr());
}
