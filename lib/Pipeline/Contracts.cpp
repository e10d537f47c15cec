// Contracts are checked kernel by kernel and arch by arch, all of them before the compilation fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Contracts.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilewright;

/// Holds `kernel` against `contract`.
static LogicalResult checkContract(LLVM::LLVMFuncOp function, tile::ContractAttr contract,
                                   const AssembledKernel &kernel) {
  const char *arch = kernel.arch->name;
  bool warpgroups = contract.getUses() == tile::ProductUnit::Wgmma;
  bool onlyUses = warpgroups && !contract.getRegisters() && !contract.getSpills() && !contract.getShared() &&
                  !contract.getBlocksPerSm();
  bool multiplies = StringRef(kernel.ptx).contains("wgmma.mma_async");
  if (warpgroups && !multiplies)
    return function.emitError() << "kernel @" << kernel.name << " has no product of warpgroups on " << arch
                                << ", for which its contract asks";
  if (!kernel.resources && onlyUses) // nothing was assembled, nothing can be said
    return success();
  if (!kernel.resources)
    return function.emitError() << "the contract of kernel @" << kernel.name << " cannot be checked for "
                                << arch << ": there is no cubin, since ptxas was not found";
  auto launch = function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
  int64_t shared = (launch ? launch.getShared() : 0) + kernel.resources->staticShared;
  LogicalResult result = success();
  auto atMost = [&](std::optional<int64_t> limit, int64_t value, StringRef unit) {
    if (!limit || value <= *limit)
      return;
    result = function.emitError() << "kernel @" << kernel.name << " takes " << value << " " << unit << " on "
                                  << arch << ", its contract allows " << *limit;
  };
  atMost(contract.getRegisters(), kernel.resources->registers, "registers");
  atMost(warpgroups ? std::optional<int64_t>(0) : contract.getSpills(),
         kernel.resources->spillStores + kernel.resources->spillLoads, "bytes of spills");
  atMost(contract.getShared(), shared, "bytes of shared memory");
  // A contract on warpgroup products is also one that they stay in flight: ptxas says (C75xx) when it waits
  // after each, or when what it inserts itself breaks them up, and local memory would be read between them.
  if (multiplies) {
    for (const PtxasMessage &message : kernel.messages)
      if (StringRef(message.code).starts_with("C75"))
        result = function.emitError()
                 << "kernel @" << kernel.name << " does not keep its products in flight on " << arch
                 << ", as its contract asks: (" << message.code << ") " << message.text;
    atMost(warpgroups ? std::optional<int64_t>(0) : contract.getSpills(), kernel.resources->stackBytes,
           "bytes of local memory");
  }
  if (std::optional<int64_t> wanted = contract.getBlocksPerSm()) {
    Occupancy resident =
        occupancy(*kernel.arch, launch ? launch.getBlock() : 1, kernel.resources->registers, shared);
    if (resident.blocksPerSM < *wanted)
      result = function.emitError() << "kernel @" << kernel.name << " has " << resident.blocksPerSM
                                    << " blocks per SM on " << arch << " (limited by "
                                    << occupancyLimitName(resident.limit) << "), its contract asks for "
                                    << *wanted;
  }
  return result;
}

LogicalResult tilewright::checkContracts(ModuleOp module, ArrayRef<AssembledKernel> kernels) {
  LogicalResult result = success();
  for (const AssembledKernel &kernel : kernels) {
    auto gpuModule = module.lookupSymbol<gpu::GPUModuleOp>(kernel.name);
    if (!gpuModule)
      continue;
    gpuModule.walk([&](LLVM::LLVMFuncOp function) {
      auto contract = function->getAttrOfType<tile::ContractAttr>(tile::KernelOp::getContractAttrName());
      if (contract && failed(checkContract(function, contract, kernel)))
        result = failure();
    });
  }
  return result;
}
