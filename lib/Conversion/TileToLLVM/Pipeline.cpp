// Rings as mbarriers, bulk copies as cp.async.bulk.tensor, turns as named barriers.
//
// Slot n of a ring of S stages is stage n mod S in its use n / S. A full barrier flips its phase when the
// slot's data has arrived, an empty one when all readers have released it; the bit of n / S says which flip
// is meant. Producers wait for the empty barrier's flip of the use before, so the first use of a stage waits
// for none.

#include "Async.h"

using namespace mlir;
using namespace tilewright;

/// How long a thread may sleep in one try of a wait, nanoseconds.
static constexpr int64_t kWaitTicks = 10000000;
static constexpr int64_t kBarrierBytes = 8;
/// The address space of shared memory of all blocks of a cluster.
static constexpr unsigned kClusterMemory = 7;

namespace {

/// A ring after conversion: the pointer to its full barriers, with the empty ones behind them.
struct RingBarriers {
  OpBuilder &builder;
  Location loc;
  Value base;
  int64_t stages;

  Value slot32(Value slot) { return asInt(builder, loc, slot); }
  Value stageOf(Value slot) {
    return arith::RemUIOp::create(builder, loc, slot32(slot), constantInt(builder, loc, stages));
  }
  /// The parity of the slot's use of its stage.
  Value parityOf(Value slot) {
    Value use = arith::DivUIOp::create(builder, loc, slot32(slot), constantInt(builder, loc, stages));
    return arith::AndIOp::create(builder, loc, use, constantInt(builder, loc, 1));
  }
  Value pointer(Value slot, bool empty) {
    Value bytes = addInt(builder, loc, mulInt(builder, loc, stageOf(slot), kBarrierBytes),
                         empty ? stages * kBarrierBytes : 0);
    return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{bytes});
  }
  void wait(Value slot, bool empty) {
    Value parity = parityOf(slot);
    if (empty)
      parity = arith::XOrIOp::create(builder, loc, parity, constantInt(builder, loc, 1));
    NVVM::MBarrierTryWaitParityOp::create(builder, loc, pointer(slot, empty), parity,
                                          constantInt(builder, loc, kWaitTicks));
  }
  void arrive(Value slot, bool empty) {
    NVVM::MBarrierArriveOp::create(builder, loc, Type(), pointer(slot, empty), Value());
  }
};

RingBarriers barriers(OpBuilder &builder, Location loc, Value base, tile::RingType type) {
  return RingBarriers{builder, loc, base, type.getStages()};
}

/// Bytes that other blocks push to a slot of the ring.
int64_t pushedBytes(tile::RingOp ring) {
  int64_t bytes = 0, blocks = ring.getPushers();
  for (Value buffer : ring.getBuffers()) {
    auto type = cast<tile::SharedType>(buffer.getType());
    bytes += llvm::product_of(type.getShape()) * tile::storageBits(type.getElementType()) / 8;
  }
  return bytes / blocks * (blocks - 1);
}

struct RingPattern : FactPattern<tile::RingOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::RingOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getOffset())
      return op.emitError() << "has no place in shared memory; run tile-allocate-shared";
    Location loc = op.getLoc();
    int64_t stages = op.getType().getStages();
    bool pushed = op.getPushers() > 1;
    Value base = sharedPointer(rewriter, loc, *op.getOffset());
    Value tid = NVVM::ThreadIdXOp::create(rewriter, loc, rewriter.getI32Type());
    Value first =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, tid, constantInt(rewriter, loc, 0));
    emitIf(rewriter, loc, first, [&] {
      for (int64_t i = 0; i < (pushed ? 1 : 2) * stages; ++i) {
        int64_t arrivals = i < stages ? std::max<int64_t>(facts.arrivals.lookup(op), 1)
                                      : (int64_t)op.getReaders().value_or(1) * op.getNumReleased();
        Value barrier = sharedPointer(rewriter, loc, *op.getOffset() + i * kBarrierBytes);
        NVVM::MBarrierInitOp::create(rewriter, loc, barrier, constantInt(rewriter, loc, arrivals), Value());
        if (pushed)
          NVVM::MBarrierArriveExpectTxOp::create(rewriter, loc, Type(), barrier,
                                                 constantInt(rewriter, loc, pushedBytes(op)),
                                                 NVVM::MemScopeKind::CTA, /*relaxed=*/false, Value());
      }
      // One fence behind the last ring: the same thread initialises all of them. Where nothing but the
      // block's threads signals, its barrier is enough.
      auto later = llvm::make_range(std::next(op->getIterator()), op->getBlock()->end());
      if ((!facts.bulk.empty() || facts.pushes) && llvm::none_of(later, llvm::IsaPred<tile::RingOp>))
        NVVM::FenceMbarrierInitOp::create(rewriter, loc);
    });
    rewriter.replaceOp(op, base);
    return success();
  }
};

struct StageOfPattern : OpConversionPattern<tile::StageOfOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::StageOfOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value stages = arith::ConstantIndexOp::create(rewriter, op.getLoc(), op.getRing().getType().getStages());
    rewriter.replaceOpWithNewOp<arith::RemUIOp>(op, adaptor.getSlot()[0], stages);
    return success();
  }
};

struct AcquirePattern : FactPattern<tile::AcquireOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::AcquireOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RingBarriers ring = barriers(rewriter, loc, adaptor.getRing()[0], op.getRing().getType());
    Value slot = adaptor.getSlot()[0];
    ring.wait(slot, /*empty=*/true);
    if (int64_t bytes = facts.bytes.lookup(op))
      emitIf(rewriter, loc, roleLeader(rewriter, loc), [&] {
        NVVM::MBarrierArriveExpectTxOp::create(rewriter, loc, Type(), ring.pointer(slot, /*empty=*/false),
                                               constantInt(rewriter, loc, bytes), NVVM::MemScopeKind::CTA,
                                               /*relaxed=*/false, Value());
      });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Accesses of this thread to shared memory lie before those of the async proxy that follow.
void fenceAsyncProxy(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(builder, loc, NVVM::ProxyKind::async_shared,
                             NVVM::SharedSpaceAttr::get(builder.getContext(), NVVM::SharedSpace::shared_cta));
}

struct RingCommitPattern : FactPattern<tile::CommitOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::CommitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    AsyncFacts::Fill fill = facts.commits.lookup(op);
    if (fill.copies) {
      NVVM::CpAsyncCommitGroupOp::create(rewriter, loc);
      NVVM::CpAsyncWaitGroupOp::create(rewriter, loc, 0);
    }
    if (fill.stores || fill.copies) {
      // What threads wrote becomes visible to the products, then one speaks for all.
      fenceAsyncProxy(rewriter, loc);
      emitBarrier(rewriter, loc);
      emitIf(rewriter, loc, roleLeader(rewriter, loc), [&] {
        barriers(rewriter, loc, adaptor.getRing()[0], op.getRing().getType())
            .arrive(adaptor.getSlot()[0], /*empty=*/false);
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct RingWaitPattern : OpConversionPattern<tile::WaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::WaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    barriers(rewriter, op.getLoc(), adaptor.getRing()[0], op.getRing().getType())
        .wait(adaptor.getSlot()[0], /*empty=*/false);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReleasePattern : FactPattern<tile::ReleaseOp> {
  using FactPattern::FactPattern;

  /// One thread of the warpgroup for each block: those of the block's row first, then the others of its
  /// column.
  static void releaseToPeers(OpBuilder &builder, Location loc, Value barrier, int64_t rows, int64_t columns) {
    int64_t peers = rows + columns - 1;
    Value tid = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
    Value number = arith::AndIOp::create(builder, loc, tid, constantInt(builder, loc, 127));
    Value speaks = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number,
                                         constantInt(builder, loc, peers));
    emitIf(builder, loc, speaks, [&] {
      Value block = number;
      if (rows > 1 && columns > 1) {
        Value width = constantInt(builder, loc, columns);
        Value own = NVVM::ClusterId::create(builder, loc, builder.getI32Type());
        Value row = arith::DivUIOp::create(builder, loc, own, width);
        Value column = arith::RemUIOp::create(builder, loc, own, width);
        Value beside = arith::AddIOp::create(builder, loc, mulInt(builder, loc, row, columns), number);
        Value other = addInt(builder, loc, number, -columns);
        Value isBelow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, other, row);
        other = arith::AddIOp::create(builder, loc, other,
                                      arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isBelow));
        Value inColumn = arith::AddIOp::create(builder, loc, mulInt(builder, loc, other, columns), column);
        Value isBeside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, width);
        block = arith::SelectOp::create(builder, loc, isBeside, beside, inColumn);
      }
      Value remote = NVVM::MapaOp::create(
          builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), kClusterMemory), barrier, block);
      NVVM::MBarrierArriveOp::create(builder, loc, Type(), remote, Value());
    });
  }

  LogicalResult matchAndRewrite(tile::ReleaseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (facts.readByThreads.contains(op)) {
      // A barrier does not wait for loads that are still under way, and the next bulk copy is another proxy's
      // write: each thread's loads end here (PTX ISA, Async proxy), then all are done.
      if (facts.filledInBulk.contains(op))
        fenceAsyncProxy(rewriter, loc);
      if (tile::warpgroupsApart(op) > 1)
        emitWarpgroupBarrier(rewriter, loc);
      else
        emitBarrier(rewriter, loc);
    }
    RingBarriers ring = barriers(rewriter, loc, adaptor.getRing()[0], op.getRing().getType());
    // Of the default scope: .release.cluster would cost a fence of the whole device.
    if (auto [rows, columns] = facts.peers.lookup(op); rows * columns > 1)
      releaseToPeers(rewriter, loc, ring.pointer(adaptor.getSlot()[0], /*empty=*/true), rows, columns);
    else
      emitIf(rewriter, loc, warpgroupLeader(rewriter, loc),
             [&] { ring.arrive(adaptor.getSlot()[0], /*empty=*/true); });
    rewriter.eraseOp(op);
    return success();
  }
};

//===-- Bulk copies -------------------------------------------------------------------------------------===//

/// Bytes and elements that the block's own part of a shared copy lies behind the first block's, or a
/// warpgroup's own part of a store behind the first one's.
struct OwnPart {
  Value place;
  int64_t elems = 0, bytes = 0;
  int dim = -1;
};

/// A pointer `bytes` behind `base`.
Value displaced(OpBuilder &builder, Location loc, Value base, int64_t bytes) {
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{(int32_t)bytes});
}

/// A pointer to the part of what `base` points to.
Value behindPart(OpBuilder &builder, Location loc, Value base, const OwnPart &part) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{mulInt(builder, loc, part.place, part.bytes)});
}

/// The coordinates of `box` in the map, dim 0 first.
SmallVector<Value> coordinatesOf(OpBuilder &builder, Location loc, const layout::TensorBoxes &boxes,
                                 const layout::TensorBox &box, ValueRange indices, ArrayRef<int64_t> divisors,
                                 const OwnPart &part = {}) {
  SmallVector<Value> result;
  for (const layout::MapCoordinate &coordinate : boxes.coordinates) {
    int64_t start = box.start[coordinate.dim];
    bool isParted = part.place && coordinate.dim == part.dim;
    if (divisors[coordinate.dim] == 0 && !isParted) {
      result.push_back(constantInt(builder, loc, coordinate.evaluate(start)));
      continue;
    }
    Value value = divisors[coordinate.dim] == 0
                      ? constantInt(builder, loc, start)
                      : addInt(builder, loc, asInt(builder, loc, indices[coordinate.dim]), start);
    if (isParted)
      value = addInt(builder, loc, value, mulInt(builder, loc, part.place, part.elems));
    if (coordinate.divide != 1)
      value = arith::DivUIOp::create(builder, loc, value, constantInt(builder, loc, coordinate.divide));
    if (coordinate.modulo)
      value = arith::RemUIOp::create(builder, loc, value, constantInt(builder, loc, coordinate.modulo));
    result.push_back(addInt(builder, loc, value, coordinate.add));
  }
  return result;
}

/// The kernel's tensor map of a bulk copy.
Value mapOf(Operation *op, const AsyncFacts::Bulk &bulk) {
  return op->getParentOfType<LLVM::LLVMFuncOp>().getArgument(bulk.parameter);
}

struct CopyBulkPattern : FactPattern<tile::CopyBulkOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::CopyBulkOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const AsyncFacts::Bulk &bulk = facts.bulk[op];
    emitIf(rewriter, loc, roleLeader(rewriter, loc), [&] {
      Value base = stagePointer(rewriter, loc, op.getBuffer().getType(), adaptor.getBuffer()[0],
                                adaptor.getStage()[0]);
      Value barrier = barriers(rewriter, loc, adaptor.getRing()[0], op.getRing().getType())
                          .pointer(adaptor.getSlot()[0], /*empty=*/false);
      OwnPart part;
      Value everyone;
      if (int64_t sharers = bulk.boxes.parts; sharers > 1) {
        Value own = NVVM::ClusterId::create(rewriter, loc, rewriter.getI32Type()), place = own;
        int64_t mask = 0;
        for (int64_t i = 0; i < sharers; ++i)
          mask |= int64_t(1) << (i * bulk.apart);
        everyone = constantInt(rewriter, loc, mask, 16);
        if (sharers < bulk.clusterBlocks) {
          // Others of the cluster share other tiles: the mask begins at the first block that shares this one.
          if (bulk.apart > 1)
            place = arith::DivUIOp::create(rewriter, loc, own, constantInt(rewriter, loc, bulk.apart));
          place = arith::RemUIOp::create(rewriter, loc, place, constantInt(rewriter, loc, sharers));
          Value first = arith::SubIOp::create(rewriter, loc, own, mulInt(rewriter, loc, place, bulk.apart));
          everyone = arith::ShLIOp::create(
              rewriter, loc, everyone,
              arith::TruncIOp::create(rewriter, loc, rewriter.getIntegerType(16), first));
        }
        part = {place, bulk.boxes.partElems, bulk.boxes.partBytes, bulk.boxes.partDim};
        base = behindPart(rewriter, loc, base, part);
      }
      auto copy = [&](const layout::TensorBox &box) {
        Value to = displaced(rewriter, loc, base, box.sharedBytes);
        if (everyone)
          to = LLVM::AddrSpaceCastOp::create(rewriter, loc,
                                             LLVM::LLVMPointerType::get(op.getContext(), kClusterMemory), to);
        NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
            rewriter, loc, to, mapOf(op, bulk),
            coordinatesOf(rewriter, loc, bulk.boxes, box, op.getIndices(), op.getDivisors(), part), barrier,
            /*im2colOffsets=*/ValueRange(), everyone, /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
            /*isCTAOnly=*/!everyone, NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
      };
      auto isOfFew = [&](const layout::TensorBox &box) { return bulk.boxes.isOfFew(box); };
      for (const layout::TensorBox &box : llvm::make_filter_range(bulk.boxes.boxes, std::not_fn(isOfFew)))
        copy(box);
      if (bulk.boxes.few == 0)
        return;
      Value isOne = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, part.place,
                                          constantInt(rewriter, loc, bulk.boxes.few));
      emitIf(rewriter, loc, isOne, [&] {
        for (const layout::TensorBox &box : llvm::make_filter_range(bulk.boxes.boxes, isOfFew))
          copy(box);
      });
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreBulkPattern : FactPattern<tile::StoreBulkOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::StoreBulkOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const AsyncFacts::Bulk &bulk = facts.bulk[op];
    emitIf(rewriter, loc, leaderOf(op, rewriter, loc), [&] {
      Value base = stagePointer(rewriter, loc, op.getBuffer().getType(), adaptor.getBuffer()[0],
                                adaptor.getStage()[0]);
      OwnPart part;
      if (bulk.boxes.parts > 1) {
        part = {roleWarpgroup(rewriter, loc), bulk.boxes.partElems, bulk.boxes.partBytes, bulk.boxes.partDim};
        base = behindPart(rewriter, loc, base, part);
      }
      for (const layout::TensorBox &box : bulk.boxes.boxes)
        NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
            rewriter, loc, mapOf(op, bulk), displaced(rewriter, loc, base, box.sharedBytes),
            coordinatesOf(rewriter, loc, bulk.boxes, box, op.getIndices(), op.getDivisors(), part),
            /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
      NVVM::CpAsyncBulkCommitGroupOp::create(rewriter, loc);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct WaitStoresPattern : OpConversionPattern<tile::WaitStoresOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::WaitStoresOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    emitIf(rewriter, op.getLoc(), leaderOf(op, rewriter, op.getLoc()), [&] {
      NVVM::CpAsyncBulkWaitGroupOp::create(rewriter, op.getLoc(), (uint32_t)op.getPending(),
                                           rewriter.getUnitAttr());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct FenceAsyncPattern : OpConversionPattern<tile::FenceAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::FenceAsyncOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    fenceAsyncProxy(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

//===-- Turns -------------------------------------------------------------------------------------------===//

/// The barrier at which instance `instance` + `ahead` takes its turn, and its threads: those of two
/// instances.
std::pair<Value, Value> turnBarrier(OpBuilder &builder, Location loc, Value instance, int64_t ahead) {
  RolePlace role = *roleAt(builder);
  Value index = asInt(builder, loc, instance);
  if (ahead)
    index = arith::RemUIOp::create(builder, loc, addInt(builder, loc, index, ahead),
                                   constantInt(builder, loc, role.instances));
  return {addInt(builder, loc, index, role.barrierOfTurn(0)), constantInt(builder, loc, 2 * role.warps * 32)};
}

struct TakeTurnPattern : OpConversionPattern<tile::TakeTurnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::TakeTurnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto [id, threads] = turnBarrier(rewriter, op.getLoc(), adaptor.getInstance()[0], 0);
    NVVM::BarrierOp::create(rewriter, op.getLoc(), TypeRange{}, id, threads, NVVM::BarrierReductionAttr(),
                            Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct PassTurnPattern : OpConversionPattern<tile::PassTurnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::PassTurnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto [id, threads] = turnBarrier(rewriter, op.getLoc(), adaptor.getInstance()[0], 1);
    NVVM::BarrierArriveOp::create(rewriter, op.getLoc(), id, threads);
    rewriter.eraseOp(op);
    return success();
  }
};

//===-- Grids in a row ----------------------------------------------------------------------------------===//

template <typename Op, NVVM::GridDepActionKind kind> struct GridPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename OpConversionPattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::GriddepcontrolOp::create(rewriter, op.getLoc(), kind);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilewright::populatePipelinePatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                          AsyncFacts &facts) {
  MLIRContext *context = patterns.getContext();
  patterns.add<StageOfPattern, RingWaitPattern, WaitStoresPattern, FenceAsyncPattern, TakeTurnPattern,
               PassTurnPattern>(converter, context);
  patterns.add<GridPattern<tile::AwaitGridOp, NVVM::GridDepActionKind::wait>,
               GridPattern<tile::LaunchDependentsOp, NVVM::GridDepActionKind::launch_dependents>>(converter,
                                                                                                  context);
  patterns
      .add<RingPattern, AcquirePattern, RingCommitPattern, ReleasePattern, CopyBulkPattern, StoreBulkPattern>(
          converter, context, facts);
}
