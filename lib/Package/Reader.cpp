// Maps a package, checks its header and FlatBuffer, and hands the table to verifyTable.
#include "Tilewright/Package/Reader.h"
#include "Tilewright/Package/Hash.h"

#include "Package_generated.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilewright::package;

bool ReadError::operator()(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return false;
}

const uint8_t *PackageView::imageData() const { return base + table->images()->offset(); }
const uint8_t *PackageView::emulationData() const { return base + table->emulation()->offset(); }
const uint8_t *PackageView::goldenData() const { return base + table->golden_data()->offset(); }
const uint8_t *PackageView::weightData() const {
  return table->external_weights() ? nullptr : base + table->weight_data()->offset();
}

static uint64_t hashOf(const uint8_t *data, uint64_t bytes) {
  ContentHasher hasher;
  hasher.add(data, bytes);
  return hasher.value();
}

static bool checkHeader(const FileHeader &header, uint64_t bytes, ReadError &error) {
  if (memcmp(header.magic, kMagic, sizeof kMagic) != 0)
    return error("not a Tilewright package: the first bytes are not its magic");
  if (header.version != kVersion)
    return error("the package has format version %u, this runtime reads version %u", header.version,
                 kVersion);
  ContentHasher hasher;
  hasher.add(&header, offsetof(FileHeader, headerHash));
  if (hasher.value() != header.headerHash)
    return error("the package's header is damaged: its hash does not match");
  if (header.headerBytes != sizeof header || header.reserved != 0)
    return error("the package's header has %u bytes, this runtime reads %zu", header.headerBytes,
                 sizeof header);
  if (header.fileBytes != bytes)
    return error("the package is %llu bytes long, its header says %llu: cut short or extended",
                 static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(header.fileBytes));
  if (header.tableOffset % kSegmentAlignment != 0 || header.tableOffset > bytes ||
      header.tableBytes > bytes - header.tableOffset || header.tableBytes >= INT32_MAX)
    return error("the package's table (offset %llu, %llu bytes) does not lie in its %llu bytes",
                 static_cast<unsigned long long>(header.tableOffset),
                 static_cast<unsigned long long>(header.tableBytes), static_cast<unsigned long long>(bytes));
  return true;
}

/// The segment lies in the file, aligned; with `checkHash` its bytes are those that were written.
static bool checkSegment(const PackageView &view, const char *name, const fb::Segment &segment,
                         bool checkHash, ReadError &error) {
  if (segment.offset() % kSegmentAlignment != 0 || segment.offset() > view.bytes ||
      segment.bytes() > view.bytes - segment.offset())
    return error("the package's %s segment (offset %llu, %llu bytes) does not lie in its %llu bytes", name,
                 static_cast<unsigned long long>(segment.offset()),
                 static_cast<unsigned long long>(segment.bytes()),
                 static_cast<unsigned long long>(view.bytes));
  if (checkHash && hashOf(view.base + segment.offset(), segment.bytes()) != segment.hash())
    return error("the package's %s segment is damaged: its hash does not match", name);
  return true;
}

static bool checkView(PackageView &view, ReadError &error) {
  FileHeader header;
  if (view.bytes < sizeof header)
    return error("not a Tilewright package: %llu bytes, the header alone has %zu",
                 static_cast<unsigned long long>(view.bytes), sizeof header);
  memcpy(&header, view.base, sizeof header);
  if (!checkHeader(header, view.bytes, error))
    return false;
  const uint8_t *tableData = view.base + header.tableOffset;
  if (hashOf(tableData, header.tableBytes) != header.tableHash)
    return error("the package's table is damaged: its hash does not match");
  flatbuffers::Verifier verifier(tableData, header.tableBytes, /*max_depth=*/64, /*max_tables=*/100000000);
  if (header.tableBytes < 8 || !fb::VerifyPackageBuffer(verifier))
    return error("the package's table is not a sound FlatBuffer");
  const fb::Package &table = *fb::GetPackage(tableData);
  if (!checkSegment(view, "image", *table.images(), true, error) ||
      !checkSegment(view, "emulation", *table.emulation(), true, error) ||
      !checkSegment(view, "golden", *table.golden_data(), true, error) ||
      (!table.external_weights() && !checkSegment(view, "weight", *table.weight_data(), false, error)) ||
      !verifyTable(table, error))
    return false;
  view.table = &table;
  return true;
}

bool tilewright::package::openPackageMemory(const void *data, size_t bytes, PackageView &view,
                                            ReadError &error) {
  view = {};
  view.base = static_cast<const uint8_t *>(data);
  view.bytes = bytes;
  bool sound = reinterpret_cast<uintptr_t>(data) % 16 == 0
                   ? checkView(view, error)
                   : error("the package's memory is not aligned to 16 bytes");
  if (!sound)
    view = {};
  return sound;
}

bool tilewright::package::openPackage(const char *path, PackageView &view, ReadError &error) {
  view = {};
  error.io = true;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return error("cannot open '%s': %s", path, strerror(errno));
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(file);
    return error("'%s' is not a regular file", path);
  }
  void *data = status.st_size ? mmap(nullptr, status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  int reason = errno;
  close(file);
  if (data == MAP_FAILED)
    return error("cannot map '%s' (%lld bytes): %s", path, static_cast<long long>(status.st_size),
                 strerror(reason));
  error.io = false;
  view.base = static_cast<const uint8_t *>(data);
  view.bytes = status.st_size;
  view.mapped = true;
  if (checkView(view, error))
    return true;
  char message[sizeof error.message];
  memcpy(message, error.message, sizeof message);
  error("'%s': %s", path, message);
  closePackage(view);
  return false;
}

void tilewright::package::closePackage(PackageView &view) {
  if (view.mapped && view.base)
    munmap(const_cast<uint8_t *>(view.base), view.bytes);
  view = {};
}
