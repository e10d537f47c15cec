// From a gpu.module of the target stage to a module for the host: every kernel gets its Thread as first
// argument, pointers lose their address space, memory accesses are preceded by checks, and nvvm and ptx
// operations become calls of the entries in Entries.h.
#pragma once

#include "Tilewright/Emulator/Entries.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace tilewright::emulator {

/// What the host module holds for one kernel.
struct HostKernel {
  std::string name;
  /// The function to look up: void(Thread *, void *const *arguments).
  std::string symbol;
  /// Bytes of each parameter.
  std::vector<size_t> parameterBytes;
  /// Threads in x, y, z that a launch must have (nvvm.reqntid); empty if any number will do.
  std::vector<uint32_t> requiredBlock;
  /// The most threads a launch may have (nvvm.maxntid); 0 if not stated.
  uint64_t maxThreads = 0;
  /// Blocks of a cluster.
  Extent cluster;
  /// Registers of a thread at the start; 0: not stated.
  uint32_t registersAtEntry = 0;
  /// It waits for the launches before (griddepcontrol.wait).
  bool awaitsGrid = false;
};

/// A variable of the module outside shared memory, which becomes a region of every launch.
struct HostVariable {
  std::string name;
  std::string symbol;
  uint64_t bytes;
  bool writable;
};

struct HostModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<HostKernel> kernels;
  std::vector<HostVariable> variables;
  SiteTable sites;
  /// Bytes of static shared memory; dynamic shared memory begins here.
  uint32_t staticSharedBytes = 0;
  bool usesAsyncProxy = false, usesFlags = false, takesTickets = false;
  /// Some kernel runs in clusters of several blocks.
  bool hasClusters = false;
};

/// Rewrites `source`; on failure an error has been reported at the operation that is to blame.
mlir::FailureOr<HostModule> buildHostModule(mlir::gpu::GPUModuleOp source);

/// A location as a reader knows it: `"encoder/MatMul"`, `model.mlir:12:3`, callers after callees.
std::string describeLocation(mlir::Location location);

/// The state of rewriting one function, and the words in which rewrites are said.
struct FunctionRewriter {
  mlir::OpBuilder builder;
  mlir::ModuleOp host;
  mlir::LLVM::LLVMFuncOp function;
  /// What `function` was made from.
  mlir::LLVM::LLVMFuncOp source;
  /// The Thread.
  mlir::Value self;
  HostModule &result;
  /// Offsets of static and dynamic shared variables.
  const llvm::StringMap<uint32_t> &sharedOffsets;
  /// Site numbers of the products of warpgroups, and the slot that their accumulators go through.
  llvm::DenseMap<mlir::Operation *, int32_t> wgmmaSites{};
  mlir::Value accumulatorSlot{};
  /// Those whose registers of A are written behind the last fence before them.
  llvm::DenseSet<mlir::Operation *> unfencedProducts{};

  mlir::Value constant(uint32_t value);
  mlir::Value constant64(uint64_t value);
  /// The site number of `op`, as a constant.
  mlir::Value site(mlir::Operation *op);
  /// Calls an entry, declaring it when first used.
  mlir::Value call(llvm::StringRef entry, mlir::Type result, mlir::ValueRange operands);
  void callVoid(llvm::StringRef entry, mlir::ValueRange operands);
  /// An address in the Thread's registers.
  mlir::Value registerAddress(size_t byteOffset);
  mlir::Value loadRegister(size_t byteOffset, mlir::Type type);
  /// Stores into word `index` of Registers::in; 64-bit values take two words.
  void setIn(unsigned index, mlir::Value value);
  mlir::Value getOut(unsigned index, mlir::Type type);
  /// Runs a warp collective whose operands are in place.
  void collective(mlir::Operation *op, CollectiveKind kind, mlir::Value mask);
  mlir::Value zeroExtend(mlir::Value value);
  mlir::Value isNotZero(mlir::Value word);
  /// A stack slot in the function's entry block.
  mlir::Value slot(mlir::Type type);
};

/// What a family of rewrites says of an operation.
enum class Rewritten { NotMine, Done, Failed };

/// llvm.load, store, atomics, shared variables and address arithmetic.
Rewritten rewriteMemory(FunctionRewriter &rewriter, mlir::Operation *op);
/// Special registers, barriers, shuffles, votes, copies, fences, conversions.
Rewritten rewriteNvvm(FunctionRewriter &rewriter, mlir::Operation *op);
/// mbarriers, bulk copies, proxy fences, clusters.
Rewritten rewriteAsync(FunctionRewriter &rewriter, mlir::Operation *op);
/// Products and registers of warpgroups.
Rewritten rewriteWarpgroup(FunctionRewriter &rewriter, mlir::Operation *op);
/// mma.sync, ldmatrix, stmatrix.
Rewritten rewriteMatrix(FunctionRewriter &rewriter, mlir::Operation *op);
/// The ptx dialect.
Rewritten rewritePtx(FunctionRewriter &rewriter, mlir::Operation *op);
/// Whether the host's code generator gives `op` its meaning as it stands.
bool isHostOperation(mlir::Operation *op);

/// Numbers the products of a function and asks, wherever their accumulators are used, whether they are there.
/// `operations` are all operations of the function, before they are rewritten.
void checkAccumulatorUses(FunctionRewriter &rewriter, llvm::ArrayRef<mlir::Operation *> operations);
/// Whether `op` belongs to, or fences against, the asynchronous proxy.
bool usesAsyncProxy(mlir::Operation *op);
/// Whether blocks wait for one another by it.
bool usesFlags(mlir::Operation *op);
/// Whether blocks count themselves by it.
bool takesTickets(mlir::Operation *op);

/// Bytes that a load or store of `type` moves, and the alignment a GPU asks of it.
struct AccessShape {
  uint32_t bytes;
  uint32_t alignment;
};
AccessShape accessShape(mlir::Operation *op, mlir::Type type, std::optional<uint64_t> alignment);

} // namespace tilewright::emulator
