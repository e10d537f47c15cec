// Memory: a check before each access to global, shared or unknown memory; shared variables become offsets
// into the block's shared memory; integers made from shared pointers are offsets too, as on the GPU.
#include "HostModule.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright::emulator;

/// Address spaces of NVPTX.
static constexpr unsigned kGeneric = 0, kGlobal = 1, kShared = 3, kConstant = 4, kLocal = 5,
                          kSharedCluster = 7;

static unsigned spaceOf(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
}

AccessShape tilewright::emulator::accessShape(Operation *op, Type type, std::optional<uint64_t> alignment) {
  DataLayout layout = DataLayout::closest(op);
  uint64_t bytes = layout.getTypeSize(type), natural;
  if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type))
    natural = layout.getTypeABIAlignment(type);
  else
    natural = llvm::PowerOf2Ceil(bytes);
  // A vector whose alignment is stated smaller is split by the code generator.
  uint64_t needed = std::min<uint64_t>(alignment.value_or(natural), std::min<uint64_t>(natural, 16));
  return {uint32_t(bytes), uint32_t(needed)};
}

/// Whether a generic pointer comes from an alloca or a parameter of this function.
static bool isPrivate(FunctionRewriter &rewriter, Value pointer) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(pointer))
      return argument.getOwner() == &rewriter.function.getBody().front() &&
             rewriter.function.getArgAttr(argument.getArgNumber(), "tw.parameter");
    Operation *definition = pointer.getDefiningOp();
    if (isa<LLVM::AllocaOp>(definition))
      return true;
    if (auto gep = dyn_cast<LLVM::GEPOp>(definition))
      pointer = gep.getBase();
    else if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(definition))
      pointer = cast.getArg();
    else
      return false;
  }
}

static LogicalResult check(FunctionRewriter &rewriter, Operation *op, Value pointer, AccessShape shape,
                           bool isWrite, bool isAtomic) {
  unsigned space = spaceOf(pointer);
  if (space == kLocal || (space == kGeneric && isPrivate(rewriter, pointer)))
    return success();
  StringRef name = space == kGlobal || space == kConstant ? "global"
                   : space == kShared                     ? "shared"
                   : space == kSharedCluster              ? "cluster"
                                                          : "generic";
  if (space != kGlobal && space != kConstant && space != kShared && space != kSharedCluster &&
      space != kGeneric)
    return op->emitError() << "the emulator does not model address space " << space;
  std::string entry = ("tw_emu_check_" + Twine(isAtomic ? "atomic_" : "") + name).str();
  rewriter.callVoid(entry, {rewriter.self, pointer,
                            rewriter.constant(accessSpec(shape.bytes, shape.alignment, isWrite)),
                            rewriter.site(op)});
  return success();
}

/// The check and the host want different things of alignment: once checked, the host may assume nothing.
static Rewritten rewriteLoad(FunctionRewriter &rewriter, LLVM::LoadOp op) {
  bool isAtomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  // Volatile loads of global memory are what programs spin on, so they let other warps go on as atomics do.
  bool givesWay = isAtomic || (op.getVolatile_() && spaceOf(op.getAddr()) == kGlobal);
  AccessShape shape = accessShape(op, op.getResult().getType(), op.getAlignment());
  if (failed(check(rewriter, op, op.getAddr(), shape, false, givesWay)))
    return Rewritten::Failed;
  auto load = LLVM::LoadOp::create(rewriter.builder, op.getLoc(), op.getResult().getType(), op.getAddr(),
                                   isAtomic ? shape.bytes : 1, op.getVolatile_());
  load.setOrdering(op.getOrdering());
  op.replaceAllUsesWith(load.getResult());
  op.erase();
  return Rewritten::Done;
}

static Rewritten rewriteStore(FunctionRewriter &rewriter, LLVM::StoreOp op) {
  bool isAtomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  // Volatile stores to global memory are what others spin on.
  bool givesWay = isAtomic || (op.getVolatile_() && spaceOf(op.getAddr()) == kGlobal);
  AccessShape shape = accessShape(op, op.getValue().getType(), op.getAlignment());
  if (failed(check(rewriter, op, op.getAddr(), shape, true, givesWay)))
    return Rewritten::Failed;
  auto store = LLVM::StoreOp::create(rewriter.builder, op.getLoc(), op.getValue(), op.getAddr(),
                                     isAtomic ? shape.bytes : 1, op.getVolatile_());
  store.setOrdering(op.getOrdering());
  op.erase();
  return Rewritten::Done;
}

static Rewritten rewriteAtomic(FunctionRewriter &rewriter, LLVM::AtomicRMWOp op) {
  AccessShape shape = accessShape(op, op.getVal().getType(), std::nullopt);
  op.setSyncscopeAttr(nullptr);
  return failed(check(rewriter, op, op.getPtr(), shape, true, true)) ? Rewritten::Failed : Rewritten::Done;
}

static Rewritten rewriteExchange(FunctionRewriter &rewriter, LLVM::AtomicCmpXchgOp op) {
  AccessShape shape = accessShape(op, op.getVal().getType(), std::nullopt);
  op.setSyncscopeAttr(nullptr);
  return failed(check(rewriter, op, op.getPtr(), shape, true, true)) ? Rewritten::Failed : Rewritten::Done;
}

static Value sharedBase(FunctionRewriter &rewriter) {
  return rewriter.loadRegister(offsetof(Registers, shared),
                               LLVM::LLVMPointerType::get(rewriter.builder.getContext()));
}

static Rewritten rewriteAddress(FunctionRewriter &rewriter, LLVM::AddressOfOp op) {
  OpBuilder &builder = rewriter.builder;
  if (spaceOf(op) != kShared) {
    op.setGlobalName(("tw_variable_" + op.getGlobalName()).str());
    return Rewritten::Done;
  }
  auto offset = rewriter.sharedOffsets.find(op.getGlobalName());
  if (offset == rewriter.sharedOffsets.end()) {
    op.emitError() << "shared variable '" << op.getGlobalName() << "' is not in this gpu.module";
    return Rewritten::Failed;
  }
  Value address = LLVM::GEPOp::create(builder, op.getLoc(), op.getType(), builder.getI8Type(),
                                      sharedBase(rewriter), ArrayRef<LLVM::GEPArg>{int32_t(offset->second)});
  op.replaceAllUsesWith(address);
  op.erase();
  return Rewritten::Done;
}

/// In a cluster a shared address carries the rank of its block, which programs must mask from descriptors.
static bool carriesRank(FunctionRewriter &rewriter, unsigned space) {
  return space == kSharedCluster || (space == kShared && rewriter.result.hasClusters);
}

static Rewritten rewritePointerToInteger(FunctionRewriter &rewriter, LLVM::PtrToIntOp op) {
  if (!isa<LLVM::LLVMPointerType>(op.getArg().getType()))
    return Rewritten::Done;
  OpBuilder &builder = rewriter.builder;
  unsigned space = spaceOf(op.getArg());
  if (carriesRank(rewriter, space)) {
    Value address = rewriter.call("tw_emu_cluster_address", builder.getI64Type(),
                                  {rewriter.self, op.getArg(), rewriter.site(op)});
    if (op.getType() != builder.getI64Type())
      address = LLVM::TruncOp::create(builder, op.getLoc(), op.getType(), address);
    op.replaceAllUsesWith(address);
    op.erase();
    return Rewritten::Done;
  }
  if (space != kShared)
    return Rewritten::Done;
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, op.getArg());
  Value base = LLVM::PtrToIntOp::create(builder, loc, i64, sharedBase(rewriter));
  Value offset = LLVM::SubOp::create(builder, loc, address, base);
  if (op.getType() != i64)
    offset = LLVM::TruncOp::create(builder, loc, op.getType(), offset);
  op.replaceAllUsesWith(offset);
  op.erase();
  return Rewritten::Done;
}

static Rewritten rewriteIntegerToPointer(FunctionRewriter &rewriter, LLVM::IntToPtrOp op) {
  if (!isa<LLVM::LLVMPointerType>(op.getType()) || (spaceOf(op) != kShared && spaceOf(op) != kSharedCluster))
    return Rewritten::Done;
  OpBuilder &builder = rewriter.builder;
  Value offset = op.getArg();
  if (offset.getType() != builder.getI64Type())
    offset = LLVM::ZExtOp::create(builder, op.getLoc(), builder.getI64Type(), offset);
  if (carriesRank(rewriter, spaceOf(op))) {
    Value pointer = rewriter.call("tw_emu_cluster_pointer", builder.getI64Type(),
                                  {rewriter.self, offset, rewriter.site(op)});
    op.replaceAllUsesWith(LLVM::IntToPtrOp::create(builder, op.getLoc(), op.getType(), pointer).getResult());
    op.erase();
    return Rewritten::Done;
  }
  Value address = LLVM::GEPOp::create(builder, op.getLoc(), op.getType(), builder.getI8Type(),
                                      sharedBase(rewriter), ArrayRef<LLVM::GEPArg>{offset});
  op.replaceAllUsesWith(address);
  op.erase();
  return Rewritten::Done;
}

static void checkRange(FunctionRewriter &rewriter, Operation *op, Value pointer, Value bytes, bool isWrite) {
  if (bytes.getType() != rewriter.builder.getI64Type())
    bytes = LLVM::ZExtOp::create(rewriter.builder, op->getLoc(), rewriter.builder.getI64Type(), bytes);
  rewriter.callVoid("tw_emu_check_range",
                    {rewriter.self, pointer, bytes, rewriter.constant(isWrite), rewriter.site(op)});
}

Rewritten tilewright::emulator::rewriteMemory(FunctionRewriter &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case([&](LLVM::LoadOp op) { return rewriteLoad(rewriter, op); })
      .Case([&](LLVM::StoreOp op) { return rewriteStore(rewriter, op); })
      .Case([&](LLVM::AtomicRMWOp op) { return rewriteAtomic(rewriter, op); })
      .Case([&](LLVM::AtomicCmpXchgOp op) { return rewriteExchange(rewriter, op); })
      .Case([&](LLVM::AddressOfOp op) { return rewriteAddress(rewriter, op); })
      .Case([&](LLVM::PtrToIntOp op) { return rewritePointerToInteger(rewriter, op); })
      .Case([&](LLVM::IntToPtrOp op) { return rewriteIntegerToPointer(rewriter, op); })
      .Case([&](LLVM::AddrSpaceCastOp op) {
        op.replaceAllUsesWith(op.getArg());
        op.erase();
        return Rewritten::Done;
      })
      .Case([&](LLVM::MemcpyOp op) {
        checkRange(rewriter, op, op.getSrc(), op.getLen(), false);
        checkRange(rewriter, op, op.getDst(), op.getLen(), true);
        return Rewritten::Done;
      })
      .Case([&](LLVM::MemsetOp op) {
        checkRange(rewriter, op, op.getDst(), op.getLen(), true);
        return Rewritten::Done;
      })
      .Case([&](LLVM::FenceOp op) {
        // Blocks on other CPU threads may see global memory; the order inside a block is the fibers'.
        op.setSyncscopeAttr(nullptr);
        return Rewritten::Done;
      })
      .Default([](Operation *) { return Rewritten::NotMine; });
}
