// plan-spread-blocks: few blocks that start while another kernel runs have a multiprocessor each.
//
// The chip gives blocks to whatever multiprocessor has room. Where a kernel before has just left one, it has
// room for several, and takes them, while others that are busy for a little longer have none in the end: the
// kernel takes as long as the multiprocessor with most of its blocks. Shared memory that a block asks for and
// does not use keeps more of them away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Analysis/Occupancy.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_SPREADBLOCKS
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Blocks of a multiprocessor up to which they are kept apart, and bytes that a block moves at least: others
/// are over soon, and had better leave their place. (H200, 58 random programs: thirteen with such kernels
/// from 0.56 to 1.02 of the time, 0.88 in the mean, of 96 blocks of 512 threads beside 1056 of 128 35 us
/// become 20; the others, with up to four blocks each of any size, 0.93 to 1.49, 1.02 in the mean.)
static constexpr int64_t kMostEach = 2, kLeastBlockBytes = 56 * 1024;
/// The part of the multiprocessors that clusters may have to leave: those of a group that make no whole one.
static constexpr int64_t kLeftByClusters = 8;
/// The unit of shared memory.
static constexpr int64_t kSharedUnit = 128;

/// By launch: whether it may start while another one runs, which none of its events orders or which it
/// need not wait for.
static SmallVector<LaunchOp> besideOthers(ProgramOp program) {
  SmallVector<LaunchOp> launches(program.getBody().front().getOps<LaunchOp>());
  DenseMap<Operation *, unsigned> number;
  SmallVector<llvm::BitVector> before;
  for (auto [i, launch] : llvm::enumerate(launches)) {
    number[launch] = (unsigned)i;
    llvm::BitVector &those = before.emplace_back(launches.size());
    for (Value event : llvm::concat<Value>(launch.getAfter(), launch.getProgrammatic())) {
      SmallVector<Value> events = {event};
      while (!events.empty()) {
        Operation *op = events.pop_back_val().getDefiningOp();
        if (auto it = number.find(op); it != number.end()) {
          those |= before[it->second];
          those.set(it->second);
        } else if (op) { // fills and copies
          llvm::copy_if(op->getOperands(), std::back_inserter(events),
                        [](Value value) { return isa<EventType>(value.getType()); });
        }
      }
    }
  }
  SmallVector<LaunchOp> found;
  for (auto [i, launch] : llvm::enumerate(launches)) {
    bool isBeside = !launch.getProgrammatic().empty();
    for (size_t other = 0; other < launches.size() && !isBeside; ++other)
      isBeside = other != i && !before[i].test(other) && !before[other].test(i);
    if (isBeside)
      found.push_back(launch);
  }
  return found;
}

namespace {
struct SpreadBlocks : plan::impl::SpreadBlocksBase<SpreadBlocks> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation()->emitError() << error;
      return signalPassFailure();
    }
    getOperation().walk([&](ProgramOp program) {
      for (LaunchOp launch : besideOthers(program))
        spread(launch, *arch);
    });
  }

  void spread(LaunchOp launch, const Arch &arch) {
    auto cost = launch->getAttrOfType<CostAttr>(PlanDialect::getCostAttrName());
    LLVM::LLVMFuncOp function =
        launch.getKernels().size() == 1 ? kernelFunction(launch, launch.getKernel()) : LLVM::LLVMFuncOp();
    std::optional<KernelOccupancy> kernel = function ? occupancyOf(arch, function) : std::nullopt;
    if (!cost || !kernel || !kernel->registers || cost.getAnchor() == "matmul")
      return;
    auto shape = function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
    auto multiprocessors = (int64_t)arch.numSMs;
    if (shape.clusterSize() > 1)
      multiprocessors -= multiprocessors / kLeftByClusters;
    auto blocks = (int64_t)kernel->blocks, each = (int64_t)llvm::divideCeil(blocks, multiprocessors),
         resident = (int64_t)kernel->resident.blocksPerSM;
    if (each > kMostEach || resident <= each ||
        (int64_t)cost.getRead() + (int64_t)cost.getWritten() < kLeastBlockBytes * blocks)
      return;
    // One byte more than what as many blocks and one have.
    int64_t bytes = (int64_t)arch.sharedBytesPerSM / (each + 1) - (int64_t)arch.sharedReservedBytes + 1;
    bytes = (int64_t)llvm::alignTo(bytes, kSharedUnit);
    if (bytes > (int64_t)arch.sharedBytesPerBlock || bytes <= shape.getShared())
      return;
    function->setAttr(
        ptx::PtxDialect::getLaunchAttrName(),
        ptx::LaunchAttr::get(&getContext(), shape.getGrid(), shape.getBlock(), bytes, shape.getCluster()));
    emitRemark(function, Remark::BlocksSpread, function.getSymName(), blocks, bytes, arch.name, each,
               resident);
    ++spreads;
  }
};
} // namespace
