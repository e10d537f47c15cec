// Places a package's byte ranges and turns its structs into the FlatBuffer table.
#include "Table.h"
#include "Tilewright/Package/Reader.h"

#include <algorithm>

using namespace tilewright::package;

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
template <typename T> using Offsets = std::vector<Offset<T>>;

//===-- Layout --------------------------------------------------------------------------------------===//

/// Places the distinct images one after the other; equal bytes share a place.
static uint64_t placeImages(const Package &package, Layout &layout) {
  std::map<std::string_view, uint64_t> placed;
  uint64_t end = 0;
  for (const Kernel &kernel : package.kernels) {
    std::vector<uint64_t> &offsets = layout.imageOffsets.emplace_back();
    for (const Image &image : kernel.images) {
      auto [it, isNew] = placed.try_emplace(image.bytes, end);
      offsets.push_back(it->second);
      if (!isNew)
        continue;
      layout.imageBytes.push_back(&image.bytes);
      end = alignTo(end + image.bytes.size(), kItemAlignment);
    }
  }
  return end;
}

std::string tilewright::package::planLayout(const Package &package, const std::string &externalWeights,
                                            Layout &layout) {
  layout = {};
  layout.externalWeights = externalWeights;
  uint64_t imageBytes = placeImages(package, layout);

  uint64_t goldenBytes = 0;
  for (const GoldenTensor &golden : package.golden) {
    layout.goldenOffsets.push_back(goldenBytes);
    goldenBytes = alignTo(goldenBytes + golden.bytes.size(), kItemAlignment);
  }

  uint64_t weightBytes = 0;
  for (const Weight &weight : package.weights) {
    layout.weightOffsets.push_back(weightBytes);
    if (weight.bytes > (uint64_t(1) << 60) - weightBytes)
      return "weight '" + weight.name + "' has " + std::to_string(weight.bytes) +
             " bytes, too many for a package";
    weightBytes = alignTo(weightBytes + weight.bytes, kWeightAlignment);
  }
  layout.weightHashes.assign(package.weights.size(), 0);

  // The header, then the small segments, then the weights: tools that list a package touch its first pages
  // only.
  uint64_t offset = kSegmentAlignment;
  auto place = [&](uint64_t bytes) {
    fb::Segment segment(offset, bytes, 0);
    offset = alignTo(offset + bytes, kSegmentAlignment);
    return segment;
  };
  layout.images = place(imageBytes);
  layout.emulation = place(package.emulation.size());
  layout.golden = place(goldenBytes);
  layout.weights = externalWeights.empty() ? place(weightBytes) : fb::Segment(0, weightBytes, 0);
  return "";
}

//===-- Table ---------------------------------------------------------------------------------------===//

static fb::Dim3 dim3(const std::array<uint32_t, 3> &v) { return fb::Dim3(v[0], v[1], v[2]); }

static fb::Address address(const Address &a) {
  return fb::Address(a.offset, a.index, static_cast<fb::AddressBase>(a.base));
}

static auto bytesOf(FlatBufferBuilder &b, const std::string &bytes) {
  return b.CreateVector(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

static Offset<fb::Kernel> kernelTable(FlatBufferBuilder &b, const Kernel &kernel,
                                      const std::vector<uint64_t> &offsets) {
  Offsets<fb::Image> images;
  for (size_t i = 0; i < kernel.images.size(); ++i) {
    const Image &image = kernel.images[i];
    images.push_back(fb::CreateImage(b, b.CreateString(image.arch), static_cast<fb::ImageKind>(image.kind),
                                     offsets[i], image.bytes.size(), image.registers, image.spillBytes));
  }
  fb::Dim3 block = dim3(kernel.block);
  return fb::CreateKernel(b, b.CreateString(kernel.name), b.CreateVector(images), &block,
                          kernel.dynamicSharedBytes, b.CreateVectorOfStrings(kernel.sourceNodes),
                          b.CreateString(kernel.anchor), b.CreateString(kernel.bound), kernel.flops,
                          kernel.bytesRead, kernel.bytesWritten, kernel.modelledMicroseconds,
                          kernel.occupancy,
                          kernel.scheduleFrom.empty() ? 0 : b.CreateString(kernel.scheduleFrom));
}

static Offset<fb::TensorMap> tensorMapTable(FlatBufferBuilder &b, const TensorMap &map) {
  uint32_t rank = std::clamp(map.rank, 1u, 5u); // Another rank is refused by verifyTable.
  fb::Address base = address(map.base);
  return fb::CreateTensorMap(b, map.dataType, map.rank, &base, b.CreateVector(map.dims.data(), rank),
                             b.CreateVector(map.strides.data(), rank - 1),
                             b.CreateVector(map.box.data(), rank),
                             b.CreateVector(map.elementStrides.data(), rank), map.interleave, map.swizzle,
                             map.l2Promotion, map.outOfBoundsFill);
}

static Offset<fb::Parameter> parameterTable(FlatBufferBuilder &b, const Parameter &parameter) {
  auto kind = static_cast<fb::ParameterKind>(parameter.kind);
  fb::Address pointer = address(parameter.address);
  switch (parameter.kind) {
  case ParameterKind::Address:
    return fb::CreateParameter(b, kind, &pointer);
  case ParameterKind::Scalar:
    return fb::CreateParameter(b, kind, nullptr, bytesOf(b, parameter.scalar));
  case ParameterKind::TrueDim:
    return fb::CreateParameter(b, kind, nullptr, 0, parameter.dim, parameter.scalarBytes);
  case ParameterKind::TensorMap:
    return fb::CreateParameter(b, kind, nullptr, 0, 0, 0, tensorMapTable(b, parameter.map));
  }
  return fb::CreateParameter(b, kind);
}

static Offset<fb::Launch> launchTable(FlatBufferBuilder &b, const Launch &launch) {
  Offsets<fb::Parameter> parameters;
  for (const Parameter &parameter : launch.parameters)
    parameters.push_back(parameterTable(b, parameter));
  std::vector<fb::Dependency> dependencies;
  for (const Dependency &edge : launch.dependencies)
    dependencies.emplace_back(edge.launch, edge.programmatic);
  std::sort(dependencies.begin(), dependencies.end(),
            [](const fb::Dependency &a, const fb::Dependency &b) { return a.launch() < b.launch(); });
  Offsets<fb::Launch> variants;
  for (const Launch &variant : launch.variants)
    variants.push_back(launchTable(b, variant));
  fb::Dim3 grid = dim3(launch.grid), block = dim3(launch.block), cluster = dim3(launch.cluster);
  fb::Address destination = address(launch.destination), source = address(launch.source);
  return fb::CreateLaunch(b, static_cast<fb::LaunchKind>(launch.kind), launch.kernel, &grid, &block, &cluster,
                          launch.sharedBytes, b.CreateVector(parameters), &destination, &source, launch.bytes,
                          launch.value, launch.elementBytes, b.CreateVectorOfStructs(dependencies),
                          b.CreateVectorOfStrings(launch.sourceNodes),
                          variants.empty() ? 0 : b.CreateVector(variants));
}

static Offset<fb::Tensor> tensorTable(FlatBufferBuilder &b, const Entry &entry, const Tensor &tensor,
                                      std::string &error) {
  std::vector<int32_t> symbols(tensor.shape.size(), -1);
  for (size_t i = 0; i < std::min(tensor.symbols.size(), symbols.size()); ++i) {
    if (tensor.symbols[i].empty())
      continue;
    auto dim = std::find_if(entry.bucket.begin(), entry.bucket.end(),
                            [&](const BucketDim &d) { return d.name == tensor.symbols[i]; });
    if (dim == entry.bucket.end())
      error = "tensor '" + tensor.name + "' of entry '" + entry.name + "' has the symbol '" +
              tensor.symbols[i] + "', which is no dimension of its bucket";
    else
      symbols[i] = int32_t(dim - entry.bucket.begin());
  }
  return fb::CreateTensor(b, b.CreateString(tensor.name), static_cast<fb::DType>(tensor.dtype),
                          b.CreateVector(tensor.shape), b.CreateVector(symbols), tensorBytes(tensor),
                          static_cast<fb::PaddingRule>(tensor.padding), bytesOf(b, tensor.paddingValue));
}

static Offset<fb::Entry> entryTable(FlatBufferBuilder &b, const Entry &entry, std::string &error) {
  Offsets<fb::BucketDim> bucket;
  for (const BucketDim &dim : entry.bucket)
    bucket.push_back(fb::CreateBucketDim(b, b.CreateString(dim.name), dim.size));
  Offsets<fb::Tensor> inputs, outputs;
  for (const Tensor &tensor : entry.inputs)
    inputs.push_back(tensorTable(b, entry, tensor, error));
  for (const Tensor &tensor : entry.outputs)
    outputs.push_back(tensorTable(b, entry, tensor, error));
  Offsets<fb::Launch> launches;
  for (const Launch &launch : entry.launches)
    launches.push_back(launchTable(b, launch));
  return fb::CreateEntry(b, b.CreateString(entry.name), b.CreateVector(bucket), b.CreateVector(inputs),
                         b.CreateVector(outputs), entry.arenaBytes, b.CreateVector(launches),
                         entry.workspaceBytes);
}

static Offset<fb::Package> packageTable(FlatBufferBuilder &b, const Package &package, const Layout &layout,
                                        std::string &error) {
  Offsets<fb::Kernel> kernels;
  for (size_t i = 0; i < package.kernels.size(); ++i)
    kernels.push_back(kernelTable(b, package.kernels[i], layout.imageOffsets[i]));
  Offsets<fb::Entry> entries;
  for (const Entry &entry : package.entries)
    entries.push_back(entryTable(b, entry, error));
  Offsets<fb::Weight> weights;
  for (size_t i = 0; i < package.weights.size(); ++i) {
    const Weight &weight = package.weights[i];
    weights.push_back(fb::CreateWeight(b, b.CreateString(weight.name), static_cast<fb::DType>(weight.dtype),
                                       b.CreateVector(weight.shape), layout.weightOffsets[i], weight.bytes,
                                       layout.weightHashes[i]));
  }
  Offsets<fb::GoldenTensor> golden;
  for (size_t i = 0; i < package.golden.size(); ++i) {
    const GoldenTensor &g = package.golden[i];
    golden.push_back(fb::CreateGoldenTensor(b, g.entry, g.output, g.slot, layout.goldenOffsets[i],
                                            g.bytes.size(), g.rtol, g.atol));
  }
  Offsets<fb::KeyValue> manifest;
  for (const auto &[key, value] : package.manifest)
    manifest.push_back(fb::CreateKeyValue(b, b.CreateString(key), b.CreateString(value)));
  return fb::CreatePackage(b, b.CreateString(package.program), package.driverFloor, b.CreateVector(kernels),
                           b.CreateVector(entries), b.CreateVector(weights), b.CreateVector(golden),
                           b.CreateVector(manifest), &layout.images, &layout.weights, &layout.emulation,
                           &layout.golden,
                           layout.externalWeights.empty() ? 0 : b.CreateString(layout.externalWeights));
}

/// A lower bound of the table's size, so that no builder runs past its 2 GiB: strings and vectors alone.
static uint64_t leastTableBytes(const Package &package) {
  uint64_t bytes = 0;
  for (const Kernel &kernel : package.kernels) {
    bytes += 128 + kernel.name.size() + 64 * kernel.images.size();
    for (const std::string &node : kernel.sourceNodes)
      bytes += 8 + node.size();
  }
  auto addLaunch = [&](const Launch &launch) {
    bytes += 160 + 16 * launch.dependencies.size();
    for (const Parameter &parameter : launch.parameters)
      bytes += 64 + parameter.scalar.size() + (parameter.kind == ParameterKind::TensorMap ? 200 : 0);
    for (const std::string &node : launch.sourceNodes)
      bytes += 8 + node.size();
  };
  for (const Entry &entry : package.entries)
    for (const Launch &launch : entry.launches) {
      addLaunch(launch);
      for (const Launch &variant : launch.variants)
        addLaunch(variant);
    }
  for (const Weight &weight : package.weights)
    bytes += 64 + weight.name.size() + 8 * weight.shape.size();
  for (const auto &[key, value] : package.manifest)
    bytes += 16 + key.size() + value.size();
  return bytes;
}

std::string tilewright::package::buildTable(const Package &package, const Layout &layout,
                                            FlatBufferBuilder &builder) {
  constexpr uint64_t kMost = uint64_t(1) << 30;
  if (uint64_t bytes = leastTableBytes(package); bytes > kMost)
    return "the package's table would have about " + std::to_string(bytes) + " bytes; " +
           std::to_string(kMost) +
           " are possible (kernels, launches, parameters and manifest; weights do not count)";
  std::string error;
  fb::FinishPackageBuffer(builder, packageTable(builder, package, layout, error));
  if (!error.empty())
    return error;
  ReadError wrong;
  if (!verifyTable(*fb::GetPackage(builder.GetBufferPointer()), wrong))
    return wrong.message;
  return "";
}

std::string tilewright::package::checkPackage(const Package &package) {
  Layout layout;
  FlatBufferBuilder builder(1 << 16);
  std::string error = planLayout(package, "", layout);
  return error.empty() ? buildTable(package, layout, builder) : error;
}
