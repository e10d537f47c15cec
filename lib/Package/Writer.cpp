// Writes a package: segments first, weights streamed, then the table, then the header, all into a temporary
// file that is renamed at the end. Nothing depends on time, path or memory addresses.
#include "Table.h"
#include "Tilewright/Package/Hash.h"
#include "Tilewright/Package/Reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tilewright::package;

namespace {

/// A file that appears under its name only when `commit` succeeds. The first failure sticks.
///
/// While what is written equals what the file holds already, nothing is written: reading costs a fraction of
/// writing, and a model that is compiled again mostly gives the same package. At the first difference the
/// part that was equal is copied and the rest is written as usual.
class PendingFile {
public:
  /// The first `patched` bytes are given by `patch` alone.
  explicit PendingFile(std::string path, size_t patched = 0)
      : path(std::move(path)), patched(patched), buffer(new char[kBufferBytes]) {}
  PendingFile(const PendingFile &) = delete;
  ~PendingFile() {
    if (old >= 0)
      close(old);
    if (file < 0)
      return;
    close(file);
    if (!temporary.empty())
      unlink(temporary.c_str());
  }

  /// Makes sure that the file can be written.
  bool create();
  bool write(const void *data, uint64_t bytes);
  /// Writes zeros up to `offset`.
  bool padTo(uint64_t offset);
  /// Rewrites the file's start.
  bool patch(const void *data, size_t bytes);
  bool commit();

  uint64_t size() const { return position; }
  const std::string &failure() const { return error; }

private:
  static constexpr size_t kBufferBytes = 1 << 20;

  bool fail(const char *verb) {
    if (error.empty())
      error = std::string("cannot ") + verb + " '" + path + "': " + std::strerror(errno);
    return false;
  }
  /// Whether the old file holds these bytes at `place`.
  bool holds(const char *data, size_t bytes, uint64_t place);
  /// Leaves the old file: makes the new one with what was equal so far.
  bool depart();
  bool drain(const char *data, size_t bytes);
  bool flush() {
    size_t bytes = buffered;
    buffered = 0;
    return drain(buffer.get(), bytes);
  }

  std::string path, temporary, error;
  size_t patched;
  std::unique_ptr<char[]> buffer;
  size_t buffered = 0;
  uint64_t position = 0;
  uint64_t drained = 0; ///< Bytes that have left the buffer.
  int file = -1;        ///< The new file; -1 while there is none.
  int old = -1;         ///< The file of that name while it is equal; then -1.
};

} // namespace

bool PendingFile::create() {
  // Renaming a file to the name of a device would replace the device: root would take /dev/null from the
  // machine.
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    if (S_ISCHR(info.st_mode)) {
      file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      return file >= 0 || fail("open");
    }
    error = "cannot write '" + path + "': it exists and is no regular file";
    return false;
  }
  temporary = path + ".XXXXXX";
  file = mkstemp(temporary.data());
  if (file < 0)
    return fail("create");
  old = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return true;
}

bool PendingFile::holds(const char *data, size_t bytes, uint64_t place) {
  static thread_local char piece[1 << 16];
  while (bytes) {
    ssize_t count = pread(old, piece, std::min(bytes, sizeof piece), off_t(place));
    if (count <= 0 || std::memcmp(piece, data, size_t(count)) != 0)
      return false;
    data += count, place += uint64_t(count), bytes -= size_t(count);
  }
  return true;
}

bool PendingFile::depart() {
  int from = old;
  old = -1;
  uint64_t equal = drained;
  drained = 0;
  std::unique_ptr<char[]> piece(new char[kBufferBytes]);
  while (drained < equal) {
    ssize_t count =
        pread(from, piece.get(), std::min<uint64_t>(equal - drained, kBufferBytes), off_t(drained));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) { // it was cut short meanwhile
      errno = EIO;
      close(from);
      return fail("read");
    }
    if (!drain(piece.get(), size_t(count))) {
      close(from);
      return false;
    }
  }
  close(from);
  return true;
}

bool PendingFile::drain(const char *data, size_t bytes) {
  if (old >= 0) {
    size_t skipped = drained < patched ? std::min<uint64_t>(patched - drained, bytes) : 0;
    if (holds(data + skipped, bytes - skipped, drained + skipped)) {
      drained += bytes;
      return true;
    }
    if (!depart())
      return false;
  }
  drained += bytes;
  while (bytes) {
    ssize_t written = ::write(file, data, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return fail("write");
    data += written, bytes -= written;
  }
  return true;
}

bool PendingFile::write(const void *data, uint64_t bytes) {
  if (!error.empty())
    return false;
  position += bytes;
  if (buffered + bytes > kBufferBytes && !flush())
    return false;
  if (bytes > kBufferBytes)
    return drain(static_cast<const char *>(data), bytes);
  if (bytes)
    std::memcpy(buffer.get() + buffered, data, bytes);
  buffered += bytes;
  return true;
}

bool PendingFile::padTo(uint64_t offset) {
  static const char zeros[4096] = {};
  while (position < offset)
    if (!write(zeros, std::min<uint64_t>(sizeof zeros, offset - position)))
      return false;
  return error.empty();
}

bool PendingFile::patch(const void *data, size_t bytes) {
  if (!flush() || (old >= 0 && holds(static_cast<const char *>(data), bytes, 0)))
    return error.empty();
  if (old >= 0 && !depart())
    return false;
  return pwrite(file, data, bytes, 0) == ssize_t(bytes) || fail("write");
}

bool PendingFile::commit() {
  if (!error.empty() || !flush())
    return false;
  if (temporary.empty()) // a device
    return true;
  struct stat info;
  if (old >= 0 && fstat(old, &info) == 0 && uint64_t(info.st_size) == drained &&
      utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0) { // as new as if it had been written
    close(std::exchange(file, -1));
    unlink(temporary.c_str());
    return true;
  }
  if (old >= 0 && !depart())
    return false;
  mode_t mask = umask(0); // mkstemp made it private; give it what open(…, 0666) would have.
  umask(mask);
  if (fchmod(file, 0666 & ~mask) != 0)
    return fail("write");
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return fail("rename the finished file to");
  close(file);
  file = -1;
  return true;
}

static void setHash(fb::Segment &segment, uint64_t hash) {
  segment = fb::Segment(segment.offset(), segment.bytes(), hash);
}

/// Streams all weights into `out`, from `start` on, and notes their hashes.
static std::string writeWeights(const Package &package, const WeightSource &source, PendingFile &out,
                                uint64_t start, Layout &layout) {
  for (size_t i = 0; i < package.weights.size(); ++i) {
    const Weight &weight = package.weights[i];
    if (!out.padTo(start + layout.weightOffsets[i]))
      return out.failure();
    ContentHasher hasher;
    uint64_t given = 0;
    auto sink = [&](const void *data, size_t bytes) {
      given += bytes;
      hasher.add(data, bytes);
      return given <= weight.bytes && out.write(data, bytes);
    };
    std::string error;
    bool streamed = source && source(i, sink, error);
    if (!out.failure().empty())
      return out.failure();
    if (given > weight.bytes || (streamed && given != weight.bytes))
      return "weight '" + weight.name + "' has " + std::to_string(weight.bytes) +
             " bytes, but its source gave " + (given > weight.bytes ? "at least " : "") +
             std::to_string(given);
    if (!streamed)
      return "weight '" + weight.name + "' cannot be read: " + (error.empty() ? "its source failed" : error);
    layout.weightHashes[i] = hasher.value();
  }
  setHash(layout.weights,
          contentHash(layout.weightHashes.data(), layout.weightHashes.size() * sizeof(uint64_t)));
  return out.padTo(start + layout.weights.bytes()) ? "" : out.failure();
}

/// Writes `items` one after the other, each at a multiple of kItemAlignment, and gives the segment its hash.
template <typename Range, typename BytesOf>
static bool writeItems(PendingFile &out, fb::Segment &segment, const Range &items, BytesOf bytesOf) {
  static const char zeros[kItemAlignment] = {};
  ContentHasher hasher;
  bool sound = out.padTo(segment.offset());
  for (const auto &item : items) {
    const std::string &bytes = bytesOf(item);
    size_t padding = alignTo(bytes.size(), kItemAlignment) - bytes.size();
    hasher.add(bytes.data(), bytes.size());
    hasher.add(zeros, padding);
    sound = sound && out.write(bytes.data(), bytes.size()) && out.write(zeros, padding);
  }
  setHash(segment, hasher.value());
  return sound;
}

static FileHeader makeHeader(uint64_t tableOffset, const flatbuffers::FlatBufferBuilder &table) {
  FileHeader header = {};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.headerBytes = sizeof header;
  header.tableOffset = tableOffset;
  header.tableBytes = table.GetSize();
  header.fileBytes = tableOffset + table.GetSize();
  header.tableHash = contentHash(table.GetBufferPointer(), table.GetSize());
  header.headerHash = contentHash(&header, offsetof(FileHeader, headerHash));
  return header;
}

std::string tilewright::package::writePackage(const Package &package, const WeightSource &weights,
                                              const std::string &path, const WriteOptions &options,
                                              WriteSummary *summary) {
  Layout layout;
  if (std::string error = planLayout(package, options.externalWeights, layout); !error.empty())
    return error;
  { // Everything the reader would refuse is found before a byte is written.
    flatbuffers::FlatBufferBuilder trial(1 << 16);
    if (std::string error = buildTable(package, layout, trial); !error.empty())
      return error;
  }

  PendingFile out(path, sizeof(FileHeader));
  if (!out.create())
    return out.failure();
  writeItems(out, layout.images, layout.imageBytes,
             [](const std::string *b) -> const std::string & { return *b; });
  setHash(layout.emulation, contentHash(package.emulation.data(), package.emulation.size()));
  out.padTo(layout.emulation.offset()) && out.write(package.emulation.data(), package.emulation.size());
  writeItems(out, layout.golden, package.golden,
             [](const GoldenTensor &g) -> const std::string & { return g.bytes; });

  size_t slash = path.rfind('/');
  PendingFile external((slash == std::string::npos ? "" : path.substr(0, slash + 1)) +
                       options.externalWeights);
  bool isExternal = !options.externalWeights.empty();
  if (isExternal && !external.create())
    return external.failure();
  if (std::string error = isExternal ? writeWeights(package, weights, external, 0, layout)
                                     : writeWeights(package, weights, out, layout.weights.offset(), layout);
      !error.empty())
    return error;

  flatbuffers::FlatBufferBuilder table(1 << 16);
  if (std::string error = buildTable(package, layout, table); !error.empty())
    return error;
  uint64_t tableOffset = alignTo(out.size(), kSegmentAlignment);
  FileHeader header = makeHeader(tableOffset, table);
  if (!out.padTo(tableOffset) || !out.write(table.GetBufferPointer(), table.GetSize()) ||
      !out.patch(&header, sizeof header))
    return out.failure();
  if (isExternal && !external.commit())
    return external.failure();
  if (!out.commit())
    return out.failure();
  if (summary)
    *summary = {header.fileBytes, layout.weights.bytes(), layout.images.bytes(), layout.emulation.bytes()};
  return "";
}
