// A package without what only tests need: the emulator's kernels and the golden vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Package/Package.h"
#include "Tilewright/Package/Reader.h"

#include "Package_generated.h"

#include <algorithm>
#include <cstdio>
#include <memory>

using namespace tilewright::package;

namespace {
struct FileCloser {
  void operator()(FILE *file) const { fclose(file); }
};
} // namespace

std::string tilewright::package::stripPackage(const std::string &from, const std::string &to,
                                              WriteSummary *summary) {
  Package package;
  std::string error = readPackage(from, package);
  if (!error.empty())
    return error;
  PackageView view;
  ReadError readError;
  if (!openPackage(from.c_str(), view, readError))
    return readError.message;
  std::unique_ptr<PackageView, void (*)(PackageView *)> closing(&view,
                                                                [](PackageView *v) { closePackage(*v); });
  WriteOptions options;
  if (const flatbuffers::String *external = view.table->external_weights())
    options.externalWeights = external->str();
  std::unique_ptr<FILE, FileCloser> weights;
  if (!view.weightData()) {
    std::string path = from.substr(0, from.rfind('/') + 1) + options.externalWeights;
    weights.reset(fopen(path.c_str(), "rb"));
    if (!weights)
      return "cannot open the weights '" + path + "'";
  }
  package.emulation.clear();
  package.golden.clear();
  package.manifest["stripped"] = "emulation, golden";
  auto source = [&](size_t index, const ByteSink &sink, std::string &problem) {
    const Weight &weight = package.weights[index];
    if (view.weightData())
      return sink(view.weightData() + weight.offset, weight.bytes);
    char buffer[1 << 16];
    bool sound = fseeko(weights.get(), off_t(weight.offset), SEEK_SET) == 0;
    for (uint64_t done = 0; sound && done < weight.bytes;) {
      size_t piece = std::min<uint64_t>(sizeof buffer, weight.bytes - done);
      if (fread(buffer, 1, piece, weights.get()) != piece) {
        problem = "the weight file is too short";
        return false;
      }
      sound = sink(buffer, piece);
      done += piece;
    }
    return sound;
  };
  return writePackage(package, source, to, options, summary);
}
