// The frame of the rewrite: functions, shared and other variables, the entry that unpacks launch arguments.
#include "HostModule.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstddef>

using namespace mlir;
using namespace tilewright::emulator;

//===----------------------------------------------------------------------===//
// Words of a rewrite
//===----------------------------------------------------------------------===//

static LLVM::LLVMPointerType pointerType(MLIRContext *context) { return LLVM::LLVMPointerType::get(context); }

Value FunctionRewriter::constant(uint32_t value) {
  return LLVM::ConstantOp::create(builder, function.getLoc(), builder.getI32Type(),
                                  builder.getI32IntegerAttr(int32_t(value)));
}
Value FunctionRewriter::constant64(uint64_t value) {
  return LLVM::ConstantOp::create(builder, function.getLoc(), builder.getI64Type(),
                                  builder.getI64IntegerAttr(int64_t(value)));
}

Value FunctionRewriter::site(Operation *op) {
  result.sites.push_back({op->getName().getStringRef().str(), describeLocation(op->getLoc())});
  return constant(uint32_t(result.sites.size() - 1));
}

static LLVM::LLVMFuncOp declare(ModuleOp host, StringRef name, Type result, TypeRange operands) {
  if (auto known = host.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(host.getBody());
  return LLVM::LLVMFuncOp::create(builder, host.getLoc(), name,
                                  LLVM::LLVMFunctionType::get(result, llvm::to_vector(operands)));
}

/// Calls an entry. Pointers other than the Thread travel as integers: LLVM would look for a proof that each
/// is not null at every call, in time quadratic in the size of a block.
static LLVM::CallOp callEntry(FunctionRewriter &rewriter, StringRef entry, Type result, ValueRange operands) {
  OpBuilder &builder = rewriter.builder;
  Location loc = rewriter.function.getLoc();
  SmallVector<Value> plain;
  for (Value operand : operands) {
    if (operand != rewriter.self && isa<LLVM::LLVMPointerType>(operand.getType()))
      operand = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), operand);
    plain.push_back(operand);
  }
  return LLVM::CallOp::create(builder, loc,
                              declare(rewriter.host, entry, result, ValueRange(plain).getTypes()), plain);
}

Value FunctionRewriter::call(StringRef entry, Type result, ValueRange operands) {
  return callEntry(*this, entry, result, operands).getResult();
}
void FunctionRewriter::callVoid(StringRef entry, ValueRange operands) {
  callEntry(*this, entry, LLVM::LLVMVoidType::get(builder.getContext()), operands);
}

Value FunctionRewriter::registerAddress(size_t byteOffset) {
  return LLVM::GEPOp::create(builder, function.getLoc(), pointerType(builder.getContext()),
                             builder.getI8Type(), self, ArrayRef<LLVM::GEPArg>{int32_t(byteOffset)});
}
Value FunctionRewriter::loadRegister(size_t byteOffset, Type type) {
  return LLVM::LoadOp::create(builder, function.getLoc(), type, registerAddress(byteOffset), /*alignment=*/4);
}
void FunctionRewriter::setIn(unsigned index, Value value) {
  LLVM::StoreOp::create(builder, function.getLoc(), value,
                        registerAddress(offsetof(Registers, in) + 4 * index),
                        /*alignment=*/4);
}
Value FunctionRewriter::getOut(unsigned index, Type type) {
  return loadRegister(offsetof(Registers, out) + 4 * index, type);
}

void FunctionRewriter::collective(Operation *op, CollectiveKind kind, Value mask) {
  callVoid("tw_emu_collective", {self, constant(uint32_t(kind)), mask, site(op)});
}

Value FunctionRewriter::zeroExtend(Value value) {
  return LLVM::ZExtOp::create(builder, function.getLoc(), builder.getI32Type(), value);
}
Value FunctionRewriter::isNotZero(Value word) {
  return LLVM::ICmpOp::create(builder, function.getLoc(), LLVM::ICmpPredicate::ne, word, constant(0));
}

Value FunctionRewriter::slot(Type type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(builder, function.getLoc(), pointerType(builder.getContext()), type,
                                constant(1),
                                /*alignment=*/16);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static uint64_t variableBytes(LLVM::GlobalOp global) {
  return DataLayout::closest(global).getTypeSize(global.getGlobalType());
}

/// Places shared variables: static ones first, dynamic ones (external, no elements) all where those end.
static LogicalResult placeShared(gpu::GPUModuleOp source, llvm::StringMap<uint32_t> &offsets,
                                 uint32_t &bytes) {
  uint64_t end = 0, dynamicAlignment = 16;
  SmallVector<LLVM::GlobalOp> dynamic;
  for (auto global : source.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != 3)
      continue;
    uint64_t alignment = global.getAlignment().value_or(16), size = variableBytes(global);
    if (!size) {
      dynamic.push_back(global);
      dynamicAlignment = std::max(dynamicAlignment, alignment);
      continue;
    }
    end = llvm::alignTo(end, alignment);
    offsets[global.getSymName()] = uint32_t(end);
    end += size;
    if (end > kMaxSharedBytes)
      return global.emitError() << "static shared memory of " << end << " bytes is more than "
                                << kMaxSharedBytes;
  }
  if (!dynamic.empty())
    end = llvm::alignTo(end, dynamicAlignment);
  for (LLVM::GlobalOp global : dynamic)
    offsets[global.getSymName()] = uint32_t(end);
  bytes = uint32_t(end);
  return success();
}

static void copyVariable(LLVM::GlobalOp global, HostModule &result) {
  OpBuilder builder = OpBuilder::atBlockEnd(result.module->getBody());
  auto copy = cast<LLVM::GlobalOp>(builder.clone(*global));
  copy.setAddrSpace(0);
  copy.setLinkage(LLVM::Linkage::External);
  copy.setDsoLocal(false);
  std::string symbol = ("tw_variable_" + global.getSymName()).str();
  copy.setSymName(symbol);
  bool writable = !global.getConstant() && global.getAddrSpace() != 4;
  result.variables.push_back({global.getSymName().str(), symbol, variableBytes(global), writable});
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr("nvvm.kernel") || function->hasAttr("gpu.kernel");
}

/// The type behind a byval pointer parameter, or nothing.
static Type byvalType(LLVM::LLVMFuncOp function, unsigned index) {
  auto attribute = function.getArgAttrOfType<TypeAttr>(index, LLVM::LLVMDialect::getByValAttrName());
  return attribute ? attribute.getValue() : Type();
}

static std::string hostName(StringRef name) { return ("tw_function_" + name).str(); }

/// Copies a function without its GPU attributes and puts its Thread in front of its arguments.
static LLVM::LLVMFuncOp copyFunction(LLVM::LLVMFuncOp source, ModuleOp host) {
  OpBuilder builder = OpBuilder::atBlockEnd(host.getBody());
  Type pointer = pointerType(host.getContext());
  SmallVector<Type> inputs{pointer};
  llvm::append_range(inputs, source.getFunctionType().getParams());
  auto type = LLVM::LLVMFunctionType::get(source.getFunctionType().getReturnType(), inputs);
  auto copy = LLVM::LLVMFuncOp::create(builder, source.getLoc(), hostName(source.getSymName()), type);
  IRMapping mapping;
  source.getBody().cloneInto(&copy.getBody(), mapping);
  copy.getBody().front().insertArgument(0u, pointer, source.getLoc());
  copy.setArgAttr(0, LLVM::LLVMDialect::getNonNullAttrName(), builder.getUnitAttr());
  return copy;
}

static ArrayRef<int32_t> extentAttribute(LLVM::LLVMFuncOp function, StringRef name) {
  auto attribute = function->getAttrOfType<DenseI32ArrayAttr>(name);
  return attribute ? attribute.asArrayRef() : ArrayRef<int32_t>();
}

/// Blocks of a cluster, from the kernel itself or from how it is launched.
static Extent clusterOf(LLVM::LLVMFuncOp source) {
  Extent cluster;
  uint32_t *sizes[] = {&cluster.x, &cluster.y, &cluster.z};
  for (auto [index, size] : llvm::enumerate(extentAttribute(source, "nvvm.cluster_dim").take_front(3)))
    *sizes[index] = uint32_t(size);
  if (source->hasAttr("nvvm.cluster_dim"))
    return cluster;
  if (auto launch = source->getAttrOfType<tilewright::ptx::LaunchAttr>("ptx.launch"))
    for (unsigned dim = 0; dim < 3; ++dim)
      *sizes[dim] = uint32_t(launch.clusterDim(dim));
  return cluster;
}

static uint64_t numberAttribute(LLVM::LLVMFuncOp function, StringRef name) {
  auto attribute = function->getAttrOfType<IntegerAttr>(name);
  return attribute ? uint64_t(attribute.getInt()) : 0;
}

static void readLaunchBounds(LLVM::LLVMFuncOp source, HostKernel &kernel) {
  kernel.cluster = clusterOf(source);
  kernel.awaitsGrid = tilewright::ptx::waitsForPrerequisites(source);
  for (int32_t size : extentAttribute(source, "nvvm.reqntid"))
    kernel.requiredBlock.push_back(uint32_t(size));
  ArrayRef<int32_t> most = extentAttribute(source, "nvvm.maxntid");
  for (auto [index, size] : llvm::enumerate(most))
    kernel.maxThreads = (index ? kernel.maxThreads : 1) * uint64_t(size);
  // As ptxas divides the SM's registers: among the blocks that shall fit, in eights.
  constexpr uint64_t kRegisters = 65536, kMostRegisters = 256;
  uint64_t threads = kernel.requiredBlock.empty() ? kernel.maxThreads : 1;
  for (uint32_t size : kernel.requiredBlock)
    threads *= size;
  if (uint64_t stated = numberAttribute(source, "nvvm.maxnreg"))
    kernel.registersAtEntry = uint32_t(stated);
  else if (uint64_t blocks = numberAttribute(source, "nvvm.minctasm"); blocks && threads)
    kernel.registersAtEntry = uint32_t(std::min(kMostRegisters, kRegisters / blocks / threads / 8 * 8));
}

/// void entry(Thread *self, void **arguments): loads the arguments and calls the kernel.
static HostKernel buildEntry(LLVM::LLVMFuncOp source, LLVM::LLVMFuncOp copy, ModuleOp host) {
  HostKernel kernel;
  kernel.name = source.getSymName().str();
  kernel.symbol = ("tw_entry_" + source.getSymName()).str();
  OpBuilder builder = OpBuilder::atBlockEnd(host.getBody());
  Location loc = host.getLoc();
  Type pointer = pointerType(host.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(host.getContext()), {pointer, pointer});
  auto entry = LLVM::LLVMFuncOp::create(builder, loc, kernel.symbol, type);
  builder.setInsertionPointToStart(entry.addEntryBlock(builder));
  SmallVector<Value> operands{entry.getArgument(0)};
  DataLayout layout = DataLayout::closest(source);
  for (auto [index, parameter] : llvm::enumerate(source.getFunctionType().getParams())) {
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, entry.getArgument(1),
                                     ArrayRef<LLVM::GEPArg>{int32_t(index)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    if (Type pointee = byvalType(source, index)) {
      kernel.parameterBytes.push_back(layout.getTypeSize(pointee));
      operands.push_back(address);
      continue;
    }
    kernel.parameterBytes.push_back(isa<LLVM::LLVMPointerType>(parameter) ? 8
                                                                          : layout.getTypeSize(parameter));
    operands.push_back(LLVM::LoadOp::create(builder, loc, parameter, address, /*alignment=*/1));
  }
  LLVM::CallOp::create(builder, loc, copy, operands);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return kernel;
}

static LogicalResult rewriteCall(FunctionRewriter &rewriter, LLVM::CallOp call) {
  std::optional<StringRef> callee = call.getCallee();
  if (!callee)
    return call.emitError("the emulator does not model indirect calls");
  auto target = rewriter.host.lookupSymbol<LLVM::LLVMFuncOp>(hostName(*callee));
  if (!target)
    return call.emitError() << "the emulator does not model calls of external function '" << *callee << "'";
  SmallVector<Value> operands{rewriter.self};
  llvm::append_range(operands, call.getArgOperands());
  auto replacement = LLVM::CallOp::create(rewriter.builder, call.getLoc(), target, operands);
  call.replaceAllUsesWith(replacement->getResults());
  call.erase();
  return success();
}

/// Of the fast-math flags only `contract` stays: a GPU fuses where it is set, and so may the host. The others
/// would let the host's code generator change numbers in its own way.
static void keepContract(Operation *op) {
  auto math = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  if (!math)
    return;
  auto flags = math.getFastmathAttr().getValue() & LLVM::FastmathFlags::contract;
  op->setAttr(math.getFastmathAttrName(), LLVM::FastmathFlagsAttr::get(op->getContext(), flags));
}

/// Division of scalars by what is not a constant.
static void checkDivision(FunctionRewriter &rewriter, Operation *op) {
  if (!isa<LLVM::UDivOp, LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp>(op))
    return;
  Value divisor = op->getOperand(1);
  auto type = dyn_cast<IntegerType>(divisor.getType());
  if (!type || type.getWidth() > 64 || divisor.getDefiningOp<LLVM::ConstantOp>())
    return;
  if (type.getWidth() < 64)
    divisor = LLVM::ZExtOp::create(rewriter.builder, op->getLoc(), rewriter.builder.getI64Type(), divisor);
  rewriter.callVoid("tw_emu_check_divisor", {rewriter.self, divisor, rewriter.site(op)});
}

static LogicalResult rewriteOperation(FunctionRewriter &rewriter, Operation *op) {
  rewriter.builder.setInsertionPoint(op);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return rewriteCall(rewriter, call);
  if (isa<LLVM::UnreachableOp, LLVM::Trap, LLVM::DebugTrap>(op)) {
    rewriter.callVoid("tw_emu_trap", {rewriter.self, rewriter.site(op)});
    if (!isa<LLVM::UnreachableOp>(op))
      op->erase();
    return success();
  }
  // Promises, among them alignments that the host's buffers need not have.
  if (isa<LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op)) {
    op->erase();
    return success();
  }
  keepContract(op);
  checkDivision(rewriter, op);
  for (auto *family :
       {rewriteMemory, rewriteNvvm, rewriteAsync, rewriteWarpgroup, rewriteMatrix, rewritePtx}) {
    Rewritten outcome = family(rewriter, op);
    if (outcome != Rewritten::NotMine)
      return success(outcome == Rewritten::Done);
  }
  if (isHostOperation(op))
    return success();
  return op->emitError() << "the emulator does not model '" << op->getName() << "'";
}

FailureOr<HostModule> tilewright::emulator::buildHostModule(gpu::GPUModuleOp source) {
  HostModule result;
  result.module = ModuleOp::create(source.getLoc());
  ModuleOp host = *result.module;
  llvm::StringMap<uint32_t> sharedOffsets;
  if (failed(placeShared(source, sharedOffsets, result.staticSharedBytes)))
    return failure();
  SmallVector<std::pair<LLVM::LLVMFuncOp, LLVM::LLVMFuncOp>> functions;
  for (Operation &op : *source.getBody()) {
    if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      if (global.getAddrSpace() != 3)
        copyVariable(global, result);
    } else if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (function.isExternal())
        continue;
      Extent cluster = clusterOf(function);
      result.hasClusters |= isKernel(function) && cluster.count() > 1;
      functions.push_back({function, copyFunction(function, host)});
    } else if (!op.hasTrait<OpTrait::IsTerminator>()) {
      return op.emitError() << "the emulator does not model '" << op.getName() << "' in a gpu.module";
    }
  }
  for (auto [original, copy] : functions) {
    // What is local to a byval parameter needs no check: the parameter is private to the launch.
    for (unsigned i = 0; i < original.getNumArguments(); ++i)
      if (byvalType(original, i))
        copy.setArgAttr(i + 1, "tw.parameter", UnitAttr::get(host.getContext()));
    FunctionRewriter rewriter{OpBuilder(host.getContext()), host,   copy,         original,
                              copy.getArgument(0),          result, sharedOffsets};
    SmallVector<Operation *> operations;
    copy.getBody().walk([&](Operation *op) { operations.push_back(op); });
    result.usesAsyncProxy |= llvm::any_of(operations, usesAsyncProxy);
    result.usesFlags |= llvm::any_of(operations, usesFlags);
    result.takesTickets |= llvm::any_of(operations, takesTickets);
    checkAccumulatorUses(rewriter, operations);
    for (Operation *op : operations)
      if (failed(rewriteOperation(rewriter, op)))
        return failure();
    for (unsigned i = 0; i < copy.getNumArguments(); ++i)
      copy.removeArgAttr(i, StringAttr::get(host.getContext(), "tw.parameter"));
    if (!isKernel(original))
      continue;
    result.kernels.push_back(buildEntry(original, copy, host));
    readLaunchBounds(original, result.kernels.back());
  }
  AttrTypeReplacer flatten;
  flatten.addReplacement(
      [&](LLVM::LLVMPointerType) -> std::optional<Type> { return pointerType(host.getContext()); });
  flatten.recursivelyReplaceElementsIn(host, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                       /*replaceTypes=*/true);
  return result;
}
