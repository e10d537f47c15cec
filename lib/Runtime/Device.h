// The one seam between session logic and devices: memory, three queues, and graphs of resolved launches. CUDA
// and the emulator each fill a table of functions; arena, weights, staging and buckets are written once,
// above it.
#ifndef TILEWRIGHT_LIB_RUNTIME_DEVICE_H
#define TILEWRIGHT_LIB_RUNTIME_DEVICE_H

#include "Package.h"
#include "Tilewright/Emulator/tilewright_emulator.h"

namespace tilewright::runtime {

/// Work in one queue runs in order; different queues overlap, ordered by events alone.
enum class Queue { Compute, Upload, Download };
constexpr unsigned kQueues = 3;

/// A launch with every address known: what becomes one node of a graph.
struct Node {
  package::fb::LaunchKind kind;
  uint32_t kernel;
  uint32_t grid[3], block[3], cluster[3], sharedBytes;
  void **parameters; ///< As cuLaunchKernel takes them.
  size_t *parameterBytes;
  uint32_t numParameters;
  uint64_t destination, source, bytes;
  uint32_t value, elementBytes;
  const package::fb::Dependency *dependencies;
  uint32_t numDependencies;
};

/// Global memory that a graph may touch; the emulator checks every access against these.
using Region = twemu_region;

struct Graph; ///< Of the device.
struct Event; ///< Of the device.
struct Device;

struct DeviceFunctions {
  void (*close)(Device *);
  /// Makes the device the calling thread's; every other function but close needs that.
  twrt_status (*enter)(Device *, twrt_error *);
  /// Loads the code of every kernel.
  twrt_status (*loadKernels)(Device *, const twrt_package &, twrt_error *);
  /// What is free now, and what there is; both 0 when that is not known.
  twrt_status (*memory)(Device *, uint64_t *freeBytes, uint64_t *totalBytes, twrt_error *);
  /// `what` is for the sentence. Aligned to 256 bytes.
  twrt_status (*allocate)(Device *, uint64_t bytes, const char *what, uint64_t *address, twrt_error *);
  void (*release)(Device *, uint64_t address);
  /// Host memory that copies overlap from and to.
  twrt_status (*allocateHost)(Device *, uint64_t bytes, void **memory, twrt_error *);
  void (*releaseHost)(Device *, void *memory);

  twrt_status (*copyIn)(Device *, Queue, uint64_t to, const void *from, uint64_t bytes, twrt_error *);
  twrt_status (*copyOut)(Device *, Queue, void *to, uint64_t from, uint64_t bytes, twrt_error *);

  twrt_status (*createEvent)(Device *, bool timed, Event **, twrt_error *);
  void (*destroyEvent)(Device *, Event *);
  twrt_status (*record)(Device *, Event *, Queue, twrt_error *);
  /// Later work in the queue waits for the event.
  twrt_status (*await)(Device *, Queue, Event *, twrt_error *);
  /// The host waits for the event.
  twrt_status (*synchronizeEvent)(Device *, Event *, twrt_error *);
  twrt_status (*elapsed)(Device *, Event *from, Event *to, double *microseconds, twrt_error *);
  /// The host waits for all queues.
  twrt_status (*synchronize)(Device *, twrt_error *);

  /// Which of a launch and its variants runs on this device.
  const package::fb::Launch *(*chooseLaunch)(Device *, const package::fb::Launch &);
  /// Writes the 128 bytes of a tensor map whose base lies at `address`.
  twrt_status (*encodeTensorMap)(Device *, const package::fb::TensorMap &, uint64_t address, void *map,
                                 twrt_error *);
  /// Dependencies of nodes are indices into `nodes`.
  twrt_status (*buildGraph)(Device *, const Node *nodes, uint32_t count, Graph **, twrt_error *);
  /// Gives node `index` of a built graph new parameters or addresses; shape and edges stay. Allocates
  /// nothing.
  twrt_status (*updateNode)(Device *, Graph *, uint32_t index, const Node &, twrt_error *);
  /// In `stream`, or in the compute queue when it is null.
  twrt_status (*launchGraph)(Device *, Graph *, void *stream, const Region *, uint32_t numRegions,
                             twrt_error *);
  void (*destroyGraph)(Device *, Graph *);
  /// The driver's handle of the graph as it was built; null on a device that has none.
  void *(*nativeGraph)(Graph *);
};

/// The start of every device's own struct.
struct Device {
  const DeviceFunctions *functions;
  char description[256];
};

/// Checks that the package can run on the CUDA device the options name, without making a context.
twrt_status checkCuda(const twrt_package &package, const twrt_session_options &options, twrt_error *error);
twrt_status openCuda(const twrt_package &package, const twrt_session_options &options, Device **device,
                     twrt_error *error);
/// The same for the emulator: its library is found and the package has an emulation segment.
twrt_status checkEmulator(const twrt_package &package, const twrt_session_options &options,
                          twrt_error *error);
twrt_status openEmulator(const twrt_package &package, const twrt_session_options &options, Device **device,
                         twrt_error *error);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_DEVICE_H
