// Registration of the plan dialect, its types, and the checks of its discardable attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::plan;

#include "Tilewright/Dialect/Plan/IR/PlanDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "Tilewright/Dialect/Plan/IR/PlanTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Plan/IR/PlanAttributes.cpp.inc"

void PlanDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Tilewright/Dialect/Plan/IR/PlanTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Tilewright/Dialect/Plan/IR/PlanAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Tilewright/Dialect/Plan/IR/PlanOps.cpp.inc"
      >();
}

int64_t tilewright::plan::storageBytes(Type element) {
  if (element.isIndex())
    return 8;
  if (!element.isIntOrFloat())
    return 0;
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits == 1)
    return 1;
  return bits % 8 == 0 ? bits / 8 : 0;
}

int64_t tilewright::plan::storageBytes(RankedTensorType type) {
  return type.getNumElements() * storageBytes(type.getElementType());
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t bytes) {
  if (bytes < 0) // buffer_c1
    return emitError() << "a buffer of " << bytes << " bytes";
  return success();
}

LogicalResult PlanDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == getCostAttrName() || name == getSourcesAttrName()) {
    if (!isa<LaunchOp>(op))
      return op->emitError("attribute '") << name << "' belongs on a plan.launch";
    if (name == getCostAttrName() && !isa<CostAttr>(attribute.getValue()))
      return op->emitError("attribute 'plan.cost' must be #plan.cost<…>, got ") << attribute.getValue();
    auto sources = dyn_cast<ArrayAttr>(attribute.getValue());
    if (name == getSourcesAttrName() && (!sources || !llvm::all_of(sources, llvm::IsaPred<StringAttr>)))
      return op->emitError("attribute 'plan.sources' must be an array of strings, got ")
             << attribute.getValue();
    return success();
  }
  if (name == getVariantsAttrName()) {
    auto kernels = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!isa<LaunchOp>(op))
      return op->emitError("attribute 'plan.variants' belongs on a plan.launch");
    if (!kernels || !llvm::all_of(kernels, llvm::IsaPred<FlatSymbolRefAttr>))
      return op->emitError("attribute 'plan.variants' must be an array of kernels, got ")
             << attribute.getValue();
    return success();
  }
  if (name == getPartsAttrName()) {
    auto parts = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!isa<LaunchOp>(op))
      return op->emitError("attribute 'plan.parts' belongs on a plan.launch");
    if (!parts || !llvm::all_of(parts, llvm::IsaPred<PartAttr>))
      return op->emitError("attribute 'plan.parts' must be an array of #plan.part<…>, got ")
             << attribute.getValue();
    return success();
  }
  if (name == getSlicesAttrName()) {
    auto slices = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!isa<LaunchOp>(op) || !op->hasAttr(getPartsAttrName()) || !slices || slices.getInt() < 1)
      return op->emitError("attribute 'plan.slices' is a number of slices and belongs on a plan.launch with "
                           "'plan.parts', got ")
             << attribute.getValue();
    return success();
  }
  if (name == getBucketAttrName()) {
    auto dims = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!isa<FunctionOpInterface>(op))
      return op->emitError("attribute 'plan.bucket' belongs on a function");
    if (!dims || !llvm::all_of(dims, llvm::IsaPred<BucketDimAttr>))
      return op->emitError("attribute 'plan.bucket' must be an array of #plan.dim<…>, got ")
             << attribute.getValue();
    return success();
  }
  if (name == kTrafficAttrName) {
    auto bytes = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (!isa<LaunchOp, ProgramOp>(op))
      return op->emitError("attribute 'plan.traffic' belongs on a plan.launch or plan.program");
    if (!bytes || bytes.size() != (isa<LaunchOp>(op) ? 2 : 4))
      return op->emitError(
                 "attribute 'plan.traffic' must be an array of 2 numbers of bytes of a launch, 4 of a "
                 "program, got ")
             << attribute.getValue();
    return success();
  }
  if (name == kBackwardAttrName) {
    if (op->getName().getStringRef() != "graph.kernel" || !isa<UnitAttr>(attribute.getValue()))
      return op->emitError("attribute 'plan.backward' is a unit and belongs on a graph.kernel, got ")
             << attribute.getValue();
    return success();
  }
  if (name == kLeavingAttrName) {
    auto places = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    auto kernel = dyn_cast<FunctionOpInterface>(op);
    if (!places || !kernel || op->getName().getStringRef() != "graph.kernel")
      return op->emitError(
                 "attribute 'plan.leaving' is an array of numbers and belongs on a graph.kernel, got ")
             << attribute.getValue();
    int64_t count = kernel.getNumArguments() + kernel.getNumResults();
    for (int64_t place : places.asArrayRef())
      if (place < 0 || place >= count)
        return op->emitError("attribute 'plan.leaving' has ")
               << place << ", and the kernel has " << count << " operands and results";
    return success();
  }
  return op->emitError("the plan dialect has no operation attribute '") << name << "'";
}

/// Attributes of a program's argument or result, which is `type`.
static LogicalResult verifySignatureAttribute(Operation *op, Type type, StringRef place, unsigned index,
                                              NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (!isa<ProgramOp>(op))
    return op->emitError("attribute '") << name << "' belongs on arguments and results of a plan.program";
  if (name == PlanDialect::getNameAttrName()) {
    auto text = dyn_cast<StringAttr>(attribute.getValue());
    if (!text || text.getValue().empty())
      return op->emitError() << place << " " << index << ": 'plan.name' must be a non-empty string, got "
                             << attribute.getValue();
    return success();
  }
  if (name == PlanDialect::getUnsignedAttrName()) {
    auto tensor = dyn_cast_if_present<RankedTensorType>(type);
    if (!isa<UnitAttr>(attribute.getValue()) || !tensor || !tensor.getElementType().isInteger() ||
        tensor.getElementType().isInteger(1))
      return op->emitError() << place << " " << index
                             << ": 'plan.unsigned' must be a unit attribute of integers"
                             << ", got " << attribute.getValue() << " of " << type;
    return success();
  }
  if (name == PlanDialect::getSymbolsAttrName()) {
    auto symbols = dyn_cast<ArrayAttr>(attribute.getValue());
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!symbols || !llvm::all_of(symbols, llvm::IsaPred<StringAttr>))
      return op->emitError() << place << " " << index << ": 'plan.symbols' must be an array of strings, got "
                             << attribute.getValue();
    if (!tensor || (int64_t)symbols.size() != tensor.getRank())
      return op->emitError() << place << " " << index << ": 'plan.symbols' names " << symbols.size()
                             << " dimensions of " << type;
    return success();
  }
  return op->emitError("the plan dialect has no attribute '") << name << "' for " << place << "s";
}

LogicalResult PlanDialect::verifyRegionArgAttribute(Operation *op, unsigned region, unsigned index,
                                                    NamedAttribute attribute) {
  Type type = op->getRegion(region).getNumArguments() > index
                  ? op->getRegion(region).getArgument(index).getType()
                  : Type();
  return verifySignatureAttribute(op, type, "argument", index, attribute);
}

LogicalResult PlanDialect::verifyRegionResultAttribute(Operation *op, unsigned region, unsigned index,
                                                       NamedAttribute attribute) {
  auto program = dyn_cast<ProgramOp>(op);
  Type type = program && index < program.getResultTypes().size() ? program.getResultTypes()[index] : Type();
  return verifySignatureAttribute(op, type, "result", index, attribute);
}
