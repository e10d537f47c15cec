// What a kernel computes, as a key: equal for kernels whose bodies are equal, whatever their names,
// locations, weights and places in the program. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_ANALYSIS_KERNELCONTENT_H
#define TILEWRIGHT_ANALYSIS_KERNELCONTENT_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include <string>

namespace tilewright {

struct KernelContent {
  /// 16 hexadecimal digits of a digest over anchor, types, operations and their attributes.
  std::string digest;
  /// For people: the extents of a product's result and K (`64x64x128`, batches first), else of the first
  /// result.
  std::string shape;
  /// Element types of arguments and results: `bf16,bf16:bf16`.
  std::string types;
  std::string anchor;
};

KernelContent contentOf(graph::KernelOp kernel);

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_KERNELCONTENT_H
