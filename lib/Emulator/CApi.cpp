// The C ABI of tilewright_emulator.h on Program.
#include "Tilewright/Emulator/tilewright_emulator.h"

#include "Tilewright/Emulator/Emulator.h"
#include "Tilewright/Emulator/TensorMap.h"

#include <algorithm>
#include <cstring>

using namespace tilewright::emulator;

struct twemu_module {
  std::unique_ptr<Program> program;
};

#define TWEMU_EXPORT extern "C" __attribute__((visibility("default")))

static int fail(const std::string &sentence, char *error, size_t bytes) {
  if (error && bytes) {
    size_t length = std::min(bytes - 1, sentence.size());
    std::memcpy(error, sentence.data(), length);
    error[length] = 0;
  }
  return 1;
}

TWEMU_EXPORT int twemu_load(const void *module, size_t bytes, const twemu_options *options,
                            twemu_module **out, char *error, size_t errorBytes) {
  MachineOptions machine;
  if (options) {
    machine.seed = options->seed;
    machine.earlyCompletion = options->early_completion;
    machine.threads = options->threads > 0 ? unsigned(options->threads) : 0;
    machine.checkShared = options->check;
  }
  std::string problem;
  // MLIR's parser wants a terminated buffer for text.
  std::string source(static_cast<const char *>(module), bytes);
  std::unique_ptr<Program> program = Program::load(source, machine, problem);
  if (!program)
    return fail(problem, error, errorBytes);
  *out = new twemu_module{std::move(program)};
  return 0;
}

TWEMU_EXPORT int twemu_launch(twemu_module *module, const char *kernel, const unsigned grid[3],
                              const unsigned block[3], unsigned dynamicSharedBytes, void *const *arguments,
                              const size_t *argumentBytes, size_t count, const twemu_region *regions,
                              size_t regionCount, char *error, size_t errorBytes) {
  KernelLaunch launch;
  launch.kernel = kernel;
  launch.grid = {grid[0], grid[1], grid[2]};
  launch.block = {block[0], block[1], block[2]};
  launch.dynamicSharedBytes = dynamicSharedBytes;
  launch.arguments.assign(arguments, arguments + count);
  if (argumentBytes)
    launch.argumentBytes.assign(argumentBytes, argumentBytes + count);
  for (size_t i = 0; i < regionCount; ++i)
    launch.regions.push_back({reinterpret_cast<uintptr_t>(regions[i].base), regions[i].bytes,
                              regions[i].name ? regions[i].name : "", regions[i].writable != 0});
  if (Fault fault = module->program->launch(launch))
    return fail(fault.sentence, error, errorBytes);
  return 0;
}

TWEMU_EXPORT void twemu_unload(twemu_module *module) { delete module; }

TWEMU_EXPORT int twemu_encode_tensor_map(void *map, unsigned dataType, unsigned rank, void *base,
                                         const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
                                         const uint32_t *elementStrides, unsigned interleave,
                                         unsigned swizzle, unsigned l2Promotion, unsigned outOfBoundsFill,
                                         char *error, size_t errorBytes) {
  TensorMapRequest request{dataType,       rank,           reinterpret_cast<uintptr_t>(base),
                           dims,           strides,        box,
                           elementStrides, interleave,     swizzle,
                           l2Promotion,    outOfBoundsFill};
  TensorMap encoded;
  if (std::string reason = encodeTensorMap(request, encoded); !reason.empty())
    return fail(reason, error, errorBytes);
  std::memcpy(map, &encoded, sizeof encoded);
  return 0;
}
