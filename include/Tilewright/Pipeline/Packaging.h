// The package stage: from a program in the plan's buffer form and assembled kernels to `model.tw`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_PACKAGING_H
#define TILEWRIGHT_PIPELINE_PACKAGING_H

#include "Tilewright/Package/Package.h"
#include "Tilewright/Ptx/Assemble.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// What the packager needs beside the IR and the kernels.
struct PackageInputs {
  /// The program's name, without a path.
  std::string program;
  /// The input as the user named it; locations that name it are dropped.
  std::string sourcePath;
  /// What the first arch's roofline is computed for.
  const Arch *arch = nullptr;
  /// Keep the target-stage kernels for the emulator.
  bool emulation = true;
  /// Text for the manifest: input hash, options, toolchain.
  std::map<std::string, std::string> manifest;
};

/// A package and, in the order of its weights, where their bytes come from: a #graph.weight or a constant.
struct PackageContents {
  package::Package package;
  std::vector<mlir::Attribute> weightSources;
};

/// Fills a package from `module`, whose programs are in the buffer form and whose kernels are `gpu.module`s.
mlir::FailureOr<PackageContents> buildPackage(mlir::ModuleOp module, llvm::ArrayRef<AssembledKernel> kernels,
                                              const PackageInputs &inputs);

/// Where a package goes.
struct PackageFile {
  std::string path;
  /// Not empty: the weights go to the file of this name beside the package.
  std::string externalWeights;
  /// The model itself, when it came from standard input and its weights are in it.
  std::optional<llvm::StringRef> modelBytes;
};

/// Writes the package, streaming the bytes of its weights from the module's `graph.weight_files`. The file is
/// complete or absent.
mlir::LogicalResult writePackageFile(mlir::ModuleOp module, const PackageContents &contents,
                                     const PackageFile &file, package::WriteSummary &summary);

/// The launch table and what lies round it as JSON, for people: `07-package.json`.
std::string packageToJson(const package::Package &package);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_PACKAGING_H
