// Element access, generation and comparison of host tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Reference/HostTensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tilewright::reference;

int64_t tilewright::reference::elementBytes(Type element) {
  return isa<IndexType>(element) ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

template <typename T> static T load(const char *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T> static void store(char *bytes, T value) { std::memcpy(bytes, &value, sizeof(T)); }

double HostTensor::at(int64_t i) const {
  Type element = type.getElementType();
  int64_t size = elementBytes(element);
  const char *source = bytes.data() + i * size;
  if (element.isF32())
    return load<float>(source);
  if (element.isF64())
    return load<double>(source);
  uint64_t bits = 0;
  std::memcpy(&bits, source, size);
  if (auto narrow = dyn_cast<FloatType>(element)) {
    llvm::APFloat value(narrow.getFloatSemantics(), llvm::APInt(narrow.getWidth(), bits));
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return value.convertToDouble();
  }
  if (element.isInteger(1))
    return bits != 0;
  return (double)llvm::SignExtend64(bits, 8 * size);
}

void HostTensor::set(int64_t i, double value) {
  Type element = type.getElementType();
  int64_t size = elementBytes(element);
  char *target = bytes.data() + i * size;
  if (element.isF32())
    return store(target, (float)value);
  if (element.isF64())
    return store(target, value);
  uint64_t bits;
  if (auto narrow = dyn_cast<FloatType>(element)) {
    llvm::APFloat rounded(value);
    bool losesInfo;
    rounded.convert(narrow.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    bits = rounded.bitcastToAPInt().getZExtValue();
  } else {
    bits = element.isInteger(1) ? (value != 0.0) : (uint64_t)(int64_t)value;
  }
  std::memcpy(target, &bits, size);
}

HostTensor tilewright::reference::makeZeros(RankedTensorType type) {
  return {type, std::vector<char>(type.getNumElements() * elementBytes(type.getElementType()), 0)};
}

HostTensor tilewright::reference::convertElements(const HostTensor &tensor, Type element) {
  if (tensor.type.getElementType() == element)
    return tensor;
  HostTensor result = makeZeros(RankedTensorType::get(tensor.type.getShape(), element));
  for (int64_t i = 0, e = tensor.type.getNumElements(); i < e; ++i)
    result.set(i, tensor.at(i));
  return result;
}

/// The splitmix64 sequence: one step.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static llvm::Error invalid(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// `random[:SEED[:LOW:HIGH]]`, of which `fields` are the parts after the first.
static llvm::Expected<HostTensor> makeRandom(RankedTensorType type, ArrayRef<StringRef> fields) {
  bool isFloat = isa<FloatType>(type.getElementType());
  uint64_t seed = 0;
  double low = isFloat ? -1.0 : 0.0, high = isFloat ? 1.0 : 4.0;
  if (type.getElementType().isInteger(1))
    high = 2.0;
  bool bad = fields.size() > 3 || fields.size() == 2;
  bad |= !fields.empty() && fields[0].getAsInteger(10, seed);
  bad |= fields.size() == 3 && (fields[1].getAsDouble(low) || fields[2].getAsDouble(high));
  if (bad)
    return invalid("'random:" + llvm::join(fields, ":") + "' is not random[:SEED[:LOW:HIGH]]");
  HostTensor tensor = makeZeros(type);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    double unit = (double)(nextRandom(seed) >> 11) * 0x1p-53;
    double value = low + unit * (high - low);
    tensor.set(i, isFloat ? value : std::floor(value));
  }
  return tensor;
}

llvm::Expected<HostTensor> tilewright::reference::makeTensor(RankedTensorType type, StringRef description) {
  if (description.ends_with(".npy"))
    return readNpy(type, description);
  SmallVector<StringRef> fields;
  description.split(fields, ':');
  StringRef kind = fields.front();
  if (kind == "random")
    return makeRandom(type, ArrayRef(fields).drop_front());
  HostTensor tensor = makeZeros(type);
  double number = 0.0;
  if (kind == "zeros" && fields.size() == 1)
    return tensor;
  if (kind == "splat" && fields.size() == 2 && !fields[1].getAsDouble(number)) {
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
      tensor.set(i, number);
    return tensor;
  }
  if (kind == "iota" && fields.size() == 1) {
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
      tensor.set(i, (double)i);
    return tensor;
  }
  return invalid("'" + description + "' is none of zeros, splat:V, iota, random[:SEED[:LOW:HIGH]], FILE.npy");
}

Difference tilewright::reference::compare(const HostTensor &a, const HostTensor &b, double rtol,
                                          double atol) {
  Difference difference;
  for (int64_t i = 0, e = a.type.getNumElements(); i < e; ++i) {
    double x = a.at(i), y = b.at(i);
    if (x == y || (std::isnan(x) && std::isnan(y)))
      continue;
    double absolute = std::abs(x - y);
    double relative = absolute / (atol + rtol * std::abs(y));
    if (std::isnan(absolute) || std::isinf(absolute))
      absolute = relative = INFINITY;
    difference.absolute = std::max(difference.absolute, absolute);
    if (relative > difference.worst) {
      difference.worst = relative;
      difference.index = i;
    }
  }
  return difference;
}
