// Parsing of shape flags and their expansion into buckets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/ShapeBuckets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace llvm;
using namespace tilewright;

/// More programs than this in one package is a mistake of the command line.
static constexpr size_t kMaxBuckets = 256;

static bool parseSize(StringRef text, int64_t &size) {
  return !text.trim().getAsInteger(10, size) && size > 0;
}

bool tilewright::parseShapeFlag(StringRef text, ShapeFlag &flag, std::string &error) {
  // Input names may hold '=' (they are any string); sizes never do.
  auto [name, dims] = text.rsplit('=');
  if (name.empty() || name.size() == text.size()) {
    error = ("'" + text + "' is not of the form name=1x128 or name=[1,8]x[64,128]").str();
    return false;
  }
  flag.input = name.str();
  flag.dims.clear();
  if (dims.empty())
    return true;
  SmallVector<StringRef> parts;
  dims.split(parts, 'x');
  for (StringRef part : parts) {
    StringRef list = part.trim();
    if (list.consume_front("[") && !list.consume_back("]"))
      list = "";
    SmallVector<StringRef> sizes;
    list.split(sizes, ',');
    std::vector<int64_t> &dim = flag.dims.emplace_back();
    for (StringRef size : sizes)
      if (!parseSize(size, dim.emplace_back())) {
        error = ("'" + part + "' in the shape of input '" + name + "' is neither a size nor a list of sizes")
                    .str();
        return false;
      }
    llvm::sort(dim);
    dim.erase(std::unique(dim.begin(), dim.end()), dim.end());
  }
  return true;
}

std::string tilewright::formatShapeFlag(const ShapeFlag &flag) {
  std::string text = flag.input + "=";
  for (auto [i, dim] : enumerate(flag.dims)) {
    text += i ? "x" : "";
    std::string sizes = join(map_range(dim, [](int64_t size) { return std::to_string(size); }), ",");
    text += dim.size() == 1 ? sizes : "[" + sizes + "]";
  }
  return text;
}

namespace {
/// A dimension of the bucket's key.
struct KeyDim {
  std::string symbol;
  std::vector<int64_t> sizes;
  bool named; ///< By the model.
};
} // namespace

/// The key's dimension for dimension `d` of a flag, added when new; -1 with `error` set when sizes
/// contradict.
static int keyDimFor(const ShapeFlag &flag, size_t d, StringRef symbol, std::vector<KeyDim> &key,
                     std::string &error) {
  const std::vector<int64_t> &sizes = flag.dims[d];
  for (auto [i, dim] : enumerate(key)) {
    if (!symbol.empty() && dim.symbol == symbol) {
      if (dim.sizes == sizes)
        return i;
      error = ("dimension '" + symbol + "' has other sizes in input '" + flag.input +
               "' than in an input before it")
                  .str();
      return -1;
    }
    if (symbol.empty() && !dim.named && sizes.size() > 1 && dim.sizes == sizes)
      return i;
  }
  bool named = !symbol.empty();
  key.push_back({named ? symbol.str() : flag.input + "." + std::to_string(d), sizes, named});
  return key.size() - 1;
}

/// Shapes of the inputs without a flag that the key sizes: every dimension fixed or named by the key.
static void addNamedInputs(ArrayRef<KeyDim> key, ArrayRef<int64_t> sizes, const InputDims &inputs,
                           ShapeBucket &bucket) {
  for (const auto &[input, dims] : inputs) {
    if (bucket.shapes.count(input))
      continue;
    SmallVector<int64_t> shape;
    std::vector<std::string> names;
    for (const InputDim &dim : dims) {
      auto found = find_if(
          key, [&](const KeyDim &k) { return k.named && !dim.symbol.empty() && k.symbol == dim.symbol; });
      if (dim.size < 0 && found == key.end())
        break;
      shape.push_back(dim.size >= 0 ? dim.size : sizes[found - key.begin()]);
      names.push_back(dim.size < 0 && found->sizes.size() > 1 ? dim.symbol : "");
    }
    if (shape.size() != dims.size())
      continue;
    bucket.shapes[input] = shape;
    bucket.symbols[input] = names;
  }
}

bool tilewright::expandBuckets(ArrayRef<ShapeFlag> flags, const InputDims &inputs,
                               std::vector<ShapeBucket> &buckets, std::string &error) {
  std::vector<KeyDim> key;
  std::vector<std::vector<int>> dimsOfFlags; // indices into key
  for (size_t f = 0; f < flags.size(); ++f) {
    const ShapeFlag &flag = flags[f];
    if (any_of(flags.take_front(f), [&](const ShapeFlag &other) { return other.input == flag.input; })) {
      error = "input '" + flag.input + "' has two shapes";
      return false;
    }
    auto known = inputs.find(flag.input);
    std::vector<int> &dims = dimsOfFlags.emplace_back();
    for (size_t d = 0; d < flag.dims.size(); ++d) {
      StringRef symbol;
      if (known != inputs.end() && d < known->second.size())
        symbol = known->second[d].symbol;
      dims.push_back(keyDimFor(flag, d, symbol, key, error));
      if (dims.back() < 0)
        return false;
    }
  }
  size_t count = 1;
  for (const KeyDim &dim : key)
    if ((count *= dim.sizes.size()) > kMaxBuckets) {
      error = "the shapes make more than " + std::to_string(kMaxBuckets) + " buckets";
      return false;
    }

  for (size_t number = 0; number < count; ++number) {
    SmallVector<int64_t> sizes(key.size());
    size_t rest = number;
    for (size_t k = key.size(); k-- > 0; rest /= key[k].sizes.size())
      sizes[k] = key[k].sizes[rest % key[k].sizes.size()];
    ShapeBucket &bucket = buckets.emplace_back();
    for (auto [dim, size] : zip_equal(key, sizes))
      if (dim.sizes.size() > 1)
        bucket.key.push_back({dim.symbol, size});
    for (auto [flag, dims] : zip_equal(flags, dimsOfFlags)) {
      auto &shape = bucket.shapes[flag.input];
      auto &names = bucket.symbols[flag.input];
      for (int k : dims) {
        shape.push_back(sizes[k]);
        names.push_back(key[k].sizes.size() > 1 ? key[k].symbol : "");
      }
    }
    addNamedInputs(key, sizes, inputs, bucket);
  }
  return true;
}
