// Initializers and Constant nodes.

#include "Constants.h"
#include "BandMasks.h"

#include "Tilewright/Import/WeightStore.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

static constexpr int64_t kConstantIntegerElems = 4096;
static constexpr int64_t kConstantFloatElems = 1;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

bool tilewright::onnx::isReference(const Tensor &tensor) {
  bool isFloat =
      tensor.type == Float || tensor.type == Float16 || tensor.type == BFloat16 || tensor.type == Double;
  std::optional<int64_t> count = byteCount(tensor.dims, 1);
  return count && *count > (isFloat ? kConstantFloatElems : kConstantIntegerElems);
}

llvm::Expected<ImportedValue> tilewright::onnx::importTensor(OpBuilder &builder, Location loc,
                                                             const Tensor &tensor, StringRef key,
                                                             StringRef modelPath) {
  if (!tensor.defect.empty())
    return makeError(tensor.defect);
  bool isUnsigned;
  Type element = elementType(builder.getContext(), tensor.type, isUnsigned);
  auto type = RankedTensorType::get(tensor.dims, element);
  // External data is mapped; the attribute copies what it needs of it.
  Tensor mapped;
  std::unique_ptr<llvm::MemoryBuffer> file;
  const Tensor *source = &tensor;
  if (tensor.external) {
    llvm::Expected<std::string> path = externalPath(modelPath, tensor);
    if (!path)
      return path.takeError();
    auto opened = llvm::MemoryBuffer::getFile(*path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!opened)
      return makeError("external data '" + *path + "' cannot be read: " + opened.getError().message());
    file = std::move(*opened);
    int64_t length = *byteCount(tensor.dims, *bytesPerElement(tensor.type)), offset = tensor.external->offset;
    if (offset > (int64_t)file->getBufferSize() || length > (int64_t)file->getBufferSize() - offset)
      return makeError("its " + Twine(length) + " bytes at offset " + Twine(offset) + " reach beyond the " +
                       Twine(file->getBufferSize()) + " bytes of external data '" + *path + "'");
    mapped.raw = file->getBuffer().substr(offset, length);
    source = &mapped;
  }
  if (!isReference(tensor))
    return ImportedValue{arith::ConstantOp::create(builder, loc, denseElements(*source, type)), isUnsigned};
  StringRef bytes = source->bytes();
  GraphBuilder graph(builder, loc);
  if (Value mask = bandMask(graph, type, bytes))
    return ImportedValue{mask, isUnsigned};
  auto weight =
      graph::WeightAttr::get(builder.getContext(), key, type, weightHash(bytes), builder.getArrayAttr({}));
  return ImportedValue{graph::WeightOp::create(builder, loc, type, weight), isUnsigned};
}

/// Constant nodes without a tensor; those with one are imported as initializers are.
static LogicalResult importConstant(NodeImport &n) {
  OpBuilder &b = n.builder;
  if (n.node.attributes.size() != 1)
    return n.fail("it has " + Twine(n.node.attributes.size()) + " values, expected one");
  const NodeAttribute &value = n.node.attributes.front();
  auto floats = [&](NodeImport::Shape shape, ArrayRef<double> numbers) {
    SmallVector<float> narrow(numbers.begin(), numbers.end());
    auto type = RankedTensorType::get(shape, b.getF32Type());
    return n.yield(
        arith::ConstantOp::create(b, n.loc, DenseElementsAttr::get(type, ArrayRef<float>(narrow))));
  };
  if (n.hasAttribute("value_float"))
    return floats({}, n.floatAttribute("value_float", 0));
  if (n.hasAttribute("value_int"))
    return n.yield(n.intsConstant({}, n.intAttribute("value_int", 0), b.getI64Type()));
  if (n.hasAttribute("value_floats")) {
    const NodeAttribute *list = n.attribute("value_floats", NodeAttribute::Floats);
    return list ? floats((int64_t)list->floats.size(), list->floats) : failure();
  }
  if (n.hasAttribute("value_ints")) {
    std::optional<NodeImport::Dims> list = n.intsAttribute("value_ints");
    return list ? n.yield(n.intsConstant((int64_t)list->size(), *list, b.getI64Type())) : failure();
  }
  return n.fail("constants given by '" + value.name + "' are not supported");
}

void tilewright::onnx::addConstants(OperatorTable &table) { table["Constant"] = {importConstant, 0, 0}; }
