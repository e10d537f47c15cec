// The frame of a tiled kernel: analysis, the kernel op, offsets of the block, loops over reduced dimensions
// that do not fit a tile. Its dimensions are made in KernelDomain.cpp, values are evaluated in
// EvaluateTiles.cpp, products in EvaluateProducts.cpp.

#include "KernelTiler.h"

#include "Tilewright/Dialect/Plan/IR/Traffic.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "Tilewright/Layout/WorkLists.h"
#include "Tilewright/Remarks/Remarks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Sums that products have just been added to round once: the product is not rounded by itself.
static void addProductsFused(OpBuilder &builder, MutableArrayRef<Value> sums) {
  for (Value &sum : sums) {
    auto add = sum.getDefiningOp<arith::AddFOp>();
    auto product = add ? add.getRhs().getDefiningOp<arith::MulFOp>() : nullptr;
    if (product && getElementTypeOrSelf(product.getType()).isF32())
      sum = math::FmaOp::create(builder, add.getLoc(), product.getLhs(), product.getRhs(), add.getLhs());
  }
}

/// What reductions over different dimensions ask of a tile.
static constexpr StringLiteral kHoldsBoth =
    "reductions over different dimensions need a tile that holds both";

/// Says which units form a product, and in which tiles.
static void remarkProduct(graph::KernelOp kernel, const KernelShape &shape, tile::ScheduleAttr schedule) {
  auto tile =
      llvm::join(llvm::map_range(schedule.getTile(), [](int64_t size) { return std::to_string(size); }), "x");
  if (usesTensorCores(shape) || schedule.getOptions().product == tile::ProductUnit::Wgmma) {
    RemarkValue type = shape.tf32     ? RemarkValue("tf32")
                       : shape.splits ? RemarkValue("f32 as three of tf32")
                                      : RemarkValue(shape.operandType);
    emitRemark(kernel, Remark::MmaChosen, type, tile, schedule.getReduce(), schedule.getWarps());
    return;
  }
  StringRef reason = shape.splits
                         ? "no warpgroups take these operands, which form f32 products as three of tf32"
                     : shape.operandType.isF32()
                         ? "tensor cores round f32 operands to tf32, which --precision=tf32 allows"
                         : "tensor cores take bf16, f16, tf32 and 8-bit operands, and sum in 32 bits";
  emitRemark(kernel, Remark::MmaRefused, shape.operandType, tile, schedule.getWarps(), reason);
}

LogicalResult KernelTiler::run() {
  if (failed(analyze()))
    return failure();
  collapse();
  if (indexing.isChain())
    return runChain();
  schedule = kernel->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName());
  chosenBy = "program";
  if (!schedule && (schedule = recordedSchedule()))
    chosenBy = "record";
  if (!schedule)
    schedule = chooseOwnSchedule();
  else if (failed(checkSchedule(schedule)))
    return failure();
  bool isMatmul = indexing.anchor == graph::Anchor::Matmul;
  if (isMatmul && arch && !modelled)
    modelled = modelProduct(schedule, describe(), *arch);
  if (schedule.getOptions().swapOperands)
    swapSides();
  if (isMatmul) {
    dims[dims.size() - 3].cluster = schedule.getOptions().clusterM;
    dims[dims.size() - 2].cluster = schedule.getOptions().clusterN;
  }
  size_t wanted = dims.size() - (isMatmul ? 1 : 0);
  for (size_t d = 0; d < wanted; ++d)
    dims[d].tile = schedule.getTile()[d];
  for (const Dim &dim : dims)
    if (dim.extent > kMaxExtent)
      return kernel.emitError() << "a dimension of " << dim.extent << " elements is more than the "
                                << kMaxExtent << " that kernels index";
  if (isMatmul) {
    dims.back().tile = schedule.getReduce();
    remarkProduct(kernel, describe(), schedule);
    planGroups();
  } else {
    planAlignedRows();
    planRows();
    planTables();
  }
  createKernel();
  computeOffsets();
  offsetAlignedRow();
  loadTables();
  bool fits =
      llvm::all_of(dims, [](const Dim &dim) { return !dim.reduced || dim.isHeld() || dim.isShared(); });
  fits |= schedule.getOptions().lookBack;
  if (llvm::any_of(dims, [](const Dim &dim) { return dim.held && !dim.isHeld(); }))
    return kernel.emitError() << "its rows do not fit the tile of the schedule, and " << kHoldsBoth;
  if (StringRef why = fits ? StringRef() : whyNoRowLoop(); !why.empty())
    return kernel.emitError() << "its rows do not fit the tile of the schedule, and " << why;
  if (isMatmul)
    emitMatmul();
  else if (fits)
    emitStraight();
  else
    emitLooped();
  tile::ReturnOp::create(builder, kernel.getLoc());
  return success();
}

size_t KernelTiler::groupedRows() const {
  return dims.size() - (dims.back().reduced ? 1 : 0) - (schedule.getOptions().swapOperands ? 1 : 2);
}

void KernelTiler::planGroups() {
  if (!indexing.groups())
    return;
  Dim &rows = dims[groupedRows()], &groups = dims[dims.size() - 4];
  groups.follows = true;
  // Each of the groups, and the rows behind them, may leave a tile unfilled; a tile has a row at least.
  rows.groupTiles = std::min(rows.extent, (rows.extent + (groups.extent + 1) * (rows.tile - 1)) / rows.tile);
}

/// The rows of the tile with number `index`, and their group.
void KernelTiler::findGroup(Value index) {
  Location loc = kernel.getLoc();
  Dim &rows = dims[groupedRows()], &groups = dims[dims.size() - 4];
  Value ends = chainOf(indexing.groups(), materialized).root;
  auto found = tile::FindGroupOp::create(
      builder, loc,
      TypeRange{builder.getIndexType(), builder.getIndexType(), builder.getIndexType(), builder.getI1Type()},
      viewOf(ends, StridedView::rowMajor({groups.extent}), loc), index, (uint64_t)rows.tile,
      (uint64_t)rows.extent);
  groups.offset = found.getGroup();
  rows.offset = found.getFirst();
  groups.divisor = rows.divisor = 1;
  groupEnd = found.getEnd();
  isGrouped = found.getWithin();
  // There are as many blocks as there could be tiles.
  Value isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, found.getFirst(), groupEnd);
  tile::LeaveOp::create(builder, loc, isEmpty);
}

LogicalResult KernelTiler::analyze() {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasAttr("graph.materialize"))
      materialized.insert(&op);
    else if (isMovement(&op) || isa<arith::ConstantOp>(op))
      continue;
    ops.push_back(&op);
  }
  if (ops.empty())
    return kernel.emitError() << "computes nothing";
  std::string why;
  auto solved = KernelIndexing::solve(ops, materialized, why);
  if (!solved)
    return kernel.emitError() << "is no single kernel: " << why;
  indexing = std::move(*solved);
  // What computes operands of products is carried out where these are loaded.
  llvm::erase_if(ops, [&](Operation *op) { return !indexing.contains(op); });
  SmallVector<Value> outputs(kernel.getBody().front().getTerminator()->getOperands());
  for (auto [i, output] : llvm::enumerate(outputs))
    if (Operation *op = output.getDefiningOp();
        !op || (!indexing.contains(op) && !isa<arith::ConstantOp>(op)))
      return kernel.emitError() << "does not compute its result #" << i
                                << ": an argument, or a view without graph.materialize";
  pressure = planPasses(indexing, ops, outputs);
  // A schedule may go in steps over what a tile could hold.
  auto given = kernel->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName());
  bool isMixed = given && indexing.isMixed && !indexing.isLooped();
  if (isMixed && given.getTile().size() == indexing.domain.size() &&
      llvm::any_of(
          llvm::seq<size_t>(0, indexing.domain.size()),
          [&](size_t d) { return indexing.reduced[d] && given.getTile()[d] < indexing.domain[d]; }) &&
      indexing.loopOverLongest())
    pressure = tilePressure(indexing, ops, outputs);
  return success();
}

void KernelTiler::createKernel() {
  builder.setInsertionPoint(kernel);
  SmallVector<Type> types;
  auto addView = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(tile::ViewType::get(builder.getContext(), tensor.getElementType(),
                                        StridedView::rowMajor(tensor.getShape().vec())));
  };
  llvm::for_each(kernel.getArgumentTypes(), addView);
  llvm::for_each(kernel.getResultTypes(), addView);
  int64_t blocks = 1;
  for (const Dim &dim : dims)
    if (!dim.reduced && !dim.goneOver)
      blocks *= dim.clusters();
  // The blocks of a cluster have parts of one tile, or neighbouring tiles.
  int64_t parts = schedule.getOptions().splitK * schedule.getOptions().clusterBlocks() * rowBlocks;
  blocks *= parts;
  if (schedule.getOptions().lookBack)
    blocks *= dims[*rowDim()].tiles();
  tileKernel = tile::KernelOp::create(
      builder, kernel.getLoc(), kernel.getSymName(), builder.getFunctionType(types, {}),
      builder.getDenseI64ArrayAttr({blocks, 1, 1}), (uint64_t)schedule.getWarps(), nullptr, nullptr, nullptr);
  tileKernel->setAttr(tile::KernelOp::getScheduleAttrName(), schedule);
  if (auto leaving = kernel->getAttrOfType<DenseI64ArrayAttr>(plan::kLeavingAttrName))
    for (int64_t place : leaving.asArrayRef())
      tileKernel.setArgAttr((unsigned)place, tile::KernelOp::getLeavingAttrName(), builder.getUnitAttr());
  NamedAttrList chosen;
  chosen.append("by", builder.getStringAttr(chosenBy));
  if (modelled > 0)
    chosen.append("us", builder.getF64FloatAttr(modelled));
  tileKernel->setAttr(kChosenAttrName, chosen.getDictionary(builder.getContext()));
  if (int64_t bytes = arch ? bytesBeside(describe(), schedule, *arch) : 0; bytes > 0)
    tileKernel->setAttr(kBesideAttrName, builder.getI64IntegerAttr(bytes));
  if (parts > 1)
    tileKernel->setAttr(tile::KernelOp::getClusterAttrName(), builder.getI64IntegerAttr(parts));
  if (keepsRows)
    tileKernel->setAttr(tile::KernelOp::getKeptBytesAttrName(),
                        builder.getI64IntegerAttr(mostKeptBytes(blocks)));
  auto contract = kernel->getAttrOfType<tile::ContractAttr>(tile::KernelOp::getContractAttrName());
  // Who writes a schedule with warpgroups relies on them; what the compiler chooses itself may fall short.
  if (schedule.getOptions().product == tile::ProductUnit::Wgmma && chosenBy == "program")
    contract = tile::ContractAttr::get(
        builder.getContext(), contract ? contract.getRegisters() : std::nullopt,
        contract ? contract.getSpills() : std::nullopt, contract ? contract.getShared() : std::nullopt,
        contract ? contract.getBlocksPerSm() : std::nullopt, tile::ProductUnit::Wgmma);
  if (contract)
    tileKernel->setAttr(tile::KernelOp::getContractAttrName(), contract);
  if (Attribute archs = kernel->getAttr(ptx::PtxDialect::getArchsAttrName()))
    tileKernel->setAttr(ptx::PtxDialect::getArchsAttrName(), archs);
  SmallVector<Location> locs(types.size(), kernel.getLoc());
  Block *block = builder.createBlock(&tileKernel.getBody(), {}, types, locs);
  for (auto [from, to] : llvm::zip(kernel.getBody().getArguments(), block->getArguments()))
    arguments.map(from, to);
}

/// Row and column of a product's tile, number `number` of those that are walked `group` rows at a time,
/// column by column.
std::pair<Value, Value> KernelTiler::groupedTile(Value number, int64_t rows, int64_t columns) {
  Location loc = kernel.getLoc();
  int64_t group =
      std::min((int64_t)llvm::divideCeil(schedule.getOptions().group, dims[dims.size() - 3].cluster), rows);
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value size = constant(group * columns);
  Value inGroup = arith::RemUIOp::create(builder, loc, number, size);
  Value first = arith::MulIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, number, size),
                                      constant(group));
  // The last group may have fewer rows.
  Value height = constant(group);
  if (rows % group != 0)
    height = arith::MinUIOp::create(builder, loc, height,
                                    arith::SubIOp::create(builder, loc, constant(rows), first));
  Value row =
      arith::AddIOp::create(builder, loc, first, arith::RemUIOp::create(builder, loc, inGroup, height));
  return {row, arith::DivUIOp::create(builder, loc, inGroup, height)};
}

/// Offsets along M and N of a product whose tiles come in an order of the schedule's; leaves the index of the
/// batch in `rest`.
void KernelTiler::computeOrderedOffsets(Value &rest) {
  Location loc = kernel.getLoc();
  const tile::ScheduleOptions &options = schedule.getOptions();
  Dim &m = dims[dims.size() - 3], &n = dims[dims.size() - 2];
  int64_t rows = m.clusters(), columns = n.clusters();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value number = arith::RemUIOp::create(builder, loc, rest, constant(rows * columns)), row, column;
  rest = arith::DivUIOp::create(builder, loc, rest, constant(rows * columns));
  if (options.group) {
    std::tie(row, column) = groupedTile(number, rows, columns);
  } else {
    std::vector<int32_t> list = options.hilbert ? layout::hilbertOrder(rows, columns) : options.list;
    Value tile = tile::LookupOp::create(builder, loc, builder.getIndexType(), number, list);
    row = arith::DivUIOp::create(builder, loc, tile, constant(columns));
    column = arith::RemUIOp::create(builder, loc, tile, constant(columns));
  }
  for (auto [dim, index, count] : {std::tuple(&m, row, rows), std::tuple(&n, column, columns)}) {
    if (dim->groupTiles) {
      findGroup(index);
      continue;
    }
    dim->offset = arith::MulIOp::create(builder, loc, tileIndex(*dim, index), constant(dim->tile));
    dim->divisor = count * dim->cluster == 1 ? 0 : dim->tile;
  }
}

/// The block's tile along `dim`, in the given cluster (null: the first one).
Value KernelTiler::tileIndex(const Dim &dim, Value cluster) {
  if (dim.cluster == 1)
    return cluster;
  Value place = &dim == &dims[dims.size() - 3] ? rowInCluster : columnInCluster;
  if (!cluster)
    return place;
  Location loc = kernel.getLoc();
  Value first =
      arith::MulIOp::create(builder, loc, cluster, arith::ConstantIndexOp::create(builder, loc, dim.cluster));
  return arith::AddIOp::create(builder, loc, first, place);
}

void KernelTiler::computeOffsets() {
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value rest;
  int64_t left = tileKernel.getGrid()[0];
  if (schedule.getOptions().lookBack) {
    takePiece(rest);
    left = lines();
  } else {
    rest = tile::BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
  }
  // Neighbouring blocks, which form a cluster, have the parts of one tile.
  if (int64_t parts = schedule.getOptions().splitK * rowBlocks; parts > 1) {
    Value count = arith::ConstantIndexOp::create(builder, loc, parts);
    partOfK = arith::RemUIOp::create(builder, loc, rest, count);
    rest = arith::DivUIOp::create(builder, loc, rest, count);
    left /= parts;
  }
  if (int64_t blocks = schedule.getOptions().clusterBlocks(); blocks > 1) {
    Value count = arith::ConstantIndexOp::create(builder, loc, blocks);
    Value place = arith::RemUIOp::create(builder, loc, rest, count);
    rowInCluster = columnInCluster = place;
    if (int64_t columns = schedule.getOptions().clusterN; columns > 1 && columns < blocks) {
      Value width = arith::ConstantIndexOp::create(builder, loc, columns);
      rowInCluster = arith::DivUIOp::create(builder, loc, place, width);
      columnInCluster = arith::RemUIOp::create(builder, loc, place, width);
    }
    rest = arith::DivUIOp::create(builder, loc, rest, count);
    left /= blocks;
  }
  // From the last tile to the first one (plan-reverse-kernels); clusters keep their places.
  if (kernel->hasAttr(plan::kBackwardAttrName) && indexing.anchor != graph::Anchor::Matmul && !piece &&
      left > 1)
    rest = arith::SubIOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, left - 1), rest);
  const tile::ScheduleOptions &options = schedule.getOptions();
  bool orderedRows = indexing.isChain() && options.group;
  bool ordered = indexing.anchor == graph::Anchor::Matmul && !indexing.isChain() &&
                 (options.group || options.hilbert || !options.list.empty());
  if (ordered)
    computeOrderedOffsets(rest);
  if (orderedRows) {
    left /= dims[dims.size() - 4].tiles();
    computeChainOrder(rest);
  }
  // The last kept dimension varies fastest, so that neighbouring blocks touch neighbouring memory; or that
  // whose tiles share most sectors.
  SmallVector<int64_t> order(llvm::reverse(llvm::seq<int64_t>(0, (int64_t)dims.size())));
  if (indexing.anchor != graph::Anchor::Matmul && arch)
    order = blockOrder(describe(), schedule.getTile(), *arch);
  for (int64_t d : order) {
    Dim &dim = dims[d];
    int64_t fromLast = (int64_t)dims.size() - 1 - d;
    bool done = (ordered && (fromLast == 1 || fromLast == 2)) || (orderedRows && fromLast == 3);
    if (piece && dim.reduced && dim.extent != 1)
      continue;
    if (!done && !dim.follows) {
      dim.offset = zero;
      dim.divisor = 0;
    }
    if (dim.goneOver)
      continue;
    if (dim.reduced) {
      if (dim.parts > 1) {
        dim.divisor = dim.piece();
        dim.offset = arith::MulIOp::create(builder, loc, partOfK,
                                           arith::ConstantIndexOp::create(builder, loc, dim.divisor));
      }
      continue;
    }
    if (dim.follows)
      continue;
    int64_t count = dim.clusters();
    if (orderedRows && done)
      continue;
    left /= count;
    if (done || (count == 1 && dim.cluster == 1 && !dim.groupTiles))
      continue;
    Value index = count == 1 ? Value() : rest;
    if (count > 1 && left > 1) {
      Value divisor = arith::ConstantIndexOp::create(builder, loc, count);
      index = arith::RemUIOp::create(builder, loc, rest, divisor);
      rest = arith::DivUIOp::create(builder, loc, rest, divisor);
    }
    if (dim.groupTiles) {
      findGroup(index ? index : zero);
      continue;
    }
    index = tileIndex(dim, index);
    dim.offset = dim.tile == 1 ? index
                               : arith::MulIOp::create(builder, loc, index,
                                                       arith::ConstantIndexOp::create(builder, loc, dim.tile))
                                     .getResult();
    dim.divisor = dim.tile;
  }
}

void KernelTiler::emitStraight() {
  auto storeAll = [&](ValueRange) {
    for (unsigned i = 0; i < kernel.getResultTypes().size(); ++i)
      storeOutput(i);
    return SmallVector<Value>();
  };
  SmallVector<Value> none;
  if (llvm::any_of(dims, [](const Dim &dim) { return dim.goneOver; }))
    emitLoops(0, {}, storeAll, none);
  else
    storeAll({});
}

bool KernelTiler::isRowLevel(Operation *op) const {
  const StridedView &view = indexing.views.find(op)->second;
  SmallVector<bool> depends = support(view);
  return llvm::none_of(llvm::seq<size_t>(0, dims.size()),
                       [&](size_t d) { return dims[d].reduced && depends[d]; });
}

int KernelTiler::levelOf(Operation *op) {
  if (!op || !indexing.contains(op))
    return 0;
  // A pass more over what is kept costs less than states that follow a reference.
  if (keepsRows)
    return plainLevel(op);
  auto [it, isNew] = levels.try_emplace(op, 0);
  if (isNew)
    it->second = reductionLevel(indexing, op);
  return it->second;
}

void KernelTiler::emitLoops(unsigned d, ValueRange carried, function_ref<SmallVector<Value>(ValueRange)> body,
                            SmallVector<Value> &results, bool fromEnd) {
  while (d < dims.size() && !((dims[d].reduced || dims[d].goneOver) && !dims[d].isHeld()))
    ++d;
  if (d == dims.size()) {
    results = body(carried);
    return;
  }
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  int64_t length = dims[d].reduced ? dims[d].piece() : dims[d].extent;
  Value end = arith::ConstantIndexOp::create(builder, loc, length);
  Value step = arith::ConstantIndexOp::create(builder, loc, dims[d].tile);
  // Of a chain's terms those that its masks keep.
  bool skips = keptRange && dims[d].reduced;
  auto loop = skips ? scf::ForOp::create(builder, loc, keptRange->first, keptRange->end, step, carried)
                    : scf::ForOp::create(builder, loc, zero, end, step, carried);
  OpBuilder::InsertionGuard guard(builder);
  // A loop without carried values comes with its terminator.
  if (carried.empty())
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(loop.getBody());
  Dim outer = dims[d];
  dims[d].offset = loop.getInductionVar();
  if (dims[d].reduced && (dims[d].parts > 1 || dims[d].ahead))
    dims[d].offset = arith::AddIOp::create(builder, loc, outer.offset, loop.getInductionVar());
  if (fromEnd) {
    int64_t last = (llvm::divideCeil(length, dims[d].tile) - 1) * dims[d].tile;
    dims[d].offset = arith::SubIOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, last),
                                           loop.getInductionVar());
  }
  dims[d].divisor = outer.ahead ? 1 : dims[d].tile;
  SmallVector<Value> inner;
  emitLoops(d + 1, loop.getRegionIterArgs(), body, inner, fromEnd);
  dims[d] = outer;
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, inner);
  results.assign(loop.getResults().begin(), loop.getResults().end());
}

void KernelTiler::emitLooped() {
  int deepest = 0;
  for (Operation *op : ops)
    deepest = std::max(deepest, levelOf(op));
  Location loc = kernel.getLoc();
  SmallVector<unsigned> whole;
  ValueRange outputs = kernel.getBody().front().getTerminator()->getOperands();
  for (auto [i, output] : llvm::enumerate(outputs))
    if (!isRowLevel(output.getDefiningOp()))
      whole.push_back(i);
  // A result is stored in the first pass that has what it needs; 0: behind the last one.
  auto storedIn = [&](unsigned i) {
    int level = levelOf(outputs[i].getDefiningOp()) + 1;
    return level <= deepest ? level : 0;
  };
  // One pass over the reduced dimensions for each level of reductions that need one another's results.
  for (int level = 1; level <= deepest; ++level) {
    SmallVector<graph::ReductionOpInterface> reduces;
    for (Operation *op : ops)
      if (auto reduce = indexing.rowReduction(op); reduce && levelOf(op) == level)
        reduces.push_back(reduce);
    SmallVector<Value> initial;
    for (graph::ReductionOpInterface reduce : reduces) {
      SmallVector<bool> depends = support(indexing.views.find(reduce)->second);
      for (size_t d = 0; d < dims.size(); ++d)
        depends[d] = depends[d] || runsAlong(reduce, d);
      for (TypedAttr identity : reduce.getIdentity())
        initial.push_back(constant(identity, tileShape(depends), loc));
    }
    Tiles outside = tiles;
    SmallVector<Value> states;
    emitLoops(
        0, initial,
        [&](ValueRange carried) {
          SmallVector<Value> next;
          DenseMap<Operation *, std::pair<Value, Value>> moved;
          for (graph::ReductionOpInterface reduce : reduces) {
            size_t count = reduce.getStateTypes().size();
            ValueRange before = carried.take_front(count);
            carried = carried.drop_front(count);
            auto relative = besideReference(reduce);
            SmallVector<Value> after;
            if (relative) {
              auto [from, to] = moved.lookup(relative->reference);
              after = rescaled(reduce, *relative, before, from, to);
              after = reduce.merge(builder, reduce.getLoc(), after, partialStates(reduce, *relative, to));
            } else {
              after = reduce.merge(builder, reduce.getLoc(), before, partialStates(reduce));
            }
            addProductsFused(builder, after);
            moved[reduce] = {before.front(), after.front()};
            llvm::append_range(next, after);
          }
          for (unsigned i : whole)
            if (storedIn(i) == level)
              storeOutput(i);
          return next;
        },
        states);
    tiles = outside;
    ValueRange left = states;
    DenseMap<Operation *, Value> finals;
    // The one reduction of the next level may need the reference that the block has found, and no more.
    bool isExchangedLater = llvm::any_of(ops, [&](Operation *op) {
      return indexing.rowReduction(op) && levelOf(op) == level + 1 && sharedExchange(op);
    });
    for (graph::ReductionOpInterface reduce : reduces) {
      size_t count = reduce.getStateTypes().size();
      SmallVector<Value> state(left.take_front(count));
      left = left.drop_front(count);
      finals[reduce] = state.front();
      if (auto shared = sharedExchange(reduce)) {
        exchangeTogether(reduce, *shared, finishReduce(reduce, state, /*acrossBlocks=*/false));
        continue;
      }
      if (isExchangedLater) {
        tiles[reduce] = finishReduce(reduce, state, /*acrossBlocks=*/false);
        continue;
      }
      auto relative = besideReference(reduce);
      if (!relative) {
        tiles[reduce] = finishReduce(reduce, state);
        continue;
      }
      // Each position of the tile has its own reference so far.
      Value reference = tiles[relative->reference], from = finals[relative->reference];
      Value to = broadcast(reference, cast<RankedTensorType>(from.getType()).getShape(), loc);
      Value result = finishReduce(reduce, rescaled(reduce, *relative, state, from, to));
      // Elements relative to an infinite reference are no numbers.
      Value nothing = arith::SubFOp::create(builder, loc, reference, reference);
      tiles[reduce] = arith::AddFOp::create(builder, loc, result, nothing);
    }
    for (Operation *op : ops)
      if (levelOf(op) <= level && isRowLevel(op) && !isExchangedLater && !indexing.joins.count(op))
        evaluateOp(op);
  }
  for (auto [i, output] : llvm::enumerate(outputs))
    if (isRowLevel(output.getDefiningOp()))
      storeOutput(i);
  llvm::erase_if(whole, [&](unsigned i) { return storedIn(i) > 0; });
  if (whole.empty())
    return;
  SmallVector<Value> carried, left;
  bool fromEnd = false;
  for (Operation *op : ops)
    if (auto scan = dyn_cast<graph::ScanOp>(op); scan && !indexing.isWithinSteps(op)) {
      fromEnd = scan.getReverse();
      carries[op] = initialCarry(scan);
      llvm::append_range(carried, carries[op]);
    }
  emitLoops(
      0, carried,
      [&](ValueRange before) {
        for (auto &[op, carry] : carries) {
          carry = llvm::to_vector(before.take_front(carry.size()));
          before = before.drop_front(carry.size());
        }
        for (unsigned i : whole)
          storeOutput(i);
        SmallVector<Value> after;
        for (auto &[op, carry] : carries)
          llvm::append_range(after, carry);
        return after;
      },
      left, fromEnd);
}

bool KernelTiler::runsAlong(Operation *op, size_t d) const {
  if (!indexing.isMixed)
    return dims[d].reduced;
  const SmallVector<bool> &along = indexing.along.find(op)->second;
  return llvm::any_of(groups[d], [&](int analysed) { return along[analysed]; });
}

std::pair<int64_t, int64_t> KernelTiler::reducedPart(Operation *op, size_t d) const {
  auto it = indexing.within.find(op);
  if (it == indexing.within.end() || groups[d].size() != 1)
    return {origin[d], dims[d].extent};
  auto [begin, end] = it->second[groups[d].front()];
  return {origin[d] + begin, origin[d] + end};
}

StringRef KernelTiler::whyNoRowLoop() const {
  if (indexing.isMixed && !indexing.isLooped())
    return kHoldsBoth;
  bool scans = false, reduces = false, reverse = false, forward = false;
  for (Operation *op : ops) {
    if (indexing.isWithinSteps(op))
      continue;
    if (isa<graph::SortOp>(op))
      return "a sort needs whole rows";
    reduces |= (bool)graph::asReduction(op);
    if (auto scan = dyn_cast<graph::ScanOp>(op)) {
      scans = true;
      (scan.getReverse() ? reverse : forward) = true;
    }
  }
  if (scans && reduces)
    return "scans and reductions of one kernel need whole rows";
  return reverse && forward ? "scans in both directions need whole rows" : "";
}
