// tile-interleave-accesses: loads of every second, fourth or eighth element, or group of elements, that have
// all of them together are one load of what lies side by side, and stores one store: an interleaved access
// group (Nuzman, Rosen and Zaks, "Auto-vectorization of interleaved data for SIMD", PLDI 2006), whose
// elements registers tell apart.

#include "KernelArguments.h"
#include "Loops.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::StridedView;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEINTERLEAVEACCESSES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Bits of the widest access.
static constexpr int64_t kWidestBits = 128;

template <typename Op> static RankedTensorType tileOf(Op access) {
  if constexpr (std::is_same_v<Op, StoreOp>)
    return cast<RankedTensorType>(access.getValue().getType());
  else
    return access.getType();
}

template <typename Op> static const StridedView &viewOf(Op access) {
  return cast<ViewType>(access.getView().getType()).getView();
}

/// Whether two accesses differ by where in memory they begin and by nothing else.
template <typename Op> static bool differByPlace(Op a, Op b) {
  return sourceOf(a.getView()) == sourceOf(b.getView()) && tileOf(a) == tileOf(b) &&
         viewOf(a).dims() == viewOf(b).dims() && a.getIndices() == b.getIndices() &&
         a->getAttrDictionary() == b->getAttrDictionary();
}

namespace {

/// Accesses of one block that differ by where they begin, between which nothing touches what they do.
template <typename Op> struct Group {
  SmallVector<Op> accesses;
  bool isOpen = true;
};

/// What stands in the place of `stride` accesses, each of every stride-th group of `by` elements along `dim`.
struct Whole {
  int dim = -1;
  int64_t stride = 1, by = 1;
  StridedView view;
  SmallVector<int64_t> divisors, shape;
};

} // namespace

/// Along dimension `dim` of the view, what accesses that begin at `offset` and at the stride - 1 groups
/// behind it are together; nothing where threads would not have that by vectors.
template <typename Op>
static std::optional<Whole> wholeOf(Op access, int dim, int64_t offset, int64_t threads) {
  RankedTensorType tile = tileOf(access);
  std::vector<layout::ViewDim> dims = viewOf(access).dims();
  layout::ViewDim &along = dims[dim];
  if (!along.isIdentity() || along.modes.empty() || tile.getDimSize(dim) == 1)
    return std::nullopt;
  Whole whole;
  whole.dim = dim;
  // Groups lie side by side themselves.
  if (along.modes.back().stride == 1 && along.modes.size() > 1) {
    whole.by = along.modes.back().extent;
    along.modes.pop_back();
  }
  int64_t bits = storageBits(tile.getElementType()), from = along.modes.back().stride;
  whole.stride = from / whole.by;
  auto isSingle = [](int64_t n) { return llvm::isPowerOf2_64((uint64_t)n); };
  if (from < 2 * whole.by || !isSingle(from) || !isSingle(whole.by) || from * bits > kWidestBits ||
      tile.getDimSize(dim) % whole.by != 0 || access.getDivisors()[dim] % whole.by != 0 ||
      tile.getNumElements() < threads)
    return std::nullopt;
  along.extent *= whole.stride;
  along.modes.back().extent *= from;
  along.modes.back().stride = 1;
  whole.view = StridedView(dims, offset);
  whole.divisors = llvm::to_vector(access.getDivisors());
  whole.divisors[dim] *= whole.stride;
  whole.shape = llvm::to_vector(tile.getShape());
  whole.shape[dim] *= whole.stride;
  int64_t elems = whole.view.maxVectorElems(dim, layout::Shape(whole.divisors.begin(), whole.divisors.end()),
                                            (int)bits, (int)kWidestBits,
                                            /*mayEnd=*/whole.divisors[dim] != 0);
  return elems >= from ? std::optional(whole) : std::nullopt;
}

/// The view of all of them, in front of `access`.
template <typename Op> static Value viewOfWhole(OpBuilder &builder, Op access, const Whole &whole) {
  auto type = ViewType::get(builder.getContext(), tileOf(access).getElementType(), whole.view);
  return ViewOp::create(builder, access.getLoc(), type, sourceOf(access.getView()));
}

template <typename Op>
static SmallVector<Value> indicesOfWhole(OpBuilder &builder, Op access, const Whole &whole) {
  SmallVector<Value> indices(access.getIndices());
  Location loc = access.getLoc();
  indices[whole.dim] =
      arith::MulIOp::create(builder, loc, indices[whole.dim], indexConstant(builder, loc, whole.stride));
  return indices;
}

/// A tile like `tile` with `size` elements along `dim`.
static RankedTensorType resized(RankedTensorType tile, int dim, int64_t size) {
  SmallVector<int64_t> shape(tile.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, tile.getElementType());
}

/// Loads all of `parts`, the p-th of which has the groups at p, p + stride, …, where the first of them
/// stands.
static void joinLoads(ArrayRef<LoadOp> parts, const Whole &whole) {
  LoadOp first = *llvm::min_element(parts, [](LoadOp a, LoadOp b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(first);
  auto load = cast<LoadOp>(builder.clone(*first));
  load.getViewMutable().assign(viewOfWhole(builder, first, whole));
  load.getIndicesMutable().assign(indicesOfWhole(builder, first, whole));
  load.setDivisors(whole.divisors);
  load.getResult().setType(resized(first.getType(), whole.dim, whole.shape[whole.dim]));
  load->moveBefore(first);
  // The lowest digit of an element's place first: evens and odds, of these evens and odds again.
  SmallVector<Value> pieces = {load.getResult()};
  for (int64_t size = whole.shape[whole.dim]; pieces.size() < parts.size();) {
    size /= 2;
    SmallVector<Value> evens, odds;
    for (Value piece : pieces) {
      RankedTensorType half = resized(first.getType(), whole.dim, size);
      auto both = DeinterleaveOp::create(builder, first.getLoc(), half, half, piece, whole.dim, whole.by);
      evens.push_back(both.getEven());
      odds.push_back(both.getOdd());
    }
    llvm::append_range(evens, odds);
    pieces = evens;
  }
  for (auto [part, piece] : llvm::zip_equal(parts, pieces)) {
    LoadOp(part).getResult().replaceAllUsesWith(piece);
    LoadOp(part).erase();
  }
}

/// Stores all of `parts` where the last of them stands.
static void joinStores(ArrayRef<StoreOp> parts, const Whole &whole) {
  StoreOp last = *llvm::max_element(parts, [](StoreOp a, StoreOp b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(last);
  SmallVector<Value> pieces;
  for (StoreOp part : parts)
    pieces.push_back(part.getValue());
  while (pieces.size() > 1) {
    size_t half = pieces.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      auto part = cast<RankedTensorType>(pieces[i].getType());
      pieces[i] = InterleaveOp::create(builder, last.getLoc(),
                                       resized(part, whole.dim, 2 * part.getDimSize(whole.dim)), pieces[i],
                                       pieces[i + half], whole.dim, whole.by);
    }
    pieces.truncate(half);
  }
  auto store = cast<StoreOp>(builder.clone(*last));
  store.getValueMutable().assign(pieces.front());
  store.getViewMutable().assign(viewOfWhole(builder, last, whole));
  store.getIndicesMutable().assign(indicesOfWhole(builder, last, whole));
  store.setDivisors(whole.divisors);
  store->moveBefore(last);
  for (StoreOp part : parts)
    part.erase();
}

/// Joins what of a group lies in turn.
template <typename Op> static void join(Group<Op> &group, int64_t threads) {
  SmallVector<Op> &accesses = group.accesses;
  llvm::stable_sort(accesses, [](Op a, Op b) { return viewOf(a).offset() < viewOf(b).offset(); });
  for (size_t i = 0; i + 1 < accesses.size();) {
    bool isJoined = false;
    for (int dim = viewOf(accesses[i]).rank() - 1; dim >= 0 && !isJoined; --dim) {
      int64_t offset = viewOf(accesses[i]).offset();
      std::optional<Whole> whole = wholeOf(accesses[i], dim, offset, threads);
      if (!whole || i + (size_t)whole->stride > accesses.size())
        continue;
      auto parts = ArrayRef<Op>(accesses).slice(i, (size_t)whole->stride);
      bool isWhole = llvm::all_of(llvm::enumerate(parts), [&](auto part) {
        return viewOf(part.value()).offset() == offset + whole->by * (int64_t)part.index();
      });
      if (!isWhole)
        continue;
      if constexpr (std::is_same_v<Op, LoadOp>)
        joinLoads(parts, *whole);
      else
        joinStores(parts, *whole);
      i += (size_t)whole->stride;
      isJoined = true;
    }
    i += !isJoined;
  }
}

/// Adds `access` to the open group that it belongs to, or to one of its own.
template <typename Op> static void add(std::vector<Group<Op>> &groups, Op access) {
  for (Group<Op> &group : groups)
    if (group.isOpen && differByPlace(group.accesses.front(), access))
      return group.accesses.push_back(access);
  groups.emplace_back().accesses.push_back(access);
}

/// Nothing more joins the groups of accesses to `source`; to any memory where it is null.
template <typename Op> static void close(std::vector<Group<Op>> &groups, Value source) {
  for (Group<Op> &group : groups)
    group.isOpen &= source && sourceOf(group.accesses.front().getView()) != source;
}

namespace {
struct InterleaveAccesses : tile::impl::TileInterleaveAccessesBase<InterleaveAccesses> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    // Products have their operands and sums in layouts of their own.
    bool hasProducts =
        kernel
            .walk([](Operation *op) {
              return isa<DotOp, DotAsyncOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (hasProducts)
      return markAllAnalysesPreserved();
    std::vector<Group<LoadOp>> loads;
    std::vector<Group<StoreOp>> stores;
    kernel.walk([&](Block *block) {
      for (Operation &op : *block) {
        if (auto load = dyn_cast<LoadOp>(op)) {
          close(stores, sourceOf(load.getView()));
          add(loads, load);
        } else if (auto gather = dyn_cast<GatherOp>(op)) {
          close(stores, sourceOf(gather.getView()));
        } else if (auto store = dyn_cast<StoreOp>(op)) {
          close(loads, sourceOf(store.getView()));
          add(stores, store);
        } else if (!isMemoryEffectFree(&op)) {
          close(loads, Value());
          close(stores, Value());
        }
      }
      close(loads, Value());
      close(stores, Value());
    });
    int64_t threads = 32 * (int64_t)kernel.getWarps();
    for (Group<LoadOp> &group : loads)
      join(group, threads);
    for (Group<StoreOp> &group : stores)
      join(group, threads);
  }
};
} // namespace
