// Tensors in host memory, as the reference takes and gives them: filled, converted, compared, read and
// written as .npy. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_REFERENCE_HOSTTENSOR_H
#define TILEWRIGHT_REFERENCE_HOSTTENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilewright::reference {

/// Bytes of one element in host memory: booleans take a byte, index 8.
int64_t elementBytes(mlir::Type element);

/// Elements in row-major order.
struct HostTensor {
  mlir::RankedTensorType type;
  std::vector<char> bytes;

  /// Element `i` in row-major order, as a double; 64-bit integers above 2^53 are rounded.
  double at(int64_t i) const;
  /// Sets element `i`, rounding to nearest even.
  void set(int64_t i, double value);
};

/// A tensor of zeros.
HostTensor makeZeros(mlir::RankedTensorType type);

/// `tensor` with elements of `element`; floats round to nearest even.
HostTensor convertElements(const HostTensor &tensor, mlir::Type element);

/// A tensor of `type` from a description: `zeros`, `splat:V`, `iota`, `random[:SEED[:LOW:HIGH]]` (floats in
/// [-1, 1), integers in [0, 4) unless bounds are given; equal on all machines), or the path of an .npy file
/// of that shape.
llvm::Expected<HostTensor> makeTensor(mlir::RankedTensorType type, llvm::StringRef description);

/// Reads an .npy file into `type`: its shape must be equal, its elements are converted.
llvm::Expected<HostTensor> readNpy(mlir::RankedTensorType type, llvm::StringRef path);

/// Writes `tensor` as .npy; 16-bit brain floats, which numpy lacks, are written as fp32.
llvm::Error writeNpy(const HostTensor &tensor, llvm::StringRef path);

/// Where two tensors differ most.
struct Difference {
  double worst = 0.0;    ///< largest |a - b| / (atol + rtol * |b|); above 1 the tensors differ
  double absolute = 0.0; ///< largest |a - b|
  int64_t index = 0;     ///< row-major index of the worst element
};

/// Compares elements; NaN equals NaN, infinities equal themselves. Shapes must be equal.
Difference compare(const HostTensor &a, const HostTensor &b, double rtol, double atol);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_HOSTTENSOR_H
