// The register estimate walks a kernel's ops in the order in which the tile stage evaluates them (from each
// result to its operands) and keeps the set of live values; a value that is spread along a dimension of the
// tile that it does not depend on holds nothing there.

#include "Tilewright/Analysis/TileBudget.h"

#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Layout/GlobalAccess.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Elements that a block of a kernel without product takes, and rows and columns of a product's tile.
static constexpr int64_t kTypicalElems = 2048, kTypicalProduct = 64;
/// Elements of a tile that holds whole all dimensions which a kernel's reductions run over, where these are
/// different ones; and how many elements of a contiguous dimension that none of them runs over it takes: a
/// sector of memory. (Of 42 programs measured on an H200 those of at most 4096 gain, larger ones lose.)
static constexpr int64_t kMixedWidth = 8;
/// Registers of a multiprocessor, which all warps of a block share, and what a thread needs beside tiles.
static constexpr int64_t kRegisterFile = 64 * 1024, kOtherRegisters = 16;

int64_t tilewright::tileRegisters(int64_t warps) {
  return std::min(kTileRegisters, kRegisterFile / (32 * warps) - kOtherRegisters);
}

bool TilePressure::fits(int64_t elems, int64_t warps) const {
  return registers(llvm::divideCeil(elems, 32 * warps)) <= tileRegisters(warps);
}

SmallVector<bool> tilewright::supportOf(const StridedView &view) {
  SmallVector<bool> depends;
  for (const layout::ViewDim &dim : view.dims())
    depends.push_back(llvm::any_of(dim.modes, [](const layout::Mode &m) { return m.stride != 0; }) ||
                      !dim.isTotal());
  return depends;
}

int64_t tilewright::neededElements(const KernelIndexing &indexing, Operation *op) {
  int64_t elements = 1;
  for (auto [depends, extent] : llvm::zip(supportOf(indexing.views.find(op)->second), indexing.domain))
    elements *= depends ? extent : 1;
  return std::min(elements, cast<RankedTensorType>(op->getResult(0).getType()).getNumElements());
}

bool tilewright::isRowLevel(const KernelIndexing &indexing, const StridedView &view) {
  for (auto [depends, reduced] : llvm::zip(supportOf(view), indexing.reduced))
    if (depends && reduced)
      return false;
  return true;
}

int tilewright::reductionLevel(const KernelIndexing &indexing, Operation *op) {
  // Ops are visited in any order, so results are kept for the whole kernel.
  DenseMap<Operation *, int> levels;
  std::function<int(Operation *)> visit = [&](Operation *op) {
    if (!indexing.contains(op))
      return 0;
    if (auto it = levels.find(op); it != levels.end())
      return it->second;
    int level = 0;
    for (const OperandAccess &access : indexing.accesses.find(op)->second)
      level = std::max(level, visit(access.root.getDefiningOp()));
    if (!indexing.rowReduction(op) && !(indexing.isChain() && op == indexing.anchorOp))
      return levels[op] = level;
    // What is relative to another reduction runs beside it, when nothing else keeps it back.
    if (std::optional<RelativeElements> relative = relativeElements(indexing, op)) {
      int reference = visit(relative->reference);
      if (visit(indexing.accesses.find(relative->difference)->second[0].root.getDefiningOp()) < reference)
        return levels[op] = reference;
    }
    return levels[op] = level + 1;
  };
  return visit(op);
}

std::optional<RelativeElements> tilewright::relativeElements(const KernelIndexing &indexing, Operation *op) {
  bool isProduct = indexing.isChain() && op == indexing.anchorOp;
  auto reduce = isProduct ? cast<graph::ReductionOpInterface>(op) : graph::asReduction(op);
  Value reference = reduce ? reduce.getReference() : Value();
  if (!reference || !indexing.contains(reference.getDefiningOp()))
    return std::nullopt;
  RelativeElements result{reference.getDefiningOp(), op->getOperand(0).getDefiningOp(), nullptr};
  // A product's terms are rounded.
  if (isProduct && isa_and_present<arith::TruncFOp>(result.function))
    result.function = result.function->getOperand(0).getDefiningOp();
  if (!indexing.contains(result.function))
    return std::nullopt;
  result.difference = result.function->getOperand(0).getDefiningOp();
  // States that are the results: no narrow type lies between the two reductions.
  auto keepsType = [](Operation *reduction) {
    return graph::asReduction(reduction).getStateTypes().front() ==
           getElementTypeOrSelf(reduction->getResult(0).getType());
  };
  if (!indexing.contains(result.difference) || (!isProduct && !keepsType(op)) || !keepsType(result.reference))
    return std::nullopt;
  return result;
}

SmallVector<int64_t> tilewright::typicalTile(const KernelIndexing &indexing) {
  int rank = indexing.domain.size();
  SmallVector<int64_t> tile(rank, 1);
  if (indexing.isChain()) {
    for (size_t d : {indexing.chainRows(), indexing.chainTerms()})
      tile[d] = std::min(indexing.domain[d], kTypicalProduct);
    tile[indexing.chainColumns()] = indexing.domain[indexing.chainColumns()];
    return tile;
  }
  if (indexing.anchor == graph::Anchor::Matmul) {
    for (int d = std::max(0, rank - 2); d < rank; ++d)
      tile[d] = std::min(indexing.domain[d], kTypicalProduct);
    return tile;
  }
  int64_t left = kTypicalElems;
  auto take = [&](bool whole, function_ref<bool(int)> takes) {
    for (int d = rank - 1; d >= 0; --d)
      if (takes(d)) {
        tile[d] = whole ? indexing.domain[d] : std::min(indexing.domain[d], left);
        left = std::max<int64_t>(1, left / std::max<int64_t>(tile[d], 1));
      }
  };
  take(/*whole=*/true, [&](int d) { return indexing.isHeld(d); });
  take(/*whole=*/true, [&](int d) { return indexing.reduced[d]; });
  take(/*whole=*/false, [&](int d) { return !indexing.reduced[d] && !indexing.isHeld(d); });
  return tile;
}

namespace {

/// Live values at each step of a kernel's evaluation.
struct LiveRanges {
  const KernelIndexing &indexing;
  SmallVector<int64_t> tile = typicalTile(indexing);
  /// Ops, and null for the storing of a result, in the order of evaluation, with what they read.
  struct Step {
    Operation *op;
    SmallVector<Value> reads;
  };
  std::vector<Step> steps = {};
  /// First and last step of a value, in the order of first steps.
  llvm::MapVector<Value, std::pair<int, int>> ranges = {};
  DenseMap<Value, int64_t> registers = DenseMap<Value, int64_t>();
  llvm::SmallPtrSet<Operation *, 16> done = {};

  /// Registers of one element of `value`; none when the tile is spread from fewer elements.
  int64_t registersOf(Value value, const StridedView &view) {
    SmallVector<bool> depends = supportOf(view);
    for (size_t d = 0; d < tile.size(); ++d)
      if (tile[d] > 1 && !depends[d])
        return 0;
    Type element = getElementTypeOrSelf(value.getType());
    return element.isIndex() ? 2 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 32u);
  }
  /// The elements of `op` for each of the domain: what short rows are reduced to is many.
  double shareOf(Operation *op) {
    double share = 1;
    SmallVector<bool> depends = supportOf(indexing.views.find(op)->second);
    for (size_t d = 0; d < tile.size(); ++d)
      share /= depends[d] ? 1 : (double)std::max<int64_t>(tile[d], 1);
    return share;
  }
  void read(Step &step, Value value, const StridedView &view) {
    step.reads.push_back(value);
    registers.try_emplace(value, registersOf(value, view));
  }
  void evaluate(Operation *op) {
    if (!done.insert(op).second)
      return;
    Step step{op, {}};
    for (const OperandAccess &access : indexing.accesses.find(op)->second) {
      bool isMatrix = isa<graph::MatmulOp>(op) && !indexing.contains(access.root.getDefiningOp());
      if (isSplatConstant(access.root) || isMatrix)
        continue;
      if (indexing.contains(access.root.getDefiningOp()))
        evaluate(access.root.getDefiningOp());
      read(step, access.root, access.view);
    }
    steps.push_back(step);
  }
  void measure() {
    for (auto [i, step] : llvm::enumerate(steps)) {
      for (Value value : step.reads)
        ranges.insert({value, {(int)i, (int)i}}).first->second.second = (int)i;
      if (step.op)
        ranges.insert({step.op->getResult(0), {(int)i, (int)i}});
    }
  }
};

} // namespace

TilePressure tilewright::tilePressure(const KernelIndexing &indexing, ArrayRef<Operation *> ops,
                                      ArrayRef<Value> outputs) {
  LiveRanges live{indexing};
  for (Value output : outputs)
    if (Operation *op = output.getDefiningOp(); indexing.contains(op)) {
      live.evaluate(op);
      LiveRanges::Step store{nullptr, {}};
      live.read(store, output, indexing.views.find(op)->second);
      live.steps.push_back(store);
    }
  live.measure();
  TilePressure pressure;
  double ofRows = 0;
  for (auto [i, step] : llvm::enumerate(live.steps)) {
    int64_t after = 0, across = 0;
    for (auto &[value, range] : live.ranges) {
      int64_t registers = live.registers.lookup(value);
      after += range.first <= (int)i && range.second > (int)i ? registers : 0;
      across += range.first < (int)i && range.second > (int)i ? registers : 0;
    }
    pressure.peak = std::max(pressure.peak, after);
    if (step.op && live.registers.lookup(step.op->getResult(0)))
      pressure.instructions += instructionsOf(step.op);
    else if (step.op && indexing.views.contains(step.op))
      ofRows += (double)instructionsOf(step.op) * live.shareOf(step.op);
    // A reduction waits for the whole tile; the tiles of products are complete when their loop ends.
    if (step.op && !isa<graph::MatmulOp>(step.op) && isa<graph::ReductionOpInterface, graph::SortOp>(step.op))
      pressure.whole = std::max(pressure.whole, across);
    if (step.op && isa<graph::MatmulOp>(step.op))
      pressure.whole = std::max<int64_t>(pressure.whole, (int64_t)indexing.products.size());
  }
  pressure.ofRows = (int64_t)ofRows;
  pressure.instructions += pressure.ofRows;
  return pressure;
}

int64_t tilewright::instructionsOf(Operation *op) {
  // As counted in the PTX of kernels of one op, without loads, stores and addresses.
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<graph::SortOp>([](auto) { return 400; })
      .Case<math::PowFOp>([](auto) { return 130; })
      .Case<math::SinOp, math::CosOp>([](auto) { return 86; })
      .Case<graph::GeluOp>([](graph::GeluOp gelu) {
        return gelu.getForm() == graph::GeluForm::Erf ? int64_t(42) : int64_t(24);
      })
      .Case<math::LogOp, math::Log1pOp, math::Log2Op>([](auto) { return 28; })
      .Case<math::ErfOp>([](auto) { return 24; })
      .Case<math::TanhOp>([](auto) { return 16; })
      .Case<graph::ScanOp>([](auto) { return 14; })
      .Case<graph::ArgReduceOp>([](auto) { return 10; })
      .Case<math::ExpOp>([](math::ExpOp exp) {
        // A power of two with a product before it.
        return exp.getFastmath() == arith::FastMathFlags::none ? 9 : 6;
      })
      .Case<math::ExpM1Op>([](auto) { return 9; })
      .Case<math::Exp2Op, math::SqrtOp, math::RsqrtOp, arith::DivFOp>([](auto) { return 6; })
      .Default([](auto) { return 1; });
}

int64_t tilewright::rowElems(const TilePressure &pressure) {
  int64_t elems = kRowElems;
  auto fits = [&] {
    return llvm::any_of(ArrayRef<int64_t>{32, 16, 8},
                        [&](int64_t warps) { return pressure.fits(elems, warps); });
  };
  while (elems > 32 && !fits())
    elems /= 2;
  return elems;
}

int64_t tilewright::wholeExtent(int64_t extent) {
  int64_t rounded = (int64_t)llvm::PowerOf2Ceil((uint64_t)extent);
  return extent <= 32 ? rounded : (int64_t)llvm::alignTo(extent, std::max<int64_t>(rounded / 16, 32));
}

int64_t tilewright::mixedElems(const KernelIndexing &indexing) {
  int64_t elems = 1;
  bool fastest = true;
  for (int d = (int)indexing.domain.size() - 1; d >= 0; --d) {
    int64_t extent = indexing.domain[d];
    if (extent == 1)
      continue;
    if (indexing.reduced[d])
      elems *= wholeExtent(extent);
    else if (fastest)
      elems *= std::min(extent, kMixedWidth);
    fastest = false;
    if (elems > kMostMixedElems)
      break;
  }
  return elems;
}

/// Whether one tile holds all that the reductions over different dimensions run over.
static bool holdsWhole(const KernelIndexing &indexing, const TilePressure &pressure) {
  int64_t elems = mixedElems(indexing);
  return elems <= kMostMixedElems && llvm::any_of(ArrayRef<int64_t>{32, 16, 8},
                                                  [&](int64_t warps) { return pressure.fits(elems, warps); });
}

/// Whether elements are gone over again when their rows have been reduced.
static bool comesBack(const KernelIndexing &indexing, ArrayRef<Operation *> ops) {
  return llvm::any_of(ops, [&](Operation *op) {
    bool isOfElements = indexing.rowReduction(op) || !isRowLevel(indexing, indexing.views.find(op)->second);
    return isOfElements && passOf(indexing, op) > 1;
  });
}

TilePressure tilewright::planPasses(KernelIndexing &indexing, ArrayRef<Operation *> ops,
                                    ArrayRef<Value> outputs) {
  TilePressure pressure = tilePressure(indexing, ops, outputs);
  if (!indexing.isMixed || indexing.isLooped())
    return pressure;
  bool isWhole = holdsWhole(indexing, pressure);
  if (isWhole && mixedElems(indexing) <= kFewMixedElems)
    return pressure;
  // Rather than in a large tile, columns that stay in shared memory are gone over in steps.
  KernelIndexing looped = indexing;
  if (!looped.loopOverLongest() || (isWhole && !(comesBack(looped, ops) && keptRows(looped, ops))))
    return pressure;
  indexing = std::move(looped);
  return tilePressure(indexing, ops, outputs);
}

bool tilewright::takesOnePass(const KernelIndexing &indexing, const TilePressure &pressure) {
  if (indexing.isChain())
    return true;
  if (indexing.isMixed)
    return !indexing.isLooped() && holdsWhole(indexing, pressure);
  int64_t row = 1, width = 1;
  bool reducesFastest = false, seen = false;
  for (int d = (int)indexing.domain.size() - 1; d >= 0; --d) {
    if (indexing.domain[d] == 1)
      continue;
    if (!seen) {
      reducesFastest = indexing.reduced[d];
      width = std::min(indexing.domain[d], kColumnWidth);
    }
    seen = true;
    row *= indexing.reduced[d] ? indexing.domain[d] : 1;
  }
  return row == 1 || (reducesFastest ? row <= rowElems(pressure) : row * width <= kColumnTileElems);
}

int64_t tilewright::passOf(const KernelIndexing &indexing, Operation *op) {
  int64_t level = reductionLevel(indexing, op);
  return indexing.rowReduction(op) ? std::max<int64_t>(level, 1) : level + 1;
}

int64_t tilewright::keepingBlocks(int64_t bytes) {
  return (int64_t)llvm::PowerOf2Ceil((uint64_t)llvm::divideCeil(bytes, kKeptBlockBytes));
}

std::optional<KeptRows> tilewright::keptRows(const KernelIndexing &indexing, ArrayRef<Operation *> ops) {
  auto isOrdered = [&](Operation *op) {
    return isa<graph::ScanOp, graph::SortOp>(op) && !indexing.isWithinSteps(op);
  };
  if ((indexing.isMixed && !indexing.isLooped()) || indexing.anchor != graph::Anchor::Reduction ||
      llvm::any_of(ops, isOrdered))
    return std::nullopt;
  int last = (int)indexing.domain.size() - 1, row = -1;
  while (last > 0 && indexing.domain[last] == 1)
    --last;
  for (int d = 0; d <= last; ++d)
    if (indexing.reduced[d] && indexing.domain[d] != 1) {
      if (row >= 0 && !indexing.reduced[last])
        return std::nullopt;
      row = d;
    }
  if (row < 0)
    return std::nullopt;
  // What all rows share stays in the caches, and so does what columns side by side share, which is little.
  bool oneRow = true;
  for (auto [size, reduced] : llvm::zip(indexing.domain, indexing.reduced))
    oneRow &= reduced || size == 1;
  auto isOwn = [&](ArrayRef<bool> depends) {
    bool own = oneRow;
    for (size_t d = 0; d < depends.size(); ++d)
      own |= depends[d] && !indexing.reduced[d] && indexing.domain[d] != 1;
    return own && depends[row] && (indexing.reduced[last] || depends[last]);
  };
  // Bytes of one element of all that is loaded row by row, each view of a tensor for itself; and those side
  // by side in memory.
  SmallVector<std::pair<Value, StridedView>> seen;
  int64_t bytes = 0, widest = 1, extent = 1;
  bool isAcross = false, isApart = false;
  for (Operation *op : ops)
    for (auto [place, access] : llvm::enumerate(indexing.accesses.find(op)->second)) {
      bool isSelected = isa<graph::GatherOp>(op) && place > 0;
      if (isSelected || indexing.contains(access.root.getDefiningOp()) || isSplatConstant(access.root) ||
          llvm::is_contained(seen, std::pair(access.root, access.view)) || !isOwn(supportOf(access.view)))
        continue;
      seen.push_back({access.root, access.view});
      int64_t each =
          std::max<int64_t>(1, getElementTypeOrSelf(access.root.getType()).getIntOrFloatBitWidth() / 8);
      bytes += each;
      widest = std::max(widest, each);
      const layout::ViewDim &along = access.view.dim(last);
      isAcross |= along.step != 1 || along.modes.empty() || along.modes.back().stride != 1;
      isApart |= llvm::any_of(access.view.dim(row).modes, [&](const layout::Mode &mode) {
        return mode.stride * each % layout::kSectorBytes != 0;
      });
    }
  if (bytes == 0)
    return std::nullopt;
  for (auto [size, reduced] : llvm::zip(indexing.domain, indexing.reduced))
    extent *= reduced ? size : 1;
  if (indexing.reduced[last])
    return extent * bytes <= kKeptRowBytes ? std::optional(KeptRows()) : std::nullopt;
  int64_t columns = std::max<int64_t>(1, kLeastKeptRun / widest);
  for (int d = 0; d <= last; ++d)
    if (indexing.isHeld(d))
      columns = d == last ? std::max(columns, indexing.domain[d]) : columns * indexing.domain[d];
  int64_t all = extent * bytes * columns;
  // Of what lies across tiles are square, and have more columns for each row side by side.
  int64_t most = isAcross ? kSharedColumnBytes / 2 : isApart ? kSharedColumnBytes : kKeptRowBytes;
  return all <= most ? std::optional(KeptRows{columns, keepingBlocks(all)}) : std::nullopt;
}

double tilewright::lookupCycles(int64_t rowBytes, int64_t places, double rowsAtATime) {
  constexpr double lineBytes = 128, cacheBytes = 160 * 1024, cyclesOfSector = 1.74;
  // Of so many lines each element is in any.
  double lines = std::max(1.0, (double)rowBytes / lineBytes),
         lanes = (double)std::clamp<int64_t>(places, 1, 32);
  double touched = lines * (1 - std::pow(1 - 1 / lines, lanes)) / lanes;
  double missing = std::max(0.0, 1 - cacheBytes / std::max(1.0, rowsAtATime * (double)rowBytes));
  return std::max(touched, missing * cyclesOfSector);
}
