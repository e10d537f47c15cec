#include "Cubin.h"

#include "llvm/Support/Endian.h"

#include <algorithm>

using namespace tilewright;
using namespace llvm::support::endian;
using llvm::StringRef;

StringRef ptxstage::codeIn(StringRef cubin) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(cubin.data());
  constexpr uint64_t headerBytes = 64, sectionBytes = 64;
  if (cubin.size() < headerBytes || !cubin.starts_with("\x7f"
                                                       "ELF"))
    return "";
  uint64_t table = read64le(bytes + 0x28), count = read16le(bytes + 0x3c), names = read16le(bytes + 0x3e);
  auto inside = [&](uint64_t from, uint64_t size) {
    return from <= cubin.size() && size <= cubin.size() - from;
  };
  if (read16le(bytes + 0x3a) != sectionBytes || names >= count || !inside(table, count * sectionBytes))
    return "";
  uint64_t strings = read64le(bytes + table + names * sectionBytes + 0x18);
  for (uint64_t section = table; section < table + count * sectionBytes; section += sectionBytes) {
    uint64_t name = strings + read32le(bytes + section);
    uint64_t at = read64le(bytes + section + 0x18), size = read64le(bytes + section + 0x20);
    if (name < cubin.size() && cubin.drop_front(name).starts_with(".text.") && inside(at, size))
      return cubin.substr(at, size);
  }
  return "";
}

unsigned ptxstage::blockIndexReads(StringRef cubin) {
  // S2R Rd, SR: the opcode in the twelve lowest bits, the special register in bits 72 to 79. %ctaid's three
  // are 0x25 and the next ones. (Read off nvdisasm's listings of sm_80 and sm_90 code.)
  constexpr unsigned opcode = 0x919, firstIndex = 0x25, dimensions = 3;
  unsigned reads[dimensions] = {};
  for (StringRef code = codeIn(cubin); code.size() >= kInstructionBytes;
       code = code.drop_front(kInstructionBytes)) {
    unsigned special = (uint8_t)code[9];
    if ((read16le(code.data()) & 0xfff) == opcode && special >= firstIndex &&
        special < firstIndex + dimensions)
      ++reads[special - firstIndex];
  }
  return *std::max_element(std::begin(reads), std::end(reads));
}
