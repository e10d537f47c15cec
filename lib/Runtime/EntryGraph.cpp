// Resolving launches: parameters become values, addresses become pointers.
#include "EntryGraph.h"

using namespace tilewright::runtime;
namespace fb = tilewright::package::fb;

static constexpr size_t kValueAlignment = 16;
static constexpr size_t kTensorMapBytes = 128;

static size_t bytesOf(const fb::Parameter &parameter) {
  switch (parameter.kind()) {
  case fb::ParameterKind::Address:
    return sizeof(uint64_t);
  case fb::ParameterKind::Scalar:
    return parameter.scalar()->size();
  case fb::ParameterKind::TrueDim:
    return parameter.scalar_bytes();
  case fb::ParameterKind::TensorMap:
    return kTensorMapBytes;
  }
  return 0;
}

static uint32_t slotOf(const fb::Entry &entry, const fb::Address &address) {
  return address.base() == fb::AddressBase::Output ? entry.inputs()->size() + address.index()
                                                   : address.index();
}

static uint64_t resolve(const fb::Package &table, const fb::Entry &entry, const fb::Address &address,
                        const Addresses &addresses) {
  switch (address.base()) {
  case fb::AddressBase::Arena:
    return addresses.arena + address.offset();
  case fb::AddressBase::Workspace:
    return addresses.workspace + address.offset();
  case fb::AddressBase::Weight:
    return addresses.weights + table.weights()->Get(address.index())->offset() + address.offset();
  case fb::AddressBase::Input:
  case fb::AddressBase::Output:
    return addresses.slots[slotOf(entry, address)] + address.offset();
  }
  return 0;
}

//===-- Resolving -----------------------------------------------------------------------------------===//

static twrt_status writeValue(Device *device, const fb::Package &table, const fb::Entry &entry,
                              const fb::Parameter &parameter, const Addresses &addresses, void *value,
                              twrt_error *error) {
  switch (parameter.kind()) {
  case fb::ParameterKind::Address: {
    uint64_t pointer = resolve(table, entry, *parameter.address(), addresses);
    memcpy(value, &pointer, sizeof pointer);
    return TWRT_OK;
  }
  case fb::ParameterKind::Scalar:
    memcpy(value, parameter.scalar()->data(), parameter.scalar()->size());
    return TWRT_OK;
  case fb::ParameterKind::TrueDim: {
    int64_t length = addresses.dims.size[parameter.dim()];
    memcpy(value, &length,
           parameter.scalar_bytes()); // Little endian: the low bytes are the narrower integer.
    return TWRT_OK;
  }
  case fb::ParameterKind::TensorMap: {
    const fb::TensorMap &map = *parameter.map();
    return device->functions->encodeTensorMap(device, map, resolve(table, entry, *map.base(), addresses),
                                              value, error);
  }
  }
  return TWRT_OK;
}

/// Writes the values and addresses of one launch into its node, whose parameter arrays are in place.
static twrt_status resolveNode(Device *device, const fb::Package &table, const fb::Entry &entry,
                               const fb::Launch &launch, const Addresses &addresses, Node &node,
                               twrt_error *error) {
  if (launch.kind() != fb::LaunchKind::Kernel) {
    node.destination = resolve(table, entry, *launch.destination(), addresses);
    if (launch.kind() == fb::LaunchKind::Memcpy)
      node.source = resolve(table, entry, *launch.source(), addresses);
    return TWRT_OK;
  }
  for (uint32_t i = 0; i < launch.parameters()->size(); ++i)
    TWRT_TRY(
        writeValue(device, table, entry, *launch.parameters()->Get(i), addresses, node.parameters[i], error));
  return TWRT_OK;
}

static void copyDims(const fb::Dim3 &from, uint32_t to[3]) {
  to[0] = from.x(), to[1] = from.y(), to[2] = from.z();
}

/// What never changes in a node.
static Node fixedPart(const fb::Launch &launch) {
  Node node = {};
  node.kind = launch.kind();
  node.kernel = launch.kernel();
  copyDims(*launch.grid(), node.grid);
  copyDims(*launch.block(), node.block);
  copyDims(*launch.cluster(), node.cluster);
  node.sharedBytes = launch.shared_bytes();
  node.bytes = launch.bytes();
  node.value = launch.value();
  node.elementBytes = launch.element_bytes();
  node.dependencies = reinterpret_cast<const fb::Dependency *>(launch.dependencies()->Data());
  node.numDependencies = launch.dependencies()->size();
  return node;
}

//===-- Regions -------------------------------------------------------------------------------------===//

/// Arena, inputs, outputs, weights, workspace: in this order, so that slots are found again when they move.
static bool fillRegions(const fb::Package &table, const fb::Entry &entry, const Addresses &addresses,
                        Array<Region> &regions) {
  uint32_t inputs = entry.inputs()->size(), slots = inputs + entry.outputs()->size();
  bool hasWorkspace = entry.workspace_bytes() != 0;
  if (!regions.allocate(1 + slots + table.weights()->size() + hasWorkspace))
    return false;
  auto region = [](uint64_t base, uint64_t bytes, const char *name, bool writable) {
    return Region{reinterpret_cast<void *>(base), bytes, name, writable};
  };
  regions[0] = region(addresses.arena, entry.arena_bytes(), "arena", true);
  for (uint32_t s = 0; s < slots; ++s) {
    const fb::Tensor &tensor = tensorOf(entry, s);
    regions[1 + s] = region(addresses.slots[s], tensor.bytes(), tensor.name()->c_str(), s >= inputs);
  }
  for (uint32_t w = 0; w < table.weights()->size(); ++w) {
    const fb::Weight &weight = *table.weights()->Get(w);
    regions[1 + slots + w] =
        region(addresses.weights + weight.offset(), weight.bytes(), weight.name()->c_str(), false);
  }
  if (hasWorkspace)
    regions[regions.size - 1] = region(addresses.workspace, entry.workspace_bytes(), "workspace", true);
  return true;
}

//===-- Building and updating -----------------------------------------------------------------------===//

/// Makes room for all nodes, parameters and values, and points the nodes at their share.
static bool layOut(Device *device, const fb::Entry &entry, EntryGraph &graph) {
  size_t parameters = 0, bytes = 0;
  if (!graph.launches.allocate(entry.launches()->size()))
    return false;
  for (uint32_t n = 0; n < graph.launches.size; ++n)
    graph.launches[n] = device->functions->chooseLaunch(device, *entry.launches()->Get(n));
  for (uint32_t n = 0; n < graph.launches.size; ++n) {
    const fb::Launch *launch = graph.launches[n];
    parameters += launch->parameters()->size();
    for (const fb::Parameter *parameter : *launch->parameters())
      bytes += alignUp(bytesOf(*parameter), kValueAlignment);
  }
  if (!graph.nodes.allocate(entry.launches()->size()) || !graph.parameters.allocate(parameters) ||
      !graph.parameterBytes.allocate(parameters) || !graph.values.allocate(bytes) ||
      !graph.slots.allocate(entry.inputs()->size() + entry.outputs()->size()))
    return false;
  size_t p = 0, at = 0;
  for (uint32_t n = 0; n < graph.nodes.size; ++n) {
    const fb::Launch &launch = *graph.launches[n];
    Node &node = graph.nodes[n] = fixedPart(launch);
    node.parameters = graph.parameters.data + p;
    node.parameterBytes = graph.parameterBytes.data + p;
    node.numParameters = launch.kind() == fb::LaunchKind::Kernel ? launch.parameters()->size() : 0;
    for (const fb::Parameter *parameter : *launch.parameters()) {
      graph.parameters[p] = graph.values.data + at;
      graph.parameterBytes[p++] = bytesOf(*parameter);
      at += alignUp(bytesOf(*parameter), kValueAlignment);
    }
  }
  return true;
}

static void noteAddresses(const Addresses &addresses, EntryGraph &graph) {
  memcpy(graph.slots.data, addresses.slots, graph.slots.size * sizeof(uint64_t));
  graph.dims = addresses.dims;
}

twrt_status tilewright::runtime::buildEntryGraph(Device *device, const fb::Package &table,
                                                 const fb::Entry &entry, const Addresses &addresses,
                                                 EntryGraph &graph, twrt_error *error) {
  if (!layOut(device, entry, graph) || !fillRegions(table, entry, addresses, graph.regions))
    return hostMemoryFailure(error, entry.launches()->size() * sizeof(Node));
  for (uint32_t n = 0; n < graph.nodes.size; ++n)
    TWRT_TRY(resolveNode(device, table, entry, *graph.launches[n], addresses, graph.nodes[n], error));
  noteAddresses(addresses, graph);
  return device->functions->buildGraph(device, graph.nodes.data, graph.nodes.size, &graph.graph, error);
}

/// Whether the launch holds anything that differs between the graph and `addresses`.
static bool isStale(const fb::Entry &entry, const fb::Launch &launch, const Addresses &addresses,
                    const EntryGraph &graph) {
  auto moved = [&](const fb::Address &address) {
    if (address.base() != fb::AddressBase::Input && address.base() != fb::AddressBase::Output)
      return false;
    uint32_t slot = slotOf(entry, address);
    return addresses.slots[slot] != graph.slots[slot];
  };
  if (launch.kind() != fb::LaunchKind::Kernel)
    return moved(*launch.destination()) ||
           (launch.kind() == fb::LaunchKind::Memcpy && moved(*launch.source()));
  for (const fb::Parameter *parameter : *launch.parameters()) {
    if (parameter->kind() == fb::ParameterKind::Address && moved(*parameter->address()))
      return true;
    if (parameter->kind() == fb::ParameterKind::TensorMap && moved(*parameter->map()->base()))
      return true;
    if (parameter->kind() == fb::ParameterKind::TrueDim &&
        addresses.dims.size[parameter->dim()] != graph.dims.size[parameter->dim()])
      return true;
  }
  return false;
}

twrt_status tilewright::runtime::updateEntryGraph(Device *device, const fb::Package &table,
                                                  const fb::Entry &entry, const Addresses &addresses,
                                                  EntryGraph &graph, twrt_error *error) {
  if (memcmp(graph.slots.data, addresses.slots, graph.slots.size * sizeof(uint64_t)) == 0 &&
      memcmp(&graph.dims, &addresses.dims, sizeof graph.dims) == 0)
    return TWRT_OK;
  for (uint32_t n = 0; n < graph.nodes.size; ++n) {
    const fb::Launch &launch = *graph.launches[n];
    if (!isStale(entry, launch, addresses, graph))
      continue;
    TWRT_TRY(resolveNode(device, table, entry, launch, addresses, graph.nodes[n], error));
    TWRT_TRY(device->functions->updateNode(device, graph.graph, n, graph.nodes[n], error));
  }
  for (uint32_t s = 0; s < graph.slots.size; ++s)
    graph.regions[1 + s].base = reinterpret_cast<void *>(addresses.slots[s]);
  noteAddresses(addresses, graph);
  return TWRT_OK;
}

void tilewright::runtime::destroyEntryGraph(Device *device, EntryGraph &graph) {
  if (graph.graph)
    device->functions->destroyGraph(device, graph.graph);
  graph.~EntryGraph();
}
