// The ops of the buffer form: where bytes lie, and work on them that is not a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Plan.h"

using namespace mlir;
using namespace tilewright::plan;
namespace graph = tilewright::graph;

/// That `buffer` has the bytes of `tensor`.
static LogicalResult verifyBytes(Operation *op, RankedTensorType tensor, Type buffer) {
  if (storageBytes(tensor.getElementType()) == 0)
    return op->emitOpError() << "elements of type " << tensor.getElementType() << " have no storage";
  int64_t bytes = cast<BufferType>(buffer).getBytes();
  if (bytes != storageBytes(tensor))
    return op->emitOpError() << tensor << " takes " << storageBytes(tensor) << " bytes, the buffer has "
                             << bytes;
  return success();
}

template <typename OpTy> static LogicalResult verifyBound(OpTy op) {
  auto tensor = cast<RankedTensorType>(op.getTensor());
  if (op.getName().empty()) // input_c1, output_c1
    return op.emitOpError("has an empty name");
  if (op.getSymbols() && (int64_t)op.getSymbols()->size() != tensor.getRank()) // input_c2, output_c2
    return op.emitOpError() << "symbols name " << op.getSymbols()->size() << " dimensions of " << tensor;
  return verifyBytes(op, tensor, op.getBuffer().getType()); // input_c3, output_c3
}

LogicalResult InputOp::verify() { return verifyBound(*this); }
LogicalResult OutputOp::verify() { return verifyBound(*this); }

//===-- Names in printed programs -----------------------------------------------------------------------===//

void InputOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getBuffer(), getName()); }
void OutputOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getBuffer(), getName()); }
void ArenaOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getBuffer(), "arena"); }
void WorkspaceOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getBuffer(), "workspace"); }
void WeightOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  auto weight = dyn_cast<graph::WeightAttr>(getSource());
  setName(getBuffer(), weight ? weight.getKey() : "constant");
}

//===-- Weights, views, copies, fills -------------------------------------------------------------------===//

RankedTensorType WeightOp::getTensorType() {
  std::string error;
  if (auto weight = dyn_cast<graph::WeightAttr>(getSource()))
    return graph::weightTypeAfterSteps(weight, error);
  if (auto elements = dyn_cast<ElementsAttr>(getSource()))
    return dyn_cast<RankedTensorType>(elements.getType());
  return nullptr;
}

LogicalResult WeightOp::verify() {
  std::string error;
  if (auto weight = dyn_cast<graph::WeightAttr>(getSource()))
    if (!graph::weightTypeAfterSteps(weight, error)) // weight_c1
      return emitOpError() << error;
  RankedTensorType type = getTensorType();
  if (!type || !type.hasStaticShape()) // weight_c2
    return emitOpError() << "source must be #graph.weight<…> or a constant tensor, got " << getSource();
  return verifyBytes(*this, type, getBuffer().getType()); // weight_c3
}

LogicalResult ViewOp::verify() {
  int64_t offset = getOffset(), bytes = getBuffer().getType().getBytes(),
          size = getSource().getType().getBytes();
  if (offset < 0 || bytes > size - offset) // view_c1
    return emitOpError() << "bytes [" << offset << ", " << offset + bytes << ") are outside a buffer of "
                         << size << " bytes";
  return success();
}

void CopyOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getIntoMutable());
}

std::pair<uint32_t, unsigned> FillOp::getBits() {
  if (auto number = dyn_cast<FloatAttr>(getValue()))
    return {(uint32_t)number.getValue().bitcastToAPInt().getZExtValue(),
            (unsigned)storageBytes(number.getType())};
  auto number = cast<IntegerAttr>(getValue());
  return {(uint32_t)number.getValue().getZExtValue(), (unsigned)storageBytes(number.getType())};
}

LogicalResult FillOp::verify() {
  Type type = getValue().getType();
  int64_t bytes = isa<FloatAttr, IntegerAttr>(getValue()) ? storageBytes(type) : 0;
  if (bytes != 1 && bytes != 2 && bytes != 4) // fill_c1
    return emitOpError() << "value must be a number of 8, 16 or 32 bits, got " << getValue();
  if (getInto().getType().getBytes() % bytes != 0) // fill_c2
    return emitOpError() << "a buffer of " << getInto().getType().getBytes()
                         << " bytes does not hold whole elements of " << bytes << " bytes";
  return success();
}

void FillOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getIntoMutable());
}
