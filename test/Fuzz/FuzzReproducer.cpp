// Reproducers: any bytes are refused with a sentence, or unpack to files of the sizes that they say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Tilewright/Package/Reproducer.h"

#include <sys/stat.h>

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Reproducer reproducer;
  std::string error = parseReproducer({reinterpret_cast<const char *>(data), size}, reproducer);
  if (!error.empty())
    return 0;
  size_t total = 0;
  for (const BundledFile &file : reproducer.files) {
    total += file.bytes.size();
    fuzz::require(file.name.find('/') == std::string::npos && file.name[0] != '.',
                  "a file leaves the folder");
  }
  fuzz::require(total <= size, "more bytes than there are");
  char folder[] = "/tmp/tilewright-fuzz-XXXXXX";
  fuzz::require(mkdtemp(folder), "there is no temporary folder");
  bool written = unpackReproducer(reproducer, folder).empty(); // two files of one name are not
  for (const BundledFile &file : reproducer.files) {
    std::string path = std::string(folder) + "/" + file.name;
    struct stat status;
    fuzz::require(!written || (stat(path.c_str(), &status) == 0 && (uint64_t)status.st_size == file.size),
                  "a file has another size");
    unlink(path.c_str());
  }
  rmdir(folder);
  return 0;
}
