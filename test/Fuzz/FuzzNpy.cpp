// .npy files: a tensor of the size that its shape says, or a sentence. What is read is written and read again
// the same. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Npy.h"

using namespace tilewright;
using namespace tilewright::run;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz::MemoryFile file, copy;
  file.set(data, size);
  try {
    Tensor tensor = readNpy(file.path(), "x");
    size_t elements = 1;
    for (int64_t dim : tensor.shape)
      elements *= dim;
    fuzz::require(tensor.bytes.size() == elements * twrt_dtype_bytes(tensor.dtype),
                  "shape and bytes disagree");
    if (tensor.shape.size() > 1000)
      return 0; // a header of version 1, which is what is written, holds 64 KiB
    std::string bytes = npyBytes(tensor);
    copy.set(bytes.data(), bytes.size());
    Tensor again = readNpy(copy.path(), "x");
    fuzz::require(again.shape == tensor.shape && again.dtype == tensor.dtype && again.bytes == tensor.bytes,
                  "another tensor comes back");
  } catch (const Failure &failure) {
    fuzz::require(failure.what()[0], "refused without a sentence");
  }
  return 0;
}
