// What a package's table must satisfy beyond being a sound FlatBuffer: every index and range is inside what
// it refers to, sizes agree with shapes, and launches can be launched. The writer runs the same checks before
// it writes, so a package that a compiler gets wrong fails where it is made.
#include "Tilewright/Package/Reader.h"

#include "Package_generated.h"

#include <stdio.h>
#include <string.h>

using namespace tilewright::package;

using String = flatbuffers::String;
template <typename T> using Vector = flatbuffers::Vector<flatbuffers::Offset<T>>;
using ull = unsigned long long;

namespace {

constexpr unsigned kMaxParameterBytes = 32764; // Since CUDA 12.1, sm_70 and up.
constexpr int64_t kMaxDim = int64_t(1) << 40;

/// What is being checked, for the sentence: "entry 'main', launch 3".
struct Place {
  char text[320];
};

/// Walks the table; every check returns false with the sentence set.
struct TableVerifier {
  const fb::Package &table;
  ReadError &error;

  bool package();

private:
  bool name(const String *string, const char *what);
  bool weights();
  bool kernel(uint32_t index);
  bool entry(uint32_t index);
  bool sameSignature(const fb::Entry &entry);
  bool tensor(const fb::Entry &entry, const fb::Tensor &tensor);
  bool launch(const fb::Entry &entry, uint32_t index);
  bool edges(const fb::Entry &entry, const fb::Launch &launch, uint32_t index, const Place &place);
  bool variants(const fb::Entry &entry, const fb::Launch &launch, uint32_t index, const Place &place);
  bool kernelLaunch(const fb::Entry &entry, const fb::Launch &launch, const Place &place);
  bool transfer(const fb::Entry &entry, const fb::Launch &launch, const Place &place);
  bool parameter(const fb::Entry &entry, const fb::Parameter &parameter, uint32_t &bytes, const Place &place);
  bool tensorMap(const fb::Entry &entry, const fb::TensorMap &map, const Place &place);
  bool address(const fb::Entry &entry, const fb::Address &address, uint64_t bytes, const Place &place);
  bool golden();
  bool manifest();
};

} // namespace

bool tilewright::package::parseArch(const char *text, Arch &arch) {
  if (strncmp(text, "sm_", 3) != 0)
    return false;
  arch = {};
  const char *p = text + 3;
  for (; *p >= '0' && *p <= '9' && arch.number < 10000; ++p)
    arch.number = arch.number * 10 + (*p - '0');
  if (*p == 'a' || *p == 'f')
    arch.suffix = *p++;
  return *p == 0 && arch.number >= 50 && arch.number < 10000;
}

static unsigned elementBytes(fb::DType dtype) {
  switch (dtype) {
  case fb::DType::F64:
  case fb::DType::I64:
  case fb::DType::U64:
    return 8;
  case fb::DType::F32:
  case fb::DType::I32:
  case fb::DType::U32:
    return 4;
  case fb::DType::F16:
  case fb::DType::BF16:
  case fb::DType::I16:
  case fb::DType::U16:
    return 2;
  case fb::DType::I8:
  case fb::DType::U8:
  case fb::DType::Bool:
  case fb::DType::F8E4M3:
  case fb::DType::F8E5M2:
    return 1;
  }
  return 0;
}

/// FlatBuffers checks where a vector's length lies, not that elements of 8 bytes lie at multiples of 8.
template <typename T> static bool isAligned(const flatbuffers::Vector<T> &vector) {
  return vector.size() == 0 || reinterpret_cast<uintptr_t>(vector.Data()) % sizeof(T) == 0;
}

/// Elements times element bytes; false when the shape is no shape or the product passes 2^62.
static bool shapeBytes(const flatbuffers::Vector<int64_t> &shape, fb::DType dtype, uint64_t &bytes) {
  bytes = elementBytes(dtype);
  if (bytes == 0 || shape.size() > kMaxRank || !isAligned(shape))
    return false;
  for (int64_t dim : shape)
    if (dim < 0 || dim > kMaxDim || __builtin_mul_overflow(bytes, uint64_t(dim), &bytes) || bytes >> 62)
      return false;
  return true;
}

static bool inRange(uint64_t offset, uint64_t bytes, uint64_t whole) {
  return offset <= whole && bytes <= whole - offset;
}

/// "dtype f32 …": the product of a grid, block or cluster, or 0 when a part is 0 or too large.
static uint64_t volume(const fb::Dim3 &dims, uint32_t maxX, uint32_t maxYZ) {
  if (dims.x() < 1 || dims.y() < 1 || dims.z() < 1 || dims.x() > maxX || dims.y() > maxYZ || dims.z() > maxYZ)
    return 0;
  return uint64_t(dims.x()) * dims.y() * dims.z();
}

bool TableVerifier::name(const String *string, const char *what) {
  if (string->size() == 0)
    return error("%s has an empty name", what);
  if (strlen(string->c_str()) != string->size())
    return error("the name of %s holds a zero byte", what);
  return true;
}

bool TableVerifier::package() {
  if (const String *external = table.external_weights())
    if (!name(external, "the external weight file") || strchr(external->c_str(), '/') ||
        strcmp(external->c_str(), "..") == 0 || strcmp(external->c_str(), ".") == 0)
      return error("the external weight file is not a plain file name");
  if (!weights())
    return false;
  for (uint32_t i = 0; i < table.kernels()->size(); ++i)
    if (!kernel(i))
      return false;
  if (table.entries()->size() == 0)
    return error("the package has no entry");
  for (uint32_t i = 0; i < table.entries()->size(); ++i)
    if (!entry(i))
      return false;
  return golden() && manifest();
}

bool TableVerifier::weights() {
  uint64_t end = 0;
  for (const fb::Weight *weight : *table.weights()) {
    if (!name(weight->name(), "a weight"))
      return false;
    const char *label = weight->name()->c_str();
    uint64_t least;
    if (!shapeBytes(*weight->shape(), weight->dtype(), least) || weight->bytes() < 1)
      return error("weight '%s' has no sound shape, element type or size", label);
    if (weight->offset() % kWeightAlignment != 0 || weight->offset() < end ||
        !inRange(weight->offset(), weight->bytes(), table.weight_data()->bytes()))
      return error("weight '%s' (offset %llu, %llu bytes) does not lie in the weight segment of %llu bytes",
                   label, ull(weight->offset()), ull(weight->bytes()), ull(table.weight_data()->bytes()));
    end = weight->offset() + weight->bytes();
  }
  return true;
}

bool TableVerifier::kernel(uint32_t index) {
  const fb::Kernel &kernel = *table.kernels()->Get(index);
  if (!name(kernel.name(), "a kernel"))
    return false;
  const char *label = kernel.name()->c_str();
  uint64_t threads = volume(*kernel.block(), 1024, 1024);
  if (threads == 0 || threads > 1024)
    return error("kernel '%s' has a block of %ux%ux%u threads; 1 to 1024 are possible", label,
                 kernel.block()->x(), kernel.block()->y(), kernel.block()->z());
  for (const fb::Image *image : *kernel.images()) {
    Arch arch;
    if (!parseArch(image->arch()->c_str(), arch) || image->kind() > fb::ImageKind::MAX)
      return error("kernel '%s' has an image for '%.32s', which is no arch", label, image->arch()->c_str());
    if (image->bytes() == 0 || !inRange(image->offset(), image->bytes(), table.images()->bytes()))
      return error(
          "the %s image of kernel '%s' (offset %llu, %llu bytes) does not lie in the image segment of %llu "
          "bytes",
          image->arch()->c_str(), label, ull(image->offset()), ull(image->bytes()),
          ull(table.images()->bytes()));
  }
  return true;
}

bool TableVerifier::entry(uint32_t index) {
  const fb::Entry &entry = *table.entries()->Get(index);
  if (!name(entry.name(), "an entry"))
    return false;
  const char *label = entry.name()->c_str();
  if (entry.arena_bytes() >> 62)
    return error("entry '%s' has an arena of %llu bytes", label, ull(entry.arena_bytes()));
  if (entry.workspace_bytes() >> 62)
    return error("entry '%s' has a workspace of %llu bytes", label, ull(entry.workspace_bytes()));
  if (entry.bucket()->size() > kMaxBucketDims)
    return error("entry '%s' has %u bucket dimensions; %u are possible", label, entry.bucket()->size(),
                 kMaxBucketDims);
  for (const fb::BucketDim *dim : *entry.bucket())
    if (!name(dim->name(), "a bucket dimension") || dim->size() < 1 || dim->size() > kMaxDim)
      return error("entry '%s' has a bucket dimension of size %lld", label,
                   static_cast<long long>(dim->size()));
  for (const Vector<fb::Tensor> *tensors : {entry.inputs(), entry.outputs()})
    for (const fb::Tensor *t : *tensors)
      if (!tensor(entry, *t))
        return false;
  if (!sameSignature(entry))
    return false;
  for (uint32_t i = 0; i < entry.launches()->size(); ++i)
    if (!launch(entry, i))
      return false;
  return true;
}

static bool sameTensor(const fb::Tensor &a, const fb::Tensor &b) {
  if (strcmp(a.name()->c_str(), b.name()->c_str()) != 0 || a.dtype() != b.dtype() ||
      a.shape()->size() != b.shape()->size())
    return false;
  for (uint32_t i = 0; i < a.shape()->size(); ++i)
    if (a.symbols()->Get(i) != b.symbols()->Get(i) ||
        (a.symbols()->Get(i) < 0 && a.shape()->Get(i) != b.shape()->Get(i)))
      return false;
  return true;
}

/// Entries differ in sizes alone: the callers' names, types, fixed dimensions and symbols are the same in all
/// of them. In the first entry the names are checked to differ from each other.
bool TableVerifier::sameSignature(const fb::Entry &entry) {
  const fb::Entry &first = *table.entries()->Get(0);
  const char *label = entry.name()->c_str();
  if (&entry == &first) {
    uint32_t inputs = entry.inputs()->size(), all = inputs + entry.outputs()->size();
    auto nameOf = [&](uint32_t i) {
      return (i < inputs ? entry.inputs()->Get(i) : entry.outputs()->Get(i - inputs))->name()->c_str();
    };
    for (uint32_t i = 0; i < all; ++i)
      for (uint32_t j = 0; j < i; ++j)
        if (strcmp(nameOf(i), nameOf(j)) == 0)
          return error("entry '%s' has two inputs or outputs named '%s'", label, nameOf(i));
    return true;
  }
  if (entry.bucket()->size() != first.bucket()->size() || entry.inputs()->size() != first.inputs()->size() ||
      entry.outputs()->size() != first.outputs()->size())
    return error("entry '%s' has another number of inputs, outputs or bucket dimensions than entry '%s'",
                 label, first.name()->c_str());
  for (uint32_t i = 0; i < entry.bucket()->size(); ++i)
    if (strcmp(entry.bucket()->Get(i)->name()->c_str(), first.bucket()->Get(i)->name()->c_str()) != 0)
      return error("bucket dimension %u of entry '%s' is not that of entry '%s'", i, label,
                   first.name()->c_str());
  for (bool outputs : {false, true}) {
    const auto &mine = outputs ? *entry.outputs() : *entry.inputs();
    const auto &theirs = outputs ? *first.outputs() : *first.inputs();
    for (uint32_t i = 0; i < mine.size(); ++i)
      if (!sameTensor(*mine.Get(i), *theirs.Get(i)))
        return error(
            "%s %u of entry '%s' differs in name, type, fixed dimensions or symbols from that of entry '%s'",
            outputs ? "output" : "input", i, label, first.name()->c_str());
  }
  return true;
}

bool TableVerifier::tensor(const fb::Entry &entry, const fb::Tensor &tensor) {
  if (!name(tensor.name(), "an input or output"))
    return false;
  const char *label = tensor.name()->c_str();
  uint64_t bytes;
  if (!shapeBytes(*tensor.shape(), tensor.dtype(), bytes) || bytes != tensor.bytes())
    return error(
        "tensor '%s' of entry '%s' has no sound shape or element type, or not the bytes that they make",
        label, entry.name()->c_str());
  if (tensor.symbols()->size() != tensor.shape()->size())
    return error("tensor '%s' has rank %u but %u symbols", label, tensor.shape()->size(),
                 tensor.symbols()->size());
  for (uint32_t i = 0; i < tensor.symbols()->size(); ++i) {
    int32_t symbol = tensor.symbols()->Get(i);
    if (symbol == -1)
      continue;
    if (symbol < 0 || uint32_t(symbol) >= entry.bucket()->size() ||
        entry.bucket()->Get(symbol)->size() != tensor.shape()->Get(i))
      return error("dimension %u of tensor '%s' is %lld, not the size of its bucket dimension", i, label,
                   static_cast<long long>(tensor.shape()->Get(i)));
  }
  if (tensor.padding() > fb::PaddingRule::MAX ||
      (tensor.padding_value()->size() != 0 && tensor.padding_value()->size() != elementBytes(tensor.dtype())))
    return error("tensor '%s' has a padding value of %u bytes, an element has %u", label,
                 tensor.padding_value()->size(), elementBytes(tensor.dtype()));
  return true;
}

bool TableVerifier::address(const fb::Entry &entry, const fb::Address &address, uint64_t bytes,
                            const Place &place) {
  if (address.base() > fb::AddressBase::MAX)
    return error("%s has an address of unknown kind %u", place.text, unsigned(address.base()));
  uint64_t whole = entry.arena_bytes();
  const char *what = "the arena";
  uint32_t count = 1;
  switch (address.base()) {
  case fb::AddressBase::Arena:
    break;
  case fb::AddressBase::Workspace:
    what = "the workspace", whole = entry.workspace_bytes();
    break;
  case fb::AddressBase::Weight:
    what = "weight", count = table.weights()->size();
    if (address.index() < count)
      whole = table.weights()->Get(address.index())->bytes();
    break;
  case fb::AddressBase::Input:
    what = "input", count = entry.inputs()->size();
    if (address.index() < count)
      whole = entry.inputs()->Get(address.index())->bytes();
    break;
  case fb::AddressBase::Output:
    what = "output", count = entry.outputs()->size();
    if (address.index() < count)
      whole = entry.outputs()->Get(address.index())->bytes();
    break;
  }
  if (address.index() >= count)
    return error("%s refers to %s %u, of which there are %u", place.text, what, address.index(), count);
  if (!inRange(address.offset(), bytes, whole))
    return error("%s refers to bytes %llu to %llu of %s %u, which has %llu", place.text,
                 ull(address.offset()), ull(address.offset() + bytes), what, address.index(), ull(whole));
  return true;
}

bool TableVerifier::launch(const fb::Entry &entry, uint32_t index) {
  const fb::Launch &launch = *entry.launches()->Get(index);
  Place place;
  snprintf(place.text, sizeof place.text, "entry '%.200s', launch %u", entry.name()->c_str(), index);
  if (!edges(entry, launch, index, place))
    return false;
  if (launch.kind() != fb::LaunchKind::Kernel)
    return transfer(entry, launch, place);
  return kernelLaunch(entry, launch, place) && variants(entry, launch, index, place);
}

/// Variants are kernels too, wait for the same launches, and have no variants themselves.
bool TableVerifier::variants(const fb::Entry &entry, const fb::Launch &launch, uint32_t index,
                             const Place &place) {
  if (!launch.variants())
    return true;
  for (const fb::Launch *variant : *launch.variants()) {
    if (variant->kind() != fb::LaunchKind::Kernel ||
        (variant->variants() && variant->variants()->size() != 0))
      return error("%s has a variant that is no kernel, or has variants itself", place.text);
    if (!edges(entry, *variant, index, place) || !kernelLaunch(entry, *variant, place))
      return false;
    if (variant->dependencies()->size() != launch.dependencies()->size())
      return error("%s has a variant that waits for %u launches, not %u", place.text,
                   variant->dependencies()->size(), launch.dependencies()->size());
    for (uint32_t i = 0; i < launch.dependencies()->size(); ++i)
      if (variant->dependencies()->Get(i)->launch() != launch.dependencies()->Get(i)->launch())
        return error("%s has a variant that waits for launch %u, not %u", place.text,
                     variant->dependencies()->Get(i)->launch(), launch.dependencies()->Get(i)->launch());
  }
  return true;
}

bool TableVerifier::edges(const fb::Entry &entry, const fb::Launch &launch, uint32_t index,
                          const Place &place) {
  int64_t previous = -1;
  for (const fb::Dependency *edge : *launch.dependencies()) {
    if (int64_t(edge->launch()) <= previous || edge->launch() >= index)
      return error("%s depends on launch %u: dependencies are in rising order, on earlier launches",
                   place.text, edge->launch());
    previous = edge->launch();
    if (edge->programmatic() && (launch.kind() != fb::LaunchKind::Kernel ||
                                 entry.launches()->Get(edge->launch())->kind() != fb::LaunchKind::Kernel))
      return error("%s has a programmatic edge from launch %u: both ends must be kernels", place.text,
                   edge->launch());
  }
  return true;
}

bool TableVerifier::kernelLaunch(const fb::Entry &entry, const fb::Launch &launch, const Place &place) {
  if (launch.kernel() >= table.kernels()->size())
    return error("%s is of kernel %u, of which there are %u", place.text, launch.kernel(),
                 table.kernels()->size());
  const fb::Dim3 &grid = *launch.grid(), &block = *launch.block(), &cluster = *launch.cluster();
  if (volume(grid, INT32_MAX, 65535) == 0)
    return error("%s has a grid of %ux%ux%u blocks; the limits are %dx65535x65535", place.text, grid.x(),
                 grid.y(), grid.z(), INT32_MAX);
  uint64_t threads = volume(block, 1024, 1024);
  if (threads == 0 || threads > 1024 || block.z() > 64)
    return error("%s has a block of %ux%ux%u threads; 1 to 1024 are possible", place.text, block.x(),
                 block.y(), block.z());
  uint64_t blocks = volume(cluster, 16, 16);
  if (blocks == 0 || blocks > 16 || grid.x() % cluster.x() || grid.y() % cluster.y() ||
      grid.z() % cluster.z())
    return error("%s has clusters of %ux%ux%u blocks: 1 to 16 are possible, and they must divide the grid "
                 "%ux%ux%u",
                 place.text, cluster.x(), cluster.y(), cluster.z(), grid.x(), grid.y(), grid.z());
  if (launch.shared_bytes() > 1024 * 1024)
    return error("%s asks for %u bytes of shared memory", place.text, launch.shared_bytes());
  uint64_t parameterBytes = 0;
  for (const fb::Parameter *p : *launch.parameters()) {
    uint32_t bytes = 0;
    if (!parameter(entry, *p, bytes, place))
      return false;
    parameterBytes += bytes;
  }
  if (parameterBytes > kMaxParameterBytes)
    return error("%s has %llu bytes of parameters; %u are possible", place.text, ull(parameterBytes),
                 kMaxParameterBytes);
  return true;
}

bool TableVerifier::parameter(const fb::Entry &entry, const fb::Parameter &parameter, uint32_t &bytes,
                              const Place &place) {
  switch (parameter.kind()) {
  case fb::ParameterKind::Address:
    bytes = 8;
    return parameter.address() ? address(entry, *parameter.address(), 0, place)
                               : error("%s has an address parameter without an address", place.text);
  case fb::ParameterKind::Scalar:
    bytes = parameter.scalar() ? parameter.scalar()->size() : 0;
    return (bytes >= 1 && bytes <= 4096) || error("%s has a scalar parameter of %u bytes", place.text, bytes);
  case fb::ParameterKind::TrueDim:
    bytes = parameter.scalar_bytes();
    if (bytes != 4 && bytes != 8)
      return error("%s has a dimension parameter of %u bytes; 4 and 8 are possible", place.text, bytes);
    return parameter.dim() < entry.bucket()->size() ||
           error("%s takes bucket dimension %u, of which there are %u", place.text, parameter.dim(),
                 entry.bucket()->size());
  case fb::ParameterKind::TensorMap:
    bytes = 128;
    return parameter.map() ? tensorMap(entry, *parameter.map(), place)
                           : error("%s has a tensor map parameter without a map", place.text);
  }
  return error("%s has a parameter of unknown kind %u", place.text, unsigned(parameter.kind()));
}

/// Ranges that the driver would refuse at run time are refused here, and the map stays inside its tensor.
bool TableVerifier::tensorMap(const fb::Entry &entry, const fb::TensorMap &map, const Place &place) {
  uint32_t rank = map.rank();
  if (rank < 1 || rank > 5 || !isAligned(*map.dims()) || !isAligned(*map.strides()) ||
      map.dims()->size() != rank || map.strides()->size() != rank - 1 || map.box()->size() != rank ||
      map.element_strides()->size() != rank)
    return error("%s has a tensor map of rank %u whose dimensions, strides or boxes are not as many",
                 place.text, rank);
  // By CUtensorMapDataType.
  static const uint8_t kElementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  if (map.data_type() >= sizeof kElementBytes || map.interleave() > 2 || map.swizzle() > 3 ||
      map.l2_promotion() > 3 || map.out_of_bounds_fill() > 1)
    return error("%s has a tensor map of data type %u, interleave %u, swizzle %u, L2 promotion %u, fill %u, "
                 "some of which there is not",
                 place.text, map.data_type(), map.interleave(), map.swizzle(), map.l2_promotion(),
                 map.out_of_bounds_fill());
  uint64_t element = kElementBytes[map.data_type()], inner = element * map.box()->Get(0);
  if (map.interleave() == 0 && (inner % 16 != 0 || (map.swizzle() != 0 && inner > (16u << map.swizzle()))))
    return error(
        "%s has a tensor map whose box has %llu bytes in dimension 0: a multiple of 16 is possible, and "
        "%u with its swizzle",
        place.text, ull(inner), 16u << map.swizzle());
  if (map.base()->offset() % 16 != 0)
    return error("%s has a tensor map %llu bytes into its tensor, which is no multiple of 16", place.text,
                 ull(map.base()->offset()));
  uint64_t bytes = element; // Up to the end of the last element.
  for (uint32_t i = 0; i < rank; ++i) {
    uint64_t dim = map.dims()->Get(i), stride = i ? map.strides()->Get(i - 1) : element;
    uint64_t extent;
    if (dim < 1 || dim > uint64_t(1) << 32 || map.box()->Get(i) < 1 || map.box()->Get(i) > 256 ||
        map.element_strides()->Get(i) < 1 || map.element_strides()->Get(i) > 8 || (i && stride % 16 != 0) ||
        stride >= uint64_t(1) << 40)
      return error("%s has a tensor map whose dimension %u has %llu elements, stride %llu, box %u",
                   place.text, i, ull(dim), ull(stride), map.box()->Get(i));
    if (__builtin_mul_overflow(dim - 1, stride, &extent) || __builtin_add_overflow(bytes, extent, &bytes))
      return error("%s has a tensor map whose extent overflows", place.text);
  }
  return address(entry, *map.base(), bytes, place);
}

bool TableVerifier::transfer(const fb::Entry &entry, const fb::Launch &launch, const Place &place) {
  if (launch.kind() > fb::LaunchKind::MAX)
    return error("%s is of unknown kind %u", place.text, unsigned(launch.kind()));
  fb::AddressBase base = launch.destination()->base();
  if (base != fb::AddressBase::Arena && base != fb::AddressBase::Output)
    return error("%s writes to a weight or an input", place.text);
  if (launch.bytes() == 0 || !address(entry, *launch.destination(), launch.bytes(), place))
    return launch.bytes() ? false : error("%s moves no bytes", place.text);
  if (launch.kind() == fb::LaunchKind::Memcpy)
    return address(entry, *launch.source(), launch.bytes(), place);
  uint32_t element = launch.element_bytes();
  if ((element != 1 && element != 2 && element != 4) || launch.bytes() % element != 0)
    return error("%s sets %llu bytes in elements of %u; 1, 2 and 4 are possible", place.text,
                 ull(launch.bytes()), element);
  return true;
}

bool TableVerifier::golden() {
  for (const fb::GoldenTensor *golden : *table.golden()) {
    if (golden->entry() >= table.entries()->size())
      return error("a golden tensor is of entry %u, of which there are %u", golden->entry(),
                   table.entries()->size());
    const fb::Entry &entry = *table.entries()->Get(golden->entry());
    const auto &tensors = golden->output() ? *entry.outputs() : *entry.inputs();
    if (golden->slot() >= tensors.size() || tensors.Get(golden->slot())->bytes() != golden->bytes() ||
        !inRange(golden->offset(), golden->bytes(), table.golden_data()->bytes()))
      return error("a golden tensor (slot %u, %llu bytes) is not that of its entry", golden->slot(),
                   ull(golden->bytes()));
  }
  return true;
}

bool TableVerifier::manifest() {
  const char *previous = nullptr;
  for (const fb::KeyValue *pair : *table.manifest()) {
    if (!name(pair->key(), "a manifest entry"))
      return false;
    if (previous && strcmp(previous, pair->key()->c_str()) >= 0)
      return error("manifest key '%.100s' is out of order", pair->key()->c_str());
    previous = pair->key()->c_str();
  }
  return true;
}

bool tilewright::package::verifyTable(const fb::Package &table, ReadError &error) {
  return TableVerifier{table, error}.package();
}
