// A package file, mapped and verified: every offset, size and index in it is in range before anybody reads
// through them, and any bytes whatever give a sentence, never a crash. The runtime is built on this, so
// nothing here needs the C++ library. Tools that want plain structs use readPackage (Package.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PACKAGE_READER_H
#define TILEWRIGHT_PACKAGE_READER_H

#include <stddef.h>
#include <stdint.h>

namespace tilewright::package {

namespace fb {
struct Package;
} // namespace fb

/// The file's first 64 bytes. All numbers in the file are little endian.
struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t headerBytes;
  uint64_t fileBytes;
  uint64_t tableOffset; ///< Of the FlatBuffer, a multiple of 4096.
  uint64_t tableBytes;
  uint64_t tableHash;
  uint64_t reserved;   ///< 0
  uint64_t headerHash; ///< Of the 56 bytes before it.
};
static_assert(sizeof(FileHeader) == 64, "the header is part of the format");

constexpr char kMagic[8] = {'T', 'W', 'P', 'K', 'G', '\r', '\n', '\x1a'};
constexpr uint32_t kVersion = 1;
constexpr uint64_t kSegmentAlignment = 4096;
constexpr uint64_t kWeightAlignment = 256;
constexpr unsigned kMaxBucketDims = 16;
constexpr unsigned kMaxRank = 16;

/// A sentence about what went wrong. `io`: the file could not be read at all.
struct ReadError {
  bool io = false;
  char message[1024] = {};
  __attribute__((format(printf, 2, 3))) bool operator()(const char *format, ...);
};

/// A mapped package; `table` and the segments stay valid until closePackage.
struct PackageView {
  const uint8_t *base = nullptr;
  uint64_t bytes = 0;
  const fb::Package *table = nullptr;
  bool mapped = false;

  const uint8_t *imageData() const;
  const uint8_t *emulationData() const;
  const uint8_t *goldenData() const;
  /// Null when the weights are external.
  const uint8_t *weightData() const;
};

/// Maps and verifies the file at `path`. On failure returns false with the reason, and `view` is empty.
bool openPackage(const char *path, PackageView &view, ReadError &error);
/// The same over memory that outlives the view; 16-byte aligned.
bool openPackageMemory(const void *data, size_t bytes, PackageView &view, ReadError &error);
void closePackage(PackageView &view);

/// Checks the meaning of a table whose FlatBuffer form is sound.
bool verifyTable(const fb::Package &table, ReadError &error);

/// "sm_90a" is number 90, suffix 'a'.
struct Arch {
  unsigned number = 0;
  char suffix = 0;
};
bool parseArch(const char *text, Arch &arch);

} // namespace tilewright::package

#endif // TILEWRIGHT_PACKAGE_READER_H
