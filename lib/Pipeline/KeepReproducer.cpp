// Bundles of failed compilations. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KeepReproducer.h"
#include "OnnxModel.h"
#include "Tilewright/Package/Reproducer.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace tilewright;

/// The weights of a model, which are left out.
static std::vector<Hole> weightsOf(StringRef bytes) {
  std::vector<Hole> holes;
  for (onnx::WeightRange range : onnx::weightRanges(bytes))
    holes.push_back({range.offset, range.bytes});
  return holes;
}

std::string tilewright::keepReproducer(const CompileOptions &options, const StageAttempt &attempt,
                                       StringRef toolchain) {
  Reproducer bundle;
  bundle.tool = "tw-compile";
  const auto &manifest = options.stages.package.inputs.manifest;
  auto version = manifest.find("tilewright");
  bundle.about = formatv("stage: {0}\ninput: {1}, {2} bytes\nversions: tilewright {3}, LLVM {4}{5}{6}\n",
                         stageName(attempt.stage), sys::path::filename(options.input), attempt.input.size(),
                         version == manifest.end() ? "" : version->second, LLVM_VERSION_STRING,
                         toolchain.empty() ? "" : "; toolchain ", toolchain)
                     .str();
  bundle.log = attempt.log.empty() ? "nothing was said: the process crashed in this stage, or was stopped\n"
                                   : attempt.log;
  std::string name = "program.mlir";
  if (!attempt.program.empty()) {
    bundle.files.push_back(bundleFile(name, attempt.program));
  } else {
    name = attempt.isOnnx ? "input.onnx" : "input" + sys::path::extension(options.input).str();
    if (!attempt.isOnnx && name != "input.mlirbc")
      name = "input.mlir";
    bundle.files.push_back(
        bundleFile(name, attempt.input, attempt.isOnnx ? weightsOf(attempt.input) : std::vector<Hole>()));
  }
  bundle.arguments = {"{}/" + name, "--stop-after=" + stageName(attempt.stage).str()};
  if (!attempt.isOnnx || !attempt.program.empty())
    bundle.arguments.push_back("--start-from=" + stageName(attempt.stage).str());
  else
    for (const ShapeFlag &flag : options.stages.import.shapes)
      bundle.arguments.push_back("--input-shape=" + formatShapeFlag(flag));
  append_range(bundle.arguments, options.reproducerArguments);
  return writeReproducer(options.reproducer, bundle);
}
