// Decodes the protobuf files of a case. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CaseFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <onnx/onnx_pb.h>

#include <cstring>

using namespace tilewright::conformance;
using llvm::StringRef;
using onnx::TensorProto;

//===-- Element types --===//

/// Bytes of one element; 0 when packages have no such type. Newer types than the schema's have no name here.
static unsigned elementBytes(int32_t type) {
  switch (type) {
  case TensorProto::BOOL:
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return 1;
  case TensorProto::INT16:
  case TensorProto::UINT16:
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return 2;
  case TensorProto::INT32:
  case TensorProto::UINT32:
  case TensorProto::FLOAT:
    return 4;
  case TensorProto::INT64:
  case TensorProto::UINT64:
  case TensorProto::DOUBLE:
    return 8;
  }
  return 0;
}

int64_t CaseTensor::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

bool CaseTensor::isDiscrete() const {
  return dataType != TensorProto::FLOAT && dataType != TensorProto::FLOAT16 &&
         dataType != TensorProto::BFLOAT16 && dataType != TensorProto::DOUBLE;
}

bool CaseTensor::isUnsigned() const {
  return dataType == TensorProto::UINT8 || dataType == TensorProto::UINT16 ||
         dataType == TensorProto::UINT32 || dataType == TensorProto::UINT64;
}

//===-- Reading --===//

static llvm::Expected<std::string> readWhole(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read " + path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// Copies a field of wide numbers as elements of `bytes` bytes each (little endian).
template <typename Field> static void appendField(const Field &field, unsigned bytes, std::vector<char> &to) {
  for (auto value : field) {
    size_t at = to.size();
    to.resize(at + bytes);
    std::memcpy(to.data() + at, &value, bytes);
  }
}

/// The elements of `proto`, or the reason why it has none that packages know.
static std::string decode(const TensorProto &proto, CaseTensor &tensor) {
  tensor.dataType = proto.data_type();
  unsigned bytes = elementBytes(tensor.dataType);
  if (bytes == 0)
    return "elements of type " + std::to_string(tensor.dataType);
  tensor.shape.assign(proto.dims().begin(), proto.dims().end());
  if (proto.has_raw_data()) {
    tensor.bytes.assign(proto.raw_data().begin(), proto.raw_data().end());
  } else {
    appendField(proto.float_data(), 4, tensor.bytes);
    appendField(proto.double_data(), 8, tensor.bytes);
    appendField(proto.int64_data(), 8, tensor.bytes);
    appendField(proto.uint64_data(), bytes, tensor.bytes); // UINT32 is held there, too
    appendField(proto.int32_data(), bytes, tensor.bytes);
  }
  if (tensor.bytes.size() != size_t(tensor.elements()) * bytes)
    return "a tensor whose data does not fill its shape";
  return "";
}

/// Tensors `kind`_0.pb, `kind`_1.pb, … of the first data set.
static llvm::Error readTensors(StringRef folder, StringRef kind,
                               const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> &infos,
                               std::vector<CaseTensor> &tensors, std::string &foreign) {
  for (int i = 0; i < infos.size(); ++i) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, "test_data_set_0", kind + "_" + std::to_string(i) + ".pb");
    if (!llvm::sys::fs::exists(path))
      break;
    const onnx::ValueInfoProto &info = infos[i];
    if (!info.type().has_tensor_type()) {
      foreign = "a sequence, map or optional";
      continue;
    }
    auto bytes = readWhole(path);
    if (!bytes)
      return bytes.takeError();
    TensorProto proto;
    if (!proto.ParseFromString(*bytes))
      return llvm::createStringError(path + " is no tensor");
    CaseTensor tensor;
    tensor.name = info.name();
    proto.set_name(info.name());
    // Old files hold the bits of 16-bit brain floats under the type of integers.
    if (info.type().tensor_type().elem_type() == TensorProto::BFLOAT16 &&
        proto.data_type() == TensorProto::UINT16)
      proto.set_data_type(TensorProto::BFLOAT16);
    std::string reason = decode(proto, tensor);
    if (!reason.empty())
      foreign = reason;
    tensor.proto = proto.SerializeAsString();
    tensors.push_back(std::move(tensor));
  }
  return llvm::Error::success();
}

llvm::Expected<Case> tilewright::conformance::readCase(StringRef folder) {
  Case test;
  test.name = llvm::sys::path::filename(folder).str();
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "model.onnx");
  auto bytes = readWhole(path);
  if (!bytes)
    return bytes.takeError();
  test.model = std::move(*bytes);
  onnx::ModelProto model;
  if (!model.ParseFromString(test.model))
    return llvm::createStringError(path + " is no model");
  for (const onnx::NodeProto &node : model.graph().node()) {
    std::string type = node.domain().empty() ? node.op_type() : node.domain() + "." + node.op_type();
    if (!llvm::is_contained(test.operators, type))
      test.operators.push_back(type);
  }
  if (llvm::Error error = readTensors(folder, "input", model.graph().input(), test.inputs, test.foreign))
    return error;
  if (llvm::Error error = readTensors(folder, "output", model.graph().output(), test.outputs, test.foreign))
    return error;
  return test;
}

std::string tilewright::conformance::withConstants(const Case &test, mlir::ArrayRef<bool> isConstant) {
  onnx::ModelProto model;
  model.ParseFromString(test.model);
  auto inputs = model.graph().input();
  model.mutable_graph()->clear_input();
  for (const onnx::ValueInfoProto &input : inputs) {
    const CaseTensor *data = nullptr;
    for (auto [tensor, constant] : llvm::zip_equal(test.inputs, isConstant))
      if (constant && tensor.name == input.name())
        data = &tensor;
    if (data)
      model.mutable_graph()->add_initializer()->ParseFromString(data->proto);
    else
      *model.mutable_graph()->add_input() = input;
  }
  return model.SerializeAsString();
}
