// Results of the ptx stage by content: in memory, and in a directory that later runs and other processes
// share.
#ifndef TILEWRIGHT_LIB_PTX_KERNELCACHE_H
#define TILEWRIGHT_LIB_PTX_KERNELCACHE_H

#include "Wire.h"

#include "llvm/ADT/StringMap.h"

namespace tilewright::ptxstage {

class KernelCache {
public:
  explicit KernelCache(std::string directory) : directory(std::move(directory)) {}

  /// The key of a request: a hash of everything that can change the result.
  static std::string key(const Request &request, llvm::StringRef toolchain);

  enum class Source { None, Memory, Directory };
  /// Looks in memory, then in the directory. A damaged file counts as absent.
  Source lookup(llvm::StringRef key, Reply &reply);
  /// Keeps a successful reply. A directory that cannot be written is no error: the result is only not kept.
  void insert(llvm::StringRef key, const Reply &reply);

private:
  std::string path(llvm::StringRef key) const { return directory + "/" + key.str() + ".kernel"; }

  std::string directory;
  llvm::StringMap<Reply> replies;
};

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_KERNELCACHE_H
