// Who has touched which byte of global memory in one launch. Blocks of a launch are not ordered: what one
// writes no other may read or write, unless both have gone through atomics before, which programs hand data
// over by. Blocks of one cluster count as one.
#pragma once

#include "Tilewright/Emulator/Machine.h"

#include <cstdlib>
#include <map>

namespace tilewright::emulator {

/// Clusters are counted from 1; 0 is nobody.
class GlobalShadow {
public:
  /// What a byte knows: its last writer and when that wrote (a stamp of its Ordering), and its reader or that
  /// there are several.
  struct Stamp {
    uint32_t writer, reader, when;
  };
  static constexpr uint32_t kSeveral = ~0u;
  struct Finding {
    /// Whom the access conflicts with; 0: it is fine.
    uint32_t other = 0;
    bool wrote = false;
    uint32_t byte = 0;
    explicit operator bool() const { return other; }
  };

  /// Makes stamps for the buffers that `launch` may write; none where it has one cluster or needs too many.
  void begin(const Launch &launch);
  /// The stamps of a buffer of the launch, or null.
  Stamp *stampsOf(const MemoryRegion &region) const;
  /// `thread` touches the bytes of `stamps`.
  Finding touch(Stamp *stamps, uint32_t bytes, bool isWrite, const Thread &thread);
  /// The cluster `who` does something that others can wait for.
  void synchronise(uint32_t who);

  /// A flag that is up: who raised it, where, and what it hands over.
  struct Raised {
    uint32_t by;
    int site;
    std::vector<Handover> handovers;
  };
  /// By address.
  std::map<uintptr_t, Raised> raised;
  /// Counters of tickets by address, and where one was taken.
  std::map<uintptr_t, int> counters;
  /// What arrivals at counters hand over in this launch, by address.
  std::map<uintptr_t, std::vector<Handover>> arrivals;
  /// A fault if a flag is still up at the launch's end, or a ticket taken: the next launch would find it so.
  Fault flagsLeftUp(const Launch &launch) const;

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  struct Buffer {
    uintptr_t base;
    uint64_t bytes;
    std::unique_ptr<Stamp[], Free> stamps;
  };
  std::vector<Buffer> buffers;
  /// By cluster: whether it has used an atomic or a volatile access.
  std::unique_ptr<uint8_t[], Free> synchronised;

  bool areOrdered(uint32_t a, uint32_t b) const;
};

} // namespace tilewright::emulator
