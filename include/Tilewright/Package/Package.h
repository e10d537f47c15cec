// What a package says, as plain structs that the compiler fills, and the writer that turns them into
// `model.tw`.
//
// A package is data: kernels (an image for each arch), entries (one launch table and one memory arena for
// each shape bucket), weights in load order, an emulation segment, golden vectors and a manifest. Nothing in
// it is a time, a path or an address, so the same structs and weights give the same bytes. docs/Package.md
// describes the file; lib/Package/Package.fbs is its table's schema. No MLIR or LLVM here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PACKAGE_PACKAGE_H
#define TILEWRIGHT_PACKAGE_PACKAGE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tilewright::package {

/// Element types of weights, inputs and outputs. Bool is one byte, 0 or 1; F8E4M3 has no infinity (FN).
enum class DType : uint8_t {
  F32,
  F16,
  BF16,
  F64,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  Bool,
  F8E4M3,
  F8E5M2
};

/// Bytes of one element.
unsigned dtypeBytes(DType dtype);
/// "f32", "bf16", "bool", …
const char *dtypeName(DType dtype);
/// The reverse of dtypeName; false when no element type has that name.
bool dtypeFromName(const std::string &name, DType &dtype);

//===-- Kernels -------------------------------------------------------------------------------------===//

enum class ImageKind : uint8_t { Cubin, Ptx };

/// One kernel's code for one arch. Kernels may share an image: equal bytes are stored once.
struct Image {
  std::string arch; ///< "sm_90a"
  ImageKind kind = ImageKind::Ptx;
  std::string bytes;       ///< The cubin, or the PTX text.
  int32_t registers = -1;  ///< Registers a thread, from ptxas; -1: not known.
  int32_t spillBytes = -1; ///< Bytes of spill stores and loads a thread, from ptxas; -1: not known.
};

/// A kernel, compiled once, however often it is launched. The flops and bytes are those of one launch.
struct Kernel {
  std::string name;          ///< The entry symbol in every image and in the emulation segment.
  std::vector<Image> images; ///< In order of arch name; may be empty (emulation only).
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  std::vector<std::string> sourceNodes; ///< Names of the source program's nodes that it computes.
  std::string anchor;                   ///< "matmul", "reduction", …
  std::string bound;                    ///< "memory", "compute", "launch": what the model says limits it.
  uint64_t flops = 0;
  uint64_t bytesRead = 0;
  uint64_t bytesWritten = 0;
  double modelledMicroseconds = 0;
  double occupancy = 0; ///< Resident warps over the most a multiprocessor holds, 0 to 1.
  /// Who chose its schedule: "record" (it was measured), "model", "rule" or "program"; empty: not known.
  std::string scheduleFrom;
};

//===-- Addresses and launches ----------------------------------------------------------------------===//

/// Where a byte range of device memory starts.
enum class AddressBase : uint8_t {
  Arena,    ///< `offset` bytes into the entry's arena; `index` is 0.
  Weight,   ///< `offset` bytes into weight `index`.
  Input,    ///< `offset` bytes into the entry's input `index`.
  Output,   ///< `offset` bytes into the entry's output `index`.
  Workspace ///< `offset` bytes into the session's workspace; `index` is 0.
};

struct Address {
  AddressBase base = AddressBase::Arena;
  uint32_t index = 0;
  uint64_t offset = 0;
};

/// A tensor map (CUtensorMap) to encode when the addresses are known. Values are those of the driver API's
/// cuTensorMapEncodeTiled; dimension 0 is the innermost.
struct TensorMap {
  uint32_t dataType = 0; ///< CUtensorMapDataType
  uint32_t rank = 0;     ///< 1 to 5
  Address base;
  std::array<uint64_t, 5> dims{};    ///< elements
  std::array<uint64_t, 4> strides{}; ///< bytes, of dimensions 1 and up
  std::array<uint32_t, 5> box{};     ///< elements
  std::array<uint32_t, 5> elementStrides{1, 1, 1, 1, 1};
  uint32_t interleave = 0;      ///< CUtensorMapInterleave
  uint32_t swizzle = 0;         ///< CUtensorMapSwizzle
  uint32_t l2Promotion = 0;     ///< CUtensorMapL2promotion
  uint32_t outOfBoundsFill = 0; ///< CUtensorMapFloatOOBfill
};

enum class ParameterKind : uint8_t {
  Address,  ///< An 8-byte device pointer.
  Scalar,   ///< Bytes fixed at compile time.
  TrueDim,  ///< The caller's true length of bucket dimension `dim`, as an integer of `scalarBytes` (4 or 8).
  TensorMap ///< 128 bytes, encoded when the addresses are known.
};

/// One kernel parameter, in the order of the kernel's signature.
struct Parameter {
  ParameterKind kind = ParameterKind::Address;
  Address address;          ///< Address
  std::string scalar;       ///< Scalar: its bytes, little endian
  uint32_t dim = 0;         ///< TrueDim: index into Entry::bucket
  uint32_t scalarBytes = 4; ///< TrueDim
  TensorMap map;            ///< TensorMap

  static Parameter arena(uint64_t offset) { return pointer({AddressBase::Arena, 0, offset}); }
  static Parameter weight(uint32_t index, uint64_t offset = 0) {
    return pointer({AddressBase::Weight, index, offset});
  }
  static Parameter input(uint32_t slot, uint64_t offset = 0) {
    return pointer({AddressBase::Input, slot, offset});
  }
  static Parameter output(uint32_t slot, uint64_t offset = 0) {
    return pointer({AddressBase::Output, slot, offset});
  }
  static Parameter pointer(Address address) {
    Parameter p;
    p.address = address;
    return p;
  }
  /// A scalar of any trivially copyable type.
  template <typename T> static Parameter value(T v) {
    Parameter p;
    p.kind = ParameterKind::Scalar;
    p.scalar.assign(reinterpret_cast<const char *>(&v), sizeof(T));
    return p;
  }
  static Parameter trueDim(uint32_t dim, uint32_t bytes) {
    Parameter p;
    p.kind = ParameterKind::TrueDim;
    p.dim = dim;
    p.scalarBytes = bytes;
    return p;
  }
  static Parameter tensorMap(const TensorMap &map) {
    Parameter p;
    p.kind = ParameterKind::TensorMap;
    p.map = map;
    return p;
  }
};

/// An edge of the launch graph: this launch starts after `launch`, an earlier one of the same entry.
struct Dependency {
  uint32_t launch = 0;
  bool programmatic =
      false; ///< Programmatic dependent launch: starts at the other's launch-dependents trigger.
};

enum class LaunchKind : uint8_t { Kernel, Memset, Memcpy };

/// One node of an entry's launch graph.
struct Launch {
  LaunchKind kind = LaunchKind::Kernel;
  // Kernel:
  uint32_t kernel = 0; ///< Index into Package::kernels.
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  std::array<uint32_t, 3> cluster{1, 1, 1};
  uint32_t sharedBytes = 0; ///< Dynamic shared memory.
  std::vector<Parameter> parameters;
  // Memset and memcpy:
  Address destination;
  Address source; ///< Memcpy
  uint64_t bytes = 0;
  uint32_t value = 0;        ///< Memset: the element's bits
  uint32_t elementBytes = 1; ///< Memset: 1, 2 or 4; divides `bytes`

  std::vector<Dependency> dependencies;
  std::vector<std::string> sourceNodes;

  /// The same work by kernels for other chips, each with its own grid, block, cluster, shared memory and
  /// parameters, and the same dependencies (though another may be programmatic). Of these and the launch
  /// itself the one runs whose kernel has the best image for the device.
  std::vector<Launch> variants;
};

//===-- Entries -------------------------------------------------------------------------------------===//

/// One dimension of a bucket's key: inputs whose true length is at most `size` fit.
struct BucketDim {
  std::string name; ///< "batch"
  int64_t size = 0;
};

/// What fills the part of a bucket's input that the caller did not give.
enum class PaddingRule : uint8_t {
  Exact, ///< Nothing: the caller's shape must equal the bucket's.
  Fill   ///< `Tensor::paddingValue`, at the high end of each symbolic dimension.
};

/// An input or an output; its index in Entry::inputs or ::outputs is its binding slot.
struct Tensor {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;       ///< The bucket's shape, C order. Rank 0 is one element.
  std::vector<std::string> symbols; ///< For each dimension the BucketDim's name, "" when fixed; or empty.
  PaddingRule padding = PaddingRule::Exact;
  std::string paddingValue; ///< One element's bytes (dtypeBytes(dtype)); empty: zero.
};

/// Elements times dtypeBytes.
uint64_t tensorBytes(const Tensor &tensor);

/// One shape bucket: what it takes, gives and launches. Inputs and outputs live outside the arena.
struct Entry {
  std::string name;              ///< "main", or "main[batch=8,seq=64]"
  std::vector<BucketDim> bucket; ///< Empty for a program of fixed shapes.
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  uint64_t arenaBytes = 0;
  std::vector<Launch> launches; ///< In an order that respects the dependencies.
  /// Memory that is zero when it is loaded and that all entries share; launches leave the flags at its start
  /// zero.
  uint64_t workspaceBytes = 0;
};

//===-- Weights, golden vectors, package ------------------------------------------------------------===//

/// One weight as the kernels read it (cast, transposed, packed). Placed by the writer in the order given.
struct Weight {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  uint64_t bytes = 0;  ///< May exceed shape times dtype (packing).
  uint64_t offset = 0; ///< In the weight segment, a multiple of 256: written by the writer and the reader.
  uint64_t hash = 0;   ///< contentHash of its bytes: written by the writer and the reader.
};

/// A tensor's expected bytes, in the bucket's shape, for `tw-run --self-test`. An entry may have several
/// sets: those of one set follow each other, so that the n-th tensor of a slot is of the n-th set.
struct GoldenTensor {
  uint32_t entry = 0;
  bool output = false;
  uint32_t slot = 0;
  std::string bytes;
  double rtol = 0, atol = 0; ///< Outputs: the tolerance.
};

struct Package {
  std::string program;      ///< The source program's name; no path.
  uint32_t driverFloor = 0; ///< The lowest cuDriverGetVersion, such as 12030; 0: the runtime's own floor.
  std::vector<Kernel> kernels;
  std::vector<Entry> entries; ///< All over the same weights.
  std::vector<Weight> weights;
  std::vector<GoldenTensor> golden;
  std::string emulation; ///< MLIR bytecode (or text) of the target stage's gpu.modules; empty: none.
  std::map<std::string, std::string> manifest; ///< Input hash, options, toolchain, tuning records: text.
};

//===-- Writing -------------------------------------------------------------------------------------===//

/// Takes the next bytes of a weight; false when they could not be written (stop then).
using ByteSink = std::function<bool(const void *data, size_t bytes)>;

/// Streams weight `index`, exactly Weight::bytes of them in any number of pieces, into `sink`. On failure
/// returns false with a sentence in `error`. Called once for each weight, in order.
using WeightSource = std::function<bool(size_t index, const ByteSink &sink, std::string &error)>;

struct WriteOptions {
  /// Not empty: the weights go to this file, beside the package, and the package keeps its name and hash. A
  /// plain file name.
  std::string externalWeights;
};

/// The figures of a package just written, for reports.
struct WriteSummary {
  uint64_t packageBytes = 0; ///< The file's size.
  uint64_t weightBytes = 0;  ///< The weight segment, wherever it lies.
  uint64_t imageBytes = 0;
  uint64_t emulationBytes = 0;
};

/// Says what is wrong with a package before it is written: every index, size and name that the reader checks
/// too. Empty when it is sound.
std::string checkPackage(const Package &package);

/// Writes `package` to `path`: first to a temporary file in the same folder, renamed when complete, so that
/// no half-written package is ever seen. Returns a sentence on failure and an empty string on success.
std::string writePackage(const Package &package, const WeightSource &weights, const std::string &path,
                         const WriteOptions &options = {}, WriteSummary *summary = nullptr);

/// Writes the package at `from` to `to` without the emulator's kernels and the golden vectors; weights stay
/// where they are, inside or in a file beside it. Returns a sentence on failure.
std::string stripPackage(const std::string &from, const std::string &to, WriteSummary *summary = nullptr);

//===-- Reading back --------------------------------------------------------------------------------===//

/// Reads everything but the weights' bytes into plain structs, for tools and tests. The runtime reads the
/// mapped file instead (Reader.h), with the same checks. Returns a sentence on failure.
std::string readPackage(const std::string &path, Package &package);

/// The 64-bit content hash used throughout the file (XXH64, seed 0).
uint64_t contentHash(const void *data, size_t bytes);

} // namespace tilewright::package

#endif // TILEWRIGHT_PACKAGE_PACKAGE_H
