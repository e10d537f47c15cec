// Requests as keys, replies as data.
#include "KernelCache.h"

using namespace tilewright;
using namespace tilewright::ptxstage;
using llvm::StringRef;

std::string KernelCache::key(const Request &request, StringRef toolchain) {
  // Where ptxas lies does not matter, only its version and whether it runs. The number counts how often other
  // code came of the same.
  return ContentCache::key({"ptx 2", request.arch, request.features, toolchain,
                            StringRef(request.ptxas.empty() ? "ptx" : "cubin"), request.bytecode,
                            request.blocksNeeded, request.blocksAllowed});
}

KernelCache::Source KernelCache::lookup(StringRef key, Reply &reply) {
  if (auto found = replies.find(key); found != replies.end()) {
    reply = found->second;
    return Source::Memory;
  }
  std::optional<std::string> data = files.lookup(key);
  std::optional<Reply> decoded = data ? decodeReply(*data) : std::nullopt;
  if (!decoded || !decoded->error.empty()) // only successes are kept
    return Source::None;
  reply = replies[key] = *decoded;
  return Source::Directory;
}

void KernelCache::insert(StringRef key, const Reply &reply) {
  replies[key] = reply;
  files.insert(key, encode(reply));
}
