// NumPy's .npy files, versions 1 to 3, C order, little endian. bfloat16, which NumPy lacks, is written as
// "<V2" (what ml_dtypes writes) and read from that or from uint16.
#ifndef TILEWRIGHT_TOOLS_TWRUN_NPY_H
#define TILEWRIGHT_TOOLS_TWRUN_NPY_H

#include "Tensor.h"

namespace tilewright::run {

/// Reads the file at `path` as a tensor named `name`. Throws Failure.
Tensor readNpy(const std::string &path, const std::string &name);
/// Says of what a file gave what its header cannot: 16-bit words are bfloat16, and bytes of no type either
/// 8-bit float, where that is `wanted`.
void takeAs(Tensor &tensor, twrt_dtype wanted);

/// The file's whole contents.
std::string npyBytes(const Tensor &tensor);

/// Writes `bytes` to `path` by way of a temporary file beside it. Throws Failure.
void writeWhole(const std::string &path, const std::string &bytes);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_NPY_H
