// Entries of the kernel cache: a file of any bytes is a miss, or is what the compiler wrote under this very
// key. Most mutants get their hash put right again, so that what lies behind it is reached; and of what is
// kept, one changed bit, another name or a shorter file is a miss. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "FuzzTarget.h"

#include "KernelCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <cstring>
#include <fstream>
#include <iterator>

using namespace tilewright;
using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static constexpr StringRef kKey = "0123456789abcdef";
/// Magic and hash.
static constexpr size_t kHeaderBytes = 8 + 64;

namespace {
/// A folder that lives as long as the process, in memory where there is such a place.
struct Folder {
  Folder()
      : path((access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + std::string("/tilewright-fuzz-XXXXXX")) {
    fuzz::require(mkdtemp(path.data()), "there is no folder to make files in");
  }
  ~Folder() {
    for (StringRef key : {kKey, StringRef("sound"), StringRef("other")})
      unlink((path + "/" + key.str() + ".kernel").c_str());
    rmdir(path.c_str());
  }
  std::string path;
};
} // namespace

static const std::string &folder() {
  static const Folder made;
  return made.path;
}

static void writeEntry(StringRef key, StringRef bytes) {
  std::ofstream out(folder() + "/" + key.str() + ".kernel", std::ios::binary);
  out.write(bytes.data(), (std::streamsize)bytes.size());
  fuzz::require(out.good(), "an entry cannot be written");
}

static std::string readEntry(StringRef key) {
  std::ifstream in(folder() + "/" + key.str() + ".kernel", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static std::string hashFor(StringRef key, StringRef content) {
  llvm::BLAKE3 hasher;
  hasher.update(key);
  hasher.update(StringRef("\0", 1));
  hasher.update(content);
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, maxSize);
  if (seed % 4 == 0 || size < kHeaderBytes)
    return size;
  std::memcpy(data, "TWCACHE2", 8);
  StringRef content(reinterpret_cast<const char *>(data) + kHeaderBytes, size - kHeaderBytes);
  std::memcpy(data + 8, hashFor(kKey, content).data(), 64);
  return size;
}

/// Keeps a result that holds `bytes`, damages its file and expects it gone.
static void damageSoundEntry(StringRef bytes) {
  ptxstage::Reply kept, found;
  kept.ptx = bytes.take_front(bytes.size() / 2).str();
  kept.cubin = bytes.drop_front(bytes.size() / 2).str();
  ptxstage::KernelCache({folder()}).insert("sound", kept);
  std::string sound = readEntry("sound");
  fuzz::require(ptxstage::KernelCache({folder()}).lookup("sound", found) ==
                        ptxstage::KernelCache::Source::Directory &&
                    found.ptx == kept.ptx && found.cubin == kept.cubin && found.error.empty(),
                "what was kept is not found");
  auto expectMiss = [&](StringRef key, StringRef content, const char *what) {
    writeEntry(key, content);
    ptxstage::Reply reply;
    fuzz::require(ptxstage::KernelCache({folder()}).lookup(key, reply) == ptxstage::KernelCache::Source::None,
                  what);
  };
  size_t place = hashFor("place", bytes)[0] * 131u % sound.size();
  std::string damaged = sound;
  damaged[place] ^= 1 << (place % 8);
  expectMiss("sound", damaged, "a changed bit is not noticed");
  expectMiss("sound", StringRef(sound).take_front(place), "a missing end is not noticed");
  expectMiss("sound", sound + "x", "a longer file is not noticed");
  expectMiss("other", sound, "a file under another name is taken");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  writeEntry(kKey, bytes);
  ptxstage::Reply reply;
  if (ptxstage::KernelCache({folder()}).lookup(kKey, reply) != ptxstage::KernelCache::Source::None) {
    fuzz::require(size >= kHeaderBytes && bytes.drop_front(kHeaderBytes) == ptxstage::encode(reply),
                  "an entry is taken that is not what would have been written");
    fuzz::require(bytes.slice(8, kHeaderBytes) == hashFor(kKey, bytes.drop_front(kHeaderBytes)),
                  "an entry is taken whose hash is wrong");
  }
  (void)ptxstage::decodeRequest(bytes);
  damageSoundEntry(bytes);
  return 0;
}
