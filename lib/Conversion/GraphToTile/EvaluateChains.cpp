// A chain of two products on the block's tile: a loop over the terms of the second one, in which the first
// one's product of a step, what is made of it, its reductions and the second product follow one another. No
// term is stored. Reductions and the second product are states that the loop carries; what is relative to a
// running maximum is moved to the next one, as in a row's loop (KernelTiler::emitLooped), but a row of the
// tile has one maximum here, which all of its terms share.

#include "KernelTiler.h"

#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Elements of K that a matrix instruction takes of 16-bit operands, and columns of its result.
static constexpr int64_t kStep = 16, kColumns = 8;

static SmallVector<int64_t> shapeOf(Value value) {
  return llvm::to_vector(cast<RankedTensorType>(value.getType()).getShape());
}

//===-- Schedules -------------------------------------------------------------------------------------===//

namespace {
/// The sizes of a chain: rows, terms and columns of the second product, and what the first one sums over.
struct ChainSizes {
  int64_t rows, terms, columns, depth;
};
} // namespace

/// Registers of a thread: the second product's sums, a step's terms as they are and rounded, and of what else
/// a step needs.
static int64_t registersOf(const ChainSizes &tile, int64_t warps) {
  int64_t rows = tile.rows / warps; // of a warp
  return rows * (2 * tile.columns + 2 * tile.terms + tile.terms) / 64 + 32;
}

/// The fewest terms of steps that overlap.
static constexpr int64_t kLeastOverlapped = 64;

/// Columns and features up to which what is between the products takes longer than they do, so that four
/// warpgroups of few terms each share the tensor cores better than two. On an H200, 4x16x4096 rows of 64: 508
/// TFLOP/s where two reach 441, and 397 where their steps overlap; with half of the steps left out by a mask,
/// whose tiles are fewer then and end at different times, 373 where two reach 410.
static constexpr int64_t kFewColumns = 64, kCrowdGroups = 4, kCrowdTerms = 64, kCrowdRegisters = 112,
                         kCrowdLoader = 24;

namespace {
/// Terms of a step, and whether it overlaps the one before.
struct ChainStep {
  int64_t terms = 0;
  bool overlaps = false;
};
} // namespace

/// As many terms as registers and shared memory hold. Steps that overlap come first, of no fewer terms than
/// keep products at their rate: a step's terms are computed while a product reads those of the step before,
/// which leaves `between` registers less, and some that ptxas wants (of 232 it spills none up to 208).
static std::optional<ChainStep> stepOf(ChainSizes tile, int64_t allTerms, int64_t warps, int64_t registers,
                                       function_ref<int64_t(int64_t)> between,
                                       function_ref<bool(int64_t)> fitsShared) {
  constexpr int64_t mostTerms = 128, reserve = 24;
  for (bool overlaps : {true, false}) {
    // One step has none before it. Of few columns two warpgroups hide as much behind one another without.
    if (overlaps && (allTerms <= mostTerms || tile.columns <= kFewColumns))
      continue;
    tile.terms = std::min<int64_t>(mostTerms, (int64_t)llvm::alignTo(allTerms, kStep));
    for (;; tile.terms = (int64_t)llvm::alignTo(tile.terms / 2, kStep)) {
      int64_t needed = registersOf(tile, warps) + (overlaps ? between(tile.terms) + reserve : 0);
      if (overlaps && tile.terms < kLeastOverlapped)
        break;
      if (needed <= registers && fitsShared(tile.terms))
        return ChainStep{tile.terms, overlaps};
      if (tile.terms <= kStep)
        break;
    }
  }
  return std::nullopt;
}

/// The schedule of warpgroups: two of 64 rows that cooperate, or one where rows are few, beside a role that
/// loads; as many terms in a step as registers and shared memory hold. Four where columns are few, unless a
/// mask `leavesOut` steps.
static tile::ScheduleAttr warpgroupChain(MLIRContext *context, ArrayRef<int64_t> batch, ChainSizes sizes,
                                         function_ref<int64_t(int64_t)> between, bool leavesOut,
                                         const Arch &arch) {
  constexpr int64_t groupRows = 64, barriers = 1024, spanBytes = 128;
  ChainSizes tile = sizes;
  int64_t blocks = 1;
  for (int64_t extent : batch)
    blocks *= extent;
  auto tilesOf = [&](int64_t rows) { return blocks * (int64_t)llvm::divideCeil(sizes.rows, rows); };
  // Half the rows where whole tiles would leave multiprocessors idle.
  int64_t groups = sizes.rows > groupRows && 2 * tilesOf(2 * groupRows) > (int64_t)arch.numSMs ? 2 : 1;
  bool isCrowd = std::max(sizes.columns, sizes.depth) <= kFewColumns && !leavesOut &&
                 sizes.rows >= kCrowdGroups * groupRows && sizes.terms > kCrowdTerms &&
                 tilesOf(kCrowdGroups * groupRows) >= (int64_t)arch.numSMs && between(kCrowdTerms) == 0;
  if (isCrowd)
    groups = kCrowdGroups;
  tile.rows = groups * groupRows;
  tile.columns = (int64_t)llvm::alignTo(sizes.columns, kStep);
  tile.depth = (int64_t)llvm::alignTo(sizes.depth, kStep);
  tile::ScheduleOptions options;
  options.product = tile::ProductUnit::Wgmma;
  options.roles = tile::Roles::Cooperative;
  options.store = tile::StoreUnit::Bulk;
  options.producerRegisters = isCrowd ? kCrowdLoader : 40;
  options.consumerRegisters = isCrowd ? kCrowdRegisters : 232;
  int64_t warps = 4 * groups, slots = isCrowd ? 4 : 2;
  auto bytes = [&](int64_t terms) {
    return 2 * (tile.rows * tile.depth + slots * terms * (tile.depth + tile.columns)) +
           16 * warps * spanBytes + barriers;
  };
  std::optional<ChainStep> step =
      isCrowd ? ChainStep{kCrowdTerms, /*overlaps=*/true}
              : stepOf(tile, sizes.terms, warps, options.consumerRegisters, between,
                       [&](int64_t terms) { return bytes(terms) <= (int64_t)arch.sharedBytesPerBlock; });
  if (!step)
    return {};
  tile.terms = step->terms;
  options.overlapSteps = step->overlaps;
  int64_t tiles = tilesOf(tile.rows), sms = arch.numSMs;
  options.persistent = (int64_t)llvm::divideCeil(tiles, llvm::divideCeil(tiles, sms));
  SmallVector<int64_t> shape(batch.size(), 1);
  shape.append({tile.rows, tile.columns});
  return tile::ScheduleAttr::get(context, shape, tile.terms, warps, {warps, 1}, slots, options);
}

/// The schedule of single warps, of 16 rows each.
static tile::ScheduleAttr warpChain(MLIRContext *context, ArrayRef<int64_t> batch, ChainSizes sizes,
                                    int64_t sharedLimit) {
  constexpr int64_t warps = 4, warpRows = 16, mostTerms = 64, mostStages = 3, mostRegisters = 232;
  ChainSizes tile = sizes;
  tile.rows = warps * warpRows;
  tile.columns = (int64_t)llvm::alignTo(sizes.columns, kStep);
  tile.depth = (int64_t)llvm::alignTo(sizes.depth, kStep);
  tile.terms = std::min<int64_t>(mostTerms, (int64_t)llvm::alignTo(sizes.terms, kStep));
  // The left operand stays in registers.
  auto registers = [&] { return registersOf(tile, warps) + tile.depth / 4; };
  auto bytes = [&](int64_t stages) { return 2 * stages * tile.terms * (tile.depth + tile.columns); };
  while (tile.terms > kStep && (registers() > mostRegisters || bytes(2) > sharedLimit))
    tile.terms = (int64_t)llvm::alignTo(tile.terms / 2, kStep);
  int64_t stages = mostStages;
  while (stages > 1 && bytes(stages) > sharedLimit)
    --stages;
  SmallVector<int64_t> shape(batch.size(), 1);
  shape.append({tile.rows, tile.columns});
  return tile::ScheduleAttr::get(context, shape, tile.terms, warps, {warps, 1}, stages,
                                 tile::ScheduleOptions());
}

tile::ScheduleAttr KernelTiler::chooseChainSchedule() {
  size_t m = dims.size() - 4;
  ChainSizes sizes = {dims[m].extent, dims[m + 1].extent, dims[m + 2].extent, dims[m + 3].extent};
  SmallVector<int64_t> batch =
      llvm::map_to_vector(ArrayRef(dims).take_front(m), [](const Dim &dim) { return dim.extent; });
  ArrayRef<OperandAccess> inner = indexing.accesses[indexing.inner];
  auto isBulk = [&](const StridedView &view) {
    return isPlainOperand(view, (int64_t)m, /*bytes=*/2, kBulkBytes);
  };
  // Of a loop of one step nothing is left out.
  auto skipping = [&](tile::ScheduleAttr found) {
    std::optional<KeptTerms> terms =
        found.getReduce() < sizes.terms ? keptChainTerms() : std::optional<KeptTerms>();
    return terms ? orderedChain(found, *terms) : found;
  };
  // Registers of what terms are combined with between the products, of a thread that has two of eight rows
  // and two of eight columns: loaded tiles and rows of them, and comparisons of positions.
  auto between = [&](int64_t terms) {
    int64_t bits = 0;
    bool compares = false;
    llvm::SmallDenseSet<Value> loaded;
    for (Operation *op : ops) {
      compares |= isa<arith::CmpIOp>(op);
      if (op == indexing.inner || op == indexing.anchorOp)
        continue;
      for (const OperandAccess &access : indexing.accesses[op]) {
        Operation *source = access.root.getDefiningOp();
        SmallVector<bool> support = supportOf(access.view);
        if ((source && (indexing.contains(source) || isa<arith::ConstantOp>(source))) || !support[m + 1] ||
            !loaded.insert(access.root).second)
          continue;
        bits += tile::storageBits(getElementTypeOrSelf(access.root.getType())) * (support[m] ? 2 : 1);
      }
    }
    // About half of what is loaded is there at a time.
    return terms / 4 * bits / 32 / 2 + (compares ? 8 : 0);
  };
  bool bulk =
      isBulk(inner[0].view) && isBulk(inner[1].view) && isBulk(indexing.accesses[indexing.anchorOp][1].view);
  if (arch && arch->wgmma && bulk)
    if (tile::ScheduleAttr found =
            warpgroupChain(kernel.getContext(), batch, sizes, between, keptChainTerms().has_value(), *arch)) {
      const tile::ScheduleOptions &options = found.getOptions();
      if (!options.overlapSteps && found.getReduce() < sizes.terms && sizes.columns > kFewColumns)
        emitRemark(kernel, Remark::StepsApart, options.consumerRegisters,
                   std::max(kLeastOverlapped, found.getReduce()));
      return skipping(found);
    }
  return skipping(warpChain(kernel.getContext(), batch, sizes, sharedLimit));
}

/// The tile has an entry for each dimension of the result; the columns are whole, and so are the inner
/// product's terms.
LogicalResult KernelTiler::checkChainSchedule(tile::ScheduleAttr candidate) {
  size_t m = dims.size() - 4, n = m + 2;
  ArrayRef<int64_t> tile = candidate.getTile();
  const tile::ScheduleOptions &options = candidate.getOptions();
  if (tile.size() != m + 2)
    return kernel.emitError() << "the schedule has " << tile.size() << " tile sizes, the result of the chain "
                              << m + 2 << " dimensions";
  for (size_t d = 0; d < m; ++d)
    if (tile[d] != 1)
      return kernel.emitError() << "the schedule's tile has size " << tile[d] << " in batch dimension " << d
                                << " of a product; it must be 1";
  if (tile.back() < dims[n].extent || tile.back() % kColumns)
    return kernel.emitError() << "the schedule's tile has " << tile.back() << " columns, a chain takes all "
                              << dims[n].extent << ", in multiples of " << kColumns;
  if (candidate.getReduce() % kStep)
    return kernel.emitError() << "the schedule takes " << candidate.getReduce()
                              << " of K at a time, a chain multiples of " << kStep;
  if (candidate.getWarpGrid().back() != 1)
    return kernel.emitError()
           << "the schedule has warps along the columns, of which a chain's rows are one's";
  if (options.product == tile::ProductUnit::Fma ||
      (options.product != tile::ProductUnit::Wgmma && tile[m] % (kStep * candidate.getWarps())))
    return kernel.emitError() << "the schedule's tile has " << tile[m] << " rows, a chain gives each of "
                              << candidate.getWarps() << " warps multiples of " << kStep;
  if (options.skipSteps && options.roles == tile::Roles::PingPong)
    return kernel.emitError()
           << "the schedule has warpgroups take tiles in turn, whose steps are not as many "
              "where skip_steps leaves some out";
  if (options.splitK != 1 || options.swapOperands || options.streamK || options.hilbert ||
      (options.group && !options.skipSteps) || !options.list.empty() || options.rotateK ||
      options.clusterBlocks() != 1 || options.left != tile::LeftOperand::Shared)
    return kernel.emitError() << "the schedule " << candidate
                              << " divides or orders a single product's tiles, and the kernel has two "
                                 "products that follow one another";
  return success();
}

LogicalResult KernelTiler::runChain() {
  schedule = kernel->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName());
  chosenBy = schedule ? "program" : "rule";
  if (!schedule)
    schedule = chooseChainSchedule();
  else if (failed(checkChainSchedule(schedule)))
    return failure();
  size_t m = dims.size() - 4, k = m + 1, n = m + 2, depth = m + 3;
  if (schedule.getOptions().skipSteps && !(kept = keptChainTerms()))
    return kernel.emitError() << "has skip_steps in its schedule, and no mask that leaves terms out is known";
  for (const Dim &dim : dims)
    if (dim.extent > (int64_t(1) << 30))
      return kernel.emitError() << "a dimension of " << dim.extent << " elements is more than chains index";
  dims[m].tile = schedule.getTile()[m];
  dims[n].tile = schedule.getTile().back();
  dims[k].tile = schedule.getReduce();
  dims[depth].tile = (int64_t)llvm::alignTo(dims[depth].extent, kStep);
  std::string tile = std::to_string(dims[m].tile) + "x" + std::to_string(dims[n].tile);
  emitRemark(kernel, Remark::MmaChosen, getElementTypeOrSelf(indexing.inner.getLhs().getType()), tile,
             schedule.getReduce(), schedule.getWarps());
  createKernel();
  computeOffsets();
  emitChain();
  tile::ReturnOp::create(builder, kernel.getLoc());
  return success();
}

//===-- The loop --------------------------------------------------------------------------------------===//

Value KernelTiler::loadMatrix(const OperandAccess &access, ArrayRef<Dim> all, ArrayRef<size_t> order,
                              std::optional<size_t> ragged) {
  std::vector<layout::ViewDim> viewDims;
  for (size_t d : order)
    viewDims.push_back(access.view.dim((int)d));
  StridedView view(viewDims, access.view.offset());
  Bounds b;
  SmallVector<int64_t> shape;
  for (auto [i, d] : llvm::enumerate(order)) {
    shape.push_back(all[d].tile);
    b.indices.push_back(all[d].offset);
    b.divisors.push_back(all[d].divisor);
    b.inBounds.push_back(view.dim((int)i).isTotal() && all[d].isWhole() && ragged != d);
  }
  Location loc = indexing.anchorOp->getLoc();
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(access.root.getType()));
  return tile::LoadOp::create(builder, loc, type, viewOf(access.root, view, loc), b.indices, b.divisors,
                              b.inBounds, TypedAttr());
}

void KernelTiler::takeDims(ArrayRef<Dim> all, const KernelIndexing &whole, ArrayRef<size_t> kept) {
  dims.clear();
  for (size_t d : kept)
    dims.push_back(all[d]);
  auto take = [&](const StridedView &view) {
    std::vector<layout::ViewDim> viewDims;
    for (size_t d : kept)
      viewDims.push_back(view.dim((int)d));
    return StridedView(viewDims, view.offset());
  };
  for (auto &[op, view] : indexing.views)
    view = take(whole.views.find(op)->second);
  for (auto &[op, accesses] : indexing.accesses)
    for (auto [access, full] : llvm::zip_equal(accesses, whole.accesses.find(op)->second))
      access.view = take(full.view);
}

/// A state of elements relative to -inf is one of nothing: any finite number serves as well, and gives no
/// inf - inf.
static Value finiteReference(OpBuilder &builder, Location loc, Value reference, TypedAttr unset) {
  auto type = cast<RankedTensorType>(reference.getType());
  auto splat = [&](Attribute number) {
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, number));
  };
  Value isUnset = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, reference, splat(unset));
  return arith::SelectOp::create(builder, loc, isUnset,
                                 splat(builder.getFloatAttr(type.getElementType(), 0.0)), reference);
}

/// `access` without a multiplication by a positive number, which is the same number for all of it.
static std::pair<OperandAccess, double> unscaled(const KernelIndexing &indexing,
                                                 const OperandAccess &access) {
  auto product = dyn_cast_or_null<arith::MulFOp>(access.root.getDefiningOp());
  if (!product || !indexing.contains(product) ||
      !arith::bitEnumContainsAll(product.getFastmath(), arith::FastMathFlags::contract))
    return {access, 1};
  ArrayRef<OperandAccess> operands = indexing.accesses.find(product)->second;
  for (unsigned i : {0u, 1u}) {
    DenseElementsAttr dense;
    if (!matchPattern(operands[i].root, m_Constant(&dense)))
      continue;
    auto factor = dense.getSplatValue<APFloat>();
    if (factor.isFiniteNonZero() && !factor.isNegative())
      return {operands[1 - i], factor.convertToDouble()};
  }
  return {access, 1};
}

/// Where the functions may be approximated and sums contracted, exp(factor * x - max) is a power of two of
/// x * (factor * log2 e) - max * log2 e; and the maximum is that of x, times the factor, to the bit.
KernelTiler::ChainTerms KernelTiler::chainTerms(graph::ReductionOpInterface reference) {
  using arith::FastMathFlags;
  ChainTerms terms;
  terms.elements = indexing.accesses[reference][0];
  terms.base2 = getElementTypeOrSelf(terms.elements.root.getType()).isF32();
  for (Operation *op : ops) {
    auto relative = relativeElements(indexing, op);
    if (!relative || relative->reference != reference.getOperation())
      continue;
    auto exponential = dyn_cast<math::ExpOp>(relative->function);
    auto difference = dyn_cast<arith::SubFOp>(relative->difference);
    terms.base2 &= exponential && difference &&
                   arith::bitEnumContainsAll(exponential.getFastmath(), FastMathFlags::afn) &&
                   arith::bitEnumContainsAll(difference.getFastmath(), FastMathFlags::contract) &&
                   indexing.accesses[difference][0].root == terms.elements.root;
    if (!llvm::is_contained(terms.functions, relative->function))
      terms.functions.push_back(relative->function);
  }
  if (terms.base2)
    std::tie(terms.elements, terms.factor) = unscaled(indexing, terms.elements);
  return terms;
}

/// A reference may stay below the maximum where what is relative to it exceeds one by at most so many powers
/// of two, and is but this part of what has been summed up: the largest term is then no exact 1 and is
/// rounded, which tells in a row that has few others.
static constexpr double kLagBits = 8, kLagPart = 0.125;

/// Whether `value` is read only as the reference of `differences`, through movement.
static bool isReferenceAlone(Value value, const llvm::SmallPtrSetImpl<Operation *> &differences) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return differences.contains(user) ||
           (isMovement(user) && isReferenceAlone(user->getResult(0), differences));
  });
}

/// Which of `reduces` is a sum relative to `reference`, in whose place another number may stand: it is no
/// result, and all that is relative to it is rescaled or divided.
std::optional<size_t> KernelTiler::sumBeside(graph::ReductionOpInterface reference,
                                             ArrayRef<graph::ReductionOpInterface> reduces) {
  llvm::SmallPtrSet<Operation *, 4> differences;
  for (Operation *op : ops)
    if (auto relative = relativeElements(indexing, op);
        relative && relative->reference == reference.getOperation())
      differences.insert(relative->difference);
  if (!isReferenceAlone(reference->getResult(0), differences))
    return std::nullopt;
  for (size_t i = 0; i < reduces.size(); ++i) {
    graph::ReductionOpInterface reduce = reduces[i];
    auto sum = dyn_cast<graph::ReduceOp>(reduce.getOperation());
    auto relative = besideReference(reduce);
    if (sum && sum.getKind() == graph::ReduceKind::Sum && relative &&
        relative->reference == reference.getOperation() && getElementTypeOrSelf(sum.getType()).isF32())
      return i;
  }
  return std::nullopt;
}

SmallVector<Value> KernelTiler::emitChainStep(ValueRange carried, Value lhs, ArrayRef<Dim> all,
                                              const OperandAccess &rhs, const OperandAccess &matrix,
                                              ArrayRef<graph::ReductionOpInterface> reduces) {
  size_t batch = all.size() - 4, m = batch, k = m + 1, n = m + 2, depth = m + 3;
  auto product = cast<graph::MatmulOp>(indexing.anchorOp);
  Location loc = product.getLoc();
  SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, batch));
  auto withMatrix = [&](size_t rows, size_t columns) {
    SmallVector<size_t> all(order);
    all.append({rows, columns});
    return all;
  };
  SmallVector<int64_t> termsShape(dims.size(), 1), rowShape(dims.size(), 1);
  termsShape[m] = rowShape[m] = all[m].tile;
  termsShape[k] = all[k].tile;
  bool isRagged = !all[k].isWhole();

  // The first product, whose sums are whole: its terms are one step.
  Value right = loadMatrix(rhs, all, withMatrix(depth, k));
  Type f32 = builder.getF32Type();
  Value none = constant(cast<TypedAttr>(builder.getZeroAttr(f32)), termsShape, loc);
  tiles[indexing.inner] =
      tile::DotOp::create(builder, indexing.inner.getLoc(), none.getType(), lhs, right, none, /*tf32=*/false);

  // References before what is relative to them.
  constexpr double log2e = 1.44269504088896340736;
  const SmallVector<Value> states(carried);
  SmallVector<Value> next;
  DenseMap<Operation *, std::pair<Value, Value>> moved;
  auto times = [&](Value tile, double factor) -> Value {
    TypedAttr number = builder.getFloatAttr(getElementTypeOrSelf(tile.getType()), factor);
    return arith::MulFOp::create(builder, loc, tile, constant(number, shapeOf(tile), loc));
  };
  llvm::SmallPtrSet<Operation *, 2> powersOfTwo;
  // A state relative to what the reference was, as one relative to what it is.
  auto carriedOn = [&](Operation *op, const RelativeElements &relative, Value state) {
    auto [from, to] = moved.lookup(relative.reference);
    return rescaled(cast<graph::ReductionOpInterface>(op), relative, state, from, to,
                    powersOfTwo.contains(relative.reference))
        .front();
  };
  for (graph::ReductionOpInterface reduce : reduces) {
    Value before = carried.front(), state = before;
    carried = carried.drop_front();
    auto relative = besideReference(reduce);
    if (relative)
      state = carriedOn(reduce, *relative, before);
    const ChainTerms terms = chainTerms(reduce);
    bool isReference = !terms.functions.empty();
    TypedAttr identity = reduce.getIdentity().front();
    Value input = broadcast(evaluate(terms.elements.root, terms.elements.view), termsShape, loc);
    // What lies beyond the last term is lowest, and relative to the reference nothing.
    if (isReference && isRagged) {
      input = unlessWhole(input, [&] { return maskReduced(reduce, input, identity, loc); });
      tiles[terms.elements.root.getDefiningOp()] = input;
    }
    Value step = reduce.step(builder, loc, input, Value()).front();
    if (!relative && !isReference)
      step = maskReduced(reduce, step, identity, loc);
    Value part = reducedStates(reduce, step, /*acrossBlocks=*/false).front();
    if (terms.factor != 1)
      part = times(part, terms.factor);
    Value after = reduce.merge(builder, reduce.getLoc(), state, part).front();
    // Sums are seldom rescaled where the reference follows the maximum of few rows at a time.
    std::optional<size_t> sum = isReference && terms.base2 && schedule.getOptions().overlapSteps
                                    ? sumBeside(reduce, reduces)
                                    : std::nullopt;
    if (sum) {
      Value summed = states[*sum];
      auto splat = [&](double number) {
        return constant(builder.getF32FloatAttr((float)number), shapeOf(summed), loc);
      };
      auto isLeast = [&](Value tile, double number) {
        return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE, tile, splat(number));
      };
      Value lower = times(arith::SubFOp::create(builder, loc, before, after), log2e);
      Value factor = math::Exp2Op::create(builder, loc, lower, arith::FastMathFlags::afn);
      Value rest = arith::MulFOp::create(builder, loc, summed, factor);
      Value stays = arith::AndIOp::create(builder, loc, isLeast(factor, std::exp2(-kLagBits)),
                                          isLeast(rest, 1 / kLagPart));
      after = arith::SelectOp::create(builder, loc, stays, before, after);
    }
    next.push_back(after);
    moved[reduce] = {before, after};
    if (!isReference)
      continue;
    Value reference = finiteReference(builder, loc, after, identity);
    tiles[reduce] = reference;
    if (!terms.base2)
      continue;
    powersOfTwo.insert(reduce);
    // The same rounded number stands for the reference wherever it is subtracted.
    moved[reduce] = {times(before, log2e), times(after, log2e)};
    Value scale = constant(builder.getF32FloatAttr((float)(terms.factor * log2e)), termsShape, loc);
    Value less = broadcast(times(reference, -log2e), termsShape, loc);
    Value exponents = math::FmaOp::create(builder, loc, input, scale, less);
    for (Operation *function : terms.functions)
      tiles[function] = math::Exp2Op::create(builder, function->getLoc(), exponents,
                                             cast<math::ExpOp>(function).getFastmath());
  }

  // The second product: its sums, relative to the same reference, and what this step adds.
  Value sums = carried.front();
  auto relative = besideReference(product);
  if (relative) {
    Value one = constant(builder.getF32FloatAttr(1.0), rowShape, loc);
    Value factor = carriedOn(product, *relative, one);
    sums = arith::MulFOp::create(builder, loc, sums, broadcast(factor, shapeOf(sums), loc));
  }
  const OperandAccess access = indexing.accesses[product][0];
  Value terms = broadcast(evaluate(access.root, access.view), termsShape, loc);
  if (!relative && isRagged)
    terms = maskReduced(product, terms,
                        cast<TypedAttr>(builder.getZeroAttr(getElementTypeOrSelf(terms.getType()))), loc);
  Value columns = loadMatrix(matrix, all, withMatrix(k, n));
  next.push_back(tile::DotOp::create(builder, loc, sums.getType(), terms, columns, sums, /*tf32=*/false));
  return next;
}

void KernelTiler::emitChain() {
  auto product = cast<graph::MatmulOp>(indexing.anchorOp);
  Location loc = product.getLoc();
  SmallVector<Dim> all(dims);
  const KernelIndexing whole = indexing;
  size_t m = all.size() - 4, k = m + 1, n = m + 2, depth = m + 3;
  SmallVector<size_t> ofTerms = llvm::to_vector(llvm::seq<size_t>(0, m)), ofResult, ofLhs;
  ofResult = ofLhs = ofTerms;
  ofTerms.append({m, k});
  ofResult.append({m, n});
  ofLhs.append({m, depth});
  ArrayRef<OperandAccess> inner = whole.accesses.find(indexing.inner)->second;
  const OperandAccess &matrix = whole.accesses.find(product)->second[1];

  takeDims(all, whole, ofTerms);
  Value lhs = loadMatrix(inner[0], all, ofLhs);
  SmallVector<graph::ReductionOpInterface> reduces;
  for (Operation *op : ops)
    if (auto reduce = graph::asReduction(op))
      reduces.push_back(reduce);
  SmallVector<int64_t> rowShape(dims.size(), 1);
  rowShape[m] = all[m].tile;
  SmallVector<Value> initial, states;
  for (graph::ReductionOpInterface reduce : reduces)
    initial.push_back(constant(reduce.getIdentity().front(), rowShape, loc));
  SmallVector<int64_t> sumsShape(rowShape);
  sumsShape.back() = all[n].tile;
  initial.push_back(constant(cast<TypedAttr>(builder.getZeroAttr(builder.getF32Type())), sumsShape, loc));
  Tiles outside = tiles;
  if (kept && all[k].tile < all[k].extent)
    computeKeptRange(all, k);
  emitLoops((unsigned)k, initial,
            [&](ValueRange carried) {
              SmallVector<Dim> here(all);
              here[k] = dims[k];
              if (keptRange)
                wholeStep = keepsWhole(here[k].offset, here[k].tile);
              SmallVector<Value> next = emitChainStep(carried, lhs, here, inner[1], matrix, reduces);
              wholeStep = Value();
              return next;
            },
            states);
  keptRange.reset();

  // From here on the domain is the result's, whose rows are those of the terms.
  tiles = outside;
  DenseMap<Operation *, std::optional<RelativeElements>> relatives;
  for (graph::ReductionOpInterface reduce : reduces)
    relatives[reduce] = besideReference(reduce);
  relatives[product] = besideReference(product);
  takeDims(all, whole, ofResult);
  DenseMap<Operation *, Value> finals;
  // Elements relative to an infinite reference are no numbers.
  auto settled = [&](Operation *op, Value state) -> Value {
    std::optional<RelativeElements> relative = relatives[op];
    if (!relative)
      return state;
    Value reference = finals.lookup(relative->reference);
    Value nothing = arith::SubFOp::create(builder, loc, reference, reference);
    return arith::AddFOp::create(builder, loc, state, broadcast(nothing, shapeOf(state), loc));
  };
  for (auto [reduce, state] : llvm::zip_first(reduces, states)) {
    finals[reduce] = state;
    tiles[reduce] = reduce.finish(builder, loc, settled(reduce, state));
  }
  auto reduction = cast<graph::ReductionOpInterface>(product.getOperation());
  tiles[product] = reduction.finish(builder, loc, settled(product, states.back()));
  emitStraight();
}
