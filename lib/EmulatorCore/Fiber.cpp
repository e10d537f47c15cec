// Stacks and switches of fibers.
#include "Tilewright/Emulator/Fiber.h"

#include <cstdlib>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEWRIGHT_ASAN 1
#include <sanitizer/common_interface_defs.h>
#endif
#endif

using namespace tilewright::emulator;
namespace fcontext = boost::context::detail;

static constexpr size_t kGuardBytes = 4096;
static constexpr size_t kSlotBytes = StackPool::kStackBytes + kGuardBytes;

StackPool::~StackPool() {
  for (Mapping &mapping : mappings)
    munmap(mapping.base, mapping.bytes);
}

bool StackPool::reserve(size_t count) {
  if (bottoms.size() >= count)
    return true;
  size_t missing = count - bottoms.size(), bytes = missing * kSlotBytes;
  void *base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return false;
  mappings.push_back({static_cast<char *>(base), bytes});
  for (size_t i = 0; i < missing; ++i) {
    char *slot = static_cast<char *>(base) + i * kSlotBytes;
    if (mprotect(slot, kGuardBytes, PROT_NONE) != 0)
      return false;
    bottoms.push_back(slot + kGuardBytes);
  }
  return true;
}

void *StackPool::bottom(size_t index) const { return bottoms[index]; }

void *StackPool::top(size_t index) const {
  size_t colour = index % 31 * 128;
  return bottoms[index] + kStackBytes - colour;
}

namespace {
/// Lies at the top of a fiber's stack until it starts.
struct Birth {
  FiberEntry entry;
  void *argument;
};
} // namespace

static void arrive(fcontext::transfer_t transfer) {
  auto *self = static_cast<Continuation *>(transfer.data);
  self->cameFrom->context = transfer.fctx;
#ifdef TILEWRIGHT_ASAN
  __sanitizer_finish_switch_fiber(self->sanitizerState, &self->cameFrom->stackBottom,
                                  &self->cameFrom->stackBytes);
#endif
}

static void begin(fcontext::transfer_t transfer) {
  auto *self = static_cast<Continuation *>(transfer.data);
  char *bottom = const_cast<char *>(static_cast<const char *>(self->stackBottom));
  auto *birth = reinterpret_cast<Birth *>(bottom + self->stackBytes);
  FiberEntry entry = birth->entry;
  void *argument = birth->argument;
  arrive(transfer);
  entry(argument);
  std::abort(); // fiber entries leave through leaveFiber
}

void tilewright::emulator::prepareFiber(Continuation &fiber, const StackPool &stacks, size_t index,
                                        FiberEntry entry, void *argument) {
  char *bottom = static_cast<char *>(stacks.bottom(index));
  size_t bytes = static_cast<char *>(stacks.top(index)) - bottom - 64;
  auto *birth = reinterpret_cast<Birth *>(bottom + bytes);
  *birth = {entry, argument};
  fiber.context = fcontext::make_fcontext(bottom + bytes, bytes, begin);
  fiber.stackBottom = bottom;
  fiber.stackBytes = bytes;
  fiber.sanitizerState = nullptr;
}

void tilewright::emulator::switchFiber(Continuation &from, Continuation &to) {
  to.cameFrom = &from;
#ifdef TILEWRIGHT_ASAN
  __sanitizer_start_switch_fiber(&from.sanitizerState, to.stackBottom, to.stackBytes);
#endif
  arrive(fcontext::jump_fcontext(to.context, &to));
}

void tilewright::emulator::leaveFiber(Continuation &from, Continuation &to) {
  to.cameFrom = &from;
#ifdef TILEWRIGHT_ASAN
  __sanitizer_start_switch_fiber(nullptr, to.stackBottom, to.stackBytes);
#endif
  fcontext::jump_fcontext(to.context, &to);
  std::abort(); // nothing comes back to a fiber that is over
}
