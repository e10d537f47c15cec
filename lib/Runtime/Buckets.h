// Shape buckets: which entry a call's tensors fit, what their true lengths are, padding and slicing.
#ifndef TILEWRIGHT_LIB_RUNTIME_BUCKETS_H
#define TILEWRIGHT_LIB_RUNTIME_BUCKETS_H

#include "Package.h"

namespace tilewright::runtime {

/// True lengths of an entry's bucket dimensions. Verified packages have no more dimensions.
struct TrueDims {
  int64_t size[package::kMaxBucketDims];
};

/// The slot of the input or output `name` of `entry`: inputs count from 0, outputs go on after them. -1:
/// neither.
int findSlot(const package::fb::Entry &entry, const char *name);
const package::fb::Tensor &tensorOf(const package::fb::Entry &entry, uint32_t slot);

/// "'ids', 'mask'".
void listNames(const flatbuffers::Vector<flatbuffers::Offset<package::fb::Tensor>> &tensors, Text &text);

/// The smallest entry that `inputs` fit, and their true lengths; a bucket dimension that none of them has is
/// at the entry's size.
twrt_status pickEntry(const package::fb::Package &table, const twrt_host_tensor *inputs, uint32_t count,
                      uint32_t *entry, TrueDims *dims, twrt_error *error);

/// Dimension `i` of a tensor at its true length.
int64_t trueLength(const package::fb::Tensor &tensor, uint32_t i, const TrueDims &dims);

/// Checks name, type and true shape of the outputs a caller wants.
twrt_status checkOutputs(const package::fb::Entry &entry, const TrueDims &dims,
                         const twrt_host_tensor *outputs, uint32_t count, twrt_error *error);

/// Copies the caller's tensor into the bucket's, filling the rest by the tensor's rule.
void padInto(const package::fb::Tensor &tensor, const TrueDims &dims, const void *from, void *to);
/// Copies the true part of the bucket's tensor to the caller's.
void sliceFrom(const package::fb::Tensor &tensor, const TrueDims &dims, const void *from, void *to);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_BUCKETS_H
