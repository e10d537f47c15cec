// Between the structs of Package.h and the FlatBuffer table: where each byte range goes, and the table that
// says so.
#ifndef TILEWRIGHT_LIB_PACKAGE_TABLE_H
#define TILEWRIGHT_LIB_PACKAGE_TABLE_H

#include "Tilewright/Package/Package.h"

#include "Package_generated.h"

namespace tilewright::package {

/// Where everything outside the table lies. Segment offsets are in the file, all others in their segment.
struct Layout {
  fb::Segment images, weights, emulation, golden;
  std::vector<std::vector<uint64_t>> imageOffsets; ///< [kernel][image]
  std::vector<const std::string *> imageBytes;     ///< The distinct images, in the order of the segment.
  std::vector<uint64_t> goldenOffsets;
  std::vector<uint64_t> weightOffsets;
  std::vector<uint64_t> weightHashes; ///< Zero until the weights have been written.
  std::string externalWeights;
};

/// Bytes between two images or golden tensors: each starts at a multiple of this.
constexpr uint64_t kItemAlignment = 64;

inline uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Places every byte range of `package`. Returns a sentence when a size overflows.
std::string planLayout(const Package &package, const std::string &externalWeights, Layout &layout);

/// Builds the finished table. Returns a sentence when the package names a bucket dimension that does not
/// exist, or the table would pass 2 GiB, or verifyTable finds it wrong.
std::string buildTable(const Package &package, const Layout &layout, flatbuffers::FlatBufferBuilder &builder);

} // namespace tilewright::package

#endif // TILEWRIGHT_LIB_PACKAGE_TABLE_H
