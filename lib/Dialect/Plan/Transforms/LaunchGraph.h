// The launches of one program and what needs what, with modelled times: how long the program takes when
// launches that do not need one another start side by side, and what changes when two of them become one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_LAUNCHGRAPH_H
#define TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_LAUNCHGRAPH_H

#include "MergedKernel.h"

#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::plan {

/// The time that a launch works, in microseconds, beyond the start of a kernel: bytes and flops at the share
/// of the chip that its blocks can keep busy.
double workMicroseconds(CostAttr cost, int64_t blocks, const Arch &arch);

/// Why `launch` cannot be merged, empty when it can; fills in its part.
std::string describePart(LaunchOp launch, KernelPart &part);

/// Parts of a kernel: what it takes to compile grows with them.
inline constexpr size_t kMostParts = 8;
/// Up to so many threads a block each of them may have 128 registers, more than nearly every small kernel
/// takes.
inline constexpr int64_t kFreeThreads = 512;
/// Registers that a thread of a small kernel is taken to have, where blocks are counted that run at once.
inline constexpr unsigned kRegisters = 64;
/// Blocks of a merged kernel over those that run at once then. (H200, seven programs of small kernels merged
/// at up to 1.16: 0.75 to 0.97 of their time; of nineteen at 1.19 to 1.5 four 0.55 to 0.97 and five 1.10 to
/// 1.27.)
inline constexpr double kMostAtOnce = 7.0 / 6;
/// Parameters that every chip takes.
inline constexpr unsigned kMostParameters = 480;

/// One launch, or several that are to be one.
struct LaunchNode {
  llvm::SmallVector<LaunchOp> launches;
  llvm::SmallVector<KernelPart> parts;
  /// Modelled time of each of them, and of all together.
  llvm::SmallVector<double> apart;
  double work = 0;
  /// Why it cannot be merged with anything; empty when it can.
  std::string whyNot;
  /// The nodes that it needs, and those that need it.
  llvm::SmallSetVector<int, 4> needs, neededBy;
  /// It has become part of another node.
  bool gone = false;
  /// The longest way to its start, and from its start to the end of the program.
  double early = 0, late = 0;
};

struct LaunchGraph {
  const Arch &arch;
  std::vector<LaunchNode> nodes;
  /// before[b][a]: b needs a, directly or not.
  std::vector<llvm::BitVector> before;
  /// The longest way through the program.
  double longest = 0;

  /// `alone`: kernels that are not merged.
  LaunchGraph(ProgramOp program, const Arch &arch, llvm::ArrayRef<std::string> alone);
  bool independent(int a, int b) const { return !before[a].test(b) && !before[b].test(a); }
  /// The time that the launches of `a` and `b` work as one kernel.
  double workOfBoth(int a, int b) const;
  /// What the program gains when `a` and `b` are one launch, in microseconds.
  double gain(int a, int b) const;
  /// Why one kernel of `a` and `b` would not run as they do; empty when nothing speaks against it.
  std::string whyApart(int a, int b) const;
  /// Makes `b` a part of `a`.
  void merge(int a, int b);

private:
  /// Finds before, early and late anew.
  void update();
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_LAUNCHGRAPH_H
