// Finds weights in their files and streams them through their steps.
//
// Casts act on elements and reshapes not at all, so a weight's elements are visited in the order of the
// result: each result place is taken back through the transposes to its place in the file. Nothing but a
// chunk is held.

#include "Tilewright/Import/WeightStore.h"

#include "ElementCast.h"
#include "NodeImport.h"
#include "OnnxModel.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

#include <set>

using namespace mlir;
using namespace tilewright;

static constexpr int64_t kChunkBytes = int64_t(1) << 20;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

int64_t tilewright::weightBytes(RankedTensorType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

std::string tilewright::weightHash(StringRef bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(bytes);
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

std::optional<StringRef> tilewright::literalBytes(ElementsAttr literal, std::string &storage) {
  auto type = cast<RankedTensorType>(literal.getType());
  StringRef data;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(literal)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    data = {blob->getData().data(), blob->getData().size()};
  } else if (auto dense = dyn_cast<DenseElementsAttr>(literal); dense && type.getElementType().isInteger(1)) {
    // Bits in memory, bytes in files.
    for (bool value : dense.getValues<bool>())
      storage.push_back(value);
    data = storage;
  } else if (dense) {
    data = {dense.getRawData().data(), dense.getRawData().size()};
    if (dense.isSplat()) {
      for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
        storage.append(data.begin(), data.end());
      data = storage;
    }
  }
  return data;
}

//===-- Files --===//

namespace {
/// A tensor in a mapped file.
struct Stored {
  int32_t type;
  SmallVector<int64_t> dims;
  StringRef bytes;
};
} // namespace

struct WeightStore::Files {
  std::vector<std::unique_ptr<onnx::Model>> models;
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> mapped;
  std::map<std::string, Stored> tensors;
  /// Bytes that literals have in another form.
  std::vector<std::unique_ptr<std::string>> literals;

  llvm::Expected<StringRef> map(StringRef path);
  llvm::Error addModel(std::unique_ptr<onnx::Model> model, StringRef path);
  llvm::Error addSafetensors(StringRef path);
};

WeightStore::WeightStore() : files(std::make_unique<Files>()) {}
WeightStore::~WeightStore() = default;
WeightStore::WeightStore(WeightStore &&) = default;
WeightStore &WeightStore::operator=(WeightStore &&) = default;

llvm::Expected<StringRef> WeightStore::Files::map(StringRef path) {
  auto found = mapped.find(path.str());
  if (found == mapped.end()) {
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!file)
      return makeError("cannot read weights in '" + path + "': " + file.getError().message());
    found = mapped.emplace(path.str(), std::move(*file)).first;
  }
  return found->second->getBuffer();
}

llvm::Error WeightStore::Files::addModel(std::unique_ptr<onnx::Model> model, StringRef path) {
  for (const auto &[name, tensor] : onnx::weightsByName(*model)) {
    if (!tensor->defect.empty())
      continue; // import has refused it if it is used
    Stored stored{tensor->type, SmallVector<int64_t>(tensor->dims), tensor->bytes()};
    if (tensor->external) {
      llvm::Expected<std::string> file = onnx::externalPath(path, *tensor);
      if (!file)
        return file.takeError();
      llvm::Expected<StringRef> bytes = map(*file);
      if (!bytes)
        return bytes.takeError();
      int64_t size = *onnx::byteCount(tensor->dims, *onnx::bytesPerElement(tensor->type));
      int64_t offset = tensor->external->offset, have = bytes->size();
      if (offset > have || size > have - offset)
        return makeError("weight '" + name + "' is " + Twine(size) + " bytes at offset " + Twine(offset) +
                         " of '" + *file + "', which has " + Twine(have));
      stored.bytes = bytes->substr(offset, size);
    }
    tensors.try_emplace(name, stored);
  }
  models.push_back(std::move(model));
  return llvm::Error::success();
}

/// safetensors: 8 bytes of header length, a JSON header of names to {dtype, shape, data_offsets}, then data.
llvm::Error WeightStore::Files::addSafetensors(StringRef path) {
  llvm::Expected<StringRef> file = map(path);
  if (!file)
    return file.takeError();
  auto malformed = [&](const Twine &what) {
    return makeError("'" + path + "' is not a safetensors file: " + what);
  };
  if (file->size() < 8)
    return malformed("it has " + Twine(file->size()) + " bytes");
  uint64_t length = llvm::support::endian::read64le(file->data());
  if (length > file->size() - 8)
    return malformed("its header of " + Twine(length) + " bytes is longer than the file");
  StringRef data = file->drop_front(8 + length);
  llvm::Expected<llvm::json::Value> header = llvm::json::parse(file->substr(8, length));
  if (!header)
    return malformed(llvm::toString(header.takeError()));
  const llvm::json::Object *object = header->getAsObject();
  if (!object)
    return malformed("its header is no JSON object");
  static const std::pair<StringRef, int32_t> kTypes[] = {
      {"F64", onnx::Double}, {"F32", onnx::Float},  {"F16", onnx::Float16}, {"BF16", onnx::BFloat16},
      {"I64", onnx::Int64},  {"I32", onnx::Int32},  {"I16", onnx::Int16},   {"I8", onnx::Int8},
      {"U8", onnx::UInt8},   {"U16", onnx::UInt16}, {"U32", onnx::UInt32},  {"U64", onnx::UInt64},
      {"BOOL", onnx::Bool}};
  for (const auto &[key, value] : *object) {
    if (key == "__metadata__")
      continue;
    const llvm::json::Object *entry = value.getAsObject();
    const llvm::json::Array *shape = entry ? entry->getArray("shape") : nullptr;
    const llvm::json::Array *offsets = entry ? entry->getArray("data_offsets") : nullptr;
    std::optional<StringRef> dtype = entry ? entry->getString("dtype") : std::nullopt;
    if (!shape || !offsets || !dtype || offsets->size() != 2)
      return malformed("tensor '" + StringRef(key) + "' lacks dtype, shape or data_offsets");
    auto type = llvm::find_if(kTypes, [&](const auto &pair) { return pair.first == *dtype; });
    if (type == std::end(kTypes))
      continue; // a reference to it says that it is not there
    Stored stored{type->second, {}, {}};
    for (const llvm::json::Value &dim : *shape)
      stored.dims.push_back(dim.getAsInteger().value_or(-1));
    std::optional<int64_t> size = onnx::byteCount(stored.dims, *onnx::bytesPerElement(stored.type));
    int64_t begin = (*offsets)[0].getAsInteger().value_or(-1),
            end = (*offsets)[1].getAsInteger().value_or(-1);
    if (!size || begin < 0 || end < begin || end > (int64_t)data.size() || end - begin != *size)
      return malformed("tensor '" + StringRef(key) + "' has a shape or data_offsets that do not fit");
    stored.bytes = data.substr(begin, *size);
    tensors.try_emplace(StringRef(key).str(), stored);
  }
  return llvm::Error::success();
}

/// The number by which files name the element type; 0 when they have none for it.
static int32_t fileTypeOf(Type element) {
  for (int32_t type : {onnx::Float, onnx::Double, onnx::Float16, onnx::BFloat16, onnx::Float8E4M3,
                       onnx::Float8E5M2, onnx::Bool, onnx::Int8, onnx::Int16, onnx::Int32, onnx::Int64}) {
    bool isUnsigned;
    if (onnx::elementType(element.getContext(), type, isUnsigned) == element)
      return type;
  }
  return 0;
}

llvm::Error WeightStore::addLiterals(DictionaryAttr literals) {
  for (NamedAttribute entry : literals) {
    StringRef name = entry.getName();
    auto literal = dyn_cast<ElementsAttr>(entry.getValue());
    auto type = literal ? dyn_cast<RankedTensorType>(literal.getType()) : RankedTensorType();
    int32_t number = type ? fileTypeOf(type.getElementType()) : 0;
    if (!number)
      return makeError("graph.weight_files holds '" + name + "', which is no constant tensor");
    auto storage = std::make_unique<std::string>();
    std::optional<StringRef> bytes = literalBytes(literal, *storage);
    if (!bytes || (int64_t)bytes->size() != weightBytes(type))
      return makeError("weight '" + name + "' is a constant without its " + Twine(weightBytes(type)) +
                       " bytes");
    files->tensors.try_emplace(name.str(), Stored{number, SmallVector<int64_t>(type.getShape()), *bytes});
    files->literals.push_back(std::move(storage));
  }
  return llvm::Error::success();
}

llvm::Error WeightStore::addFile(StringRef path) {
  if (path.ends_with(".safetensors"))
    return files->addSafetensors(path);
  llvm::Expected<std::unique_ptr<onnx::Model>> model = onnx::readModel(path);
  return model ? files->addModel(std::move(*model), path) : model.takeError();
}

llvm::Error WeightStore::addOnnx(StringRef bytes, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getMemBuffer(bytes, path, /*RequiresNullTerminator=*/false);
  llvm::Expected<std::unique_ptr<onnx::Model>> model = onnx::parseModel(std::move(buffer));
  return model ? files->addModel(std::move(*model), path) : model.takeError();
}

llvm::Expected<WeightStore> WeightStore::open(ModuleOp module) {
  WeightStore store;
  auto names = module->getAttrOfType<ArrayAttr>("graph.weight_files");
  for (Attribute name : names ? names.getValue() : ArrayRef<Attribute>()) {
    if (auto literals = dyn_cast<DictionaryAttr>(name)) {
      if (llvm::Error error = store.addLiterals(literals))
        return error;
      continue;
    }
    auto path = dyn_cast<StringAttr>(name);
    if (!path)
      return makeError(
          "graph.weight_files holds an entry that is neither a path nor a dictionary of constants");
    if (path == "-" || path == "<stdin>")
      continue;
    if (llvm::Error error = store.addFile(path))
      return error;
  }
  return store;
}

std::vector<std::string> WeightStore::paths() const {
  std::set<std::string> paths;
  for (const auto &[path, file] : files->mapped)
    paths.insert(path);
  for (const auto &model : files->models)
    paths.insert(model->file->getBufferIdentifier().str());
  return {paths.begin(), paths.end()};
}

//===-- Steps --===//

namespace {
/// Where the elements of a weight come from: stages from the result back to the file, each a transpose.
struct Stage {
  /// Sizes of the stage's result, and the row-major stride in its operand of each of them.
  SmallVector<int64_t> sizes, strides;
};

struct Plan {
  /// Last transpose first.
  SmallVector<Stage> stages;
  /// Element types in order, from the file's to the result's.
  SmallVector<Type> casts;
};
} // namespace

static Plan makePlan(graph::WeightAttr weight) {
  Plan plan;
  plan.casts.push_back(weight.getType().getElementType());
  SmallVector<int64_t> shape(weight.getType().getShape());
  for (Attribute step : weight.getSteps()) {
    if (auto cast = dyn_cast<TypeAttr>(step)) {
      plan.casts.push_back(cast.getValue());
    } else if (auto reshape = dyn_cast<graph::ReshapeStepAttr>(step)) {
      shape.assign(reshape.getShape().begin(), reshape.getShape().end());
    } else if (auto permutation = dyn_cast<DenseI64ArrayAttr>(step); permutation && shape.size() > 1) {
      SmallVector<int64_t> strides(shape.size(), 1);
      for (int64_t d = (int64_t)shape.size() - 2; d >= 0; --d)
        strides[d] = strides[d + 1] * shape[d + 1];
      Stage stage;
      for (int64_t d : permutation.asArrayRef()) {
        stage.sizes.push_back(shape[d]);
        stage.strides.push_back(strides[d]);
      }
      shape = stage.sizes;
      plan.stages.insert(plan.stages.begin(), std::move(stage));
    }
  }
  return plan;
}

/// The element of a stage's operand that is element `place` of its result.
static int64_t takeBack(const Stage &stage, int64_t place) {
  int64_t source = 0;
  for (int64_t d = (int64_t)stage.sizes.size() - 1; d >= 0; --d) {
    source += place % stage.sizes[d] * stage.strides[d];
    place /= stage.sizes[d];
  }
  return source;
}

/// Copies result elements [begin, begin + count), not yet cast, to `out`.
static void collect(const Plan &plan, StringRef bytes, int64_t width, int64_t begin, int64_t count,
                    char *out) {
  for (int64_t i = 0; i < count;) {
    int64_t place = begin + i, run = 1, stride = 1;
    for (auto [s, stage] : llvm::enumerate(plan.stages)) {
      // Along the last dimension of the last transpose, neighbours are a fixed stride apart in its operand.
      if (s == 0 && plan.stages.size() == 1) {
        run = std::min(count - i, stage.sizes.back() - place % stage.sizes.back());
        stride = stage.strides.back();
      }
      place = takeBack(stage, place);
    }
    const char *in = bytes.data() + place * width;
    for (int64_t r = 0; r < run; ++r)
      std::memcpy(out + (i + r) * width, in + r * stride * width, width);
    i += run;
  }
}

llvm::Error WeightStore::read(graph::WeightAttr weight, Sink sink, bool checkHash) const {
  StringRef key = weight.getKey();
  auto found = files->tensors.find(key.str());
  if (found == files->tensors.end())
    return makeError("weight '" + key + "' is in none of the weight files");
  const Stored &stored = found->second;
  bool isUnsigned;
  Type element = onnx::elementType(weight.getContext(), stored.type, isUnsigned);
  if (element != weight.getType().getElementType() || ArrayRef(stored.dims) != weight.getType().getShape())
    return makeError("weight '" + key + "' is " + onnx::NodeImport::text(stored.dims) + " of " +
                     onnx::dataTypeName(stored.type) + " in its file, the reference names " +
                     onnx::NodeImport::text(weight.getType()));
  std::string error;
  if (!graph::weightTypeAfterSteps(weight, error))
    return makeError("weight '" + key + "': " + error);
  if (checkHash && !weight.getHash().empty() && weightHash(stored.bytes) != weight.getHash())
    return makeError("weight '" + key + "' has changed in its file since the model was imported");
  Plan plan = makePlan(weight);
  int64_t widest = 1, width = elementBytes(element), count = weight.getType().getNumElements();
  for (Type type : plan.casts) {
    if (!isCastable(type))
      return makeError("weight '" + key + "' cannot be cast to " + onnx::NodeImport::text(type));
    widest = std::max(widest, elementBytes(type));
  }
  int64_t chunkElems = kChunkBytes / widest;
  std::vector<char> buffers[2];
  for (int64_t begin = 0; begin < count; begin += chunkElems) {
    int64_t elems = std::min(chunkElems, count - begin);
    const char *current = stored.bytes.data() + begin * width;
    int which = 0;
    auto next = [&]() -> char * {
      std::vector<char> &buffer = buffers[which ^= 1];
      buffer.resize(chunkElems * widest);
      return buffer.data();
    };
    if (!plan.stages.empty()) {
      char *out = next();
      collect(plan, stored.bytes, width, begin, elems, out);
      current = out;
    }
    for (size_t i = 1; i < plan.casts.size(); ++i) {
      if (plan.casts[i] == plan.casts[i - 1])
        continue;
      char *out = next();
      castElements(plan.casts[i - 1], current, plan.casts[i], out, elems);
      current = out;
    }
    if (llvm::Error error = sink({current, size_t(elems * elementBytes(plan.casts.back()))}))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<char>> WeightStore::readAll(graph::WeightAttr weight, bool checkHash) const {
  std::vector<char> all;
  llvm::Error error = read(
      weight,
      [&](ArrayRef<char> chunk) {
        all.insert(all.end(), chunk.begin(), chunk.end());
        return llvm::Error::success();
      },
      checkHash);
  if (error)
    return error;
  return all;
}
