// tile-hint-caches: what a launch touches once need not stay in a cache. An access touches each byte once
// when the indices round it, those of blocks and loops, are the digits of its tile's place: all of them are
// used, and no two places overlap.

#include "KernelArguments.h"
#include "Loops.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "Tilewright/Layout/GlobalAccess.h"
#include "Tilewright/Remarks/Remarks.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::StridedView;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEHINTCACHES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

//===-- Where the tiles of an access lie ----------------------------------------------------------------===//

namespace {

/// What runs over the instances of an access: the blocks along a dimension of the grid, or a loop's
/// iterations.
struct Variable {
  scf::ForOp loop = nullptr; ///< Null: blocks.
  int64_t dim = 0;           ///< Of the grid.
  bool operator==(const Variable &other) const { return loop == other.loop && dim == other.dim; }
};

/// `coefficient * ((variable / unit) % count)`: a part of an index.
struct Digit {
  Variable variable;
  int64_t unit = 1, count = 1, coefficient = 1;
  bool wraps = false; ///< The variable may be larger than `unit * count`.
  bool operator==(const Digit &other) const {
    return variable == other.variable && unit == other.unit && count == other.count &&
           coefficient == other.coefficient;
  }
};

/// An index as a constant and digits.
struct Index {
  int64_t constant = 0;
  SmallVector<Digit, 2> digits = {};
};

/// A load or store of the kernel.
struct Access {
  Operation *op = nullptr;
  Value view = {}; ///< That it goes through.
  BlockArgument argument = {};
  RankedTensorType tile = {};
  SmallVector<Index> place = {}; ///< For each dimension, where `why` is empty.
  std::string why = {};          ///< Not empty: it touches bytes several times, or that is not known.

  ViewType viewType() const { return cast<ViewType>(view.getType()); }
  bool isLoad() const { return isa<LoadOp>(op); }
  OperandRange indices() const {
    return isLoad() ? cast<LoadOp>(op).getIndices() : cast<StoreOp>(op).getIndices();
  }
  ArrayRef<int64_t> divisors() const {
    return isLoad() ? cast<LoadOp>(op).getDivisors() : cast<StoreOp>(op).getDivisors();
  }
  StringRef name() const { return isLoad() ? "load" : "store"; }
};

} // namespace

static std::optional<Index> indexOf(Value value, KernelOp kernel) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Index{*constant};
  if (auto block = value.getDefiningOp<BlockIdOp>()) {
    int64_t dim = (int64_t)block.getDim();
    return Index{0, {Digit{Variable{nullptr, dim}, 1, kernel.getGrid()[dim], 1}}};
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return std::nullopt;
    std::optional<int64_t> trips = tripCount(loop);
    if (!trips)
      return std::nullopt;
    return Index{*getConstantIntValue(loop.getLowerBound()),
                 {Digit{Variable{loop, 0}, 1, *trips, *getConstantIntValue(loop.getStep())}}};
  }
  Operation *op = value.getDefiningOp();
  // A digit that is counted from the end takes the same values.
  if (auto fromEnd = dyn_cast_if_present<arith::SubIOp>(op)) {
    std::optional<Index> digit = indexOf(fromEnd.getRhs(), kernel);
    bool isDigit =
        digit && digit->constant == 0 && digit->digits.size() == 1 && digit->digits[0].coefficient == 1;
    bool isWhole = isDigit && getConstantIntValue(fromEnd.getLhs()) == digit->digits[0].count - 1;
    return isWhole ? digit : std::nullopt;
  }
  if (!isa_and_present<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return std::nullopt;
  std::optional<Index> lhs = indexOf(op->getOperand(0), kernel), rhs = indexOf(op->getOperand(1), kernel);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(op)) {
    lhs->constant += rhs->constant;
    lhs->digits.append(rhs->digits);
    return lhs;
  }
  if (!rhs->digits.empty())
    std::swap(lhs, rhs);
  if (!rhs->digits.empty() || rhs->constant < 1)
    return std::nullopt;
  int64_t number = rhs->constant;
  if (isa<arith::MulIOp>(op)) {
    lhs->constant *= number;
    for (Digit &digit : lhs->digits)
      digit.coefficient *= number;
    return lhs;
  }
  // A digit of a digit; of sums it is none.
  bool isPlain = !getConstantIntValue(op->getOperand(0)) && lhs->constant == 0 && lhs->digits.size() == 1 &&
                 lhs->digits[0].coefficient == 1;
  if (!isPlain || !getConstantIntValue(op->getOperand(1)))
    return std::nullopt;
  Digit &digit = lhs->digits[0];
  if (digit.wraps && digit.count % number != 0)
    return std::nullopt;
  if (isa<arith::DivUIOp>(op)) {
    digit.unit *= number;
    digit.count = llvm::divideCeil(digit.count, number);
  } else if (number < digit.count) {
    digit.count = number;
    digit.wraps = true;
  }
  return lhs;
}

/// Whether the digits of `variable`, which takes `range` values, tell all of these apart.
static bool tellsApart(ArrayRef<Index> place, const Variable &variable, int64_t range) {
  SmallVector<Digit> digits;
  for (const Index &index : place)
    for (const Digit &digit : index.digits)
      if (digit.variable == variable && digit.count > 1)
        digits.push_back(digit);
  llvm::sort(digits, [](const Digit &a, const Digit &b) { return a.unit < b.unit; });
  int64_t unit = 1;
  for (const Digit &digit : digits) {
    if (unit % digit.unit != 0)
      return false;
    unit = std::max(unit, digit.unit * digit.count);
  }
  return unit >= range;
}

/// Whether tiles of `extent` elements that `index` places do not overlap.
static bool keepsApart(const Index &index, int64_t extent) {
  SmallVector<Digit> digits(
      llvm::make_filter_range(index.digits, [](const Digit &d) { return d.count > 1; }));
  llvm::sort(digits, [](const Digit &a, const Digit &b) { return a.coefficient < b.coefficient; });
  int64_t reach = extent;
  for (const Digit &digit : digits) {
    if (digit.coefficient < reach)
      return false;
    reach += digit.coefficient * (digit.count - 1);
  }
  return true;
}

/// The part of the view that the tiles of the access may touch: dimensions along which no digit moves it are
/// cut to its tile.
static std::optional<StridedView> touched(const Access &access) {
  const StridedView &view = access.viewType().getView();
  std::vector<int64_t> offsets, sizes;
  for (int d = 0; d < view.rank(); ++d) {
    int64_t extent = view.dim(d).extent;
    bool moves = llvm::any_of(access.place[d].digits, [](const Digit &digit) { return digit.count > 1; });
    int64_t first = moves ? 0 : std::min(access.place[d].constant, extent - 1);
    offsets.push_back(first);
    sizes.push_back(moves ? extent : std::min(extent - first, access.tile.getDimSize(d)));
  }
  return view.slice(offsets, sizes, std::vector<int64_t>(view.rank(), 1));
}

/// Finds where the access lies, or says in `why` what makes it touch bytes several times.
static void locate(Access &access, KernelOp kernel) {
  for (Value value : access.indices()) {
    std::optional<Index> index = indexOf(value, kernel);
    if (!index) {
      access.why = "its place follows from no digits of blocks and loops";
      return;
    }
    access.place.push_back(*index);
  }
  for (auto [dim, blocks] : llvm::enumerate(kernel.getGrid()))
    if (!tellsApart(access.place, Variable{nullptr, (int64_t)dim}, blocks)) {
      access.why = "several blocks touch the same bytes";
      return;
    }
  for (Operation *parent = access.op->getParentOp(); parent != kernel; parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (isa<scf::IfOp>(parent))
      continue;
    std::optional<int64_t> trips = loop ? tripCount(loop) : std::nullopt;
    if (!trips || !tellsApart(access.place, Variable{loop, 0}, *trips)) {
      access.why = "iterations of a loop touch the same bytes";
      return;
    }
  }
  for (auto [d, index] : llvm::enumerate(access.place))
    if (!keepsApart(index, access.tile.getDimSize(d))) {
      access.why = "its tiles overlap";
      return;
    }
  std::optional<StridedView> part = touched(access);
  if (!part || !part->isInjective())
    access.why = "its view has bytes at several indices";
}

//===-- Which of them are hinted ------------------------------------------------------------------------===//

/// The kernel's argument behind `view`; null inside of a role.
static BlockArgument argumentOf(Value view, KernelOp kernel) {
  auto argument = dyn_cast<BlockArgument>(sourceOf(view));
  return argument && argument.getOwner() == &kernel.getBody().front() ? argument : BlockArgument();
}

/// Whether each block touches the same bytes in both accesses.
static bool sharesBlocks(const Access &a, const Access &b) {
  if (a.viewType() != b.viewType() || a.place.size() != b.place.size())
    return false;
  auto ofBlocks = [](const Index &index) {
    SmallVector<Digit> digits(
        llvm::make_filter_range(index.digits, [](const Digit &digit) { return !digit.variable.loop; }));
    return digits;
  };
  return llvm::all_of(llvm::zip(a.place, b.place),
                      [&](auto pair) { return ofBlocks(std::get<0>(pair)) == ofBlocks(std::get<1>(pair)); });
}

/// The op of the kernel's body that holds `op`.
static Operation *topOf(Operation *op, KernelOp kernel) {
  return kernel.getBody().front().findAncestorOpInBlock(*op);
}

/// Why bytes of a load are read again while it may matter; empty when they are not.
static std::string readAgain(const Access &access, ArrayRef<Access> all, KernelOp kernel) {
  for (const Access &other : all) {
    if (other.op == access.op || other.argument != access.argument)
      continue;
    std::optional<StridedView> a = touched(access),
                               b = other.why.empty() ? touched(other) : std::optional<StridedView>();
    if (a && b && layout::areDisjoint(*a, *b))
      continue;
    Operation *first = topOf(other.op, kernel), *second = topOf(access.op, kernel);
    bool isLater = first != second && first->isBeforeInBlock(second);
    if (!other.why.empty() || !isLater || !sharesBlocks(access, other))
      return isLater ? "other blocks read the same bytes" : "the block reads the same bytes again";
  }
  return "";
}

/// Whether a thread holds elements that another one holds too, or a warp leaves part of a sector to others.
static std::string sharesSectors(const Access &access) {
  const StridedView &view = access.viewType().getView();
  const layout::LinearLayout &layout = getLayout(access.tile).getLayout();
  if (access.isLoad() && (layout.freeBits(layout::Hw::Lane) || layout.freeBits(layout::Hw::Warp)))
    return "several threads read the same bytes";
  int bits = (int)storageBits(access.viewType().getElementType());
  layout::Shape multiples = access.divisors().vec();
  if (!layout::coversSectors(view, layout, layout::globalAccess(view, layout, multiples, bits), multiples,
                             bits))
    return "an access of a warp leaves part of a sector to another one";
  return "";
}

static bool isLeaving(const Access &access, KernelOp kernel) {
  return (bool)kernel.getArgAttr(access.argument.getArgNumber(), KernelOp::getLeavingAttrName());
}
static bool isPassing(const Access &access, KernelOp kernel) {
  return (bool)kernel.getArgAttr(access.argument.getArgNumber(), KernelOp::getPassingAttrName());
}

namespace {
struct HintCaches : tile::impl::TileHintCachesBase<HintCaches> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    SmallVector<Access> loads, stores;
    // What else reads an argument.
    llvm::SmallDenseSet<Value> gathered;
    WalkResult walk = kernel.walk([&](Operation *op) {
      if (isa<DotOp, DotAsyncOp, CopyAsyncOp, CopyBulkOp, StoreBulkOp, RoleOp>(op))
        return WalkResult::interrupt();
      if (auto gather = dyn_cast<GatherOp>(op))
        gathered.insert(argumentOf(gather.getView(), kernel));
      Access access{op};
      if (auto load = dyn_cast<LoadOp>(op))
        access.view = load.getView(), access.tile = load.getType();
      else if (auto store = dyn_cast<StoreOp>(op))
        access.view = store.getView(), access.tile = cast<RankedTensorType>(store.getValue().getType());
      else
        return WalkResult::advance();
      access.argument = argumentOf(access.view, kernel);
      if (!access.argument || !getLayout(access.tile))
        return WalkResult::interrupt();
      (access.isLoad() ? loads : stores).push_back(access);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return;
    for (SmallVector<Access> *accesses : {&loads, &stores})
      for (Access &access : *accesses)
        locate(access, kernel);
    for (const Access &access : loads)
      hint(access, loads, gathered.contains(access.argument), kernel);
    llvm::SmallDenseSet<Value> read;
    for (const Access &access : loads)
      read.insert(access.argument);
    for (const Access &access : stores)
      if ((isPassing(access, kernel) || isLeaving(access, kernel)) && !read.contains(access.argument))
        hint(access, {}, /*isGathered=*/false, kernel);
  }

  void hint(const Access &access, ArrayRef<Access> others, bool isGathered, KernelOp kernel) {
    if (access.op->hasAttr(CacheAttr::getAttrName()) || !(all || isLeaving(access, kernel)))
      return;
    std::string why = access.why;
    if (why.empty() && isGathered)
      why = "a gather reads the same tensor";
    if (why.empty())
      why = readAgain(access, others, kernel);
    // Parts of a sector are touched at about the same time: in L2, which has others to let go, that is once.
    // (H200: joined parts of odd lengths, 159 MB through memory so, 171 with their stores kept, in as much
    // time.)
    if (why.empty() && all)
      why = sharesSectors(access);
    if (!why.empty()) {
      emitRemark(access.op, Remark::CacheKept, access.name(), access.viewType(), why);
      return;
    }
    // Stores leave nothing in L1 anyway.
    bool passes = isLeaving(access, kernel) || (all && isPassing(access, kernel)),
         passesL1 = all && access.isLoad();
    access.op->setAttr(
        CacheAttr::getAttrName(),
        CacheAttr::get(kernel.getContext(), passesL1, passes ? L2Priority::EvictFirst : L2Priority::Normal));
    emitRemark(access.op, Remark::CacheHinted, access.name(), access.viewType(),
               passesL1 ? "takes no place in L1" : "is like any other in L1",
               passes ? "the first to go" : "kept as usual, for what reads them soon");
  }
};
} // namespace
