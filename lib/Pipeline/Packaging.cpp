// Packaging: the launch table from the plan's buffer form, images from the assembled kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Packaging.h"
#include "LaunchCost.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Plan/IR/Accesses.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Where the bytes of inputs, outputs and weights of one program are bound.
using Slots = llvm::DenseMap<Operation *, uint32_t>;

namespace {

/// What the launches of one program refer to.
struct Places {
  Slots slots;
  llvm::DenseMap<Value, uint32_t> launches; ///< By event.
  const package::Entry &entry;
};

/// A package while it is filled.
struct Packager {
  ModuleOp module;
  llvm::ArrayRef<AssembledKernel> assembled;
  const PackageInputs &inputs;
  PackageContents contents = {};
  llvm::StringMap<uint32_t> kernelIndex = {};
  DenseMap<Attribute, uint32_t> weightIndex{0}; ///< Lookup only; order is that of contents.

  FailureOr<PackageContents> run();
  LogicalResult addKernel(LaunchOp launch, StringRef name);
  FailureOr<uint32_t> addWeight(WeightOp weight);
  LogicalResult addEntry(ProgramOp program);
  FailureOr<package::Launch> makeLaunch(Operation *op, const Places &places);
  FailureOr<package::Launch> makeKernelLaunch(LaunchOp op, StringRef kernel, const Places &places);
};

} // namespace

//===-- Kernels -----------------------------------------------------------------------------------------===//

/// The oldest driver that loads the code of some target; a newer one may be needed for the others.
static uint32_t driverFloor(ArrayRef<AssembledKernel> assembled) {
  uint32_t floor = 0;
  for (const AssembledKernel &kernel : assembled) {
    uint32_t needed = driverVersion(minimumDriver(kernel.arch->ptxVersion));
    floor = floor ? std::min(floor, needed) : needed;
  }
  return floor;
}

/// PTX is what chips newer than the cubin run, unless the code uses features of one chip only.
static void addImages(package::Kernel &kernel, const AssembledKernel &assembled) {
  package::Image image;
  image.arch = assembled.arch->name;
  if (assembled.resources) {
    image.registers = assembled.resources->registers;
    image.spillBytes = assembled.resources->spillStores + assembled.resources->spillLoads;
  }
  if (!assembled.cubin.empty()) {
    image.kind = package::ImageKind::Cubin;
    image.bytes = assembled.cubin;
    kernel.images.push_back(image);
  }
  if (assembled.cubin.empty() || !assembled.arch->isArchSpecific()) {
    image.kind = package::ImageKind::Ptx;
    image.bytes = assembled.ptx;
    kernel.images.push_back(image);
  }
}

LogicalResult Packager::addKernel(LaunchOp launch, StringRef name) {
  LLVM::LLVMFuncOp function = kernelFunction(module, name);
  if (!function)
    return launch.emitError() << "kernel @" << name
                              << " is not in target form: no gpu.module with its function";
  auto shape = function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
  if (!shape)
    return function.emitError("kernel has no 'ptx.launch'");
  auto [it, isNew] = kernelIndex.try_emplace(name, contents.package.kernels.size());
  auto sources = launch->getAttrOfType<ArrayAttr>(PlanDialect::getSourcesAttrName());
  if (isNew) {
    package::Kernel &kernel = contents.package.kernels.emplace_back();
    kernel.name = name.str();
    kernel.block = {(uint32_t)shape.getBlock(), 1, 1};
    kernel.dynamicSharedBytes = shape.getShared();
    for (const AssembledKernel &image : assembled)
      if (image.name == name)
        addImages(kernel, image);
    // The reader looks images up by name of the arch.
    llvm::sort(kernel.images,
               [](auto &a, auto &b) { return std::tie(a.arch, a.kind) < std::tie(b.arch, b.kind); });
    // What is modelled is the first chip that the kernel is for.
    const Arch *arch = inputs.arch;
    auto own = llvm::find_if(assembled, [&](const AssembledKernel &image) { return image.name == name; });
    if (own != assembled.end())
      arch = own->arch;
    if (auto cost = launch->getAttrOfType<CostAttr>(PlanDialect::getCostAttrName())) {
      kernel.anchor = cost.getAnchor().str();
      kernel.flops = cost.getFlops();
      kernel.bytesRead = cost.getRead();
      kernel.bytesWritten = cost.getWritten();
      Prediction prediction = predict(*arch, costOf(launch, function, assembled, *arch));
      kernel.bound = prediction.bound;
      kernel.modelledMicroseconds = prediction.microseconds;
    }
    // The model of its schedule knows more than the roofline.
    if (auto chosen = function->getAttrOfType<DictionaryAttr>(kChosenAttrName)) {
      if (auto by = chosen.getAs<StringAttr>("by"))
        kernel.scheduleFrom = by.str();
      if (auto us = chosen.getAs<FloatAttr>("us"))
        kernel.modelledMicroseconds = us.getValueAsDouble();
    }
    for (const AssembledKernel &image : assembled)
      if (image.name == name && image.arch == arch && image.resources)
        kernel.occupancy = occupancy(*arch, shape.getBlock(), image.resources->registers,
                                     shape.getShared() + image.resources->staticShared)
                               .warpFraction;
  }
  std::vector<std::string> &nodes = contents.package.kernels[it->second].sourceNodes;
  for (Attribute source : sources ? sources.getValue() : ArrayRef<Attribute>())
    if (std::string node = cast<StringAttr>(source).str(); !llvm::is_contained(nodes, node))
      nodes.push_back(node);
  return success();
}

//===-- Weights, tensors --------------------------------------------------------------------------------===//

static FailureOr<package::DType> dtypeOf(Operation *op, Type type, bool isUnsigned = false) {
  std::string name;
  if (type.isInteger(1))
    return package::DType::Bool;
  if (isa<Float8E4M3FNType>(type))
    return package::DType::F8E4M3;
  if (isa<Float8E5M2Type>(type))
    return package::DType::F8E5M2;
  llvm::raw_string_ostream(name) << (type.isIndex() ? IntegerType::get(type.getContext(), 64) : type);
  if (isUnsigned)
    name.replace(0, 1, "u"); // i8 becomes u8
  package::DType dtype;
  if (!package::dtypeFromName(name, dtype))
    return op->emitError() << "packages have no element type " << type;
  return dtype;
}

FailureOr<uint32_t> Packager::addWeight(WeightOp op) {
  auto [it, isNew] = weightIndex.try_emplace(op.getSource(), contents.package.weights.size());
  if (!isNew)
    return it->second;
  RankedTensorType type = op.getTensorType();
  FailureOr<package::DType> dtype = dtypeOf(op, type.getElementType());
  if (failed(dtype))
    return failure();
  package::Weight &weight = contents.package.weights.emplace_back();
  auto reference = dyn_cast<graph::WeightAttr>(op.getSource());
  // One tensor of a weight file may be read under several recipes.
  std::string name = reference ? reference.getKey().str() : "constant";
  unsigned copies = llvm::count_if(contents.package.weights, [&](const package::Weight &other) {
    return &other != &weight && (other.name == name || StringRef(other.name).starts_with(name + "#"));
  });
  weight.name = copies ? name + "#" + std::to_string(copies) : name;
  weight.dtype = *dtype;
  weight.shape.assign(type.getShape().begin(), type.getShape().end());
  weight.bytes = storageBytes(type);
  contents.weightSources.push_back(op.getSource());
  return it->second;
}

template <typename OpTy> static LogicalResult addTensor(OpTy op, std::vector<package::Tensor> &tensors) {
  auto type = cast<RankedTensorType>(op.getTensor());
  FailureOr<package::DType> dtype = dtypeOf(op, type.getElementType(), op.getIsUnsigned());
  if (failed(dtype))
    return failure();
  package::Tensor &tensor = tensors.emplace_back();
  tensor.name = op.getName().str();
  tensor.dtype = *dtype;
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  if (op.getSymbolsAttr()) {
    for (Attribute symbol : op.getSymbolsAttr())
      tensor.symbols.push_back(cast<StringAttr>(symbol).str());
    tensor.padding = package::PaddingRule::Fill;
  }
  return success();
}

//===-- Launches ----------------------------------------------------------------------------------------===//

static package::Address addressOf(Value buffer, const Slots &slots) {
  ByteRange range = byteRangeOf(buffer);
  package::Address address;
  address.offset = range.offset;
  if (isa<ArenaOp>(range.base))
    return address;
  address.base = isa<WeightOp>(range.base)      ? package::AddressBase::Weight
                 : isa<WorkspaceOp>(range.base) ? package::AddressBase::Workspace
                 : isa<InputOp>(range.base)     ? package::AddressBase::Input
                                                : package::AddressBase::Output;
  address.index = slots.lookup(range.base);
  return address;
}

static package::TensorMap tensorMapOf(ptx::TensorMapAttr attr, package::Address base) {
  package::TensorMap map;
  map.dataType = attr.driverDataType();
  map.rank = attr.getRank();
  map.base = base;
  map.base.offset += attr.getOffset();
  llvm::copy(attr.getDims(), map.dims.begin());
  llvm::copy(attr.getStrides(), map.strides.begin());
  llvm::copy(attr.getBox(), map.box.begin());
  llvm::copy(attr.getElementStrides(), map.elementStrides.begin());
  map.interleave = attr.driverInterleave();
  map.swizzle = attr.driverSwizzle();
  map.l2Promotion = attr.driverL2();
  map.outOfBoundsFill = attr.getNan();
  return map;
}

/// A tensor map over one of the launch's buffers, which holds all that the map may touch.
static FailureOr<package::Parameter> mapParameter(LLVM::LLVMFuncOp function, ptx::TensorMapAttr attr,
                                                  ArrayRef<Value> buffers, const Slots &slots) {
  if (attr.getOf() >= (int64_t)buffers.size())
    return function.emitError() << "tensor map over buffer " << attr.getOf() << ", its launch gives "
                                << buffers.size();
  Value buffer = buffers[attr.getOf()];
  int64_t bytes = cast<BufferType>(buffer.getType()).getBytes();
  if (attr.extentBytes() > bytes)
    return function.emitError() << "tensor map reaches " << attr.extentBytes() << " bytes into buffer "
                                << attr.getOf() << ", which has " << bytes;
  package::Address base = addressOf(buffer, slots);
  if (base.offset % 16 != 0)
    return function.emitError() << "tensor map over buffer " << attr.getOf() << ", which starts at byte "
                                << base.offset << ", no multiple of 16";
  return package::Parameter::tensorMap(tensorMapOf(attr, base));
}

/// The true length of a dimension of the program's key.
static FailureOr<package::Parameter> lengthParameter(LLVM::LLVMFuncOp function, StringAttr dim, Type type,
                                                     const package::Entry &entry) {
  for (auto [i, candidate] : llvm::enumerate(entry.bucket))
    if (dim == StringRef(candidate.name))
      return package::Parameter::trueDim(i, type.getIntOrFloatBitWidth() / 8);
  return function.emitError() << "takes the true length of \"" << dim.getValue()
                              << "\", which is no dimension of the program's bucket";
}

/// Buffers in order, and what other parameters say that they are.
static LogicalResult addParameters(LLVM::LLVMFuncOp function, ArrayRef<Value> buffers, const Places &places,
                                   std::vector<package::Parameter> &parameters) {
  size_t next = 0;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    FailureOr<package::Parameter> parameter = failure();
    if (auto map = function.getArgAttrOfType<ptx::TensorMapAttr>(i, ptx::PtxDialect::getTensorMapAttrName()))
      parameter = mapParameter(function, map, buffers, places.slots);
    else if (auto dim = function.getArgAttrOfType<StringAttr>(i, ptx::PtxDialect::getTrueLengthAttrName()))
      parameter = lengthParameter(function, dim, function.getArgument(i).getType(), places.entry);
    else if (auto range =
                 function.getArgAttrOfType<DenseI64ArrayAttr>(i, ptx::PtxDialect::getWorkspaceAttrName()))
      parameter = package::Parameter::pointer({package::AddressBase::Workspace, 0, (uint64_t)range[0]});
    else if (next++ < buffers.size())
      parameter = package::Parameter::pointer(addressOf(buffers[next - 1], places.slots));
    else
      continue;
    if (failed(parameter))
      return failure();
    parameters.push_back(std::move(*parameter));
  }
  if (next != buffers.size())
    return function.emitError() << "kernel has " << next << " parameters for buffers, its launch gives "
                                << buffers.size();
  return success();
}

FailureOr<package::Launch> Packager::makeKernelLaunch(LaunchOp op, StringRef name, const Places &places) {
  package::Launch launch;
  if (failed(addKernel(op, name)))
    return failure();
  LLVM::LLVMFuncOp function = kernelFunction(module, name);
  auto shape = function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
  launch.kernel = kernelIndex.lookup(name);
  for (unsigned dim = 0; dim < 3; ++dim) {
    launch.grid[dim] = shape.getGrid()[dim];
    launch.cluster[dim] = shape.clusterDim(dim);
  }
  launch.block = {(uint32_t)shape.getBlock(), 1, 1};
  launch.sharedBytes = shape.getShared();
  SmallVector<Value> buffers(op.getArgs());
  // The workspace is no buffer of the kernel's own: parameters say that they lead there.
  llvm::append_range(buffers, llvm::make_filter_range(op.getInto(), [](Value buffer) {
                       return !buffer.getDefiningOp<WorkspaceOp>();
                     }));
  if (failed(addParameters(function, buffers, places, launch.parameters)))
    return failure();
  // A kernel that does not wait itself must be launched after the others' end.
  bool waits = ptx::waitsForPrerequisites(function);
  for (Value event : op.getAfter())
    launch.dependencies.push_back({places.launches.lookup(event), /*programmatic=*/false});
  for (Value event : op.getProgrammatic())
    launch.dependencies.push_back({places.launches.lookup(event), /*programmatic=*/waits});
  return launch;
}

FailureOr<package::Launch> Packager::makeLaunch(Operation *op, const Places &places) {
  package::Launch launch;
  if (auto kernel = dyn_cast<LaunchOp>(op)) {
    FailureOr<package::Launch> made = makeKernelLaunch(kernel, kernel.getKernel(), places);
    if (failed(made))
      return failure();
    launch = std::move(*made);
    for (FlatSymbolRefAttr name : ArrayRef(kernel.getKernels()).drop_front()) {
      FailureOr<package::Launch> variant = makeKernelLaunch(kernel, name.getValue(), places);
      if (failed(variant))
        return failure();
      launch.variants.push_back(std::move(*variant));
    }
    if (auto sources = op->getAttrOfType<ArrayAttr>(PlanDialect::getSourcesAttrName()))
      for (Attribute source : sources)
        launch.sourceNodes.push_back(cast<StringAttr>(source).str());
    return launch;
  }
  for (Value event : waitsOf(op))
    launch.dependencies.push_back({places.launches.lookup(event), /*programmatic=*/false});
  if (auto copy = dyn_cast<CopyOp>(op)) {
    launch.kind = package::LaunchKind::Memcpy;
    launch.source = addressOf(copy.getSource(), places.slots);
    launch.destination = addressOf(copy.getInto(), places.slots);
    launch.bytes = copy.getInto().getType().getBytes();
    return launch;
  }
  auto fill = cast<FillOp>(op);
  launch.kind = package::LaunchKind::Memset;
  launch.destination = addressOf(fill.getInto(), places.slots);
  launch.bytes = fill.getInto().getType().getBytes();
  std::tie(launch.value, launch.elementBytes) = fill.getBits();
  return launch;
}

/// `main`, or `main[batch=8,seq=64]`: the key tells the programs of a model apart.
static std::string entryName(const std::vector<package::BucketDim> &bucket) {
  std::string name = "main";
  for (auto [i, dim] : llvm::enumerate(bucket))
    name += (i ? "," : "[") + dim.name + "=" + std::to_string(dim.size);
  return bucket.empty() ? name : name + "]";
}

LogicalResult Packager::addEntry(ProgramOp program) {
  package::Entry entry;
  for (Attribute dim : program.getBucketAttr() ? program.getBucketAttr().getValue() : ArrayRef<Attribute>())
    entry.bucket.push_back({cast<BucketDimAttr>(dim).getName().str(), cast<BucketDimAttr>(dim).getSize()});
  entry.name = entry.bucket.empty() ? program.getSymName().str() : entryName(entry.bucket);
  Places places{Slots(), llvm::DenseMap<Value, uint32_t>(), entry};
  Slots &slots = places.slots;
  for (Operation &op : program.getBody().front()) {
    if (auto input = dyn_cast<InputOp>(op)) {
      slots[input] = entry.inputs.size();
      if (failed(addTensor(input, entry.inputs)))
        return failure();
    } else if (auto output = dyn_cast<OutputOp>(op)) {
      slots[output] = entry.outputs.size();
      if (failed(addTensor(output, entry.outputs)))
        return failure();
    } else if (auto arena = dyn_cast<ArenaOp>(op)) {
      entry.arenaBytes = arena.getBuffer().getType().getBytes();
    } else if (auto workspace = dyn_cast<WorkspaceOp>(op)) {
      entry.workspaceBytes = workspace.getBuffer().getType().getBytes();
    } else if (auto weight = dyn_cast<WeightOp>(op)) {
      FailureOr<uint32_t> index = addWeight(weight);
      if (failed(index))
        return failure();
      slots[weight] = *index;
    } else if (isa<LaunchOp, CopyOp, FillOp>(op)) {
      FailureOr<package::Launch> launch = makeLaunch(&op, places);
      if (failed(launch))
        return failure();
      places.launches[op.getResult(0)] = entry.launches.size();
      entry.launches.push_back(std::move(*launch));
    }
  }
  const package::Entry &first = contents.package.entries.empty() ? entry : contents.package.entries.front();
  if (entry.inputs.size() != first.inputs.size() || entry.outputs.size() != first.outputs.size())
    return program.emitError() << "'" << entry.name << "' has " << entry.inputs.size() << " inputs and "
                               << entry.outputs.size() << " results, '" << first.name << "' has "
                               << first.inputs.size() << " and " << first.outputs.size()
                               << ": functions of one package are one program in several shapes; compile "
                                  "programs of their own by themselves";
  contents.package.entries.push_back(std::move(entry));
  return success();
}

//===-- The rest ----------------------------------------------------------------------------------------===//

/// The kernels alone, as bytecode. Packages hold no paths: file locations lose their folders, and locations
/// that name the input itself are dropped.
static std::string emulationSegment(ModuleOp module, StringRef sourcePath) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(UnknownLoc::get(module.getContext()));
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>())
    kernels->push_back(gpuModule->clone());
  // Contracts were checked; the emulator does not know their dialect.
  kernels->walk([](LLVM::LLVMFuncOp func) { func->removeAttr(tile::KernelOp::getContractAttrName()); });
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FileLineColLoc loc) -> Attribute {
    return FileLineColLoc::get(loc.getContext(), llvm::sys::path::filename(loc.getFilename()), loc.getLine(),
                               loc.getColumn());
  });
  replacer.addReplacement([&](NameLoc loc) -> std::optional<Attribute> {
    if (loc.getName() != sourcePath)
      return std::nullopt;
    return UnknownLoc::get(loc.getContext());
  });
  replacer.recursivelyReplaceElementsIn(*kernels, /*replaceAttrs=*/false, /*replaceLocs=*/true);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  (void)writeBytecodeToFile(*kernels, os); // fails only for versions that were asked for
  return bytes;
}

FailureOr<PackageContents> Packager::run() {
  contents.package.program = inputs.program;
  contents.package.driverFloor = driverFloor(assembled);
  contents.package.manifest = inputs.manifest;
  uint32_t floor = contents.package.driverFloor;
  contents.package.manifest["driver_floor"] =
      std::to_string(floor / 1000) + "." + std::to_string(floor % 1000 / 10);
  for (auto program : module.getOps<ProgramOp>())
    if (failed(addEntry(program)))
      return failure();
  if (contents.package.entries.empty())
    return module.emitError("there is no plan.program to package");
  if (inputs.emulation)
    contents.package.emulation = emulationSegment(module, inputs.sourcePath);
  if (std::string error = package::checkPackage(contents.package); !error.empty())
    return module.emitError() << "the package is not sound: " << error;
  return std::move(contents);
}

FailureOr<PackageContents> tilewright::buildPackage(ModuleOp module, ArrayRef<AssembledKernel> kernels,
                                                    const PackageInputs &inputs) {
  return Packager{module, kernels, inputs}.run();
}
