// A folder of results by content, for runs to come and for processes that run at the same time: the kernel
// cache. A file is named by the hash of everything that can change its content, appears whole or not at all,
// and says itself whether it is undamaged. The folder is kept below a limit; what was not used for longest
// goes first. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PTX_CONTENTCACHE_H
#define TILEWRIGHT_PTX_CONTENTCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tilewright {

/// Where results are kept; an empty folder keeps none.
struct CacheOptions {
  std::string directory;
  uint64_t limitBytes = uint64_t(512) << 20;
};

class ContentCache {
public:
  /// `kind` is the ending of the cache's files, such as "kernel".
  ContentCache(CacheOptions options, std::string kind) : options(std::move(options)), kind(std::move(kind)) {}
  ContentCache(const ContentCache &) = delete;
  /// Brings the folder below its limit if something was added.
  ~ContentCache();

  bool isOn() const { return !options.directory.empty(); }

  /// The name of a result: a hash of `parts` and of the program that asks, since another build of the
  /// compiler may make another result.
  static std::string key(llvm::ArrayRef<llvm::StringRef> parts);

  /// What was kept under `key`. A damaged file counts as absent.
  std::optional<std::string> lookup(llvm::StringRef key);
  /// Keeps `data`. A folder that cannot be written is no error: the result is only not kept.
  void insert(llvm::StringRef key, llvm::StringRef data);

private:
  std::string path(llvm::StringRef key) const { return options.directory + "/" + key.str() + "." + kind; }

  CacheOptions options;
  std::string kind;
  bool grown = false;
};

/// Removes files of the cache, those least recently used first, until the rest takes at most `limitBytes`;
/// and what writers that were stopped left behind. Other files in the folder stay.
void trimCache(llvm::StringRef directory, uint64_t limitBytes);

} // namespace tilewright

#endif // TILEWRIGHT_PTX_CONTENTCACHE_H
