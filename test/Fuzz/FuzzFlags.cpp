// The flags of tw-compile that have a form of their own, one a line: shapes, chips, stages. What is taken
// prints as text that is taken again. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Tilewright/Import/Onnx.h"
#include "Tilewright/Pipeline/ShapeBuckets.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/StringRef.h"

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  std::vector<ShapeFlag> flags;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    std::string error;
    ShapeFlag flag;
    if (parseShapeFlag(line, flag, error)) {
      ShapeFlag again;
      fuzz::require(parseShapeFlag(formatShapeFlag(flag), again, error) && again == flag,
                    "a shape prints as another");
      flags.push_back(flag);
    } else {
      fuzz::require(!error.empty(), "a shape is refused without a sentence");
    }
    InputShapes shapes;
    error.clear();
    fuzz::require(parseInputShape(line, shapes, error) || !error.empty(), "refused without a sentence");
    error.clear();
    fuzz::require(lookupArch(line.str(), &error) || !error.empty(), "a chip is refused without a sentence");
  }
  InputDims inputs;
  inputs["x"] = {{-1, "batch"}, {-1, ""}, {4, ""}};
  inputs["y"] = {{-1, "batch"}, {-1, "length"}};
  std::vector<ShapeBucket> buckets;
  std::string error;
  bool made = expandBuckets(flags, inputs, buckets, error);
  fuzz::require(made ? buckets.size() <= 256 : !error.empty(), "buckets beyond their bound, or no sentence");
  return 0;
}
