// One entry's launch table with addresses filled in, and the device's graph of it. A bucket has two of these,
// one for each staging set, so that a run's copies overlap the kernels of the run before.
#ifndef TILEWRIGHT_LIB_RUNTIME_ENTRYGRAPH_H
#define TILEWRIGHT_LIB_RUNTIME_ENTRYGRAPH_H

#include "Buckets.h"
#include "Device.h"

namespace tilewright::runtime {

/// Everything that a launch's parameters depend on.
struct Addresses {
  uint64_t arena, weights, workspace;
  const uint64_t *slots; ///< Inputs, then outputs.
  TrueDims dims;
};

struct EntryGraph {
  Graph *graph;
  Array<const package::fb::Launch *> launches; ///< Those of the entry, or the variants for the device.
  Array<Node> nodes;
  Array<void *> parameters;
  Array<size_t> parameterBytes;
  Array<uint8_t> values;
  Array<uint64_t> slots; ///< The addresses that the graph holds now.
  TrueDims dims;         ///< The true lengths that it holds now.
  Array<Region> regions;
};

/// Resolves every launch of `entry`, whose weights and arena never move, and builds the device's graph. On
/// failure `graph` is null.
twrt_status buildEntryGraph(Device *device, const package::fb::Package &table,
                            const package::fb::Entry &entry, const Addresses &addresses, EntryGraph &graph,
                            twrt_error *error);

/// Updates the nodes that use a slot or true length that has changed since. Allocates nothing.
twrt_status updateEntryGraph(Device *device, const package::fb::Package &table,
                             const package::fb::Entry &entry, const Addresses &addresses, EntryGraph &graph,
                             twrt_error *error);

void destroyEntryGraph(Device *device, EntryGraph &graph);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_ENTRYGRAPH_H
