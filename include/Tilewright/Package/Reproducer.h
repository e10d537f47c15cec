// A reproducer: one file with all that it takes to fail again. The tool's arguments, the files that they name
// with the weights left out, and for people what failed and what was said. Tools write it on
// --reproducer=FILE and run it on --run-reproducer=FILE. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_PACKAGE_REPRODUCER_H
#define TILEWRIGHT_PACKAGE_REPRODUCER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// A part of a file that the bundle leaves out; it comes back as zeros.
struct Hole {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// A file in a bundle.
struct BundledFile {
  std::string name; ///< Letters, digits, '.', '_' and '-'; not hidden.
  uint64_t size = 0;
  std::vector<Hole> holes; ///< In order, apart from each other.
  std::string bytes;       ///< Of the file without its holes.
};

/// `contents` without `holes`, which may be in any order; those that are not inside of it are dropped.
BundledFile bundleFile(std::string name, std::string_view contents, std::vector<Hole> holes = {});

struct Reproducer {
  /// tw-compile or tw-run.
  std::string tool;
  /// What failed: lines of `key: text`.
  std::string about;
  /// Of the command; "{}/name" stands for a file of the bundle.
  std::vector<std::string> arguments;
  std::vector<BundledFile> files;
  /// What was said when it failed.
  std::string log;
};

/// Writes the bundle, complete or not at all. These three return a sentence on failure, else an empty string.
std::string writeReproducer(const std::string &path, const Reproducer &reproducer);
/// Reads a bundle; any bytes give a sentence or a sound bundle of at most the file's size in memory.
std::string readReproducer(const std::string &path, Reproducer &reproducer);
std::string parseReproducer(std::string_view text, Reproducer &reproducer);

/// Writes the files into `folder`, which exists, holes without taking space.
std::string unpackReproducer(const Reproducer &reproducer, const std::string &folder);
/// The arguments, with "{}" as `folder`.
std::vector<std::string> argumentsIn(const Reproducer &reproducer, const std::string &folder);

/// Runs the bundle at `path` with this program again, as `tool`, in a temporary folder; the exit code, which
/// is 2 when the bundle is not for this tool or names a flag that is not among `flags` ("--target"). What
/// goes wrong is said on standard error. `own` are arguments that the tool adds, bundle or not.
int runReproducer(const std::string &path, const std::string &tool, const std::vector<std::string> &flags,
                  const std::vector<std::string> &own = {});

} // namespace tilewright

#endif // TILEWRIGHT_PACKAGE_REPRODUCER_H
