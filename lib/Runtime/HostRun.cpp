// Running on host tensors through page-locked staging, two submissions deep: while one computes, the next
// one's inputs travel up and the last one's outputs travel down. After the first use of an entry nothing here
// allocates, and the host waits only in twrt_collect, for the outputs it hands over.
#include "Session.h"

using namespace tilewright::runtime;
namespace fb = tilewright::package::fb;

//===-- Staging -------------------------------------------------------------------------------------===//

static twrt_status makeStaging(twrt_session *s, twrt_error *error) {
  if (s->stagingReady)
    return TWRT_OK;
  const DeviceFunctions &f = s->functions();
  for (StagingSet &set : s->sets) {
    if (!set.host && s->stagingBytes) {
      void *memory = nullptr;
      TWRT_TRY(f.allocateHost(s->device, s->stagingBytes, &memory, error));
      set.host = static_cast<uint8_t *>(memory);
    }
    for (Event **event : {&set.uploaded, &set.computed, &set.downloaded})
      if (!*event)
        TWRT_TRY(f.createEvent(s->device, false, event, error));
  }
  s->stagingReady = true;
  return TWRT_OK;
}

/// The set that the next submission takes; both being under way is the caller's mistake.
static twrt_status freeSet(const twrt_session *s, unsigned *set, twrt_error *error) {
  *set = s->submissions % 2;
  if (s->sets[*set].inFlight)
    *set ^= 1;
  if (s->sets[*set].inFlight)
    return fail(error, TWRT_ERROR_ARGUMENT, "two submissions are in flight: collect ticket %u first",
                s->sets[s->submissions % 2].ticket);
  return TWRT_OK;
}

/// Calls `copy(begin, end)` for every stretch of unbound slots of [first, last) in a staging set.
template <typename Copy>
static twrt_status forEachStretch(const twrt_session *s, uint32_t entry, uint32_t first, uint32_t last,
                                  Copy copy) {
  const uint64_t *offsets = s->entries[entry].stagingOffsets;
  for (uint32_t slot = first; slot < last;) {
    if (s->bindings[slot].address) {
      ++slot;
      continue;
    }
    uint64_t begin = offsets[slot], end = begin;
    for (; slot < last && !s->bindings[slot].address; ++slot)
      end = offsets[slot] + tensorOf(s->entry(entry), slot).bytes();
    TWRT_TRY(copy(begin, end));
  }
  return TWRT_OK;
}

/// Outputs are copied down in stretches, with the gaps that alignment leaves between them: at an entry's
/// first use of a set these are written once, so that no copy reads memory that nothing has written.
static twrt_status clearGaps(twrt_session *s, uint32_t entry, unsigned set, twrt_error *error) {
  static const uint8_t kZeros[kMostGuard + kStagingAlignment] = {};
  EntryState &state = s->entries[entry];
  if (state.gapsCleared[set])
    return TWRT_OK;
  uint64_t base = stagingAddress(s, set);
  bool all = true;
  for (uint32_t slot = s->numInputs; slot + 1 < s->numSlots; ++slot) {
    uint64_t end = state.stagingOffsets[slot] + tensorOf(s->entry(entry), slot).bytes();
    uint64_t next = state.stagingOffsets[slot + 1];
    bool bound = s->bindings[slot].address || s->bindings[slot + 1].address;
    all &= !bound;
    if (end < next && !bound)
      TWRT_TRY(s->functions().copyIn(s->device, Queue::Compute, base + end, kZeros, next - end, error));
  }
  state.gapsCleared[set] = all;
  return TWRT_OK;
}

//===-- Inputs --------------------------------------------------------------------------------------===//

static const twrt_host_tensor *findTensor(const twrt_host_tensor *tensors, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; ++i)
    if (strcmp(tensors[i].name, name) == 0)
      return &tensors[i];
  return nullptr;
}

/// Every input is given or bound, none both, none twice. The names are known to be inputs.
static twrt_status checkInputs(const twrt_session *s, const fb::Entry &entry, const twrt_host_tensor *inputs,
                               uint32_t count, twrt_error *error) {
  uint32_t used = 0;
  for (uint32_t slot = 0; slot < s->numInputs; ++slot) {
    const char *name = entry.inputs()->Get(slot)->name()->c_str();
    const twrt_host_tensor *given = findTensor(inputs, count, name);
    bool bound = s->bindings[slot].address != 0;
    if (!given && !bound)
      return fail(error, TWRT_ERROR_MISSING_INPUT, "input '%.100s' is missing: give it, or bind it", name);
    if (given && bound)
      return fail(error, TWRT_ERROR_ARGUMENT, "input '%.100s' is given, but it is bound to device memory",
                  name);
    if (given && !given->data)
      return fail(error, TWRT_ERROR_ARGUMENT, "input '%.100s' has no memory", name);
    used += given != nullptr;
  }
  if (used != count)
    return fail(error, TWRT_ERROR_ARGUMENT, "%u inputs are given, some of them twice", count);
  return TWRT_OK;
}

/// Later work in `after` follows what is in `before` now.
static twrt_status follow(twrt_session *s, Queue after, Queue before, Event *event, twrt_error *error) {
  if (after == before)
    return TWRT_OK;
  TWRT_TRY(s->functions().record(s->device, event, before, error));
  return s->functions().await(s->device, after, event, error);
}

/// Queues upload, kernels and download of one submission; its inputs lie in `set.host`. With `overlap` the
/// copies go through their own queues.
static twrt_status queueRun(twrt_session *s, uint32_t entry, unsigned index, EntryGraph &graph, bool overlap,
                            twrt_error *error) {
  const DeviceFunctions &f = s->functions();
  StagingSet &set = s->sets[index];
  Queue up = overlap ? Queue::Upload : Queue::Compute, down = overlap ? Queue::Download : Queue::Compute;
  uint64_t base = stagingAddress(s, index);
  TWRT_TRY(forEachStretch(s, entry, 0, s->numInputs, [&](uint64_t begin, uint64_t end) {
    return f.copyIn(s->device, up, base + begin, set.host + begin, end - begin, error);
  }));
  TWRT_TRY(follow(s, Queue::Compute, up, set.uploaded, error));
  TWRT_TRY(f.launchGraph(s->device, graph.graph, nullptr, graph.regions.data, graph.regions.size, error));
  TWRT_TRY(follow(s, down, Queue::Compute, set.computed, error));
  TWRT_TRY(forEachStretch(s, entry, s->numInputs, s->numSlots, [&](uint64_t begin, uint64_t end) {
    return f.copyOut(s->device, down, set.host + begin, base + begin, end - begin, error);
  }));
  return f.record(s->device, set.downloaded, down, error);
}

static twrt_status submit(twrt_session *session, const twrt_host_tensor *inputs, uint32_t num_inputs,
                          bool overlap, uint32_t *ticket, twrt_error *error) {
  TWRT_TRY(session->functions().enter(session->device, error));
  uint32_t entry = 0;
  TrueDims dims = {};
  TWRT_TRY(pickEntry(session->table(), inputs, num_inputs, &entry, &dims, error));
  TWRT_TRY(checkInputs(session, session->entry(entry), inputs, num_inputs, error));
  unsigned index = 0;
  TWRT_TRY(freeSet(session, &index, error));
  TWRT_TRY(makeStaging(session, error));
  TWRT_TRY(clearGaps(session, entry, index, error)); // Not the other's: its last run may be on its way down.
  EntryGraph *graph = nullptr;
  if (!session->entries[entry]
           .graphs[index ^ 1]) // Both at an entry's first use: none is built in steady state.
    TWRT_TRY(readyGraph(session, entry, index ^ 1, dims, &graph, error));
  TWRT_TRY(readyGraph(session, entry, index, dims, &graph, error));

  StagingSet &set = session->sets[index];
  const uint64_t *offsets = session->entries[entry].stagingOffsets;
  for (uint32_t slot = 0; slot < session->numInputs; ++slot) {
    const fb::Tensor &tensor = tensorOf(session->entry(entry), slot);
    if (const twrt_host_tensor *given = findTensor(inputs, num_inputs, tensor.name()->c_str()))
      padInto(tensor, dims, given->data, set.host + offsets[slot]);
  }
  TWRT_TRY(queueRun(session, entry, index, *graph, overlap, error));
  session->current = entry;
  set.inFlight = true;
  set.entry = entry;
  set.dims = dims;
  set.ticket = ++session->submissions;
  *ticket = set.ticket;
  return TWRT_OK;
}

twrt_status twrt_submit(twrt_session *session, const twrt_host_tensor *inputs, uint32_t num_inputs,
                        uint32_t *ticket, twrt_error *error) {
  if (!session || !ticket || (num_inputs && !inputs))
    return fail(error, TWRT_ERROR_ARGUMENT,
                "twrt_submit was given no session, inputs or place for the ticket");
  return submit(session, inputs, num_inputs, true, ticket, error);
}

//===-- Outputs -------------------------------------------------------------------------------------===//

static twrt_status checkUnbound(const twrt_session *s, const fb::Entry &entry,
                                const twrt_host_tensor *outputs, uint32_t count, twrt_error *error) {
  for (uint32_t n = 0; n < count; ++n)
    if (s->bindings[findSlot(entry, outputs[n].name)].address)
      return fail(error, TWRT_ERROR_ARGUMENT,
                  "output '%.100s' is bound to device memory: it is not copied to the host", outputs[n].name);
  return TWRT_OK;
}

twrt_status twrt_collect(twrt_session *session, uint32_t ticket, const twrt_host_tensor *outputs,
                         uint32_t num_outputs, twrt_error *error) {
  if (!session || (num_outputs && !outputs))
    return fail(error, TWRT_ERROR_ARGUMENT, "twrt_collect was given no session or outputs");
  StagingSet *set = nullptr;
  for (StagingSet &candidate : session->sets)
    if (candidate.inFlight && candidate.ticket == ticket)
      set = &candidate;
  if (!set)
    return fail(error, TWRT_ERROR_ARGUMENT, "no submission with ticket %u is in flight", ticket);
  const fb::Entry &entry = session->entry(set->entry);
  TWRT_TRY(checkOutputs(entry, set->dims, outputs, num_outputs, error));
  TWRT_TRY(checkUnbound(session, entry, outputs, num_outputs, error));
  TWRT_TRY(session->functions().enter(session->device, error));
  set->inFlight = false;
  TWRT_TRY(session->functions().synchronizeEvent(session->device, set->downloaded, error));
  const uint64_t *offsets = session->entries[set->entry].stagingOffsets;
  for (uint32_t n = 0; n < num_outputs; ++n) {
    int slot = findSlot(entry, outputs[n].name);
    sliceFrom(tensorOf(entry, slot), set->dims, set->host + offsets[slot], outputs[n].data);
  }
  return TWRT_OK;
}

twrt_status twrt_run_host(twrt_session *session, const twrt_host_tensor *inputs, uint32_t num_inputs,
                          const twrt_host_tensor *outputs, uint32_t num_outputs, twrt_error *error) {
  if (!session || (num_inputs && !inputs) || (num_outputs && !outputs))
    return fail(error, TWRT_ERROR_ARGUMENT, "twrt_run_host was given no session, inputs or outputs");
  uint32_t entry = 0, ticket = 0;
  TrueDims dims = {};
  TWRT_TRY(pickEntry(session->table(), inputs, num_inputs, &entry, &dims, error));
  TWRT_TRY(checkOutputs(session->entry(entry), dims, outputs, num_outputs, error)); // Before anything runs.
  TWRT_TRY(submit(session, inputs, num_inputs, false, &ticket, error));
  return twrt_collect(session, ticket, outputs, num_outputs, error);
}

//===-- Questions -----------------------------------------------------------------------------------===//

twrt_status twrt_pick_entry(const twrt_package *package, const twrt_host_tensor *inputs, uint32_t count,
                            uint32_t *entry, twrt_error *error) {
  if (!package || !entry || (count && !inputs))
    return fail(error, TWRT_ERROR_ARGUMENT, "twrt_pick_entry was given no package, inputs or place");
  TrueDims dims = {};
  return pickEntry(package->table(), inputs, count, entry, &dims, error);
}

twrt_status twrt_output_true_shape(const twrt_package *package, uint32_t entry,
                                   const twrt_host_tensor *inputs, uint32_t count, uint32_t slot,
                                   int64_t *shape, twrt_error *error) {
  if (!package || !shape || entry >= package->table().entries()->size() ||
      slot >= package->table().entries()->Get(entry)->outputs()->size())
    return fail(error, TWRT_ERROR_ARGUMENT, "there is no entry %u with an output %u", entry, slot);
  uint32_t picked = 0;
  TrueDims dims = {};
  TWRT_TRY(pickEntry(package->table(), inputs, count, &picked, &dims, error));
  if (picked != entry)
    return fail(error, TWRT_ERROR_SHAPE, "these inputs run entry %u, not %u", picked, entry);
  const fb::Tensor &tensor = *package->table().entries()->Get(entry)->outputs()->Get(slot);
  for (uint32_t i = 0; i < tensor.shape()->size(); ++i)
    shape[i] = trueLength(tensor, i, dims);
  return TWRT_OK;
}
