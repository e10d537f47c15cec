// Element types and sizes of the package structs.
#include "Tilewright/Package/Package.h"
#include "Tilewright/Package/Hash.h"

using namespace tilewright::package;

static const struct {
  const char *name;
  unsigned bytes;
} kDTypes[] = {{"f32", 4}, {"f16", 2}, {"bf16", 2}, {"f64", 8},    {"i8", 1},
               {"u8", 1},  {"i16", 2}, {"u16", 2},  {"i32", 4},    {"u32", 4},
               {"i64", 8}, {"u64", 8}, {"bool", 1}, {"f8e4m3", 1}, {"f8e5m2", 1}};

unsigned tilewright::package::dtypeBytes(DType dtype) { return kDTypes[unsigned(dtype)].bytes; }

const char *tilewright::package::dtypeName(DType dtype) { return kDTypes[unsigned(dtype)].name; }

bool tilewright::package::dtypeFromName(const std::string &name, DType &dtype) {
  for (unsigned i = 0; i <= unsigned(DType::F8E5M2); ++i)
    if (name == kDTypes[i].name) {
      dtype = DType(i);
      return true;
    }
  return false;
}

uint64_t tilewright::package::tensorBytes(const Tensor &tensor) {
  uint64_t bytes = dtypeBytes(tensor.dtype);
  for (int64_t dim : tensor.shape)
    bytes *= uint64_t(dim);
  return bytes;
}

uint64_t tilewright::package::contentHash(const void *data, size_t bytes) {
  ContentHasher hasher;
  hasher.add(data, bytes);
  return hasher.value();
}
