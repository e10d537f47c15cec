// Parses the protobuf file of an ONNX model into plain structs. The only file that includes ONNX's schema.
//
// Weights inside the file are large, so they are cut out first (WireFormat.h); protobuf then parses the small
// rest.

#include "OnnxModel.h"
#include "WireFormat.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <cstring>

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

using namespace tilewright::onnx;
using llvm::StringRef;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

//===-- Element types --===//

std::string tilewright::onnx::dataTypeName(int32_t type) {
  static constexpr const char *names[] = {
      "UNDEFINED",      "FLOAT",      "UINT8",          "INT8",       "UINT16",   "INT16",
      "INT32",          "INT64",      "STRING",         "BOOL",       "FLOAT16",  "DOUBLE",
      "UINT32",         "UINT64",     "COMPLEX64",      "COMPLEX128", "BFLOAT16", "FLOAT8E4M3FN",
      "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "UINT4",      "INT4",     "FLOAT4E2M1"};
  if (type >= 0 && type < (int32_t)std::size(names))
    return names[type];
  return "number " + std::to_string(type);
}

std::optional<int64_t> tilewright::onnx::bytesPerElement(int32_t type) {
  switch (type) {
  case UInt8:
  case Int8:
  case Bool:
  case Float8E4M3:
  case Float8E5M2:
    return 1;
  case UInt16:
  case Int16:
  case Float16:
  case BFloat16:
    return 2;
  case Float:
  case Int32:
  case UInt32:
    return 4;
  case Int64:
  case UInt64:
  case Double:
    return 8;
  }
  return std::nullopt;
}

std::optional<int64_t> tilewright::onnx::byteCount(llvm::ArrayRef<int64_t> dims, int64_t bytes) {
  constexpr int64_t kLimit = int64_t(1) << 47;
  int64_t product = bytes;
  bool empty = false;
  for (int64_t dim : dims) {
    if (dim < 0)
      return std::nullopt;
    empty |= dim == 0;
    if (dim != 0 && (llvm::MulOverflow(product, dim, product) || product > kLimit))
      return std::nullopt;
  }
  return empty ? 0 : product;
}

//===-- Messages to structs --===//

/// The payloads of length-delimited field `number` among a message's unknown fields: fields newer than the
/// schema that this program is built with, and our own note.
static std::vector<std::string> unknownField(const google::protobuf::UnknownFieldSet &unknown,
                                             uint32_t number) {
  std::vector<std::string> found;
  for (int i = 0; i < unknown.field_count(); ++i) {
    const google::protobuf::UnknownField &field = unknown.field(i);
    if ((uint32_t)field.number() == number &&
        field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      found.push_back(field.length_delimited());
  }
  return found;
}

namespace {
class Converter {
public:
  explicit Converter(StringRef file) : file(file) {}

  Tensor tensor(const ::onnx::TensorProto &proto);
  NodeAttribute attribute(const ::onnx::AttributeProto &proto);
  Node node(const ::onnx::NodeProto &proto);
  ValueInfo valueInfo(const ::onnx::ValueInfoProto &proto);
  Graph graph(const ::onnx::GraphProto &proto);
  Function function(const ::onnx::FunctionProto &proto);

private:
  template <typename Stored, typename Field> static void store(std::string &out, const Field &field) {
    out.resize(size_t(field.size()) * sizeof(Stored));
    for (int i = 0; i < field.size(); ++i) {
      Stored value = Stored(field.Get(i));
      std::memcpy(out.data() + size_t(i) * sizeof(Stored), &value, sizeof(Stored));
    }
  }

  StringRef file;
};
} // namespace

Tensor Converter::tensor(const ::onnx::TensorProto &proto) {
  Tensor tensor;
  tensor.name = proto.name();
  tensor.type = proto.data_type();
  tensor.dims.assign(proto.dims().begin(), proto.dims().end());
  std::optional<int64_t> width = bytesPerElement(tensor.type);
  if (!width) {
    tensor.defect = "element type " + dataTypeName(tensor.type) + " is not supported";
    return tensor;
  }
  std::optional<int64_t> expected = byteCount(tensor.dims, *width);
  if (!expected) {
    tensor.defect = "a dimension is negative or the size overflows";
    return tensor;
  }
  if (proto.data_location() == ::onnx::TensorProto::EXTERNAL) {
    Tensor::External external;
    for (const auto &entry : proto.external_data()) {
      StringRef value = entry.value();
      bool bad = false;
      if (entry.key() == "location")
        external.location = entry.value();
      else if (entry.key() == "offset")
        bad = value.getAsInteger(10, external.offset) || external.offset < 0;
      else if (entry.key() == "length")
        bad = value.getAsInteger(10, external.length) || external.length < 0;
      if (bad)
        tensor.defect = "external data has the " + entry.key() + " '" + entry.value() + "'";
    }
    if (external.location.empty())
      tensor.defect = "external data names no location";
    if (external.length >= 0 && external.length != *expected)
      tensor.defect = "external data has " + std::to_string(external.length) + " bytes, its shape needs " +
                      std::to_string(*expected);
    tensor.external = external;
    return tensor;
  }
  std::vector<std::string> place = unknownField(proto.unknown_fields(), kPlaceField);
  if (!place.empty() && place.back().size() == 16) {
    uint64_t offset = llvm::support::endian::read64le(place.back().data());
    uint64_t length = llvm::support::endian::read64le(place.back().data() + 8);
    tensor.raw = file.substr(offset, length);
  } else if (proto.has_raw_data()) {
    tensor.owned = proto.raw_data();
  } else if (tensor.type == Float) {
    store<float>(tensor.owned, proto.float_data());
  } else if (tensor.type == Double) {
    store<double>(tensor.owned, proto.double_data());
  } else if (tensor.type == Int64) {
    store<int64_t>(tensor.owned, proto.int64_data());
  } else if (tensor.type == UInt64) {
    store<uint64_t>(tensor.owned, proto.uint64_data());
  } else if (tensor.type == UInt32) {
    store<uint32_t>(tensor.owned, proto.uint64_data());
  } else if (*width == 4) {
    store<int32_t>(tensor.owned, proto.int32_data());
  } else if (*width == 2) {
    store<int16_t>(tensor.owned, proto.int32_data());
  } else {
    store<int8_t>(tensor.owned, proto.int32_data());
  }
  if ((int64_t)tensor.bytes().size() != *expected)
    tensor.defect = "has " + std::to_string(tensor.bytes().size()) + " bytes of data, its shape needs " +
                    std::to_string(*expected);
  return tensor;
}

NodeAttribute Converter::attribute(const ::onnx::AttributeProto &proto) {
  using Proto = ::onnx::AttributeProto;
  NodeAttribute attribute;
  attribute.name = proto.name();
  attribute.reference = proto.ref_attr_name();
  auto type = proto.type();
  if (type == Proto::UNDEFINED) { // models older than IR version 2 leave the type out
    type = proto.has_f()          ? Proto::FLOAT
           : proto.has_i()        ? Proto::INT
           : proto.has_s()        ? Proto::STRING
           : proto.has_t()        ? Proto::TENSOR
           : proto.has_g()        ? Proto::GRAPH
           : proto.floats_size()  ? Proto::FLOATS
           : proto.ints_size()    ? Proto::INTS
           : proto.strings_size() ? Proto::STRINGS
                                  : Proto::UNDEFINED;
  }
  switch (type) {
  case Proto::FLOAT:
    attribute.kind = NodeAttribute::FloatValue;
    attribute.f = proto.f();
    break;
  case Proto::INT:
    attribute.kind = NodeAttribute::IntValue;
    attribute.i = proto.i();
    break;
  case Proto::STRING:
    attribute.kind = NodeAttribute::StringValue;
    attribute.s = proto.s();
    break;
  case Proto::TENSOR:
    attribute.kind = NodeAttribute::TensorValue;
    attribute.tensor = std::make_shared<Tensor>(tensor(proto.t()));
    break;
  case Proto::GRAPH:
    attribute.kind = NodeAttribute::GraphValue;
    attribute.graph = std::make_shared<Graph>(graph(proto.g()));
    break;
  case Proto::FLOATS:
    attribute.kind = NodeAttribute::Floats;
    attribute.floats.assign(proto.floats().begin(), proto.floats().end());
    break;
  case Proto::INTS:
    attribute.kind = NodeAttribute::Ints;
    attribute.ints.assign(proto.ints().begin(), proto.ints().end());
    break;
  case Proto::STRINGS:
    attribute.kind = NodeAttribute::Strings;
    attribute.strings.assign(proto.strings().begin(), proto.strings().end());
    break;
  default:
    break;
  }
  return attribute;
}

Node Converter::node(const ::onnx::NodeProto &proto) {
  Node node;
  node.name = proto.name();
  node.type = proto.op_type();
  node.domain = proto.domain() == "ai.onnx" ? "" : proto.domain();
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  std::vector<std::string> overload = unknownField(proto.unknown_fields(), 8);
  if (!overload.empty())
    node.overload = overload.back();
  for (const auto &attr : proto.attribute())
    node.attributes.push_back(attribute(attr));
  return node;
}

ValueInfo Converter::valueInfo(const ::onnx::ValueInfoProto &proto) {
  ValueInfo info;
  info.name = proto.name();
  if (!proto.type().has_tensor_type())
    return info;
  const auto &tensor = proto.type().tensor_type();
  info.type = tensor.elem_type();
  if (!tensor.has_shape())
    return info;
  info.shape.emplace();
  for (const auto &dim : tensor.shape().dim()) {
    Dim plain;
    if (dim.has_dim_value())
      plain.size = dim.dim_value();
    else if (dim.has_dim_param())
      plain.symbol = dim.dim_param();
    info.shape->push_back(plain);
  }
  return info;
}

Graph Converter::graph(const ::onnx::GraphProto &proto) {
  Graph graph;
  graph.name = proto.name();
  for (const auto &info : proto.input())
    graph.inputs.push_back(valueInfo(info));
  for (const auto &info : proto.output())
    graph.outputs.push_back(valueInfo(info));
  for (const auto &info : proto.value_info())
    graph.declared.push_back(valueInfo(info));
  for (const auto &init : proto.initializer())
    graph.initializers.push_back(tensor(init));
  for (const auto &init : proto.sparse_initializer())
    graph.sparse.push_back(init.values().name());
  for (const auto &child : proto.node())
    graph.nodes.push_back(node(child));
  return graph;
}

static std::string plainDomain(const std::string &domain) { return domain == "ai.onnx" ? "" : domain; }

Function Converter::function(const ::onnx::FunctionProto &proto) {
  Function function;
  function.name = proto.name();
  function.domain = plainDomain(proto.domain());
  std::vector<std::string> overload = unknownField(proto.unknown_fields(), 13);
  if (!overload.empty())
    function.overload = overload.back();
  function.inputs.assign(proto.input().begin(), proto.input().end());
  function.outputs.assign(proto.output().begin(), proto.output().end());
  for (const auto &child : proto.node())
    function.nodes.push_back(node(child));
  // FunctionProto.attribute_proto, which is newer than the schema used here.
  for (const std::string &bytes : unknownField(proto.unknown_fields(), 11)) {
    ::onnx::AttributeProto attr;
    if (attr.ParseFromString(bytes))
      function.defaults.push_back(attribute(attr));
  }
  for (const auto &opset : proto.opset_import())
    function.opsets[plainDomain(opset.domain())] = opset.version();
  return function;
}

//===-- Files --===//

llvm::Expected<std::unique_ptr<Model>>
tilewright::onnx::parseModel(std::unique_ptr<llvm::MemoryBuffer> file) {
  StringRef bytes = file->getBuffer();
  std::string name = file->getBufferIdentifier().str();
  std::string rest;
  ::onnx::ModelProto proto;
  if (bytes.empty())
    return makeError("'" + name + "' is empty");
  if (!cutRawData(bytes, rest) || rest.size() > size_t(INT32_MAX) ||
      !proto.ParsePartialFromArray(rest.data(), (int)rest.size()))
    return makeError("'" + name + "' is not an ONNX model: its " + llvm::Twine(bytes.size()) +
                     " bytes are no valid protobuf message, or are cut short");
  if (!proto.has_graph())
    return makeError("'" + name + "' is not an ONNX model: it holds no graph");
  auto model = std::make_unique<Model>();
  Converter converter(bytes);
  model->irVersion = proto.ir_version();
  for (const auto &opset : proto.opset_import())
    model->opsets[plainDomain(opset.domain())] = opset.version();
  model->graph = converter.graph(proto.graph());
  for (const auto &function : proto.functions())
    model->functions.push_back(converter.function(function));
  model->file = std::move(file);
  return model;
}

llvm::Expected<std::unique_ptr<Model>> tilewright::onnx::readModel(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return makeError("cannot read '" + path + "': " + file.getError().message());
  return parseModel(std::move(*file));
}

llvm::Expected<std::string> tilewright::onnx::externalPath(StringRef modelPath, const Tensor &tensor) {
  namespace path = llvm::sys::path;
  StringRef location = tensor.external->location;
  bool escapes = path::is_absolute(location);
  for (auto part = path::begin(location), end = path::end(location); part != end; ++part)
    escapes |= *part == "..";
  if (escapes)
    return makeError("external data at '" + location + "' lies outside the model's folder");
  llvm::SmallString<256> full(path::parent_path(modelPath));
  path::append(full, location);
  // A link must not lead out of the folder either.
  llvm::SmallString<256> real, folder;
  StringRef parent = path::parent_path(modelPath);
  if (std::error_code code = llvm::sys::fs::real_path(full, real))
    return makeError("external data '" + full + "' cannot be read: " + code.message());
  if (std::error_code code = llvm::sys::fs::real_path(parent.empty() ? "." : parent, folder))
    return makeError("the folder of '" + modelPath + "' cannot be read: " + code.message());
  StringRef inside = real;
  if (!inside.consume_front(folder) || (folder != "/" && !inside.starts_with("/")))
    return makeError("external data at '" + location + "' lies outside the model's folder");
  return full.str().str();
}

static void collectWeights(const Graph &graph, std::map<std::string, const Tensor *> &weights);

static void collectWeights(const std::vector<Node> &nodes, std::map<std::string, const Tensor *> &weights) {
  for (const Node &node : nodes)
    for (const NodeAttribute &attribute : node.attributes) {
      if (attribute.tensor && node.type == "Constant" && !node.outputs.empty())
        weights.try_emplace(node.outputs.front(), attribute.tensor.get());
      if (attribute.graph)
        collectWeights(*attribute.graph, weights);
    }
}

static void collectWeights(const Graph &graph, std::map<std::string, const Tensor *> &weights) {
  for (const Tensor &tensor : graph.initializers)
    weights.try_emplace(tensor.name, &tensor);
  collectWeights(graph.nodes, weights);
}

std::map<std::string, const Tensor *> tilewright::onnx::weightsByName(const Model &model) {
  std::map<std::string, const Tensor *> weights;
  collectWeights(model.graph, weights);
  for (const Function &function : model.functions)
    collectWeights(function.nodes, weights);
  return weights;
}
