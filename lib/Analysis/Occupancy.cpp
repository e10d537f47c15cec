// Loads are counted on the control flow graph: blocks of one loop are one turn of it, and a barrier ends what
// may be in flight together. Guarded loads are counted as if they were all done.

#include "Tilewright/Analysis/Occupancy.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tilewright;

/// Share of the chip that the last wave may leave idle before the tail is what limits a kernel.
static constexpr double kIdleTail = 0.25;

static uint64_t bytesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.getElementType().isIntOrFloat())
    return vector.getNumElements() * ((vector.getElementTypeBitWidth() + 7) / 8);
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    uint64_t bytes = 0;
    for (Type member : structure.getBody())
      bytes += bytesOf(member);
    return bytes;
  }
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

static bool isGlobal(Value pointer) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
  return type && type.getAddressSpace() == 1;
}

/// Bytes that `op` loads from global memory into registers.
static uint64_t loadedBytes(Operation *op) {
  if (!isa<LLVM::LoadOp, ptx::LoadOp>(op) || !isGlobal(op->getOperand(0)))
    return 0;
  return bytesOf(op->getResult(0).getType());
}

uint64_t tilewright::bytesInFlightOfThread(LLVM::LLVMFuncOp kernel) {
  if (kernel.isExternal())
    return 0;
  // The loop that each block belongs to; blocks outside of loops have none.
  llvm::DenseMap<Block *, int> loops;
  int next = 0;
  for (auto scc = llvm::scc_begin(&kernel.getBody()); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle()) {
      ++next;
      for (Block *block : *scc)
        loops[block] = next;
    }
  uint64_t most = 0, running = 0;
  int current = 0;
  for (Block &block : kernel.getBody()) {
    if (int loop = loops.lookup(&block); loop != current) {
      current = loop;
      running = 0;
    }
    for (Operation &op : block) {
      if (isa<NVVM::BarrierOp, NVVM::Barrier0Op>(op))
        running = 0;
      running += loadedBytes(&op);
      most = std::max(most, running);
    }
    // What stands behind an end is another way through the kernel: the next part of a merged one.
    if (isa<LLVM::ReturnOp>(block.getTerminator()))
      running = 0;
  }
  return most;
}

/// Whether copies to shared memory run ahead of their use.
static bool copiesAhead(LLVM::LLVMFuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<NVVM::CpAsyncOp, NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp,
                   NVVM::CpAsyncBulkGlobalToSharedClusterOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<KernelOccupancy> tilewright::occupancyOf(const Arch &arch, LLVM::LLVMFuncOp function,
                                                       std::optional<unsigned> registers,
                                                       unsigned staticShared) {
  auto launch = function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
  if (!launch)
    return std::nullopt;
  KernelOccupancy result;
  if (auto resources = function->getAttrOfType<ptx::ResourcesAttr>(ptx::PtxDialect::getResourcesAttrName());
      resources && !registers) {
    registers = resources.getRegisters();
    staticShared = resources.getStaticShared();
  }
  result.registers = registers;
  result.blocks = launch.numBlocks();
  result.threads = launch.getBlock();
  result.sharedBytes = launch.getShared() + staticShared;
  result.resident = occupancy(arch, result.threads, registers.value_or(0), result.sharedBytes);
  // Rings are in flight as a whole, but for the stage that is read.
  result.blockBytesInFlight = bytesInFlightOfThread(function) * result.threads;
  if (copiesAhead(function))
    result.blockBytesInFlight = std::max<uint64_t>(result.blockBytesInFlight, result.sharedBytes);
  if (!result.resident.blocksPerSM)
    return result;
  double slots = (double)arch.numSMs * result.resident.blocksPerSM;
  result.waves = result.blocks / slots;
  double last = std::ceil(result.waves);
  result.tail = last > 0 ? 1 - result.waves / last : 0;
  // Of a grid that fills less than one wave a multiprocessor has fewer blocks than it could hold.
  double onOne =
      std::min<double>(result.resident.blocksPerSM, std::ceil((double)result.blocks / arch.numSMs));
  result.bytesInFlight = onOne * result.blockBytesInFlight;
  result.bytesNeeded = arch.hbmGBps * arch.memoryNanoseconds / arch.numSMs; // GB/s times ns is bytes
  return result;
}

std::string KernelOccupancy::limiter(std::string_view bound, const Arch &arch) const {
  if (bound == "launch")
    return "launch";
  if (!resident.blocksPerSM)
    return occupancyLimitName(resident.limit);
  if (2 * blocks <= arch.numSMs)
    return "few blocks";
  if (bound == "memory" && !saturatesMemory())
    return waves < 1 ? "latency, few blocks" : std::string("latency, ") + occupancyLimitName(resident.limit);
  if (waves > 1 && waves < 4 && tail >= kIdleTail)
    return "tail";
  return std::string(bound);
}
