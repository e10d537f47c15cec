// Results of the ptx stage by content: in memory, and in the cache's folder.
#ifndef TILEWRIGHT_LIB_PTX_KERNELCACHE_H
#define TILEWRIGHT_LIB_PTX_KERNELCACHE_H

#include "Tilewright/Ptx/ContentCache.h"
#include "Wire.h"

#include "llvm/ADT/StringMap.h"

namespace tilewright::ptxstage {

class KernelCache {
public:
  explicit KernelCache(CacheOptions options) : files(std::move(options), "kernel") {}

  /// The key of a request: a hash of everything that can change the result.
  static std::string key(const Request &request, llvm::StringRef toolchain);

  enum class Source { None, Memory, Directory };
  /// Looks in memory, then in the folder.
  Source lookup(llvm::StringRef key, Reply &reply);
  /// Keeps a successful reply.
  void insert(llvm::StringRef key, const Reply &reply);

private:
  ContentCache files;
  llvm::StringMap<Reply> replies;
};

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_KERNELCACHE_H
