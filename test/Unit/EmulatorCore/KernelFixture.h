// Kernels written in C++ for tests of the core: a lambda per thread, calling entries by name as compiled code
// does.
#pragma once

#include "Tilewright/Emulator/Entries.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace tilewright::emulator {

using ThreadBody = std::function<void(Thread &self)>;

inline void *entryAddress(const char *name) {
  for (const Entry &entry : entries())
    if (!std::strcmp(entry.name, name))
      return entry.address;
  ADD_FAILURE() << "no entry " << name;
  return nullptr;
}

inline void callCollective(Thread &self, CollectiveKind kind, uint32_t mask = ~0u, int site = 0) {
  using Function = void (*)(Thread *, uint32_t, uint32_t, int);
  static auto function = reinterpret_cast<Function>(entryAddress("tw_emu_collective"));
  function(&self, uint32_t(kind), mask, site);
}

/// Runs `body` on every thread of one launch.
struct KernelFixture {
  MachineOptions options;
  Extent grid, block{32, 1, 1};
  uint32_t sharedBytes = 0;
  std::vector<MemoryRegion> regions;
  bool usesAsyncProxy = false;

  Fault run(ThreadBody body) {
    static const SiteTable sites(8, Site{"test.op", "\"here\""});
    void *argument = &body;
    Launch launch;
    launch.function = [](Thread *self, void *const *arguments) {
      (*static_cast<ThreadBody *>(arguments[0]))(*self);
    };
    launch.kernel = "test";
    launch.grid = grid;
    launch.block = block;
    launch.sharedBytes = sharedBytes;
    launch.arguments = &argument;
    launch.regions = regions;
    launch.sites = &sites;
    launch.usesAsyncProxy = usesAsyncProxy;
    Machine machine(options);
    return machine.run(launch);
  }
};

} // namespace tilewright::emulator
