// tile-join-stores: parts of a few elements that a kernel stores side by side, of rows in turn, are stored as
// one: a thread that has both writes twice as many bytes at a time, and no sector in two parts.

#include "KernelArguments.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::StridedView;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEJOINSTORES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Bits of the widest access.
static constexpr int64_t kWidestBits = 128;

static RankedTensorType tileOf(StoreOp store) { return cast<RankedTensorType>(store.getValue().getType()); }
static const StridedView &viewOf(StoreOp store) {
  return cast<ViewType>(store.getView().getType()).getView();
}

/// The dimension, whole in each tile and side by side in memory, along which `second` goes on where `first`
/// ends; -1: none, or both as one would be no wider access.
static int dimOfBoth(StoreOp first, StoreOp second) {
  const StridedView &a = viewOf(first), &b = viewOf(second);
  RankedTensorType tile = tileOf(first);
  if (tile != tileOf(second) || a.dims() != b.dims())
    return -1;
  for (int d = 0; d < a.rank(); ++d) {
    const layout::ViewDim &dim = a.dim(d);
    bool isRun = dim.isIdentity() && dim.modes.size() == 1 && dim.modes.front().stride == 1;
    if (isRun && llvm::isPowerOf2_64((uint64_t)dim.extent) && tile.getDimSize(d) == dim.extent &&
        first.getDivisors()[d] == 0 && b.offset() == a.offset() + dim.extent &&
        2 * dim.extent * storageBits(tile.getElementType()) <= kWidestBits)
      return d;
  }
  return -1;
}

/// `tile` with as many elements again along `dim`, which the same threads have; null where it cannot be.
static RankedTensorType twice(RankedTensorType tile, int dim) {
  std::optional<layout::LinearLayout> both = getLayout(tile).getLayout().twice(dim);
  if (!both)
    return nullptr;
  layout::Shape shape = both->shape();
  return RankedTensorType::get(SmallVector<int64_t>(shape.begin(), shape.end()), tile.getElementType(),
                               LayoutAttr::get(tile.getContext(), *both));
}

/// Stores both in the place of the later one; null where they are no two parts of one.
static StoreOp joined(StoreOp earlier, StoreOp later) {
  if (sourceOf(earlier.getView()) != sourceOf(later.getView()) ||
      earlier.getIndices() != later.getIndices() || earlier.getDivisors() != later.getDivisors() ||
      earlier.getInBounds() != later.getInBounds() || earlier.getEnd() || later.getEnd() ||
      earlier->getDiscardableAttrDictionary() != later->getDiscardableAttrDictionary())
    return nullptr;
  StoreOp first = earlier, second = later;
  int dim = dimOfBoth(first, second);
  if (dim < 0) {
    std::swap(first, second);
    dim = dimOfBoth(first, second);
  }
  RankedTensorType both = dim < 0 ? RankedTensorType() : twice(tileOf(first), dim);
  if (!both)
    return nullptr;
  const StridedView &view = viewOf(first);
  std::vector<layout::ViewDim> dims = view.dims();
  dims[dim].extent *= 2;
  dims[dim].modes.front().extent *= 2;
  OpBuilder builder(later);
  Location loc = later.getLoc();
  auto type = ViewType::get(builder.getContext(), both.getElementType(), StridedView(dims, view.offset()));
  Value target = ViewOp::create(builder, loc, type, sourceOf(later.getView()));
  Value value = JoinOp::create(builder, loc, both, first.getValue(), second.getValue(), dim);
  auto store = StoreOp::create(builder, loc, value, target, later.getIndices(), later.getDivisors(),
                               later.getInBounds());
  store->setDiscardableAttrs(later->getDiscardableAttrDictionary());
  earlier.erase();
  later.erase();
  return store;
}

namespace {
struct JoinStores : tile::impl::TileJoinStoresBase<JoinStores> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) {
      // Stores that nothing behind them has waited for yet.
      SmallVector<StoreOp> open;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        auto store = dyn_cast<StoreOp>(op);
        if (!store) {
          if (isa<LoadOp, GatherOp>(op))
            llvm::erase_if(open, [&](StoreOp other) { return readsOf(&op, other); });
          else if (!isMemoryEffectFree(&op))
            open.clear();
          continue;
        }
        if (!getLayout(tileOf(store)))
          continue;
        // The result may be a part of more.
        for (bool isJoined = true; isJoined;) {
          isJoined = false;
          for (StoreOp &other : open)
            if (StoreOp both = joined(other, store)) {
              open.erase(&other);
              store = both;
              isJoined = true;
              break;
            }
        }
        open.push_back(store);
      }
    }
  }

  static bool readsOf(Operation *op, StoreOp store) {
    Value view = isa<LoadOp>(op) ? cast<LoadOp>(op).getView() : cast<GatherOp>(op).getView();
    return sourceOf(view) == sourceOf(store.getView());
  }
};
} // namespace
