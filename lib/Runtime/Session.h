// A session's state: one package on one device.
#ifndef TILEWRIGHT_LIB_RUNTIME_SESSION_H
#define TILEWRIGHT_LIB_RUNTIME_SESSION_H

#include "EntryGraph.h"

namespace tilewright::runtime {

/// Where an input or output lies when the caller has bound it; address 0: in the staging.
struct Binding {
  uint64_t address, bytes;
};

/// One of the two places for host tensors: page-locked memory, the events round its run, and what is under
/// way.
struct StagingSet {
  uint8_t *host; ///< Inputs and outputs at the entry's staging offsets.
  Event *uploaded, *computed, *downloaded;
  bool inFlight;
  uint32_t ticket, entry;
  TrueDims dims;
};

/// What a session keeps of one entry.
struct EntryState {
  uint64_t *stagingOffsets; ///< By slot, in a staging set.
  EntryGraph *graphs[2];    ///< By staging set; null until first use.
  bool gapsCleared[2];      ///< By staging set: what lies between outputs has been written.
};

constexpr uint64_t kStagingAlignment = 256;
/// Bytes between two of them that are none's, at most.
constexpr uint64_t kMostGuard = 256;
constexpr uint32_t kNoEntry = ~uint32_t(0);

} // namespace tilewright::runtime

struct twrt_session {
  const twrt_package *package;
  tilewright::runtime::Device *device;
  uint64_t memory;         ///< Arena, then two staging sets.
  uint64_t workspace;      ///< Apart from it: no entry's arena or staging may lie where another's flags are.
  uint64_t workspaceBytes; ///< The largest entry's.
  uint64_t arenaBytes;     ///< The largest entry's.
  uint64_t stagingBytes;   ///< One set's: the largest entry's.
  uint64_t weights;
  uint32_t numSlots, numInputs; ///< The same in all entries.
  tilewright::runtime::EntryState *entries;
  tilewright::runtime::Binding *bindings; ///< By slot.
  uint64_t *slotAddresses;                ///< Room for one run's.
  uint32_t current;
  int64_t setDims[tilewright::package::kMaxBucketDims]; ///< By twrt_set_true_dim; 0: the bucket's size.
  tilewright::runtime::StagingSet sets[2];
  bool stagingReady;
  uint32_t submissions;

  const tilewright::package::fb::Package &table() const { return package->table(); }
  const tilewright::package::fb::Entry &entry(uint32_t index) const { return *table().entries()->Get(index); }
  const tilewright::runtime::DeviceFunctions &functions() const { return *device->functions; }
};

namespace tilewright::runtime {

/// Builds the graph of `entry` over staging set `set` on first use, and brings it up to date with the
/// bindings and true lengths.
twrt_status readyGraph(twrt_session *session, uint32_t entry, unsigned set, const TrueDims &dims,
                       EntryGraph **graph, twrt_error *error);

/// The address of staging set `set`.
inline uint64_t stagingAddress(const twrt_session *session, unsigned set) {
  return session->memory + session->arenaBytes + set * session->stagingBytes;
}

} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_SESSION_H
