// The frame of a tiled kernel: analysis, collapsing of the domain, the kernel op, offsets of the block, loops
// over reduced dimensions that do not fit a tile, and the loop of a product. Values are evaluated in
// EvaluateTiles.cpp.

#include "KernelTiler.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Float8.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Says which units form a product, and in which tiles.
static void remarkProduct(graph::KernelOp kernel, const KernelShape &shape, tile::ScheduleAttr schedule) {
  auto tile =
      llvm::join(llvm::map_range(schedule.getTile(), [](int64_t size) { return std::to_string(size); }), "x");
  if (usesTensorCores(shape.operandType, shape.tf32) ||
      schedule.getOptions().product == tile::ProductUnit::Wgmma) {
    emitRemark(kernel, Remark::MmaChosen, shape.tf32 ? RemarkValue("tf32") : RemarkValue(shape.operandType),
               tile, schedule.getReduce(), schedule.getWarps());
    return;
  }
  StringRef reason = shape.operandType.isF32()
                         ? "tensor cores round f32 operands to tf32, which --precision=tf32 allows"
                         : "tensor cores take bf16, f16 and tf32 operands";
  emitRemark(kernel, Remark::MmaRefused, shape.operandType, tile, schedule.getWarps(), reason);
}

/// Indices along one dimension are 32-bit numbers, also those just past the end; addresses have 64 bits.
static constexpr int64_t kMaxExtent = (int64_t(1) << 31) - (1 << 16);

LogicalResult KernelTiler::run() {
  if (failed(analyze()))
    return failure();
  collapse();
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
  } else {
    planRows();
  }
  createKernel();
  computeOffsets();
  bool fits = llvm::all_of(dims, [](const Dim &dim) { return !dim.reduced || dim.tile >= dim.extent; });
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
  SmallVector<Value> outputs(kernel.getBody().front().getTerminator()->getOperands());
  pressure = tilePressure(indexing, ops, outputs);
  return success();
}

/// A view over [batch…, M, K] or [batch…, K, N] as one over [batch…, M, N, K].
static StridedView overProduct(const StridedView &view, bool isLhs, ArrayRef<int64_t> domain) {
  std::vector<layout::ViewDim> dims = view.dims();
  size_t rank = dims.size();
  layout::ViewDim absent;
  absent.extent = isLhs ? domain[rank - 1] : domain[rank - 2];
  absent.modes = {{absent.extent, 0}};
  if (isLhs) {
    dims.insert(dims.end() - 1, absent);
  } else {
    std::swap(dims[rank - 2], dims[rank - 1]); // K, N to N, K
    dims.insert(dims.end() - 2, absent);
  }
  return StridedView(dims, view.offset());
}

static StridedView withDim(const StridedView &view, int64_t extent) {
  std::vector<layout::ViewDim> dims = view.dims();
  layout::ViewDim absent;
  absent.extent = extent;
  absent.modes = {{extent, 0}};
  dims.push_back(absent);
  return StridedView(dims, view.offset());
}

void KernelTiler::collapse() {
  bool isMatmul = indexing.anchor == graph::Anchor::Matmul;
  SmallVector<int64_t> extents(indexing.domain);
  SmallVector<bool> reduced(indexing.reduced);
  if (isMatmul) {
    extents.push_back(cast<RankedTensorType>(indexing.anchorOp->getOperand(0).getType()).getShape().back());
    reduced.push_back(true);
    // From here on all views are over [batch…, M, N, K].
    for (auto &[op, view] : indexing.views)
      view = withDim(view, extents.back());
    for (auto &[op, places] : indexing.joins)
      for (StridedView &place : places)
        place = withDim(place, extents.back());
    for (auto &[op, accesses] : indexing.accesses)
      for (auto [i, access] : llvm::enumerate(accesses))
        access.view = op == indexing.anchorOp ? overProduct(access.view, i == 0, indexing.domain)
                                              : withDim(access.view, extents.back());
  }
  std::vector<StridedView> views;
  for (auto &[op, view] : indexing.views)
    views.push_back(view);
  for (auto &[op, places] : indexing.joins)
    llvm::append_range(views, places);
  for (Operation *op : ops)
    for (const OperandAccess &access : indexing.accesses[op])
      views.push_back(access.view);
  // Dimensions merge where all views allow it, but never across roles: kept and reduced, M, N and K, and
  // batch dimensions with M only where the right operand is the same for all of them.
  int rank = extents.size();
  auto isOfRhs = [&](int d) {
    const StridedView &rhs = indexing.accesses[indexing.anchorOp][1].view;
    return extents[d] != 1 &&
           llvm::any_of(rhs.dim(d).modes, [](const layout::Mode &m) { return m.stride != 0; });
  };
  auto separate = [&](const std::vector<int> &group, int d) {
    if (reduced[group.back()] != reduced[d])
      return true;
    return isMatmul && (d >= rank - 2 || (d == rank - 3 && llvm::any_of(group, isOfRhs)));
  };
  for (const std::vector<int> &group : layout::collapseDims(views)) {
    int64_t merged = 1;
    for (size_t i = 0; i < group.size(); ++i) {
      if (i == 0 || separate(groups.back(), group[i]) ||
          merged > kMaxExtent / std::max<int64_t>(extents[group[i]], 1)) {
        groups.emplace_back();
        merged = 1;
      }
      groups.back().push_back(group[i]);
      merged *= extents[group[i]];
    }
  }
  for (const std::vector<int> &group : groups) {
    int64_t extent = 1;
    for (int d : group)
      extent *= extents[d];
    dims.push_back({extent, 1, reduced[group.front()], Value(), 0});
  }
  for (auto &[op, view] : indexing.views)
    view = view.collapse(groups).simplify();
  for (auto &[op, places] : indexing.joins)
    for (StridedView &place : places)
      place = place.collapse(groups).simplify();
  for (auto &[op, accesses] : indexing.accesses)
    for (OperandAccess &access : accesses)
      access.view = access.view.collapse(groups).simplify();
}

/// The product transposed: N takes the place of M in the domain and in all views, the operands change sides.
void KernelTiler::swapSides() {
  size_t m = dims.size() - 3, n = dims.size() - 2;
  auto swapDims = [&](StridedView &view) {
    std::vector<layout::ViewDim> viewDims = view.dims();
    std::swap(viewDims[m], viewDims[n]);
    view = StridedView(viewDims, view.offset());
  };
  std::swap(dims[m], dims[n]);
  for (auto &[op, view] : indexing.views)
    swapDims(view);
  for (auto &[op, places] : indexing.joins)
    llvm::for_each(places, swapDims);
  for (auto &[op, accesses] : indexing.accesses)
    for (OperandAccess &access : accesses)
      swapDims(access.view);
  auto &operands = indexing.accesses[indexing.anchorOp];
  std::swap(operands[0], operands[1]);
}

/// Whether a tensor map can describe an operand: plain strides, one of them 1, the others of whole 16 bytes.
static bool isBulkOperand(const StridedView &view, int64_t bytes) {
  constexpr int64_t unit = 16;
  bool contiguous = false;
  for (const layout::ViewDim &dim : view.dims()) {
    if (dim.extent == 1)
      continue;
    if (!dim.isIdentity() || dim.modes.size() != 1)
      return false;
    contiguous |= dim.modes[0].stride == 1;
    if (dim.modes[0].stride != 1 && dim.modes[0].stride * bytes % unit != 0)
      return false;
  }
  return contiguous && view.offset() * bytes % unit == 0;
}

SmallVector<ModelledSchedule> KernelTiler::modelledSchedules() {
  if (!arch || indexing.anchor != graph::Anchor::Matmul)
    return {};
  KernelShape shape = describe();
  tile::ScheduleAttr byWarps = chooseSchedule(kernel.getContext(), shape);
  SmallVector<ModelledSchedule> found = warpgroupSchedules(kernel.getContext(), shape, *arch);
  found.push_back({byWarps, modelProduct(byWarps, shape, *arch)});
  llvm::stable_sort(found, [](const ModelledSchedule &a, const ModelledSchedule &b) {
    return a.microseconds < b.microseconds;
  });
  return found;
}

/// The fastest schedule by the models of warpgroups and of single warps, where the chip is known.
tile::ScheduleAttr KernelTiler::chooseOwnSchedule() {
  SmallVector<ModelledSchedule> found = modelledSchedules();
  chosenBy = found.empty() ? "rule" : "model";
  if (found.empty())
    return chooseSchedule(kernel.getContext(), describe());
  modelled = found.front().microseconds;
  if (found.size() > 1)
    emitRemark(kernel, Remark::ScheduleModelled, found[0].schedule, found[0].microseconds);
  for (const ModelledSchedule &other : ArrayRef(found).drop_front().take_front(2))
    emitRemark(kernel, Remark::ScheduleRejected, other.schedule, other.microseconds);
  return found.front().schedule;
}

FailureOr<SmallVector<ModelledSchedule>> KernelTiler::listSchedules() {
  if (failed(analyze()))
    return failure();
  collapse();
  SmallVector<ModelledSchedule> found = modelledSchedules();
  if (found.empty())
    found.push_back({chooseSchedule(kernel.getContext(), describe()), 0});
  // What a later stage would refuse is no candidate.
  ScopedDiagnosticHandler quiet(kernel.getContext(), [](Diagnostic &) { return success(); });
  llvm::erase_if(
      found, [&](const ModelledSchedule &candidate) { return failed(checkSchedule(candidate.schedule)); });
  return found;
}

/// Whether the operands are fp32, of which two tf32 numbers each are multiplied.
static bool splitsOperands(graph::MatmulOp matmul) {
  return matmul.getPrecision() == graph::Precision::TF32x3 &&
         getElementTypeOrSelf(matmul.getLhs().getType()).isF32();
}

/// Elements of K after which the product's sums go into fp32 registers; 0: the tensor cores carry them on.
static int64_t promotionOf(graph::MatmulOp matmul) {
  constexpr int64_t byDefault = 128;
  constexpr int64_t ofSplits = 32;
  if (splitsOperands(matmul))
    return ofSplits;
  if (!isFloat8(getElementTypeOrSelf(matmul.getLhs().getType())))
    return 0;
  return (int64_t)matmul.getPromotion().value_or(byDefault);
}

KernelShape KernelTiler::describe() {
  KernelShape shape;
  shape.anchor = indexing.anchor;
  shape.pressure = pressure;
  shape.sharedLimit = sharedLimit;
  for (const Dim &dim : dims) {
    shape.extents.push_back(dim.extent);
    shape.reduced.push_back(dim.reduced);
  }
  shape.contiguousBytes.assign(dims.size(), 0);
  shape.elementBytes = 1;
  auto count = [&](const StridedView &view, Type type) {
    int64_t bytes = tile::storageBits(getElementTypeOrSelf(type)) / 8;
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
    if (best >= 0)
      shape.contiguousBytes[best] += elements * bytes;
  };
  for (Operation *op : ops)
    for (const OperandAccess &access : indexing.accesses.find(op)->second)
      if (isa<BlockArgument>(access.root))
        count(access.view, access.root.getType());
  for (Value output : kernel.getBody().front().getTerminator()->getOperands())
    if (auto it = indexing.views.find(output.getDefiningOp()); it != indexing.views.end())
      count(it->second, output.getType());
  for (Value output : kernel.getBody().front().getTerminator()->getOperands())
    shape.storedBytes += tile::storageBits(getElementTypeOrSelf(output.getType())) / 8;
  shape.keptBytes = keptBytes();
  for (Operation *op : ops)
    shape.levels = std::max<int64_t>(shape.levels, plainLevel(op));
  shape.clusterBlocks = arch ? (int64_t)arch->clusterBlocks : 1;
  shape.results = kernel.getNumResults();
  shape.scans = llvm::any_of(ops, [](Operation *op) { return isa<graph::ScanOp>(op); });
  shape.wholeRows = !whyNoRowLoop().empty();
  shape.sorts = llvm::any_of(ops, [](Operation *op) { return isa<graph::SortOp>(op); });
  if (auto matmul = dyn_cast<graph::MatmulOp>(indexing.anchorOp)) {
    shape.operandType = getElementTypeOrSelf(matmul.getLhs().getType());
    shape.tf32 = matmul.getPrecision() == graph::Precision::TF32;
    shape.splits = splitsOperands(matmul);
    shape.promotion = promotionOf(matmul);
    int64_t bytes = tile::storageBits(shape.operandType) / 8;
    shape.bulkOperands = llvm::all_of(indexing.accesses[matmul], [&](const OperandAccess &access) {
      return isBulkOperand(access.view, bytes);
    });
    auto isAlongK = [&](unsigned operand) {
      const layout::ViewDim &along = indexing.accesses[matmul][operand].view.dims().back();
      return !along.modes.empty() && along.modes.back().stride == 1;
    };
    shape.lhsAlongK = isAlongK(0);
    shape.rhsAlongK = isAlongK(1);
  }
  return shape;
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
    if (!dim.reduced)
      blocks *= dim.clusters();
  // The blocks of a cluster have parts of one tile, or neighbouring tiles.
  int64_t parts = schedule.getOptions().splitK * schedule.getOptions().clusterBlocks() * rowBlocks;
  blocks *= parts;
  tileKernel = tile::KernelOp::create(
      builder, kernel.getLoc(), kernel.getSymName(), builder.getFunctionType(types, {}),
      builder.getDenseI64ArrayAttr({blocks, 1, 1}), (uint64_t)schedule.getWarps(), nullptr, nullptr, nullptr);
  tileKernel->setAttr(tile::KernelOp::getScheduleAttrName(), schedule);
  NamedAttrList chosen;
  chosen.append("by", builder.getStringAttr(chosenBy));
  if (modelled > 0)
    chosen.append("us", builder.getF64FloatAttr(modelled));
  tileKernel->setAttr(kChosenAttrName, chosen.getDictionary(builder.getContext()));
  if (parts > 1)
    tileKernel->setAttr(tile::KernelOp::getClusterAttrName(), builder.getI64IntegerAttr(parts));
  if (keepsRows)
    tileKernel->setAttr(tile::KernelOp::getKeptBytesAttrName(), builder.getI64IntegerAttr(mostKeptBytes()));
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

/// Offsets along M and N of a product whose tiles are walked `group` rows at a time, column by column; leaves
/// the index of the batch in `rest`.
void KernelTiler::computeGroupedOffsets(Value &rest) {
  Location loc = kernel.getLoc();
  Dim &m = dims[dims.size() - 3], &n = dims[dims.size() - 2];
  int64_t rows = m.clusters(), columns = n.clusters();
  int64_t group = std::min((int64_t)llvm::divideCeil(schedule.getOptions().group, m.cluster), rows);
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value number = arith::RemUIOp::create(builder, loc, rest, constant(rows * columns));
  rest = arith::DivUIOp::create(builder, loc, rest, constant(rows * columns));
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
  Value column = arith::DivUIOp::create(builder, loc, inGroup, height);
  m.offset = arith::MulIOp::create(builder, loc, tileIndex(m, row), constant(m.tile));
  n.offset = arith::MulIOp::create(builder, loc, tileIndex(n, column), constant(n.tile));
  m.divisor = rows * m.cluster == 1 ? 0 : m.tile;
  n.divisor = columns * n.cluster == 1 ? 0 : n.tile;
}

/// The block's tile along `dim`, in the given cluster (null: the first one).
Value KernelTiler::tileIndex(const Dim &dim, Value cluster) {
  if (dim.cluster == 1)
    return cluster;
  if (!cluster)
    return placeInCluster;
  Location loc = kernel.getLoc();
  Value first =
      arith::MulIOp::create(builder, loc, cluster, arith::ConstantIndexOp::create(builder, loc, dim.cluster));
  return arith::AddIOp::create(builder, loc, first, placeInCluster);
}

void KernelTiler::computeOffsets() {
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value rest = tile::BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
  int64_t left = tileKernel.getGrid()[0];
  // Neighbouring blocks, which form a cluster, have the parts of one tile.
  if (int64_t parts = schedule.getOptions().splitK * rowBlocks; parts > 1) {
    Value count = arith::ConstantIndexOp::create(builder, loc, parts);
    partOfK = arith::RemUIOp::create(builder, loc, rest, count);
    rest = arith::DivUIOp::create(builder, loc, rest, count);
    left /= parts;
  }
  if (int64_t blocks = schedule.getOptions().clusterBlocks(); blocks > 1) {
    Value count = arith::ConstantIndexOp::create(builder, loc, blocks);
    placeInCluster = arith::RemUIOp::create(builder, loc, rest, count);
    rest = arith::DivUIOp::create(builder, loc, rest, count);
    left /= blocks;
  }
  bool grouped = indexing.anchor == graph::Anchor::Matmul && schedule.getOptions().group;
  if (grouped)
    computeGroupedOffsets(rest);
  // The last kept dimension varies fastest, so that neighbouring blocks touch neighbouring memory.
  for (auto [fromLast, dim] : llvm::enumerate(llvm::reverse(dims))) {
    bool done = grouped && (fromLast == 1 || fromLast == 2);
    if (!done) {
      dim.offset = zero;
      dim.divisor = 0;
    }
    if (dim.reduced) {
      if (dim.parts > 1) {
        dim.divisor = dim.extent / dim.parts;
        dim.offset = arith::MulIOp::create(builder, loc, partOfK,
                                           arith::ConstantIndexOp::create(builder, loc, dim.divisor));
      }
      continue;
    }
    int64_t count = dim.clusters();
    left /= count;
    if (done || (count == 1 && dim.cluster == 1))
      continue;
    Value index = count == 1 ? Value() : rest;
    if (count > 1 && left > 1) {
      Value divisor = arith::ConstantIndexOp::create(builder, loc, count);
      index = arith::RemUIOp::create(builder, loc, rest, divisor);
      rest = arith::DivUIOp::create(builder, loc, rest, divisor);
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
  for (unsigned i = 0; i < kernel.getResultTypes().size(); ++i)
    storeOutput(i);
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
  while (d < dims.size() && !(dims[d].reduced && dims[d].tile < dims[d].extent))
    ++d;
  if (d == dims.size()) {
    results = body(carried);
    return;
  }
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  int64_t length = dims[d].reduced ? dims[d].extent / dims[d].parts : dims[d].extent;
  Value end = arith::ConstantIndexOp::create(builder, loc, length);
  Value step = arith::ConstantIndexOp::create(builder, loc, dims[d].tile);
  auto loop = scf::ForOp::create(builder, loc, zero, end, step, carried);
  OpBuilder::InsertionGuard guard(builder);
  // A loop without carried values comes with its terminator.
  if (carried.empty())
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(loop.getBody());
  Dim outer = dims[d];
  dims[d].offset = loop.getInductionVar();
  if (dims[d].reduced && dims[d].parts > 1)
    dims[d].offset = arith::AddIOp::create(builder, loc, outer.offset, loop.getInductionVar());
  if (fromEnd) {
    int64_t last = (llvm::divideCeil(length, dims[d].tile) - 1) * dims[d].tile;
    dims[d].offset = arith::SubIOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, last),
                                           loop.getInductionVar());
  }
  dims[d].divisor = dims[d].tile;
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
  // One pass over the reduced dimensions for each level of reductions that need one another's results.
  for (int level = 1; level <= deepest; ++level) {
    SmallVector<graph::ReductionOpInterface> reduces;
    for (Operation *op : ops)
      if (auto reduce = graph::asReduction(op); reduce && levelOf(op) == level)
        reduces.push_back(reduce);
    SmallVector<Value> initial;
    for (graph::ReductionOpInterface reduce : reduces) {
      SmallVector<bool> depends = support(indexing.views.find(reduce)->second);
      for (size_t d = 0; d < dims.size(); ++d)
        depends[d] = depends[d] || dims[d].reduced;
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
              after = reduce.rescale(builder, reduce.getLoc(), before, from, to);
              after = reduce.merge(builder, reduce.getLoc(), after, partialStates(reduce, *relative, to));
            } else {
              after = reduce.merge(builder, reduce.getLoc(), before, partialStates(reduce));
            }
            moved[reduce] = {before.front(), after.front()};
            llvm::append_range(next, after);
          }
          return next;
        },
        states);
    tiles = outside;
    ValueRange left = states;
    DenseMap<Operation *, Value> finals;
    for (graph::ReductionOpInterface reduce : reduces) {
      size_t count = reduce.getStateTypes().size();
      SmallVector<Value> state(left.take_front(count));
      left = left.drop_front(count);
      finals[reduce] = state.front();
      auto relative = besideReference(reduce);
      if (!relative) {
        tiles[reduce] = finishReduce(reduce, state);
        continue;
      }
      // Each position of the tile has its own reference so far.
      Value reference = tiles[relative->reference], from = finals[relative->reference];
      Value to = broadcast(reference, cast<RankedTensorType>(from.getType()).getShape(), loc);
      Value result = finishReduce(reduce, reduce.rescale(builder, loc, state, from, to));
      // Elements relative to an infinite reference are no numbers.
      Value nothing = arith::SubFOp::create(builder, loc, reference, reference);
      tiles[reduce] = arith::AddFOp::create(builder, loc, result, nothing);
    }
    for (Operation *op : ops)
      if (levelOf(op) <= level && isRowLevel(op))
        evaluateOp(op);
  }
  SmallVector<unsigned> whole;
  for (auto [i, output] : llvm::enumerate(kernel.getBody().front().getTerminator()->getOperands())) {
    if (isRowLevel(output.getDefiningOp()))
      storeOutput(i);
    else
      whole.push_back(i);
  }
  if (whole.empty())
    return;
  SmallVector<Value> carried, left;
  bool fromEnd = false;
  for (Operation *op : ops)
    if (auto scan = dyn_cast<graph::ScanOp>(op)) {
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

StringRef KernelTiler::whyNoRowLoop() const {
  bool scans = false, reduces = false, reverse = false, forward = false;
  for (Operation *op : ops) {
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

/// The sum over the parts of K. Each block goes on with a part of the tile: of rows or columns, so that those
/// of the other dimension, along which the first result is contiguous, stay whole.
Value KernelTiler::sumOfParts(Value accumulator) {
  Location loc = kernel.getLoc();
  int64_t parts = schedule.getOptions().splitK;
  size_t m = dims.size() - 3, n = dims.size() - 2;
  Value output = kernel.getBody().front().getTerminator()->getOperand(0);
  auto view = indexing.views.find(output.getDefiningOp());
  auto isContiguous = [&](size_t d) {
    if (view == indexing.views.end())
      return d == n;
    const std::vector<layout::Mode> &modes = view->second.dim(d).modes;
    return !modes.empty() && modes.back().stride == 1;
  };
  size_t cut = isContiguous(m) && !isContiguous(n) ? n : m;
  if (dims[cut].tile % parts != 0)
    cut = cut == m ? n : m;
  Dim &dim = dims[cut];
  dim.tile /= parts;
  dim.parts = parts;
  Value size = arith::ConstantIndexOp::create(builder, loc, dim.tile);
  dim.offset =
      arith::AddIOp::create(builder, loc, dim.offset, arith::MulIOp::create(builder, loc, partOfK, size));
  dim.divisor = dim.tile;
  auto type = cast<RankedTensorType>(accumulator.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[cut] = dim.tile;
  return tile::SumBlocksOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()),
                                   accumulator, cut, parts);
}

/// An fp32 tile as the sum of two of tf32 numbers; the rest of an infinite one is zero.
std::pair<Value, Value> KernelTiler::splitTf32(Value tile) {
  Location loc = kernel.getLoc();
  auto type = cast<RankedTensorType>(tile.getType());
  auto rounded = [&](Value value) -> Value {
    Value narrow = arith::TruncFOp::create(builder, loc, type.clone(builder.getTF32Type()), value);
    return arith::ExtFOp::create(builder, loc, type, narrow);
  };
  auto splat = [&](float value) {
    return constant(builder.getF32FloatAttr(value), SmallVector<int64_t>(type.getShape()), loc);
  };
  Value high = rounded(tile), rest = arith::SubFOp::create(builder, loc, tile, high);
  Value isFinite = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                         math::AbsFOp::create(builder, loc, rest), splat(INFINITY));
  return {high, rounded(arith::SelectOp::create(builder, loc, isFinite, rest, splat(0)))};
}

void KernelTiler::emitMatmul() {
  auto matmul = cast<graph::MatmulOp>(indexing.anchorOp);
  Location loc = matmul.getLoc();
  size_t n = dims.size() - 2, k = dims.size() - 1;
  // Tiles of products drop K or N: [1…, M, K], [1…, K, N], [1…, M, N].
  ArrayRef<OperandAccess> operands = indexing.accesses[matmul];
  Type element = getElementTypeOrSelf(matmul.getLhs().getType());
  Type accumulatorType = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 64
                             ? builder.getF32Type()
                         : isa<FloatType>(element) ? element
                                                   : getElementTypeOrSelf(matmul.getType());
  SmallVector<int64_t> shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.tile);
  shape.pop_back();
  SmallVector<int64_t> lhsShape(shape), rhsShape(shape);
  lhsShape[n] = dims[k].tile;
  rhsShape[n - 1] = dims[k].tile;
  // Steps along K, and those of one part; parts that share them unequally read beyond the end, zeros.
  int64_t steps = llvm::divideCeil(dims[k].extent, dims[k].tile), parts = schedule.getOptions().splitK;
  int64_t trips = llvm::divideCeil(steps, parts);
  bool wholeK = dims[k].isWhole() && steps % parts == 0;
  // The operand's view over the dimensions its tile has.
  auto operandView = [&](const StridedView &view, bool isLhs) {
    std::vector<layout::ViewDim> viewDims = view.dims();
    viewDims.erase(viewDims.begin() + (isLhs ? n : n - 1));
    if (!isLhs)
      std::swap(viewDims[n - 1], viewDims[n]); // N, K to K, N
    return StridedView(viewDims, view.offset());
  };
  auto load = [&](const OperandAccess &access, bool isLhs, ArrayRef<int64_t> tileSizes) -> Value {
    StridedView view = operandView(access.view, isLhs);
    SmallVector<unsigned> order;
    for (unsigned d = 0; d + 3 < dims.size(); ++d)
      order.push_back(d);
    order.push_back(isLhs ? n - 1 : k);
    order.push_back(isLhs ? k : n);
    Bounds b;
    for (auto [i, d] : llvm::enumerate(order)) {
      b.indices.push_back(dims[d].offset);
      b.divisors.push_back(dims[d].divisor);
      b.inBounds.push_back(view.dim(i).isTotal() && (d == k ? wholeK : dims[d].isWhole()));
    }
    auto type = RankedTensorType::get(tileSizes, getElementTypeOrSelf(access.root.getType()));
    return tile::LoadOp::create(builder, loc, type, viewOf(access.root, view, loc), b.indices, b.divisors,
                                b.inBounds, TypedAttr());
  };
  Value zero = constant(cast<TypedAttr>(builder.getZeroAttr(accumulatorType)), shape, loc);
  SmallVector<Value> results;
  Value firstStep, start;
  if (parts > 1) {
    dims[k].extent = trips * dims[k].tile;
    start = arith::MulIOp::create(builder, loc, partOfK,
                                  arith::ConstantIndexOp::create(builder, loc, dims[k].extent));
  }
  if (schedule.getOptions().rotateK && trips > 1) {
    Value number = tile::BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
    Value step =
        arith::RemUIOp::create(builder, loc, number, arith::ConstantIndexOp::create(builder, loc, trips));
    firstStep =
        arith::MulIOp::create(builder, loc, step, arith::ConstantIndexOp::create(builder, loc, dims[k].tile));
  }
  auto body = [&](ValueRange carried) {
    if (firstStep) {
      // The step's place, counted from the tile's own first one and round.
      Value size = arith::ConstantIndexOp::create(builder, loc, trips * dims[k].tile);
      Value place = arith::AddIOp::create(builder, loc, dims[k].offset, firstStep);
      Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place, size);
      dims[k].offset = arith::SelectOp::create(builder, loc, inside, place,
                                               arith::SubIOp::create(builder, loc, place, size));
    }
    if (start) {
      dims[k].offset = arith::AddIOp::create(builder, loc, dims[k].offset, start);
      dims[k].divisor = dims[k].tile;
    }
    Value lhs = load(operands[0], true, lhsShape), rhs = load(operands[1], false, rhsShape);
    bool tf32 = matmul.getPrecision() == graph::Precision::TF32;
    // Each step's sum is one of its own where the tensor cores' is not to be carried on.
    bool onWarpgroups = schedule.getOptions().product == tile::ProductUnit::Wgmma;
    bool promotes = promotionOf(matmul) && onWarpgroups;
    Value sum = promotes ? zero : carried[0];
    auto multiply = [&](Value a, Value b) {
      sum = tile::DotOp::create(builder, loc, carried[0].getType(), a, b, sum, tf32);
    };
    if (splitsOperands(matmul) && onWarpgroups) {
      // The small ones first; the product of both rests is below what fp32 holds.
      tf32 = true;
      auto [lhsHigh, lhsLow] = splitTf32(lhs);
      auto [rhsHigh, rhsLow] = splitTf32(rhs);
      multiply(lhsLow, rhsHigh);
      multiply(lhsHigh, rhsLow);
      multiply(lhsHigh, rhsHigh);
    } else {
      multiply(lhs, rhs);
    }
    if (promotes)
      sum = arith::AddFOp::create(builder, loc, carried[0], sum);
    return SmallVector<Value>{sum};
  };
  emitLoops(k, zero, body, results);
  Value accumulator = parts > 1 ? sumOfParts(results[0]) : results[0];
  shape.assign(cast<RankedTensorType>(accumulator.getType()).getShape().begin(),
               cast<RankedTensorType>(accumulator.getType()).getShape().end());
  Type wanted = getElementTypeOrSelf(matmul.getType());
  if (wanted != accumulatorType)
    accumulator = arith::TruncFOp::create(builder, loc, RankedTensorType::get(shape, wanted), accumulator);
  // From here on the domain has no K; its one element serves views that carry the dimension.
  dims.pop_back();
  auto dropLast = [](StridedView &view) {
    std::vector<layout::ViewDim> viewDims = view.dims();
    viewDims.pop_back();
    view = StridedView(viewDims, view.offset());
  };
  for (auto &[op, view] : indexing.views)
    dropLast(view);
  for (auto &[op, accesses] : indexing.accesses)
    for (OperandAccess &access : accesses)
      dropLast(access.view);
  for (auto &[op, places] : indexing.joins)
    llvm::for_each(places, dropLast);
  tiles[matmul] = accumulator;
  emitStraight();
}
