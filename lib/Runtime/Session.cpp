// Sessions: creation in the order check, load, allocate, upload; bindings; running the current entry.
#include "Session.h"
#include "Weights.h"

#include <new>

using namespace tilewright::runtime;
namespace fb = tilewright::package::fb;
using ull = unsigned long long;

//===-- Creation ------------------------------------------------------------------------------------===//

void twrt_session_options_init(twrt_session_options *options) { *options = {}; }

twrt_status twrt_device_check(const twrt_package *package, const twrt_session_options *options,
                              twrt_error *error) {
  if (!package || !options)
    return fail(error, TWRT_ERROR_ARGUMENT, "twrt_device_check was given no package or no options");
  return options->device == TWRT_DEVICE_CUDA ? checkCuda(*package, *options, error)
                                             : checkEmulator(*package, *options, error);
}

/// Places the slots of every entry in a staging set, `guard` bytes apart at least, and sizes arena and
/// staging for the largest.
static twrt_status planMemory(twrt_session *s, uint64_t guard, twrt_error *error) {
  const auto &entries = *s->table().entries();
  s->numInputs = entries.Get(0)->inputs()->size();
  s->numSlots = s->numInputs + entries.Get(0)->outputs()->size();
  s->entries = static_cast<EntryState *>(calloc(entries.size(), sizeof(EntryState)));
  s->bindings = static_cast<Binding *>(calloc(s->numSlots + 1, sizeof(Binding)));
  s->slotAddresses = static_cast<uint64_t *>(calloc(s->numSlots + 1, sizeof(uint64_t)));
  if (!s->entries || !s->bindings || !s->slotAddresses)
    return hostMemoryFailure(error, entries.size() * sizeof(EntryState) + s->numSlots * sizeof(Binding));
  for (uint32_t e = 0; e < entries.size(); ++e) {
    const fb::Entry &entry = *entries.Get(e);
    uint64_t *offsets = static_cast<uint64_t *>(calloc(s->numSlots + 1, sizeof(uint64_t)));
    s->entries[e].stagingOffsets = offsets;
    if (!offsets)
      return hostMemoryFailure(error, s->numSlots * sizeof(uint64_t));
    uint64_t end = 0;
    for (uint32_t slot = 0; slot < s->numSlots; ++slot) {
      offsets[slot] = end;
      end = alignUp(end + tensorOf(entry, slot).bytes() + guard, kStagingAlignment);
      if (end >> 60)
        return fail(error, TWRT_ERROR_OUT_OF_MEMORY,
                    "the inputs and outputs of entry '%.200s' pass 2^60 bytes", entry.name()->c_str());
    }
    s->stagingBytes = end > s->stagingBytes ? end : s->stagingBytes;
    uint64_t arena = alignUp(entry.arena_bytes(), kStagingAlignment);
    s->arenaBytes = arena > s->arenaBytes ? arena : s->arenaBytes;
    uint64_t workspace = alignUp(entry.workspace_bytes(), kStagingAlignment);
    s->workspaceBytes = workspace > s->workspaceBytes ? workspace : s->workspaceBytes;
  }
  return TWRT_OK;
}

static twrt_status checkMemory(twrt_session *s, twrt_error *error) {
  uint64_t available = 0, total = 0;
  TWRT_TRY(s->functions().memory(s->device, &available, &total, error));
  uint64_t staging = 2 * s->stagingBytes, weights = s->table().weight_data()->bytes();
  uint64_t needed = s->arenaBytes + s->workspaceBytes + staging + weights;
  if (total == 0 || needed <= available)
    return TWRT_OK;
  return fail(
      error, TWRT_ERROR_OUT_OF_MEMORY,
      "the package needs %llu bytes of device memory (arena %llu, staging %llu, weights %llu); %s has %llu "
      "free of %llu",
      ull(needed), ull(s->arenaBytes + s->workspaceBytes), ull(staging), ull(weights), s->device->description,
      ull(available), ull(total));
}

/// The workspace, all zero: flags in it are down.
static twrt_status makeWorkspace(twrt_session *s, twrt_error *error) {
  if (s->workspaceBytes == 0)
    return TWRT_OK;
  const DeviceFunctions &f = s->functions();
  TWRT_TRY(f.allocate(s->device, s->workspaceBytes, "the workspace", &s->workspace, error));
  void *zeros = nullptr;
  TWRT_TRY(f.allocateHost(s->device, s->workspaceBytes, &zeros, error));
  memset(zeros, 0, s->workspaceBytes);
  twrt_status status = f.copyIn(s->device, Queue::Upload, s->workspace, zeros, s->workspaceBytes, error);
  if (status == TWRT_OK)
    status = f.synchronize(s->device, error);
  f.releaseHost(s->device, zeros);
  return status;
}

static twrt_status fillSession(twrt_session *s, const twrt_session_options &options, twrt_error *error) {
  // What strays out of a tensor in the emulator is not to be another one's.
  TWRT_TRY(planMemory(s, options.device == TWRT_DEVICE_CUDA ? 0 : kMostGuard, error));
  WeightSource source;
  TWRT_TRY(openWeights(*s->package, options, source, error));
  TWRT_TRY(options.device == TWRT_DEVICE_CUDA ? openCuda(*s->package, options, &s->device, error)
                                              : openEmulator(*s->package, options, &s->device, error));
  const DeviceFunctions &f = s->functions();
  TWRT_TRY(f.enter(s->device, error));
  TWRT_TRY(checkMemory(s, error));
  TWRT_TRY(f.loadKernels(s->device, *s->package, error));
  if (uint64_t bytes = s->arenaBytes + 2 * s->stagingBytes)
    TWRT_TRY(f.allocate(s->device, bytes, "the arena with the staging", &s->memory, error));
  if (uint64_t bytes = s->table().weight_data()->bytes())
    TWRT_TRY(f.allocate(s->device, bytes, "the weight segment", &s->weights, error));
  TWRT_TRY(makeWorkspace(s, error));
  return uploadWeights(s->device, *s->package, source, s->weights, error);
}

twrt_status twrt_session_create(const twrt_package *package, const twrt_session_options *options,
                                twrt_session **out, twrt_error *error) {
  if (!package || !options || !out)
    return fail(error, TWRT_ERROR_ARGUMENT, "twrt_session_create was given no package, options or place");
  *out = nullptr;
  twrt_session *session = static_cast<twrt_session *>(calloc(1, sizeof(twrt_session)));
  if (!session)
    return hostMemoryFailure(error, sizeof(twrt_session));
  session->package = package;
  session->current = kNoEntry;
  twrt_status status = fillSession(session, *options, error);
  if (status != TWRT_OK)
    twrt_session_destroy(session);
  else
    *out = session;
  return status;
}

static void destroyOnDevice(twrt_session *s) {
  const DeviceFunctions &f = s->functions();
  f.enter(s->device, nullptr);
  f.synchronize(s->device, nullptr);
  for (uint32_t e = 0; s->entries && e < s->table().entries()->size(); ++e)
    for (EntryGraph *graph : s->entries[e].graphs)
      if (graph) {
        destroyEntryGraph(s->device, *graph);
        free(graph);
      }
  for (StagingSet &set : s->sets) {
    for (Event *event : {set.uploaded, set.computed, set.downloaded})
      if (event)
        f.destroyEvent(s->device, event);
    if (set.host)
      f.releaseHost(s->device, set.host);
  }
  if (s->memory)
    f.release(s->device, s->memory);
  if (s->weights)
    f.release(s->device, s->weights);
  if (s->workspace)
    f.release(s->device, s->workspace);
  f.close(s->device);
}

void twrt_session_destroy(twrt_session *session) {
  if (!session)
    return;
  if (session->device)
    destroyOnDevice(session);
  for (uint32_t e = 0; session->entries && e < session->table().entries()->size(); ++e)
    free(session->entries[e].stagingOffsets);
  free(session->entries);
  free(session->bindings);
  free(session->slotAddresses);
  free(session);
}

const char *twrt_session_device(const twrt_session *session) { return session->device->description; }

//===-- Graphs --------------------------------------------------------------------------------------===//

/// Where every slot lies for a run of `entry` over staging set `set`.
static twrt_status placeSlots(twrt_session *s, uint32_t index, unsigned set, twrt_error *error) {
  const fb::Entry &entry = s->entry(index);
  for (uint32_t slot = 0; slot < s->numSlots; ++slot) {
    const Binding &binding = s->bindings[slot];
    const fb::Tensor &tensor = tensorOf(entry, slot);
    if (binding.address && binding.bytes < tensor.bytes())
      return fail(error, TWRT_ERROR_SHAPE, "'%.100s' is bound to %llu bytes; entry '%.200s' needs %llu",
                  tensor.name()->c_str(), ull(binding.bytes), entry.name()->c_str(), ull(tensor.bytes()));
    s->slotAddresses[slot] =
        binding.address ? binding.address : stagingAddress(s, set) + s->entries[index].stagingOffsets[slot];
  }
  return TWRT_OK;
}

twrt_status tilewright::runtime::readyGraph(twrt_session *s, uint32_t index, unsigned set,
                                            const TrueDims &dims, EntryGraph **out, twrt_error *error) {
  TWRT_TRY(placeSlots(s, index, set, error));
  Addresses addresses = {s->memory, s->weights, s->workspace, s->slotAddresses, dims};
  EntryGraph *&graph = s->entries[index].graphs[set];
  *out = graph;
  if (graph)
    return updateEntryGraph(s->device, s->table(), s->entry(index), addresses, *graph, error);
  void *room = calloc(1, sizeof(EntryGraph));
  if (!room)
    return hostMemoryFailure(error, sizeof(EntryGraph));
  EntryGraph *built = new (room) EntryGraph();
  twrt_status status = buildEntryGraph(s->device, s->table(), s->entry(index), addresses, *built, error);
  if (status != TWRT_OK) {
    destroyEntryGraph(s->device, *built);
    free(built);
    return status;
  }
  *out = graph = built;
  return TWRT_OK;
}

/// The true lengths that twrt_run uses.
static twrt_status currentDims(const twrt_session *s, TrueDims *dims, twrt_error *error) {
  *dims = {};
  const auto &bucket = *s->entry(s->current).bucket();
  for (uint32_t d = 0; d < bucket.size(); ++d) {
    int64_t size = bucket.Get(d)->size();
    if (s->setDims[d] > size)
      return fail(error, TWRT_ERROR_SHAPE, "%.100s is set to %lld; the current bucket holds %lld",
                  bucket.Get(d)->name()->c_str(), static_cast<long long>(s->setDims[d]),
                  static_cast<long long>(size));
    dims->size[d] = s->setDims[d] ? s->setDims[d] : size;
  }
  return TWRT_OK;
}

static twrt_status needCurrent(const twrt_session *session, twrt_error *error) {
  if (!session)
    return fail(error, TWRT_ERROR_ARGUMENT, "no session was given");
  if (session->current == kNoEntry)
    return fail(error, TWRT_ERROR_ARGUMENT, "no entry is prepared: call twrt_prepare first");
  return session->functions().enter(session->device, error);
}

/// Readies the current entry's graph over the first staging set.
static twrt_status readyCurrent(twrt_session *session, EntryGraph **graph, twrt_error *error) {
  TWRT_TRY(needCurrent(session, error));
  TrueDims dims;
  TWRT_TRY(currentDims(session, &dims, error));
  return readyGraph(session, session->current, 0, dims, graph, error);
}

static twrt_status launch(twrt_session *s, EntryGraph &graph, void *stream, twrt_error *error) {
  return s->functions().launchGraph(s->device, graph.graph, stream, graph.regions.data, graph.regions.size,
                                    error);
}

twrt_status twrt_session_get_launch(const twrt_session *session, uint32_t entry, uint32_t launch,
                                    twrt_launch_info *info) {
  if (!session || !info || entry >= session->table().entries()->size() ||
      launch >= session->entry(entry).launches()->size())
    return TWRT_ERROR_ARGUMENT;
  fillLaunchInfo(
      *session->functions().chooseLaunch(session->device, *session->entry(entry).launches()->Get(launch)),
      info);
  return TWRT_OK;
}

//===-- Running -------------------------------------------------------------------------------------===//

twrt_status twrt_prepare(twrt_session *session, uint32_t entry, twrt_error *error) {
  if (!session || entry >= session->table().entries()->size())
    return fail(error, TWRT_ERROR_ARGUMENT, "there is no entry %u: the package has %u", entry,
                session ? session->table().entries()->size() : 0);
  uint32_t before = session->current;
  session->current = entry;
  EntryGraph *graph = nullptr;
  twrt_status status = readyCurrent(session, &graph, error);
  if (status != TWRT_OK)
    session->current = before;
  return status;
}

twrt_status twrt_bind(twrt_session *session, const char *name, void *ptr, uint64_t bytes, twrt_error *error) {
  if (!session || !name)
    return fail(error, TWRT_ERROR_ARGUMENT, "twrt_bind was given no session or name");
  const fb::Entry &entry = session->entry(session->current == kNoEntry ? 0 : session->current);
  int slot = findSlot(entry, name);
  if (slot < 0) {
    char inputs[400], outputs[400];
    Text inputText(inputs, sizeof inputs), outputText(outputs, sizeof outputs);
    listNames(*entry.inputs(), inputText);
    listNames(*entry.outputs(), outputText);
    return fail(error, TWRT_ERROR_UNKNOWN_NAME,
                "there is no input or output '%.100s'; the package's inputs are %s, its outputs %s", name,
                inputs, outputs);
  }
  if (ptr && session->current != kNoEntry && bytes < tensorOf(entry, slot).bytes())
    return fail(error, TWRT_ERROR_SHAPE, "'%.100s' is bound to %llu bytes; entry '%.200s' needs %llu", name,
                ull(bytes), entry.name()->c_str(), ull(tensorOf(entry, slot).bytes()));
  session->bindings[slot] = {reinterpret_cast<uintptr_t>(ptr), ptr ? bytes : 0};
  return TWRT_OK;
}

twrt_status twrt_set_true_dim(twrt_session *session, const char *name, int64_t size, twrt_error *error) {
  if (!session || !name || size < 0)
    return fail(error, TWRT_ERROR_ARGUMENT,
                "twrt_set_true_dim was given no session or name, or a negative length");
  const auto &bucket = *session->entry(0).bucket();
  for (uint32_t d = 0; d < bucket.size(); ++d)
    if (strcmp(bucket.Get(d)->name()->c_str(), name) == 0) {
      session->setDims[d] = size;
      return TWRT_OK;
    }
  return fail(error, TWRT_ERROR_UNKNOWN_NAME, "there is no bucket dimension '%.100s'", name);
}

twrt_status twrt_staging(twrt_session *session, const char *name, void **ptr, uint64_t *bytes,
                         twrt_error *error) {
  TWRT_TRY(needCurrent(session, error));
  const fb::Entry &entry = session->entry(session->current);
  int slot = name ? findSlot(entry, name) : -1;
  if (slot < 0)
    return fail(error, TWRT_ERROR_UNKNOWN_NAME, "there is no input or output '%.100s'",
                name ? name : "(null)");
  uint64_t offset = session->entries[session->current].stagingOffsets[slot];
  *ptr = reinterpret_cast<void *>(stagingAddress(session, 0) + offset);
  *bytes = tensorOf(entry, slot).bytes();
  return TWRT_OK;
}

twrt_status twrt_run(twrt_session *session, void *stream, twrt_error *error) {
  EntryGraph *graph = nullptr;
  TWRT_TRY(readyCurrent(session, &graph, error));
  return launch(session, *graph, stream, error);
}

twrt_status twrt_graph(twrt_session *session, void **out, twrt_error *error) {
  TWRT_TRY(needCurrent(session, error));
  if (!out)
    return fail(error, TWRT_ERROR_ARGUMENT, "twrt_graph was given no place for the graph");
  // Updates reach the executable graph alone: only a new one holds the addresses of now.
  if (EntryGraph *&old = session->entries[session->current].graphs[0]) {
    TWRT_TRY(session->functions().synchronize(session->device, error));
    destroyEntryGraph(session->device, *old);
    free(old);
    old = nullptr;
  }
  EntryGraph *graph = nullptr;
  TWRT_TRY(readyCurrent(session, &graph, error));
  *out = session->functions().nativeGraph(graph->graph);
  if (!*out)
    return fail(error, TWRT_ERROR_DEVICE, "the graph of %.200s is no CUDA graph",
                session->device->description);
  return TWRT_OK;
}

twrt_status twrt_sync(twrt_session *session, twrt_error *error) {
  if (!session)
    return fail(error, TWRT_ERROR_ARGUMENT, "no session was given");
  TWRT_TRY(session->functions().enter(session->device, error));
  return session->functions().synchronize(session->device, error);
}

//===-- Measuring -----------------------------------------------------------------------------------===//

namespace {
/// Timed events that go away with their scope.
struct EventRow {
  Device *device;
  Array<Event *> events;

  ~EventRow() {
    for (Event *event : events)
      if (event)
        device->functions->destroyEvent(device, event);
  }
  twrt_status create(uint32_t count, twrt_error *error) {
    if (!events.allocate(count))
      return hostMemoryFailure(error, count * sizeof(Event *));
    for (Event *&event : events)
      TWRT_TRY(device->functions->createEvent(device, true, &event, error));
    return TWRT_OK;
  }
};
} // namespace

/// Launches `graph` between `count` + 1 events and gives the times between neighbours.
static twrt_status timeLaunches(twrt_session *s, Graph *graph, const Array<Region> &regions, uint32_t count,
                                double *microseconds, twrt_error *error) {
  const DeviceFunctions &f = s->functions();
  EventRow row{s->device, {}};
  TWRT_TRY(row.create(count + 1, error));
  TWRT_TRY(f.record(s->device, row.events[0], Queue::Compute, error));
  for (uint32_t i = 0; i < count; ++i) {
    TWRT_TRY(f.launchGraph(s->device, graph, nullptr, regions.data, regions.size, error));
    TWRT_TRY(f.record(s->device, row.events[i + 1], Queue::Compute, error));
  }
  TWRT_TRY(f.synchronize(s->device, error));
  for (uint32_t i = 0; i < count; ++i)
    TWRT_TRY(f.elapsed(s->device, row.events[i], row.events[i + 1], &microseconds[i], error));
  return TWRT_OK;
}

twrt_status twrt_time_runs(twrt_session *session, uint32_t count, double *microseconds, twrt_error *error) {
  EntryGraph *graph = nullptr;
  TWRT_TRY(readyCurrent(session, &graph, error));
  return timeLaunches(session, graph->graph, graph->regions, count, microseconds, error);
}

twrt_status twrt_time_launch(twrt_session *session, uint32_t index, uint32_t repeats, uint32_t samples,
                             double *microseconds, twrt_error *error) {
  EntryGraph *graph = nullptr;
  TWRT_TRY(readyCurrent(session, &graph, error));
  if (index >= graph->nodes.size || repeats == 0)
    return fail(error, TWRT_ERROR_ARGUMENT, "there is no launch %u to repeat: the entry has %u", index,
                graph->nodes.size);
  Array<Node> chain;
  Array<fb::Dependency> edges;
  if (!chain.allocate(repeats) || !edges.allocate(repeats))
    return hostMemoryFailure(error, repeats * sizeof(Node));
  for (uint32_t i = 0; i < repeats; ++i) {
    chain[i] = graph->nodes[index];
    edges[i] = fb::Dependency(i ? i - 1 : 0, false);
    chain[i].dependencies = &edges[i];
    chain[i].numDependencies = i ? 1 : 0;
  }
  const DeviceFunctions &f = session->functions();
  Graph *chained = nullptr;
  TWRT_TRY(f.buildGraph(session->device, chain.data, repeats, &chained, error));
  double warm;
  twrt_status status = timeLaunches(session, chained, graph->regions, 1, &warm, error);
  if (status == TWRT_OK)
    status = timeLaunches(session, chained, graph->regions, samples, microseconds, error);
  for (uint32_t i = 0; status == TWRT_OK && i < samples; ++i)
    microseconds[i] /= repeats;
  f.destroyGraph(session->device, chained);
  return status;
}
