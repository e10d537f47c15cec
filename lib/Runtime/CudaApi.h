// The part of the CUDA driver API that the runtime uses, declared here so that building needs no toolkit, and
// opened at run time. Struct layouts and numbers are those of the driver API reference, CUDA 12.0 to 13.x
// (the ABI of the versioned symbols named below does not change).
#ifndef TILEWRIGHT_LIB_RUNTIME_CUDAAPI_H
#define TILEWRIGHT_LIB_RUNTIME_CUDAAPI_H

#include "Support.h"

namespace tilewright::runtime::cuda {

typedef int Result;
typedef int CuDevice;
typedef uint64_t DevicePointer;
typedef struct ContextTag *Context;
typedef struct ModuleTag *Module;
typedef struct FunctionTag *Function;
typedef struct StreamTag *Stream;
typedef struct EventTag *CuEvent;
typedef struct GraphTag *CuGraph;
typedef struct GraphNodeTag *GraphNode;
typedef struct GraphExecTag *GraphExec;

constexpr Result kOutOfMemory = 2, kNoDevice = 100;

// CUdevice_attribute
constexpr int kComputeMajor = 75, kComputeMinor = 76, kSharedBytesOptIn = 97;
// CUfunction_attribute
constexpr int kMaxDynamicSharedBytes = 8, kNonPortableClusterAllowed = 14;
// CUlaunchAttributeID
constexpr int kClusterDimension = 4;
// Flags
constexpr unsigned kStreamNonBlocking = 1, kEventDisableTiming = 2, kMemoryTypeDevice = 2;
// CUjit_option
constexpr int kJitErrorLog = 5, kJitErrorLogBytes = 6;
// CUgraphEdgeData: the port that a kernel's launch-dependents trigger opens, and the type of its edges.
constexpr unsigned char kPortProgrammatic = 1, kEdgeProgrammatic = 1;

struct KernelNodeParams { // CUDA_KERNEL_NODE_PARAMS_v2
  Function function;
  unsigned grid[3], block[3], sharedBytes;
  void **parameters;
  void **extra;
  void *kernel;
  Context context;
};
static_assert(sizeof(KernelNodeParams) == 72, "driver ABI");

struct MemsetNodeParams { // CUDA_MEMSET_NODE_PARAMS
  DevicePointer destination;
  size_t pitch;
  unsigned value, elementBytes;
  size_t width, height; // width in elements
};
static_assert(sizeof(MemsetNodeParams) == 40, "driver ABI");

struct CopySide {
  size_t xBytes, y, z, lod;
  unsigned memoryType;
  void *host;
  DevicePointer device;
  void *array, *reserved;
  size_t pitch, height;
};
struct MemcpyParams { // CUDA_MEMCPY3D_v2
  CopySide source, destination;
  size_t widthBytes, height, depth;
};
static_assert(sizeof(MemcpyParams) == 200, "driver ABI");

union LaunchAttributeValue {
  char pad[64];
  unsigned clusterDims[3];
};

struct EdgeData { // CUgraphEdgeData
  unsigned char fromPort, toPort, type, reserved[5];
};
static_assert(sizeof(EdgeData) == 8, "driver ABI");

/// Each line: the member, the symbol in libcuda, its parameters. The symbol's suffix fixes the ABI version.
#define TWRT_CUDA_FUNCTIONS(X)                                                                               \
  X(init, cuInit, (unsigned flags))                                                                          \
  X(driverVersion, cuDriverGetVersion, (int *version))                                                       \
  X(errorName, cuGetErrorName, (Result, const char **))                                                      \
  X(errorString, cuGetErrorString, (Result, const char **))                                                  \
  X(deviceCount, cuDeviceGetCount, (int *))                                                                  \
  X(deviceGet, cuDeviceGet, (CuDevice *, int ordinal))                                                       \
  X(deviceName, cuDeviceGetName, (char *, int bytes, CuDevice))                                              \
  X(deviceAttribute, cuDeviceGetAttribute, (int *, int attribute, CuDevice))                                 \
  X(contextRetain, cuDevicePrimaryCtxRetain, (Context *, CuDevice))                                          \
  X(contextRelease, cuDevicePrimaryCtxRelease_v2, (CuDevice))                                                \
  X(contextSet, cuCtxSetCurrent, (Context))                                                                  \
  X(memoryInfo, cuMemGetInfo_v2, (size_t *freeBytes, size_t *totalBytes))                                    \
  X(allocate, cuMemAlloc_v2, (DevicePointer *, size_t))                                                      \
  X(release, cuMemFree_v2, (DevicePointer))                                                                  \
  X(hostAllocate, cuMemHostAlloc, (void **, size_t, unsigned flags))                                         \
  X(hostRelease, cuMemFreeHost, (void *))                                                                    \
  X(copyIn, cuMemcpyHtoDAsync_v2, (DevicePointer, const void *, size_t, Stream))                             \
  X(copyOut, cuMemcpyDtoHAsync_v2, (void *, DevicePointer, size_t, Stream))                                  \
  X(streamCreate, cuStreamCreate, (Stream *, unsigned flags))                                                \
  X(streamDestroy, cuStreamDestroy_v2, (Stream))                                                             \
  X(streamSynchronize, cuStreamSynchronize, (Stream))                                                        \
  X(streamWaitEvent, cuStreamWaitEvent, (Stream, CuEvent, unsigned flags))                                   \
  X(eventCreate, cuEventCreate, (CuEvent *, unsigned flags))                                                 \
  X(eventDestroy, cuEventDestroy_v2, (CuEvent))                                                              \
  X(eventRecord, cuEventRecord, (CuEvent, Stream))                                                           \
  X(eventSynchronize, cuEventSynchronize, (CuEvent))                                                         \
  X(eventElapsed, cuEventElapsedTime, (float *milliseconds, CuEvent, CuEvent))                               \
  X(moduleLoad, cuModuleLoadDataEx, (Module *, const void *, unsigned, int *options, void **values))         \
  X(moduleUnload, cuModuleUnload, (Module))                                                                  \
  X(moduleFunction, cuModuleGetFunction, (Function *, Module, const char *))                                 \
  X(functionSet, cuFuncSetAttribute, (Function, int attribute, int value))                                   \
  X(graphCreate, cuGraphCreate, (CuGraph *, unsigned flags))                                                 \
  X(graphDestroy, cuGraphDestroy, (CuGraph))                                                                 \
  X(graphAddKernel, cuGraphAddKernelNode_v2,                                                                 \
    (GraphNode *, CuGraph, const GraphNode *, size_t, const KernelNodeParams *))                             \
  X(graphAddMemset, cuGraphAddMemsetNode,                                                                    \
    (GraphNode *, CuGraph, const GraphNode *, size_t, const MemsetNodeParams *, Context))                    \
  X(graphAddMemcpy, cuGraphAddMemcpyNode,                                                                    \
    (GraphNode *, CuGraph, const GraphNode *, size_t, const MemcpyParams *, Context))                        \
  X(graphNodeSetAttribute, cuGraphKernelNodeSetAttribute,                                                    \
    (GraphNode, int attribute, const LaunchAttributeValue *))                                                \
  X(graphInstantiate, cuGraphInstantiateWithFlags, (GraphExec *, CuGraph, unsigned long long flags))         \
  X(graphExecDestroy, cuGraphExecDestroy, (GraphExec))                                                       \
  X(graphUpload, cuGraphUpload, (GraphExec, Stream))                                                         \
  X(graphLaunch, cuGraphLaunch, (GraphExec, Stream))                                                         \
  X(graphExecSetKernel, cuGraphExecKernelNodeSetParams_v2, (GraphExec, GraphNode, const KernelNodeParams *)) \
  X(graphExecSetMemset, cuGraphExecMemsetNodeSetParams,                                                      \
    (GraphExec, GraphNode, const MemsetNodeParams *, Context))                                               \
  X(graphExecSetMemcpy, cuGraphExecMemcpyNodeSetParams,                                                      \
    (GraphExec, GraphNode, const MemcpyParams *, Context))                                                   \
  X(tensorMapEncode, cuTensorMapEncodeTiled,                                                                 \
    (void *map, unsigned dataType, unsigned rank, void *base, const uint64_t *dims, const uint64_t *strides, \
     const uint32_t *box, const uint32_t *elementStrides, unsigned interleave, unsigned swizzle,             \
     unsigned l2Promotion, unsigned outOfBoundsFill))

/// Needed by packages with programmatic edges alone; in drivers from 12.3 on.
#define TWRT_CUDA_OPTIONAL_FUNCTIONS(X)                                                                      \
  X(graphAddDependencies, cuGraphAddDependencies_v2,                                                         \
    (CuGraph, const GraphNode *from, const GraphNode *to, const EdgeData *, size_t))

constexpr int kOldestDriver = 12000; ///< CUDA 12.0
constexpr int kOldestDriverForProgrammatic = 12030;

struct Api {
  void *library;
#define TWRT_MEMBER(member, symbol, parameters) Result(*member) parameters;
  TWRT_CUDA_FUNCTIONS(TWRT_MEMBER)
  TWRT_CUDA_OPTIONAL_FUNCTIONS(TWRT_MEMBER)
#undef TWRT_MEMBER
};

/// Opens `library` (null: "libcuda.so.1") and resolves every function; `floor` is the package's driver floor.
twrt_status openApi(const char *library, int floor, bool programmatic, Api *api, twrt_error *error);
void closeApi(Api *api);

/// "cuMemAlloc_v2 failed: CUDA_ERROR_… (…)".
twrt_status failure(const Api &api, const char *call, Result result, twrt_error *error);

/// Calls a driver function and returns its failure from the enclosing function.
#define TWRT_CUDA(api, error, member, ...)                                                                   \
  do {                                                                                                       \
    if (::tilewright::runtime::cuda::Result twrtResult = (api).member(__VA_ARGS__))                          \
      return ::tilewright::runtime::cuda::failure(api, #member, twrtResult, error);                          \
  } while (false)

} // namespace tilewright::runtime::cuda

#endif // TILEWRIGHT_LIB_RUNTIME_CUDAAPI_H
