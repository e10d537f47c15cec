// Fibers: Boost.Context's fcontext on pooled stacks with guard pages.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <vector>

namespace tilewright::emulator {

/// Stacks of one size in one mapping; below each lies a page that nothing may touch.
class StackPool {
public:
  static constexpr size_t kStackBytes = size_t(64) * 1024;

  StackPool() = default;
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool();

  /// Makes sure that `count` stacks exist. False if the system refuses the memory.
  bool reserve(size_t count);
  /// The highest address of stack `index`. Stacks start at different offsets, so that the frames of fibers
  /// which run the same code do not all fall into the same cache sets.
  void *top(size_t index) const;
  /// The lowest usable address of stack `index`.
  void *bottom(size_t index) const;

private:
  struct Mapping {
    char *base;
    size_t bytes;
  };
  std::vector<Mapping> mappings;
  std::vector<char *> bottoms;
};

/// A point at which execution can go on.
struct Continuation {
  boost::context::detail::fcontext_t context = nullptr;
  /// Who switched here last: its context is noted on arrival.
  Continuation *cameFrom = nullptr;
  /// Stack bounds, told to the address sanitizer.
  const void *stackBottom = nullptr;
  size_t stackBytes = 0;
  void *sanitizerState = nullptr;
};

using FiberEntry = void (*)(void *argument);

/// Prepares `fiber` to run `entry(argument)` on stack `index` at the first switch to it. `entry` never
/// returns.
void prepareFiber(Continuation &fiber, const StackPool &stacks, size_t index, FiberEntry entry,
                  void *argument);
/// Goes on at `to`; returns when something switches back to `from`.
void switchFiber(Continuation &from, Continuation &to);
/// Goes on at `to` for good: the fiber that calls this is over.
[[noreturn]] void leaveFiber(Continuation &from, Continuation &to);

} // namespace tilewright::emulator
