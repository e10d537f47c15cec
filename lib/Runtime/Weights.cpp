// Weights: found and checked on the host, then streamed to the device in load order, the next piece read
// while the last one travels.
#include "Weights.h"
#include "Tilewright/Package/Hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilewright::runtime;
namespace fb = tilewright::package::fb;
using tilewright::package::ContentHasher;
using ull = unsigned long long;

WeightSource::~WeightSource() {
  if (mapping)
    munmap(mapping, mappedBytes);
}

static twrt_status mapFile(const char *path, const fb::Package &table, WeightSource &source,
                           twrt_error *error) {
  uint64_t needed = table.weight_data()->bytes();
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(error, TWRT_ERROR_WEIGHTS,
                "the weights are in a file of their own, and '%.500s' cannot be opened: %s", path,
                strerror(errno));
  struct stat status = {};
  bool known = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (!known || uint64_t(status.st_size) != needed) {
    close(file);
    return fail(error, TWRT_ERROR_WEIGHTS,
                "the weight file '%.500s' has %lld bytes; the package's weights have %llu", path,
                static_cast<long long>(status.st_size), ull(needed));
  }
  void *data = needed ? mmap(nullptr, needed, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  close(file);
  if (data == MAP_FAILED)
    return fail(error, TWRT_ERROR_WEIGHTS, "the weight file '%.500s' (%llu bytes) cannot be mapped: %s", path,
                ull(needed), strerror(errno));
  source.mapping = data;
  source.mappedBytes = needed;
  source.segment = static_cast<const uint8_t *>(data);
  return TWRT_OK;
}

static twrt_status verify(const fb::Package &table, const uint8_t *segment, twrt_error *error) {
  for (const fb::Weight *weight : *table.weights()) {
    ContentHasher hasher;
    hasher.add(segment + weight->offset(), weight->bytes());
    if (hasher.value() != weight->hash())
      return fail(
          error, TWRT_ERROR_WEIGHTS,
          "weight '%.200s' is not the one the package was compiled with: its %llu bytes have hash %016llx, "
          "the package says %016llx",
          weight->name()->c_str(), ull(weight->bytes()), ull(hasher.value()), ull(weight->hash()));
  }
  return TWRT_OK;
}

twrt_status tilewright::runtime::openWeights(const twrt_package &package, const twrt_session_options &options,
                                             WeightSource &source, twrt_error *error) {
  const fb::Package &table = package.table();
  source.reader = options.weight_reader;
  source.user = options.weight_user;
  if (source.reader || table.weights()->size() == 0)
    return TWRT_OK;
  if (!options.weights_path && !table.external_weights()) {
    source.segment = package.view.weightData();
    return options.verify_weights ? verify(table, source.segment, error) : TWRT_OK;
  }
  char path[4096];
  const char *chosen = options.weights_path;
  if (!chosen) {
    if (snprintf(path, sizeof path, "%s%s", package.folder, table.external_weights()->c_str()) >=
        int(sizeof path))
      return fail(error, TWRT_ERROR_WEIGHTS, "the path of the weight file is longer than %zu bytes",
                  sizeof path);
    chosen = path;
  }
  TWRT_TRY(mapFile(chosen, table, source, error));
  return verify(table, source.segment, error);
}

/// Fills `piece` with bytes [begin, end) of the segment; gaps between weights are zero. `first` is the first
/// weight that ends after `begin`, and moves on.
static twrt_status readPiece(const fb::Package &table, const WeightSource &source, uint64_t begin,
                             uint64_t end, uint32_t *first, uint8_t *piece, twrt_error *error) {
  if (source.segment) {
    memcpy(piece, source.segment + begin, end - begin);
    return TWRT_OK;
  }
  memset(piece, 0, end - begin);
  for (uint32_t i = *first; i < table.weights()->size(); ++i) {
    const fb::Weight &weight = *table.weights()->Get(i);
    uint64_t from = weight.offset() > begin ? weight.offset() : begin;
    uint64_t weightEnd = weight.offset() + weight.bytes();
    uint64_t to = weightEnd < end ? weightEnd : end;
    if (weight.offset() >= end)
      break;
    if (weightEnd <= begin)
      *first = i + 1;
    else if (source.reader(source.user, i, from - weight.offset(), piece + (from - begin), to - from) != 0)
      return fail(error, TWRT_ERROR_WEIGHTS, "the caller's source of weight '%.200s' failed",
                  weight.name()->c_str());
  }
  return TWRT_OK;
}

namespace {
/// Two page-locked buffers and the events that say when each is free again.
struct Pieces {
  static constexpr uint64_t kBytes = 8 << 20;
  Device *device;
  void *memory[2] = {};
  Event *events[2] = {};

  twrt_status allocate(uint64_t bytes, twrt_error *error) {
    for (int i = 0; i < 2; ++i) {
      TWRT_TRY(device->functions->allocateHost(device, bytes, &memory[i], error));
      TWRT_TRY(device->functions->createEvent(device, false, &events[i], error));
    }
    return TWRT_OK;
  }
  ~Pieces() {
    for (int i = 0; i < 2; ++i) {
      if (events[i])
        device->functions->destroyEvent(device, events[i]);
      if (memory[i])
        device->functions->releaseHost(device, memory[i]);
    }
  }
};
} // namespace

twrt_status tilewright::runtime::uploadWeights(Device *device, const twrt_package &package,
                                               const WeightSource &source, uint64_t address,
                                               twrt_error *error) {
  const DeviceFunctions &f = *device->functions;
  const fb::Package &table = package.table();
  uint64_t bytes = table.weight_data()->bytes();
  if (bytes == 0 || table.weights()->size() == 0)
    return TWRT_OK;
  Pieces pieces{device};
  TWRT_TRY(pieces.allocate(bytes < Pieces::kBytes ? bytes : Pieces::kBytes, error));
  uint32_t first = 0;
  twrt_status status = TWRT_OK;
  for (uint64_t begin = 0, n = 0; begin < bytes && status == TWRT_OK; begin += Pieces::kBytes, ++n) {
    uint64_t end = bytes - begin < Pieces::kBytes ? bytes : begin + Pieces::kBytes;
    if (n >= 2)
      status = f.synchronizeEvent(device, pieces.events[n % 2], error);
    if (status == TWRT_OK)
      status =
          readPiece(table, source, begin, end, &first, static_cast<uint8_t *>(pieces.memory[n % 2]), error);
    if (status == TWRT_OK)
      status = f.copyIn(device, Queue::Upload, address + begin, pieces.memory[n % 2], end - begin, error);
    if (status == TWRT_OK)
      status = f.record(device, pieces.events[n % 2], Queue::Upload, error);
  }
  // The buffers go away: nothing may still read them.
  twrt_status done = f.synchronize(device, status == TWRT_OK ? error : nullptr);
  return status == TWRT_OK ? done : status;
}
