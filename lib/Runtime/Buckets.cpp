// Picking buckets, padding and slicing.
#include "Buckets.h"

using namespace tilewright::runtime;
namespace fb = tilewright::package::fb;
using tilewright::package::kMaxBucketDims;
using Tensors = flatbuffers::Vector<flatbuffers::Offset<fb::Tensor>>;

int tilewright::runtime::findSlot(const fb::Entry &entry, const char *name) {
  uint32_t inputs = entry.inputs()->size();
  for (uint32_t i = 0; i < inputs; ++i)
    if (strcmp(entry.inputs()->Get(i)->name()->c_str(), name) == 0)
      return int(i);
  for (uint32_t i = 0; i < entry.outputs()->size(); ++i)
    if (strcmp(entry.outputs()->Get(i)->name()->c_str(), name) == 0)
      return int(inputs + i);
  return -1;
}

const fb::Tensor &tilewright::runtime::tensorOf(const fb::Entry &entry, uint32_t slot) {
  uint32_t inputs = entry.inputs()->size();
  return slot < inputs ? *entry.inputs()->Get(slot) : *entry.outputs()->Get(slot - inputs);
}

void tilewright::runtime::listNames(const Tensors &tensors, Text &text) {
  const char *separator = "";
  for (const fb::Tensor *tensor : tensors) {
    text.add("%s'%s'", separator, tensor->name()->c_str());
    separator = ", ";
  }
}

//===-- Sentences -----------------------------------------------------------------------------------===//

/// "[1,128]"
static void addShape(Text &text, const int64_t *shape, uint32_t rank) {
  text.add("[");
  for (uint32_t i = 0; i < rank; ++i)
    text.add("%s%lld", i ? "," : "", static_cast<long long>(shape[i]));
  text.add("]");
}

/// "[batch,seq,384]": the entry's names where it has them.
static void addSymbolicShape(Text &text, const fb::Entry &entry, const fb::Tensor &tensor) {
  text.add("[");
  for (uint32_t i = 0; i < tensor.shape()->size(); ++i) {
    int32_t symbol = tensor.symbols()->Get(i);
    if (symbol >= 0)
      text.add("%s%s", i ? "," : "", entry.bucket()->Get(symbol)->name()->c_str());
    else
      text.add("%s%lld", i ? "," : "", static_cast<long long>(tensor.shape()->Get(i)));
  }
  text.add("]");
}

static twrt_status shapeFailure(const fb::Entry &entry, const fb::Tensor &tensor, const char *role,
                                const twrt_host_tensor &given, twrt_error *error) {
  char found[200], needed[200];
  Text foundText(found, sizeof found), neededText(needed, sizeof needed);
  addShape(foundText, given.shape, given.rank);
  addSymbolicShape(neededText, entry, tensor);
  return fail(error, TWRT_ERROR_SHAPE, "%s '%.100s' has shape %s; the package takes %s", role, given.name,
              found, needed);
}

/// The true lengths fit no bucket: says them and every bucket there is.
static twrt_status noBucket(const fb::Package &table, const int64_t *lengths, twrt_error *error) {
  char text[900];
  Text t(text, sizeof text);
  const fb::Entry &first = *table.entries()->Get(0);
  for (uint32_t d = 0; d < first.bucket()->size(); ++d)
    if (lengths[d])
      t.add("%s%s=%lld", t.length ? ", " : "", first.bucket()->Get(d)->name()->c_str(),
            static_cast<long long>(lengths[d]));
  t.add("; the package has the buckets");
  for (const fb::Entry *entry : *table.entries()) {
    t.add(" (");
    for (uint32_t d = 0; d < entry->bucket()->size(); ++d)
      t.add("%s%s=%lld", d ? ", " : "", entry->bucket()->Get(d)->name()->c_str(),
            static_cast<long long>(entry->bucket()->Get(d)->size()));
    t.add(")");
  }
  return fail(error, TWRT_ERROR_SHAPE, "no bucket fits inputs of %s", text);
}

//===-- Picking -------------------------------------------------------------------------------------===//

static twrt_status unknownName(const char *role, const char *name, const Tensors &known, twrt_error *error) {
  char names[700];
  Text text(names, sizeof names);
  listNames(known, text);
  return fail(error, TWRT_ERROR_UNKNOWN_NAME, "there is no %s '%.100s'; the package's %ss are %s", role, name,
              role, names);
}

static twrt_status checkType(const fb::Tensor &tensor, const char *role, const twrt_host_tensor &given,
                             twrt_error *error) {
  if (given.dtype == static_cast<twrt_dtype>(tensor.dtype()))
    return TWRT_OK;
  return fail(error, TWRT_ERROR_DTYPE, "%s '%.100s' has elements of %s; the package takes %s", role,
              given.name, twrt_dtype_name(given.dtype),
              twrt_dtype_name(static_cast<twrt_dtype>(tensor.dtype())));
}

/// Takes the true lengths from one input; `lengths` holds 0 where nothing is known yet.
static twrt_status takeLengths(const fb::Entry &entry, const twrt_host_tensor &given, int64_t *lengths,
                               twrt_error *error) {
  int slot = given.name ? findSlot(entry, given.name) : -1;
  if (slot < 0 || uint32_t(slot) >= entry.inputs()->size())
    return unknownName("input", given.name ? given.name : "(null)", *entry.inputs(), error);
  const fb::Tensor &tensor = *entry.inputs()->Get(slot);
  TWRT_TRY(checkType(tensor, "input", given, error));
  if (given.rank != tensor.shape()->size() || (given.rank && !given.shape))
    return shapeFailure(entry, tensor, "input", given, error);
  for (uint32_t i = 0; i < given.rank; ++i) {
    int32_t symbol = tensor.symbols()->Get(i);
    bool fits = symbol < 0 ? given.shape[i] == tensor.shape()->Get(i) : given.shape[i] >= 1;
    if (!fits)
      return shapeFailure(entry, tensor, "input", given, error);
    if (symbol < 0)
      continue;
    if (lengths[symbol] && lengths[symbol] != given.shape[i])
      return fail(error, TWRT_ERROR_SHAPE, "input '%.100s' has %s = %lld, another input has %lld", given.name,
                  entry.bucket()->Get(symbol)->name()->c_str(), static_cast<long long>(given.shape[i]),
                  static_cast<long long>(lengths[symbol]));
    lengths[symbol] = given.shape[i];
  }
  return TWRT_OK;
}

/// Whether the lengths fit the entry: no larger than its bucket, and equal where a given input cannot be
/// padded.
static bool fits(const fb::Entry &entry, const int64_t *lengths, const twrt_host_tensor *inputs,
                 uint32_t count) {
  for (uint32_t d = 0; d < entry.bucket()->size(); ++d)
    if (lengths[d] > entry.bucket()->Get(d)->size())
      return false;
  for (uint32_t n = 0; n < count; ++n) {
    const fb::Tensor &tensor = tensorOf(entry, findSlot(entry, inputs[n].name));
    if (tensor.padding() == fb::PaddingRule::Fill)
      continue;
    for (uint32_t i = 0; i < tensor.shape()->size(); ++i)
      if (inputs[n].shape[i] != tensor.shape()->Get(i))
        return false;
  }
  return true;
}

/// A bucket's size for comparison: the product of its dimensions.
static double volume(const fb::Entry &entry) {
  double product = 1;
  for (const fb::BucketDim *dim : *entry.bucket())
    product *= double(dim->size());
  return product;
}

twrt_status tilewright::runtime::pickEntry(const fb::Package &table, const twrt_host_tensor *inputs,
                                           uint32_t count, uint32_t *entry, TrueDims *dims,
                                           twrt_error *error) {
  int64_t lengths[kMaxBucketDims] = {};
  for (uint32_t n = 0; n < count; ++n)
    TWRT_TRY(takeLengths(*table.entries()->Get(0), inputs[n], lengths, error));
  const fb::Entry *best = nullptr;
  for (uint32_t e = 0; e < table.entries()->size(); ++e) {
    const fb::Entry &candidate = *table.entries()->Get(e);
    if (fits(candidate, lengths, inputs, count) && (!best || volume(candidate) < volume(*best)))
      best = &candidate, *entry = e;
  }
  if (!best)
    return noBucket(table, lengths, error);
  for (uint32_t d = 0; d < best->bucket()->size(); ++d)
    dims->size[d] = lengths[d] ? lengths[d] : best->bucket()->Get(d)->size();
  return TWRT_OK;
}

//===-- Outputs, padding, slicing -------------------------------------------------------------------===//

int64_t tilewright::runtime::trueLength(const fb::Tensor &tensor, uint32_t i, const TrueDims &dims) {
  int32_t symbol = tensor.symbols()->Get(i);
  return symbol < 0 ? tensor.shape()->Get(i) : dims.size[symbol];
}

twrt_status tilewright::runtime::checkOutputs(const fb::Entry &entry, const TrueDims &dims,
                                              const twrt_host_tensor *outputs, uint32_t count,
                                              twrt_error *error) {
  for (uint32_t n = 0; n < count; ++n) {
    const twrt_host_tensor &given = outputs[n];
    int slot = given.name ? findSlot(entry, given.name) : -1;
    if (slot < int(entry.inputs()->size()))
      return unknownName("output", given.name ? given.name : "(null)", *entry.outputs(), error);
    const fb::Tensor &tensor = tensorOf(entry, slot);
    TWRT_TRY(checkType(tensor, "output", given, error));
    uint32_t rank = tensor.shape()->size();
    bool same = given.rank == rank && (!rank || given.shape);
    for (uint32_t i = 0; same && i < rank; ++i)
      same = given.shape[i] == trueLength(tensor, i, dims);
    if (!same) {
      char found[200], needed[200];
      Text foundText(found, sizeof found), neededText(needed, sizeof needed);
      addShape(foundText, given.shape, given.shape ? given.rank : 0);
      int64_t shape[16] = {};
      for (uint32_t i = 0; i < rank && i < 16; ++i)
        shape[i] = trueLength(tensor, i, dims);
      addShape(neededText, shape, rank);
      return fail(error, TWRT_ERROR_SHAPE, "output '%.100s' is given room of shape %s; it has shape %s",
                  given.name, found, needed);
    }
    if (!given.data)
      return fail(error, TWRT_ERROR_ARGUMENT, "output '%.100s' has no memory", given.name);
  }
  return TWRT_OK;
}

namespace {
/// The true part of a tensor as a box in the bucket's: rows of `rowBytes` that are contiguous on both sides.
struct Box {
  uint32_t rank = 0; ///< Of the dimensions outside a row.
  int64_t trueDim[16], bucketDim[16];
  uint64_t rowBytes, bucketRowBytes;

  Box(const fb::Tensor &tensor, const TrueDims &dims) {
    rowBytes = bucketRowBytes = twrt_dtype_bytes(static_cast<twrt_dtype>(tensor.dtype()));
    uint32_t inner = tensor.shape()->size();
    bool whole = true; // Every dimension inside is whole: the row goes on.
    while (inner > 0 && whole) {
      --inner;
      int64_t length = trueLength(tensor, inner, dims);
      whole = length == tensor.shape()->Get(inner);
      rowBytes *= uint64_t(length);
      bucketRowBytes *= uint64_t(tensor.shape()->Get(inner));
    }
    for (rank = 0; rank < inner; ++rank) {
      trueDim[rank] = trueLength(tensor, rank, dims);
      bucketDim[rank] = tensor.shape()->Get(rank);
    }
  }

  /// Calls `row(offset in the true tensor, offset in the bucket's)` for every row.
  template <typename Row> void forEachRow(Row row) const {
    int64_t index[16] = {};
    for (uint64_t trueOffset = 0;; trueOffset += rowBytes) {
      uint64_t at = 0;
      for (uint32_t i = 0; i < rank; ++i)
        at = at * uint64_t(bucketDim[i]) + uint64_t(index[i]);
      row(trueOffset, at * bucketRowBytes);
      uint32_t i = rank;
      while (i > 0 && ++index[i - 1] == trueDim[i - 1])
        index[--i] = 0;
      if (i == 0)
        return;
    }
  }
};
} // namespace

void tilewright::runtime::padInto(const fb::Tensor &tensor, const TrueDims &dims, const void *from,
                                  void *to) {
  uint8_t *bucket = static_cast<uint8_t *>(to);
  const uint8_t *given = static_cast<const uint8_t *>(from);
  bool whole = true;
  for (uint32_t i = 0; i < tensor.shape()->size(); ++i)
    whole &= trueLength(tensor, i, dims) == tensor.shape()->Get(i);
  if (!whole) {
    uint32_t element = tensor.padding_value()->size();
    if (element == 0)
      memset(bucket, 0, tensor.bytes());
    else
      for (uint64_t i = 0; i < tensor.bytes(); i += element)
        memcpy(bucket + i, tensor.padding_value()->data(), element);
  }
  Box box(tensor, dims);
  box.forEachRow([&](uint64_t source, uint64_t destination) {
    memcpy(bucket + destination, given + source, box.rowBytes);
  });
}

void tilewright::runtime::sliceFrom(const fb::Tensor &tensor, const TrueDims &dims, const void *from,
                                    void *to) {
  Box box(tensor, dims);
  box.forEachRow([&](uint64_t destination, uint64_t source) {
    memcpy(static_cast<uint8_t *>(to) + destination, static_cast<const uint8_t *>(from) + source,
           box.rowBytes);
  });
}
