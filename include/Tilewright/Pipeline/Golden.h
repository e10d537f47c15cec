// Golden vectors: inputs and the outputs that they must give, put into a package so that it can test itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_GOLDEN_H
#define TILEWRIGHT_PIPELINE_GOLDEN_H

#include "Tilewright/Package/Package.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

struct GoldenOptions {
  /// Sets of random inputs for each entry, drawn from fixed seeds.
  unsigned sets = 0;
  /// A folder with INPUT.npy for every input and, where the caller knows them, OUTPUT.npy; or folders of
  /// such. Not empty: these are the sets.
  std::string directory;
  /// How products are formed: what the outputs may differ by.
  std::string precision = "fp32";

  bool wanted() const { return sets != 0 || !directory.empty(); }
};

/// The golden tensors of a program in the graph form, whose functions become the package's entries in order.
/// Outputs that are not given are computed by the reference, on the CPU and without kernels. `modelBytes` are
/// the model's when it came from standard input.
mlir::FailureOr<std::vector<package::GoldenTensor>>
computeGolden(mlir::ModuleOp module, std::optional<llvm::StringRef> modelBytes, const GoldenOptions &options);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_GOLDEN_H
