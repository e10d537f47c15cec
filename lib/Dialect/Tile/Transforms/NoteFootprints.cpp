// tile-note-footprints: which bytes of each buffer the blocks of a kernel touch.
//
// Indices are sums of digits of the block's number and of loops', which views turn into sums of bytes. Where
// an index is no such sum the access may be anywhere in its view along that dimension.
#include "KernelArguments.h"

#include "Tilewright/Dialect/Ptx/IR/Footprint.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::tile {
#define GEN_PASS_DEF_TILENOTEFOOTPRINTS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using ptx::Footprint;
using ptx::FootprintAccess;
using ptx::FootprintDim;
using ptx::FootprintTerm;

//===-- Indices ----------------------------------------------------------------------------------------===//

namespace {
/// A constant and digits with weights, which here count elements.
struct Index {
  int64_t constant = 0;
  SmallVector<FootprintTerm, 4> terms;

  /// One digit, counted from 0 up or from its last value down.
  bool isPlain() const {
    if (terms.size() != 1)
      return false;
    bool isUp = terms[0].bytes == 1 && constant == 0;
    return isUp || (terms[0].bytes == -1 && constant == terms[0].count - 1);
  }
};
} // namespace

static std::optional<Index> indexOf(Value value, KernelOp kernel);

/// A digit of a digit of a number below `blocks`.
static std::optional<Index> digitOf(Index index, int64_t number, bool isQuotient, int64_t blocks) {
  if (index.terms.empty())
    return Index{isQuotient ? index.constant / number : index.constant % number, {}};
  if (!index.isPlain())
    return std::nullopt;
  FootprintTerm &term = index.terms.front();
  bool isDown = term.bytes < 0, divides = term.count % number == 0 || number >= term.count;
  bool isWhole = term.unit == 0 || term.unit * term.count >= blocks;
  if (!divides && (isDown || !isWhole))
    return std::nullopt;
  if (isQuotient) {
    term.count = (int64_t)llvm::divideCeil(term.count, number);
    term.unit *= number;
  } else {
    term.count = std::min(term.count, number);
  }
  index.constant = isDown ? term.count - 1 : 0;
  return index;
}

static std::optional<Index> indexOf(Value value, KernelOp kernel) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Index{*constant, {}};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return std::nullopt;
    std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                           end = getConstantIntValue(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    if (!begin || !end || !step || *step < 1 || *end <= *begin)
      return std::nullopt;
    return Index{*begin, {{*step, (int64_t)llvm::divideCeil(*end - *begin, *step), 0}}};
  }
  Operation *op = value.getDefiningOp();
  if (auto block = dyn_cast<BlockIdOp>(op))
    return block.getDim() == 0 ? std::optional(Index{0, {{1, kernel.getGrid()[0], 1}}}) : std::nullopt;
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return std::nullopt;
  std::optional<Index> lhs = indexOf(op->getOperand(0), kernel), rhs = indexOf(op->getOperand(1), kernel);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
    lhs->constant += sign * rhs->constant;
    for (FootprintTerm term : rhs->terms)
      lhs->terms.push_back({sign * term.bytes, term.count, term.unit});
    return lhs;
  }
  if (isa<arith::MulIOp>(op) && !rhs->terms.empty())
    std::swap(lhs, rhs);
  if (!rhs->terms.empty() || rhs->constant < 1)
    return std::nullopt;
  if (!isa<arith::MulIOp>(op))
    return digitOf(*lhs, rhs->constant, isa<arith::DivUIOp>(op), kernel.getGrid()[0]);
  lhs->constant *= rhs->constant;
  for (FootprintTerm &term : lhs->terms)
    term.bytes *= rhs->constant;
  return lhs;
}

//===-- Places -----------------------------------------------------------------------------------------===//

/// Appends what all of `dim` may be.
static void appendAll(const layout::ViewDim &dim, int64_t width, FootprintAccess &access) {
  for (const layout::Mode &mode : dim.modes) {
    int64_t bytes = mode.stride * width, reach = bytes * (mode.extent - 1);
    if (reach != 0)
      access.dims.push_back(
          {0, std::min<int64_t>(reach, 0), std::max<int64_t>(reach, 0), {{bytes, mode.extent, 0}}});
  }
}

/// Appends what one mode of `dim`, its only one, makes of the index.
static void appendStrided(const layout::ViewDim &dim, const Index &index, int64_t width,
                          FootprintAccess &access) {
  int64_t bytes = dim.modes.front().stride * width, last = dim.start + (dim.extent - 1) * dim.step;
  if (bytes == 0)
    return;
  int64_t least = std::max<int64_t>(0, std::min(dim.start, last));
  int64_t most = std::min(dim.innerExtent() - 1, std::max(dim.start, last));
  FootprintDim &own = access.dims.emplace_back();
  own.first = bytes * (dim.start + dim.step * index.constant);
  own.least = std::min(bytes * least, bytes * most);
  own.most = std::max(bytes * least, bytes * most);
  for (FootprintTerm term : index.terms)
    own.terms.push_back({bytes * dim.step * term.bytes, term.count, term.unit});
}

/// Appends what several modes make of the index, each a digit of it; whether that can be said.
static bool appendDigits(const layout::ViewDim &dim, const Index &index, int64_t width,
                         FootprintAccess &access) {
  if (!dim.isIdentity() || index.constant != 0)
    return false;
  SmallVector<FootprintTerm, 4> left(index.terms);
  SmallVector<FootprintDim> dims;
  int64_t below = 1;
  for (const layout::Mode &mode : llvm::reverse(dim.modes)) {
    int64_t sum = 0, bytes = mode.stride * width, reach = bytes * (mode.extent - 1);
    bool isLast = below * mode.extent == dim.innerExtent();
    FootprintDim own{0, std::min<int64_t>(reach, 0), std::max<int64_t>(reach, 0), {}};
    SmallVector<FootprintTerm, 4> above;
    for (FootprintTerm term : left) {
      if (term.bytes >= below * mode.extent) {
        above.push_back(term);
        continue;
      }
      if (term.bytes < below || term.bytes % below != 0)
        return false;
      int64_t times = term.bytes / below, inside = term.count;
      // What goes beyond this digit is part of the next one.
      if (!isLast && times * term.count > mode.extent) {
        inside = mode.extent / times;
        if (mode.extent % times != 0)
          return false;
        above.push_back(
            {below * mode.extent, (int64_t)llvm::divideCeil(term.count, inside), term.unit * inside});
      }
      sum += times * (inside - 1);
      own.terms.push_back({bytes * times, inside, term.unit});
    }
    if (!isLast && sum >= mode.extent)
      return false;
    dims.push_back(own);
    left = above;
    below *= mode.extent;
  }
  llvm::append_range(access.dims, dims);
  return left.empty();
}

/// What the access of a tile of `shape` at `indices` touches.
static FootprintAccess accessOf(ViewType type, OperandRange indices, ArrayRef<int64_t> shape,
                                KernelOp kernel) {
  const layout::StridedView &view = type.getView();
  int64_t width = tile::storageBits(type.getElementType()) / 8;
  FootprintAccess access{view.offset() * width, width, {}};
  for (auto [dim, value, size] : llvm::zip_equal(view.dims(), indices, shape)) {
    std::optional<Index> index = indexOf(value, kernel);
    if (index && size > 1)
      index->terms.push_back({1, size, 0});
    size_t before = access.dims.size();
    if (index && dim.modes.size() == 1) {
      appendStrided(dim, *index, width, access);
    } else if (!index || !appendDigits(dim, *index, width, access)) {
      access.dims.truncate(before);
      appendAll(dim, width, access);
    }
  }
  return access;
}

/// What an access may touch of which nothing is known but its view.
static FootprintAccess accessOf(ViewType type) {
  int64_t width = tile::storageBits(type.getElementType()) / 8;
  FootprintAccess access{type.getView().offset() * width, width, {}};
  for (const layout::ViewDim &dim : type.getView().dims())
    appendAll(dim, width, access);
  return access;
}

static ArrayRef<int64_t> tileOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static Footprint footprintOf(BlockArgument root, KernelOp kernel) {
  Footprint footprint;
  SmallVector<Value> worklist = {root};
  while (!worklist.empty()) {
    Value view = worklist.pop_back_val();
    auto type = cast<ViewType>(view.getType());
    for (Operation *user : view.getUsers()) {
      if (auto other = dyn_cast<ViewOp>(user)) {
        worklist.push_back(other.getResult());
      } else if (auto load = dyn_cast<LoadOp>(user)) {
        footprint.accesses.push_back(accessOf(type, load.getIndices(), tileOf(load.getResult()), kernel));
      } else if (auto store = dyn_cast<StoreOp>(user)) {
        footprint.accesses.push_back(accessOf(type, store.getIndices(), tileOf(store.getValue()), kernel));
      } else if (auto gather = dyn_cast<GatherOp>(user)) {
        FootprintAccess access = accessOf(type, gather.getIndices(), tileOf(gather.getResult()), kernel);
        int64_t bytes = gather.getStride() * access.width, reach = bytes * ((int64_t)gather.getExtent() - 1);
        access.dims.push_back({0,
                               std::min<int64_t>(reach, 0),
                               std::max<int64_t>(reach, 0),
                               {{bytes, (int64_t)gather.getExtent(), 0}}});
        footprint.accesses.push_back(access);
      } else {
        footprint.accesses.push_back(accessOf(type));
      }
    }
  }
  return footprint;
}

namespace {
struct NoteFootprints : tile::impl::TileNoteFootprintsBase<NoteFootprints> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ArrayRef<int64_t> grid = kernel.getGrid();
    // Blocks that take tickets are told apart by no number.
    if (grid[1] * grid[2] != 1 ||
        kernel.walk([](TakeTicketOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    for (auto [i, argument] : llvm::enumerate(kernel.getBody().getArguments()))
      kernel.setArgAttr((unsigned)i, ptx::PtxDialect::getFootprintAttrName(),
                        footprintOf(argument, kernel).encode(&getContext()));
  }
};
} // namespace
