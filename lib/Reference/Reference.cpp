// Running a tensor program on the CPU: weights become arguments, graph ops become linalg, tensors become
// buffers, and LLVM compiles the loops for the host. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RoundSteps.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
#include "Tilewright/HostCode/CleanUp.h"
#include "Tilewright/Reference/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"

#include <cstring>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::reference;

static llvm::Error invalid(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "reference: " + message);
}

static std::string toText(Type type) { return llvm::formatv("{0}", type).str(); }

/// What bufferization and translation need to know of the dialects that appear on the way down.
static void registerInterfaces(MLIRContext &context) {
  DialectRegistry registry;
  registry.insert<bufferization::BufferizationDialect, func::FuncDialect, linalg::LinalgDialect,
                  LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<bufferization::BufferizationDialect, memref::MemRefDialect>();
}

/// Replaces each distinct weight of `func` by a further argument, and returns the weights in that order.
static SmallVector<graph::WeightAttr> takeWeights(func::FuncOp func) {
  llvm::MapVector<Attribute, Value> arguments;
  func.walk([&](graph::WeightOp op) {
    Value &argument = arguments[op.getWeight()];
    if (!argument) {
      unsigned index = func.getNumArguments();
      (void)func.insertArgument(index, op.getType(), {}, op.getLoc());
      argument = func.getArgument(index);
    }
    op.getResult().replaceAllUsesWith(argument);
    op.erase();
  });
  return llvm::map_to_vector(arguments,
                             [](const auto &entry) { return cast<graph::WeightAttr>(entry.first); });
}

/// Makes `func` take all its tensors, results last, as buffers: plain pointers in the end.
static void takeBuffers(func::FuncOp func) {
  Block &body = func.getBody().front();
  SmallVector<Type> types;
  auto bufferType = [](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    // Buffers of several dimensions without elements have no plain pointer.
    if (tensor.getNumElements() == 0)
      return MemRefType::get({0}, tensor.getElementType());
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  };
  OpBuilder builder(&body, body.begin());
  for (BlockArgument argument : body.getArguments()) {
    auto tensor = cast<RankedTensorType>(argument.getType());
    types.push_back(bufferType(tensor));
    if (tensor.getNumElements() == 0) {
      Value none = arith::ConstantOp::create(builder, argument.getLoc(),
                                             DenseElementsAttr::get(tensor, ArrayRef<Attribute>()));
      argument.replaceAllUsesWith(none);
      argument.setType(types.back());
      continue;
    }
    argument.setType(types.back());
    auto value =
        bufferization::ToTensorOp::create(builder, argument.getLoc(), tensor, argument, /*restrict=*/true);
    argument.replaceAllUsesExcept(value, value);
  }
  auto terminator = cast<func::ReturnOp>(body.getTerminator());
  builder.setInsertionPoint(terminator);
  for (Value result : terminator.getOperands()) {
    types.push_back(bufferType(result.getType()));
    Value buffer = body.addArgument(types.back(), terminator.getLoc());
    if (cast<RankedTensorType>(result.getType()).getNumElements() == 0)
      continue;
    bufferization::MaterializeInDestinationOp::create(builder, terminator.getLoc(), Type(), result, buffer,
                                                      /*restrict=*/true, /*writable=*/true);
  }
  terminator->setOperands({});
  func.setFunctionType(builder.getFunctionType(types, {}));
  func.removeArgAttrsAttr();
  func.removeResAttrsAttr();
}

/// Programs of upstream dialects to linalg on tensors, by upstream's own lowering: what import makes of them
/// is compared with something else than itself.
static LogicalResult lowerUpstream(ModuleOp module) {
  bool holdsTosa = false;
  SmallVector<linalg::SoftmaxOp> softmaxes;
  module.walk([&](Operation *op) {
    holdsTosa |= isa<tosa::TosaDialect>(op->getDialect());
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
      softmaxes.push_back(softmax);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::SoftmaxOp softmax : softmaxes) {
    rewriter.setInsertionPoint(softmax);
    FailureOr<SmallVector<Value>> results = softmax.decomposeOperation(rewriter);
    if (failed(results))
      return failure();
    rewriter.replaceOp(softmax, *results);
  }
  if (!holdsTosa)
    return success();
  PassManager pm(module.getContext());
  // Without validation, which is about profiles of devices.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(), TosaToLinalgNamedOptions(), std::nullopt);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToTensorPass());
  TosaToArithPassOptions arithmetic;
  arithmetic.includeApplyRescale = true;
  functions.addPass(createTosaToArithPass(arithmetic));
  return pm.run(module);
}

/// Tensor programs to linalg on tensors.
static void populateLinalg(OpPassManager &pm, Precision precision) {
  if (precision == Precision::F64)
    pm.addPass(createReferenceWidenFloats());
  // Loops without iterations do not survive the way down.
  pm.addPass(graph::createGraphFoldEmpty());
  pm.addPass(graph::createGraphDecomposeAttention());
  pm.addPass(graph::createGraphDecomposeNamed());
  pm.addPass(graph::createGraphDecomposeMasks());
  pm.addPass(createConvertGraphToLinalg());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCSEPass());
}

/// Linalg on tensors to the LLVM dialect. Arithmetic of 16-bit floats is done in fp32 and rounded after each
/// op.
static void populateLLVM(OpPassManager &pm) {
  pm.addPass(bufferization::createOneShotBufferizePass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addNestedPass<func::FuncOp>(bufferization::createOptimizeAllocationLivenessPass());
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createReferenceOutlineLoops());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createCanonicalizerPass());
  math::MathExtendToSupportedTypesOptions mathTypes;
  pm.addPass(math::createMathExtendToSupportedTypes(mathTypes));
  arith::ArithEmulateUnsupportedFloatsOptions narrow;
  narrow.sourceTypeStrs = {"bf16", "f16", "f8E4M3FN", "f8E5M2"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(narrow));
  pm.addPass(createReferenceExpandFloat8());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(functions));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// The tensors of `weights`, in the types that the program computes in.
static llvm::Expected<std::vector<HostTensor>> readWeights(ArrayRef<graph::WeightAttr> weights,
                                                           const WeightSource &source, bool wide) {
  std::vector<HostTensor> tensors;
  for (graph::WeightAttr weight : weights) {
    if (!source)
      return invalid("weight '" + weight.getKey() + "' has no source");
    auto stored = source(weight);
    if (!stored)
      return stored.takeError();
    auto tensor = applyWeightSteps(weight, *stored, wide);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// fp64 to a 16-bit brain float, in one rounding to nearest even. LLVM calls it on hosts without an
/// instruction.
static __bf16 truncateToBrain(double value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  uint16_t bits = number.bitcastToAPInt().getZExtValue();
  __bf16 result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

/// The same of fp32, which fp64 has all of.
static __bf16 truncateSingleToBrain(float value) { return truncateToBrain(value); }

/// A buffer as upstream's lowering of copies hands it over: its rank, and a descriptor of pointers, offset,
/// sizes and strides.
namespace {
struct StridedBuffer {
  int64_t rank;
  struct Descriptor {
    char *allocated, *aligned;
    int64_t offset, sizesAndStrides[];
  } *descriptor;
};
} // namespace

/// Copies between buffers one of which is no plain array.
static void copyStrided(int64_t elementBytes, StridedBuffer *from, StridedBuffer *to) {
  const int64_t rank = from->rank, *sizes = from->descriptor->sizesAndStrides;
  auto address = [&](StridedBuffer *buffer, ArrayRef<int64_t> index) {
    const int64_t *strides = buffer->descriptor->sizesAndStrides + rank;
    int64_t place = buffer->descriptor->offset;
    for (int64_t d = 0; d < rank; ++d)
      place += index[d] * strides[d];
    return buffer->descriptor->aligned + place * elementBytes;
  };
  SmallVector<int64_t> index(rank, 0);
  if (llvm::is_contained(ArrayRef(sizes, rank), 0))
    return;
  while (true) {
    std::memcpy(address(to, index), address(from, index), elementBytes);
    int64_t d = rank - 1;
    while (d >= 0 && ++index[d] == sizes[d])
      index[d--] = 0;
    if (d < 0)
      return;
  }
}

/// Compiles the lowered `module` for the host.
static llvm::Expected<std::unique_ptr<ExecutionEngine>> compileForHost(ModuleOp module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  ExecutionEngineOptions options;
  auto cleanUp = [&machine = **machine](llvm::Module *code) {
    cleanUpHostCode(*code, machine);
    return llvm::Error::success();
  };
  options.transformer = cleanUp;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return engine.takeError();
  // What the compiler calls and this process may lack.
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    symbols[interner("__truncdfbf2")] = {llvm::orc::ExecutorAddr::fromPtr(&truncateToBrain),
                                         llvm::JITSymbolFlags::Exported};
    symbols[interner("__truncsfbf2")] = {llvm::orc::ExecutorAddr::fromPtr(&truncateSingleToBrain),
                                         llvm::JITSymbolFlags::Exported};
    symbols[interner("memrefCopy")] = {llvm::orc::ExecutorAddr::fromPtr(&copyStrided),
                                       llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  return engine;
}

struct CompiledReference::State {
  std::string entry;
  bool wide;
  /// Of the inputs, as the program has them, and of the results, as it computes them.
  SmallVector<RankedTensorType> inputs, results;
  std::vector<HostTensor> weights;
  std::vector<RoundingFactor> factors;
  std::unique_ptr<ExecutionEngine> engine;
};

CompiledReference::CompiledReference(std::unique_ptr<State> state) : state(std::move(state)) {}
CompiledReference::CompiledReference(CompiledReference &&) = default;
CompiledReference::~CompiledReference() = default;

llvm::Expected<CompiledReference> CompiledReference::compile(ModuleOp module, const WeightSource &weights,
                                                             const ReferenceOptions &options) {
  registerInterfaces(*module.getContext());
  OwningOpRef<ModuleOp> clone = module.clone();
  auto func = clone->lookupSymbol<func::FuncOp>(options.entry);
  if (!func || func.isExternal())
    return invalid("the module has no function '" + options.entry + "' with a body");
  for (Type type : llvm::concat<const Type>(func.getArgumentTypes(), func.getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return invalid("'" + options.entry + "' has a value of type " + toText(type) +
                     ", which is no tensor of static shape");
  if (!func.getBody().hasOneBlock())
    return invalid("'" + options.entry + "' has more than one block");

  // Other functions are of no interest, and may hold what cannot be lowered.
  for (Operation &op : llvm::make_early_inc_range(*clone->getBody()))
    if (&op != func.getOperation())
      op.erase();
  auto state = std::make_unique<State>();
  state->entry = options.entry;
  state->wide = options.precision == Precision::F64;
  for (Type type : func.getArgumentTypes())
    state->inputs.push_back(cast<RankedTensorType>(type));
  auto tensors = readWeights(takeWeights(func), weights, state->wide);
  if (!tensors)
    return tensors.takeError();
  state->weights = std::move(*tensors);

  if (state->wide && options.rounding) {
    // The mean of a norm is a step that rounds, too, whose error all elements share.
    PassManager steps(module.getContext());
    steps.addPass(graph::createGraphDecomposeAttention());
    steps.addPass(graph::createGraphDecomposeNamed());
    if (failed(steps.run(*clone)))
      return invalid("named operations cannot be taken apart");
    state->factors = roundSteps(func, *options.rounding);
  }
  if (failed(lowerUpstream(*clone)))
    return invalid("upstream's lowering to linalg failed");
  PassManager toLinalg(module.getContext()), toLLVM(module.getContext());
  populateLinalg(toLinalg, options.precision);
  if (failed(toLinalg.run(*clone)))
    return invalid("lowering to linalg failed");
  for (Type type : func.getResultTypes())
    state->results.push_back(cast<RankedTensorType>(type));
  takeBuffers(func);
  populateLLVM(toLLVM);
  if (failed(toLLVM.run(*clone)))
    return invalid("lowering to LLVM failed");
  auto engine = compileForHost(*clone);
  if (!engine)
    return engine.takeError();
  state->engine = std::move(*engine);
  return CompiledReference(std::move(state));
}

llvm::Expected<std::vector<HostTensor>> CompiledReference::run(ArrayRef<HostTensor> inputs,
                                                               uint64_t seed) const {
  if (inputs.size() != state->inputs.size())
    return invalid("'" + state->entry + "' takes " + llvm::Twine(state->inputs.size()) + " inputs, got " +
                   llvm::Twine(inputs.size()));
  std::vector<HostTensor> arguments;
  for (auto [index, input, type] : llvm::enumerate(inputs, state->inputs)) {
    if (input.type != type)
      return invalid("input #" + llvm::Twine(index) + " is " + toText(input.type) + ", expected " +
                     toText(type));
    bool widens = state->wide && isa<FloatType>(type.getElementType());
    arguments.push_back(widens ? convertElements(input, Float64Type::get(type.getContext())) : input);
  }
  std::vector<HostTensor> factors = drawFactors(state->factors, seed), results;
  for (RankedTensorType type : state->results)
    results.push_back(makeZeros(type));
  SmallVector<void *> pointers;
  for (std::vector<HostTensor> *tensors : {&arguments, &state->weights, &factors, &results})
    for (HostTensor &tensor : *tensors)
      pointers.push_back(tensor.bytes.data());
  SmallVector<void *> packed;
  for (void *&pointer : pointers)
    packed.push_back(&pointer);
  if (llvm::Error error = state->engine->invokePacked(state->entry, packed))
    return std::move(error);
  return results;
}

llvm::Expected<std::vector<HostTensor>> tilewright::reference::runReference(ModuleOp module,
                                                                            ArrayRef<HostTensor> inputs,
                                                                            const WeightSource &weights,
                                                                            const ReferenceOptions &options) {
  auto compiled = CompiledReference::compile(module, weights, options);
  if (!compiled)
    return compiled.takeError();
  return compiled->run(inputs);
}
