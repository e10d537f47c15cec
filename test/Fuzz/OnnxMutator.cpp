// Mutants of ONNX models that stay models: one field of the parsed message becomes another value that
// programs stumble over (no element, no dimension, extremes, no number), or an entry is added, dropped or
// repeated. Bytes alone rarely get past the lengths that protobuf nests. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#include "NodeImport.h"

#include <limits>
#include <random>

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <google/protobuf/message.h>
#include <onnx/onnx_pb.h>

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {
class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}
  void mutate(onnx::ModelProto &model);

private:
  /// A field of one message of the model.
  struct Place {
    Message *message;
    const FieldDescriptor *field;
  };
  void collect(Message &message, int depth);
  void change(Place place);
  void changeEntry(Place place, int entry);
  void resize(onnx::TensorProto &tensor);
  size_t below(size_t count) { return count == 0 ? 0 : random() % count; }
  int64_t integer();
  double number();
  std::string name();

  std::mt19937 random;
  std::vector<Place> places;
  std::vector<std::string> names;
  std::vector<onnx::TensorProto *> tensors;
};
} // namespace

int64_t Mutator::integer() {
  using Limits = std::numeric_limits<int64_t>;
  static constexpr int64_t kExtremes[] = {0,
                                          0,
                                          1,
                                          1,
                                          -1,
                                          -2,
                                          2,
                                          3,
                                          4,
                                          5,
                                          7,
                                          8,
                                          16,
                                          64,
                                          255,
                                          256,
                                          1 << 16,
                                          1 << 20,
                                          1 << 30,
                                          1ll << 31,
                                          -(1ll << 31),
                                          1ll << 32,
                                          1ll << 40,
                                          1ll << 46,
                                          1ll << 62,
                                          Limits::max(),
                                          Limits::min(),
                                          Limits::max() - 1,
                                          Limits::min() + 1};
  return kExtremes[below(std::size(kExtremes))];
}

double Mutator::number() {
  using Limits = std::numeric_limits<double>;
  static constexpr double kExtremes[] = {0,
                                         -0.0,
                                         1,
                                         -1,
                                         0.5,
                                         2,
                                         1e-45,
                                         1e-30,
                                         1e10,
                                         1e19,
                                         1e30,
                                         -1e30,
                                         1e38,
                                         -1e38,
                                         Limits::infinity(),
                                         -Limits::infinity(),
                                         Limits::quiet_NaN()};
  return kExtremes[below(std::size(kExtremes))];
}

/// A name that the model has, none, or an operator's.
std::string Mutator::name() {
  if (below(8) == 0 || names.empty())
    return "";
  if (below(6) == 0) {
    const auto &table = tilewright::onnx::operatorTable();
    return std::next(table.begin(), (ptrdiff_t)below(table.size()))->first().str();
  }
  return names[below(names.size())];
}

void Mutator::collect(Message &message, int depth) {
  const auto *reflection = message.GetReflection();
  const auto *descriptor = message.GetDescriptor();
  if (depth > 24)
    return;
  if (auto *tensor = dynamic_cast<onnx::TensorProto *>(&message))
    tensors.push_back(tensor);
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor *field = descriptor->field(i);
    bool repeated = field->is_repeated();
    int count = repeated ? reflection->FieldSize(message, field) : reflection->HasField(message, field);
    // What is not there is seldom put there: most fields that a model lacks change nothing.
    if (count > 0 || below(8) == 0)
      places.push_back({&message, field});
    for (int k = 0; k < count; ++k)
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
        collect(repeated ? *reflection->MutableRepeatedMessage(&message, field, k)
                         : *reflection->MutableMessage(&message, field),
                depth + 1);
      else if (field->type() == FieldDescriptor::TYPE_STRING)
        names.push_back(repeated ? reflection->GetRepeatedString(message, field, k)
                                 : reflection->GetString(message, field));
  }
}

/// Another shape, with as many elements as it has; of at most a few.
void Mutator::resize(onnx::TensorProto &tensor) {
  std::optional<int64_t> width = tilewright::onnx::bytesPerElement(tensor.data_type());
  if (!width)
    return;
  std::string bytes = tensor.raw_data();
  if (tensor.data_type() == onnx::TensorProto::INT64 && bytes.empty())
    for (int64_t value : tensor.int64_data())
      bytes.append(reinterpret_cast<const char *>(&value), 8);
  switch (below(4)) {
  case 0:
    tensor.clear_dims();
    break;
  case 1:
    tensor.add_dims((int64_t)below(3));
    break;
  case 2:
    if (tensor.dims_size())
      tensor.set_dims((int)below(tensor.dims_size()), (int64_t)below(4));
    break;
  default: // a value among the elements
    for (size_t at = below(bytes.size() / *width + 1) * *width, i = 0;
         i < (size_t)*width && at + i < bytes.size(); ++i)
      if (int64_t value = integer(); *width == 8)
        bytes.replace(at, 8, reinterpret_cast<const char *>(&value), 8), i = 8;
      else
        bytes[at + i] = char(random());
  }
  size_t wanted = *width;
  for (int64_t dim : tensor.dims())
    wanted *= dim >= 0 && dim < 4096 ? dim : 1;
  if (wanted > 8192)
    return;
  tensor.clear_float_data();
  tensor.clear_int32_data();
  tensor.clear_int64_data();
  tensor.clear_double_data();
  tensor.clear_uint64_data();
  bytes.resize(wanted, bytes.empty() ? 0 : bytes[0]);
  tensor.set_raw_data(bytes);
}

void Mutator::changeEntry(Place place, int entry) {
  auto [message, field] = place;
  const auto *reflection = message->GetReflection();
  bool repeated = field->is_repeated();
#define TW_SET(Type, value)                                                                                  \
  return repeated ? reflection->SetRepeated##Type(message, field, entry, value)                              \
                  : reflection->Set##Type(message, field, value)
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    TW_SET(Int32, (int32_t)(below(4) ? below(24) : integer()));
  case FieldDescriptor::CPPTYPE_INT64:
    TW_SET(Int64, integer());
  case FieldDescriptor::CPPTYPE_UINT32:
    TW_SET(UInt32, (uint32_t)integer());
  case FieldDescriptor::CPPTYPE_UINT64:
    TW_SET(UInt64, (uint64_t)integer());
  case FieldDescriptor::CPPTYPE_FLOAT:
    TW_SET(Float, (float)number());
  case FieldDescriptor::CPPTYPE_DOUBLE:
    TW_SET(Double, number());
  case FieldDescriptor::CPPTYPE_BOOL:
    TW_SET(Bool, below(2) == 1);
  case FieldDescriptor::CPPTYPE_ENUM:
    TW_SET(EnumValue, (int)below(24));
  case FieldDescriptor::CPPTYPE_STRING:
    TW_SET(String, name());
  case FieldDescriptor::CPPTYPE_MESSAGE: // of one kind, another one's content
    for (size_t i = 0, first = below(places.size()); i < places.size(); ++i) {
      Place other = places[(first + i) % places.size()];
      if (other.field != field || other.message == message ||
          (repeated && !reflection->FieldSize(*other.message, field)))
        continue;
      std::unique_ptr<Message> copy(
          repeated ? reflection
                         ->GetRepeatedMessage(*other.message, field,
                                              (int)below(reflection->FieldSize(*other.message, field)))
                         .New()
                   : reflection->GetMessage(*other.message, field).New());
      copy->CopyFrom(
          repeated ? reflection->GetRepeatedMessage(*other.message, field,
                                                    (int)below(reflection->FieldSize(*other.message, field)))
                   : reflection->GetMessage(*other.message, field));
      (repeated ? reflection->MutableRepeatedMessage(message, field, entry)
                : reflection->MutableMessage(message, field))
          ->CopyFrom(*copy);
      return;
    }
  }
#undef TW_SET
}

void Mutator::change(Place place) {
  auto [message, field] = place;
  const auto *reflection = message->GetReflection();
  if (!field->is_repeated()) {
    if (below(6) == 0)
      return reflection->ClearField(message, field);
    return changeEntry(place, 0);
  }
  int count = reflection->FieldSize(*message, field), entry = (int)below(count);
  switch (count == 0 ? 5 : below(8)) {
  case 0:
    return reflection->RemoveLast(message, field);
  case 1:
    reflection->SwapElements(message, field, entry, count - 1);
    return reflection->RemoveLast(message, field);
  case 2:
    return reflection->SwapElements(message, field, entry, (int)below(count));
  case 5:
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection->AddInt64(message, field, integer());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection->AddFloat(message, field, (float)number());
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection->AddString(message, field, name());
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      Message *added = reflection->AddMessage(message, field);
      if (count > 0)
        added->CopyFrom(reflection->GetRepeatedMessage(*message, field, entry));
      return;
    }
    default:
      return;
    }
  default:
    return changeEntry(place, entry);
  }
}

void Mutator::mutate(onnx::ModelProto &model) {
  for (size_t changes = 1 + below(3); changes > 0; --changes) {
    places.clear(), names.clear(), tensors.clear();
    collect(*model.mutable_graph(), 0);
    for (onnx::FunctionProto &function : *model.mutable_functions())
      collect(function, 0);
    if (below(16) == 0 && model.opset_import_size())
      model.mutable_opset_import((int)below(model.opset_import_size()))->set_version(1 + (int64_t)below(28));
    else if (!tensors.empty() && below(3) == 0)
      resize(*tensors[below(tensors.size())]);
    else if (!places.empty())
      change(places[below(places.size())]);
  }
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  onnx::ModelProto model;
  std::string bytes;
  if (seed % 4 != 0 && size <= INT32_MAX && model.ParsePartialFromArray(data, (int)size)) {
    Mutator(seed).mutate(model);
    if (model.SerializePartialToString(&bytes) && bytes.size() <= maxSize) {
      std::copy(bytes.begin(), bytes.end(), data);
      return bytes.size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
