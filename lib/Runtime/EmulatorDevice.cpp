// The emulator as a device: memory is the host's, queues are in step, and a graph is its launches in order,
// each run to its end by libTilewrightEmulator.so.
#include "Device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

using namespace tilewright::runtime;
namespace fb = tilewright::package::fb;

//===-- The library ---------------------------------------------------------------------------------===//

namespace {
struct Library {
  void *handle;
  decltype(&twemu_load) load;
  decltype(&twemu_launch) launch;
  decltype(&twemu_unload) unload;
  decltype(&twemu_encode_tensor_map) encodeTensorMap;
};

struct EmulatorDevice : Device {
  Library library;
  twemu_module *module;
  twemu_options options;
  const char **kernels; ///< Names, by kernel index.
};

struct EmulatorGraph {
  Node *nodes;
  uint32_t count;
};
} // namespace

static EmulatorDevice &emulator(Device *device) { return *static_cast<EmulatorDevice *>(device); }

/// The running program's folder with its last slash, or "".
static void ownFolder(char *folder, size_t capacity) {
  ssize_t length = readlink("/proc/self/exe", folder, capacity - 1);
  folder[length > 0 ? length : 0] = 0;
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[1] = 0;
}

/// Opens the library where it should be: `path` alone, or the program itself where it holds the emulator, or
/// beside the program, in ../lib, or by its name.
static twrt_status openLibrary(const char *path, Library *library, twrt_error *error) {
  static const char kName[] = "libTilewrightEmulator.so";
  *library = {};
  char reasons[700];
  Text tried(reasons, sizeof reasons);
  auto attempt = [&](const char *candidate) {
    library->handle = dlopen(candidate, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library->handle)
      tried.add("%s%s", tried.length ? "; " : "", dlerror());
  };
  if (path) {
    attempt(path);
  } else if (dlsym(RTLD_DEFAULT, "twemu_load")) {
    attempt(nullptr);
  } else {
    char folder[400], candidate[512];
    ownFolder(folder, sizeof folder);
    for (const char *place : {"", "../lib/"}) {
      snprintf(candidate, sizeof candidate, "%s%s%s", folder, place, kName);
      if (!library->handle)
        attempt(candidate);
    }
    if (!library->handle)
      attempt(kName);
  }
  if (!library->handle)
    return fail(error, TWRT_ERROR_NO_EMULATION, "the emulator's library cannot be opened: %s", reasons);
  library->load = reinterpret_cast<decltype(&twemu_load)>(dlsym(library->handle, "twemu_load"));
  library->launch = reinterpret_cast<decltype(&twemu_launch)>(dlsym(library->handle, "twemu_launch"));
  library->unload = reinterpret_cast<decltype(&twemu_unload)>(dlsym(library->handle, "twemu_unload"));
  library->encodeTensorMap =
      reinterpret_cast<decltype(&twemu_encode_tensor_map)>(dlsym(library->handle, "twemu_encode_tensor_map"));
  if (library->load && library->launch && library->unload && library->encodeTensorMap)
    return TWRT_OK;
  dlclose(library->handle);
  *library = {};
  return fail(error, TWRT_ERROR_NO_EMULATION, "%s is no emulator library: it lacks a twemu_ function",
              path ? path : kName);
}

static twrt_status checkSegment(const twrt_package &package, twrt_error *error) {
  if (package.table().emulation()->bytes() == 0)
    return fail(error, TWRT_ERROR_NO_EMULATION,
                "the package has no emulation segment: it was compiled with --emulation=off, or stripped");
  return TWRT_OK;
}

twrt_status tilewright::runtime::checkEmulator(const twrt_package &package,
                                               const twrt_session_options &options, twrt_error *error) {
  TWRT_TRY(checkSegment(package, error));
  Library library;
  TWRT_TRY(openLibrary(options.emulator_library, &library, error));
  dlclose(library.handle);
  return TWRT_OK;
}

//===-- Memory, queues, events ----------------------------------------------------------------------===//

static twrt_status loadKernels(Device *device, const twrt_package &package, twrt_error *error) {
  EmulatorDevice &d = emulator(device);
  const auto &kernels = *package.table().kernels();
  d.kernels = static_cast<const char **>(calloc(kernels.size() + 1, sizeof(char *)));
  if (!d.kernels)
    return hostMemoryFailure(error, kernels.size() * sizeof(char *));
  for (uint32_t k = 0; k < kernels.size(); ++k)
    d.kernels[k] = kernels.Get(k)->name()->c_str();
  // A program of copies and fills alone.
  if (kernels.size() == 0)
    return TWRT_OK;
  char message[900] = {};
  if (d.library.load(package.view.emulationData(), package.table().emulation()->bytes(), &d.options,
                     &d.module, message, sizeof message) != 0)
    return fail(error, TWRT_ERROR_DEVICE, "the emulator cannot load the package's kernels: %s", message);
  return TWRT_OK;
}

static twrt_status enter(Device *, twrt_error *) { return TWRT_OK; }

static twrt_status memory(Device *, uint64_t *freeBytes, uint64_t *totalBytes, twrt_error *) {
  *freeBytes = *totalBytes = 0;
  return TWRT_OK;
}

/// Bytes on both sides of a buffer that belong to none: an access that strays less far is out of bounds, and
/// of this buffer, wherever the host puts the next one.
static constexpr uint64_t kGuardBytes = 64 << 10;

/// All ones is a NaN in every float type: what is read before it is written shows.
static twrt_status allocate(Device *, uint64_t bytes, const char *what, uint64_t *address,
                            twrt_error *error) {
  void *memory = nullptr;
  if (bytes > UINT64_MAX - 2 * kGuardBytes || posix_memalign(&memory, 4096, bytes + 2 * kGuardBytes) != 0)
    return fail(error, TWRT_ERROR_OUT_OF_MEMORY, "the host has no %llu bytes left for %s",
                static_cast<unsigned long long>(bytes), what);
  *address = reinterpret_cast<uintptr_t>(memory) + kGuardBytes;
  memset(reinterpret_cast<void *>(*address), 0xff, bytes);
  return TWRT_OK;
}

static void release(Device *, uint64_t address) {
  if (address)
    free(reinterpret_cast<void *>(address - kGuardBytes));
}

static twrt_status allocateHost(Device *, uint64_t bytes, void **memory, twrt_error *error) {
  *memory = malloc(bytes);
  return *memory ? TWRT_OK : hostMemoryFailure(error, bytes);
}

static void releaseHost(Device *, void *memory) { free(memory); }

static twrt_status copyIn(Device *, Queue, uint64_t to, const void *from, uint64_t bytes, twrt_error *) {
  memcpy(reinterpret_cast<void *>(to), from, bytes);
  return TWRT_OK;
}

static twrt_status copyOut(Device *, Queue, void *to, uint64_t from, uint64_t bytes, twrt_error *) {
  memcpy(to, reinterpret_cast<void *>(from), bytes);
  return TWRT_OK;
}

static timespec *timeOf(Event *event) { return reinterpret_cast<timespec *>(event); }

static twrt_status createEvent(Device *, bool, Event **event, twrt_error *error) {
  *event = static_cast<Event *>(calloc(1, sizeof(timespec)));
  return *event ? TWRT_OK : hostMemoryFailure(error, sizeof(timespec));
}

static void destroyEvent(Device *, Event *event) { free(event); }

static twrt_status record(Device *, Event *event, Queue, twrt_error *) {
  clock_gettime(CLOCK_MONOTONIC, timeOf(event));
  return TWRT_OK;
}

static twrt_status await(Device *, Queue, Event *, twrt_error *) { return TWRT_OK; }
static twrt_status synchronizeEvent(Device *, Event *, twrt_error *) { return TWRT_OK; }
static twrt_status synchronize(Device *, twrt_error *) { return TWRT_OK; }

static twrt_status elapsed(Device *, Event *from, Event *to, double *microseconds, twrt_error *) {
  *microseconds = double(timeOf(to)->tv_sec - timeOf(from)->tv_sec) * 1e6 +
                  double(timeOf(to)->tv_nsec - timeOf(from)->tv_nsec) * 1e-3;
  return TWRT_OK;
}

//===-- Graphs --------------------------------------------------------------------------------------===//

static EmulatorGraph &emulatorGraph(Graph *graph) { return *reinterpret_cast<EmulatorGraph *>(graph); }

/// There is no driver whose graph this could be.
static void *nativeGraph(Graph *) { return nullptr; }

static void destroyGraph(Device *, Graph *graph) {
  free(emulatorGraph(graph).nodes);
  free(graph);
}

static twrt_status buildGraph(Device *device, const Node *nodes, uint32_t count, Graph **out,
                              twrt_error *error) {
  EmulatorGraph *graph = static_cast<EmulatorGraph *>(calloc(1, sizeof(EmulatorGraph)));
  if (graph)
    graph->nodes = static_cast<Node *>(calloc(count + 1, sizeof(Node)));
  *out = reinterpret_cast<Graph *>(graph);
  if (!graph || !graph->nodes) {
    if (graph)
      destroyGraph(device, *out);
    return hostMemoryFailure(error, count * sizeof(Node));
  }
  memcpy(graph->nodes, nodes, count * sizeof(Node));
  graph->count = count;
  return TWRT_OK;
}

static twrt_status updateNode(Device *, Graph *graph, uint32_t index, const Node &node, twrt_error *) {
  emulatorGraph(graph).nodes[index] = node;
  return TWRT_OK;
}

static void runMemset(const Node &node) {
  uint8_t *to = reinterpret_cast<uint8_t *>(node.destination);
  for (uint64_t i = 0; i < node.bytes; i += node.elementBytes)
    memcpy(to + i, &node.value, node.elementBytes); // Little endian: the low bytes are the element.
}

static twrt_status launchGraph(Device *device, Graph *opaque, void *stream, const Region *regions,
                               uint32_t numRegions, twrt_error *error) {
  EmulatorDevice &d = emulator(device);
  EmulatorGraph &graph = emulatorGraph(opaque);
  if (stream)
    return fail(error, TWRT_ERROR_ARGUMENT, "the emulator has no streams: twrt_run takes NULL there");
  for (uint32_t i = 0; i < graph.count; ++i) {
    const Node &node = graph.nodes[i];
    if (node.kind == fb::LaunchKind::Memset) {
      runMemset(node);
    } else if (node.kind == fb::LaunchKind::Memcpy) {
      memmove(reinterpret_cast<void *>(node.destination), reinterpret_cast<void *>(node.source), node.bytes);
    } else {
      char message[900] = {};
      if (d.library.launch(d.module, d.kernels[node.kernel], node.grid, node.block, node.sharedBytes,
                           node.parameters, node.parameterBytes, node.numParameters, regions, numRegions,
                           message, sizeof message) != 0)
        return fail(error, TWRT_ERROR_DEVICE, "kernel '%.100s' (launch %u) failed in the emulator: %s",
                    d.kernels[node.kernel], i, message);
    }
  }
  return TWRT_OK;
}

/// The first target's code; variants for other chips are not emulated.
static const fb::Launch *chooseLaunch(Device *, const fb::Launch &launch) { return &launch; }

static twrt_status encodeTensorMap(Device *device, const fb::TensorMap &map, uint64_t address, void *out,
                                   twrt_error *error) {
  char message[900] = {};
  if (emulator(device).library.encodeTensorMap(
          out, map.data_type(), map.rank(), reinterpret_cast<void *>(address), map.dims()->data(),
          map.strides()->data(), map.box()->data(), map.element_strides()->data(), map.interleave(),
          map.swizzle(), map.l2_promotion(), map.out_of_bounds_fill(), message, sizeof message) != 0)
    return fail(error, TWRT_ERROR_DEVICE, "the emulator cannot encode a tensor map: %s", message);
  return TWRT_OK;
}

//===-- Opening and closing -------------------------------------------------------------------------===//

static void closeEmulator(Device *device) {
  EmulatorDevice &d = emulator(device);
  if (d.module)
    d.library.unload(d.module);
  if (d.library.handle)
    dlclose(d.library.handle);
  free(d.kernels);
  free(&d);
}

static const DeviceFunctions kEmulatorFunctions = {
    closeEmulator,   enter,       loadKernels,      memory,      allocate,     release,
    allocateHost,    releaseHost, copyIn,           copyOut,     createEvent,  destroyEvent,
    record,          await,       synchronizeEvent, elapsed,     synchronize,  chooseLaunch,
    encodeTensorMap, buildGraph,  updateNode,       launchGraph, destroyGraph, nativeGraph};

twrt_status tilewright::runtime::openEmulator(const twrt_package &package,
                                              const twrt_session_options &options, Device **device,
                                              twrt_error *error) {
  TWRT_TRY(checkSegment(package, error));
  EmulatorDevice *d = static_cast<EmulatorDevice *>(calloc(1, sizeof(EmulatorDevice)));
  if (!d)
    return hostMemoryFailure(error, sizeof(EmulatorDevice));
  d->functions = &kEmulatorFunctions;
  d->options = {options.emulator_seed, options.emulator_early, options.emulator_threads,
                !options.emulator_unchecked};
  snprintf(d->description, sizeof d->description, "emulator on this machine's CPU (seed %u, %s completion%s)",
           options.emulator_seed, options.emulator_early ? "early" : "late",
           options.emulator_unchecked ? ", detectors off" : "");
  twrt_status status = openLibrary(options.emulator_library, &d->library, error);
  if (status != TWRT_OK) {
    closeEmulator(d);
    return status;
  }
  *device = d;
  return TWRT_OK;
}
