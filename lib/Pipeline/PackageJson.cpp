// 07-package.json: a package without its bytes, for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Packaging.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilewright;

/// `arena+256`, `weight 3`, `input 0`.
static std::string text(const package::Address &address) {
  static const char *const kBases[] = {"arena", "weight", "input", "output", "workspace"};
  std::string text = kBases[(unsigned)address.base];
  bool isOne = address.base == package::AddressBase::Arena || address.base == package::AddressBase::Workspace;
  if (!isOne)
    text += " " + std::to_string(address.index);
  if (address.offset != 0 || isOne)
    text += "+" + std::to_string(address.offset);
  return text;
}

static void writeKernel(json::OStream &json, const package::Kernel &kernel) {
  json.object([&] {
    json.attribute("name", kernel.name);
    json.attribute("anchor", kernel.anchor);
    json.attributeArray("images", [&] {
      for (const package::Image &image : kernel.images)
        json.object([&] {
          json.attribute("arch", image.arch);
          json.attribute("kind", image.kind == package::ImageKind::Cubin ? "cubin" : "ptx");
          json.attribute("bytes", (int64_t)image.bytes.size());
          json.attribute("registers", image.registers);
          json.attribute("spill_bytes", image.spillBytes);
        });
    });
  });
}

/// `tensor map over arena+0`, `true length 1`.
static std::string text(const package::Parameter &parameter) {
  switch (parameter.kind) {
  case package::ParameterKind::Address:
    return text(parameter.address);
  case package::ParameterKind::Scalar:
    return "value of " + std::to_string(parameter.scalar.size()) + " bytes";
  case package::ParameterKind::TrueDim:
    return "true length " + std::to_string(parameter.dim);
  case package::ParameterKind::TensorMap:
    return "tensor map over " + text(parameter.map.base);
  }
  llvm_unreachable("covered switch");
}

static void writeLaunch(json::OStream &json, const package::Package &package, const package::Launch &launch) {
  json.object([&] {
    if (launch.kind == package::LaunchKind::Kernel) {
      json.attribute("kernel", package.kernels[launch.kernel].name);
      json.attribute("grid", json::Array{launch.grid[0], launch.grid[1], launch.grid[2]});
      json.attribute("block", json::Array{launch.block[0], launch.block[1], launch.block[2]});
      json.attribute("cluster", json::Array{launch.cluster[0], launch.cluster[1], launch.cluster[2]});
      json.attribute("shared_bytes", launch.sharedBytes);
      json.attributeArray("parameters", [&] {
        for (const package::Parameter &parameter : launch.parameters)
          json.value(text(parameter));
      });
    } else {
      json.attribute(launch.kind == package::LaunchKind::Memset ? "fill" : "copy", text(launch.destination));
      if (launch.kind == package::LaunchKind::Memcpy)
        json.attribute("from", text(launch.source));
      json.attribute("bytes", (int64_t)launch.bytes);
    }
    auto attributeEdges = [&](StringRef name, bool programmatic) {
      json.attributeArray(name, [&] {
        for (const package::Dependency &dependency : launch.dependencies)
          if (dependency.programmatic == programmatic)
            json.value(dependency.launch);
      });
    };
    attributeEdges("after", false);
    if (any_of(launch.dependencies, [](const package::Dependency &edge) { return edge.programmatic; }))
      attributeEdges("programmatic", true);
    if (!launch.variants.empty())
      json.attributeArray("variants", [&] {
        for (const package::Launch &variant : launch.variants)
          writeLaunch(json, package, variant);
      });
    json.attribute("source_nodes", json::Array(launch.sourceNodes));
  });
}

static void writeTensor(json::OStream &json, const std::string &name, package::DType dtype,
                        const std::vector<int64_t> &shape) {
  json.object([&] {
    json.attribute("name", name);
    json.attribute("type", package::dtypeName(dtype));
    json.attribute("shape", json::Array(shape));
  });
}

static void writeEntry(json::OStream &json, const package::Package &package, const package::Entry &entry) {
  json.object([&] {
    json.attribute("name", entry.name);
    json.attributeObject("bucket", [&] {
      for (const package::BucketDim &dim : entry.bucket)
        json.attribute(dim.name, dim.size);
    });
    json.attribute("arena_bytes", (int64_t)entry.arenaBytes);
    if (entry.workspaceBytes)
      json.attribute("workspace_bytes", (int64_t)entry.workspaceBytes);
    for (bool outputs : {false, true})
      json.attributeArray(outputs ? "outputs" : "inputs", [&] {
        for (const package::Tensor &tensor : outputs ? entry.outputs : entry.inputs)
          writeTensor(json, tensor.name, tensor.dtype, tensor.shape);
      });
    json.attributeArray("launches", [&] {
      for (const package::Launch &launch : entry.launches)
        writeLaunch(json, package, launch);
    });
  });
}

std::string tilewright::packageToJson(const package::Package &package) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("program", package.program);
    json.attributeObject("manifest", [&] {
      for (const auto &[key, value] : package.manifest)
        json.attribute(key, value);
    });
    json.attributeArray("kernels", [&] {
      for (const package::Kernel &kernel : package.kernels)
        writeKernel(json, kernel);
    });
    json.attributeArray("entries", [&] {
      for (const package::Entry &entry : package.entries)
        writeEntry(json, package, entry);
    });
    json.attributeArray("weights", [&] {
      for (const package::Weight &weight : package.weights)
        writeTensor(json, weight.name, weight.dtype, weight.shape);
    });
    json.attribute("emulation_bytes", (int64_t)package.emulation.size());
  });
  os << "\n";
  return text;
}
