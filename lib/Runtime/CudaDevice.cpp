// The CUDA device: found and judged before anything is loaded, then its context, streams, memory and kernels.
#include "CudaDevice.h"

#include <stdio.h>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::cuda;
namespace fb = tilewright::package::fb;

//===-- What the package needs ----------------------------------------------------------------------===//

namespace {
/// What a device must offer, gathered over all launches.
struct Needs {
  uint32_t clusterBlocks = 1;
  uint32_t sharedBytes = 0;
  const char *sharedKernel = "";
};

/// What was found.
struct Found {
  CuDevice device;
  char name[128];
  int major, minor, sharedBytes, driver;
  unsigned number() const { return unsigned(major * 10 + minor); }
};
} // namespace

/// Whether code for `arch` runs on compute capability `number`. "a" is that chip alone; "f" its family,
/// upwards; a plain cubin runs on later minor versions of its major one, plain PTX on everything later.
static bool runsOn(const package::Arch &arch, bool cubin, unsigned number) {
  if (arch.suffix == 'a')
    return arch.number == number;
  bool sameMajor = arch.number / 10 == number / 10;
  return arch.number <= number && (sameMajor || (!cubin && !arch.suffix));
}

/// How well an image suits compute capability `number`; 0: it does not run there. The latest arch is best,
/// the more specific and then the cubin where they tie.
static unsigned scoreOf(const fb::Image &image, unsigned number) {
  package::Arch arch;
  bool cubin = image.kind() == fb::ImageKind::Cubin;
  if (!package::parseArch(image.arch()->c_str(), arch) || !runsOn(arch, cubin, number))
    return 0;
  return arch.number * 4 + (arch.suffix ? 2 : 0) + cubin;
}

/// The image to load, or null when none runs.
static const fb::Image *chooseImage(const fb::Kernel &kernel, unsigned number) {
  const fb::Image *best = nullptr;
  for (const fb::Image *image : *kernel.images())
    if (scoreOf(*image, number) > (best ? scoreOf(*best, number) : 0))
      best = image;
  return best;
}

/// Of a launch and its variants the one whose kernel has the best image, the first where they tie; null when
/// none runs.
static const fb::Launch *bestLaunch(const fb::Package &table, const fb::Launch &launch, unsigned number) {
  auto score = [&](const fb::Launch &candidate) {
    const fb::Image *image = chooseImage(*table.kernels()->Get(candidate.kernel()), number);
    return image ? scoreOf(*image, number) : 0;
  };
  const fb::Launch *best = score(launch) ? &launch : nullptr;
  if (launch.variants())
    for (const fb::Launch *variant : *launch.variants())
      if (score(*variant) > (best ? score(*best) : 0))
        best = variant;
  return best;
}

/// `visit(launch, chosen)` for every kernel launch of every entry, with the one of it and its variants that
/// runs on compute capability `number`, or null. Stops when `visit` returns false.
template <typename Visit>
static void forEachKernelLaunch(const fb::Package &table, unsigned number, Visit visit) {
  for (const fb::Entry *entry : *table.entries())
    for (const fb::Launch *launch : *entry->launches())
      if (launch->kind() == fb::LaunchKind::Kernel && !visit(*launch, bestLaunch(table, *launch, number)))
        return;
}

/// Whether some launch has a programmatic edge, on any device.
static bool hasProgrammaticEdges(const fb::Package &table) {
  auto any = [](const fb::Launch &launch) {
    for (const fb::Dependency *edge : *launch.dependencies())
      if (edge->programmatic())
        return true;
    return false;
  };
  bool found = false;
  for (const fb::Entry *entry : *table.entries())
    for (const fb::Launch *launch : *entry->launches()) {
      found |= any(*launch);
      if (launch->variants())
        for (const fb::Launch *variant : *launch->variants())
          found |= any(*variant);
    }
  return found;
}

static uint32_t blocksOfCluster(const fb::Launch &launch) {
  const fb::Dim3 &c = *launch.cluster();
  return c.x() * c.y() * c.z();
}

/// What the launches that run on compute capability `number` need; all of them have code for it.
static Needs needsOf(const fb::Package &table, unsigned number) {
  Needs needs;
  forEachKernelLaunch(table, number, [&](const fb::Launch &, const fb::Launch *chosen) {
    uint32_t blocks = blocksOfCluster(*chosen);
    needs.clusterBlocks = blocks > needs.clusterBlocks ? blocks : needs.clusterBlocks;
    if (chosen->shared_bytes() > needs.sharedBytes) {
      needs.sharedBytes = chosen->shared_bytes();
      needs.sharedKernel = table.kernels()->Get(chosen->kernel())->name()->c_str();
    }
    return true;
  });
  return needs;
}

/// "sm_80 (cubin), sm_90a (ptx)", or "none".
static void listArchs(const fb::Kernel &kernel, Text &text) {
  const char *separator = "";
  for (const fb::Image *image : *kernel.images()) {
    text.add("%s%s (%s)", separator, image->arch()->c_str(),
             image->kind() == fb::ImageKind::Cubin ? "cubin" : "ptx");
    separator = ", ";
  }
  if (kernel.images()->size() == 0)
    text.add("none");
}

static twrt_status findDevice(const Api &api, int ordinal, Found *found, twrt_error *error) {
  int count = 0;
  TWRT_CUDA(api, error, deviceCount, &count);
  if (ordinal < 0 || ordinal >= count)
    return fail(error, TWRT_ERROR_NO_DEVICE, "there is no CUDA device %d: the driver sees %d", ordinal,
                count);
  TWRT_CUDA(api, error, deviceGet, &found->device, ordinal);
  TWRT_CUDA(api, error, deviceName, found->name, sizeof found->name, found->device);
  TWRT_CUDA(api, error, deviceAttribute, &found->major, kComputeMajor, found->device);
  TWRT_CUDA(api, error, deviceAttribute, &found->minor, kComputeMinor, found->device);
  TWRT_CUDA(api, error, deviceAttribute, &found->sharedBytes, kSharedBytesOptIn, found->device);
  TWRT_CUDA(api, error, driverVersion, &found->driver);
  return TWRT_OK;
}

/// Every launch has a kernel with an image that runs here, and the device has the shared memory and clusters
/// that launches ask.
static twrt_status checkFits(const fb::Package &table, const Found &found, twrt_error *error) {
  const fb::Kernel *kernel = nullptr;
  forEachKernelLaunch(table, found.number(), [&](const fb::Launch &launch, const fb::Launch *chosen) {
    kernel = chosen ? nullptr : table.kernels()->Get(launch.kernel());
    return chosen != nullptr;
  });
  if (kernel) {
    char buffer[512];
    Text archs(buffer, sizeof buffer);
    listArchs(*kernel, archs);
    return fail(
        error, TWRT_ERROR_ARCH,
        "the package has no code for %s (sm_%u): kernel '%.100s' has images for %s; compile with --target "
        "naming sm_%u",
        found.name, found.number(), kernel->name()->c_str(), buffer, found.number());
  }
  Needs needs = needsOf(table, found.number());
  if (needs.clusterBlocks > 1 && found.major < 9)
    return fail(error, TWRT_ERROR_ARCH,
                "the package launches clusters of %u blocks, which need sm_90 or newer; %s is sm_%u",
                needs.clusterBlocks, found.name, found.number());
  if (needs.sharedBytes > uint32_t(found.sharedBytes))
    return fail(error, TWRT_ERROR_ARCH, "kernel '%.100s' needs %u bytes of shared memory a block; %s has %d",
                needs.sharedKernel, needs.sharedBytes, found.name, found.sharedBytes);
  return TWRT_OK;
}

/// Opens the driver and finds the device, checking everything that can be checked without a context.
static twrt_status openChecked(const twrt_package &package, const twrt_session_options &options, Api *api,
                               Found *found, twrt_error *error) {
  TWRT_TRY(openApi(options.driver_library, int(package.table().driver_floor()),
                   hasProgrammaticEdges(package.table()), api, error));
  twrt_status status = findDevice(*api, options.ordinal, found, error);
  if (status == TWRT_OK)
    status = checkFits(package.table(), *found, error);
  if (status != TWRT_OK)
    closeApi(api);
  return status;
}

twrt_status tilewright::runtime::checkCuda(const twrt_package &package, const twrt_session_options &options,
                                           twrt_error *error) {
  Api api;
  Found found = {};
  TWRT_TRY(openChecked(package, options, &api, &found, error));
  closeApi(&api);
  return TWRT_OK;
}

//===-- Kernels -------------------------------------------------------------------------------------===//

static twrt_status loadImage(CudaDevice &d, const twrt_package &package, const fb::Kernel &kernel,
                             const fb::Image &image, Module *module, twrt_error *error) {
  for (uint32_t i = 0; i < d.numImages; ++i)
    if (d.images[i].offset == image.offset()) {
      *module = d.images[i].module;
      return TWRT_OK;
    }
  // PTX needs a terminating zero, which the segment does not promise.
  char *code = static_cast<char *>(malloc(image.bytes() + 1));
  if (!code)
    return hostMemoryFailure(error, image.bytes() + 1);
  memcpy(code, package.view.imageData() + image.offset(), image.bytes());
  code[image.bytes()] = 0;
  char log[512] = {};
  int options[] = {kJitErrorLog, kJitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(uintptr_t(sizeof log))};
  Result result = d.api.moduleLoad(module, code, 2, options, values);
  free(code);
  if (result != 0) {
    twrt_error reason = {};
    twrt_status status = failure(d.api, "moduleLoad", result, &reason);
    log[sizeof log - 1] = 0;
    return fail(error, status, "kernel '%.100s' (%s %s, %llu bytes) cannot be loaded: %.300s%s%s",
                kernel.name()->c_str(), image.arch()->c_str(),
                image.kind() == fb::ImageKind::Cubin ? "cubin" : "ptx",
                static_cast<unsigned long long>(image.bytes()), reason.message, log[0] ? ": " : "", log);
  }
  d.images[d.numImages++] = {image.offset(), *module};
  return TWRT_OK;
}

/// The largest dynamic shared memory and cluster that any launch of each kernel asks are opted into.
static twrt_status optIn(CudaDevice &d, const fb::Package &table, twrt_error *error) {
  Array<uint32_t> shared, cluster;
  if (!shared.allocate(d.numKernels) || !cluster.allocate(d.numKernels))
    return hostMemoryFailure(error, d.numKernels * 8ull);
  forEachKernelLaunch(table, d.number, [&](const fb::Launch &, const fb::Launch *chosen) {
    uint32_t k = chosen->kernel(), blocks = blocksOfCluster(*chosen);
    shared[k] = chosen->shared_bytes() > shared[k] ? chosen->shared_bytes() : shared[k];
    cluster[k] = blocks > cluster[k] ? blocks : cluster[k];
    return true;
  });
  constexpr uint32_t kSharedWithoutOptIn = 48 * 1024, kPortableCluster = 8;
  for (uint32_t k = 0; k < d.numKernels; ++k) {
    if (shared[k] > kSharedWithoutOptIn)
      TWRT_CUDA(d.api, error, functionSet, d.kernels[k], kMaxDynamicSharedBytes, int(shared[k]));
    if (cluster[k] > kPortableCluster)
      TWRT_CUDA(d.api, error, functionSet, d.kernels[k], kNonPortableClusterAllowed, 1);
  }
  return TWRT_OK;
}

static twrt_status loadKernels(Device *device, const twrt_package &package, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  const fb::Package &table = package.table();
  d.numKernels = table.kernels()->size();
  d.images = static_cast<LoadedImage *>(calloc(d.numKernels + 1, sizeof(LoadedImage)));
  d.kernels = static_cast<Function *>(calloc(d.numKernels + 1, sizeof(Function)));
  if (!d.images || !d.kernels)
    return hostMemoryFailure(error, d.numKernels * sizeof(LoadedImage));
  for (uint32_t k = 0; k < d.numKernels; ++k) {
    const fb::Kernel &kernel = *table.kernels()->Get(k);
    const fb::Image *chosen = chooseImage(kernel, d.number);
    if (!chosen)
      continue; // For other chips: each launch has a variant that runs here.
    const fb::Image &image = *chosen;
    Module module = nullptr;
    TWRT_TRY(loadImage(d, package, kernel, image, &module, error));
    if (Result result = d.api.moduleFunction(&d.kernels[k], module, kernel.name()->c_str())) {
      twrt_error reason = {};
      failure(d.api, "moduleFunction", result, &reason);
      return fail(error, TWRT_ERROR_DEVICE, "the %s image has no kernel '%.200s': %.400s",
                  image.arch()->c_str(), kernel.name()->c_str(), reason.message);
    }
  }
  return optIn(d, table, error);
}

//===-- Memory, queues, events ----------------------------------------------------------------------===//

static const fb::Launch *chooseLaunch(Device *device, const fb::Launch &launch) {
  CudaDevice &d = cudaDevice(device);
  return launch.kind() == fb::LaunchKind::Kernel ? bestLaunch(*d.table, launch, d.number) : &launch;
}

static twrt_status enter(Device *device, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  TWRT_CUDA(d.api, error, contextSet, d.context);
  return TWRT_OK;
}

static twrt_status memory(Device *device, uint64_t *freeBytes, uint64_t *totalBytes, twrt_error *error) {
  size_t available = 0, total = 0;
  TWRT_CUDA(cudaDevice(device).api, error, memoryInfo, &available, &total);
  *freeBytes = available, *totalBytes = total;
  return TWRT_OK;
}

static twrt_status allocate(Device *device, uint64_t bytes, const char *what, uint64_t *address,
                            twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  Result result = d.api.allocate(address, bytes);
  if (result == kOutOfMemory) {
    uint64_t available = 0, total = 0;
    memory(device, &available, &total, nullptr);
    return fail(error, TWRT_ERROR_OUT_OF_MEMORY,
                "out of device memory: %s needs %llu bytes; %llu of %llu are free", what,
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(available),
                static_cast<unsigned long long>(total));
  }
  return result == 0 ? TWRT_OK : failure(d.api, "allocate", result, error);
}

static void release(Device *device, uint64_t address) { cudaDevice(device).api.release(address); }

static twrt_status allocateHost(Device *device, uint64_t bytes, void **memory, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  Result result = d.api.hostAllocate(memory, bytes, 0);
  if (result == kOutOfMemory)
    return fail(error, TWRT_ERROR_OUT_OF_MEMORY, "the host has no %llu bytes of page-locked memory left",
                static_cast<unsigned long long>(bytes));
  return result == 0 ? TWRT_OK : failure(d.api, "hostAllocate", result, error);
}

static void releaseHost(Device *device, void *memory) { cudaDevice(device).api.hostRelease(memory); }

static Stream streamOf(CudaDevice &d, Queue queue) { return d.streams[unsigned(queue)]; }

static twrt_status copyIn(Device *device, Queue queue, uint64_t to, const void *from, uint64_t bytes,
                          twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  TWRT_CUDA(d.api, error, copyIn, to, from, bytes, streamOf(d, queue));
  return TWRT_OK;
}

static twrt_status copyOut(Device *device, Queue queue, void *to, uint64_t from, uint64_t bytes,
                           twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  TWRT_CUDA(d.api, error, copyOut, to, from, bytes, streamOf(d, queue));
  return TWRT_OK;
}

static CuEvent handle(Event *event) { return reinterpret_cast<CuEvent>(event); }

static twrt_status createEvent(Device *device, bool timed, Event **event, twrt_error *error) {
  CuEvent created = nullptr;
  TWRT_CUDA(cudaDevice(device).api, error, eventCreate, &created, timed ? 0 : kEventDisableTiming);
  *event = reinterpret_cast<Event *>(created);
  return TWRT_OK;
}

static void destroyEvent(Device *device, Event *event) { cudaDevice(device).api.eventDestroy(handle(event)); }

static twrt_status record(Device *device, Event *event, Queue queue, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  TWRT_CUDA(d.api, error, eventRecord, handle(event), streamOf(d, queue));
  return TWRT_OK;
}

static twrt_status await(Device *device, Queue queue, Event *event, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  TWRT_CUDA(d.api, error, streamWaitEvent, streamOf(d, queue), handle(event), 0);
  return TWRT_OK;
}

static twrt_status synchronizeEvent(Device *device, Event *event, twrt_error *error) {
  TWRT_CUDA(cudaDevice(device).api, error, eventSynchronize, handle(event));
  return TWRT_OK;
}

static twrt_status elapsed(Device *device, Event *from, Event *to, double *microseconds, twrt_error *error) {
  float milliseconds = 0;
  TWRT_CUDA(cudaDevice(device).api, error, eventElapsed, &milliseconds, handle(from), handle(to));
  *microseconds = double(milliseconds) * 1000;
  return TWRT_OK;
}

static twrt_status synchronize(Device *device, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  for (Stream stream : d.streams)
    TWRT_CUDA(d.api, error, streamSynchronize, stream);
  return TWRT_OK;
}

//===-- Opening and closing -------------------------------------------------------------------------===//

static void closeCuda(Device *device) {
  CudaDevice &d = cudaDevice(device);
  if (d.context) {
    for (uint32_t i = 0; i < d.numImages; ++i)
      d.api.moduleUnload(d.images[i].module);
    for (Stream stream : d.streams)
      if (stream)
        d.api.streamDestroy(stream);
    d.api.contextRelease(d.device);
  }
  free(d.images);
  free(d.kernels);
  closeApi(&d.api);
  free(&d);
}

static const DeviceFunctions kCudaFunctions = {
    closeCuda,      enter,           loadKernels,         memory,
    allocate,       release,         allocateHost,        releaseHost,
    copyIn,         copyOut,         createEvent,         destroyEvent,
    record,         await,           synchronizeEvent,    elapsed,
    synchronize,    chooseLaunch,    cudaEncodeTensorMap, cudaBuildGraph,
    cudaUpdateNode, cudaLaunchGraph, cudaDestroyGraph,    cudaNativeGraph};

static twrt_status startCuda(CudaDevice &d, twrt_error *error) {
  TWRT_CUDA(d.api, error, contextRetain, &d.context, d.device);
  TWRT_TRY(enter(&d, error));
  for (Stream &stream : d.streams)
    TWRT_CUDA(d.api, error, streamCreate, &stream, kStreamNonBlocking);
  return TWRT_OK;
}

twrt_status tilewright::runtime::openCuda(const twrt_package &package, const twrt_session_options &options,
                                          Device **device, twrt_error *error) {
  CudaDevice *d = static_cast<CudaDevice *>(calloc(1, sizeof(CudaDevice)));
  if (!d)
    return hostMemoryFailure(error, sizeof(CudaDevice));
  Found found = {};
  twrt_status status = openChecked(package, options, &d->api, &found, error);
  if (status != TWRT_OK) {
    free(d);
    return status;
  }
  d->functions = &kCudaFunctions;
  d->device = found.device;
  d->table = &package.table();
  d->number = found.number();
  snprintf(d->description, sizeof d->description, "%s (sm_%u), driver for CUDA %d.%d", found.name,
           found.number(), found.driver / 1000, found.driver % 1000 / 10);
  status = startCuda(*d, error);
  if (status != TWRT_OK) {
    closeCuda(d);
    return status;
  }
  *device = d;
  return TWRT_OK;
}
