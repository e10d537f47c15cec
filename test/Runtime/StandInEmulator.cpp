// A stand-in for libTilewrightEmulator.so: its "module" is text, and every kernel of it adds 1 to each float
// of its first parameter and stores the sum through its second; the third is the count. A kernel named
// "fails" fails, one named "through_map" adds 100 to the first float under its tensor map. It checks that
// both ranges lie in the regions it is given.
#include "Tilewright/Emulator/tilewright_emulator.h"

#include <cstdio>
#include <cstring>
#include <string>

struct twemu_module {
  std::string text;
};

int twemu_load(const void *module, size_t bytes, const twemu_options *, twemu_module **out, char *error,
               size_t errorBytes) {
  std::string text(static_cast<const char *>(module), bytes);
  if (text.find("kernel") == std::string::npos) {
    snprintf(error, errorBytes, "the module has no kernel");
    return 1;
  }
  *out = new twemu_module{text};
  return 0;
}

static bool inRegions(const void *base, size_t bytes, bool write, const twemu_region *regions, size_t count) {
  auto begin = reinterpret_cast<uintptr_t>(base);
  for (size_t i = 0; i < count; ++i) {
    auto start = reinterpret_cast<uintptr_t>(regions[i].base);
    if (begin >= start && begin + bytes <= start + regions[i].bytes && (!write || regions[i].writable))
      return true;
  }
  return false;
}

int twemu_launch(twemu_module *, const char *kernel, const unsigned[3], const unsigned[3], unsigned,
                 void *const *args, const size_t *argBytes, size_t numArgs, const twemu_region *regions,
                 size_t numRegions, char *error, size_t errorBytes) {
  if (strcmp(kernel, "fails") == 0) {
    snprintf(error, errorBytes, "thread (3,0,0) read out of bounds");
    return 1;
  }
  if (strcmp(kernel, "through_map") == 0 && numArgs == 1 && argBytes[0] == TWEMU_TENSOR_MAP_BYTES) {
    float *first;
    memcpy(&first, args[0], sizeof first);
    *first += 100;
    return 0;
  }
  if (numArgs < 3 || argBytes[0] != 8 || argBytes[1] != 8 || argBytes[2] != 4) {
    snprintf(error, errorBytes, "the parameters of '%s' are not two pointers and a count", kernel);
    return 1;
  }
  const float *from = *static_cast<float *const *>(args[0]);
  float *to = *static_cast<float *const *>(args[1]);
  unsigned count = *static_cast<const unsigned *>(args[2]);
  if (!inRegions(from, count * 4, false, regions, numRegions) ||
      !inRegions(to, count * 4, true, regions, numRegions)) {
    snprintf(error, errorBytes, "kernel '%s' was given memory outside its regions", kernel);
    return 1;
  }
  for (unsigned i = 0; i < count; ++i)
    to[i] = from[i] + 1;
  return 0;
}

/// A map is its base and its box, which tests read.
int twemu_encode_tensor_map(void *map, unsigned, unsigned rank, void *base, const uint64_t *,
                            const uint64_t *, const uint32_t *box, const uint32_t *, unsigned interleave,
                            unsigned, unsigned, unsigned, char *error, size_t errorBytes) {
  if (interleave) {
    snprintf(error, errorBytes, "interleave %u is not emulated", interleave);
    return 1;
  }
  memset(map, 0, TWEMU_TENSOR_MAP_BYTES);
  memcpy(map, &base, sizeof base);
  memcpy(static_cast<char *>(map) + 8, box, rank * sizeof *box);
  return 0;
}

void twemu_unload(twemu_module *module) { delete module; }
