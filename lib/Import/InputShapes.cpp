// The shapes of a model's inputs: what the flags give, what the model fixes, and what follows from symbols
// that inputs share. What stays open is listed in one error, with the flags to pass.

#include "InputShapes.h"

#include "NodeImport.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

/// How a dimension without a size is called in messages, when the model does not name it.
static std::string dimName(const ValueInfo &info, size_t d) {
  const Dim &dim = (*info.shape)[d];
  return dim.symbol.empty() ? info.name + "[" + std::to_string(d) + "]" : dim.symbol;
}

LogicalResult tilewright::onnx::resolveInputs(MLIRContext *context, const Model &model,
                                              const OnnxImportOptions &options,
                                              SmallVectorImpl<RankedTensorType> &types) {
  Location loc = NameLoc::get(StringAttr::get(context, options.path));
  std::map<std::string, std::pair<int64_t, std::string>> symbols; // size, and the input that gave it
  std::map<std::string, SmallVector<int64_t>> shapes;
  llvm::StringSet<> defaults, names;
  for (const Tensor &tensor : model.graph.initializers)
    defaults.insert(tensor.name);
  bool ok = true;
  auto complain = [&](const Twine &text) {
    emitError(loc) << text;
    ok = false;
  };
  // What the flags say, checked against the model, gives the symbols their sizes.
  for (const ValueInfo &info : model.graph.inputs) {
    names.insert(info.name);
    auto given = options.inputShapes.find(info.name);
    if (given == options.inputShapes.end())
      continue;
    if (info.shape && info.shape->size() != given->second.size()) {
      complain("input '" + info.name + "' has rank " + Twine(info.shape->size()) + ", the shape given " +
               NodeImport::text(given->second) + " has rank " + Twine(given->second.size()));
      continue;
    }
    shapes[info.name] = given->second;
    for (auto [d, size] : llvm::enumerate(given->second)) {
      if (!info.shape)
        continue;
      const Dim &dim = (*info.shape)[d];
      if (dim.size >= 0 && dim.size != size)
        complain("dimension " + Twine(d) + " of input '" + info.name + "' is " + Twine(dim.size) +
                 " in the model, " + Twine(size) + " in the shape given");
      if (dim.symbol.empty())
        continue;
      auto [known, isNew] = symbols.try_emplace(dim.symbol, size, info.name);
      if (!isNew && known->second.first != size)
        complain("dimension '" + dim.symbol + "' is " + Twine(known->second.first) + " in input '" +
                 known->second.second + "' and " + Twine(size) + " in input '" + info.name + "'");
    }
  }
  for (const auto &[name, shape] : options.inputShapes)
    if (!names.contains(name))
      complain("a shape is given for '" + name + "', which is no input of the model");
  if (!ok)
    return failure();
  // The rest follows from fixed sizes and symbols; what stays open is listed once, with the flags to pass.
  std::string open, flags;
  llvm::StringSet<> listed;
  for (const ValueInfo &info : model.graph.inputs) {
    bool isUnsigned;
    Type element = elementType(context, info.type, isUnsigned);
    if (!element) {
      if (defaults.contains(info.name))
        types.push_back(nullptr);
      else
        complain(info.type == Undefined ? "input '" + info.name + "' is not a tensor"
                                        : "input '" + info.name + "' has the unsupported element type " +
                                              dataTypeName(info.type));
      continue;
    }
    if (defaults.contains(info.name)) {
      types.push_back(nullptr);
      continue;
    }
    auto given = shapes.find(info.name);
    if (given != shapes.end()) {
      if (byteCount(given->second, 8))
        types.push_back(RankedTensorType::get(given->second, element));
      else
        complain("input '" + info.name + "' of shape " + NodeImport::text(given->second) +
                 " is negative in a dimension or too large to address");
      continue;
    }
    if (!info.shape) {
      open += (open.empty() ? "" : ", ") + ("the rank of '" + info.name + "'");
      flags += " --input-shape " + info.name + "=<shape>";
      continue;
    }
    SmallVector<int64_t> shape;
    std::string spelled;
    bool isOpen = false;
    for (size_t d = 0; d < info.shape->size(); ++d) {
      const Dim &dim = (*info.shape)[d];
      auto symbol = symbols.find(dim.symbol);
      bool known = dim.size >= 0 || (!dim.symbol.empty() && symbol != symbols.end());
      int64_t size = dim.size >= 0 ? dim.size : (known ? symbol->second.first : -1);
      shape.push_back(size);
      std::string label = dimName(info, d);
      spelled += (d ? "x" : "") + (known ? std::to_string(size) : "<" + label + ">");
      if (known)
        continue;
      isOpen = true;
      if (listed.insert(label).second)
        open += (open.empty() ? "" : ", ") + ("'" + label + "'");
    }
    if (isOpen)
      flags += " --input-shape " + info.name + "=" + spelled;
    else if (!byteCount(shape, 8))
      complain("input '" + info.name + "' of shape " + NodeImport::text(shape) +
               " is negative in a dimension or too large to address");
    else
      types.push_back(RankedTensorType::get(shape, element));
  }
  if (!open.empty())
    complain("the inputs of '" + options.path + "' leave dimensions without a size: " + open +
             "; give them as in" + flags);
  return success(ok);
}

bool tilewright::parseInputShape(StringRef text, InputShapes &shapes, std::string &error) {
  auto [name, spelled] = text.split('=');
  // Names may hold '=' themselves in no exporter known; the first one ends the name.
  bool bracketed = spelled.consume_front("[") && spelled.consume_back("]");
  SmallVector<StringRef> parts;
  if (!spelled.empty())
    spelled.split(parts, bracketed ? ',' : 'x');
  SmallVector<int64_t> shape;
  for (StringRef part : parts) {
    int64_t size;
    if (part.trim().getAsInteger(10, size) || size < 0) {
      error = ("'" + text + "': '" + part + "' is not the size of a dimension; expected name=1x128").str();
      return false;
    }
    shape.push_back(size);
  }
  if (name.empty() || !text.contains('=')) {
    error = ("'" + text + "' is not of the form name=1x128").str();
    return false;
  }
  if (!shapes.try_emplace(name.str(), shape).second) {
    error = ("two shapes are given for input '" + name + "'").str();
    return false;
  }
  return true;
}
