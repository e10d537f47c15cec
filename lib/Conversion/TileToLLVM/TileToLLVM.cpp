// convert-tile-to-llvm: each tile.kernel becomes a gpu.module with one function of one thread.

#include "Async.h"

#include "Tilewright/Conversion/Schedules.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_CONVERTTILETOLLVM
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

/// Base pointers come from allocations of at least this alignment: the arena, weights, bound tensors.
static constexpr int64_t kBaseAlignment = 16;

/// Whether the kernel stores to the memory of `view`, under whatever view.
static bool isWritten(Value view) {
  return llvm::any_of(view.getUsers(), [](Operation *user) {
    auto other = dyn_cast<tile::ViewOp>(user);
    return isa<tile::StoreOp, tile::StoreBulkOp>(user) || (other && isWritten(other.getResult()));
  });
}

/// Bytes and alignment of a tensor map.
static constexpr int64_t kMapBytes = 128, kMapAlignment = 64;

/// Adds the tensor maps to the parameters of `func`, whose body is `kernel`'s still; the first thread
/// prefetches them.
static void addTensorMaps(LLVM::LLVMFuncOp func, tile::KernelOp kernel, const AsyncFacts &facts) {
  OpBuilder builder(kernel.getBody());
  Location loc = kernel.getLoc();
  MLIRContext *context = kernel.getContext();
  SmallVector<Value> maps;
  for (auto [i, map] : llvm::enumerate(facts.maps)) {
    unsigned index = facts.firstMap + i;
    maps.push_back(kernel.getBody().front().addArgument(LLVM::LLVMPointerType::get(context), loc));
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), kMapBytes);
    func.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    func.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kMapAlignment));
    func.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
    func.setArgAttr(index, ptx::PtxDialect::getTensorMapAttrName(), map);
  }
  if (maps.empty())
    return;
  Value tid = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  Value first =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, tid, constantInt(builder, loc, 0));
  emitIf(builder, loc, first, [&] {
    for (Value map : maps)
      NVVM::PrefetchOp::create(builder, loc, NVVM::PrefetchCacheLevelAttr(),
                               NVVM::CacheEvictionPriorityAttr(), map,
                               /*predicate=*/Value(), /*tensormap=*/true, /*uniform=*/false,
                               /*in_param_space=*/false);
  });
}

/// Dimensions whose true length the kernel takes, in the order in which it names them.
static llvm::SetVector<StringAttr> trueLengthsOf(tile::KernelOp kernel) {
  llvm::SetVector<StringAttr> symbols;
  kernel.walk([&](tile::TrueLengthOp op) { symbols.insert(op.getSymbolAttr()); });
  return symbols;
}

/// Adds true lengths to the parameters of `func` from `index` on, whose body is `kernel`'s still.
static void addTrueLengths(LLVM::LLVMFuncOp func, tile::KernelOp kernel, unsigned index,
                           const llvm::SetVector<StringAttr> &symbols) {
  Type type = IntegerType::get(kernel.getContext(), 32);
  DenseMap<StringAttr, Value> arguments;
  for (StringAttr symbol : symbols) {
    func.setArgAttr(index++, ptx::PtxDialect::getTrueLengthAttrName(), symbol);
    arguments[symbol] = kernel.getBody().front().addArgument(type, kernel.getLoc());
  }
  kernel.walk([&](tile::TrueLengthOp op) {
    op.getResult().replaceAllUsesWith(arguments.lookup(op.getSymbolAttr()));
    op.erase();
  });
}

/// The module and function that replace `kernel`, with the kernel's body moved in. `blocks`: that share a
/// multiprocessor's registers, where roles move them, else 0.
/// How often the longest loop of a kernel goes round; 1 where products do, or nothing.
static int64_t roundsOf(tile::KernelOp kernel) {
  int64_t rounds = 1;
  WalkResult found = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tile::DotOp, tile::DotAsyncOp, tile::RingOp>(op))
      return WalkResult::interrupt();
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && loop->getParentOp() == kernel)
      if (std::optional<llvm::APInt> trips = loop.getStaticTripCount())
        rounds = std::max(rounds, trips->getSExtValue());
    return WalkResult::advance();
  });
  return found.wasInterrupted() ? 1 : rounds;
}

static LLVM::LLVMFuncOp createFunction(tile::KernelOp kernel, const AsyncFacts &facts, int64_t blocks) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto module = gpu::GPUModuleOp::create(builder, loc, kernel.getSymName());
  builder.setInsertionPointToStart(module.getBody());
  auto shared = kernel->getAttrOfType<IntegerAttr>(tile::KernelOp::getSharedBytesAttrName());
  int64_t sharedBytes = shared ? shared.getInt() : 0;
  if (sharedBytes)
    LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External, "smem", Attribute(),
                           /*alignment=*/1024, /*addrSpace=*/3);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  unsigned numViews = kernel.getArgumentTypes().size();
  SmallVector<Type> types(numViews, pointer);
  types.append(facts.maps.size(), LLVM::LLVMPointerType::get(builder.getContext()));
  llvm::SetVector<StringAttr> lengths = trueLengthsOf(kernel);
  types.append(lengths.size(), builder.getI32Type());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), types);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, kernel.getSymName(), type);
  int64_t threads = (int64_t)kernel.getWarps() * 32;
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                builder.getDenseI32ArrayAttr({(int32_t)threads, 1, 1}));
  // Without it ptxas does not know the registers at entry and ignores what roles ask for.
  if (blocks)
    func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr((int32_t)blocks));
  SmallVector<int64_t> cluster;
  if (kernel.getClusterBlocks() > 1)
    cluster = {kernel.getClusterBlocks(), 1, 1};
  func->setAttr(ptx::PtxDialect::getLaunchAttrName(),
                ptx::LaunchAttr::get(builder.getContext(), kernel.getGrid(), threads, sharedBytes, cluster));
  if (Attribute contract = kernel->getAttr(tile::KernelOp::getContractAttrName()))
    func->setAttr(tile::KernelOp::getContractAttrName(), contract);
  if (Attribute chosen = kernel->getAttr(kChosenAttrName))
    func->setAttr(kChosenAttrName, chosen);
  if (Attribute beside = kernel->getAttr(kBesideAttrName))
    func->setAttr(kBesideAttrName, beside);
  if (int64_t rounds = roundsOf(kernel); rounds > 1)
    func->setAttr(kRoundsAttrName, builder.getI64IntegerAttr(rounds));
  if (Attribute archs = kernel->getAttr(ptx::PtxDialect::getArchsAttrName()))
    func->setAttr(ptx::PtxDialect::getArchsAttrName(), archs);
  bool startsEarly = kernel.walk([](tile::AwaitGridOp) { return WalkResult::interrupt(); }).wasInterrupted();
  for (unsigned i = 0; i < numViews; ++i) {
    func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kBaseAlignment));
    if (Attribute footprint = kernel.getArgAttr(i, ptx::PtxDialect::getFootprintAttrName()))
      func.setArgAttr(i, ptx::PtxDialect::getFootprintAttrName(), footprint);
    // Other blocks write it meanwhile: nothing may move across the waits for them.
    if (auto offset = kernel.getArgAttrOfType<IntegerAttr>(i, tile::KernelOp::getWorkspaceAttrName())) {
      auto view = cast<tile::ViewType>(kernel.getArgumentTypes()[i]);
      int64_t bytes = tile::storageBits(view.getElementType()) / 8;
      for (int64_t size : view.getShape())
        bytes *= size;
      func.setArgAttr(i, ptx::PtxDialect::getWorkspaceAttrName(),
                      builder.getDenseI64ArrayAttr({offset.getInt(), bytes}));
      continue;
    }
    // While kernels before still write, a load must not move above the wait for them.
    if (startsEarly && !kernel.getArgAttr(i, tile::KernelOp::getSteadyAttrName()))
      continue;
    func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    // What no one writes during the kernel is read through the read-only path (ld.global.nc).
    if (!isWritten(kernel.getBody().getArgument(i)))
      func.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
  }
  addTensorMaps(func, kernel, facts);
  addTrueLengths(func, kernel, numViews + facts.maps.size(), lengths);
  func.getBody().takeBody(kernel.getBody());
  return func;
}

namespace {
struct ConvertTileToLLVM : tilewright::impl::ConvertTileToLLVMBase<ConvertTileToLLVM> {
  using Base::Base;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>())) {
      int64_t blocks = blocksByRegisters(kernel);
      if (failed(tile::verifyLayouts(kernel)) || failed(inlineRoles(kernel)))
        return signalPassFailure();
      FailureOr<AsyncFacts> facts = findAsyncFacts(kernel);
      if (failed(facts))
        return signalPassFailure();
      LLVM::LLVMFuncOp func = createFunction(kernel, *facts, blocks);
      tile::ScheduleAttr schedule = kernel.getSchedule();
      kernel.erase();
      if (failed(convertBody(context, func, *facts)))
        return signalPassFailure();
      packCarriedHalves(func);
      // Counts take registers, of which products with an operand in them have none to spare.
      if (!schedule || schedule.getOptions().left != tile::LeftOperand::Registers)
        countSlots(func);
      eraseRoleMarks(func);
    }
  }

  static LogicalResult convertBody(MLIRContext *context, LLVM::LLVMFuncOp func, AsyncFacts &facts) {
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](tile::ViewType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext(), 1); });
    converter.addConversion(
        [](tile::SharedType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext(), 3); });
    converter.addConversion(
        [](tile::RingType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext(), 3); });
    converter.addConversion(
        [&](tile::PendingType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          return converter.convertType(type.getTile(), types);
        });
    converter.addConversion(
        [](RankedTensorType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          tile::LayoutAttr layout = tile::getLayout(type);
          if (!layout)
            return failure();
          types.append(layout.getLayout().numRegisters(), registerType(type.getElementType()));
          return success();
        });
    // Arguments are views: their pointers have the same positions.
    Block &entry = func.getBody().front();
    IRRewriter rewriter(context);
    rewriter.setInsertionPointToStart(&entry);
    for (BlockArgument argument : entry.getArguments()) {
      Type view = argument.getType();
      if (!isa<tile::ViewType>(view))
        continue; // a tensor map or a true length
      argument.setType(LLVM::LLVMPointerType::get(context, 1));
      auto cast = UnrealizedConversionCastOp::create(rewriter, func.getLoc(), view, ValueRange(argument));
      argument.replaceAllUsesExcept(cast.getResult(0), cast);
    }
    Operation *terminator = entry.getTerminator();
    rewriter.setInsertionPoint(terminator);
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(terminator, ValueRange());
    RewritePatternSet patterns(context);
    populateElementwisePatterns(converter, patterns);
    bool ofWarpgroups = func.walk([](tile::DotAsyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
    populateGlobalMemoryPatterns(converter, patterns, ofWarpgroups);
    populateRunPatterns(converter, patterns);
    populateSharedMemoryPatterns(converter, patterns, facts);
    populateReducePatterns(converter, patterns);
    populateScanPatterns(converter, patterns);
    populateSortPatterns(converter, patterns);
    populateTakePatterns(converter, patterns);
    populateDotPatterns(converter, patterns);
    populateConvertLayoutPatterns(converter, patterns);
    populatePipelinePatterns(converter, patterns, facts);
    populateWgmmaPatterns(converter, patterns, facts);
    populateClusterPatterns(converter, patterns);
    populateWorkListPatterns(converter, patterns);
    populateLookBackPatterns(converter, patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) { return converter.isLegal(op); });
    target.addIllegalDialect<tile::TileDialect>();
    target.addLegalOp<UnrealizedConversionCastOp>();
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    return applyPartialConversion(func, target, std::move(patterns));
  }
};
} // namespace
