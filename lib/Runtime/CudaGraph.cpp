// A launch table as a CUDA graph, built node by node: kernels with cluster size, memsets, copies, plain
// edges, and programmatic edges as port data. Updates go to the executable graph alone and allocate nothing.
#include "CudaDevice.h"

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::cuda;
namespace fb = tilewright::package::fb;

namespace {
/// A graph, its executable form, and its nodes by launch index.
struct CudaGraph {
  CuGraph graph;
  GraphExec executable;
  GraphNode *nodes;
};
} // namespace

static CudaGraph &cudaGraph(Graph *graph) { return *reinterpret_cast<CudaGraph *>(graph); }

//===-- Parameters of one node ----------------------------------------------------------------------===//

static KernelNodeParams kernelParams(const CudaDevice &d, const Node &node) {
  KernelNodeParams params = {};
  params.function = d.kernels[node.kernel];
  memcpy(params.grid, node.grid, sizeof params.grid);
  memcpy(params.block, node.block, sizeof params.block);
  params.sharedBytes = node.sharedBytes;
  params.parameters = node.parameters;
  return params;
}

static MemsetNodeParams memsetParams(const Node &node) {
  MemsetNodeParams params = {};
  params.destination = node.destination;
  params.value = node.value;
  params.elementBytes = node.elementBytes;
  params.width = node.bytes / node.elementBytes;
  params.height = 1;
  return params;
}

static MemcpyParams memcpyParams(const Node &node) {
  MemcpyParams params = {};
  params.source.memoryType = params.destination.memoryType = kMemoryTypeDevice;
  params.source.device = node.source;
  params.destination.device = node.destination;
  params.widthBytes = node.bytes;
  params.height = params.depth = 1;
  return params;
}

//===-- Building ------------------------------------------------------------------------------------===//

/// Adds `node` after its plain dependencies; `before` is room for as many handles.
static twrt_status addNode(CudaDevice &d, CudaGraph &graph, uint32_t index, const Node &node,
                           GraphNode *before, twrt_error *error) {
  size_t count = 0;
  for (uint32_t i = 0; i < node.numDependencies; ++i)
    if (!node.dependencies[i].programmatic())
      before[count++] = graph.nodes[node.dependencies[i].launch()];
  GraphNode *added = &graph.nodes[index];
  if (node.kind == fb::LaunchKind::Memset) {
    MemsetNodeParams params = memsetParams(node);
    TWRT_CUDA(d.api, error, graphAddMemset, added, graph.graph, before, count, &params, d.context);
    return TWRT_OK;
  }
  if (node.kind == fb::LaunchKind::Memcpy) {
    MemcpyParams params = memcpyParams(node);
    TWRT_CUDA(d.api, error, graphAddMemcpy, added, graph.graph, before, count, &params, d.context);
    return TWRT_OK;
  }
  KernelNodeParams params = kernelParams(d, node);
  TWRT_CUDA(d.api, error, graphAddKernel, added, graph.graph, before, count, &params);
  if (node.cluster[0] * node.cluster[1] * node.cluster[2] > 1) {
    LaunchAttributeValue value = {};
    memcpy(value.clusterDims, node.cluster, sizeof value.clusterDims);
    TWRT_CUDA(d.api, error, graphNodeSetAttribute, *added, kClusterDimension, &value);
  }
  EdgeData edge = {kPortProgrammatic, 0, kEdgeProgrammatic, {}};
  for (uint32_t i = 0; i < node.numDependencies; ++i)
    if (node.dependencies[i].programmatic())
      TWRT_CUDA(d.api, error, graphAddDependencies, graph.graph, &graph.nodes[node.dependencies[i].launch()],
                added, &edge, 1);
  return TWRT_OK;
}

static twrt_status fillGraph(CudaDevice &d, CudaGraph &graph, const Node *nodes, uint32_t count,
                             twrt_error *error) {
  uint32_t mostDependencies = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (nodes[i].numDependencies > mostDependencies)
      mostDependencies = nodes[i].numDependencies;
  Array<GraphNode> before;
  graph.nodes = static_cast<GraphNode *>(calloc(count + 1, sizeof(GraphNode)));
  if (!graph.nodes || !before.allocate(mostDependencies))
    return hostMemoryFailure(error, (count + mostDependencies) * sizeof(GraphNode));
  TWRT_CUDA(d.api, error, graphCreate, &graph.graph, 0);
  for (uint32_t i = 0; i < count; ++i)
    TWRT_TRY(addNode(d, graph, i, nodes[i], before.data, error));
  TWRT_CUDA(d.api, error, graphInstantiate, &graph.executable, graph.graph, 0);
  TWRT_CUDA(d.api, error, graphUpload, graph.executable, d.streams[unsigned(Queue::Compute)]);
  return TWRT_OK;
}

twrt_status tilewright::runtime::cudaBuildGraph(Device *device, const Node *nodes, uint32_t count,
                                                Graph **out, twrt_error *error) {
  CudaGraph *graph = static_cast<CudaGraph *>(calloc(1, sizeof(CudaGraph)));
  if (!graph)
    return hostMemoryFailure(error, sizeof(CudaGraph));
  Graph *opaque = reinterpret_cast<Graph *>(graph);
  twrt_status status = fillGraph(cudaDevice(device), *graph, nodes, count, error);
  if (status != TWRT_OK)
    cudaDestroyGraph(device, opaque);
  else
    *out = opaque;
  return status;
}

void tilewright::runtime::cudaDestroyGraph(Device *device, Graph *opaque) {
  CudaDevice &d = cudaDevice(device);
  CudaGraph &graph = cudaGraph(opaque);
  if (graph.executable)
    d.api.graphExecDestroy(graph.executable);
  if (graph.graph)
    d.api.graphDestroy(graph.graph);
  free(graph.nodes);
  free(&graph);
}

void *tilewright::runtime::cudaNativeGraph(Graph *graph) { return cudaGraph(graph).graph; }

//===-- Updating and launching ----------------------------------------------------------------------===//

twrt_status tilewright::runtime::cudaUpdateNode(Device *device, Graph *opaque, uint32_t index,
                                                const Node &node, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  CudaGraph &graph = cudaGraph(opaque);
  if (node.kind == fb::LaunchKind::Memset) {
    MemsetNodeParams params = memsetParams(node);
    TWRT_CUDA(d.api, error, graphExecSetMemset, graph.executable, graph.nodes[index], &params, d.context);
  } else if (node.kind == fb::LaunchKind::Memcpy) {
    MemcpyParams params = memcpyParams(node);
    TWRT_CUDA(d.api, error, graphExecSetMemcpy, graph.executable, graph.nodes[index], &params, d.context);
  } else {
    KernelNodeParams params = kernelParams(d, node);
    TWRT_CUDA(d.api, error, graphExecSetKernel, graph.executable, graph.nodes[index], &params);
  }
  return TWRT_OK;
}

twrt_status tilewright::runtime::cudaLaunchGraph(Device *device, Graph *graph, void *stream, const Region *,
                                                 uint32_t, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  Stream in = stream ? static_cast<Stream>(stream) : d.streams[unsigned(Queue::Compute)];
  TWRT_CUDA(d.api, error, graphLaunch, cudaGraph(graph).executable, in);
  return TWRT_OK;
}

twrt_status tilewright::runtime::cudaEncodeTensorMap(Device *device, const fb::TensorMap &map,
                                                     uint64_t address, void *out, twrt_error *error) {
  CudaDevice &d = cudaDevice(device);
  alignas(64) char encoded[128]; // The driver asks for this alignment; `out` need not have it.
  TWRT_CUDA(d.api, error, tensorMapEncode, encoded, map.data_type(), map.rank(),
            reinterpret_cast<void *>(address), map.dims()->data(), map.strides()->data(), map.box()->data(),
            map.element_strides()->data(), map.interleave(), map.swizzle(), map.l2_promotion(),
            map.out_of_bounds_fill());
  memcpy(out, encoded, sizeof encoded);
  return TWRT_OK;
}
