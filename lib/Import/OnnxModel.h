// An ONNX model as plain structs: what the protobuf file says, checked for form and nothing else. Only
// OnnxModel.cpp knows protobuf.
#ifndef TILEWRIGHT_IMPORT_ONNXMODEL_H
#define TILEWRIGHT_IMPORT_ONNXMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::onnx {

/// TensorProto.DataType: the numbers of the ONNX schema.
enum DataType : int32_t {
  Undefined = 0,
  Float = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  UInt32 = 12,
  UInt64 = 13,
  BFloat16 = 16,
  Float8E4M3 = 17, // FN: without infinity
  Float8E5M2 = 19,
};

/// The schema's name of a data type ("FLOAT16"), or its number.
std::string dataTypeName(int32_t type);
/// Bytes of one element in raw data; nothing for types that Tilewright does not read.
std::optional<int64_t> bytesPerElement(int32_t type);
/// The product of `dims` times `bytes`, or nothing when a dimension is negative or the product exceeds 2^47.
std::optional<int64_t> byteCount(llvm::ArrayRef<int64_t> dims, int64_t bytes);

/// A tensor with its data in the file, or the place of its data in another file.
struct Tensor {
  std::string name;
  int32_t type = Undefined;
  llvm::SmallVector<int64_t> dims;
  /// Little-endian elements inside the model file (`raw_data`), unless `owned` or `external` holds them.
  llvm::StringRef raw;
  /// Little-endian elements that the file holds in typed fields.
  std::string owned;
  /// Data in another file: `location` relative to the model's folder.
  struct External {
    std::string location;
    int64_t offset = 0;
    /// Bytes, or -1 for what type and dims say.
    int64_t length = -1;
  };
  std::optional<External> external;
  /// Why the data cannot be used, when it cannot.
  std::string defect;

  llvm::StringRef bytes() const { return owned.empty() ? raw : llvm::StringRef(owned); }
};

struct Graph;

/// A node's attribute. Exactly the member of `kind` is set.
struct NodeAttribute {
  enum Kind { Unknown, FloatValue, IntValue, StringValue, TensorValue, GraphValue, Floats, Ints, Strings };
  std::string name;
  Kind kind = Unknown;
  /// Inside a model-local function: the function's attribute that gives the value.
  std::string reference;
  double f = 0;
  int64_t i = 0;
  std::string s;
  std::vector<double> floats;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
  std::shared_ptr<Tensor> tensor;
  std::shared_ptr<Graph> graph;
};

struct Node {
  std::string name;
  std::string type;
  /// Empty for the operators of ONNX itself.
  std::string domain;
  std::string overload;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<NodeAttribute> attributes;
};

/// A dimension: a size, a symbol, or neither.
struct Dim {
  int64_t size = -1;
  std::string symbol;
};

struct ValueInfo {
  std::string name;
  /// Undefined for values that are no tensors.
  int32_t type = Undefined;
  /// Nothing when the model leaves even the rank open.
  std::optional<std::vector<Dim>> shape;
};

struct Graph {
  std::string name;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
  /// What the model declares of values in between.
  std::vector<ValueInfo> declared;
  std::vector<Tensor> initializers;
  std::vector<Node> nodes;
  /// Names of sparse initializers, which are not read.
  std::vector<std::string> sparse;
};

/// A model-local function: an operator given by nodes.
struct Function {
  std::string name;
  std::string domain;
  std::string overload;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Node> nodes;
  /// Values of attributes that a call may leave out.
  std::vector<NodeAttribute> defaults;
  std::map<std::string, int64_t> opsets;
};

struct Model {
  int64_t irVersion = 0;
  std::map<std::string, int64_t> opsets;
  Graph graph;
  std::vector<Function> functions;
  /// The file's bytes, into which `Tensor::raw` points.
  std::unique_ptr<llvm::MemoryBuffer> file;
};

/// Parses a model. Large raw data is not copied: it stays in `file`, which the model keeps.
llvm::Expected<std::unique_ptr<Model>> parseModel(std::unique_ptr<llvm::MemoryBuffer> file);

/// Opens and parses the model at `path`.
llvm::Expected<std::unique_ptr<Model>> readModel(llvm::StringRef path);

/// The file that holds `tensor`'s external data, when the location stays inside the model's folder.
llvm::Expected<std::string> externalPath(llvm::StringRef modelPath, const Tensor &tensor);

/// A range of a model file that holds the elements of a large tensor.
struct WeightRange {
  uint64_t offset, bytes;
};
/// Those of floats, doubles and raw data of 256 bytes and more, in order; a file that is no model has some or
/// none.
std::vector<WeightRange> weightRanges(llvm::StringRef file);

/// The names under which weights are found in a model: initializers and outputs of Constant nodes, those of
/// subgraphs and functions included. The first tensor of a name wins, as in import.
std::map<std::string, const Tensor *> weightsByName(const Model &model);

} // namespace tilewright::onnx

#endif // TILEWRIGHT_IMPORT_ONNXMODEL_H
