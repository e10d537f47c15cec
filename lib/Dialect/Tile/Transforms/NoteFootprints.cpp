// tile-note-footprints: which bytes of each buffer the blocks of a kernel touch, part of the grid by part.
//
// Indices are evaluated as intervals over the blocks of a part. What divisions and remainders of a block's
// number give is then exact where the part is a range of blocks that agree in the outer digits, and all that
// the digit takes where it is not: ranges may be too large, never too small.
#include "KernelArguments.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilewright::tile {
#define GEN_PASS_DEF_TILENOTEFOOTPRINTS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::StridedView;

/// Parts of a grid at most.
static constexpr int64_t kMostParts = 128;

namespace {

/// The numbers from `least` to `most`; none where most < least.
struct Interval {
  int64_t least = 0, most = -1;

  bool isEmpty() const { return most < least; }
  void include(Interval other) {
    if (other.isEmpty())
      return;
    *this = isEmpty() ? other : Interval{std::min(least, other.least), std::max(most, other.most)};
  }
};

/// Indices of a kernel where the number of its block is one of `blocks`.
class IndexIntervals {
public:
  IndexIntervals(KernelOp kernel, Interval blocks) : kernel(kernel), blocks(blocks) {}

  /// Nothing where no interval is known.
  std::optional<Interval> of(Value value);

private:
  KernelOp kernel;
  Interval blocks;
  DenseMap<Value, std::optional<Interval>> known;

  std::optional<Interval> find(Value value);
};

} // namespace

//===-- Indices ----------------------------------------------------------------------------------------===//

std::optional<Interval> IndexIntervals::of(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  std::optional<Interval> found = find(value);
  known[value] = found;
  return found;
}

/// What the operation gives of no negative numbers.
static std::optional<Interval> apply(Operation *op, Interval a, Interval b) {
  return llvm::TypeSwitch<Operation *, std::optional<Interval>>(op)
      .Case([&](arith::AddIOp) { return Interval{a.least + b.least, a.most + b.most}; })
      .Case([&](arith::SubIOp) { return Interval{a.least - b.most, a.most - b.least}; })
      .Case([&](arith::MulIOp) { return Interval{a.least * b.least, a.most * b.most}; })
      .Case([&](arith::MinUIOp) { return Interval{std::min(a.least, b.least), std::min(a.most, b.most)}; })
      .Case([&](arith::MaxUIOp) { return Interval{std::max(a.least, b.least), std::max(a.most, b.most)}; })
      .Case([&](arith::DivUIOp) -> std::optional<Interval> {
        if (b.least < 1)
          return std::nullopt;
        return Interval{a.least / b.most, a.most / b.least};
      })
      .Case([&](arith::RemUIOp) -> std::optional<Interval> {
        if (b.least < 1)
          return std::nullopt;
        // Where all numbers have one quotient their order is kept.
        if (b.least == b.most && a.least / b.least == a.most / b.least)
          return Interval{a.least % b.least, a.most % b.least};
        return Interval{0, std::min(a.most, b.most - 1)};
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Interval> IndexIntervals::find(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Interval{*constant, *constant};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return std::nullopt;
    std::optional<Interval> begin = of(loop.getLowerBound()), end = of(loop.getUpperBound());
    if (!begin || !end)
      return std::nullopt;
    return Interval{begin->least, std::max(begin->least, end->most - 1)};
  }
  Operation *op = value.getDefiningOp();
  if (auto block = dyn_cast<BlockIdOp>(op))
    return block.getDim() == 0 ? blocks : Interval{0, kernel.getGrid()[block.getDim()] - 1};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return of(op->getOperand(0));
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<Interval> lhs = of(op->getOperand(0)), rhs = of(op->getOperand(1));
  if (!lhs || !rhs || lhs->least < 0 || rhs->least < 0)
    return std::nullopt;
  std::optional<Interval> result = apply(op, *lhs, *rhs);
  return result && result->least >= 0 ? result : std::nullopt;
}

//===-- Places -----------------------------------------------------------------------------------------===//

/// Offsets of the inner indices `inner` of a dimension with `modes`, the outermost first: below the first
/// mode in which they differ they may be any.
static Interval offsetsOf(ArrayRef<layout::Mode> modes, Interval inner) {
  Interval offsets{0, 0};
  int64_t below = 1;
  for (const layout::Mode &mode : modes)
    below *= mode.extent;
  bool differ = false;
  for (const layout::Mode &mode : modes) {
    below /= mode.extent;
    Interval digit{inner.least / below, inner.most / below};
    digit = differ ? Interval{0, mode.extent - 1} : digit;
    inner = {inner.least - digit.least * below, inner.most - digit.most * below};
    differ |= digit.least != digit.most;
    offsets.least += std::min(digit.least * mode.stride, digit.most * mode.stride);
    offsets.most += std::max(digit.least * mode.stride, digit.most * mode.stride);
  }
  return offsets;
}

/// Offsets that an access of `view` touches whose indices of dimension d are those of indices[d].
static Interval offsetsOf(const StridedView &view, ArrayRef<Interval> indices) {
  Interval offsets{view.offset(), view.offset()};
  for (auto [dim, index] : llvm::zip_equal(view.dims(), indices)) {
    Interval inside{std::max<int64_t>(index.least, 0), std::min(index.most, dim.extent - 1)};
    if (inside.isEmpty())
      return {};
    int64_t a = dim.start + inside.least * dim.step, b = dim.start + inside.most * dim.step;
    Interval inner{std::max<int64_t>(std::min(a, b), 0), std::min(std::max(a, b), dim.innerExtent() - 1)};
    if (inner.isEmpty())
      return {}; // padding, all of it
    Interval own = offsetsOf(dim.modes, inner);
    offsets = {offsets.least + own.least, offsets.most + own.most};
  }
  return offsets;
}

/// Elements of `view` that the access touches, whose tile is `shape`.
static Interval touched(ViewType view, OperandRange indices, ArrayRef<int64_t> shape,
                        IndexIntervals &intervals) {
  SmallVector<Interval> places;
  for (auto [index, size, extent] : llvm::zip_equal(indices, shape, view.getShape())) {
    std::optional<Interval> first = intervals.of(index);
    places.push_back(first ? Interval{first->least, first->most + size - 1} : Interval{0, extent - 1});
  }
  return offsetsOf(view.getView(), places);
}

/// All elements that a view reaches.
static Interval reachOf(ViewType view) {
  SmallVector<Interval> all;
  for (int64_t extent : view.getShape())
    all.push_back({0, extent - 1});
  return offsetsOf(view.getView(), all);
}

static ArrayRef<int64_t> tileOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

/// Elements of the argument `root` that blocks of `intervals` touch.
static Interval touchedOf(BlockArgument root, IndexIntervals &intervals) {
  Interval all;
  SmallVector<Value> worklist = {root};
  while (!worklist.empty()) {
    Value view = worklist.pop_back_val();
    auto type = cast<ViewType>(view.getType());
    for (Operation *user : view.getUsers()) {
      if (auto other = dyn_cast<ViewOp>(user)) {
        worklist.push_back(other.getResult());
      } else if (auto load = dyn_cast<LoadOp>(user)) {
        all.include(touched(type, load.getIndices(), tileOf(load.getResult()), intervals));
      } else if (auto store = dyn_cast<StoreOp>(user)) {
        all.include(touched(type, store.getIndices(), tileOf(store.getValue()), intervals));
      } else if (auto gather = dyn_cast<GatherOp>(user)) {
        Interval base = touched(type, gather.getIndices(), tileOf(gather.getResult()), intervals);
        int64_t reach = gather.getStride() * ((int64_t)gather.getExtent() - 1);
        if (!base.isEmpty())
          all.include({base.least + std::min<int64_t>(reach, 0), base.most + std::max<int64_t>(reach, 0)});
      } else {
        all.include(reachOf(type));
      }
    }
  }
  return all;
}

namespace {
struct NoteFootprints : tile::impl::TileNoteFootprintsBase<NoteFootprints> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ArrayRef<int64_t> grid = kernel.getGrid();
    if (grid[1] * grid[2] != 1)
      return;
    // Blocks that take tickets are told apart by no number.
    if (kernel.walk([](TakeTicketOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    int64_t parts = std::min(grid[0], kMostParts);
    SmallVector<SmallVector<int64_t>> ranges(kernel.getArgumentTypes().size());
    for (int64_t part = 0; part < parts; ++part) {
      IndexIntervals intervals(kernel, {part * grid[0] / parts, (part + 1) * grid[0] / parts - 1});
      for (auto [argument, range] : llvm::zip_equal(kernel.getBody().getArguments(), ranges)) {
        auto view = cast<ViewType>(argument.getType());
        int64_t bytes = (int64_t)tile::storageBits(view.getElementType()) / 8;
        Interval elements = touchedOf(argument, intervals);
        bool none = elements.isEmpty();
        range.append({none ? 0 : elements.least * bytes, none ? 0 : (elements.most + 1) * bytes});
      }
    }
    Builder builder(&getContext());
    for (auto [i, range] : llvm::enumerate(ranges))
      kernel.setArgAttr((unsigned)i, ptx::PtxDialect::getFootprintAttrName(),
                        builder.getDenseI64ArrayAttr(range));
  }
};
} // namespace
