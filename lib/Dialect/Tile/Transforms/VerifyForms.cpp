// verify-tile-form and verify-schedule-form: what later stages take for granted about thread-block programs.
// Each rule speaks of one op; both passes walk the kernels and ask every rule of every op.

#include "ConvertedOperands.h"
#include "ScratchBytes.h"

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Layout/Conversion.h"
#include "Tilewright/Target/Cuda/Arch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_VERIFYTILEFORM
#define GEN_PASS_DEF_VERIFYSCHEDULEFORM
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Alignment of buffers in shared memory, bytes: what swizzles and ldmatrix count on.
static constexpr int64_t kBufferAlignment = 128;

/// A rule about one op of a kernel: fails, with a diagnostic, when the op breaks it.
using Rule = LogicalResult (*)(KernelOp kernel, Operation *op);

static LinearLayout layoutOf(Value tile) { return getLayout(tile.getType()).getLayout(); }

/// The dimensions in which two tiles of one rank differ in size.
static std::vector<int> differingDims(Value a, Value b) {
  auto first = cast<RankedTensorType>(a.getType()), second = cast<RankedTensorType>(b.getType());
  std::vector<int> dims;
  for (int d = 0; d < (int)first.getRank(); ++d)
    if (first.getDimSize(d) != second.getDimSize(d))
      dims.push_back(d);
  return dims;
}

//===-- Tile form -----------------------------------------------------------------------------------===//

// tile_form_2
static LogicalResult isKernelOp(KernelOp, Operation *op) {
  bool known = isa_and_nonnull<arith::ArithDialect, math::MathDialect, TileDialect>(op->getDialect()) ||
               isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op);
  return known
             ? success()
             : op->emitOpError("has no place in a kernel: only arith, math, scf.for, scf.if and tile ops do");
}

// tile_form_2
static LogicalResult leavesSharedMemoryAlone(KernelOp, Operation *op) {
  if (isa<AllocOp, LoadSharedOp, StoreSharedOp, CopyAsyncOp, CopyRunOp, LoadRunOp, StoreRunOp, SendRunOp,
          CommitAsyncOp, WaitAsyncOp, BarrierOp, RoleOp, RingOp, StageOfOp, AcquireOp, CommitOp, WaitOp,
          ReleaseOp, CopyBulkOp, StoreBulkOp, WaitStoresOp, FenceAsyncOp, BeginDotOp, DotAsyncOp, AwaitDotsOp,
          AwaitOp>(op))
    return op->emitOpError("has no place in the tile form: shared memory comes with the schedule stage");
  return success();
}

/// The warps that `op` is for: those of an instance of the role around it, or of the kernel.
static int64_t warpsAround(KernelOp kernel, Operation *op) {
  auto role = op->getParentOfType<RoleOp>();
  return role ? (int64_t)role.getWarps() : (int64_t)kernel.getWarps();
}

static LogicalResult verifyTileType(KernelOp kernel, Operation *op, Type type, const Twine &what) {
  if (auto pending = dyn_cast<PendingType>(type))
    type = pending.getTile();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  LayoutAttr attr = getLayout(type);
  if (!attr)
    return op->emitOpError() << what << " of type " << type << " has no layout";
  const LinearLayout &layout = attr.getLayout();
  auto role = op->getParentOfType<RoleOp>();
  int64_t warps = role ? role.getWarps() : kernel.getWarps();
  if (layout.numLanes() == 32 && layout.numWarps() == warps && layout.size(layout::Hw::Block) == 1)
    return success();
  return op->emitOpError() << what << " lies on " << layout.numWarps() << " warps of " << layout.numLanes()
                           << " lanes, the " << (role ? "role" : "kernel") << " has " << warps
                           << " warps of 32";
}

// tile_form_3
static LogicalResult hasLayouts(KernelOp kernel, Operation *op) {
  for (OpResult result : op->getResults())
    if (failed(verifyTileType(kernel, op, result.getType(), "result #" + Twine(result.getResultNumber()))))
      return failure();
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (failed(
              verifyTileType(kernel, op, argument.getType(), "argument #" + Twine(argument.getArgNumber()))))
        return failure();
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return verifyTileType(kernel, op,
                          RankedTensorType::get(copy.getBuffer().getType().getShape(),
                                                copy.getBuffer().getType().getElementType(),
                                                copy.getLayout()),
                          "copied tile");
  return success();
}

// tile_form_4
static LogicalResult holdsOneValue(KernelOp, Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto elements = constant ? dyn_cast<ElementsAttr>(constant.getValue()) : ElementsAttr();
  if (!elements || elements.isSplat())
    return success();
  return op->emitOpError() << "holds " << elements.getNumElements() << " values, a constant tile has one";
}

// tile_form_5
static LogicalResult keepsLayout(KernelOp, Operation *op) {
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
    return success();
  LayoutAttr result = getLayout(op->getResult(0).getType());
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) && getLayout(operand.get().getType()) != result)
      return op->emitOpError() << "operand #" << operand.getOperandNumber()
                               << " has another layout than the result";
  return success();
}

// tile_form_9
static LogicalResult goesAlongRows(KernelOp, Operation *op) {
  if (!isa<ScanOp, SortOp>(op))
    return success();
  if (failed(scratchBytes(op)))
    return failure();
  int64_t dim = op->getAttrOfType<IntegerAttr>("dim").getInt();
  const LinearLayout input = layoutOf(op->getOperand(0)), total = input.project((int)dim).layout;
  unsigned count = op->getNumOperands();
  for (unsigned i = 0; i < count; ++i)
    if (layoutOf(op->getOperand(i)) != input || layoutOf(op->getResult(i)) != input)
      return op->emitOpError() << "operand #" << i << " or its result has another layout than operand #0";
  for (OpResult result : op->getResults().drop_front(count))
    if (layoutOf(result) != total)
      return op->emitOpError() << "result #" << result.getResultNumber()
                               << " does not lie in the projection of the operand's layout along dimension "
                               << dim;
  return success();
}

// tile_form_6
static LogicalResult keepsProjection(KernelOp, Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    const LinearLayout input = layoutOf(reduce.getInputs()[0]);
    int dim = (int)reduce.getDim();
    if (!layout::reductionPlan(input, {dim}))
      return op->emitOpError() << "the layout " << input.toString() << " cannot be reduced along dimension "
                               << dim;
    for (auto [i, operand] : llvm::enumerate(reduce.getInputs()))
      if (layoutOf(operand) != input)
        return op->emitOpError() << "operand #" << i << " has another layout than operand #0";
    for (OpResult result : op->getResults())
      if (layoutOf(result) != input.project(dim).layout)
        return op->emitOpError() << "result #" << result.getResultNumber()
                                 << " does not lie in the projection of the operand's layout along dimension "
                                 << dim;
    return success();
  }
  Value small;
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    small = broadcast.getInput();
  else if (auto gather = dyn_cast<GatherOp>(op))
    small = gather.getOffsets();
  else if (auto take = dyn_cast<TakeOp>(op))
    small = take.getIndices();
  else if (auto take = dyn_cast<TakeSharedOp>(op))
    small = take.getIndices();
  if (small &&
      layoutOf(small) != layoutOf(op->getResult(0)).project(differingDims(small, op->getResult(0))).layout)
    return op->emitOpError() << (isa<GatherOp>(op)               ? "the offsets lie"
                                 : isa<TakeOp, TakeSharedOp>(op) ? "the indices lie"
                                                                 : "the operand lies")
                             << " in no projection of the result's layout";
  return success();
}

// tile_form_7
static LogicalResult holdsFragments(KernelOp kernel, Operation *op) {
  auto dot = dyn_cast<DotOp>(op);
  ProductUnit unit = dot ? productUnit(dot) : ProductUnit::Fma;
  if (unit == ProductUnit::Fma)
    return success();
  LinearLayout lhs = layoutOf(dot.getLhs()), rhs = layoutOf(dot.getRhs()), sum = layoutOf(dot.getResult());
  int bits = (int)storageBits(getElementTypeOrSelf(dot.getLhs().getType())), warps = (int)kernel.getWarps();
  if (unit == ProductUnit::Wgmma) {
    // Loaded operands are read from shared memory, in whatever layout they are loaded here.
    if (std::optional<int> groups = sum.wgmmaGroupsAlongN(warps);
        groups &&
        (convertedLoad(dot.getLhs()) || lhs == LinearLayout::mmaOperandA(lhs.shape(), bits, warps, 1)))
      return success();
    return op->emitOpError() << "left operand and accumulator are no fragments of " << warps
                             << " warps in warpgroups";
  }
  bits = fragmentBits(getElementTypeOrSelf(dot.getLhs().getType()));
  for (int warpsM = 1; warpsM <= warps; warpsM *= 2)
    if (sum == LinearLayout::mmaAccumulator(sum.shape(), warpsM, warps / warpsM) &&
        lhs == LinearLayout::mmaOperandA(lhs.shape(), bits, warpsM, warps / warpsM) &&
        rhs == LinearLayout::mmaOperandB(rhs.shape(), bits, warpsM, warps / warpsM))
      return success();
  return op->emitOpError() << "operands and accumulator are no fragments of one arrangement of " << warps
                           << " warps";
}

static std::optional<layout::ConversionPlan> planOf(ConvertLayoutOp op) {
  return layout::conversionPlan(layoutOf(op.getInput()), layoutOf(op.getResult()),
                                (int)storageBits(getElementTypeOrSelf(op.getType())));
}

// tile_form_8
static LogicalResult hasPlan(KernelOp, Operation *op) {
  auto conversion = dyn_cast<ConvertLayoutOp>(op);
  if (!conversion || planOf(conversion))
    return success();
  return op->emitOpError() << "has no conversion plan from " << layoutOf(conversion.getInput()).toString()
                           << " to " << layoutOf(conversion.getResult()).toString();
}

//===-- Schedule form -------------------------------------------------------------------------------===//

static int64_t sharedBytesOf(KernelOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(KernelOp::getSharedBytesAttrName());
  return bytes ? bytes.getInt() : 0;
}

// schedule_form_1
static LogicalResult staysInRegisters(KernelOp, Operation *op) {
  if (isa<TakeOp>(op))
    return op->emitOpError("takes elements that other threads hold; run tile-expand-takes");
  auto conversion = dyn_cast<ConvertLayoutOp>(op);
  if (!conversion)
    return success();
  if (int64_t bytes = planOf(conversion)->sharedBytes())
    return op->emitOpError() << "takes " << bytes << " bytes of shared memory; run tile-expand-conversions";
  return success();
}

// schedule_form_2
static LogicalResult isPlaced(KernelOp kernel, Operation *op) {
  auto alloc = dyn_cast<AllocOp>(op);
  if (!alloc)
    return success();
  if (!alloc.getOffset())
    return op->emitOpError("has no offset; run tile-allocate-shared");
  int64_t begin = *alloc.getOffset(),
          end = begin + alloc.getType().getStages() * alloc.getType().getStageBytes();
  if (begin < 0 || begin % kBufferAlignment)
    return op->emitOpError() << "starts at byte " << begin << ", not at a multiple of " << kBufferAlignment;
  if (end > sharedBytesOf(kernel))
    return op->emitOpError() << "ends at byte " << end << ", the kernel has " << sharedBytesOf(kernel)
                             << " bytes of shared memory";
  return success();
}

// schedule_form_2
static LogicalResult hasBarriers(KernelOp kernel, Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring)
    return success();
  if (!ring.getOffset())
    return op->emitOpError("has no offset; run tile-allocate-shared");
  int64_t begin = *ring.getOffset(), end = begin + ring.getType().getStages() * 16;
  if (begin < 0 || begin % 8 || end > sharedBytesOf(kernel))
    return op->emitOpError() << "has barriers in bytes [" << begin << ", " << end << ") of the kernel's "
                             << sharedBytesOf(kernel) << " bytes of shared memory, from a multiple of 8 on";
  return success();
}

// schedule_form_7
static LogicalResult fitsBlock(KernelOp kernel) {
  int64_t warps = 0;
  for (auto role : kernel.getBody().getOps<RoleOp>())
    warps = llvm::alignTo(warps, 4) + (int64_t)role.getWarps() * (int64_t)role.getInstances();
  if (warps <= (int64_t)kernel.getWarps())
    return success();
  return kernel.emitOpError() << "@" << kernel.getSymName() << " has " << kernel.getWarps()
                              << " warps, its roles take " << warps;
}

// schedule_form_8
static LogicalResult isWarpgroupProduct(KernelOp kernel, Operation *op) {
  auto dot = dyn_cast<DotAsyncOp>(op);
  if (!dot)
    return success();
  RankedTensorType tile = dot.getType().getTile();
  int64_t warps = warpsAround(kernel, op);
  LayoutAttr layout = getLayout(tile);
  if (!layout || warps % 4 != 0 || !layout.getLayout().wgmmaGroupsAlongN((int)warps))
    return op->emitOpError() << "has accumulators that " << warps
                             << " warps do not share in whole warpgroups";
  auto lhs = dyn_cast<RankedTensorType>(dot.getLhs().getType());
  if (lhs && layoutOf(dot.getLhs()) != LinearLayout::mmaOperandA(layoutOf(dot.getLhs()).shape(),
                                                                 (int)storageBits(lhs.getElementType()),
                                                                 (int)warps, 1))
    return op->emitOpError() << "has a left operand in registers that is no fragment of " << warps
                             << " warps";
  return success();
}

// schedule_form_3
static LogicalResult hasScratch(KernelOp kernel, Operation *op) {
  FailureOr<int64_t> bytes = scratchBytes(op);
  if (failed(bytes))
    return failure();
  if (*bytes == 0)
    return success();
  auto scratch = op->getAttrOfType<IntegerAttr>(kScratchAttrName);
  if (!scratch)
    return op->emitOpError()
           << "needs " << *bytes
           << " bytes of shared memory across warps and has no place; run tile-allocate-shared";
  if (scratch.getInt() < 0 || scratch.getInt() + *bytes > sharedBytesOf(kernel))
    return op->emitOpError() << "partial results in bytes [" << scratch.getInt() << ", "
                             << scratch.getInt() + *bytes << ") lie outside the kernel's "
                             << sharedBytesOf(kernel) << " bytes of shared memory";
  return success();
}

// schedule_form_5
static LogicalResult isFed(KernelOp, Operation *op) {
  auto dot = dyn_cast<DotOp>(op);
  if (!dot)
    return success();
  if (productUnit(dot) == ProductUnit::Wgmma)
    return op->emitOpError() << "of a warpgroup is not started and awaited; run tile-async-products";
  if (productUnit(dot) == ProductUnit::Fma)
    return op->emitOpError() << "of " << getElementTypeOrSelf(dot.getLhs().getType())
                             << " has no matrix instruction; run tile-stage-products";
  for (unsigned i : {0u, 1u}) {
    Value operand = dot->getOperand(i);
    while (auto conversion = operand.getDefiningOp<ConvertLayoutOp>())
      operand = conversion.getInput();
    // A left operand that a loop's products share stays in registers.
    if (auto load = operand.getDefiningOp<LoadOp>(); load && (i == 1 || load->getBlock() == op->getBlock()))
      return op->emitOpError() << "operand #" << i
                               << " comes straight from global memory; run tile-stage-products";
  }
  return success();
}

// schedule_form_9
static LogicalResult keepsRegisters(KernelOp, Operation *op) {
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice)
    return success();
  const LinearLayout whole = layoutOf(slice.getInput()), part = layoutOf(slice.getResult());
  bool held = whole.bases(layout::Hw::Lane) == part.bases(layout::Hw::Lane) &&
              whole.bases(layout::Hw::Warp) == part.bases(layout::Hw::Warp);
  for (int r = 0; held && r < part.numRegisters(); ++r) {
    layout::Coord coord = part.apply(r, 0, 0);
    for (auto [c, offset] : llvm::zip_equal(coord, slice.getOffsets()))
      c += (int32_t)offset;
    held = whole.registerAt(coord).has_value();
  }
  return held ? success()
              : LogicalResult(op->emitOpError("takes elements that lie in registers of other threads"));
}

// schedule_form_4
static LogicalResult fitsChip(KernelOp kernel) {
  const Arch *largest = nullptr;
  for (const Arch &arch : allArchs())
    if (!largest || arch.sharedBytesPerBlock > largest->sharedBytesPerBlock)
      largest = &arch;
  if (sharedBytesOf(kernel) <= (int64_t)largest->sharedBytesPerBlock)
    return success();
  return kernel.emitOpError() << "@" << kernel.getSymName() << " needs " << sharedBytesOf(kernel)
                              << " bytes of shared memory, a block can have " << largest->sharedBytesPerBlock
                              << " (" << largest->name << ")";
}

// schedule_form_6
static LogicalResult awaitsCopies(KernelOp kernel) {
  bool copies = false, commits = false, waits = false;
  kernel.walk([&](Operation *op) {
    copies |= isa<CopyAsyncOp, CopyRunOp>(op);
    commits |= isa<CommitAsyncOp>(op);
    waits |= isa<WaitAsyncOp>(op);
  });
  if (!copies || (commits && waits))
    return success();
  return kernel.emitOpError() << "@" << kernel.getSymName() << " starts asynchronous copies and never "
                              << (commits ? "awaits" : "commits") << " them";
}

//===-- Passes --------------------------------------------------------------------------------------===//

/// Asks every rule of every op of every kernel; the first that an op breaks has spoken for the op.
static LogicalResult verifyForm(ModuleOp module, ArrayRef<Rule> rules) {
  bool ok = true;
  for (Operation &op : *module.getBody()) {
    if (isa<plan::ProgramOp>(op))
      continue;
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel) { // tile_form_1
      op.emitOpError("has no place beside tile kernels and programs");
      ok = false;
      continue;
    }
    kernel.getBody().walk([&](Operation *inner) {
      ok &= llvm::all_of(rules, [&](Rule rule) { return succeeded(rule(kernel, inner)); });
    });
  }
  return success(ok);
}

/// The rules that compare layouts; they count on hasLayouts.
static constexpr Rule kLayoutRules[] = {keepsLayout, keepsProjection, holdsFragments, hasPlan, goesAlongRows};
static constexpr Rule kScheduleRules[] = {staysInRegisters, isPlaced,           hasScratch,    isFed,
                                          hasBarriers,      isWarpgroupProduct, keepsRegisters};

namespace {
struct VerifyTileForm : tile::impl::VerifyTileFormBase<VerifyTileForm> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyForm(module, {isKernelOp, leavesSharedMemoryAlone, hasLayouts, holdsOneValue})) ||
        failed(verifyForm(module, kLayoutRules)))
      signalPassFailure();
  }
};

struct VerifyScheduleForm : tile::impl::VerifyScheduleFormBase<VerifyScheduleForm> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyForm(module, {isKernelOp, hasLayouts, holdsOneValue})) ||
        failed(verifyForm(module, kLayoutRules)) || failed(verifyForm(module, kScheduleRules)))
      return signalPassFailure();
    for (auto kernel : module.getOps<KernelOp>())
      if (failed(fitsChip(kernel)) || failed(awaitsCopies(kernel)) || failed(fitsBlock(kernel)))
        return signalPassFailure();
  }
};
} // namespace
