// The ops that hold a program together: program, return, launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Plan.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilewright::plan;
namespace graph = tilewright::graph;

//===-- program -----------------------------------------------------------------------------------------===//

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildFuncType = [](Builder &builder, ArrayRef<Type> args, ArrayRef<Type> results,
                          function_interface_impl::VariadicFlag,
                          std::string &) { return builder.getFunctionType(args, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildFuncType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void ProgramOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

static StringRef nameIn(DictionaryAttr attributes) {
  auto name = attributes ? attributes.getAs<StringAttr>(PlanDialect::getNameAttrName()) : StringAttr();
  return name ? name.getValue() : StringRef();
}

StringRef ProgramOp::getInputName(unsigned index) {
  return nameIn(function_interface_impl::getArgAttrDict(*this, index));
}

StringRef ProgramOp::getOutputName(unsigned index) {
  return nameIn(function_interface_impl::getResultAttrDict(*this, index));
}

LogicalResult ProgramOp::verify() {
  auto checkNames = [&](StringRef place, unsigned count, auto nameOf, ArrayRef<Type> types) -> LogicalResult {
    llvm::StringSet<> seen;
    for (unsigned i = 0; i < count; ++i) {
      auto tensor = dyn_cast<RankedTensorType>(types[i]);
      if (!tensor || !tensor.hasStaticShape()) // program_c1
        return emitOpError() << place << " " << i << " must be a tensor of static shape, got " << types[i];
      if (storageBytes(tensor.getElementType()) == 0) // program_c2
        return emitOpError() << place << " " << i << ": elements of type " << tensor.getElementType()
                             << " have no storage";
      StringRef name = nameOf(i);
      if (name.empty()) // program_c3
        return emitOpError() << place << " " << i << " has no 'plan.name'";
      if (!seen.insert(name).second) // program_c4
        return emitOpError() << "two " << place << "s are named \"" << name << "\"";
    }
    return success();
  };
  if (failed(checkNames(
          "argument", getArgumentTypes().size(), [&](unsigned i) { return getInputName(i); },
          getArgumentTypes())) ||
      failed(checkNames(
          "result", getResultTypes().size(), [&](unsigned i) { return getOutputName(i); }, getResultTypes())))
    return failure();
  if (getBody().front().empty() || !isa<ReturnOp>(getBody().front().back())) // program_c5
    return emitOpError("must end in plan.return");
  return success();
}

LogicalResult ReturnOp::verify() {
  auto program = cast<ProgramOp>((*this)->getParentOp());
  ArrayRef<Type> results = program.getResultTypes();
  if (getValues().size() != results.size()) // return_c1
    return emitOpError() << "returns " << getValues().size() << " values, the program has " << results.size()
                         << " results";
  for (auto [i, type, result] : llvm::enumerate(getValues().getTypes(), results))
    if (type != result) // return_c2
      return emitOpError() << "value " << i << " is " << type << ", the program's result is " << result;
  return success();
}

//===-- launch ------------------------------------------------------------------------------------------===//

LogicalResult LaunchOp::verify() {
  bool buffers = llvm::any_of(getArgs().getTypes(), llvm::IsaPred<BufferType>) || !getInto().empty() ||
                 !getAfter().empty() || !getProgrammatic().empty() ||
                 llvm::any_of(getResultTypes(), llvm::IsaPred<EventType>);
  if (!buffers)
    return success();
  for (auto [i, type] : llvm::enumerate(getArgs().getTypes()))
    if (!isa<BufferType>(type)) // launch_c1
      return emitOpError() << "mixes tensors and buffers: argument " << i << " is " << type;
  if (!hasBuffers()) // launch_c2
    return emitOpError() << "on buffers gives one !plan.event, not " << getNumResults() << " results";
  for (Value event : getProgrammatic())
    if (!event.getDefiningOp<LaunchOp>()) // launch_c6
      return emitOpError("has a programmatic event that is not a launch's");
  return success();
}

/// The number of bytes that a launch's operand must have to stand for `type`, and whether it does.
static bool standsFor(Type operand, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (auto buffer = dyn_cast<BufferType>(operand))
    return tensor && buffer.getBytes() == storageBytes(tensor);
  return operand == type;
}

SmallVector<FlatSymbolRefAttr> LaunchOp::getKernels() {
  SmallVector<FlatSymbolRefAttr> kernels = {getKernelAttr()};
  if (auto variants = (*this)->getAttrOfType<ArrayAttr>(PlanDialect::getVariantsAttrName()))
    llvm::append_range(kernels, variants.getAsRange<FlatSymbolRefAttr>());
  return kernels;
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (FlatSymbolRefAttr variant : ArrayRef(getKernels()).drop_front())
    if (!symbols.lookupNearestSymbolFrom(*this, variant)) // launch_c7
      return emitOpError() << "variant " << variant << " does not exist";
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!callee) // launch_c3
    return emitOpError() << "kernel @" << getKernel() << " does not exist";
  // Later stages' kernels take pointers; their signatures are checked by those stages.
  auto kernel = dyn_cast<graph::KernelOp>(callee);
  if (!kernel)
    return success();
  auto check = [&](StringRef place, TypeRange given, ArrayRef<Type> wanted) -> LogicalResult {
    if (given.size() != wanted.size()) // launch_c4
      return emitOpError() << "has " << given.size() << " " << place << "s, kernel @" << getKernel()
                           << " has " << wanted.size();
    for (auto [i, type, want] : llvm::enumerate(given, wanted))
      if (!standsFor(type, want)) // launch_c5
        return emitOpError() << place << " " << i << " is " << type << ", kernel @" << getKernel() << " has "
                             << want;
    return success();
  };
  if (failed(check("argument", getArgs().getTypes(), kernel.getArgumentTypes())))
    return failure();
  return check("result", hasBuffers() ? TypeRange(getInto().getTypes()) : TypeRange(getResultTypes()),
               kernel.getResultTypes());
}

/// A launch of tensors is a pure function; one of buffers reads its arguments and writes `into`.
void LaunchOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (!hasBuffers())
    return;
  for (OpOperand &operand : getArgsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getIntoMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

#define GET_OP_CLASSES
#include "Tilewright/Dialect/Plan/IR/PlanOps.cpp.inc"
