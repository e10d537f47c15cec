// Shape flags: sizes for the symbolic dimensions of inputs, and the buckets they make.
//
//   ids=1x128                     one bucket
//   ids=[1,8,32]x[16,64,128]      nine buckets: each size of the first dimension with each of the second
//
// A dimension that the model names ("batch") is one dimension of the bucket wherever it appears, so that
// other inputs need no flag of their own. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_SHAPEBUCKETS_H
#define TILEWRIGHT_PIPELINE_SHAPEBUCKETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright {

/// One `--input-shape`: for each dimension the sizes it may have, increasing.
struct ShapeFlag {
  std::string input;
  std::vector<std::vector<int64_t>> dims;

  bool operator==(const ShapeFlag &other) const { return input == other.input && dims == other.dims; }
};

/// Parses `name=1x128` or `name=[1,8,32]x[16,64,128]` (`name=` is a scalar). False with a sentence in `error`
/// when the text is not of that form.
bool parseShapeFlag(llvm::StringRef text, ShapeFlag &flag, std::string &error);

/// The flag as text, in the form that parses.
std::string formatShapeFlag(const ShapeFlag &flag);

/// A dimension of a model's input: its size, or the name that the model gives it, or neither.
struct InputDim {
  int64_t size = -1;
  std::string symbol;
};
/// Inputs by name.
using InputDims = std::map<std::string, std::vector<InputDim>>;

/// One combination of sizes.
struct ShapeBucket {
  /// Symbol and size of the dimensions with more than one size, in the order of the flags.
  std::vector<std::pair<std::string, int64_t>> key;
  /// Shapes of the inputs that have flags or whose symbols are sized by the flags of others.
  std::map<std::string, llvm::SmallVector<int64_t>> shapes;
  /// For each input of `shapes` the symbol of each dimension when it is part of the key, else "".
  std::map<std::string, std::vector<std::string>> symbols;
};

/// Every combination of sizes, the last dimension running fastest; one bucket without key when no dimension
/// has several sizes. Dimensions with the same symbol, and unnamed dimensions with the same list, are one.
/// False with a sentence in `error` when flags contradict each other or there would be more than 256 buckets.
bool expandBuckets(llvm::ArrayRef<ShapeFlag> flags, const InputDims &inputs,
                   std::vector<ShapeBucket> &buckets, std::string &error);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_SHAPEBUCKETS_H
