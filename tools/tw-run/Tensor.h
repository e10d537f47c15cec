// Host tensors of tw-run: made from .npy files, seeds or zeros; compared and summed up.
#ifndef TILEWRIGHT_TOOLS_TWRUN_TENSOR_H
#define TILEWRIGHT_TOOLS_TWRUN_TENSOR_H

#include "Tilewright/Runtime/tilewright_runtime.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilewright::run {

/// A sentence for the user; the program ends with code 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Elements in C order.
struct Tensor {
  std::string name;
  twrt_dtype dtype = TWRT_F32;
  std::vector<int64_t> shape;
  std::string bytes;

  size_t elements() const { return bytes.size() / twrt_dtype_bytes(dtype); }
  /// Element `i`, whatever its type.
  double at(size_t i) const;
  twrt_host_tensor view() {
    return {name.c_str(), dtype, uint32_t(shape.size()), shape.data(), bytes.data()};
  }
};

/// A tensor of zeros.
Tensor makeTensor(std::string name, twrt_dtype dtype, std::vector<int64_t> shape);

/// Fills `count` elements from number `first` on of the stream that `seed` names: floats are uniform in
/// [-scale, scale), integers and bools are 0 or 1 (which every index table and mask has).
void fillRandom(twrt_dtype dtype, uint64_t seed, uint64_t first, void *to, size_t count, double scale);

/// How far a tensor is from what is expected.
struct Comparison {
  double maxAbsolute = 0, maxRelative = 0, cosine = 1;
  size_t wrong = 0,
         elements = 0; ///< `wrong`: |found - expected| > atol + rtol |expected|, or one is NaN alone.
  size_t firstWrong = 0;
};
Comparison compare(const Tensor &found, const Tensor &expected, double rtol, double atol);

/// "[2,3]"
std::string shapeText(const std::vector<int64_t> &shape);
std::string shapeText(const int64_t *shape, uint32_t rank);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_TENSOR_H
