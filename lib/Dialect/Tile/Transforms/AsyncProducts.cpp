// tile-async-products: products of warpgroups read rings in shared memory and are started and awaited apart
// from one another. What fills a ring (acquire, copies, commit) and what reads it (wait, products, release)
// stand one after the other here; tile-specialise-roles parts them.

#include "ConvertedOperands.h"
#include "Loops.h"
#include "NumberSteps.h"
#include "SlotCopies.h"

#include "Tilewright/Dialect/Tile/IR/Warpgroups.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Layout/AsyncAccess.h"
#include "Tilewright/Remarks/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::SharedLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEASYNCPRODUCTS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Bytes of K that one instruction takes.
static constexpr int64_t kStepBytes = 32;
/// Elements of K of a part of a step whose left operand is computed in registers.
static constexpr int64_t kPartElems = 32;

namespace {

/// What a product reads from a ring: a load's tile, or one that is converted from it.
struct Source {
  /// The operand without conversions of layout.
  Value value;
  LoadOp load;
  /// The dimension along which the instruction takes K.
  int kDim = 0;
  /// A role of warps converts it: values change, or the contiguous dimension does.
  bool converts = false;
  /// The warps that multiply bring it to registers, and convert it there.
  bool inRegisters = false;
  /// The instruction reads fp32 as tf32, which it would cut off.
  bool tf32 = false;
  Value buffer;
};

/// Loads that fill the slots of one ring together: those of one block that products combine.
struct Feed {
  SmallVector<LoadOp> loads;
  SmallVector<DotOp> dots;
  Block *block = nullptr;
  int64_t stages = 1;
  SmallVector<Source> sources;
  Value ring, slot, stage;
  /// The ring from which converted sources come, and a buffer of it for each load that has such.
  Value rawRing;
  llvm::MapVector<Operation *, Value> raw;

  /// The products stand beside the loads, not in loops inside.
  bool isInner() const {
    return llvm::all_of(dots, [&](DotOp dot) { return dot->getBlock() == block; });
  }
};

/// All warpgroup products of a kernel.
struct AsyncProducts {
  KernelOp kernel;
  ScheduleAttr schedule;
  SmallVector<DotOp> dots;
  std::vector<Feed> feeds;
  /// The op behind which all products of a loop have ended.
  DenseMap<Operation *, Operation *> ended;

  LogicalResult run();
  LogicalResult gather();
  LogicalResult gatherSources(Feed &feed);
  LogicalResult buildRing(Feed &feed);
  LogicalResult buildRawRing(Feed &feed);
  LogicalResult fill(Feed &feed);
  void convert(OpBuilder &builder, Feed &feed);
  FailureOr<Value> slotNumber(Operation *at);
  bool runsOn(scf::ForOp loop) const;
  void pipeline(scf::ForOp loop);
  void finishAtOnce(ArrayRef<DotOp> chain);
  void releaseOuter(Feed &feed);
  Value start(OpBuilder &builder, DotOp dot, Value pending, Value accumulate, int64_t first = 0);
  std::pair<Value, Value> operand(DotOp dot, unsigned index);
  int64_t partsOf(ArrayRef<DotOp> products);
  void bringFragments(OpBuilder &builder, ArrayRef<DotOp> products, int64_t part = 0, int64_t parts = 1);
  bool readsRegisters(ArrayRef<DotOp> products);
  ReleaseOp release(OpBuilder &builder, Location loc, Feed &feed, Value slot);
  /// Left operands that the products being started read from registers, and what they are computed from.
  DenseMap<Value, Value> fragments;
  DenseMap<Operation *, Value> loaded;
};

} // namespace

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!dense || !dense.isSplat())
    return false;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().isPosZero();
  return isa<IntegerType>(dense.getElementType()) && dense.getSplatValue<APInt>().isZero();
}

//===-- Rings ---------------------------------------------------------------------------------------===//

/// Dimensions with `fastest`, one of the last two, in front.
static std::vector<int> orderFrom(int fastest, int rank) {
  std::vector<int> order = {fastest, fastest == rank - 1 ? rank - 2 : rank - 1};
  for (int d = rank - 3; d >= 0; --d)
    order.push_back(d);
  return order;
}

LogicalResult AsyncProducts::gather() {
  kernel.walk([&](DotOp dot) {
    if (productUnit(dot) == ProductUnit::Wgmma)
      dots.push_back(dot);
  });
  // Loads of one block that a product combines belong together, and so do products that share a load.
  llvm::MapVector<Operation *, int> feedOf;
  for (DotOp dot : dots) {
    LoadOp lhs = convertedLoad(dot.getLhs()), rhs = convertedLoad(dot.getRhs());
    if (!rhs)
      return dot.emitOpError()
             << "of a warpgroup reads its right operand from shared memory, and this one is "
                "computed, not loaded";
    int64_t bytes = storageBits(getElementTypeOrSelf(dot.getLhs().getType())) / 8;
    if (int64_t k = shapeOf(dot.getLhs()).back(); k * bytes % kStepBytes != 0)
      return dot.emitOpError() << "of a warpgroup takes K in steps of " << kStepBytes / bytes
                               << " elements, the tile has " << k;
    for (LoadOp load : {lhs, rhs}) {
      if (!load)
        continue;
      if (load.getFill())
        return load.emitOpError() << "fills what is out of bounds, and feeds a warpgroup's product, which "
                                     "reads zeros there";
      int other = -1;
      if (load == rhs && lhs && lhs->getBlock() == rhs->getBlock())
        other = feedOf.lookup(lhs);
      auto [it, isNew] = feedOf.try_emplace(load, other >= 0 ? other : (int)feeds.size());
      if (!isNew && other >= 0 && it->second != other) {
        // Two groups that this product joins.
        int gone = it->second;
        for (auto &[op, feed] : feedOf)
          feed = feed == gone ? other : feed;
      } else if (isNew && other < 0) {
        feeds.emplace_back();
      }
    }
  }
  for (auto &[op, index] : feedOf) {
    Feed &feed = feeds[index];
    feed.loads.push_back(cast<LoadOp>(op));
    feed.block = op->getBlock();
    for (DotOp dot : dots)
      if ((convertedLoad(dot.getLhs()) == op || convertedLoad(dot.getRhs()) == op) &&
          !llvm::is_contained(feed.dots, dot))
        feed.dots.push_back(dot);
  }
  llvm::erase_if(feeds, [](const Feed &feed) { return feed.loads.empty(); });
  for (Feed &feed : feeds)
    llvm::sort(feed.loads, [](LoadOp a, LoadOp b) { return a->isBeforeInBlock(b); });
  return success();
}

/// What the feed's products read, and whether it must be converted on its way.
LogicalResult AsyncProducts::gatherSources(Feed &feed) {
  for (DotOp dot : feed.dots)
    for (unsigned i : {0u, 1u}) {
      Value value = withoutLayoutConversions(dot->getOperand(i));
      LoadOp load = convertedLoad(value);
      if (!load || !llvm::is_contained(feed.loads, load))
        continue;
      int rank = (int)shapeOf(value).size(), kDim = i == 0 ? rank - 1 : rank - 2;
      auto known = llvm::find_if(feed.sources, [&](const Source &source) { return source.value == value; });
      bool inRegisters = i == 0 && schedule.getOptions().left == LeftOperand::Registers;
      if (known != feed.sources.end()) {
        if (known->kDim != kDim || known->inRegisters != inRegisters)
          return dot.emitOpError("reads a tile along both dimensions that another product reads along one");
        continue;
      }
      bool alongK = fastestOf(load) == kDim,
           isWide = storageBits(getElementTypeOrSelf(value.getType())) == 16;
      bool converts = !inRegisters && (value != load.getResult() || (!alongK && !isWide));
      // What is in registers is rounded there.
      feed.sources.push_back(
          {value, load, kDim, converts, inRegisters, dot.getTf32() && !inRegisters, Value()});
    }
  return success();
}

LogicalResult AsyncProducts::buildRing(Feed &feed) {
  if (failed(gatherSources(feed)))
    return failure();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = feed.dots.front().getLoc();
  // Instances that load or convert take slots in turn: with a slot for each none of them sees the phase of
  // another use.
  bool converts = llvm::any_of(feed.sources, [](const Source &source) { return source.converts; });
  int64_t instances =
      std::max(schedule.getOptions().loaders, converts ? converterInstances(schedule.getOptions()) : 1);
  feed.stages = feed.isInner() ? schedule.getStages() : instances;
  int64_t bytes = 0;
  SmallVector<Value> buffers;
  for (Source &source : feed.sources) {
    // Several values in registers come from one load's tile as it lies in memory.
    auto same = llvm::find_if(feed.sources, [&](const Source &other) {
      return source.inRegisters && other.inRegisters && other.load == source.load && other.buffer;
    });
    if (same != feed.sources.end()) {
      source.buffer = same->buffer;
      continue;
    }
    ArrayRef<int64_t> shape = shapeOf(source.value);
    Type element = source.inRegisters ? cast<ViewType>(source.load.getView().getType()).getElementType()
                                      : getElementTypeOrSelf(source.value.getType());
    int rank = (int)shape.size(), bits = (int)storageBits(element);
    // The accelerator does not transpose: the contiguous dimension of memory is that of shared memory.
    int fastest = source.converts ? source.kDim : fastestOf(source.load);
    auto shared = SharedLayout::tma({shape.begin(), shape.end()}, bits, orderFrom(fastest, rank));
    if (!shared)
      return source.load.emitOpError()
             << "has rows of " << shape[fastest] * bits / 8
             << " bytes, which are no multiple of 16: no warpgroup's product reads them";
    auto type = SharedType::get(kernel.getContext(), feed.stages, element, *shared);
    // Columns of a right operand across K come in whole spans, which boxes bring with what lies beside them.
    if (fastest == rank - 1 && source.kDim == rank - 2) {
      layout::Shape whole(shape.begin(), shape.end());
      whole.back() = layout::slotColumns(whole.back(), bits);
      auto spans = SharedType::get(kernel.getContext(), feed.stages, element,
                                   *SharedLayout::tma(whole, bits, orderFrom(fastest, rank)));
      std::string refusal;
      if (slotCopyUnit(source.load, spans, schedule.getOptions().copy, refusal) == CopyUnit::Bulk)
        type = spans;
    }
    source.buffer = AllocOp::create(builder, source.load.getLoc(), type, IntegerAttr());
    buffers.push_back(source.buffer);
    bytes += type.getStages() * type.getStageBytes();
  }
  feed.ring = RingOp::create(builder, loc, RingType::get(kernel.getContext(), feed.stages), buffers,
                             IntegerAttr(), builder.getI64IntegerAttr(schedule.getWarps() / 4));
  emitRemark(feed.dots.front(), Remark::RingStages, feed.stages - 1, feed.stages, bytes);
  return buildRawRing(feed);
}

/// The ring that brings what is converted, as it lies in memory.
LogicalResult AsyncProducts::buildRawRing(Feed &feed) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = feed.dots.front().getLoc();
  const ScheduleOptions &options = schedule.getOptions();
  if (options.copy == CopyUnit::Plain || options.roles == Roles::None)
    return success();
  int64_t stages = options.rawStages;
  SmallVector<Value> buffers;
  for (Source &source : feed.sources) {
    if (!source.converts || feed.raw.contains(source.load))
      continue;
    auto view = cast<ViewType>(source.load.getView().getType());
    ArrayRef<int64_t> shape = shapeOf(source.load.getResult());
    int bits = (int)storageBits(view.getElementType());
    auto shared = SharedLayout::tma({shape.begin(), shape.end()}, bits,
                                    orderFrom(fastestOf(source.load), (int)shape.size()));
    // What the accelerator cannot read is loaded by threads.
    if (!shared || !layout::tensorBoxes(*shared, view.getView(), source.load.getDivisors().vec(), bits))
      continue;
    auto type = SharedType::get(kernel.getContext(), stages, view.getElementType(), *shared);
    Value buffer = AllocOp::create(builder, source.load.getLoc(), type, IntegerAttr());
    feed.raw[source.load] = buffer;
    buffers.push_back(buffer);
  }
  if (!buffers.empty() && !options.loadersDivideRawStages())
    return feed.dots.front().emitOpError()
           << "has " << options.loaders << " loaders that take slots in turn of a ring of " << stages
           << " raw_stages, which must be a multiple";
  if (!buffers.empty())
    feed.rawRing = RingOp::create(builder, loc, RingType::get(kernel.getContext(), stages), buffers,
                                  IntegerAttr(), builder.getI64IntegerAttr(kConverterWarps / 4));
  return success();
}

/// How often the block of `at` has been entered before: its loops' iterations, counted through.
FailureOr<Value> AsyncProducts::slotNumber(Operation *at) {
  SmallVector<scf::ForOp> loops;
  for (Operation *op = at->getParentOp(); op != kernel; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return at->emitOpError() << "feeds a warpgroup's product from inside " << op->getName();
    loops.push_back(loop);
    if (loop->hasAttr(kNumberedAttrName))
      break; // whatever is around it
  }
  Location loc = at->getLoc();
  OpBuilder builder(kernel.getContext());
  Value number;
  for (scf::ForOp loop : llvm::reverse(loops)) {
    if (loop->hasAttr(kNumberedAttrName)) {
      number = loop.getInductionVar();
      continue;
    }
    if (number) {
      std::optional<int64_t> trips = tripCount(loop);
      if (!trips)
        return loop.emitOpError() << "around the loads of a warpgroup's product needs a constant number of "
                                     "iterations";
      number = arith::MulIOp::create(builder, loc, number, indexConstant(builder, loc, *trips));
    }
    builder.setInsertionPointToStart(loop.getBody());
    Value iteration = loop.getInductionVar();
    if (getConstantIntValue(loop.getLowerBound()) != 0)
      iteration = arith::SubIOp::create(builder, loc, iteration, loop.getLowerBound());
    if (getConstantIntValue(loop.getStep()) != 1)
      iteration = arith::DivUIOp::create(builder, loc, iteration, loop.getStep());
    number = number ? arith::AddIOp::create(builder, loc, number, iteration).getResult() : iteration;
  }
  builder.setInsertionPoint(at);
  return number ? number : indexConstant(builder, loc, 0);
}

/// Numbers as the instruction shall read them, which would cut them off.
static Value roundToTf32(OpBuilder &builder, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  Value rounded = arith::TruncFOp::create(
      builder, tile.getLoc(),
      RankedTensorType::get(type.getShape(), builder.getTF32Type(), type.getEncoding()), tile);
  return arith::ExtFOp::create(builder, tile.getLoc(), type, rounded);
}

/// How the warps that convert hold what they read from `raw` and write to `to`.
static LayoutAttr rawLayout(Value raw, SharedType to, int64_t warps) {
  auto from = cast<SharedType>(raw.getType());
  return LayoutAttr::get(raw.getContext(),
                         conversionLayout(from.getLayout(), (int)storageBits(from.getElementType()),
                                          to.getLayout(), (int)storageBits(to.getElementType()), warps));
}

/// The tiles that threads bring to the slot: from the raw ring, or from memory.
void AsyncProducts::convert(OpBuilder &builder, Feed &feed) {
  int64_t loaders = schedule.getOptions().roles == Roles::None ? schedule.getWarps() : kProducerWarps;
  Value rawStage;
  if (feed.rawRing) {
    Location loc = feed.rawRing.getLoc();
    rawStage = StageOfOp::create(builder, loc, builder.getIndexType(), feed.rawRing, feed.slot);
    WaitOp::create(builder, loc, feed.rawRing, feed.slot);
  }
  // One load after the other, so that a thread holds the elements of one alone.
  llvm::SetVector<Operation *> loads;
  for (Source &source : feed.sources)
    if (source.converts)
      loads.insert(source.load);
  for (Operation *op : loads) {
    auto load = cast<LoadOp>(op);
    Location loc = load.getLoc();
    auto view = cast<ViewType>(load.getView().getType());
    auto isOf = [&](const Source &source) { return source.converts && source.load == load; };
    auto to = cast<SharedType>(llvm::find_if(feed.sources, isOf)->buffer.getType());
    Value raw = feed.raw.lookup(load);
    Value loaded =
        raw ? LoadSharedOp::create(builder, loc,
                                   RankedTensorType::get(shapeOf(load.getResult()), view.getElementType(),
                                                         rawLayout(raw, to, kConverterWarps)),
                                   raw, rawStage, ValueRange())
                  .getResult()
            : loadByThreads(builder, load, loaders);
    if (feed.rawRing && op == loads.back())
      ReleaseOp::create(builder, loc, feed.rawRing, feed.slot);
    for (Source &source : feed.sources) {
      if (!isOf(source))
        continue;
      Value tile = convertFrom(builder, source.value, load, loaded);
      if (source.tf32 && source.value == load.getResult())
        tile = roundToTf32(builder, tile);
      StoreSharedOp::create(builder, loc, tile, source.buffer, feed.stage);
    }
  }
}

/// The copies of a slot, behind its acquire and before its commit; then the reader's wait.
LogicalResult AsyncProducts::fill(Feed &feed) {
  LoadOp first = feed.loads.front();
  FailureOr<Value> slot = slotNumber(first);
  if (failed(slot))
    return failure();
  // Behind the indices of all loads.
  OpBuilder builder(feed.loads.back());
  Location loc = first.getLoc();
  feed.slot = *slot;
  feed.stage = StageOfOp::create(builder, loc, builder.getIndexType(), feed.ring, feed.slot);
  const ScheduleOptions &options = schedule.getOptions();
  int64_t warps = options.roles == Roles::None ? schedule.getWarps() : kProducerWarps;
  bool converts = false, async = false;
  auto copyBulk = [&](LoadOp load, Value buffer, Value stage, Value ring) {
    CopyBulkOp::create(builder, load.getLoc(), load.getView(), load.getIndices(), buffer, stage, ring,
                       feed.slot, load.getDivisors(), load.getInBounds());
  };
  if (feed.rawRing) {
    Value stage = StageOfOp::create(builder, loc, builder.getIndexType(), feed.rawRing, feed.slot);
    AcquireOp::create(builder, loc, feed.rawRing, feed.slot);
    for (auto [load, buffer] : feed.raw)
      copyBulk(cast<LoadOp>(load), buffer, stage, feed.rawRing);
    CommitOp::create(builder, loc, feed.rawRing, feed.slot);
  }
  AcquireOp::create(builder, loc, feed.ring, feed.slot);
  SmallVector<Value> filled;
  for (Source &source : feed.sources) {
    LoadOp load = source.load;
    converts |= source.converts;
    if (source.converts || llvm::is_contained(filled, source.buffer))
      continue;
    filled.push_back(source.buffer);
    std::string refusal;
    CopyUnit unit = slotCopyUnit(load, cast<SharedType>(source.buffer.getType()), options.copy, refusal);
    if (!refusal.empty() && options.copy == CopyUnit::Bulk)
      return load.emitOpError() << "cannot be a bulk copy: " << refusal;
    if (!refusal.empty())
      emitRemark(load, Remark::BulkRefused, refusal);
    if (unit == CopyUnit::Bulk) {
      copyBulk(load, source.buffer, feed.stage, feed.ring);
    } else if (unit == CopyUnit::CpAsync && !source.tf32) {
      CopyAsyncOp::create(builder, load.getLoc(), load.getView(), load.getIndices(), source.buffer,
                          feed.stage, loadLayout(load, warps), load.getDivisors(), load.getInBounds());
      async = true;
    } else {
      Value tile = loadByThreads(builder, load, warps);
      if (source.tf32)
        tile = roundToTf32(builder, tile);
      StoreSharedOp::create(builder, load.getLoc(), tile, source.buffer, feed.stage);
    }
  }
  if (converts)
    convert(builder, feed);
  // A thread's copies have arrived before it speaks for them; tile-defer-commits lets it speak later.
  if (async) {
    CommitAsyncOp::create(builder, loc);
    WaitAsyncOp::create(builder, loc, 0);
  }
  // What threads stored becomes visible to products and is complete with the commit.
  CommitOp::create(builder, loc, feed.ring, feed.slot);
  WaitOp::create(builder, loc, feed.ring, feed.slot);
  return success();
}

//===-- Products ------------------------------------------------------------------------------------===//

/// The operand in shared memory and its stage, or the tile and no stage.
std::pair<Value, Value> AsyncProducts::operand(DotOp dot, unsigned index) {
  Value value = withoutLayoutConversions(dot->getOperand(index));
  for (Feed &feed : feeds)
    for (Source &source : feed.sources)
      if (source.value == value)
        return source.inRegisters ? std::pair(fragments.lookup(value), Value())
                                  : std::pair(source.buffer, feed.stage);
  return {dot->getOperand(index), Value()};
}

/// Whether some of the products read a left operand that comes from a ring to registers.
bool AsyncProducts::readsRegisters(ArrayRef<DotOp> products) {
  return llvm::any_of(products, [&](DotOp dot) {
    Value value = withoutLayoutConversions(dot.getLhs());
    return llvm::any_of(feeds, [&](const Feed &feed) {
      return llvm::any_of(feed.sources,
                          [&](const Source &source) { return source.value == value && source.inRegisters; });
    });
  });
}

/// Into how many parts of K the products of a step are cut whose left operands are computed in registers: of
/// each part while the one before is multiplied, where no other warpgroup multiplies meanwhile. (H200,
/// weights of bytes beside 64 and 128 rows 2 % and 1.5 %, a cast of 1024 cubed 3 % faster, two warpgroups 2 %
/// slower.)
int64_t AsyncProducts::partsOf(ArrayRef<DotOp> products) {
  if (schedule.getWarps() > 4)
    return 1;
  bool computes = llvm::all_of(products, [&](DotOp dot) {
    Value value = withoutLayoutConversions(dot.getLhs());
    LoadOp load = convertedLoad(value);
    return load && value != load.getResult() && storageBits(getElementTypeOrSelf(value.getType())) == 16;
  });
  DotOp first = products.front();
  int64_t k = shapeOf(first.getLhs()).back();
  return computes && k % kPartElems == 0 ? k / kPartElems : 1;
}

/// Left operands in registers: each thread reads its part of the fragment, and computes what the products
/// take, of one part of K.
void AsyncProducts::bringFragments(OpBuilder &builder, ArrayRef<DotOp> products, int64_t part,
                                   int64_t parts) {
  fragments.clear();
  if (part == 0)
    loaded.clear();
  for (DotOp dot : products) {
    Value value = withoutLayoutConversions(dot.getLhs());
    for (Feed &feed : feeds)
      for (Source &source : feed.sources) {
        if (source.value != value || !source.inRegisters || fragments.contains(value))
          continue;
        auto shared = cast<SharedType>(source.buffer.getType());
        auto fragment = layout::LinearLayout::mmaOperandA(
            shared.getLayout().shape(), (int)storageBits(getElementTypeOrSelf(value.getType())),
            (int)schedule.getWarps(), 1);
        Value &tile = loaded[source.load];
        if (!tile) {
          Location loc = source.load.getLoc();
          auto typeWith = [&](const layout::LinearLayout &layout) {
            return RankedTensorType::get(shapeOf(source.load.getResult()), shared.getElementType(),
                                         LayoutAttr::get(kernel.getContext(), layout));
          };
          auto reading =
              readingLayout(shared.getLayout(), fragment, (int)storageBits(shared.getElementType()));
          tile =
              LoadSharedOp::create(builder, loc, typeWith(reading), source.buffer, feed.stage, ValueRange());
          if (reading != fragment)
            tile = ConvertLayoutOp::create(builder, loc, typeWith(fragment), tile);
        }
        Value own = tile;
        if (parts > 1) {
          layout::Shape shape = shared.getLayout().shape();
          shape.back() /= (int32_t)parts;
          SmallVector<int64_t> sizes(shape.begin(), shape.end()), offsets(shape.size(), 0);
          offsets.back() = part * sizes.back();
          auto ofPart = layout::LinearLayout::mmaOperandA(
              shape, (int)storageBits(getElementTypeOrSelf(value.getType())), (int)schedule.getWarps(), 1);
          own = SliceOp::create(builder, source.load.getLoc(),
                                RankedTensorType::get(sizes, shared.getElementType(),
                                                      LayoutAttr::get(kernel.getContext(), ofPart)),
                                tile, offsets);
        }
        fragments[value] = convertFrom(builder, value, source.load, own);
      }
  }
}

/// A slot's release by those that multiply. Warpgroups whose threads read the slot wait for their own alone.
ReleaseOp AsyncProducts::release(OpBuilder &builder, Location loc, Feed &feed, Value slot) {
  auto result = ReleaseOp::create(builder, loc, feed.ring, slot);
  int64_t groups = schedule.getWarps() / 4;
  if (groups > 1 && schedule.getOptions().roles == Roles::Cooperative &&
      llvm::any_of(feed.sources, [](const Source &source) { return source.inRegisters; }))
    result->setAttr(kByWarpgroupAttrName, builder.getI64IntegerAttr(groups));
  return result;
}

Value AsyncProducts::start(OpBuilder &builder, DotOp dot, Value pending, Value accumulate, int64_t first) {
  auto [lhs, lhsStage] = operand(dot, 0);
  auto [rhs, rhsStage] = operand(dot, 1);
  return DotAsyncOp::create(builder, dot.getLoc(), pending.getType(), lhs, lhsStage, rhs, rhsStage, pending,
                            accumulate, dot.getTf32(), first);
}

static Value constantBool(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Accumulators of `init`, or without values where that is zero.
static Value begin(OpBuilder &builder, Location loc, Value init) {
  auto type = PendingType::get(builder.getContext(), cast<RankedTensorType>(init.getType()));
  return BeginDotOp::create(builder, loc, type, isZero(init) ? Value() : init);
}

/// Whether all products of the loop's body sum up from iteration to iteration and are read by nothing else:
/// then one iteration's may run while the next one's are started.
bool AsyncProducts::runsOn(scf::ForOp loop) const {
  return llvm::all_of(dots, [&](DotOp dot) {
    if (dot->getBlock() != loop.getBody())
      return true;
    auto argument = dyn_cast<BlockArgument>(dot.getAccumulator());
    if (!argument || argument.getOwner() != loop.getBody() || argument.getArgNumber() == 0 ||
        !argument.hasOneUse() || !dot.getResult().hasOneUse())
      return false;
    OpOperand &use = *dot.getResult().use_begin();
    return isa<scf::YieldOp>(use.getOwner()) && use.getOperandNumber() + 1 == argument.getArgNumber();
  });
}

/// Products that run on: the slot of one iteration is released in the next, when its products have ended.
/// Those that read registers end in their own one, before other values take these registers: another
/// warpgroup multiplies meanwhile.
void AsyncProducts::pipeline(scf::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<DotOp> own;
  for (DotOp dot : dots)
    if (dot->getBlock() == loop.getBody())
      own.push_back(dot);
  OpBuilder builder(own.back());
  bool ends = readsRegisters(own);
  int64_t parts = ends ? partsOf(own) : 1;
  SmallVector<Value> running, accumulates;
  Value later = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, loop.getInductionVar(),
                                      loop.getLowerBound());
  OpBuilder behind(loop);
  behind.setInsertionPointAfter(loop);
  for (DotOp dot : own) {
    unsigned index = cast<BlockArgument>(dot.getAccumulator()).getArgNumber() - 1;
    OpOperand &init = loop.getInitArgsMutable()[index];
    bool empty = isZero(init.get());
    OpBuilder before(loop);
    Value pending = begin(before, dot.getLoc(), init.get());
    init.set(pending);
    loop.getRegionIterArg(index).setType(pending.getType());
    accumulates.push_back(empty ? later : constantBool(builder, dot.getLoc(), true));
    running.push_back(loop.getRegionIterArg(index));
    Value result = loop.getResult(index);
    Type tile = result.getType();
    result.setType(pending.getType());
    auto await = AwaitOp::create(behind, dot.getLoc(), tile, result);
    result.replaceAllUsesExcept(await.getResult(), await);
    ended[loop] = await;
  }
  for (int64_t part = 0; part < parts; ++part) {
    bringFragments(builder, own, part, parts);
    for (auto [dot, sum, accumulate] : llvm::zip_equal(own, running, accumulates))
      sum = start(builder, dot, sum, part ? constantBool(builder, dot.getLoc(), true) : accumulate,
                  part * (shapeOf(dot.getLhs()).back() / parts));
  }
  for (auto [dot, sum] : llvm::zip_equal(own, running))
    dot.getResult().replaceAllUsesWith(sum);
  AwaitDotsOp::create(builder, loc, ends ? 0 : own.size());
  for (Feed &feed : feeds) {
    if (feed.block != loop.getBody())
      continue;
    if (ends) {
      release(builder, loc, feed, feed.slot);
      continue;
    }
    auto guard = scf::IfOp::create(builder, loc, later, /*withElseRegion=*/false);
    OpBuilder inside = OpBuilder::atBlockBegin(guard.thenBlock());
    Value previous = arith::SubIOp::create(inside, loc, feed.slot, indexConstant(inside, loc, 1));
    ReleaseOp::create(inside, loc, feed.ring, previous);
    // The last one, behind the loop: as many slots as iterations from the loop's first one.
    if (loop->hasAttr(kNumberedAttrName)) {
      Value last = arith::SubIOp::create(behind, loc, loop.getUpperBound(), indexConstant(behind, loc, 1));
      ended[loop] = ReleaseOp::create(behind, loc, feed.ring, last);
      continue;
    }
    FailureOr<Value> outer = slotNumber(loop);
    int64_t trips = *tripCount(loop);
    Value last = indexConstant(behind, loc, trips - 1);
    if (succeeded(outer)) {
      Value base = arith::MulIOp::create(behind, loc, *outer, indexConstant(behind, loc, trips));
      last = arith::AddIOp::create(behind, loc, base, last);
    }
    ended[loop] = ReleaseOp::create(behind, loc, feed.ring, last);
  }
}

/// The products that add up to one sum of which nothing else reads a part, the first one in front.
static SmallVector<DotOp> chainTo(DotOp last) {
  SmallVector<DotOp> chain = {last};
  while (auto before = chain.back().getAccumulator().getDefiningOp<DotOp>()) {
    if (!before.getResult().hasOneUse() || before->getBlock() != last->getBlock())
      break;
    chain.push_back(before);
  }
  return SmallVector<DotOp>(llvm::reverse(chain));
}

/// Products of which the last one's result is read at once.
void AsyncProducts::finishAtOnce(ArrayRef<DotOp> chain) {
  DotOp last = chain.back(), first = chain.front();
  OpBuilder builder(last);
  Location loc = last.getLoc();
  bringFragments(builder, chain);
  Value init = first.getAccumulator(), pending = begin(builder, loc, init);
  Value accumulate = constantBool(builder, loc, !isZero(init));
  for (DotOp dot : chain) {
    pending = start(builder, dot, pending, accumulate);
    accumulate = constantBool(builder, loc, true);
  }
  auto await = AwaitOp::create(builder, loc, last.getType(), pending);
  last.getResult().replaceAllUsesWith(await.getResult());
  for (Feed &feed : feeds)
    if (feed.block == last->getBlock() && feed.isInner() && llvm::is_contained(chain, feed.dots.back()))
      release(builder, loc, feed, feed.slot);
}

/// What products in loops inside the load's block read is released behind the last of these loops.
void AsyncProducts::releaseOuter(Feed &feed) {
  Operation *last = nullptr;
  for (DotOp dot : feed.dots) {
    Operation *top = feed.block->findAncestorOpInBlock(*dot);
    if (Operation *end = ended.lookup(top))
      top = end;
    if (!last || last->isBeforeInBlock(top))
      last = top;
  }
  OpBuilder builder(last);
  builder.setInsertionPointAfter(last);
  release(builder, last->getLoc(), feed, feed.slot);
}

LogicalResult AsyncProducts::run() {
  schedule = kernel.getSchedule();
  if (failed(numberSteps(kernel)))
    return failure();
  if (failed(gather()))
    return failure();
  for (Feed &feed : feeds)
    if (failed(buildRing(feed)) || failed(fill(feed)))
      return failure();
  // Without roles nothing else makes the warps meet when one thread has made the barriers.
  if (!feeds.empty() && schedule.getOptions().roles == Roles::None) {
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfter(feeds.front().ring.getDefiningOp());
    BarrierOp::create(builder, kernel.getLoc());
  }
  llvm::SmallSetVector<Operation *, 4> running;
  for (DotOp dot : dots)
    if (auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
        loop && (tripCount(loop) || loop->hasAttr(kNumberedAttrName)) && runsOn(loop))
      running.insert(loop);
  llvm::SmallPtrSet<Operation *, 8> chained;
  for (DotOp dot : llvm::reverse(dots)) {
    if (running.contains(dot->getParentOp()) || chained.contains(dot))
      continue;
    SmallVector<DotOp> chain = chainTo(dot);
    chained.insert(chain.begin(), chain.end());
    finishAtOnce(chain);
  }
  for (Operation *loop : running)
    pipeline(cast<scf::ForOp>(loop));
  for (Feed &feed : feeds)
    if (!feed.isInner())
      releaseOuter(feed);
  SmallVector<Value> read;
  for (DotOp dot : dots)
    llvm::append_range(read, ValueRange{dot.getLhs(), dot.getRhs()});
  for (DotOp dot : llvm::reverse(dots))
    dot.erase();
  eraseUnused(read);
  return success();
}

namespace {
struct AsyncProductsPass : tile::impl::TileAsyncProductsBase<AsyncProductsPass> {
  using Base::Base;
  void runOnOperation() override {
    AsyncProducts products;
    products.kernel = getOperation();
    if (failed(verifyLayouts(products.kernel)) || failed(products.run()))
      signalPassFailure();
  }
};
} // namespace
