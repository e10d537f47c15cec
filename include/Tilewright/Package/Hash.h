// The content hash of the package format: XXH64 with seed 0, over a stream of pieces. It finds damage and
// names content; it is no defence against an attacker. Header only, free of the C++ library: the runtime uses
// it too. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PACKAGE_HASH_H
#define TILEWRIGHT_PACKAGE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace tilewright::package {

class ContentHasher {
public:
  void add(const void *data, size_t bytes) {
    const uint8_t *p = static_cast<const uint8_t *>(data);
    total += bytes;
    if (held) {
      size_t room = sizeof(tail) - held, take = bytes < room ? bytes : room;
      memcpy(tail + held, p, take);
      held += take, p += take, bytes -= take;
      if (held < sizeof(tail))
        return;
      stripe(tail);
      held = 0;
    }
    for (; bytes >= sizeof(tail); p += sizeof(tail), bytes -= sizeof(tail))
      stripe(p);
    if (bytes)
      memcpy(tail, p, bytes);
    held = bytes;
  }

  uint64_t value() const {
    uint64_t h = kPrime5;
    if (total >= sizeof(tail)) {
      h = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
      for (uint64_t l : lane)
        h = (h ^ round(0, l)) * kPrime1 + kPrime4;
    }
    h += total;
    const uint8_t *p = tail, *end = tail + held;
    for (; end - p >= 8; p += 8)
      h = rotate(h ^ round(0, load<uint64_t>(p)), 27) * kPrime1 + kPrime4;
    if (end - p >= 4) {
      h = rotate(h ^ load<uint32_t>(p) * kPrime1, 23) * kPrime2 + kPrime3;
      p += 4;
    }
    for (; p != end; ++p)
      h = rotate(h ^ *p * kPrime5, 11) * kPrime1;
    h = (h ^ h >> 33) * kPrime2;
    h = (h ^ h >> 29) * kPrime3;
    return h ^ h >> 32;
  }

private:
  static constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87ull, kPrime2 = 0xC2B2AE3D27D4EB4Full,
                            kPrime3 = 0x165667B19E3779F9ull, kPrime4 = 0x85EBCA77C2B2AE63ull,
                            kPrime5 = 0x27D4EB2F165667C5ull;

  static uint64_t rotate(uint64_t v, int bits) { return v << bits | v >> (64 - bits); }
  static uint64_t round(uint64_t lane, uint64_t input) {
    return rotate(lane + input * kPrime2, 31) * kPrime1;
  }
  template <typename T> static uint64_t load(const uint8_t *p) {
    T v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  void stripe(const uint8_t *p) {
    for (int i = 0; i < 4; ++i)
      lane[i] = round(lane[i], load<uint64_t>(p + 8 * i));
  }

  uint64_t lane[4] = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
  uint64_t total = 0;
  uint8_t tail[32];
  size_t held = 0;
};

} // namespace tilewright::package

#endif // TILEWRIGHT_PACKAGE_HASH_H
