// Packages: any bytes are refused with a sentence, or every field and every byte that they name can be read,
// by the reader, by the loader of tools and through the C ABI. Most mutants get their hashes put right again,
// so that what lies behind the hashes is reached. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Tilewright/Package/Package.h"
#include "Tilewright/Package/Reader.h"
#include "Tilewright/Runtime/tilewright_runtime.h"

#include "Package_generated.h"

#include <cstddef>
#include <cstring>

using namespace tilewright;
using namespace tilewright::package;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Puts right the hash of a segment that lies in the file.
static void putHash(uint8_t *data, size_t size, const fb::Segment &segment) {
  if (segment.offset() > size || segment.bytes() > size - segment.offset())
    return;
  uint64_t hash = contentHash(data + segment.offset(), segment.bytes());
  size_t at = reinterpret_cast<const uint8_t *>(&segment) - data + 16; // behind offset and bytes
  std::memcpy(data + at, &hash, sizeof hash);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, maxSize);
  FileHeader header;
  if (seed % 4 == 0 || size < sizeof header)
    return size;
  std::memcpy(&header, data, sizeof header);
  if (seed % 8 != 1)
    header.fileBytes = size;
  if (header.tableOffset % 8 == 0 && header.tableOffset < size &&
      header.tableBytes <= size - header.tableOffset && header.tableBytes >= 8 &&
      reinterpret_cast<uintptr_t>(data) % 8 == 0) {
    flatbuffers::Verifier verifier(data + header.tableOffset, header.tableBytes);
    if (fb::VerifyPackageBuffer(verifier)) {
      const fb::Package &table = *fb::GetPackage(data + header.tableOffset);
      for (const fb::Segment *segment : {table.images(), table.emulation(), table.golden_data()})
        putHash(data, size, *segment);
    }
    header.tableHash = contentHash(data + header.tableOffset, header.tableBytes);
  }
  header.headerHash = contentHash(&header, offsetof(FileHeader, headerHash));
  std::memcpy(data, &header, sizeof header);
  return size;
}

/// Asks the C ABI everything, as a listing does.
static void list(const twrt_package *package) {
  twrt_package_info info;
  twrt_package_get_info(package, &info);
  for (uint32_t e = 0; e < info.entries; ++e) {
    twrt_entry_info entry;
    fuzz::require(twrt_entry_get_info(package, e, &entry) == TWRT_OK, "an entry cannot be listed");
    twrt_tensor_info tensor;
    for (uint32_t i = 0; i < entry.inputs; ++i)
      fuzz::require(twrt_input_get_info(package, e, i, &tensor) == TWRT_OK, "an input cannot be listed");
    for (uint32_t i = 0; i < entry.outputs; ++i)
      fuzz::require(twrt_output_get_info(package, e, i, &tensor) == TWRT_OK, "an output cannot be listed");
    twrt_launch_info launch;
    for (uint32_t i = 0; i < entry.launches; ++i)
      fuzz::require(twrt_launch_get_info(package, e, i, &launch) == TWRT_OK, "a launch cannot be listed");
  }
  for (uint32_t k = 0; k < info.kernels; ++k) {
    twrt_kernel_info kernel;
    fuzz::require(twrt_kernel_get_info(package, k, &kernel) == TWRT_OK, "a kernel cannot be listed");
  }
  for (uint32_t w = 0; w < info.weights; ++w) {
    twrt_weight_info weight;
    fuzz::require(twrt_weight_get_info(package, w, &weight) == TWRT_OK, "a weight cannot be listed");
  }
}

/// A read at both ends of what the table names faults under the sanitizers when it lies outside.
static void touch(const PackageView &view) {
  uint64_t sum = 0;
  auto ends = [&](const uint8_t *data, uint64_t offset, uint64_t bytes) {
    if (data && bytes)
      sum += data[offset] + data[offset + bytes - 1];
  };
  for (const fb::Kernel *kernel : *view.table->kernels())
    for (const fb::Image *image : *kernel->images())
      ends(view.imageData(), image->offset(), image->bytes());
  for (const fb::Weight *weight : *view.table->weights())
    ends(view.weightData(), weight->offset(), weight->bytes());
  ends(view.emulationData(), 0, view.table->emulation()->bytes());
  fuzz::require(sum != ~uint64_t(0), "never");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  void *memory = nullptr; // a mapping is aligned; libFuzzer's bytes need not be
  fuzz::require(posix_memalign(&memory, 4096, size + 1) == 0, "no memory");
  // At the end of its block, where the sanitizer sees a read one byte too far.
  std::memcpy(memory, data, size);
  PackageView view;
  ReadError error;
  bool sound = openPackageMemory(memory, size, view, error);
  fuzz::require(sound == (error.message[0] == 0), "refused without a sentence, or taken with one");
  if (sound)
    touch(view);
  twrt_package *package = nullptr;
  twrt_error said = {};
  twrt_status status = twrt_package_open_memory(memory, size, &package, &said);
  fuzz::require((status == TWRT_OK) == sound, "reader and runtime disagree");
  fuzz::require(status == TWRT_OK || said.message[0], "the runtime refuses without a sentence");
  if (status == TWRT_OK)
    list(package);
  twrt_package_close(package);
  free(memory);
  if (sound) {
    static fuzz::MemoryFile file;
    file.set(data, size);
    Package loaded;
    fuzz::require(readPackage(file.path(), loaded).empty(), "reader and loader disagree");
  }
  return 0;
}
