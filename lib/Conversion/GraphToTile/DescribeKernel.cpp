// What the choice of a schedule depends on: a kernel's shape, what it moves and how its operands lie; and the
// schedules that the models of products offer for it.

#include "KernelTiler.h"

#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Float8.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

bool tilewright::isPlainOperand(const StridedView &view, int64_t batch, int64_t bytes, int64_t unit) {
  bool contiguous = false;
  for (auto [d, dim] : llvm::enumerate(view.dims())) {
    if (dim.extent == 1)
      continue;
    if (!dim.isIdentity() || dim.modes.size() != 1)
      return false;
    bool isNext = dim.modes[0].stride == 1 && (int64_t)d >= batch;
    contiguous |= isNext;
    if (!isNext && dim.modes[0].stride * bytes % unit != 0)
      return false;
  }
  return contiguous && view.offset() * bytes % unit == 0;
}

/// Bytes that one access of a thread can take of an operand.
static int64_t pieceOf(const StridedView &view, int64_t bytes) {
  constexpr int64_t tileMultiple = 16;
  layout::Shape multiples(view.rank(), tileMultiple);
  for (int d = 0; d < view.rank(); ++d)
    if (const layout::ViewDim &dim = view.dim(d);
        dim.extent > 1 && !dim.modes.empty() && dim.modes.back().stride == 1)
      return view.maxVectorElems(d, multiples, (int)bytes * 8) * bytes;
  return bytes;
}

bool KernelTiler::isSteadyOperand(Value operand) {
  if (auto argument = dyn_cast<BlockArgument>(operand))
    return argument.getArgNumber() < steady.size() && steady[argument.getArgNumber()];
  Operation *op = operand.getDefiningOp();
  return op->getNumOperands() == 1 && isSteadyOperand(op->getOperand(0));
}

/// Microseconds that a product is shorter by for each megabyte of an operand that it fetches ahead. (H200,
/// chains of 8 and 16 rows times 4096x4096 whose kernels start early, over those that do not: with 8.4 MB
/// ahead 1.15 us, 12.6 1.3, 16.8 1.5 and 1.55, 25.2 1.7 to 1.9; of 8 rows the forms take 9.8 us with 8.4 MB
/// and 8.4 with 25.2.)
static constexpr double kSavedByMegabyte = 0.042;

int64_t KernelTiler::bytesAhead(tile::ScheduleAttr schedule, const KernelShape &shape) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  graph::MatmulOp first = indexing.products.front();
  bool ofLeft = isSteadyOperand(first.getLhs()), ofRight = isSteadyOperand(first.getRhs());
  if (!inChain || !options.dependentLaunch || ofLeft == ofRight)
    return 0;
  ArrayRef<int64_t> tile = schedule.getTile();
  size_t rank = shape.extents.size();
  int64_t rows = tile[tile.size() - 2], columns = tile.back();
  if (options.swapOperands)
    std::swap(rows, columns);
  auto ofRows = (int64_t)llvm::divideCeil(shape.extents[rank - 3], rows),
       ofColumns = (int64_t)llvm::divideCeil(shape.extents[rank - 2], columns);
  if ((ofLeft ? ofColumns : ofRows) >= tile::kSharingBlocks)
    return 0;
  int64_t steps =
      llvm::divideCeil(llvm::divideCeil(shape.extents.back(), schedule.getReduce()), options.splitK);
  int64_t blocks = std::min(ofRows * ofColumns * options.splitK,
                            (int64_t)arch->numSMs * residentBlocks(schedule, shape, *arch));
  int64_t slot = schedule.getReduce() * shape.storedOperandBytes(ofLeft) *
                 (ofLeft ? rows * shape.lhsTiles : columns * shape.rhsTiles);
  return blocks * slot * std::min(schedule.getStages(), steps);
}

SmallVector<ModelledSchedule> KernelTiler::modelledSchedules(bool unmeasured) {
  if (!arch || indexing.anchor != graph::Anchor::Matmul)
    return {};
  KernelShape shape = describe();
  SmallVector<ModelledSchedule> found = warpgroupSchedules(kernel.getContext(), shape, *arch, unmeasured);
  for (tile::ScheduleAttr byWarps : warpSchedules(kernel.getContext(), shape, *arch))
    found.push_back({byWarps, modelProduct(byWarps, shape, *arch)});
  // What the model errs on by the kind of schedule (utils/bench/fit_product_model.py: what the choices among
  // recorded times lose), where it is not corrected: parts of K take a little longer, and so do single warps
  // that copy fewer than 16 bytes at a time, or whose results are large, with little to multiply in several
  // steps, or many of which read one or two rows of tiles (24x5760x88 in 360 blocks 3.5 to 4.7 us, modelled
  // 2.3; 63x6080x72 in 380 3.9, modelled 2.5).
  constexpr double margin = 1.02, narrowMargin = 1.03, deferredMargin = 0.985, warpMargin = 1.07,
                   alignedMargin = 0.95, manyResultsMargin = 1.2, crowdedMargin = 1.3;
  // Rows by groups, us on an H200: 128 groups of 64, transposed 452, else 418; 8 of 2 216 and 248, 64 of 1
  // 178 and 196.
  constexpr double turnedGroupsMargin = 1.08, emptyGroupsMargin = 1.15;
  // In turns, clusters whose rows begin with lines or at half of them take 1.03 of their modelled time where
  // blocks alone take 0.96 (H200, docs/performance/data/product-forms-half-lines-h200.json).
  constexpr double clusteredMargin = 1.07;
  constexpr int64_t manyResults = 1 << 20;
  size_t rank = shape.extents.size();
  int64_t results = shape.extents[rank - 3] * shape.extents[rank - 2], depth = shape.extents.back();
  auto isCrowded = [&](ArrayRef<int64_t> tile) {
    auto rows = (int64_t)llvm::divideCeil(shape.extents[rank - 3], tile[tile.size() - 2]),
         columns = (int64_t)llvm::divideCeil(shape.extents[rank - 2], tile.back());
    return std::min(rows, columns) <= 2 && rows * columns >= 2 * (int64_t)arch->numSMs;
  };
  auto weighed = [&](const ModelledSchedule &candidate) {
    const tile::ScheduleOptions &options = candidate.schedule.getOptions();
    if (options.product != tile::ProductUnit::Wgmma)
      return candidate.microseconds * (!isAlignedByWarps(candidate.schedule, shape) ? warpMargin
                                       : results > manyResults && depth > 16        ? manyResultsMargin
                                       : isCrowded(candidate.schedule.getTile())    ? crowdedMargin
                                                                                    : alignedMargin);
    if (shape.grouped) {
      bool isEmpty =
          !options.swapOperands && 8 * shape.extents[rank - 3] < candidate.schedule.getTile()[rank - 3];
      bool isTurned = options.swapOperands && options.group;
      return candidate.microseconds * (isEmpty ? emptyGroupsMargin : isTurned ? turnedGroupsMargin : 1);
    }
    if (options.clusterM * options.clusterN > 1 && options.persistent &&
        std::min(shape.lhsUnit, shape.rhsUnit) > kWithinLines)
      return candidate.microseconds * clusteredMargin;
    if (isCorrected(candidate.schedule, shape))
      return candidate.microseconds;
    double least = options.splitK > 1 && !options.swapOperands ? margin : 1;
    // Stores that wait for the next tile's products, which the model does not know, take 1 to 3 % off rows of
    // whole 16 bytes; nobody has measured them of others.
    if (options.deferStores && shape.extents[rank - 2] * shape.storedBytes % kBulkBytes == 0)
      least *= deferredMargin;
    // Two warpgroups' tiles of odd widths ask more often for the rows beside them.
    if (candidate.schedule.getWarps() > 4 && candidate.schedule.getTile().back() % 32)
      least *= narrowMargin;
    return candidate.microseconds * least;
  };
  // What is fetched while the kernels before run is not waited for.
  auto ofChain = [&](const ModelledSchedule &candidate) {
    return weighed(candidate) - kSavedByMegabyte * 1e-6 * (double)bytesAhead(candidate.schedule, shape);
  };
  llvm::stable_sort(
      found, [&](const ModelledSchedule &a, const ModelledSchedule &b) { return ofChain(a) < ofChain(b); });
  return found;
}

/// Instructions that make a float of a byte.
static constexpr int64_t kWidenedByte = 3;

/// How the operands of the kernel's matmuls lie, whose views have K at `lhsK` and `rhsK`, and how they are
/// multiplied.
static void describeOperands(const KernelIndexing &indexing, int lhsK, int rhsK, KernelShape &shape) {
  graph::MatmulOp first = indexing.products.front();
  shape.operandType = getElementTypeOrSelf(first.getLhs().getType());
  shape.tf32 = first.getPrecision() == graph::Precision::TF32;
  shape.splits = splitsOperands(first);
  shape.wideSums = llvm::any_of(indexing.products, [](graph::MatmulOp product) {
    return sumsOf(product).getIntOrFloatBitWidth() > 32;
  });
  shape.promotion = promotionOf(first);
  auto products = (int64_t)indexing.products.size();
  shape.bulkOperands = shape.plainOperands = true;
  // Behind the batch come M and K, K and N, or M, N and K.
  int64_t batch = lhsK == rhsK ? lhsK - 2 : rhsK;
  auto describeSide = [&](unsigned operand, int k, int64_t &piece, int64_t &unit, bool &alongK,
                          int64_t &computedFrom, int64_t &instructions) {
    alongK = true;
    for (graph::MatmulOp product : indexing.products) {
      const OperandAccess &access = indexing.accesses.find(product)->second[operand];
      const StridedView &view = access.view;
      int64_t bytes = tile::storageBits(getElementTypeOrSelf(access.root.getType())) / 8;
      if (!access.prologue.empty())
        computedFrom = std::max(computedFrom, bytes);
      int64_t own = 0;
      for (Operation *op : access.prologue)
        own += bytes == 1 && isa<arith::SIToFPOp, arith::UIToFPOp, arith::ExtFOp>(op) ? kWidenedByte
                                                                                      : instructionsOf(op);
      instructions = std::max(instructions, own);
      const std::vector<layout::Mode> &modes = view.dim(k).modes;
      alongK &= !modes.empty() && modes.back().stride == 1;
      shape.plainOperands &= isPlainOperand(view, batch, bytes, bytes);
      for (const layout::ViewDim &dim : view.dims())
        if (dim.extent > 1 && dim.modes.size() == 1 && dim.modes[0].stride > 1)
          unit = std::gcd(unit, dim.modes[0].stride * bytes);
      if (isPlainOperand(view, batch, bytes, kBulkBytes))
        continue;
      shape.bulkOperands = false;
      piece = std::min(piece ? piece : pieceOf(view, bytes), pieceOf(view, bytes));
    }
  };
  describeSide(0, lhsK, shape.lhsPiece, shape.lhsUnit, shape.lhsAlongK, shape.lhsComputedFrom,
               shape.lhsInstructions);
  describeSide(1, rhsK, shape.rhsPiece, shape.rhsUnit, shape.rhsAlongK, shape.rhsComputedFrom,
               shape.rhsInstructions);
  shape.lhsTiles = indexing.sharesLhs ? 1 : products;
  shape.rhsTiles = indexing.sharesLhs ? products : 1;
}

/// What the model needs of a product whose views are over its operands' own dimensions.
static void describeProducts(const KernelIndexing &indexing, KernelShape &shape) {
  graph::MatmulOp first = indexing.products.front();
  size_t rank = indexing.domain.size();
  ArrayRef<int64_t> lhsShape = cast<RankedTensorType>(first.getLhs().getType()).getShape();
  int64_t m = indexing.domain[rank - 2], batch = 1;
  auto accessesOf = [&](graph::MatmulOp product) -> ArrayRef<OperandAccess> {
    return indexing.accesses.find(product)->second;
  };
  // Batch dimensions that the right operands do not have are rows.
  bool isOfRows = true;
  for (int64_t d = (int64_t)rank - 3; d >= 0; --d) {
    isOfRows = isOfRows && llvm::all_of(indexing.products, [&](graph::MatmulOp product) {
                 return indexing.domain[d] == 1 || !supportOf(accessesOf(product)[1].view)[d];
               });
    (isOfRows ? m : batch) *= indexing.domain[d];
  }
  if (indexing.groups()) {
    m = (int64_t)llvm::divideCeil(m, indexing.domain[rank - 3]);
    shape.grouped = true;
  }
  shape.extents = {batch, m, indexing.domain[rank - 1], lhsShape.back()};
  shape.reduced = {false, false, false, true};
  describeOperands(indexing, (int)rank - 1, (int)rank - 2, shape);
}

/// By the rates alone: what is compared are kernels of one product and of several, and rings that threads
/// fill.
static double fastestProduct(MLIRContext *context, const KernelShape &shape, const Arch &arch) {
  double fastest = modelProduct(chooseSchedule(context, shape), shape, arch);
  for (tile::ScheduleAttr byWarps : warpSchedules(context, shape, arch))
    fastest = std::min(fastest, modelProduct(byWarps, shape, arch));
  // Rings that threads fill are modelled within 20 %: operands are copied first where that is about as fast.
  constexpr double threadsMargin = 1.05;
  double least = shape.lhsPiece || shape.rhsPiece ? threadsMargin : 1;
  for (const ModelledSchedule &candidate : warpgroupSchedules(context, shape, arch))
    fastest = std::min(fastest, least * modelProduct(candidate.schedule, shape, arch, /*corrected=*/false));
  return fastest;
}

double tilewright::modelledProductTime(const KernelIndexing &indexing, const TilePressure &pressure,
                                       int64_t storedBytes, int64_t stores, const Arch &arch) {
  KernelShape shape;
  shape.anchor = indexing.anchor;
  shape.pressure = pressure;
  shape.sharedLimit = arch.sharedBytesPerBlock;
  shape.clusterBlocks = arch.clusterBlocks;
  shape.storedBytes = storedBytes;
  shape.stores = stores;
  describeProducts(indexing, shape);
  return fastestProduct(indexing.anchorOp->getContext(), shape, arch);
}

/// What the shape says of an operand whose rows are `rowBytes` apart.
static void describeRows(int64_t rowBytes, KernelShape &shape, int64_t &piece, int64_t &unit) {
  unit = rowBytes;
  if (rowBytes % kBulkBytes == 0)
    return;
  shape.bulkOperands = false;
  piece = rowBytes & -rowBytes;
}

void ProductInMemory::multiplyAs(graph::MatmulOp matmul) {
  operandType = getElementTypeOrSelf(matmul.getLhs().getType());
  tf32 = matmul.getPrecision() == graph::Precision::TF32;
  splits = splitsOperands(matmul);
  promotion = promotionOf(matmul);
  wideSums = sumsOf(matmul).getIntOrFloatBitWidth() > 32;
}

double tilewright::modelledProductTime(MLIRContext *context, const ProductInMemory &product,
                                       const Arch &arch) {
  KernelShape shape;
  shape.anchor = graph::Anchor::Matmul;
  shape.extents = {product.batch, product.m, product.n, product.k};
  shape.reduced = {false, false, false, true};
  shape.operandType = product.operandType;
  shape.tf32 = product.tf32;
  shape.splits = product.splits;
  shape.promotion = product.promotion;
  shape.wideSums = product.wideSums;
  shape.storedBytes = product.storedBytes;
  shape.sharedLimit = arch.sharedBytesPerBlock;
  shape.clusterBlocks = arch.clusterBlocks;
  shape.lhsAlongK = product.lhsAlongK;
  shape.rhsAlongK = product.rhsAlongK;
  shape.bulkOperands = shape.plainOperands = true;
  shape.lhsTiles = product.lhsTiles;
  shape.rhsTiles = product.rhsTiles;
  describeRows(product.lhsRowBytes, shape, shape.lhsPiece, shape.lhsUnit);
  describeRows(product.rhsRowBytes, shape, shape.rhsPiece, shape.rhsUnit);
  return fastestProduct(context, shape, arch);
}

tile::ScheduleAttr KernelTiler::ruledSchedule(const KernelShape &shape) {
  if (tile::ScheduleAttr pieces = lookBackSchedule())
    return pieces;
  if (tile::ScheduleAttr fromVectors = alignedSchedule(shape))
    return fromVectors;
  tile::ScheduleAttr schedule = chooseSchedule(kernel.getContext(), shape);
  if (!arch)
    return schedule;
  tile::ScheduleAttr fitted = fitTile(kernel, schedule, shape, *arch);
  tile::ScheduleAttr shared = shareRows(fitted, shape, *arch);
  // Loops whose tiles were chosen for how they lie keep these.
  if (fitted == schedule || shape.scans)
    shared = runAhead(shared, shape, *arch);
  return keepTables(kernel, shared, shape, *arch);
}

/// Kernels of a chain start while those before them end: they wait where they read.
tile::ScheduleAttr KernelTiler::launchedInChain(tile::ScheduleAttr schedule) {
  tile::ScheduleOptions options = schedule.getOptions();
  options.dependentLaunch = inChain && arch && arch->dependentLaunch;
  return tile::ScheduleAttr::get(kernel.getContext(), schedule.getTile(), schedule.getReduce(),
                                 schedule.getWarps(), schedule.getWarpGrid(), schedule.getStages(), options);
}

/// The fastest schedule by the models of warpgroups and of single warps, where the chip is known.
tile::ScheduleAttr KernelTiler::chooseOwnSchedule() {
  if (tile::ScheduleAttr inOrder = inOrderSchedule())
    return inOrder;
  SmallVector<ModelledSchedule> found = modelledSchedules();
  chosenBy = found.empty() ? "rule" : "model";
  if (found.empty()) {
    KernelShape shape = describe();
    tile::ScheduleAttr schedule = ruledSchedule(shape);
    // What lookups take no count of bytes tells, but where memory moves sectors for them.
    bool isCached = llvm::all_of(shape.tables, [&](const GatheredTable &table) {
      return arch && (double)(table.extent * table.runBytes) < arch->l2Bytes / 2;
    });
    if (arch && shape.anchor == graph::Anchor::Gather && selectsSingle(shape) && isCached)
      modelled = modelGather(shape, schedule, *arch);
    return launchedInChain(schedule);
  }
  modelled = found.front().microseconds;
  if (found.size() > 1)
    emitRemark(kernel, Remark::ScheduleModelled, found[0].schedule, found[0].microseconds);
  for (const ModelledSchedule &other : ArrayRef(found).drop_front().take_front(2))
    emitRemark(kernel, Remark::ScheduleRejected, other.schedule, other.microseconds);
  return found.front().schedule;
}

/// The schedule of a product that is as unlike the others as can be: fused multiply-adds without a ring.
static tile::ScheduleAttr plainProduct(tile::ScheduleAttr like) {
  SmallVector<int64_t> tile(like.getTile().size(), 1);
  tile[tile.size() - 2] = tile.back() = 64;
  tile::ScheduleOptions options;
  options.product = tile::ProductUnit::Fma;
  return tile::ScheduleAttr::get(like.getContext(), tile, 16, 4, {2, 2}, 1, options);
}

FailureOr<KernelSchedules> KernelTiler::listSchedules() {
  if (failed(analyze()))
    return failure();
  collapse();
  KernelSchedules all;
  // Chains of products have one by rule, and so have rows that are taken in order.
  tile::ScheduleAttr only = indexing.isChain() ? chooseChainSchedule() : inOrderSchedule();
  if (only) {
    all.candidates = {{only, 0}};
    return all;
  }
  if (indexing.anchor == graph::Anchor::Matmul) {
    all.candidates = modelledSchedules(/*unmeasured=*/true);
    if (all.candidates.empty())
      all.candidates.push_back({chooseSchedule(kernel.getContext(), describe()), 0});
    all.reference = plainProduct(all.candidates.front().schedule);
  } else {
    KernelShape shape = describe();
    tile::ScheduleAttr own = ruledSchedule(shape);
    all.isRuled = true;
    all.candidates = neighbouringSchedules(own, shape, *arch);
    all.reference = plainSchedule(own, shape);
  }
  // What a later stage would refuse is no candidate.
  ScopedDiagnosticHandler quiet(kernel.getContext(), [](Diagnostic &) { return success(); });
  llvm::erase_if(all.candidates, [&](const ModelledSchedule &candidate) {
    return failed(checkSchedule(candidate.schedule));
  });
  return all;
}

Type tilewright::sumsOf(graph::MatmulOp matmul) {
  RankedTensorType operand = cast<RankedTensorType>(matmul.getLhs().getType());
  Type element = operand.getElementType(), result = getElementTypeOrSelf(matmul.getType());
  MLIRContext *context = matmul.getContext();
  if (isa<FloatType>(element))
    return element.isF64() ? element : Float32Type::get(context);
  unsigned bits = element.getIntOrFloatBitWidth(), wanted = result.getIntOrFloatBitWidth();
  // A product has a bit less than both operands together, but for the least number's square.
  bool fits =
      wanted <= 32 || 2 * bits - 1 + llvm::Log2_64_Ceil((uint64_t)operand.getShape().back() + 1) <= 32;
  return fits ? IntegerType::get(context, 32) : result;
}

bool tilewright::splitsOperands(graph::MatmulOp matmul) {
  return matmul.getPrecision() == graph::Precision::TF32x3 &&
         getElementTypeOrSelf(matmul.getLhs().getType()).isF32();
}

int64_t tilewright::promotionOf(graph::MatmulOp matmul) {
  constexpr int64_t byDefault = 128;
  constexpr int64_t ofSplits = 32;
  if (splitsOperands(matmul))
    return ofSplits;
  if (!isFloat8(getElementTypeOrSelf(matmul.getLhs().getType())))
    return 0;
  return (int64_t)matmul.getPromotion().value_or(byDefault);
}

/// The stride along a dimension that has one.
static std::optional<int64_t> strideOf(const StridedView &view, int d) {
  ArrayRef<layout::Mode> modes = view.dim(d).modes;
  return modes.size() == 1 && modes[0].stride > 0 ? std::optional(modes[0].stride) : std::nullopt;
}

static TensorAccess accessOf(const StridedView &view, int64_t bytes, bool stores) {
  TensorAccess access;
  access.elementBytes = std::max<int64_t>(bytes, 1);
  access.stores = stores;
  access.begin = view.offset();
  for (const layout::ViewDim &dim : view.dims()) {
    const layout::Mode *inner = nullptr;
    for (const layout::Mode &mode : dim.modes)
      if (mode.extent > 1)
        inner = &mode;
    access.strides.push_back(inner ? std::abs(inner->stride * dim.step) : 0);
    access.begin += inner ? dim.start * inner->stride : 0;
    access.runs.push_back(inner ? inner->extent : dim.extent);
    access.inside.push_back(dim.indicesInBounds());
  }
  return access;
}

int64_t
KernelTiler::bytesOfLoads(function_ref<bool(ArrayRef<bool> depends, const StridedView &view)> counts) {
  int64_t bytes = 0;
  SmallVector<std::pair<Value, StridedView>> seen;
  for (Operation *op : ops)
    for (const OperandAccess &access : indexing.accesses.find(op)->second) {
      if (!isa<BlockArgument>(access.root) || !counts(support(access.view), access.view) ||
          llvm::is_contained(seen, std::pair(access.root, access.view)))
        continue;
      seen.push_back({access.root, access.view});
      bytes += tile::storageBits(getElementTypeOrSelf(access.root.getType())) / 8;
    }
  return bytes;
}

int64_t KernelTiler::loadedBytes() {
  return bytesOfLoads([&](ArrayRef<bool> depends, const StridedView &) {
    return llvm::all_of(llvm::seq<size_t>(0, dims.size()),
                        [&](size_t d) { return depends[d] || dims[d].extent == 1; });
  });
}

/// Bytes of rows of which the first-level cache keeps some for each block. (H200: sums of 1136 gathered
/// elements of each of 38347 fp32 rows, 1956 us where the lanes of a warp have rows of their own.)
static constexpr int64_t kNearBytes = 16 << 10;

KernelShape KernelTiler::describe() {
  KernelShape shape;
  shape.anchor = indexing.anchor;
  shape.pressure = pressure;
  shape.sharedLimit = sharedLimit;
  for (const Dim &dim : dims) {
    shape.extents.push_back(dim.extent);
    shape.reduced.push_back(dim.reduced);
    shape.held.push_back(dim.held);
  }
  shape.contiguousBytes.assign(dims.size(), 0);
  shape.contiguousElement.assign(dims.size(), 1);
  shape.continued.assign(dims.size(), -1);
  shape.elementBytes = 1;
  SmallVector<int64_t> continuedBytes(dims.size(), 0), largest(dims.size(), 0);
  auto count = [&](const StridedView &view, Type type, bool stores) {
    int64_t bytes = tile::storageBits(getElementTypeOrSelf(type)) / 8;
    shape.accesses.push_back(accessOf(view, bytes, stores));
    shape.elementBytes = std::max(shape.elementBytes, bytes);
    int best = -1;
    int64_t elements = 1;
    for (int d = 0; d < (int)dims.size(); ++d) {
      bool depends = llvm::any_of(view.dim(d).modes, [](const layout::Mode &m) { return m.stride != 0; });
      if (depends && dims[d].reduced)
        shape.rowBytes = std::max(shape.rowBytes, bytes);
      elements *= depends ? dims[d].extent : 1;
      if (depends && view.contiguity(d) > 1 && (best < 0 || view.contiguity(d) > view.contiguity(best)))
        best = d;
    }
    if (best < 0)
      return;
    shape.contiguousBytes[best] += elements * bytes;
    if (elements * bytes > largest[best]) {
      largest[best] = elements * bytes;
      shape.contiguousElement[best] = bytes;
    }
    for (int from = best, d = 0; d < (int)dims.size(); ++d) {
      auto end = strideOf(view, from);
      if (!end || d == from || strideOf(view, d) != *end * dims[from].extent)
        continue;
      // What follows single elements of a tensor says little beside what follows rows of another one.
      int64_t weight = from == best ? elements * bytes : elements * bytes / 16;
      if (weight > continuedBytes[from]) {
        shape.continued[from] = d;
        continuedBytes[from] = weight;
      }
      from = d;
      d = -1;
    }
  };
  // Each index of a gather reads a place of its own.
  auto scatter = [&](graph::GatherOp gather, const StridedView &indices) {
    TensorAccess &table = shape.accesses.back();
    auto type = cast<RankedTensorType>(gather.getInput().getType());
    table.selectedFrom = table.elementBytes;
    for (int64_t size : type.getShape().drop_front(gather.getDim()))
      table.selectedFrom *= size;
    int64_t elements = 1, last = -1;
    for (auto [d, depends] : llvm::enumerate(support(indices))) {
      elements *= depends || table.strides[d] != 0 ? dims[d].extent : 1;
      if (!depends || table.strides[d] != 0)
        continue;
      table.strides[d] = kGatheredStride;
      table.runs[d] = table.inside[d] = dims[d].extent;
      last = (int64_t)d;
    }
    // Elements of one short row are near one another, whichever they are, and those of several rows are not.
    int64_t row = type.getDimSize(gather.getDim()) * table.elementBytes;
    if (last >= 0 && table.selectedFrom == row && row <= kNearBytes)
      shape.contiguousBytes[last] += elements * table.elementBytes;
  };
  // What several ops read is loaded once.
  SmallVector<std::pair<Value, StridedView>> seen;
  for (Operation *op : ops)
    for (const OperandAccess &access : indexing.accesses.find(op)->second)
      if (isa<BlockArgument>(access.root) && !llvm::is_contained(seen, std::pair(access.root, access.view))) {
        seen.push_back({access.root, access.view});
        count(access.view, access.root.getType(), /*stores=*/false);
        if (auto gather = dyn_cast<graph::GatherOp>(op); gather && access.root == op->getOperand(0))
          scatter(gather, indexing.accesses.find(op)->second.front().view);
      }
  for (Value output : kernel.getBody().front().getTerminator()->getOperands())
    if (auto it = indexing.views.find(output.getDefiningOp()); it != indexing.views.end())
      count(it->second, output.getType(), /*stores=*/true);
  // What is joined is stored at the place of each part, none of which is the whole.
  for (auto &[op, places] : indexing.joins) {
    int64_t bytes = tile::storageBits(getElementTypeOrSelf(op->getResult(0).getType())) / 8;
    const StridedView &part = indexing.views.find(op)->second;
    auto whole = llvm::find_if(shape.accesses, [&](const TensorAccess &access) {
      return access.stores && access == accessOf(part, bytes, /*stores=*/true);
    });
    if (whole == shape.accesses.end())
      continue;
    shape.accesses.erase(whole);
    for (const StridedView &place : places)
      shape.accesses.push_back(accessOf(place, bytes, /*stores=*/true));
  }
  shape.stores = 0;
  for (Value output : kernel.getBody().front().getTerminator()->getOperands()) {
    int64_t places = indexing.placesOf(output);
    shape.stores += places;
    shape.storedBytes += places * tile::storageBits(getElementTypeOrSelf(output.getType())) / 8;
    shape.places = std::max(shape.places, places);
  }
  shape.tables = gatheredTables();
  shape.keptBytes = keptBytes();
  for (Operation *op : ops)
    shape.levels = std::max<int64_t>(shape.levels, plainLevel(op));
  shape.clusterBlocks = arch ? (int64_t)arch->mostClusterBlocks : 1;
  shape.loadedBytes = loadedBytes();
  if (size_t rank = dims.size(); indexing.anchor == graph::Anchor::Matmul && rank >= 3)
    shape.combinedBytes = bytesOfLoads([&](ArrayRef<bool> depends, const StridedView &) {
      return depends[rank - 3] && depends[rank - 2] && !depends[rank - 1];
    });
  shape.scans =
      llvm::any_of(ops, [&](Operation *op) { return isa<graph::ScanOp>(op) && !indexing.isWithinSteps(op); });
  shape.wholeRows = !whyNoRowLoop().empty();
  shape.isMixed = indexing.isMixed;
  shape.sorts =
      llvm::any_of(ops, [&](Operation *op) { return isa<graph::SortOp>(op) && !indexing.isWithinSteps(op); });
  if (indexing.anchor == graph::Anchor::Matmul)
    describeOperands(indexing, (int)dims.size() - 1, (int)dims.size() - 1, shape);
  // Groups are taken to have as many rows each.
  if (size_t rank = dims.size(); indexing.groups()) {
    shape.extents[rank - 3] = (int64_t)llvm::divideCeil(shape.extents[rank - 3], shape.extents[rank - 4]);
    shape.grouped = true;
  }
  return shape;
}
