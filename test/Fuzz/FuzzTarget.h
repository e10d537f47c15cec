// What every fuzz target promises: the bytes are taken, or refused with a sentence. Anything else is a crash
// here, which libFuzzer reports with the input. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_FUZZ_FUZZTARGET_H
#define TILEWRIGHT_TEST_FUZZ_FUZZTARGET_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright::fuzz {

/// Ends the run unless `held`.
inline void require(bool held, const char *what) {
  if (held)
    return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

/// A file in memory, for readers that take a path.
class MemoryFile {
public:
  MemoryFile() : file(memfd_create("fuzz", 0)) { require(file >= 0, "there is no memory file"); }
  ~MemoryFile() { close(file); }
  MemoryFile(const MemoryFile &) = delete;

  void set(const void *data, size_t bytes) {
    require(ftruncate(file, 0) == 0 && pwrite(file, data, bytes, 0) == (ssize_t)bytes,
            "the memory file cannot be written");
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file); }

private:
  int file;
};

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_TEST_FUZZ_FUZZTARGET_H
