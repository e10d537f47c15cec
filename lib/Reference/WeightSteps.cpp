// The steps of a weight's recipe, applied element by element: the plain meaning that packaging must agree
// with. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Reference/Reference.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <cstring>
#include <map>
#include <memory>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::reference;

/// `tensor` with result dimension `i` taken from dimension `permutation[i]`.
static HostTensor transpose(const HostTensor &tensor, ArrayRef<int64_t> permutation) {
  int64_t rank = tensor.type.getRank(), size = elementBytes(tensor.type.getElementType());
  SmallVector<int64_t> strides(rank, 1), shape, moved;
  for (int64_t d = rank - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * tensor.type.getDimSize(d + 1);
  for (int64_t dim : permutation) {
    shape.push_back(tensor.type.getDimSize(dim));
    moved.push_back(strides[dim]);
  }
  HostTensor result = makeZeros(tensor.type.clone(shape));
  SmallVector<int64_t> index(rank, 0);
  for (int64_t i = 0, source = 0, e = tensor.type.getNumElements(); i < e; ++i) {
    std::memcpy(result.bytes.data() + i * size, tensor.bytes.data() + source * size, size);
    for (int64_t d = rank - 1; d >= 0; --d) {
      source += moved[d];
      if (++index[d] < shape[d])
        break;
      source -= moved[d] * shape[d];
      index[d] = 0;
    }
  }
  return result;
}

llvm::Expected<HostTensor> tilewright::reference::applyWeightSteps(graph::WeightAttr weight,
                                                                   ArrayRef<char> stored, bool keepWide) {
  HostTensor tensor = makeZeros(weight.getType());
  if (stored.size() != tensor.bytes.size())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "weight '" + weight.getKey() + "' has " + llvm::Twine(stored.size()) +
                                       " bytes, its type " + llvm::formatv("{0}", weight.getType()).str() +
                                       " needs " + llvm::Twine(tensor.bytes.size()));
  std::copy(stored.begin(), stored.end(), tensor.bytes.begin());
  Type wide = Float64Type::get(weight.getContext());
  if (keepWide && isa<FloatType>(weight.getType().getElementType()))
    tensor = convertElements(tensor, wide);
  for (Attribute step : weight.getSteps()) {
    if (auto cast = dyn_cast<TypeAttr>(step))
      tensor = convertElements(tensor, keepWide && isa<FloatType>(cast.getValue()) ? wide : cast.getValue());
    else if (auto permutation = dyn_cast<DenseI64ArrayAttr>(step))
      tensor = transpose(tensor, permutation);
    else
      tensor.type = tensor.type.clone(llvm::cast<graph::ReshapeStepAttr>(step).getShape());
  }
  return tensor;
}

WeightSource tilewright::reference::randomWeights(uint64_t seed) {
  // By key: every use of a weight sees the same bytes.
  auto drawn = std::make_shared<std::map<std::string, HostTensor>>();
  return [seed, drawn](graph::WeightAttr weight) -> llvm::Expected<ArrayRef<char>> {
    auto found = drawn->find(weight.getKey().str());
    if (found == drawn->end()) {
      uint64_t keyed = seed ^ llvm::xxh3_64bits(weight.getKey());
      auto tensor = makeTensor(weight.getType(), "random:" + std::to_string(keyed) + ":-0.1:0.1");
      if (!tensor)
        return tensor.takeError();
      found = drawn->emplace(weight.getKey().str(), std::move(*tensor)).first;
    }
    return ArrayRef<char>(found->second.bytes);
  };
}
