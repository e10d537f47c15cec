// What came with Hopper, but for the products: mbarriers, bulk copies and tensor maps, proxy fences,
// clusters. An operation under a predicate becomes a call with a null address where the predicate is false,
// which does nothing.
#include "HostModule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstddef>

using namespace mlir;
using namespace tilewright::emulator;

static Rewritten erase(Operation *op) {
  op->erase();
  return Rewritten::Done;
}

static Rewritten replace(Operation *op, Value value) {
  op->replaceAllUsesWith(ValueRange{value});
  return erase(op);
}

static Rewritten unsupported(Operation *op, const Twine &what) {
  op->emitError() << "the emulator does not model '" << op->getName() << "' with " << what;
  return Rewritten::Failed;
}

/// The address as an integer; 0 where `predicate` is false.
static Value addressIf(FunctionRewriter &rewriter, Value pointer, Value predicate) {
  OpBuilder &builder = rewriter.builder;
  Location loc = rewriter.function.getLoc();
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
  if (!predicate)
    return address;
  return LLVM::SelectOp::create(builder, loc, predicate, address, rewriter.constant64(0));
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

namespace {
/// What an arrival is; the operands that an op lacks stay null.
struct Arrival {
  Value address, count, txBytes, predicate;
  uint32_t flags = 0;
};
} // namespace

static Rewritten rewriteArrival(FunctionRewriter &rewriter, Operation *op, const Arrival &arrival) {
  Value phase = rewriter.call("tw_emu_mbarrier_arrive", rewriter.builder.getI64Type(),
                              {rewriter.self, addressIf(rewriter, arrival.address, arrival.predicate),
                               arrival.count ? arrival.count : rewriter.constant(1),
                               arrival.txBytes ? arrival.txBytes : rewriter.constant(0),
                               rewriter.constant(arrival.flags), rewriter.site(op)});
  if (op->getNumResults())
    return replace(op, phase);
  return erase(op);
}

static uint32_t relaxedFlag(bool relaxed) { return relaxed ? arrive::kRelaxed : 0; }

/// A wait by parity (32 bits) or by the state that an arrival returned (64 bits).
static Value callWait(FunctionRewriter &rewriter, Operation *op, StringRef entry, Type result, Value address,
                      Value phase, bool relaxed) {
  OpBuilder &builder = rewriter.builder;
  bool isState = phase.getType().isInteger(64);
  if (!isState)
    phase = LLVM::ZExtOp::create(builder, op->getLoc(), builder.getI64Type(), phase);
  SmallVector<Value> operands{
      rewriter.self,    address, phase, rewriter.constant(isState), rewriter.constant(relaxed),
      rewriter.site(op)};
  if (result)
    return rewriter.call(entry, result, operands);
  rewriter.callVoid(entry, operands);
  return Value();
}

static Rewritten rewriteTest(FunctionRewriter &rewriter, NVVM::MBarrierTestWaitOp op) {
  Value word = callWait(rewriter, op, "tw_emu_mbarrier_test", rewriter.builder.getI32Type(), op.getAddr(),
                        op.getStateOrPhase(), op.getRelaxed());
  return replace(op, rewriter.isNotZero(word));
}

/// A GPU may suspend the thread for as long as it likes: here until the phase is over.
static Rewritten rewriteTry(FunctionRewriter &rewriter, NVVM::MBarrierTryWaitOp op) {
  callWait(rewriter, op, "tw_emu_mbarrier_wait", Type(), op.getAddr(), op.getStateOrPhase(), op.getRelaxed());
  return replace(op, rewriter.isNotZero(rewriter.constant(1)));
}

static Rewritten rewriteMbarrier(FunctionRewriter &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case([&](NVVM::MBarrierInitOp op) {
        rewriter.callVoid("tw_emu_mbarrier_init",
                          {rewriter.self, addressIf(rewriter, op.getAddr(), op.getPredicate()), op.getCount(),
                           rewriter.site(op)});
        return erase(op);
      })
      .Case([&](NVVM::MBarrierInvalOp op) {
        rewriter.callVoid("tw_emu_mbarrier_inval", {rewriter.self, op.getAddr(), rewriter.site(op)});
        return erase(op);
      })
      .Case([&](NVVM::MBarrierArriveOp op) {
        return rewriteArrival(rewriter, op,
                              {op.getAddr(), op.getCount(), {}, {}, relaxedFlag(op.getRelaxed())});
      })
      .Case([&](NVVM::MBarrierArriveDropOp op) {
        return rewriteArrival(
            rewriter, op,
            {op.getAddr(), op.getCount(), {}, {}, relaxedFlag(op.getRelaxed()) | arrive::kDrop});
      })
      .Case([&](NVVM::MBarrierArriveNocompleteOp op) {
        return rewriteArrival(rewriter, op, {op.getAddr(), op.getCount(), {}, {}, arrive::kNoComplete});
      })
      .Case([&](NVVM::MBarrierArriveExpectTxOp op) {
        return rewriteArrival(rewriter, op,
                              {op.getAddr(),
                               {},
                               op.getTxcount(),
                               op.getPredicate(),
                               relaxedFlag(op.getRelaxed()) | arrive::kExpect});
      })
      .Case([&](NVVM::MBarrierArriveDropExpectTxOp op) {
        return rewriteArrival(rewriter, op,
                              {op.getAddr(),
                               {},
                               op.getTxcount(),
                               {},
                               relaxedFlag(op.getRelaxed()) | arrive::kExpect | arrive::kDrop});
      })
      .Case([&](NVVM::MBarrierExpectTxOp op) {
        return rewriteArrival(rewriter, op,
                              {op.getAddr(), {}, op.getTxcount(), {}, arrive::kExpect | arrive::kNoArrive});
      })
      .Case([&](NVVM::MBarrierTryWaitParityOp op) {
        callWait(rewriter, op, "tw_emu_mbarrier_wait", Type(), op.getAddr(), op.getPhase(), false);
        return erase(op);
      })
      .Case([&](NVVM::MBarrierTestWaitOp op) { return rewriteTest(rewriter, op); })
      .Case([&](NVVM::MBarrierTryWaitOp op) { return rewriteTry(rewriter, op); })
      .Case([&](NVVM::CpAsyncMBarrierArriveOp op) {
        rewriter.callVoid(
            "tw_emu_cp_async_mbarrier_arrive",
            {rewriter.self, op.getAddr(), rewriter.constant(!op.getNoinc()), rewriter.site(op)});
        return erase(op);
      })
      .Default([](Operation *) { return Rewritten::NotMine; });
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

static void setCoordinates(FunctionRewriter &rewriter, ValueRange coordinates) {
  for (auto [index, coordinate] : llvm::enumerate(coordinates))
    rewriter.setIn(unsigned(index), coordinate);
}

static Value orZero(FunctionRewriter &rewriter, Value mask) {
  return mask ? rewriter.zeroExtend(mask) : rewriter.constant(0);
}

static Rewritten rewriteTensorLoad(FunctionRewriter &rewriter,
                                   NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op) {
  if (op.getMode() != NVVM::TMALoadMode::TILE || !op.getIm2colOffsets().empty())
    return unsupported(op, "a mode other than tile");
  if (op.getGroup())
    return unsupported(op, "a group of two blocks");
  setCoordinates(rewriter, op.getCoordinates());
  rewriter.callVoid("tw_emu_bulk_load",
                    {rewriter.self, addressIf(rewriter, op.getDstMem(), op.getPredicate()),
                     op.getTmaDescriptor(), op.getMbar(), rewriter.constant(0),
                     rewriter.constant(uint32_t(op.getCoordinates().size())),
                     orZero(rewriter, op.getMulticastMask()), rewriter.site(op)});
  return erase(op);
}

static Rewritten rewriteLoad(FunctionRewriter &rewriter, NVVM::CpAsyncBulkGlobalToSharedClusterOp op) {
  rewriter.callVoid("tw_emu_bulk_load",
                    {rewriter.self, op.getDstMem(), op.getSrcMem(), op.getMbar(), op.getSize(),
                     rewriter.constant(0), orZero(rewriter, op.getMulticastMask()), rewriter.site(op)});
  return erase(op);
}

static void callTensorStore(FunctionRewriter &rewriter, Operation *op, Value source, Value map,
                            ValueRange coordinates, uint32_t reduction) {
  setCoordinates(rewriter, coordinates);
  rewriter.callVoid("tw_emu_bulk_store",
                    {rewriter.self, source, map, rewriter.constant(0),
                     rewriter.constant(uint32_t(coordinates.size())), rewriter.constant(0xFFFF),
                     rewriter.constant(reduction), rewriter.site(op)});
}

static Rewritten rewriteTensorStore(FunctionRewriter &rewriter,
                                    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp op) {
  if (op.getMode() != NVVM::TMAStoreMode::TILE)
    return unsupported(op, "a mode other than tile");
  callTensorStore(rewriter, op, addressIf(rewriter, op.getSrcMem(), op.getPredicate()), op.getTmaDescriptor(),
                  op.getCoordinates(), 0);
  return erase(op);
}

static Rewritten rewriteTensorReduce(FunctionRewriter &rewriter, NVVM::CpAsyncBulkTensorReduceOp op) {
  if (op.getMode() != NVVM::TMAStoreMode::TILE)
    return unsupported(op, "a mode other than tile");
  uint32_t reduction = 0;
  switch (op.getRedKind()) {
  case NVVM::TMAReduxKind::ADD:
    reduction = 1;
    break;
  case NVVM::TMAReduxKind::MIN:
    reduction = 2;
    break;
  case NVVM::TMAReduxKind::MAX:
    reduction = 3;
    break;
  default:
    return unsupported(op, "a reduction other than add, min and max");
  }
  callTensorStore(rewriter, op, op.getSrcMem(), op.getTmaDescriptor(), op.getCoordinates(), reduction);
  return erase(op);
}

static Rewritten rewriteStore(FunctionRewriter &rewriter, NVVM::CpAsyncBulkSharedCTAToGlobalOp op) {
  Value mask = op.getByteMask() ? rewriter.zeroExtend(op.getByteMask()) : rewriter.constant(0xFFFF);
  rewriter.callVoid("tw_emu_bulk_store",
                    {rewriter.self, op.getSrcMem(), op.getDstMem(), op.getSize(), rewriter.constant(0), mask,
                     rewriter.constant(0), rewriter.site(op)});
  return erase(op);
}

static Rewritten rewriteBulk(FunctionRewriter &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case(
          [&](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op) { return rewriteTensorLoad(rewriter, op); })
      .Case([&](NVVM::CpAsyncBulkGlobalToSharedClusterOp op) { return rewriteLoad(rewriter, op); })
      .Case([&](NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp op) { return rewriteTensorStore(rewriter, op); })
      .Case([&](NVVM::CpAsyncBulkTensorReduceOp op) { return rewriteTensorReduce(rewriter, op); })
      .Case([&](NVVM::CpAsyncBulkSharedCTAToGlobalOp op) { return rewriteStore(rewriter, op); })
      .Case([&](NVVM::CpAsyncBulkCommitGroupOp op) {
        rewriter.callVoid("tw_emu_bulk_commit", {rewriter.self});
        return erase(op);
      })
      .Case([&](NVVM::CpAsyncBulkWaitGroupOp op) {
        rewriter.callVoid("tw_emu_bulk_wait",
                          {rewriter.self, rewriter.constant(op.getGroup()),
                           rewriter.constant(op.getRead().has_value()), rewriter.site(op)});
        return erase(op);
      })
      // Prefetches into the L2 cache.
      .Case<NVVM::CpAsyncBulkPrefetchOp, NVVM::CpAsyncBulkTensorPrefetchOp>(
          [](Operation *op) { return erase(op); })
      .Default([](Operation *) { return Rewritten::NotMine; });
}

//===----------------------------------------------------------------------===//
// Fences and clusters
//===----------------------------------------------------------------------===//

static Rewritten rewriteFence(FunctionRewriter &rewriter, NVVM::FenceProxyOp op) {
  NVVM::ProxyKind kind = op.getKind();
  if (kind == NVVM::ProxyKind::async || kind == NVVM::ProxyKind::async_shared)
    rewriter.callVoid("tw_emu_fence_proxy", {rewriter.self});
  return erase(op);
}

static std::optional<size_t> clusterRegister(Operation *op) {
  constexpr size_t id = offsetof(Registers, clusterid), count = offsetof(Registers, nclusterid),
                   place = offsetof(Registers, clusterCtaid), size = offsetof(Registers, clusterNctaid);
  return llvm::TypeSwitch<Operation *, std::optional<size_t>>(op)
      .Case([](NVVM::ClusterIdXOp) { return id; })
      .Case([](NVVM::ClusterIdYOp) { return id + 4; })
      .Case([](NVVM::ClusterIdZOp) { return id + 8; })
      .Case([](NVVM::ClusterDimXOp) { return count; })
      .Case([](NVVM::ClusterDimYOp) { return count + 4; })
      .Case([](NVVM::ClusterDimZOp) { return count + 8; })
      .Case([](NVVM::BlockInClusterIdXOp) { return place; })
      .Case([](NVVM::BlockInClusterIdYOp) { return place + 4; })
      .Case([](NVVM::BlockInClusterIdZOp) { return place + 8; })
      .Case([](NVVM::ClusterDimBlocksXOp) { return size; })
      .Case([](NVVM::ClusterDimBlocksYOp) { return size + 4; })
      .Case([](NVVM::ClusterDimBlocksZOp) { return size + 8; })
      .Case([](NVVM::ClusterId) { return offsetof(Registers, clusterRank); })
      .Case([](NVVM::ClusterDim) { return offsetof(Registers, clusterBlocks); })
      .Default([](Operation *) { return std::nullopt; });
}

static Rewritten rewriteCluster(FunctionRewriter &rewriter, Operation *op) {
  if (std::optional<size_t> offset = clusterRegister(op))
    return replace(op, rewriter.loadRegister(*offset, op->getResult(0).getType()));
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case([&](NVVM::ClusterArriveOp op) {
        rewriter.callVoid("tw_emu_cluster_arrive", {rewriter.self, rewriter.constant(0), rewriter.site(op)});
        return erase(op);
      })
      .Case([&](NVVM::ClusterArriveRelaxedOp op) {
        rewriter.callVoid("tw_emu_cluster_arrive", {rewriter.self, rewriter.constant(1), rewriter.site(op)});
        return erase(op);
      })
      .Case([&](NVVM::ClusterWaitOp op) {
        rewriter.callVoid("tw_emu_cluster_wait", {rewriter.self, rewriter.site(op)});
        return erase(op);
      })
      .Case([&](NVVM::MapaOp op) {
        Value address = rewriter.call("tw_emu_mapa", rewriter.builder.getI64Type(),
                                      {rewriter.self, op.getA(), op.getB(), rewriter.site(op)});
        return replace(op, LLVM::IntToPtrOp::create(rewriter.builder, op.getLoc(), op.getType(), address));
      })
      .Case([&](NVVM::FenceProxyOp op) { return rewriteFence(rewriter, op); })
      .Case([&](NVVM::FenceMbarrierInitOp op) {
        rewriter.callVoid("tw_emu_fence_mbarrier_init", {rewriter.self});
        return erase(op);
      })
      .Case([&](NVVM::BarrierArriveOp op) {
        Value id = op.getBarrierId() ? op.getBarrierId() : rewriter.constant(0);
        rewriter.callVoid("tw_emu_barrier_arrive",
                          {rewriter.self, id, op.getNumberOfThreads(), rewriter.site(op)});
        return erase(op);
      })
      .Default([](Operation *) { return Rewritten::NotMine; });
}

Rewritten tilewright::emulator::rewriteAsync(FunctionRewriter &rewriter, Operation *op) {
  if (!isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return Rewritten::NotMine;
  for (auto *family : {rewriteMbarrier, rewriteBulk, rewriteCluster}) {
    Rewritten outcome = family(rewriter, op);
    if (outcome != Rewritten::NotMine)
      return outcome;
  }
  return Rewritten::NotMine;
}

bool tilewright::emulator::usesAsyncProxy(Operation *op) {
  return isa<NVVM::MBarrierInitOp, NVVM::FenceProxyOp, NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp,
             NVVM::CpAsyncBulkGlobalToSharedClusterOp, NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp,
             NVVM::CpAsyncBulkTensorReduceOp, NVVM::CpAsyncBulkSharedCTAToGlobalOp, NVVM::WgmmaMmaAsyncOp>(
             op) ||
         op->getName().getStringRef() == "ptx.wgmma";
}
