// The stand-in's side of the driver API. Declarations are its own, not the runtime's: a wrong struct layout
// there shows here.
#include "StandIn.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

using namespace standin;

/// The errors that a test plants in a tool which it starts: TILEWRIGHT_STANDIN_FAILS=cuGraphLaunch=700.
static Driver withPlantedErrors() {
  Driver planted;
  std::istringstream errors(getenv("TILEWRIGHT_STANDIN_FAILS") ? getenv("TILEWRIGHT_STANDIN_FAILS") : "");
  for (std::string one; std::getline(errors, one, ',');)
    if (size_t at = one.find('='); at != std::string::npos)
      planted.planted[one.substr(0, at)] = atoi(one.c_str() + at + 1);
  return planted;
}

static Driver driver = withPlantedErrors();

extern "C" Driver *standInDriver() { return &driver; }

/// Counts the call and returns from it when an error is planted.
#define CALL()                                                                                               \
  ++driver.calls[__func__];                                                                                  \
  if (auto planted = driver.planted.find(__func__); planted != driver.planted.end())                         \
  return planted->second

//===-- Handles -------------------------------------------------------------------------------------===//

namespace {
struct Module {
  std::map<std::string, std::vector<size_t>> kernels;
};
struct Function {
  std::string name;
  std::vector<size_t> parameterBytes;
};
struct Stream {
  int number;
};
struct Event {
  int number;
};
/// A node handle is its graph's address and its index, so that nodes stay valid when others are added.
struct NodeHandle {
  Graph *graph;
  size_t index;
};
struct KernelParams {
  Function *function;
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedMemBytes;
  void **kernelParams, **extra;
  void *kern, *ctx;
};
struct MemsetParams {
  uint64_t dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
struct MemcpyParams {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  uint64_t srcDevice;
  void *srcArray, *reserved0;
  size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  uint64_t dstDevice;
  void *dstArray, *reserved1;
  size_t dstPitch, dstHeight, widthInBytes, height, depth;
};
struct EdgeData {
  unsigned char fromPort, toPort, type, reserved[5];
};
} // namespace

static int streams, events;

static std::string streamName(Stream *stream) { return "s" + std::to_string(stream->number); }

//===-- Driver, device, context ---------------------------------------------------------------------===//

extern "C" {

int cuInit(unsigned) {
  CALL();
  streams = events = 0;
  return driver.devices ? 0 : 100;
}
int cuDriverGetVersion(int *version) {
  CALL();
  *version = driver.version;
  return 0;
}
int cuGetErrorName(int error, const char **name) {
  *name = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 100 ? "CUDA_ERROR_NO_DEVICE"
                         : "CUDA_ERROR_PLANTED";
  return 0;
}
int cuGetErrorString(int, const char **text) {
  *text = "planted by the test";
  return 0;
}
int cuDeviceGetCount(int *count) {
  CALL();
  *count = driver.devices;
  return 0;
}
int cuDeviceGet(int *device, int ordinal) {
  CALL();
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char *name, int bytes, int) {
  CALL();
  strncpy(name, "Stand-in GPU", bytes);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  CALL();
  *value = attribute == 75   ? driver.major
           : attribute == 76 ? driver.minor
           : attribute == 97 ? driver.sharedBytes
                             : -1;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  CALL();
  ++driver.live;
  *context = &driver;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  CALL();
  --driver.live;
  return 0;
}
int cuCtxSetCurrent(void *context) {
  CALL();
  return context == &driver ? 0 : 201;
}

//===-- Memory --------------------------------------------------------------------------------------===//

int cuMemGetInfo_v2(size_t *available, size_t *total) {
  CALL();
  *available = driver.freeBytes;
  *total = driver.totalBytes;
  return 0;
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  CALL();
  void *memory = nullptr;
  if (posix_memalign(&memory, 512, bytes) != 0)
    return 2;
  memset(memory, 0xcd, bytes);
  *address = reinterpret_cast<uint64_t>(memory);
  driver.memory[*address] = bytes;
  ++driver.live;
  return 0;
}
int cuMemFree_v2(uint64_t address) {
  CALL();
  if (driver.memory.erase(address) == 0)
    return 1;
  free(reinterpret_cast<void *>(address));
  --driver.live;
  return 0;
}
int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  CALL();
  *memory = malloc(bytes);
  ++driver.live;
  return 0;
}
int cuMemFreeHost(void *memory) {
  CALL();
  free(memory);
  --driver.live;
  return 0;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, Stream *stream) {
  CALL();
  memcpy(reinterpret_cast<void *>(to), from, bytes);
  driver.log.push_back("copyIn " + streamName(stream) + " " + std::to_string(bytes));
  return 0;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, Stream *stream) {
  CALL();
  memcpy(to, reinterpret_cast<void *>(from), bytes);
  driver.log.push_back("copyOut " + streamName(stream) + " " + std::to_string(bytes));
  return 0;
}

//===-- Streams and events --------------------------------------------------------------------------===//

int cuStreamCreate(Stream **stream, unsigned flags) {
  CALL();
  if (flags != 1)
    return 1;
  *stream = new Stream{streams++};
  ++driver.live;
  return 0;
}
int cuStreamDestroy_v2(Stream *stream) {
  CALL();
  delete stream;
  --driver.live;
  return 0;
}
int cuStreamSynchronize(Stream *) {
  CALL();
  return 0;
}
int cuStreamWaitEvent(Stream *stream, Event *event, unsigned) {
  CALL();
  driver.log.push_back("wait " + streamName(stream) + " e" + std::to_string(event->number));
  return 0;
}
int cuEventCreate(Event **event, unsigned) {
  CALL();
  *event = new Event{events++};
  ++driver.live;
  return 0;
}
int cuEventDestroy_v2(Event *event) {
  CALL();
  delete event;
  --driver.live;
  return 0;
}
int cuEventRecord(Event *event, Stream *stream) {
  CALL();
  driver.log.push_back("record " + streamName(stream) + " e" + std::to_string(event->number));
  return 0;
}
int cuEventSynchronize(Event *) {
  CALL();
  return 0;
}
int cuEventElapsedTime(float *milliseconds, Event *, Event *) {
  CALL();
  *milliseconds = 0.25f;
  return 0;
}

//===-- Modules -------------------------------------------------------------------------------------===//

int cuModuleLoadDataEx(Module **module, const void *image, unsigned count, int *options, void **values) {
  ++driver.calls[__func__];
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      strncpy(static_cast<char *>(values[i]), driver.jitLog.c_str(), 400);
  if (auto planted = driver.planted.find(__func__); planted != driver.planted.end())
    return planted->second;
  driver.loaded.push_back(static_cast<const char *>(image));
  *module = new Module;
  std::istringstream lines(static_cast<const char *>(image));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (size_t bytes; words >> bytes;)
      (*module)->kernels[name].push_back(bytes);
  }
  ++driver.live;
  return 0;
}
int cuModuleUnload(Module *module) {
  CALL();
  delete module;
  --driver.live;
  return 0;
}
int cuModuleGetFunction(Function **function, Module *module, const char *name) {
  CALL();
  auto it = module->kernels.find(name);
  if (it == module->kernels.end())
    return 500;
  static std::vector<std::unique_ptr<Function>> all; // The driver's functions live as long as it does.
  *function = all.emplace_back(new Function{name, it->second}).get();
  return 0;
}
int cuFuncSetAttribute(Function *function, int attribute, int value) {
  CALL();
  driver.attributes[function->name + "." + std::to_string(attribute)] = value;
  return 0;
}

//===-- Graphs --------------------------------------------------------------------------------------===//

static void setKernel(Node &node, const KernelParams &p) {
  node.kind = "kernel";
  node.function = p.function->name;
  const unsigned grid[] = {p.gridX, p.gridY, p.gridZ}, block[] = {p.blockX, p.blockY, p.blockZ};
  memcpy(node.grid, grid, sizeof grid);
  memcpy(node.block, block, sizeof block);
  node.sharedBytes = p.sharedMemBytes;
  node.parameters.clear();
  for (size_t i = 0; i < p.function->parameterBytes.size(); ++i)
    node.parameters.emplace_back(static_cast<const char *>(p.kernelParams[i]), p.function->parameterBytes[i]);
}
static void setMemset(Node &node, const MemsetParams &p) {
  node.kind = "memset";
  node.destination = p.dst;
  node.bytes = p.width * p.elementSize * p.height;
  node.value = p.value;
  node.elementBytes = p.elementSize;
}
static void setMemcpy(Node &node, const MemcpyParams &p) {
  node.kind = p.srcMemoryType == 2 && p.dstMemoryType == 2 ? "memcpy" : "memcpy of the wrong type";
  node.destination = p.dstDevice;
  node.source = p.srcDevice;
  node.bytes = p.widthInBytes * p.height * p.depth;
}
static Node &add(NodeHandle **handle, Graph *graph, NodeHandle *const *before, size_t count) {
  static std::vector<std::unique_ptr<NodeHandle>> all;
  *handle = all.emplace_back(new NodeHandle{graph, graph->nodes.size()}).get();
  Node &node = graph->nodes.emplace_back();
  for (size_t i = 0; i < count; ++i)
    node.dependencies[before[i]->index] = false;
  return node;
}

int cuGraphCreate(Graph **graph, unsigned) {
  CALL();
  *graph = new Graph;
  ++driver.live;
  return 0;
}
int cuGraphDestroy(Graph *graph) {
  CALL();
  delete graph;
  --driver.live;
  return 0;
}
int cuGraphAddKernelNode_v2(NodeHandle **handle, Graph *graph, NodeHandle *const *before, size_t count,
                            const KernelParams *params) {
  CALL();
  setKernel(add(handle, graph, before, count), *params);
  return 0;
}
int cuGraphAddMemsetNode(NodeHandle **handle, Graph *graph, NodeHandle *const *before, size_t count,
                         const MemsetParams *params, void *) {
  CALL();
  setMemset(add(handle, graph, before, count), *params);
  return 0;
}
int cuGraphAddMemcpyNode(NodeHandle **handle, Graph *graph, NodeHandle *const *before, size_t count,
                         const MemcpyParams *params, void *) {
  CALL();
  setMemcpy(add(handle, graph, before, count), *params);
  return 0;
}
int cuGraphAddDependencies_v2(Graph *graph, NodeHandle *const *from, NodeHandle *const *to,
                              const EdgeData *edges, size_t count) {
  CALL();
  for (size_t i = 0; i < count; ++i) {
    if (edges[i].fromPort != 1 || edges[i].toPort != 0 || edges[i].type != 1)
      return 1;
    graph->nodes[to[i]->index].dependencies[from[i]->index] = true;
  }
  return 0;
}
int cuGraphKernelNodeSetAttribute(NodeHandle *node, int attribute, const unsigned *value) {
  CALL();
  if (attribute != 4)
    return 1;
  memcpy(node->graph->nodes[node->index].cluster, value, 12);
  return 0;
}
int cuGraphInstantiateWithFlags(Graph **executable, Graph *graph, unsigned long long) {
  CALL();
  *executable = driver.executables.emplace_back(new Graph(*graph)).get();
  ++driver.live;
  return 0;
}
int cuGraphExecDestroy(Graph *) {
  CALL();
  --driver.live;
  return 0;
}
int cuGraphUpload(Graph *, Stream *) {
  CALL();
  return 0;
}
int cuGraphLaunch(Graph *graph, Stream *stream) {
  CALL();
  driver.log.push_back("launch " + streamName(stream));
  for (const Node &node : graph->nodes) {
    uint8_t *to = reinterpret_cast<uint8_t *>(node.destination);
    if (node.kind == "memcpy")
      memmove(to, reinterpret_cast<void *>(node.source), node.bytes);
    if (node.kind == "memset")
      for (uint64_t i = 0; i < node.bytes; i += node.elementBytes)
        memcpy(to + i, &node.value, node.elementBytes);
  }
  return 0;
}
int cuGraphExecKernelNodeSetParams_v2(Graph *executable, NodeHandle *node, const KernelParams *params) {
  CALL();
  setKernel(executable->nodes[node->index], *params);
  return 0;
}
int cuGraphExecMemsetNodeSetParams(Graph *executable, NodeHandle *node, const MemsetParams *params, void *) {
  CALL();
  setMemset(executable->nodes[node->index], *params);
  return 0;
}
int cuGraphExecMemcpyNodeSetParams(Graph *executable, NodeHandle *node, const MemcpyParams *params, void *) {
  CALL();
  setMemcpy(executable->nodes[node->index], *params);
  return 0;
}
int cuTensorMapEncodeTiled(void *map, unsigned dataType, unsigned rank, void *base, const uint64_t *dims,
                           const uint64_t *, const uint32_t *, const uint32_t *, unsigned, unsigned swizzle,
                           unsigned, unsigned) {
  CALL();
  if (reinterpret_cast<uintptr_t>(map) % 64 != 0)
    return 1;
  memset(map, 0, 128);
  const uint64_t words[] = {reinterpret_cast<uint64_t>(base), dataType, rank, dims[0], swizzle};
  memcpy(map, words, sizeof words);
  return 0;
}

} // extern "C"
