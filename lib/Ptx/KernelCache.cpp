// Results of the ptx stage by content. A file of the directory is a magic, a hash of the rest, and the
// encoded reply; it appears whole or not at all, so processes can share the directory.
#include "KernelCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright::ptxstage;
using llvm::StringRef;

/// Changes with the meaning of requests or replies.
static constexpr StringRef format = "TWKERNEL1";

static std::string hash(StringRef data) {
  llvm::SHA256 sha;
  sha.update(data);
  return llvm::toHex(sha.final(), /*LowerCase=*/true);
}

std::string KernelCache::key(const Request &request, StringRef toolchain) {
  std::string all;
  // Where ptxas lies does not matter, only its version and whether it runs.
  for (StringRef field : {format, StringRef(request.arch), StringRef(request.features), toolchain,
                          StringRef(request.ptxas.empty() ? "ptx" : "cubin"), StringRef(request.bytecode)})
    appendField(all, field);
  return hash(all);
}

KernelCache::Source KernelCache::lookup(StringRef key, Reply &reply) {
  if (auto found = replies.find(key); found != replies.end()) {
    reply = found->second;
    return Source::Memory;
  }
  if (directory.empty())
    return Source::None;
  auto file = llvm::MemoryBuffer::getFile(path(key), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return Source::None;
  StringRef data = (*file)->getBuffer();
  if (!data.consume_front(format) || data.size() < 64 || hash(data.drop_front(64)) != data.take_front(64))
    return Source::None;
  std::optional<Reply> decoded = decodeReply(data.drop_front(64));
  if (!decoded)
    return Source::None;
  reply = replies[key] = *decoded;
  return Source::Directory;
}

void KernelCache::insert(StringRef key, const Reply &reply) {
  replies[key] = reply;
  if (directory.empty() || llvm::sys::fs::create_directories(directory))
    return;
  std::string data = encode(reply);
  llvm::SmallString<256> temporary;
  int fd = -1;
  if (llvm::sys::fs::createUniqueFile(directory + "/%%%%%%%%.tmp", fd, temporary))
    return;
  llvm::raw_fd_ostream out(fd, /*shouldClose=*/true);
  out << format << hash(data) << data;
  out.close();
  bool failed = out.has_error();
  out.clear_error();
  if (failed || llvm::sys::fs::rename(temporary, path(key)))
    llvm::sys::fs::remove(temporary);
}
