// Operands, attributes, checks and element types of a node under import.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

//===-- Element types --===//

Type tilewright::onnx::elementType(MLIRContext *context, int32_t dataType, bool &isUnsigned) {
  isUnsigned = dataType == UInt8 || dataType == UInt16 || dataType == UInt32 || dataType == UInt64;
  switch (dataType) {
  case Float:
    return Float32Type::get(context);
  case Double:
    return Float64Type::get(context);
  case Float16:
    return Float16Type::get(context);
  case BFloat16:
    return BFloat16Type::get(context);
  case Float8E4M3:
    return Float8E4M3FNType::get(context);
  case Float8E5M2:
    return Float8E5M2Type::get(context);
  case Bool:
    return IntegerType::get(context, 1);
  case Int8:
  case UInt8:
    return IntegerType::get(context, 8);
  case Int16:
  case UInt16:
    return IntegerType::get(context, 16);
  case Int32:
  case UInt32:
    return IntegerType::get(context, 32);
  case Int64:
  case UInt64:
    return IntegerType::get(context, 64);
  }
  return nullptr;
}

DenseElementsAttr tilewright::onnx::denseElements(const Tensor &tensor, RankedTensorType type) {
  StringRef bytes = tensor.bytes();
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    for (char byte : bytes)
      bits.push_back(byte != 0);
    return DenseElementsAttr::get(type, bits);
  }
  // Copied, because the attribute reads whole elements and the file may hold them unaligned.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char *>(aligned.data()));
  ArrayRef<char> raw(reinterpret_cast<const char *>(aligned.data()), bytes.size());
  return DenseElementsAttr::getFromRawBuffer(type, raw);
}

//===-- Operands --===//

/// Shapes, axes and conditions that are longer are not read.
static constexpr int64_t kMostConstantInts = int64_t(1) << 20;

std::optional<NodeImport::Dims> NodeImport::constantInts(unsigned i, StringRef what) {
  StringRef name = i < node.inputs.size() ? StringRef(node.inputs[i]) : StringRef();
  DenseIntElementsAttr dense;
  if (!has(i) || !isa<IntegerType>(elementOf(operand(i))) || !matchPattern(operand(i), m_Constant(&dense))) {
    (void)fail("its " + what + ", operand #" + Twine(i) + " ('" + name +
               "'), is not a constant integer tensor after folding");
    return std::nullopt;
  }
  // One number may stand for any count of elements.
  if (dense.getNumElements() > kMostConstantInts) {
    (void)fail("its " + what + ", operand #" + Twine(i) + " ('" + name + "'), has " +
               Twine(dense.getNumElements()) + " elements; at most " + Twine(kMostConstantInts) +
               " are read at import");
    return std::nullopt;
  }
  Dims values;
  for (const APInt &value : dense.getValues<APInt>())
    values.push_back(isUnsigned(i) ? (int64_t)value.getZExtValue() : value.getSExtValue());
  return values;
}

std::optional<SmallVector<double>> NodeImport::constantFloats(unsigned i, StringRef what) {
  constexpr int64_t kMostElements = 4096;
  StringRef name = i < node.inputs.size() ? StringRef(node.inputs[i]) : StringRef();
  DenseElementsAttr dense;
  if (has(i) && !matchPattern(operand(i), m_Constant(&dense)))
    if (auto weight = operand(i).getDefiningOp<graph::WeightOp>(); weight && weights) {
      auto tensor = weights->find(weight.getWeight().getKey().str());
      if (tensor != weights->end() && !tensor->second->external &&
          typeOf(operand(i)).getNumElements() <= kMostElements && weight.getWeight().getSteps().empty())
        dense = denseElements(*tensor->second, typeOf(operand(i)));
    }
  if (!dense || !isa<FloatType>(dense.getElementType())) {
    (void)fail("its " + what + ", operand #" + Twine(i) + " ('" + name +
               "'), is not a constant tensor of floats after folding");
    return std::nullopt;
  }
  SmallVector<double> values;
  for (APFloat value : dense.getValues<APFloat>()) {
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    values.push_back(value.convertToDouble());
  }
  return values;
}

std::optional<double> NodeImport::constantNumber(unsigned i, StringRef what) {
  StringRef name = i < node.inputs.size() ? StringRef(node.inputs[i]) : StringRef();
  DenseElementsAttr dense;
  if (!has(i) || !matchPattern(operand(i), m_Constant(&dense)) || dense.getNumElements() == 0 ||
      !dense.isSplat()) {
    (void)fail("its " + what + ", operand #" + Twine(i) + " ('" + name +
               "'), is not one constant number after folding");
    return std::nullopt;
  }
  if (auto type = dyn_cast<FloatType>(dense.getElementType())) {
    bool inexact;
    APFloat value = dense.getSplatValue<APFloat>();
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
    return value.convertToDouble();
  }
  APInt value = dense.getSplatValue<APInt>();
  return isUnsigned(i) || value.getBitWidth() == 1 ? (double)value.getZExtValue()
                                                   : (double)value.getSExtValue();
}

std::optional<NodeImport::Dims> NodeImport::intsOperandOrAttribute(unsigned i, StringRef name) {
  if (has(i)) {
    if (rankOf(operand(i)) > 1) {
      (void)fail("its " + name + " has shape " + text(shapeOf(operand(i))) + ", expected one dimension");
      return std::nullopt;
    }
    return constantInts(i, name);
  }
  return intsAttribute(name);
}

std::optional<NodeImport::Dims> NodeImport::declaredInsteadOf(unsigned i, StringRef what) {
  DenseElementsAttr dense;
  if (!has(i) || !declared || matchPattern(operand(i), m_Constant(&dense)))
    return std::nullopt;
  emitWarning(loc) << "the " << what << " of node '" << node.name << "' (" << node.type << ") is operand '"
                   << node.inputs[i] << "', given at run time; the shape " << text(*declared)
                   << " that the model declares for its result is taken instead";
  return declared;
}

//===-- Attributes --===//

static const NodeAttribute *find(const Node &node, StringRef name) {
  for (const NodeAttribute &attribute : node.attributes)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

bool NodeImport::hasAttribute(StringRef name) const { return find(node, name); }

const NodeAttribute *NodeImport::attribute(StringRef name, NodeAttribute::Kind kind) {
  read.insert(name);
  const NodeAttribute *attribute = find(node, name);
  if (!attribute)
    return nullptr;
  if (attribute->kind == kind)
    return attribute;
  static constexpr const char *kinds[] = {"unknown kind", "float",  "int",  "string", "tensor",
                                          "graph",        "floats", "ints", "strings"};
  (void)fail("attribute '" + name + "' is of kind " + kinds[attribute->kind] + ", expected " + kinds[kind]);
  return nullptr;
}

int64_t NodeImport::intAttribute(StringRef name, int64_t otherwise) {
  const NodeAttribute *found = attribute(name, NodeAttribute::IntValue);
  return found ? found->i : otherwise;
}

double NodeImport::floatAttribute(StringRef name, double otherwise) {
  const NodeAttribute *found = attribute(name, NodeAttribute::FloatValue);
  return found ? found->f : otherwise;
}

std::string NodeImport::stringAttribute(StringRef name, StringRef otherwise) {
  const NodeAttribute *found = attribute(name, NodeAttribute::StringValue);
  return found ? found->s : otherwise.str();
}

std::optional<NodeImport::Dims> NodeImport::intsAttribute(StringRef name) {
  const NodeAttribute *found = find(node, name);
  // Serializers drop the kind of an empty list at times.
  if (found && found->kind == NodeAttribute::Unknown) {
    read.insert(name);
    return Dims();
  }
  found = attribute(name, NodeAttribute::Ints);
  return found ? std::optional(Dims(found->ints.begin(), found->ints.end())) : std::nullopt;
}

void NodeImport::ignoreAttributes(std::initializer_list<StringRef> names) {
  for (StringRef name : names)
    read.insert(name);
}

StringRef NodeImport::unreadAttribute() const {
  for (const NodeAttribute &attribute : node.attributes)
    if (!read.contains(attribute.name))
      return attribute.name;
  return "";
}

//===-- Outcome and checks --===//

LogicalResult NodeImport::fail(const Twine &reason) {
  if (failure.empty())
    failure = reason.str();
  return mlir::failure();
}

std::optional<int64_t> NodeImport::axis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    (void)fail("axis " + Twine(axis) + " is outside a tensor of rank " + Twine(rank));
    return std::nullopt;
  }
  return axis < 0 ? axis + rank : axis;
}

std::optional<NodeImport::Dims> NodeImport::axes(Shape given, int64_t rank) {
  Dims sorted;
  for (int64_t each : given) {
    std::optional<int64_t> one = axis(each, rank);
    if (!one)
      return std::nullopt;
    sorted.push_back(*one);
  }
  llvm::sort(sorted);
  for (unsigned i = 1; i < sorted.size(); ++i)
    if (sorted[i] == sorted[i - 1]) {
      (void)fail("axis " + Twine(sorted[i]) + " is named twice");
      return std::nullopt;
    }
  return sorted;
}

std::optional<NodeImport::Dims> NodeImport::broadcastShape(Shape a, Shape b) {
  Dims shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 1; i <= shape.size(); ++i) {
    int64_t da = i <= a.size() ? a[a.size() - i] : 1, db = i <= b.size() ? b[b.size() - i] : 1;
    if (da != db && da != 1 && db != 1) {
      (void)fail("shapes " + text(a) + " and " + text(b) + " do not broadcast");
      return std::nullopt;
    }
    shape[shape.size() - i] = da == 1 ? db : da;
  }
  return shape;
}

LogicalResult NodeImport::broadcastTogether(MutableArrayRef<Value> values) {
  Dims shape(shapeOf(values.front()));
  for (Value value : values.drop_front()) {
    std::optional<Dims> wider = broadcastShape(shape, shapeOf(value));
    if (!wider || mlir::failed(expectSameElements(values.front(), value)))
      return mlir::failure();
    shape = *wider;
  }
  if (mlir::failed(expectSize(shape, elementOf(values.front()))))
    return mlir::failure();
  for (Value &value : values)
    value = broadcast(value, shape);
  return success();
}

LogicalResult NodeImport::expectFloat(Value value, StringRef what) {
  if (isFloat(value))
    return success();
  return fail(what + " has element type " + text(elementOf(value)) + ", expected a floating-point type");
}

LogicalResult NodeImport::expectSameElements(Value a, Value b) {
  if (elementOf(a) == elementOf(b))
    return success();
  return fail("operands have element types " + text(elementOf(a)) + " and " + text(elementOf(b)));
}

LogicalResult NodeImport::expectSize(Shape shape, Type element) {
  int64_t bytes = std::max(1u, element.getIntOrFloatBitWidth() / 8);
  if (byteCount(shape, bytes))
    return success();
  return fail("a tensor of shape " + text(shape) + " is negative in a dimension or too large to address");
}

//===-- Builders --===//

Value NodeImport::count(Value x, Shape dims, Value like) {
  if (bucketed)
    return create<graph::CountOp>(like.getType(), x, builder.getDenseI64ArrayAttr(dims));
  double number = 1;
  for (int64_t dim : dims)
    number *= (double)shapeOf(x)[dim];
  return constantLike(like, number);
}
