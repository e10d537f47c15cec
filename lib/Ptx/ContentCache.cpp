// The kernel cache's files: a magic, the hash of key and content, and the content.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Ptx/ContentCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>

using namespace tilewright;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Changes with the layout of the files.
static constexpr StringRef kMagic = "TWCACHE2";
/// The endings of the cache's files.
static constexpr StringRef kKinds[] = {"kernel", "target"};
/// A writer's file that is this old has no writer any more.
static constexpr std::chrono::hours kAbandoned(1);
/// Using a file makes it new; not more often than this.
static constexpr std::chrono::minutes kFreshness(10);

static std::string hash(StringRef data) {
  llvm::BLAKE3 hasher;
  hasher.update(data);
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

/// The hash of an entry: of what it holds, and of the key that it is for, so that a file under another's name
/// is no entry.
static std::string hashOfEntry(StringRef key, StringRef data) {
  llvm::BLAKE3 hasher;
  hasher.update(key);
  hasher.update(StringRef("\0", 1));
  hasher.update(data);
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

//===-- Who asks ----------------------------------------------------------------------------------------===//

/// Finds the linker's build ID among the notes of the program itself, which is the first object listed.
static int findBuildId(dl_phdr_info *object, size_t, void *result) {
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = object->dlpi_phdr[i];
    if (header.p_type != PT_NOTE)
      continue;
    const char *at = reinterpret_cast<const char *>(object->dlpi_addr + header.p_vaddr),
               *end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof *note, *data = name + (note->n_namesz + 3) / 4 * 4;
      if (note->n_type == NT_GNU_BUILD_ID && StringRef(name, note->n_namesz) == StringRef("GNU\0", 4)) {
        static_cast<std::string *>(result)->assign(data, note->n_descsz);
        return 1;
      }
      at = data + (note->n_descsz + 3) / 4 * 4;
    }
  }
  return 1;
}

/// Which build of which program this is; without a build ID the hash of its file.
static const std::string &programIdentity() {
  static const std::string identity = [] {
    std::string found;
    dl_iterate_phdr(findBuildId, &found);
    if (!found.empty())
      return found;
    auto file =
        llvm::MemoryBuffer::getFile("/proc/self/exe", /*IsText=*/false, /*RequiresNullTerminator=*/false);
    return file ? hash((*file)->getBuffer()) : std::string();
  }();
  return identity;
}

std::string ContentCache::key(llvm::ArrayRef<StringRef> parts) {
  llvm::BLAKE3 hasher;
  auto add = [&](StringRef part) {
    uint64_t size = part.size();
    hasher.update(StringRef(reinterpret_cast<const char *>(&size), sizeof size));
    hasher.update(part);
  };
  add(programIdentity());
  for (StringRef part : parts)
    add(part);
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

//===-- Files -------------------------------------------------------------------------------------------===//

std::optional<std::string> ContentCache::lookup(StringRef key) {
  if (!isOn())
    return std::nullopt;
  std::string name = path(key);
  // A pipe would be waited for, and a file beyond the limit of all of them is none that was written here.
  fs::file_status status;
  if (fs::status(name, status) || status.type() != fs::file_type::regular_file ||
      status.getSize() > options.limitBytes)
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(name, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  if (!file)
    return std::nullopt;
  StringRef data = (*file)->getBuffer();
  if (!data.consume_front(kMagic) || data.size() < 64 ||
      hashOfEntry(key, data.drop_front(64)) != data.take_front(64))
    return std::nullopt;
  struct stat info;
  if (stat(name.c_str(), &info) == 0 &&
      llvm::sys::toTimePoint(info.st_mtime) + kFreshness < std::chrono::system_clock::now())
    utimensat(AT_FDCWD, name.c_str(), nullptr, 0);
  return data.drop_front(64).str();
}

void ContentCache::insert(StringRef key, StringRef data) {
  if (!isOn() || fs::create_directories(options.directory))
    return;
  llvm::SmallString<256> temporary;
  int fd = -1;
  if (fs::createUniqueFile(options.directory + "/%%%%%%%%%%%%.tmp", fd, temporary))
    return;
  llvm::raw_fd_ostream out(fd, /*shouldClose=*/true);
  out << kMagic << hashOfEntry(key, data) << data;
  out.close();
  bool failed = out.has_error();
  out.clear_error();
  if (failed || fs::rename(temporary, path(key)))
    fs::remove(temporary);
  else
    grown = true;
}

ContentCache::~ContentCache() {
  if (grown)
    trimCache(options.directory, options.limitBytes);
}

void tilewright::trimCache(StringRef directory, uint64_t limitBytes) {
  struct File {
    llvm::sys::TimePoint<> used;
    std::string path;
    uint64_t bytes;
  };
  std::vector<File> files;
  uint64_t total = 0;
  auto now = std::chrono::system_clock::now();
  std::error_code failed;
  for (fs::directory_iterator it(directory, failed), end; !failed && it != end; it.increment(failed)) {
    StringRef ending = llvm::sys::path::extension(it->path());
    ending.consume_front(".");
    bool ours = llvm::is_contained(kKinds, ending);
    llvm::ErrorOr<fs::basic_file_status> status = it->status();
    if ((!ours && ending != "tmp") || !status)
      continue;
    if (ours) {
      files.push_back({status->getLastModificationTime(), it->path(), status->getSize()});
      total += status->getSize();
    } else if (status->getLastModificationTime() + kAbandoned < now) {
      fs::remove(it->path());
    }
  }
  // Some room is made, so that not every run has to look through the folder for one file.
  if (total <= limitBytes)
    return;
  llvm::sort(files, [](const File &a, const File &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  for (const File &file : files) {
    if (total <= limitBytes - limitBytes / 10)
      return;
    fs::remove(file.path); // another process may have been first
    total -= file.bytes;
  }
}
